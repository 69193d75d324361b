#include "gathered_wal.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// The methods of the WAL's file are exchanged for these, which keep what is written behind the last write until the
// transaction is whole. Whoever asks the file for anything finds it as if all of it had been written.

enum {
  room = 124 << 10,   // thirty pages: SQLite's own methods take less than 128 KiB at once
  frame_header = 24,  // of a page in the WAL; written by itself
  commit_mark = 4     // where in it the size of the database stands if the page is a transaction's last; else there is zero
};

typedef struct {
  sqlite3_io_methods methods;  // first: a file leads here by its pointer to them
  const sqlite3_io_methods *real;
  sqlite3 *database;
  unsigned char *bytes;  // NULL while nothing is gathered for long
  size_t count;
  sqlite3_int64 end;         // of what was written or gathered last; -1: unknown
  sqlite3_int64 last_page;   // where the page begins whose header said that it ends a transaction; -1: none
} gathering;

static gathering *of(sqlite3_file *file) { return (gathering *)file->pMethods; }

static sqlite3_int64 start_of(const gathering *own) { return own->end - (sqlite3_int64)own->count; }

// What cannot be written stays: until the transaction is undone, SQLite takes it for written.
static int flush(sqlite3_file *file) {
  gathering *own = of(file);
  if (own->count == 0) return SQLITE_OK;
  int code = own->real->xWrite(file, own->bytes, (int)own->count, start_of(own));
  if (code == SQLITE_OK) own->count = 0;
  return code;
}

static void forget(void *context) {
  gathering *own = context;
  own->count = 0;
  own->end = -1;
  own->last_page = -1;
}

static int write_through(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 at) {
  gathering *own = of(file);
  int code = flush(file);
  if (code != SQLITE_OK) return code;
  code = own->real->xWrite(file, bytes, count, at);
  own->end = code == SQLITE_OK ? at + count : -1;
  return code;
}

// Behind what is gathered, or over a part of it: a page that is changed again is written again where it is.
static bool fits(const gathering *own, int count, sqlite3_int64 at) {
  return own->end >= 0 && start_of(own) <= at && at <= own->end && at - start_of(own) + count <= room;
}

static int place(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 at) {
  gathering *own = of(file);
  if (at == own->end && !fits(own, count, at)) {
    int code = flush(file);
    if (code != SQLITE_OK) return code;
  }
  if (!fits(own, count, at)) return write_through(file, bytes, count, at);
  if (!own->bytes && !(own->bytes = malloc(room))) return write_through(file, bytes, count, at);
  size_t before = (size_t)(at - start_of(own));
  memcpy(own->bytes + before, bytes, (size_t)count);
  if (before + (size_t)count > own->count) {
    own->count = before + (size_t)count;
    own->end = at + count;
  }
  return SQLITE_OK;
}

static int gathered_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 at) {
  gathering *own = of(file);
  bool is_last = at == own->last_page;
  own->last_page = -1;
  int code = place(file, bytes, count, at);
  if (code != SQLITE_OK) return code;
  if (count == frame_header && memcmp((const char *)bytes + commit_mark, "\0\0\0\0", 4) != 0) own->last_page = at + count;
  // From here on others may look for the transaction in the file.
  return is_last ? flush(file) : SQLITE_OK;
}

static int gathered_close(sqlite3_file *file) {
  gathering *own = of(file);
  // A transaction that is still open is undone by this, and its places may be another's by now.
  sqlite3_rollback_hook(own->database, NULL, NULL);
  file->pMethods = own->real;
  free(own->bytes);
  free(own);
  return file->pMethods->xClose(file);
}

static int gathered_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 at) {
  gathering *own = of(file);
  if (own->count == 0 || at + count <= start_of(own)) return own->real->xRead(file, bytes, count, at);
  if (start_of(own) <= at && at + count <= own->end) {
    memcpy(bytes, own->bytes + (at - start_of(own)), (size_t)count);
    return SQLITE_OK;
  }
  int code = flush(file);
  return code != SQLITE_OK ? code : own->real->xRead(file, bytes, count, at);
}

static int gathered_truncate(sqlite3_file *file, sqlite3_int64 size) {
  gathering *own = of(file);
  int code = flush(file);
  if (code != SQLITE_OK) return code;
  // The WAL is emptied when nobody has written for a while: nobody may need the room again soon.
  free(own->bytes);
  own->bytes = NULL;
  forget(own);
  return own->real->xTruncate(file, size);
}

static int gathered_sync(sqlite3_file *file, int flags) {
  int code = flush(file);
  return code != SQLITE_OK ? code : of(file)->real->xSync(file, flags);
}

static int gathered_size(sqlite3_file *file, sqlite3_int64 *size) {
  int code = flush(file);
  return code != SQLITE_OK ? code : of(file)->real->xFileSize(file, size);
}

static int gathered_control(sqlite3_file *file, int what, void *argument) {
  int code = flush(file);
  return code != SQLITE_OK ? code : of(file)->real->xFileControl(file, what, argument);
}

static int gathered_lock(sqlite3_file *file, int level) { return of(file)->real->xLock(file, level); }
static int gathered_unlock(sqlite3_file *file, int level) { return of(file)->real->xUnlock(file, level); }
static int gathered_reserved(sqlite3_file *file, int *is) { return of(file)->real->xCheckReservedLock(file, is); }
static int gathered_sector(sqlite3_file *file) { return of(file)->real->xSectorSize(file); }
static int gathered_device(sqlite3_file *file) { return of(file)->real->xDeviceCharacteristics(file); }

int gathered_wal_begin(sqlite3 *database) {
  sqlite3_file *file = NULL;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (!file || !file->pMethods) return SQLITE_NOTFOUND;
  // Where a torn write may spoil what lies beside it, SQLite fills sectors behind the last page: nothing is gathered there.
  if (!(file->pMethods->xDeviceCharacteristics(file) & SQLITE_IOCAP_POWERSAFE_OVERWRITE)) return SQLITE_OK;
  gathering *own = calloc(1, sizeof *own);
  if (!own) return SQLITE_NOMEM;
  own->real = file->pMethods;
  own->database = database;
  forget(own);
  own->methods = (sqlite3_io_methods){
      // Of the first version: what came later is for files that are mapped or shared, which a WAL is not.
      .iVersion = 1,
      .xClose = gathered_close,
      .xRead = gathered_read,
      .xWrite = gathered_write,
      .xTruncate = gathered_truncate,
      .xSync = gathered_sync,
      .xFileSize = gathered_size,
      .xLock = gathered_lock,
      .xUnlock = gathered_unlock,
      .xCheckReservedLock = gathered_reserved,
      .xFileControl = gathered_control,
      .xSectorSize = gathered_sector,
      .xDeviceCharacteristics = gathered_device,
  };
  file->pMethods = &own->methods;
  // What is undone was never there: another process may write in its place from now on.
  sqlite3_rollback_hook(database, forget, own);
  return SQLITE_OK;
}
