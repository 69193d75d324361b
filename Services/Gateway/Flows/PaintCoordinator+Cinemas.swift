import Calendars
import Contracts
import HTTP
import RPC

/// Views of cinemas and of what they show, from the services themselves.
extension PaintCoordinator {
  func nearby(_ asking: Asking) async throws -> Answer {
    var scene = scene(asking)
    let asked = shelf.changes
    let near = try await locator.call(
      NearestCinemas(origin: scene.place.position, limit: Self.cinemasShown), asking.options)
    let ids = near.map(\.cinema.id)
    for item in near { shelf.put(item.cinema, asked: asked) }
    let chosen = scene["cinema"].flatMap { CinemaID($0) }.flatMap { ids.contains($0) ? $0 : nil } ?? ids.first
    let date = scene["date"].flatMap { CivilDate($0) }
    let language = scene.language
    async let calendars = calendars(ids, asking)
    async let todays = programmes(ids, on: nil, in: language, asking)
    async let others = programmes(date == nil ? [] : chosen.map { [$0] } ?? [], on: date, in: language, asking)
    let other = try await others
    var (days, shows) = (try await calendars, try await todays)
    if days == nil || shows == nil, let kept = keptNearby(scene) {
      (days, shows) = (days ?? kept.days, shows ?? kept.shows)
    }

    var pages = near.map { CinemaPage($0.cinema, metres: $0.metres) }
    for index in pages.indices {
      let id = pages[index].cinema.id
      pages[index].add(days?.first { $0.cinema == id }, shows?.first { $0.cinema == id }, scene.view)
    }
    let first = pages.first { $0.cinema.id == chosen }
    let today = first.map { scene.parts.times.today(in: scene.view.rules($0.cinema.zone)) } ?? .first
    // A day that is not in the strip is no choice of this page.
    let offered = date.flatMap { date in first?.days?.contains { $0.day.date == date } == true ? date : nil }
    var programme = first?.programme
    if let offered, let page = first {
      if let found = other.map(\.first) ?? keptProgramme(of: page.cinema.id, on: offered, scene) {
        programme = ProgrammeItem(found, in: page.cinema.zone, scene.view)
      } else if programme?.date != offered {
        // Another day than the chosen one is not shown in its place.
        programme = nil
      }
    }
    if pages.contains(where: \.isDemo) { scene.isDemo = true }

    var data = linked(asking, scene)
    for page in pages { data.add(page.cinema) }
    if let cinema = first?.cinema, let programme { data.add(cinema, programme) }
    let view = NearbyView(
      parts: scene.parts, place: scene.place, cinemas: pages, chosen: chosen, programme: programme,
      date: programme?.date ?? offered ?? today, today: today)
    return answer(asking, scene, PageAnswer(tab: "nearby", linked: data)) { view.write(to: &$0) }
  }

  func cinema(_ asking: Asking) async throws -> Answer {
    var scene = scene(asking)
    let id = try asking.id(of: CinemaID.self)
    guard let cinema = try await shelf.cinema(id, asking.options) else {
      let former = await shelf.former(id, asking.options)
      guard let other = former?.replacedBy else { throw Problem(noCinema: id, former) }
      // An old link leads on, and is asked again each time: the directory may take the cinema back.
      let query = asking.request.head.rawQuery.map { "?\($0)" } ?? ""
      return Answer(.redirect(.permanentRedirect, to: "/cinemas/\(other)\(query)"))
        .with("Cache-Control", "private, no-cache")
    }
    let zone = scene.view.rules(cinema.zone)
    let today = scene.parts.times.today(in: zone)
    let wanted = scene["date"].flatMap { CivilDate($0) }
    let language = scene.language
    async let calendars = calendars([id], asking)
    async let programmes = programmes([id], on: wanted ?? today, in: language, asking)
    let days = try await calendars.map(\.first) ?? keptCalendar(of: id, scene)
    let show = try await programmes.map(\.first) ?? keptProgramme(of: id, on: wanted ?? today, scene)
    var page = CinemaPage(cinema)
    page.add(days, show, scene.view)
    if page.isDemo { scene.isDemo = true }

    var data = linked(asking, scene)
    data.add(cinema)
    if let programme = page.programme { data.add(cinema, programme) }
    let view = CinemaView(
      parts: scene.parts, page: page, metres: scene.place.position.metres(to: cinema.position),
      programme: page.programme, date: wanted ?? today, today: today)
    let name = scene.parts.name(cinema)
    let about = scene.parts.words("about.cinema", ["name": name])
    return answer(asking, scene, PageAnswer(title: name, about: about, tab: "nearby", linked: data)) {
      view.write(to: &$0)
    }
  }

  func tonight(_ asking: Asking) async throws -> Answer {
    var scene = scene(asking)
    let choice = TonightChoice { scene[$0] }
    var question = TonightQuestion(origin: scene.place.position)
    (question.minutes, question.walk) = (choice.within, choice.walk)
    (question.date, question.dateTo, question.cinemas) = (choice.date, choice.until, choice.cinemas)
    (question.startAfter, question.startBefore, question.genres) = (choice.after, choice.before, Set(choice.genres))
    (question.attributes, question.hidesSoldOut) = (choice.attributes, choice.hidesSoldOut)
    let found = try await question.answer(
      limit: TonightQuestion.limitMax, locator: locator, scraper: scraper, shelf: shelf, titles: titles,
      view: scene.view, asking
    ).answer
    if found.isDemo { scene.isDemo = true }
    let view = TonightView(
      parts: scene.parts, place: scene.place, view: scene.view, choice: choice, answer: found)
    return answer(asking, scene, PageAnswer(title: scene.parts.words("tab.tonight"), tab: "tonight")) {
      view.write(to: &$0)
    }
  }

  func film(_ asking: Asking) async throws -> Answer {
    var scene = scene(asking)
    let id = try asking.id(of: FilmID.self)
    let known = try await lookup.film(id, asking)
    async let coming = scraper.call(
      FindShowtimes(films: known.ids, from: asking.now, limit: Self.showtimesMax), asking.options)
    async let similar = lookup.similar(to: known.film, limit: Self.similarMax, asking)
    let (showings, others) = (try await coming, try await similar)
    let cinemas = try await shelf.cinemas(showings.showtimes.map(\.cinema), asking.options)
    let language = scene.view.language
    var page = FilmPage(
      film: FilmItem(known, in: language, isFull: true), isShowing: !showings.showtimes.isEmpty)
    page.showtimes = ShowingItem.all(of: showings, cinemas: cinemas, from: scene.place.position, view: scene.view)
    page.similar = others.films
    if known.film.isDemo == true || showings.sources.contains(where: { $0.isDemo == true }) { scene.isDemo = true }

    var data = linked(asking, scene)
    data.add(page)
    let zone = showings.showtimes.first.flatMap { cinemas[$0.cinema] }.map { scene.view.rules($0.zone) } ?? .utc
    let view = FilmView(parts: scene.parts, page: page, today: scene.parts.times.today(in: zone))
    let title = scene.parts.readable(page.film).title
    let about = known.film.synopsis ?? scene.parts.words("about.film", ["title": title])
    return answer(asking, scene, PageAnswer(title: title, about: about, tab: "nearby", linked: data)) {
      view.write(to: &$0)
    }
  }

  // MARK: Questions; without the scraper the cinemas are shown all the same

  private func calendars(_ ids: [CinemaID], _ asking: Asking) async throws -> [CinemaCalendar]? {
    guard !ids.isEmpty else { return [] }
    return try await optional { () throws(RPCError) in
      try await scraper.call(CinemaDays(cinemas: ids, from: nil, days: Self.daysShown), asking.optionsForExtras)
    }
  }

  private func programmes(
    _ ids: [CinemaID], on date: CivilDate?, in language: Language, _ asking: Asking
  ) async throws -> [DayProgramme]? {
    guard !ids.isEmpty else { return [] }
    var found = try await optional { () throws(RPCError) in
      try await scraper.call(DayProgrammes(cinemas: ids, date: date), asking.optionsForExtras)
    }
    _ = await titles.complete(&found, in: language, asking)
    return found
  }
}
