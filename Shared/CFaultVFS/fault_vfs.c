#include "disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// MARK: An open file

static int file_close(sqlite3_file *base) {
  handle *self = (handle *)base;
  LOCKED(self->disk);
  for (handle **link = &self->file->handles; *link; link = &(*link)->next) {
    if (*link != self) continue;
    *link = self->next;
    break;
  }
  file *file = self->file;
  bool is_gone = self->is_temporary || (!file->is_named && !file->removal_is_pending);
  if (!file->handles && is_gone) disk_discard(self->disk, file);
  return SQLITE_OK;
}

static int file_read(sqlite3_file *base, void *out, int count, sqlite3_int64 offset) {
  handle *self = (handle *)base;
  LOCKED(self->disk);
  self->disk->counts.reads++;
  if (disk_begin(self->disk, false) != fault_none) return SQLITE_IOERR_READ;
  content *content = &self->file->now;
  uint64_t start = (uint64_t)offset, available = start < content->count ? content->count - start : 0;
  if (available >= (uint64_t)count) {
    memcpy(out, content->bytes + start, (size_t)count);
    return SQLITE_OK;
  }
  if (available) memcpy(out, content->bytes + start, available);
  memset((uint8_t *)out + available, 0, (size_t)count - available);
  return SQLITE_IOERR_SHORT_READ;
}

static int store(handle *self, const void *bytes, uint64_t count, uint64_t offset) {
  if (count == 0) return SQLITE_OK;
  uint8_t *copy = malloc(count);
  if (!copy) return SQLITE_NOMEM;
  memcpy(copy, bytes, count);
  change change = {.offset = offset, .count = count, .bytes = copy};
  if (!disk_put(&self->file->now, offset, bytes, count) || !disk_remember(self->file, change)) {
    free(copy);
    return SQLITE_NOMEM;
  }
  self->disk->counts.written_bytes += count;
  return SQLITE_OK;
}

static int file_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  handle *self = (handle *)base;
  LOCKED(self->disk);
  self->disk->counts.writes++;
  uint64_t start = (uint64_t)offset, end = start + (uint64_t)count;
  bool had_power = self->disk->has_power;
  switch (disk_begin(self->disk, end > self->file->now.count)) {
    case fault_none: break;
    case fault_io_error: return SQLITE_IOERR_WRITE;
    case fault_no_room: return SQLITE_FULL;
    case fault_short_write:
      store(self, bytes, (uint64_t)count / 2, start);
      return SQLITE_FULL;
    case fault_power_loss:
      // It was on its way to the platter: some of its sectors may arrive.
      if (had_power) store(self, bytes, (uint64_t)count, start);
      return SQLITE_IOERR_WRITE;
  }
  if (!disk_has_room(self->disk, self->file, end)) {
    self->disk->counts.faults++;
    return SQLITE_FULL;
  }
  return store(self, bytes, (uint64_t)count, start);
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
  handle *self = (handle *)base;
  LOCKED(self->disk);
  if (disk_begin(self->disk, false) != fault_none) return SQLITE_IOERR_TRUNCATE;
  change change = {.is_truncation = true, .offset = (uint64_t)size};
  if (!disk_resize(&self->file->now, (uint64_t)size) || !disk_remember(self->file, change)) return SQLITE_NOMEM;
  return SQLITE_OK;
}

static int file_sync(sqlite3_file *base, int flags) {
  (void)flags;
  handle *self = (handle *)base;
  LOCKED(self->disk);
  self->disk->counts.syncs++;
  // A full disk also fails here: blocks may be allocated only now.
  if (disk_begin(self->disk, true) != fault_none) return SQLITE_IOERR_FSYNC;
  disk_sync_content(self->file);
  if (self->syncs_directory) {
    disk_sync_directory(self->disk);
    self->syncs_directory = false;
  }
  return SQLITE_OK;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) {
  handle *self = (handle *)base;
  LOCKED(self->disk);
  if (disk_begin(self->disk, false) != fault_none) return SQLITE_IOERR_FSTAT;
  *size = (sqlite3_int64)self->file->now.count;
  return SQLITE_OK;
}

/// The highest lock that somebody else has.
static int lock_of_others(handle *self) {
  int highest = SQLITE_LOCK_NONE;
  for (handle *other = self->file->handles; other; other = other->next)
    if (other != self && other->lock > highest) highest = other->lock;
  return highest;
}

static int file_lock(sqlite3_file *base, int level) {
  handle *self = (handle *)base;
  LOCKED(self->disk);
  if (self->lock >= level) return SQLITE_OK;
  int others = lock_of_others(self);
  if (level == SQLITE_LOCK_SHARED) {
    if (others >= SQLITE_LOCK_PENDING) return SQLITE_BUSY;
  } else if (others >= SQLITE_LOCK_RESERVED) {
    return SQLITE_BUSY;
  } else if (level == SQLITE_LOCK_EXCLUSIVE && others >= SQLITE_LOCK_SHARED) {
    self->lock = SQLITE_LOCK_PENDING;
    return SQLITE_BUSY;
  }
  self->lock = level;
  return SQLITE_OK;
}

static int file_unlock(sqlite3_file *base, int level) {
  handle *self = (handle *)base;
  LOCKED(self->disk);
  if (self->lock > level) self->lock = level;
  return SQLITE_OK;
}

static int file_check_reserved(sqlite3_file *base, int *is_reserved) {
  handle *self = (handle *)base;
  LOCKED(self->disk);
  *is_reserved = self->lock >= SQLITE_LOCK_RESERVED || lock_of_others(self) >= SQLITE_LOCK_RESERVED;
  return SQLITE_OK;
}

static int file_control(sqlite3_file *base, int operation, void *argument) {
  (void)base, (void)operation, (void)argument;
  return SQLITE_NOTFOUND;
}

static int file_sector_size(sqlite3_file *base) {
  (void)base;
  return 4096;  // what the unix VFS says
}

static int file_characteristics(sqlite3_file *base) {
  (void)base;
  // As the unix VFS: a torn write harms no byte outside its range.
  return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static int shm_map(sqlite3_file *base, int region, int size, int extend, void volatile **out) {
  handle *self = (handle *)base;
  LOCKED(self->disk);
  file *file = self->file;
  *out = NULL;
  if (region >= file->region_count) {
    if (!extend) return SQLITE_OK;
    switch (disk_begin(self->disk, true)) {
      case fault_none: break;
      case fault_no_room: return SQLITE_IOERR_SHMSIZE;
      default: return SQLITE_IOERR_SHMMAP;
    }
    void **regions = realloc(file->regions, (size_t)(region + 1) * sizeof *regions);
    if (!regions) return SQLITE_NOMEM;
    file->regions = regions;
    while (file->region_count <= region) {
      void *bytes = calloc(1, (size_t)size);
      if (!bytes) return SQLITE_NOMEM;
      file->regions[file->region_count++] = bytes;
    }
  }
  if (!self->uses_shm) {
    self->uses_shm = true;
    file->shm_users++;
  }
  *out = file->regions[region];
  return SQLITE_OK;
}

static int shm_lock(sqlite3_file *base, int first, int count, int flags) {
  handle *self = (handle *)base;
  LOCKED(self->disk);
  uint16_t mask = (uint16_t)(((1u << count) - 1) << first);
  if (flags & SQLITE_SHM_UNLOCK) {
    self->shared &= (uint16_t)~mask;
    self->exclusive &= (uint16_t)~mask;
    return SQLITE_OK;
  }
  uint16_t shared = 0, exclusive = 0;
  for (handle *other = self->file->handles; other; other = other->next) {
    if (other == self) continue;
    shared |= other->shared;
    exclusive |= other->exclusive;
  }
  if (exclusive & mask) return SQLITE_BUSY;
  if (flags & SQLITE_SHM_SHARED) {
    self->shared |= mask;
    return SQLITE_OK;
  }
  if (shared & mask) return SQLITE_BUSY;
  self->exclusive |= mask;
  return SQLITE_OK;
}

static void shm_barrier(sqlite3_file *base) {
  handle *self = (handle *)base;
  LOCKED(self->disk);
}

static int shm_unmap(sqlite3_file *base, int should_delete) {
  (void)should_delete;
  handle *self = (handle *)base;
  LOCKED(self->disk);
  if (!self->uses_shm) return SQLITE_OK;
  self->uses_shm = false;
  self->shared = self->exclusive = 0;
  // Nobody trusts what a former last user left.
  if (--self->file->shm_users == 0) disk_drop_shm(self->file);
  return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
    .xShmMap = shm_map,
    .xShmLock = shm_lock,
    .xShmBarrier = shm_barrier,
    .xShmUnmap = shm_unmap,
};

// MARK: The disk

static int disk_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *base, int flags, int *out_flags) {
  fault_disk *disk = vfs->pAppData;
  handle *self = (handle *)base;
  memset(self, 0, sizeof *self);
  LOCKED(disk);
  disk->counts.opens++;
  file *found = path ? disk_find(disk, path) : NULL;
  bool is_new = !found;
  switch (disk_begin(disk, is_new)) {
    case fault_none: break;
    case fault_no_room: return SQLITE_FULL;
    default: return SQLITE_CANTOPEN;
  }
  if (is_new) {
    if (!(flags & SQLITE_OPEN_CREATE)) return SQLITE_CANTOPEN;
    found = disk_make(disk, path);
    if (!found) return SQLITE_NOMEM;
    // The unix VFS syncs the directory with the first sync of a new journal.
    self->syncs_directory = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL);
  }
  self->base.pMethods = &methods;
  self->disk = disk;
  self->file = found;
  self->is_temporary = flags & SQLITE_OPEN_DELETEONCLOSE || !path;
  self->next = found->handles;
  found->handles = self;
  if (out_flags) *out_flags = flags;
  return SQLITE_OK;
}

static int disk_delete(sqlite3_vfs *vfs, const char *path, int should_sync) {
  fault_disk *disk = vfs->pAppData;
  LOCKED(disk);
  if (disk_begin(disk, false) != fault_none) return SQLITE_IOERR_DELETE;
  file *file = disk_find(disk, path);
  if (!file) return SQLITE_IOERR_DELETE_NOENT;
  file->is_named = false;
  file->removal_is_pending = file->name_is_durable;
  if (should_sync) disk_sync_directory(disk);
  else if (!file->handles && !file->removal_is_pending) disk_discard(disk, file);
  return SQLITE_OK;
}

static int disk_access(sqlite3_vfs *vfs, const char *path, int flags, int *is_there) {
  fault_disk *disk = vfs->pAppData;
  LOCKED(disk);
  if (disk_begin(disk, false) != fault_none) return SQLITE_IOERR_ACCESS;
  file *file = disk_find(disk, path);
  // As the unix VFS: an empty file does not count as existing.
  *is_there = file && (flags != SQLITE_ACCESS_EXISTS || file->now.count > 0);
  return SQLITE_OK;
}

static int disk_full_path(sqlite3_vfs *vfs, const char *path, int room, char *out) {
  (void)vfs;
  return snprintf(out, (size_t)room, "%s", path) < room ? SQLITE_OK : SQLITE_CANTOPEN;
}

static int disk_randomness(sqlite3_vfs *vfs, int count, char *out) {
  fault_disk *disk = vfs->pAppData;
  LOCKED(disk);
  for (int i = 0; i < count; i++) out[i] = (char)disk_random(&disk->random);
  return count;
}

static int disk_sleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  usleep((useconds_t)microseconds);
  return microseconds;
}

static int disk_time(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
  (void)vfs;
  *milliseconds = 210866760000000 + 1790000000000;  // the Julian day of 1970, and a day in 2026
  return SQLITE_OK;
}

static int disk_last_error(sqlite3_vfs *vfs, int room, char *out) {
  (void)vfs, (void)room, (void)out;
  return 0;
}

fault_disk *fault_disk_create(const char *name, uint64_t seed) {
  fault_disk *disk = calloc(1, sizeof *disk);
  if (!disk) return NULL;
  snprintf(disk->name, sizeof disk->name, "%s", name);
  pthread_mutex_init(&disk->mutex, NULL);
  disk->random = seed;
  disk->capacity = UINT64_MAX;
  disk->has_power = true;
  disk->vfs = (sqlite3_vfs){
      .iVersion = 2,
      .szOsFile = sizeof(handle),
      .mxPathname = path_max - 1,
      .zName = disk->name,
      .pAppData = disk,
      .xOpen = disk_open,
      .xDelete = disk_delete,
      .xAccess = disk_access,
      .xFullPathname = disk_full_path,
      .xRandomness = disk_randomness,
      .xSleep = disk_sleep,
      .xGetLastError = disk_last_error,
      .xCurrentTimeInt64 = disk_time,
  };
  if (sqlite3_vfs_register(&disk->vfs, 0) == SQLITE_OK) return disk;
  free(disk);
  return NULL;
}

int fault_disk_destroy(fault_disk *disk) {
  int open = disk_open_files(disk);
  if (open > 0) return open;
  sqlite3_vfs_unregister(&disk->vfs);
  while (disk->files) disk_discard(disk, disk->files);
  pthread_mutex_destroy(&disk->mutex);
  free(disk);
  return 0;
}
