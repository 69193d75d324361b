import Calendars
import Clocks
import Contracts
import ServiceStorage
import Storage

/// Does a ``Publication`` inside a transaction.
nonisolated struct Publisher {
  private let db: DatabaseConnection
  private var publication: Publication
  private let now: WallTime
  private var films: FilmResolver

  init(_ publication: Publication, _ db: DatabaseConnection) {
    self.publication = publication
    self.db = db
    now = publication.visit.at
    films = FilmResolver(db, now: publication.visit.at, isDemo: publication.visit.site.isDemo)
  }

  private var site: Site { publication.visit.site }

  mutating func run() throws -> Publication.Outcome {
    guard var status = try db.status(of: site.id) else { throw LeaseLost(site: site.id) }
    var outcome = Publication.Outcome(verdict: .same, status: status)
    for details in publication.reading.films { try films.learn(details) }
    let old = try published()
    if publication.reading.isWhole {
      for (date, showtimes) in old.showtimes where date >= publication.visit.today {
        guard publication.reading.days[date] == nil, !showtimes.isEmpty else { continue }
        publication.reading.days[date] = DayListing(.notPublished)
      }
    }
    let fresh = try freshDays()
    outcome.showtimes = fresh.values.reduce(0) { $0 + $1.count }
    guard !status.isQuarantined else {
      return try refuse(&outcome, .quarantined, status.problem ?? "an operator holds it back")
    }
    switch try judge(fresh, old, status) {
    case .refused(let problem): return try refuse(&outcome, .broken, problem)
    case .believed(let held, let doubts):
      try publish(fresh, old, held, &outcome)
      outcome.problem = doubts.isEmpty ? publication.shortfall : doubts.joined(separator: "; ")
      if outcome.problem != nil { outcome.verdict = .partial }
      if outcome.showtimes == 0 { outcome.problem = outcome.problem ?? publication.reading.remark }
    }
    outcome.films = Array(films.touched.values)
    outcome.merged = films.merged
    try retell(&outcome)
    status.asOf = now
    if publication.visit.scope == .window { status.wholeAt = now }
    status.isApproved = false
    if !remainsStale(status) { status.failures = 0 }
    try settle(&outcome, status, .ok)
    return outcome
  }

  /// Pages that were read again do not bring back a site that cannot be reached.
  private func remainsStale(_ status: SiteStatus) -> Bool {
    publication.reason == .corrected && status.state == .stale
  }

  // MARK: May it be published

  private func judge(_ fresh: [CivilDate: [Showtime]], _ old: Old, _ status: SiteStatus) throws -> Judgement {
    var before: [CivilDate: Judgement.Before] = [:]
    for date in publication.reading.days.keys {
      let upcoming = (old.showtimes[date] ?? []).count { $0.state == .scheduled && $0.startsAt > now }
      before[date] = Judgement.Before(upcoming: upcoming, vanishedAt: old.days[date]?.vanishedAt)
    }
    let matched = fresh.values.reduce(0) { $0 + $1.count { $0.film != nil } }
    return Judgement(
      publication.reading, matched: matched, before: before, usual: try usual(),
      habits: Habits(old.showtimes, today: publication.visit.today), visit: publication.visit,
      isApproved: status.isApproved)
  }

  /// The median of showings on the days of the last two weeks.
  private func usual() throws -> Int? {
    let today = publication.visit.today
    let counts = try db.rows(
      """
      SELECT count(*) FROM showtime WHERE site = ? AND date >= ? AND date < ? AND state = 'scheduled'
      GROUP BY date ORDER BY count(*)
      """, [site.id, today - 14, today]
    ) { row in try row.read(0, as: Int.self) }
    return counts.isEmpty ? nil : counts[counts.count / 2]
  }

  private func refuse(
    _ outcome: inout Publication.Outcome, _ verdict: Publication.Verdict, _ problem: String
  ) throws -> Publication.Outcome {
    outcome.verdict = verdict
    outcome.problem = problem
    var status = outcome.status
    if publication.reason == .read { status.failures += 1 }
    // Films that were learnt on the way are true all the same.
    outcome.films = Array(films.touched.values)
    outcome.merged = films.merged
    try retell(&outcome)
    try settle(&outcome, status, verdict == .broken ? .broken : .quarantined)
    return outcome
  }

  // MARK: What there is

  private struct Old {
    var days: [CivilDate: (status: DayStatus, revision: Int64, vanishedAt: WallTime?)] = [:]
    var showtimes: [CivilDate: [Showtime]] = [:]
    var vanishedAt: [ShowtimeID: WallTime] = [:]
  }

  private func published() throws -> Old {
    var old = Old()
    try db.forEach("SELECT date, status, revision, vanished_at FROM day WHERE site = ?", [site.id]) { row in
      old.days[try row.read(0)] = (
        try row.read(1, as: String.self).asDayStatus, try row.read(2), try row.read(3)
      )
    }
    try db.forEach("SELECT body, vanished_at FROM showtime WHERE site = ?", [site.id]) { row in
      let showtime = try WireColumn.value(row.read(0), as: Showtime.self)
      if let vanished = try row.read(1, as: WallTime?.self) {
        if showtime.state == .cancelled, now.since(vanished) >= Publication.cancelledKept { return }
        old.vanishedAt[showtime.id] = vanished
      }
      old.showtimes[showtime.serviceDate, default: []].append(showtime)
    }
    return old
  }

  private mutating func freshDays() throws -> [CivilDate: [Showtime]] {
    var days: [CivilDate: [Showtime]] = [:]
    var taken: Set<ShowtimeID> = []
    for (date, day) in publication.reading.days.sorted(by: { $0.key < $1.key }) {
      var showtimes: [Showtime] = []
      for listing in day.listings {
        let film = try films.film(of: listing)
        let showtime = Showtime(listing, film: film, at: site.cinema, now: now, taken: &taken)
        showtimes.append(showtime)
      }
      days[date] = showtimes.sorted(by: Showtime.precedes)
    }
    return days
  }

  // MARK: Publishing

  private func publish(
    _ fresh: [CivilDate: [Showtime]], _ old: Old, _ held: Set<CivilDate>, _ outcome: inout Publication.Outcome
  ) throws {
    let oldDates = Dictionary(
      old.showtimes.flatMap { date, showtimes in showtimes.map { ($0.id, date) } }, uniquingKeysWith: { $1 })
    let oldShowtimes = Dictionary(
      old.showtimes.values.joined().map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    var newDates: [ShowtimeID: CivilDate] = [:]
    for (date, showtimes) in fresh { for showtime in showtimes { newDates[showtime.id] = date } }
    // Listed are films of which there was no showing at all: once, not with each day that they are on.
    var known = Set(oldShowtimes.values.compactMap(\.film).map { films.merged[$0] ?? $0 })
    for (date, showtimes) in fresh.sorted(by: { $0.key < $1.key }) {
      if held.contains(date) {
        try hold(date, old)
        continue
      }
      let here = old.showtimes[date] ?? []
      let arrivals = showtimes.compactMap { showtime in
        oldDates[showtime.id].flatMap { $0 == date ? nil : oldShowtimes[showtime.id] }
      }
      let departures = Set(here.map(\.id).filter { id in newDates[id].map { $0 != date } ?? false })
      var diff = ScheduleDiff(
        old: here + arrivals, new: showtimes, movedAway: departures, now: now, reason: publication.reason)
      let status = publication.reading.days[date]?.status ?? .notPublished
      let isNews = !diff.isEmpty || old.days[date]?.status != status
      var revision = old.days[date]?.revision ?? 0
      if isNews {
        let listed = Set(showtimes.compactMap(\.film)).subtracting(known).sorted()
        known.formUnion(listed)
        let change = ScheduleChange(
          cinema: site.cinema, date: date, added: diff.added, removed: diff.removed, changed: diff.changed,
          listed: listed, asOf: now)
        revision = try db.record(ScheduleEvent(revision: 0, change: change), at: now)
        outcome.events.append(ScheduleEvent(revision: revision, change: change))
        outcome.verdict = .published
      }
      diff.stamp(revision)
      outcome.added += diff.added.count
      outcome.removed += diff.removed.count
      outcome.changed += diff.changed.count { $0.kind != .cancelled }
      if isNews || diff.isTouched { try write(diff, date, here, old) }
      try db.execute(
        """
        INSERT INTO day (site, date, status, revision, as_of) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT DO UPDATE SET status = ?3, revision = ?4, as_of = ?5, vanished_at = NULL
        """, [site.id, date, status.rawValue, revision, now])
      outcome.days.append(
        PublishedDay(
          site: site.id, cinema: site.cinema, date: date, status: status, revision: revision, asOf: now,
          showtimes: diff.showtimes))
    }
  }

  /// All showings of the day are gone, for the first time: it stays as it was. Pages that are read again are no second look.
  private func hold(_ date: CivilDate, _ old: Old) throws {
    guard publication.reason == .read, old.days[date]?.vanishedAt == nil else { return }
    try db.execute("UPDATE day SET vanished_at = ? WHERE site = ? AND date = ?", [now, site.id, date])
  }

  private func write(_ diff: ScheduleDiff, _ date: CivilDate, _ here: [Showtime], _ old: Old) throws {
    let kept = Set(diff.showtimes.map(\.id))
    for gone in here where !kept.contains(gone.id) {
      // One that moved to another day is written there, under the same id.
      try db.execute("DELETE FROM showtime WHERE site = ? AND id = ? AND date = ?", [site.id, gone.id, date])
    }
    for showtime in diff.showtimes {
      let vanishedAt = showtime.state == .cancelled ? old.vanishedAt[showtime.id] ?? now : nil
      try db.write(showtime, site: site.id, vanishedAt: vanishedAt)
    }
  }

  /// Days that were not read anew and show a film that is now another.
  private func retell(_ outcome: inout Publication.Outcome) throws {
    for (lost, kept) in films.merged {
      let rows = try db.rows("SELECT site, vanished_at, body FROM showtime WHERE film = ?", [lost]) { row in
        (
          site: try row.read(0, as: String.self), vanishedAt: try row.read(1, as: WallTime?.self),
          showtime: try WireColumn.value(row.read(2), as: Showtime.self)
        )
      }
      for var row in rows {
        row.showtime.film = kept
        try db.write(row.showtime, site: row.site, vanishedAt: row.vanishedAt)
      }
    }
  }

  private func settle(_ outcome: inout Publication.Outcome, _ new: SiteStatus, _ state: SourceState) throws {
    var status = new
    let before = outcome.status
    switch publication.reason {
    case .read: (status.triedAt, status.state, status.problem) = (now, state, outcome.problem)
    case .corrected:
      // The site itself was not asked: what a visit found wrong with it is still so, unless its pages now read well.
      if state == .ok, !remainsStale(before) { (status.state, status.problem) = (.ok, outcome.problem) }
    }
    outcome.status = status
    try db.save(status, of: site.id)
    if let event = try db.tell(site, status, since: before, at: now) { outcome.events.append(event) }
  }
}

nonisolated extension ScheduleDiff {
  /// What was added or changed is of this revision.
  fileprivate mutating func stamp(_ revision: Int64) {
    let fresh = Set(added).union(changed.map(\.id))
    restamp { fresh.contains($0.id) ? revision : $0.revision }
  }
}

nonisolated extension Showtime {
  /// A listing with an identity. `taken` keeps what the source prints twice apart.
  fileprivate init(
    _ listing: Listing, film: FilmID?, at cinema: CinemaID, now: WallTime, taken: inout Set<ShowtimeID>
  ) {
    var id = listing.bookingID.map { Identity.showtime(cinema: cinema, bookingID: $0) }
    var ordinal = 0
    while id.map({ taken.contains($0) }) ?? true {
      id = Identity.showtime(
        cinema: cinema, screen: listing.screen, film: PrintedName.folded(listing.filmTitle ?? listing.title),
        startsAt: listing.startsAt, ordinal: ordinal)
      ordinal += 1
    }
    taken.insert(id!)
    self.init(
      id: id!, cinema: cinema, film: film, title: listing.title, startsAt: listing.startsAt,
      serviceDate: listing.serviceTime.date, displayTime: listing.serviceTime.time, endsAt: listing.endsAt,
      screen: listing.screen, seats: listing.seats, attributes: listing.attributes, bookingURL: listing.bookingURL,
      state: .scheduled, isInferred: listing.isInferred ? true : nil, firstSeen: now, lastSeen: now, revision: 0)
  }
}
