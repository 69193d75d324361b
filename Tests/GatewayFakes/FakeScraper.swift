package import Calendars
package import Clocks
package import Contracts
package import RPC

/// The programme of the invented cinemas: three films a day for two weeks, closed on every seventh day, with a late show.
@MainActor
package final class FakeScraper {
  package let manners = FakeManners()
  package let router = RPCRouter(service: "scraper")
  /// By cinema and date.
  package var days: [CinemaID: [CivilDate: [Showtime]]] = [:]
  package var films: [Film]
  /// Whether its sources say that all of it is invented.
  package var isDemo = true
  package private(set) var revision: Int64 = 100
  /// Ids that films had before they were found to be others, and theirs now.
  package var formerFilms: [FilmID: FilmID] = [:]
  package private(set) var reports: [ReportProblem] = []
  /// What happened, oldest first.
  package private(set) var log: [ScheduleEvent] = []
  /// The oldest revision that the log still reaches back to.
  package var logBegins: Int64 = 100
  package let today: CivilDate
  /// When films were first seen.
  package var since: [FilmID: WallTime] = [:]
  private let cinemas: [CinemaID]
  private let time: any TimeSource
  private var watchers: [CheckedContinuation<Void, Never>] = []

  package var client: any RPCClient<ScraperAPI> { InProcessClient(of: ScraperAPI.self, router, time: time) }

  static let zone = TimeZoneRules.fixed(UTCOffset("+09:00")!)

  package init(cinemas: [CinemaID], time: any TimeSource) {
    self.cinemas = cinemas
    self.time = time
    films = Self.inventedFilms
    today = ServiceDay.standard.date(of: time.wall, in: Self.zone)
    for (place, cinema) in cinemas.enumerated() {
      for offset in 0..<14 where offset % 7 != 6 {
        let date = today + offset
        days[cinema, default: [:]][date] = Self.showtimes(cinema, place, date, films, time.wall)
      }
    }
    register()
  }

  private static func showtimes(
    _ cinema: CinemaID, _ place: Int, _ date: CivilDate, _ films: [Film], _ now: WallTime
  ) -> [Showtime] {
    let hours = ["10:30", "14:00", "19:30", "22:10", "24:30"]
    return hours.enumerated().compactMap { index, text in
      guard let shown = DisplayTime(text), let id = ShowtimeID("show_\(cinema)_\(date)_\(index)") else { return nil }
      let film = films[(index + place) % films.count]
      let start = zone.instant(of: ServiceTime(date, shown))
      return Showtime(
        id: id, cinema: cinema, film: index == 4 ? nil : film.id, title: index == 4 ? "심야 단편 모음" : film.title,
        startsAt: start, serviceDate: date, displayTime: shown,
        endsAt: film.runtimeMinutes.map { WallTime(milliseconds: start.milliseconds + Int64($0) * 60_000) },
        screen: index % 2 == 0 ? "1관" : "2관", seats: Seats(state: index == 2 ? .soldOut : .available, left: nil),
        attributes: index == 2 ? ["gv"] : [], bookingURL: "https://tickets.example/\(id)", state: .scheduled,
        firstSeen: now, lastSeen: now, revision: 100)
    }
  }

  // MARK: What changes

  /// Publishes a change of one cinema's day.
  package func publish(_ change: ScheduleChange) {
    revision += 1
    log.append(ScheduleEvent(revision: revision, change: change))
    wake()
  }

  /// Publishes that a source is in another state.
  package func publish(_ source: ScheduleSource) {
    revision += 1
    log.append(ScheduleEvent(revision: revision, source: source))
    wake()
  }

  private func wake() {
    let woken = watchers
    watchers = []
    for watcher in woken { watcher.resume() }
  }

  package func source(of cinema: CinemaID, state: SourceState = .ok) -> ScheduleSource {
    ScheduleSource(
      id: "\(cinema)", cinema: cinema, name: "fake", url: "https://\(cinema).example/programme", state: state,
      asOf: time.wall, showtimes: 60, isDemo: isDemo)
  }

  /// Shows so many more films, each once: at the first cinema, three days from now, when its first film begins.
  package func show(_ count: Int) {
    guard let cinema = cinemas.first, let model = days[cinema]?[today + 3]?.first else { return }
    for number in films.count..<films.count + count {
      guard let film = FilmID("film_more_\(number)"), let id = ShowtimeID("show_more_\(number)") else { return }
      var show = model
      (show.id, show.film) = (id, film)
      films.append(Film(id: film, title: "More \(number)"))
      days[cinema]?[today + 3]?.append(show)
    }
  }

  // MARK: What is answered

  private var all: [Showtime] {
    cinemas.flatMap { cinema in (days[cinema] ?? [:]).sorted { $0.key < $1.key }.flatMap(\.value) }
      .sorted { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }
  }

  private func film(_ id: FilmID?) -> Film? { films.first { $0.id == id } }

  private func current(_ id: FilmID) -> FilmID { formerFilms[id] ?? id }

  private func page(_ showtimes: [Showtime], next: String? = nil) -> ShowtimePage {
    let named = Set(showtimes.compactMap(\.film))
    return ShowtimePage(
      showtimes: showtimes, films: films.filter { named.contains($0.id) },
      sources: Set(showtimes.map(\.cinema)).sorted().map { source(of: $0) }, next: next, revision: revision)
  }

  /// The handlers keep it alive: a stream may outlast the test that began it.
  private func register() {
    router.on(CinemaDays.self, manners) { [self] request in
      request.cinemas.map { cinema in
        let first = request.from ?? today
        let known = days[cinema] ?? [:]
        let list = (0..<request.days).map { offset -> CalendarDay in
          let date = first + offset
          let showtimes = known[date] ?? []
          let isPublished = date >= today && date < today + 14
          return CalendarDay(
            date: date, status: showtimes.isEmpty ? (isPublished ? .closed : .notPublished) : .open,
            films: Set(showtimes.compactMap(\.film)).count, showtimes: showtimes.count)
        }
        return CinemaCalendar(
          cinema: cinema, today: today, days: known.isEmpty ? [] : list,
          source: known.isEmpty ? nil : source(of: cinema))
      }
    }
    router.on(DayProgrammes.self, manners) { [self] request in
      request.cinemas.map { cinema in
        let date = request.date ?? today
        let showtimes = days[cinema]?[date] ?? []
        let groups = Dictionary(grouping: showtimes) { $0.film }
        let next = days[cinema]?.keys.filter { $0 > date }.min()
        return DayProgramme(
          cinema: cinema, date: date, status: showtimes.isEmpty ? .closed : .open,
          films: groups.map { FilmProgramme(film: film($0.key), showtimes: $0.value) }
            .sorted { $0.showtimes[0].startsAt < $1.showtimes[0].startsAt },
          nextOpen: showtimes.isEmpty ? next : nil, revision: revision, source: source(of: cinema))
      }
    }
    router.on(FindShowtimes.self, manners) { [self] request in
      let from = request.from ?? (request.date == nil ? time.wall : nil)
      let wanted = request.films?.map(current)
      var found = all.filter { show in
        (request.cinemas?.contains(show.cinema) ?? true)
          && (wanted.map { films in show.film.map(films.contains) ?? false } ?? true)
          && (request.date.map { $0 == show.serviceDate } ?? true) && (from.map { show.startsAt >= $0 } ?? true)
          && (request.to.map { show.startsAt < $0 } ?? true)
          && (request.endsBefore.map { show.endsAt ?? show.startsAt < $0 } ?? true)
          && (request.startAfter.map { show.displayTime >= $0 } ?? true)
          && (request.startBefore.map { show.displayTime < $0 } ?? true)
          && (request.attributes?.allSatisfy(show.attributes.contains) ?? true)
          && (request.choices?.allSatisfy { $0.admits(show.attributes) } ?? true)
          && (request.hidesSoldOut != true || show.seats?.state != .soldOut)
      }
      if request.order == .cinemas, let order = request.cinemas {
        func place(_ show: Showtime) -> (Int, WallTime) { (order.firstIndex(of: show.cinema) ?? 0, show.startsAt) }
        found.sort { place($0) < place($1) }
      }
      // A cursor is of one question, and so of one beginning.
      let question = request.from.map { "~\($0.milliseconds)" } ?? ""
      if let after = request.after {
        guard after.hasSuffix(question), let place = found.firstIndex(where: { "\($0.id)\(question)" == after }) else {
          throw RPCError(.outOfRange, "the cursor belongs to another question")
        }
        found.removeFirst(place + 1)
      }
      let shown = Array(found.prefix(request.limit))
      return page(shown, next: found.count > shown.count ? shown.last.map { "\($0.id)\(question)" } : nil)
    }
    router.on(ShowtimesByID.self, manners) { [self] request in
      page(request.ids.compactMap { id in all.first { $0.id == id } })
    }
    router.on(FilmsByID.self, manners) { [self] request in
      request.ids.compactMap { id in film(current(id)).map { FilmEntry(asked: id, film: $0) } }
    }
    router.on(FindFilms.self, manners) { [self] request in
      films.compactMap { film in
        guard let range = film.title.firstRange(of: request.text) else { return nil }
        let start = film.title.utf8.distance(from: film.title.startIndex, to: range.lowerBound)
        return FilmHit(film: film, score: 2, matched: film.title, highlights: [start, start + request.text.utf8.count])
      }
    }
    router.on(FilmsShowing.self, manners) { [self] request in
      let from = request.from ?? time.wall
      let wanted = request.films?.map(current)
      let showing = films.filter { wanted?.contains($0.id) ?? true }.compactMap { film -> FilmShowing? in
        let shows = all.filter { show in
          show.film == film.id && show.startsAt >= from && (request.to.map { show.startsAt < $0 } ?? true)
            && (request.cinemas?.contains(show.cinema) ?? true)
        }
        guard let next = shows.first, let last = shows.last else { return nil }
        return FilmShowing(
          film: film, showtimes: shows.count, cinemas: Set(shows.map(\.cinema)).sorted(), next: next,
          last: last.startsAt, since: since[film.id])
      }
      return Array(showing.prefix(request.limit))
    }
    router.on(Sources.self, manners) { [self] request in
      cinemas.filter { request.cinemas?.contains($0) ?? true }.map { source(of: $0) }
    }
    router.on(ReportProblem.self, manners) { [self] request in
      reports.append(request)
      return ProblemReceipt(id: "report_\(reports.count)", isReplay: false)
    }
    router.on(ScheduleEvents.self) {
      [self] (request: ScheduleEvents, context: CallContext, writer: StreamWriter<ScheduleEvent>) in
      try await manners.pass("ScheduleEvents", context)
      var sent = request.since ?? revision
      let isReset = sent < logBegins || sent > revision
      if isReset { sent = revision }
      try await writer.send(ScheduleEvent(revision: sent, isReset: isReset ? true : nil))
      while true {
        for event in log where event.revision > sent {
          if let only = request.cinemas, let change = event.change, !only.contains(change.cinema) { continue }
          try await writer.send(event)
        }
        sent = revision
        try Task.checkCancellation()
        await withTaskCancellationHandler {
          await withCheckedContinuation { watchers.append($0) }
        } onCancel: {
          Task { @MainActor in self.wake() }
        }
        try Task.checkCancellation()
        if let failure = manners.failure { throw failure }
      }
    }
  }

  /// Ends every stream with what the manners say.
  package func breakStreams() { wake() }

  private static let inventedFilms: [Film] = [
    film("film_lighthouse", "등대지기", "The Lighthouse Keeper", 2019, 109),
    film("film_monster", "괴물", "Monster", 2023, 126),
    film("film_tea", "녹차의 맛", "A Taste of Tea", 2004, 143),
  ]

  private static func film(_ id: String, _ title: String, _ english: String, _ year: Int, _ minutes: Int) -> Film {
    Film(
      id: FilmID(id)!, title: title, titles: [FilmTitle(language: "en", text: english)], originalTitle: english,
      year: year, runtimeMinutes: minutes, directors: ["A Director"], rating: AgeRating(system: "KMRB", code: "12"),
      synopsis: "Somebody waits for somebody.", isDemo: true)
  }
}
