import Calendars
import Clocks
import Contracts
import RPC

/// Answers what other services ask, out of memory; only a report goes to the database.
struct ScraperHandlers {
  let schedule: () throws -> Schedule
  let store: () throws -> ScraperStore
  let time: any TimeSource
  private let began: WallTime

  init(
    schedule: @escaping () throws -> Schedule, store: @escaping () throws -> ScraperStore, time: any TimeSource
  ) {
    self.schedule = schedule
    self.store = store
    self.time = time
    began = time.wall
  }

  func register(on router: RPCRouter) {
    router.on(CinemaDays.self) { (request: CinemaDays, _: borrowing CallContext) in try days(request) }
    router.on(DayProgrammes.self) { (request: DayProgrammes, _: borrowing CallContext) in try programmes(request) }
    router.on(FindShowtimes.self) { (request: FindShowtimes, _: borrowing CallContext) in try find(request) }
    router.on(ShowtimesByID.self) { (request: ShowtimesByID, _: borrowing CallContext) in try byID(request) }
    router.on(FilmsByID.self) { (request: FilmsByID, _: borrowing CallContext) in try films(request) }
    router.on(FilmsChanged.self) { (request: FilmsChanged, _: borrowing CallContext) in try changed(request) }
    router.on(FindFilms.self) { (request: FindFilms, _: CallContext) in try await search(request) }
    router.on(FilmsShowing.self) { (request: FilmsShowing, _: borrowing CallContext) in try showing(request) }
    router.on(Sources.self) { (request: Sources, _: borrowing CallContext) in try sources(request) }
    router.on(ScheduleEvents.self) { (request, _, writer) in try await events(request, writer) }
    router.on(ReportProblem.self) { (request: ReportProblem, context: CallContext) in try await report(request, context)
    }
  }

  // MARK: Days

  private func days(_ request: CinemaDays) throws -> [CinemaCalendar] {
    try RPCError.check(count: request.cinemas.count, of: "cinemas", atMost: CinemaDays.cinemasMax)
    try RPCError.check(request.days, "days", in: 1...CinemaDays.daysMax)
    let (schedule, now) = (try schedule(), time.wall)
    return request.cinemas.map { cinema in
      guard let known = schedule.index.cinemas[cinema] else { return CinemaCalendar(cinema: cinema, days: []) }
      let today = known.today(at: now)
      let from = request.from ?? today
      // After the last day there is none.
      let days = (0..<min(request.days, CivilDate.last - from + 1)).map { offset -> CalendarDay in
        let date = from + offset
        let day = known.days[date]
        return CalendarDay(
          date: date, status: day?.status ?? .notPublished, films: day?.filmCount ?? 0,
          showtimes: day?.scheduledCount ?? 0)
      }
      return CinemaCalendar(
        cinema: cinema, today: today, days: days, source: schedule.source(of: cinema, now: now))
    }
  }

  private func programmes(_ request: DayProgrammes) throws -> [DayProgramme] {
    try RPCError.check(count: request.cinemas.count, of: "cinemas", atMost: DayProgrammes.cinemasMax)
    let (schedule, now) = (try schedule(), time.wall)
    return request.cinemas.map { cinema in
      let known = schedule.index.cinemas[cinema]
      let date = request.date ?? known?.today(at: now) ?? ServiceDay.standard.date(of: now, in: .utc)
      let day = known?.days[date]
      let films = day.map { $0.programmes(schedule.index.films) } ?? []
      return DayProgramme(
        cinema: cinema, date: date, status: day?.status ?? .notPublished, films: films,
        nextOpen: films.isEmpty ? known?.nextOpen(after: date) : nil, revision: schedule.index.revision,
        source: schedule.source(of: cinema, now: now))
    }
  }

  // MARK: Showings

  private func find(_ request: FindShowtimes) throws -> ShowtimePage {
    try RPCError.check(count: request.cinemas?.count, of: "cinemas", atMost: FindShowtimes.cinemasMax)
    try RPCError.check(count: request.films?.count, of: "films", atMost: FindShowtimes.filmsMax)
    try RPCError.check(request.limit, in: 1...FindShowtimes.limitMax)
    let (schedule, now) = (try schedule(), time.wall)
    do throws(CursorError) {
      let found = try schedule.index.find(request, now: now)
      return page(found.showtimes, next: found.next, schedule, now)
    } catch {
      throw RPCError(.outOfRange, error.description)
    }
  }

  private func byID(_ request: ShowtimesByID) throws -> ShowtimePage {
    try RPCError.check(count: request.ids.count, of: "ids", atMost: ShowtimesByID.idsMax)
    let schedule = try schedule()
    return page(request.ids.compactMap(schedule.index.showtime), next: nil, schedule, time.wall)
  }

  private func page(_ showtimes: [Showtime], next: String?, _ schedule: Schedule, _ now: WallTime) -> ShowtimePage {
    var films: [Film] = []
    var budget = FilmBudget()
    var sources: [ScheduleSource] = []
    var (seenFilms, seenCinemas) = (Set<FilmID>(), Set<CinemaID>())
    for showtime in showtimes {
      if let film = showtime.film, seenFilms.insert(film).inserted, let known = schedule.index.films[film] {
        films.append(budget.take(known))
      }
      if seenCinemas.insert(showtime.cinema).inserted, let source = schedule.source(of: showtime.cinema, now: now) {
        sources.append(source)
      }
    }
    return ShowtimePage(
      showtimes: showtimes, films: films, sources: sources, next: next, revision: schedule.index.revision)
  }

  // MARK: Films

  private func films(_ request: FilmsByID) throws -> [FilmEntry] {
    try RPCError.check(count: request.ids.count, of: "ids", atMost: FilmsByID.idsMax)
    let films = try schedule().index.films
    var budget = FilmBudget()
    return request.ids.compactMap { id in films[id].map { FilmEntry(asked: id, film: budget.take($0)) } }
  }

  /// A mark is the time at which this process began and a step: steps are counted anew in another.
  private func changed(_ request: FilmsChanged) throws -> FilmChanges {
    try RPCError.check(request.limit, in: 1...FilmsChanged.limitMax)
    let films = try schedule().index.films
    let parts = (request.after ?? "").split(separator: "-").map { Int64($0) }
    var step = 0
    if parts.count == 2, parts[0] == began.milliseconds, let last = parts[1].flatMap({ Int(exactly: $0) }) {
      step = min(max(last, 0), films.step)
    }
    let found = films.changed(after: step, limit: request.limit)
    return FilmChanges(
      films: found.films, mark: "\(began.milliseconds)-\(found.step)",
      hasMore: found.step < films.step ? true : nil)
  }

  private func search(_ request: FindFilms) async throws -> [FilmHit] {
    try RPCError.check(request.limit, in: 1...FindFilms.limitMax)
    let schedule = try schedule()
    return await schedule.search.find(request.text, limit: request.limit) { Array(schedule.index.films.films.values) }
  }

  private func showing(_ request: FilmsShowing) throws -> [FilmShowing] {
    try RPCError.check(count: request.cinemas?.count, of: "cinemas", atMost: FilmsShowing.cinemasMax)
    try RPCError.check(count: request.films?.count, of: "films", atMost: FilmsShowing.filmsMax)
    try RPCError.check(request.limit, in: 1...FilmsShowing.askedMax)
    var budget = FilmBudget()
    return try schedule().index.filmsShowing(request, now: time.wall).map { showing in
      var told = showing
      told.film = budget.take(showing.film)
      return told
    }
  }

  // MARK: Sources

  private func sources(_ request: Sources) throws -> [ScheduleSource] {
    try RPCError.check(count: request.cinemas?.count, of: "cinemas", atMost: Sources.cinemasMax)
    return try schedule().sources(of: request.cinemas, now: time.wall)
  }

  private func events(_ request: ScheduleEvents, _ writer: StreamWriter<ScheduleEvent>) async throws {
    try RPCError.check(count: request.cinemas?.count, of: "cinemas", atMost: ScheduleEvents.cinemasMax)
    let log = try schedule().log
    let wanted = request.cinemas.map(Set.init)
    var seen = request.since ?? log.revision
    if try await log.events(after: seen) != nil {
      try await writer.send(ScheduleEvent(revision: seen))
    } else {
      seen = log.revision
      try await writer.send(ScheduleEvent(revision: seen, isReset: true))
    }
    while !writer.isShuttingDown, !log.isEnding, !Task.isCancelled {
      guard let events = try await log.events(after: seen) else {
        // It read so slowly that the log went on without it.
        seen = log.revision
        try await writer.send(ScheduleEvent(revision: seen, isReset: true))
        continue
      }
      for event in events {
        if event.concerns(wanted) { try await writer.send(event) }
        seen = event.revision
      }
      await log.wait(after: seen)
    }
    if log.isEnding {
      throw RPCError(.unavailable, "the scraper is ending; go on from revision \(seen) elsewhere or later")
    }
  }

  // MARK: Reports

  private func report(_ request: ReportProblem, _ context: CallContext) async throws -> ProblemReceipt {
    guard let key = context.key else {
      throw RPCError(.invalidArgument, "a report needs an idempotency key", executed: .no)
    }
    // As the gateway and JSON Schema count.
    if let characters = request.comment?.unicodeScalars.count, characters > ReportProblem.commentCharactersMax {
      throw RPCError(
        .invalidArgument,
        "the comment has \(characters) characters; write at most \(ReportProblem.commentCharactersMax)")
    }
    if case .unknown(let kind) = request.kind {
      throw RPCError(.invalidArgument, "“\(kind)” is no kind of report; update the older side")
    }
    return try await store().keep(request, key: key.description, at: time.wall)
  }
}

extension ScheduleEvent {
  fileprivate func concerns(_ cinemas: Set<CinemaID>?) -> Bool {
    guard let cinemas, let cinema = change?.cinema ?? source?.cinema else { return true }
    return cinemas.contains(cinema)
  }
}
