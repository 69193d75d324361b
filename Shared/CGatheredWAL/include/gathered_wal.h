#pragma once

struct sqlite3;

/// Lets the pages of a transaction reach the WAL in few large writes: for the one connection that writes, once it is in WAL
/// mode. SQLITE_NOTFOUND if its WAL is not open, SQLITE_NOMEM, or SQLITE_OK; until then everything is as SQLite does it.
int gathered_wal_begin(struct sqlite3 *database);
