#pragma once
#include "fault_vfs.h"

#include <pthread.h>
#include <sqlite3.h>

// What is behind fault_vfs.h: disk.c keeps bytes and names and decides what survives, fault_vfs.c speaks with SQLite.

enum {
  path_max = 512,
};

// MARK: What a disk is made of

/// A write or a truncation that was not synced.
typedef struct {
  bool is_truncation;
  uint64_t offset;  // or the new size
  uint64_t count;
  uint8_t *bytes;
} change;

typedef struct {
  uint8_t *bytes;
  uint64_t count;
  uint64_t room;
} content;

struct handle;

/// What a name stands for. It outlives its name while it is open, and after a removal that is not yet durable.
typedef struct file {
  struct file *next;
  char path[path_max];
  content now;      // what reads see
  content durable;  // what survives for certain
  change *changes;  // what leads from one to the other
  size_t change_count, change_room;
  struct handle *handles;

  bool is_named;             // `path` leads here
  bool name_is_durable;      // ... and would after a loss of power
  bool removal_is_pending;   // it was removed, and might be back

  void **regions;  // shared memory
  int region_count;
  int shm_users;
} file;

/// An open file. SQLite allocates it.
typedef struct handle {
  sqlite3_file base;
  struct fault_disk *disk;
  file *file;
  struct handle *next;
  int lock;  // SQLITE_LOCK_...
  bool uses_shm, is_temporary, syncs_directory;
  uint16_t shared, exclusive;  // slots of the shared memory
} handle;

struct fault_disk {
  sqlite3_vfs vfs;
  char name[64];
  pthread_mutex_t mutex;  // held for the whole of each call
  file *files;
  uint64_t random;
  uint64_t capacity;
  bool has_power;

  fault_kind planned;
  uint64_t planned_at;
  bool is_lasting;
  fault_counts counts;
};

/// Holds the disk's mutex to the end of the block.
#define LOCKED(disk) \
  pthread_mutex_t *held __attribute__((cleanup(disk_unlock))) = &(disk)->mutex; \
  pthread_mutex_lock(held)

/// splitmix64: any seed is a good one.
uint64_t disk_random(uint64_t *state);
bool disk_resize(content *content, uint64_t count);
bool disk_put(content *content, uint64_t offset, const uint8_t *bytes, uint64_t count);
bool disk_remember(file *file, change change);
void disk_sync_content(file *file);
void disk_drop_shm(file *file);
file *disk_find(fault_disk *disk, const char *path);
file *disk_make(fault_disk *disk, const char *path);
void disk_discard(fault_disk *disk, file *gone);
/// A directory that is synced: every name is as it is now, and what lost its name is gone.
void disk_sync_directory(fault_disk *disk);
/// Counts a call and says what is to happen to it.
fault_kind disk_begin(fault_disk *disk, bool takes_room);
uint64_t disk_used(fault_disk *disk);
bool disk_has_room(fault_disk *disk, file *file, uint64_t end);
void disk_unlock(pthread_mutex_t **mutex);
int disk_open_files(fault_disk *disk);
