#include "disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What a disk writes whole or not at all.
enum { sector_bytes = 512 };

// MARK: Bytes and names

/// splitmix64: any seed is a good one.
uint64_t disk_random(uint64_t *state) {
  uint64_t z = (*state += 0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

bool disk_resize(content *content, uint64_t count) {
  if (count > content->room) {
    uint64_t room = content->room ? content->room : 4096;
    while (room < count) room *= 2;
    uint8_t *bytes = realloc(content->bytes, room);
    if (!bytes) return false;
    content->bytes = bytes;
    content->room = room;
  }
  if (count > content->count) memset(content->bytes + content->count, 0, count - content->count);
  content->count = count;
  return true;
}

bool disk_put(content *content, uint64_t offset, const uint8_t *bytes, uint64_t count) {
  if (offset + count > content->count && !disk_resize(content, offset + count)) return false;
  memcpy(content->bytes + offset, bytes, count);
  return true;
}

bool disk_remember(file *file, change change) {
  if (file->change_count == file->change_room) {
    size_t room = file->change_room ? file->change_room * 2 : 16;
    void *changes = realloc(file->changes, room * sizeof change);
    if (!changes) return false;
    file->changes = changes;
    file->change_room = room;
  }
  file->changes[file->change_count++] = change;
  return true;
}

static void forget_changes(file *file) {
  for (size_t i = 0; i < file->change_count; i++) free(file->changes[i].bytes);
  file->change_count = 0;
}

void disk_sync_content(file *file) {
  for (size_t i = 0; i < file->change_count; i++) {
    change *change = &file->changes[i];
    if (change->is_truncation) disk_resize(&file->durable, change->offset);
    else disk_put(&file->durable, change->offset, change->bytes, change->count);
  }
  forget_changes(file);
}

void disk_drop_shm(file *file) {
  for (int i = 0; i < file->region_count; i++) free(file->regions[i]);
  free(file->regions);
  file->regions = NULL;
  file->region_count = 0;
}

file *disk_find(fault_disk *disk, const char *path) {
  for (file *file = disk->files; file; file = file->next)
    if (file->is_named && strcmp(file->path, path) == 0) return file;
  return NULL;
}

file *disk_make(fault_disk *disk, const char *path) {
  file *file = calloc(1, sizeof *file);
  if (!file) return NULL;
  if (path) {
    snprintf(file->path, sizeof file->path, "%s", path);
    file->is_named = true;
  }
  file->next = disk->files;
  disk->files = file;
  return file;
}

void disk_discard(fault_disk *disk, file *gone) {
  for (file **link = &disk->files; *link; link = &(*link)->next) {
    if (*link != gone) continue;
    *link = gone->next;
    break;
  }
  forget_changes(gone);
  disk_drop_shm(gone);
  free(gone->changes);
  free(gone->now.bytes);
  free(gone->durable.bytes);
  free(gone);
}

/// A directory that is synced: every name is as it is now, and what lost its name is gone.
void disk_sync_directory(fault_disk *disk) {
  for (file *file = disk->files, *next; file; file = next) {
    next = file->next;
    file->name_is_durable = file->is_named;
    file->removal_is_pending = false;
    if (!file->is_named && !file->handles) disk_discard(disk, file);
  }
}

// MARK: Faults

/// Counts a call and says what is to happen to it.
fault_kind disk_begin(fault_disk *disk, bool takes_room) {
  disk->counts.calls++;
  if (!disk->has_power) return fault_power_loss;
  if (disk->planned == fault_none || disk->counts.calls < disk->planned_at) return fault_none;
  fault_kind kind = disk->planned;
  if (kind == fault_no_room && !takes_room) return fault_none;
  if (kind == fault_power_loss) disk->has_power = false;
  else if (!disk->is_lasting) disk->planned = fault_none;
  disk->counts.faults++;
  return kind;
}

uint64_t disk_used(fault_disk *disk) {
  uint64_t sum = 0;
  for (file *file = disk->files; file; file = file->next) sum += file->now.count;
  return sum;
}

bool disk_has_room(fault_disk *disk, file *file, uint64_t end) {
  if (end <= file->now.count || disk->capacity == UINT64_MAX) return true;
  return disk_used(disk) + (end - file->now.count) <= disk->capacity;
}

void disk_unlock(pthread_mutex_t **mutex) { pthread_mutex_unlock(*mutex); }

int disk_open_files(fault_disk *disk) {
  LOCKED(disk);
  int open = 0;
  for (file *file = disk->files; file; file = file->next)
    for (handle *handle = file->handles; handle; handle = handle->next) open++;
  return open;
}

// MARK: Switches

void fault_disk_plan(fault_disk *disk, fault_kind kind, uint64_t at, bool lasting) {
  LOCKED(disk);
  disk->planned = kind;
  disk->planned_at = disk->counts.calls + at;
  disk->is_lasting = lasting;
}

void fault_disk_set_capacity(fault_disk *disk, uint64_t bytes) {
  LOCKED(disk);
  disk->capacity = bytes;
}

uint64_t fault_disk_used(fault_disk *disk) {
  LOCKED(disk);
  return disk_used(disk);
}

bool fault_disk_has_power(fault_disk *disk) {
  LOCKED(disk);
  return disk->has_power;
}

fault_counts fault_disk_counts(fault_disk *disk) {
  LOCKED(disk);
  return disk->counts;
}

bool fault_disk_damage(fault_disk *disk, const char *path, uint64_t offset, uint64_t count, uint64_t seed) {
  LOCKED(disk);
  file *file = disk_find(disk, path);
  if (!file || offset + count > file->now.count) return false;
  disk_sync_content(file);
  for (uint64_t i = 0; i < count; i++) {
    file->now.bytes[offset + i] = (uint8_t)disk_random(&seed);
    file->durable.bytes[offset + i] = file->now.bytes[offset + i];
  }
  return true;
}

// MARK: After a loss of power

/// Applies those sectors of a write that survive.
static void survive(content *durable, const change *change, uint64_t percent, uint64_t *random) {
  // A third of the writes arrive or vanish whole; the rest is torn where a sector ends.
  bool is_torn = disk_random(random) % 3 != 0;
  bool arrives = disk_random(random) % 100 < percent;
  for (uint64_t at = 0; at < change->count;) {
    uint64_t end = (change->offset + at) / sector_bytes * sector_bytes + sector_bytes - change->offset;
    if (end > change->count) end = change->count;
    if (is_torn ? disk_random(random) % 100 < percent : arrives)
      disk_put(durable, change->offset + at, change->bytes + at, end - at);
    at = end;
  }
}

/// What is left of a file whose changes reached the disk in part and in any order.
static void lose_changes(file *file, uint64_t percent, uint64_t *random) {
  for (size_t i = file->change_count; i > 1; i--) {
    size_t other = disk_random(random) % i;
    change swapped = file->changes[i - 1];
    file->changes[i - 1] = file->changes[other];
    file->changes[other] = swapped;
  }
  for (size_t i = 0; i < file->change_count; i++) {
    change *change = &file->changes[i];
    if (!change->is_truncation) survive(&file->durable, change, percent, random);
    else if (disk_random(random) % 100 < percent) disk_resize(&file->durable, change->offset);
  }
  forget_changes(file);
  file->now.count = 0;
  disk_put(&file->now, 0, file->durable.bytes, file->durable.count);
}

/// Which names are there: one that was made or removed since the last sync of the directory may be there or not.
static void lose_names(fault_disk *disk, uint64_t *random) {
  for (file *file = disk->files; file; file = file->next)
    if (file->is_named && !file->name_is_durable && disk_random(random) % 2) file->is_named = false;
  // A removed file is back, unless what took its name is there.
  for (file *file = disk->files; file; file = file->next)
    if (file->removal_is_pending && !disk_find(disk, file->path) && disk_random(random) % 2) file->is_named = true;
  disk_sync_directory(disk);
}

int fault_disk_restart(fault_disk *disk, uint64_t seed) {
  int open = disk_open_files(disk);
  if (open > 0) return open;
  LOCKED(disk);
  uint64_t random = seed;
  // Some losses take everything that was pending, some almost nothing: both ends find faults that the middle does not.
  static const uint64_t survivals[] = {0, 10, 50, 90, 100};
  uint64_t percent = survivals[disk_random(&random) % (sizeof survivals / sizeof *survivals)];
  for (file *file = disk->files; file; file = file->next) lose_changes(file, percent, &random);
  lose_names(disk, &random);
  disk->has_power = true;
  disk->planned = fault_none;
  return 0;
}
