import Calendars
import Clocks
import Contracts
import RPC

/// What can still be reached from a place, or plays there on another day: one question for the API, and for the page that is painted of its answer.
struct TonightQuestion {
  var origin: Coordinate
  var minutes = TonightQuestion.minutesUsual
  /// No further on foot; nil: also those that are too far to walk.
  var walk: Int?
  /// All of this service day instead, whatever `minutes` says; of today, all that is still to come.
  var date: CivilDate?
  /// In these cinemas; none: in all that are near.
  var cinemas: [CinemaID] = []
  /// With all of these.
  var attributes: [String] = []
  var hidesSoldOut = false

  nonisolated static let minutesUsual = 180
  /// A whole day of the cinemas around, which has no pages: what comes later is missing, and the answer says so.
  nonisolated static let limitMax = 300
  /// Cinemas around a point that are looked at when nobody says how far they would walk.
  private static let cinemasUsual = 20
  private static let candidatesMax = 500

  /// The answer, and what came of its films' titles.
  ///
  /// - Parameter limit: of showings; what they have in common is told of all.
  func answer(
    limit: Int, locator: any RPCClient<LocatorAPI>, scraper: any RPCClient<ScraperAPI>, shelf: CinemaShelf,
    titles: TitleShelf, view: Viewpoint, _ asking: Asking
  ) async throws -> (answer: TonightAnswer, besides: TitleShelf.Completion) {
    let around = try await locator.call(
      NearestCinemas(
        origin: origin, limit: walk == nil ? Self.cinemasUsual : NearestCinemas.limitMax,
        metresMax: walk.map { Double($0) * Walk.metresPerMinute }), asking.options)
    for item in around { shelf.put(item.cinema) }
    guard !around.isEmpty else {
      return (TonightAnswer(hint: "no cinema is that near; give a larger walk_max_min"), TitleShelf.Completion())
    }
    let until = date == nil ? WallTime(milliseconds: asking.now.milliseconds + Int64(minutes) * 60_000) : nil
    func ask(
      _ attributes: [String]?, in places: [CinemaID]?, hidesSoldOut: Bool?
    ) async throws(RPCError) -> ShowtimePage {
      try await scraper.call(
        FindShowtimes(
          cinemas: places ?? around.map(\.cinema.id), date: date, from: asking.now, to: until, attributes: attributes,
          hidesSoldOut: hidesSoldOut, order: .startsAt, limit: Self.candidatesMax), asking.options)
    }
    // Without the filters: what else there would be is told too, so that somebody can choose otherwise.
    var page = try await ask(nil, in: nil, hidesSoldOut: nil)
    var besides = await titles.complete(&page, in: view.language, asking)
    let near = Dictionary(around.map { ($0.cinema.id, $0.cinema) }) { first, _ in first }
    func reachable(_ page: ShowtimePage) -> [ShowingItem] {
      TonightPage.reachable(
        ShowingItem.all(of: page, cinemas: near, from: origin, view: view), now: asking.now, onFoot: walk != nil)
    }
    let all = reachable(page)
    var found = all
    var isCut = page.next != nil
    let isNarrow = !attributes.isEmpty || hidesSoldOut || !cinemas.isEmpty
    if isNarrow {
      if page.next == nil {
        let wanted = Set(attributes)
        found = all.filter { item in
          let show = item.showtime.showtime
          return wanted.isSubset(of: show.attributes) && !(hidesSoldOut && show.seats?.state == .soldOut)
            && (cinemas.isEmpty || cinemas.contains(show.cinema))
        }
      } else {
        // There are more than were looked at, and what is wanted may be among those.
        let places = cinemas.isEmpty ? nil : cinemas.filter { near[$0] != nil }
        if places?.isEmpty == true {
          (found, isCut) = ([], false)
        } else {
          var narrowed = try await ask(attributes, in: places, hidesSoldOut: hidesSoldOut)
          besides = besides + (await titles.complete(&narrowed, in: view.language, asking))
          (found, isCut) = (reachable(narrowed), narrowed.next != nil)
        }
      }
    }
    // Those that were chosen are there to be taken back, also when nothing plays in them.
    let chosen = Set(cinemas).compactMap { near[$0] }.map {
      CinemaName($0, metres: origin.metres(to: $0.position))
    }
    var answer = TonightAnswer(
      items: Array(found.prefix(limit)), hasMore: isCut || found.count > limit,
      attributes: TonightAnswer.counted(all), cinemas: TonightAnswer.places(of: all, and: chosen),
      zone: around.first?.cinema.zone, soldOut: all.count { $0.showtime.showtime.seats?.state == .soldOut },
      isDemo: page.sources.contains { $0.isDemo == true })
    if around.cut != nil {
      answer.hint = "only the nearest \(around.count) cinemas were looked at; give a smaller walk_max_min"
    }
    if answer.hasMore {
      answer.hint = "the first \(answer.items.count) are told; give a larger limit, a cinema or a shorter within_min"
    }
    if found.isEmpty, !isCut {
      answer.hint =
        all.isEmpty
        ? "nothing more starts in time; ask for a longer within_min, or another date"
        : "nothing that starts in time has all of that; leave out an attribute, cinema, or hide_sold_out"
    }
    return (answer, besides)
  }
}
