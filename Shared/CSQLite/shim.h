#pragma once
#include <sqlite3.h>
#include <stddef.h>
#include <sys/prctl.h>

// What Swift cannot call by itself: a destructor that is a cast macro, and variadic functions.
// An empty Swift buffer may have no address, and to SQLite a value without one is NULL.

static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, size_t count) {
  return sqlite3_bind_text64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, size_t count) {
  return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Sets one boolean option of sqlite3_db_config().
static inline int csqlite_configure(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

/// Bytes of the file behind SQLITE_FCNTL_FILE_POINTER or SQLITE_FCNTL_JOURNAL_POINTER (the WAL); 0 if it is not open.
/// Asked of the VFS, so that it also holds where the file is not in the file system.
static inline sqlite3_int64 csqlite_file_bytes(sqlite3 *database, int which) {
  sqlite3_file *file = 0;
  sqlite3_int64 bytes = 0;
  if (sqlite3_file_control(database, "main", which, &file) != SQLITE_OK) return 0;
  if (file == 0 || file->pMethods == 0) return 0;
  return file->pMethods->xFileSize(file, &bytes) == SQLITE_OK ? bytes : 0;
}

/// No totals of allocated memory, from now on: to be called before anything else. SQLite keeps them behind one lock of the
/// whole process, which it takes for each allocation.
static inline int csqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// The name of the calling thread in top(1) and gdb(1), of which 15 characters are kept.
static inline void csqlite_name_thread(const char *name) { prctl(PR_SET_NAME, name); }
