package import Storage

/// The tables, in the order in which they came to be. The list only grows.
nonisolated package enum ScraperMigrations {
  package static let all: [Migration] = [
    Migration(
      "sites and their visits",
      """
      CREATE TABLE site (
        id TEXT NOT NULL PRIMARY KEY,
        origin TEXT NOT NULL,             -- shipped, file, operator, demo
        document TEXT NOT NULL,           -- the site file, as JSON
        enabled INTEGER NOT NULL,
        position INTEGER NOT NULL         -- nearer ones first
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE site_status (
        site TEXT NOT NULL PRIMARY KEY REFERENCES site ON DELETE CASCADE,
        state TEXT NOT NULL,
        problem TEXT,
        as_of INTEGER, tried_at INTEGER, whole_at INTEGER,
        due_at INTEGER NOT NULL,
        failures INTEGER NOT NULL DEFAULT 0,
        approved INTEGER NOT NULL DEFAULT 0,
        quarantined INTEGER NOT NULL DEFAULT 0,
        holder TEXT,                      -- who visits it now
        lease_until INTEGER NOT NULL DEFAULT 0,
        fence INTEGER NOT NULL DEFAULT 0  -- grows with every lease
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX site_status_due ON site_status (due_at);
      CREATE TABLE visit (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        site TEXT NOT NULL REFERENCES site ON DELETE CASCADE,
        scope TEXT NOT NULL,
        began INTEGER NOT NULL, ended INTEGER NOT NULL,
        outcome TEXT NOT NULL,            -- published, same, partial, broken, failed, quarantined
        problem TEXT,
        showtimes INTEGER NOT NULL,
        added INTEGER NOT NULL, removed INTEGER NOT NULL, changed INTEGER NOT NULL,
        layout TEXT                       -- of its first page
      ) STRICT;
      CREATE INDEX visit_site ON visit (site, id);
      CREATE TABLE visit_page (
        visit INTEGER NOT NULL REFERENCES visit ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        role TEXT NOT NULL, url TEXT NOT NULL, content_type TEXT,
        fetched_at INTEGER NOT NULL,
        outcome TEXT NOT NULL,            -- new, same, 304, kept, error
        problem TEXT,
        snapshot BLOB,
        PRIMARY KEY (visit, ordinal)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX visit_page_snapshot ON visit_page (snapshot);
      CREATE TABLE snapshot (
        hash BLOB NOT NULL PRIMARY KEY,   -- SHA-256 of the page
        bytes INTEGER NOT NULL,
        body BLOB NOT NULL,               -- zlib
        created_at INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE page (
        url TEXT NOT NULL PRIMARY KEY,
        etag TEXT, last_modified TEXT, content_type TEXT, final_url TEXT NOT NULL,
        fetched_at INTEGER NOT NULL,
        snapshot BLOB NOT NULL
      ) STRICT, WITHOUT ROWID;
      """),
    Migration(
      "the schedule and its changes",
      """
      CREATE TABLE day (
        site TEXT NOT NULL REFERENCES site ON DELETE CASCADE,
        date TEXT NOT NULL,
        status TEXT NOT NULL,
        revision INTEGER NOT NULL,
        as_of INTEGER NOT NULL,
        vanished_at INTEGER,              -- when all its showings were first missing
        PRIMARY KEY (site, date)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE showtime (
        site TEXT NOT NULL REFERENCES site ON DELETE CASCADE,
        id TEXT NOT NULL,
        date TEXT NOT NULL,
        starts_at INTEGER NOT NULL,
        film TEXT,
        title TEXT NOT NULL,
        state TEXT NOT NULL,
        vanished_at INTEGER,
        body BLOB NOT NULL,               -- the contract's Showtime
        PRIMARY KEY (site, id)
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX showtime_date ON showtime (site, date);
      CREATE INDEX showtime_film ON showtime (film);
      CREATE TABLE change (
        revision INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        body BLOB NOT NULL                -- the contract's ScheduleEvent
      ) STRICT;
      CREATE TABLE film (
        id TEXT NOT NULL PRIMARY KEY,
        title TEXT NOT NULL,
        first_seen INTEGER NOT NULL,
        details_at INTEGER,               -- when its own page was read
        body BLOB NOT NULL                -- the contract's Film
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE film_key (
        key TEXT NOT NULL PRIMARY KEY,    -- dtryx:012345, title:…, title:…|2023, taught:…
        film TEXT NOT NULL REFERENCES film
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX film_key_film ON film_key (film);
      CREATE TABLE film_alias (
        id TEXT NOT NULL PRIMARY KEY,     -- of a film that was found to be another
        film TEXT NOT NULL REFERENCES film
      ) STRICT, WITHOUT ROWID;
      """),
    Migration(
      "hosts and reports",
      """
      CREATE TABLE robots (
        origin TEXT NOT NULL PRIMARY KEY,
        status INTEGER NOT NULL, body BLOB NOT NULL,
        read_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE host (
        host TEXT NOT NULL PRIMARY KEY,
        paused_until INTEGER NOT NULL,
        throttles INTEGER NOT NULL,
        by_operator INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE report (
        id TEXT NOT NULL PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,         -- of the request that made it
        at INTEGER NOT NULL,
        kind TEXT NOT NULL,
        cinema TEXT, showtime TEXT, film TEXT, comment TEXT, user TEXT,
        done_at INTEGER
      ) STRICT, WITHOUT ROWID;
      """),
    Migration(
      "pauses by whoever asks, reports without their writers, sites behind files",
      """
      CREATE TABLE pause (
        host TEXT NOT NULL,
        by_operator INTEGER NOT NULL,     -- else the host itself asks for it
        paused_until INTEGER NOT NULL,
        throttles INTEGER NOT NULL,
        PRIMARY KEY (host, by_operator)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO pause (host, by_operator, paused_until, throttles)
        SELECT host, by_operator, paused_until, throttles FROM host;
      DROP TABLE host;
      UPDATE report SET user = NULL;
      ALTER TABLE report DROP COLUMN user;
      ALTER TABLE visit DROP COLUMN layout;
      CREATE TABLE site_behind (
        site TEXT NOT NULL PRIMARY KEY REFERENCES site ON DELETE CASCADE,
        origin TEXT NOT NULL,             -- of the site in whose place a file stands, and what it was
        document TEXT NOT NULL,
        enabled INTEGER NOT NULL,
        position INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      """),
    Migration(
      "how long a robots.txt is good for",
      "ALTER TABLE robots ADD COLUMN fresh_seconds INTEGER;  -- as its site says"),
  ]
}
