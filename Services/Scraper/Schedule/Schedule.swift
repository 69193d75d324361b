package import Calendars
package import Clocks
package import Contracts

/// The schedule as this process serves it: the index, its log, the sites behind it. Everything here is in memory.
package final class Schedule {
  package enum Limits {
    /// Days before today that are still served: a late show, a bookmark that is looked at the day after.
    static let pastDays = 3
  }

  package private(set) var index: ScheduleIndex
  package let log: ScheduleLog
  private let zones: ZoneDirectory
  package let search = FilmSearch()
  private(set) var records: [String: ScraperStore.SiteRecord] = [:]
  /// The one site whose programme a cinema's is.
  private var sites: [CinemaID: String] = [:]

  package init(_ stored: StoredSchedule, log: ScheduleLog, zones: ZoneDirectory) {
    self.log = log
    self.zones = zones
    index = ScheduleIndex(films: FilmIndex(stored.films, aliases: stored.aliases))
    index.advance(to: stored.revision)
  }

  /// The sites that are served, in their order. Showings of others are not.
  package func serve(_ new: [ScraperStore.SiteRecord], zone: (Site) -> TimeZoneRules?) {
    let (before, known) = (sites, records)
    var rules: [CinemaID: TimeZoneRules] = [:]
    records = [:]
    sites = [:]
    for var record in new {
      guard let zone = zone(record.site) else { continue }
      // A visit may have ended since the rows were read.
      if let status = known[record.site.id]?.status, let tried = status.triedAt,
        record.status.triedAt.map({ $0 < tried }) ?? true
      {
        record.status = status
      }
      records[record.site.id] = record
      if let rival = sites[record.site.cinema].flatMap({ records[$0] }), rival.site.isEnabled { continue }
      sites[record.site.cinema] = record.site.id
      rules[record.site.cinema] = zone
    }
    // The days of a cinema that another site took over are no longer its own.
    for cinema in index.cinemas.keys where sites[cinema] == nil || sites[cinema] != before[cinema] {
      index.close(cinema)
    }
    for (cinema, zone) in rules { index.open(cinema, zone: zone) }
  }

  /// The sources as their sites' rows say, in their order.
  package var served: [ScheduleSource] {
    records.values.sorted { ($0.position, $0.site.id) < ($1.position, $1.site.id) }.map {
      ScheduleSource($0.site, $0.status, showtimes: nil)
    }
  }

  /// What the database has: at the start, or when other sites are served. What was published since it was read stays.
  package func load(_ stored: StoredSchedule) {
    var showtimes = stored.showtimes.mapValues { Dictionary(grouping: $0, by: \.serviceDate) }
    for day in stored.days {
      guard let record = records[day.site], sites[record.site.cinema] == day.site else { continue }
      let those = showtimes[day.site]?.removeValue(forKey: day.date) ?? []
      if let known = index.cinemas[record.site.cinema]?.days[day.date], known.asOf > day.asOf { continue }
      index.publish(
        PublishedDay(
          site: day.site, cinema: record.site.cinema, date: day.date, status: day.status, revision: day.revision,
          asOf: day.asOf, showtimes: those.sorted(by: Showtime.precedes)))
    }
  }

  /// Swaps in what was published, then tells those who watch.
  package func apply(_ outcome: Publication.Outcome, of site: String, now: WallTime) {
    index.learn(outcome.films, merged: outcome.merged, now: now)
    if !outcome.films.isEmpty || !outcome.merged.isEmpty { search.filmsChanged() }
    for day in outcome.days where sites[day.cinema] == day.site { index.publish(day) }
    note(outcome.status, of: site)
    if let today = earliestToday(now) { index.forget(before: today - Limits.pastDays) }
    tell(outcome.events)
  }

  /// Swaps in what an operator taught.
  package func apply(_ lesson: ScraperStore.Lesson, now: WallTime) {
    index.learn(lesson.touched + [lesson.film], merged: lesson.merged, now: now)
    search.filmsChanged()
    for (site, showtime) in lesson.showtimes where sites[showtime.cinema] == site { index.replace(showtime) }
    tell(lesson.events)
  }

  /// Another enabled site of the same cinema.
  package func rival(of site: Site) -> String? {
    records.values.first { $0.site.cinema == site.cinema && $0.site.id != site.id && $0.site.isEnabled }?.site.id
  }

  package func note(_ status: SiteStatus, of site: String) {
    let dueAt = records[site]?.status.dueAt
    records[site]?.status = status
    if let dueAt { records[site]?.status.dueAt = dueAt }
  }

  package func setDue(_ dueAt: WallTime, of site: String) { records[site]?.status.dueAt = dueAt }

  package func tell(_ events: [ScheduleEvent]) {
    for event in events { index.advance(to: event.revision) }
    log.append(events)
  }

  private func earliestToday(_ now: WallTime) -> CivilDate? { index.cinemas.values.map { $0.today(at: now) }.min() }

  // MARK: Reading

  package func source(of cinema: CinemaID, now: WallTime) -> ScheduleSource? {
    sites[cinema].flatMap { source(of: $0, now: now) }
  }

  /// A source as it is told to readers: one that should have been read long ago is stale, whatever its last visit said.
  package func source(of site: String, now: WallTime) -> ScheduleSource? {
    guard let record = records[site] else { return nil }
    var source = ScheduleSource(
      record.site, record.status, showtimes: index.cinemas[record.site.cinema]?.upcoming(at: now) ?? 0)
    if source.state == .ok, let asOf = source.asOf, now.since(asOf) > record.site.rhythm.staleAfter {
      source.state = .stale
      source.problem = source.problem ?? "it was due long ago and has not been read"
    }
    return source
  }

  package func sources(of cinemas: [CinemaID]?, now: WallTime) -> [ScheduleSource] {
    let wanted = cinemas.map { $0.compactMap { sites[$0] } } ?? records.keys.sorted()
    return wanted.compactMap { source(of: $0, now: now) }
  }

  package func rules(of name: ZoneName) throws(ZoneError) -> TimeZoneRules { try zones.rules(for: name) }
}

nonisolated extension VisitRhythm {
  /// Two visits were missed, and the night is no excuse.
  package var staleAfter: Duration { every * 2 + .seconds((24 - wakingHours.count) * 3_600) }
}
