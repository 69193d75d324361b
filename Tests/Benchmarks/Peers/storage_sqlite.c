// SQLite with one transaction for each write, as durable as ours: WAL, synchronous=FULL. One thread and one prepared
// statement, which is the best case of that way of writing: callers that share it can only wait for each other.
//
//   storage_sqlite run --path FILE [--seconds S] [--warmup W]

#include <sqlite3.h>

#include "bench.h"

static sqlite3 *database;

static void must(int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(database));
  exit(1);
}

static void step(sqlite3_stmt *statement) {
  must(sqlite3_step(statement));
  must(sqlite3_reset(statement));
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement = NULL;
  must(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
  return statement;
}

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "version")) return printf("SQLite %s\n", sqlite3_libversion()), 0;
  if (argc < 4 || strcmp(argv[1], "run") || strcmp(argv[2], "--path")) return 2;
  struct bench_options options = bench_parse(argc - 2, argv + 2);
  must(sqlite3_open(argv[3], &database));
  must(sqlite3_exec(database,
                    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=1000;"
                    "CREATE TABLE bookmark (user INTEGER NOT NULL, item TEXT NOT NULL, at INTEGER NOT NULL,"
                    " PRIMARY KEY (user, item)) STRICT, WITHOUT ROWID",
                    NULL, NULL, NULL));
  sqlite3_stmt *begin = prepare("BEGIN IMMEDIATE"), *commit = prepare("COMMIT");
  sqlite3_stmt *insert = prepare("INSERT INTO bookmark (user, item, at) VALUES (?, ?, ?)");
  struct bench_window window = bench_window_from(&options);
  for (uint64_t sent = bench_now();;) {
    char item[32];
    int length = snprintf(item, sizeof item, "film_%012llu", (unsigned long long)window.total);
    must(sqlite3_bind_int64(insert, 1, (sqlite3_int64)(window.total % 1000)));
    must(sqlite3_bind_text(insert, 2, item, length, SQLITE_STATIC));
    must(sqlite3_bind_int64(insert, 3, (sqlite3_int64)(1700000000000 + window.total)));
    step(begin);
    step(insert);
    step(commit);
    window.total++;
    uint64_t now = bench_now();
    if (bench_sample(&window, sent, now)) break;
    sent = now;
  }
  bench_print(&window, 0);
  return 0;
}
