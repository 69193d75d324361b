#include "fault_vfs.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  /// What a disk writes whole or not at all.
  sector_bytes = 512,
  path_max = 512,
  shm_slots = SQLITE_SHM_NLOCK,
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

// MARK: Small parts

/// splitmix64: any seed is a good one.
static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += 0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

static bool resize(content *content, uint64_t count) {
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

static bool put(content *content, uint64_t offset, const uint8_t *bytes, uint64_t count) {
  if (offset + count > content->count && !resize(content, offset + count)) return false;
  memcpy(content->bytes + offset, bytes, count);
  return true;
}

static bool remember(file *file, change change) {
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

static void sync_content(file *file) {
  for (size_t i = 0; i < file->change_count; i++) {
    change *change = &file->changes[i];
    if (change->is_truncation) resize(&file->durable, change->offset);
    else put(&file->durable, change->offset, change->bytes, change->count);
  }
  forget_changes(file);
}

static void drop_shm(file *file) {
  for (int i = 0; i < file->region_count; i++) free(file->regions[i]);
  free(file->regions);
  file->regions = NULL;
  file->region_count = 0;
}

static file *find(fault_disk *disk, const char *path) {
  for (file *file = disk->files; file; file = file->next)
    if (file->is_named && strcmp(file->path, path) == 0) return file;
  return NULL;
}

static file *make(fault_disk *disk, const char *path) {
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

static void discard(fault_disk *disk, file *gone) {
  for (file **link = &disk->files; *link; link = &(*link)->next) {
    if (*link != gone) continue;
    *link = gone->next;
    break;
  }
  forget_changes(gone);
  drop_shm(gone);
  free(gone->changes);
  free(gone->now.bytes);
  free(gone->durable.bytes);
  free(gone);
}

/// A directory that is synced: every name is as it is now, and what lost its name is gone.
static void sync_directory(fault_disk *disk) {
  for (file *file = disk->files, *next; file; file = next) {
    next = file->next;
    file->name_is_durable = file->is_named;
    file->removal_is_pending = false;
    if (!file->is_named && !file->handles) discard(disk, file);
  }
}

// MARK: Faults

/// Counts a call and says what is to happen to it.
static fault_kind begin(fault_disk *disk, bool takes_room) {
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

static uint64_t used(fault_disk *disk) {
  uint64_t sum = 0;
  for (file *file = disk->files; file; file = file->next) sum += file->now.count;
  return sum;
}

static bool has_room(fault_disk *disk, file *file, uint64_t end) {
  if (end <= file->now.count || disk->capacity == UINT64_MAX) return true;
  return used(disk) + (end - file->now.count) <= disk->capacity;
}

#define LOCKED(disk) \
  pthread_mutex_t *held __attribute__((cleanup(unlock))) = &(disk)->mutex; \
  pthread_mutex_lock(held)

static void unlock(pthread_mutex_t **mutex) { pthread_mutex_unlock(*mutex); }

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
  if (!file->handles && is_gone) discard(self->disk, file);
  return SQLITE_OK;
}

static int file_read(sqlite3_file *base, void *out, int count, sqlite3_int64 offset) {
  handle *self = (handle *)base;
  LOCKED(self->disk);
  self->disk->counts.reads++;
  if (begin(self->disk, false) != fault_none) return SQLITE_IOERR_READ;
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
  if (!put(&self->file->now, offset, bytes, count) || !remember(self->file, change)) {
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
  switch (begin(self->disk, end > self->file->now.count)) {
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
  if (!has_room(self->disk, self->file, end)) {
    self->disk->counts.faults++;
    return SQLITE_FULL;
  }
  return store(self, bytes, (uint64_t)count, start);
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
  handle *self = (handle *)base;
  LOCKED(self->disk);
  if (begin(self->disk, false) != fault_none) return SQLITE_IOERR_TRUNCATE;
  change change = {.is_truncation = true, .offset = (uint64_t)size};
  if (!resize(&self->file->now, (uint64_t)size) || !remember(self->file, change)) return SQLITE_NOMEM;
  return SQLITE_OK;
}

static int file_sync(sqlite3_file *base, int flags) {
  (void)flags;
  handle *self = (handle *)base;
  LOCKED(self->disk);
  self->disk->counts.syncs++;
  // A full disk also fails here: blocks may be allocated only now.
  if (begin(self->disk, true) != fault_none) return SQLITE_IOERR_FSYNC;
  sync_content(self->file);
  if (self->syncs_directory) {
    sync_directory(self->disk);
    self->syncs_directory = false;
  }
  return SQLITE_OK;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) {
  handle *self = (handle *)base;
  LOCKED(self->disk);
  if (begin(self->disk, false) != fault_none) return SQLITE_IOERR_FSTAT;
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
    switch (begin(self->disk, true)) {
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
  if (--self->file->shm_users == 0) drop_shm(self->file);
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
  file *found = path ? find(disk, path) : NULL;
  bool is_new = !found;
  switch (begin(disk, is_new)) {
    case fault_none: break;
    case fault_no_room: return SQLITE_FULL;
    default: return SQLITE_CANTOPEN;
  }
  if (is_new) {
    if (!(flags & SQLITE_OPEN_CREATE)) return SQLITE_CANTOPEN;
    found = make(disk, path);
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
  if (begin(disk, false) != fault_none) return SQLITE_IOERR_DELETE;
  file *file = find(disk, path);
  if (!file) return SQLITE_IOERR_DELETE_NOENT;
  file->is_named = false;
  file->removal_is_pending = file->name_is_durable;
  if (should_sync) sync_directory(disk);
  else if (!file->handles && !file->removal_is_pending) discard(disk, file);
  return SQLITE_OK;
}

static int disk_access(sqlite3_vfs *vfs, const char *path, int flags, int *is_there) {
  fault_disk *disk = vfs->pAppData;
  LOCKED(disk);
  if (begin(disk, false) != fault_none) return SQLITE_IOERR_ACCESS;
  file *file = find(disk, path);
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
  for (int i = 0; i < count; i++) out[i] = (char)next_random(&disk->random);
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

static int open_files(fault_disk *disk) {
  LOCKED(disk);
  int open = 0;
  for (file *file = disk->files; file; file = file->next)
    for (handle *handle = file->handles; handle; handle = handle->next) open++;
  return open;
}

int fault_disk_destroy(fault_disk *disk) {
  int open = open_files(disk);
  if (open > 0) return open;
  sqlite3_vfs_unregister(&disk->vfs);
  while (disk->files) discard(disk, disk->files);
  pthread_mutex_destroy(&disk->mutex);
  free(disk);
  return 0;
}

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
  return used(disk);
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
  file *file = find(disk, path);
  if (!file || offset + count > file->now.count) return false;
  sync_content(file);
  for (uint64_t i = 0; i < count; i++) {
    file->now.bytes[offset + i] = (uint8_t)next_random(&seed);
    file->durable.bytes[offset + i] = file->now.bytes[offset + i];
  }
  return true;
}

// MARK: After a loss of power

/// Applies those sectors of a write that survive.
static void survive(content *durable, const change *change, uint64_t percent, uint64_t *random) {
  // A third of the writes arrive or vanish whole; the rest is torn where a sector ends.
  bool is_torn = next_random(random) % 3 != 0;
  bool arrives = next_random(random) % 100 < percent;
  for (uint64_t at = 0; at < change->count;) {
    uint64_t end = (change->offset + at) / sector_bytes * sector_bytes + sector_bytes - change->offset;
    if (end > change->count) end = change->count;
    if (is_torn ? next_random(random) % 100 < percent : arrives)
      put(durable, change->offset + at, change->bytes + at, end - at);
    at = end;
  }
}

/// What is left of a file whose changes reached the disk in part and in any order.
static void lose_changes(file *file, uint64_t percent, uint64_t *random) {
  for (size_t i = file->change_count; i > 1; i--) {
    size_t other = next_random(random) % i;
    change swapped = file->changes[i - 1];
    file->changes[i - 1] = file->changes[other];
    file->changes[other] = swapped;
  }
  for (size_t i = 0; i < file->change_count; i++) {
    change *change = &file->changes[i];
    if (!change->is_truncation) survive(&file->durable, change, percent, random);
    else if (next_random(random) % 100 < percent) resize(&file->durable, change->offset);
  }
  forget_changes(file);
  file->now.count = 0;
  put(&file->now, 0, file->durable.bytes, file->durable.count);
}

/// Which names are there: one that was made or removed since the last sync of the directory may be there or not.
static void lose_names(fault_disk *disk, uint64_t *random) {
  for (file *file = disk->files; file; file = file->next)
    if (file->is_named && !file->name_is_durable && next_random(random) % 2) file->is_named = false;
  // A removed file is back, unless what took its name is there.
  for (file *file = disk->files; file; file = file->next)
    if (file->removal_is_pending && !find(disk, file->path) && next_random(random) % 2) file->is_named = true;
  sync_directory(disk);
}

int fault_disk_restart(fault_disk *disk, uint64_t seed) {
  int open = open_files(disk);
  if (open > 0) return open;
  LOCKED(disk);
  uint64_t random = seed;
  // Some losses take everything that was pending, some almost nothing: both ends find faults that the middle does not.
  static const uint64_t survivals[] = {0, 10, 50, 90, 100};
  uint64_t percent = survivals[next_random(&random) % (sizeof survivals / sizeof *survivals)];
  for (file *file = disk->files; file; file = file->next) lose_changes(file, percent, &random);
  lose_names(disk, &random);
  disk->has_power = true;
  disk->planned = fault_none;
  return 0;
}
