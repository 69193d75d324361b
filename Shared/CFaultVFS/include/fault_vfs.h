#pragma once
#include <stdbool.h>
#include <stdint.h>

/// A disk in memory that forgets what was not synced and fails when it is told to: a SQLite VFS for tests.
/// README.md says what is simulated. Every function may be called from any thread.
typedef struct fault_disk fault_disk;

/// What happens at a call of the disk that a test chose.
typedef enum {
  /// Nothing.
  fault_none,
  /// The call fails as a broken device does (EIO).
  fault_io_error,
  /// The call fails for want of room (ENOSPC) if it would take room; else the next one that would.
  fault_no_room,
  /// A write stores only the first half of its bytes and then there is no room; another call fails with EIO.
  fault_short_write,
  /// The power goes before the call takes effect (a write is pending then), and stays away until a restart.
  fault_power_loss,
} fault_kind;

/// What SQLite asked of the disk so far. Locks and shared memory that exists already are not system calls.
typedef struct {
  uint64_t calls;
  uint64_t opens;
  uint64_t reads;
  uint64_t writes;
  uint64_t syncs;
  uint64_t written_bytes;
  /// Faults that were injected.
  uint64_t faults;
} fault_counts;

/// Makes an empty disk and registers it as the VFS `name`; NULL without memory. `seed` also gives SQLite its randomness.
fault_disk *fault_disk_create(const char *name, uint64_t seed);

/// Forgets the disk. Returns the number of files that are still open: unless it is 0, nothing is done.
int fault_disk_destroy(fault_disk *disk);

/// Plans a fault for the call number `at` counted from now, from 1; it happens once, or at every call from there on.
void fault_disk_plan(fault_disk *disk, fault_kind kind, uint64_t at, bool lasting);

/// Room on the disk in bytes: a call that would let a file grow beyond fails. UINT64_MAX is no limit.
void fault_disk_set_capacity(fault_disk *disk, uint64_t bytes);

/// Bytes of all files.
uint64_t fault_disk_used(fault_disk *disk);

bool fault_disk_has_power(fault_disk *disk);

/// Gives the disk its power again, after a loss or out of the blue, with what `seed` lets survive of the writes that
/// were not synced, and without a plan. Returns the number of files that are still open: unless it is 0, nothing is done.
int fault_disk_restart(fault_disk *disk, uint64_t seed);

/// Overwrites bytes of a file, as a bad sector would. False if the file has no such bytes.
bool fault_disk_damage(fault_disk *disk, const char *path, uint64_t offset, uint64_t count, uint64_t seed);

fault_counts fault_disk_counts(fault_disk *disk);
