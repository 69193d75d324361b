import Clocks
import Contracts
import HTTP
import RPC

/// The films that a user saved, with what can be said of them: what they are, and when each can be seen next.
struct SavedFilms {
  let bookmarks: any RPCClient<BookmarksAPI>
  let scraper: any RPCClient<ScraperAPI>
  let locator: any RPCClient<LocatorAPI>
  let shelf: CinemaShelf
  let lookup: FilmLookup

  enum Part: String, CaseIterable, Sendable {
    case film
    case nextShowtime = "next_showtime"
  }

  enum Order: String, CaseIterable, Sendable {
    case newest = "-created_at"
    case next = "next_showtime"
  }

  private enum Limits {
    /// What one message asks about, of either service.
    static let films = min(FilmLookup.idsMax, FilmsShowing.filmsMax)
  }

  private static let limit = QueryField<Int>.int("limit", "How many at most.", in: 1...100, default: 20)
  private static let include = QueryField<Set<Part>>.choices("include", "What is wanted besides.", of: Part.self)
  private static let order = QueryField<Order>.choice(
    "sort", "The newest first, or what can be seen next; with `near`, what can be seen near there before the rest.",
    default: Order.newest)
  private static let radius = QueryField<Int>.int(
    "radius_m", "How far near is, in metres.", in: 1...1_000_000, default: 20_000)

  static let query: [any AnyQueryField] = [
    limit, QueryField<String?>.cursor, include, order, QueryField<Coordinate?>.near, radius,
  ]

  /// A saved film, and what is known of it.
  private struct Entry {
    var item: SavedItem
    var film: KnownFilm?
    var next: FilmShowing?
    var isNear = false

    /// What can be seen near comes first, what plays nowhere last.
    var place: Place {
      Place(rank: next == nil ? 2 : isNear ? 0 : 1, start: next?.next.startsAt.milliseconds ?? 0, film: item.id)
    }
  }

  func list(_ asking: Asking) async throws -> Answer {
    var query = asking.query
    let (limit, cursor, parts) = (query.take(Self.limit), query.take(.cursor), query.take(Self.include))
    let (order, near, radius) = (query.take(Self.order), query.take(.near), query.take(Self.radius))
    try query.finish()
    let (user, after) = (try asking.someone(), try asking.key(of: cursor))

    var entries: [Entry]
    var next: String?
    var missing: Set<String> = []
    var cut: String?
    switch order {
    case .newest:
      let page = try await bookmarks.call(
        ListItems(user: user, kind: .film, after: after, limit: limit), asking.options)
      entries = page.items.map { Entry(item: $0) }
      next = page.next
      try await complete(&entries, parts, near, radius, asking, &missing, &cut)
    case .next:
      entries = try await bookmarks.everything(savedBy: user, of: .film, asking.options).map { Entry(item: $0) }
      try await complete(&entries, parts.union([.nextShowtime]), near, radius, asking, &missing, &cut)
      // A page goes on where the one before ended, in an order that holds only while everything is known.
      guard missing.isEmpty else {
        throw Problem(
          .upstreamUnavailable, status: .serviceUnavailable,
          "what plays cannot be told just now; leave sort out, or try again in a moment", fields: Problem.retry(nil))
      }
      next = try Self.cut(&entries, after: after, limit: limit)
    }

    let shown = parts.contains(.nextShowtime) ? entries.compactMap(\.next) : []
    let cinemas = (try? await shelf.cinemas(shown.map(\.next.cinema), asking.optionsForExtras)) ?? [:]
    let items = entries.map { entry in
      BookmarkItem(
        item: entry.item,
        film: parts.contains(.film) ? entry.film.map { FilmItem($0, in: asking.language) } : nil,
        next: parts.contains(.nextShowtime) ? entry.next.flatMap { showing($0, cinemas, near, asking) } : nil)
    }
    let nextText = asking.cursor(after: next)
    var answer = Answer.json(
      ListPage(items, next: nextText, hint: cut, missing: missing.sorted()), isPartial: !missing.isEmpty)
    answer.response.fields += asking.link(to: nextText)
    return answer
  }

  private func showing(
    _ plays: FilmShowing, _ cinemas: [CinemaID: Cinema], _ origin: Coordinate?, _ asking: Asking
  ) -> ShowingItem? {
    let page = ShowtimePage(showtimes: [plays.next], films: [plays.film], sources: [], revision: 0)
    return ShowingItem.all(of: page, cinemas: cinemas, from: origin, view: asking.view).first
  }

  // MARK: What is known of them

  /// What was saved is shown even when nothing can be said about it: then `missing` tells what is.
  private func complete(
    _ entries: inout [Entry], _ parts: Set<Part>, _ near: Coordinate?, _ radius: Int, _ asking: Asking,
    _ missing: inout Set<String>, _ cut: inout String?
  ) async throws {
    guard !parts.isEmpty, !entries.isEmpty else { return }
    var (isKnown, isWhole) = (false, true)
    for start in stride(from: 0, to: entries.count, by: Limits.films) {
      let places = start..<min(start + Limits.films, entries.count)
      let found = await lookup.films(places.compactMap { FilmID(entries[$0].item.id) }, asking)
      if found.failure == nil || !found.films.isEmpty { isKnown = true }
      if found.failure != nil { isWhole = false }
      for place in places { entries[place].film = FilmID(entries[place].item.id).flatMap { found.films[$0] } }
    }
    guard isKnown else {
      missing.formUnion(parts.map(\.rawValue))
      return
    }
    if !isWhole, entries.contains(where: { $0.film == nil }) { missing.insert(Part.film.rawValue) }
    guard parts.contains(.nextShowtime) else { return }
    if let near {
      let asked = shelf.changes
      let around = try await optional { () throws(RPCError) in
        try await locator.cinemas(around: near, metresMax: Double(radius), asking.optionsForExtras)
      }
      for item in around?.near ?? [] { shelf.put(item.cinema, asked: asked) }
      cut = around?.cut
      if around == nil { missing.insert("near") }
      if let near = around?.near, !near.isEmpty, try await !takeNext(&entries, in: near.map(\.cinema.id), asking) {
        missing.insert(Part.nextShowtime.rawValue)
        return
      }
    }
    if try await !takeNext(&entries, in: nil, asking) { missing.insert(Part.nextShowtime.rawValue) }
  }

  /// The next showing of each film that has none yet; false if nobody can tell.
  private func takeNext(_ entries: inout [Entry], in cinemas: [CinemaID]?, _ asking: Asking) async throws -> Bool {
    // A film may have ids that no showing carries any more.
    let open = entries.indices.filter { entries[$0].next == nil }
    let ids = Set(open.flatMap { entries[$0].film?.ids ?? [] }).sorted()
    var showing: [FilmID: FilmShowing] = [:]
    for films in ids.parts(of: Limits.films) {
      let found = try await optional { () throws(RPCError) in
        try await scraper.call(
          FilmsShowing(films: films, cinemas: cinemas, limit: Limits.films), asking.optionsForExtras)
      }
      guard let found else { return false }
      for plays in found { showing[plays.film.id] = plays }
    }
    for place in open {
      let plays = entries[place].film?.ids.compactMap { showing[$0] } ?? []
      entries[place].next = plays.min { $0.next.startsAt < $1.next.startsAt }
      entries[place].isNear = cinemas != nil && entries[place].next != nil
    }
    return true
  }

  // MARK: Pages of what is sorted here

  /// Where an entry stands in the order of what can be seen next. A page goes on behind the last that was shown, also when
  /// that one has begun meanwhile.
  private struct Place: Comparable {
    var rank: Int
    var start: Int64
    var film: String

    init(rank: Int, start: Int64, film: String) {
      self.rank = rank
      self.start = start
      self.film = film
    }

    init?(_ text: String) {
      let parts = text.split(separator: "/", maxSplits: 2)
      guard parts.count == 3, let rank = Int(parts[0]), let start = Int64(parts[1]) else { return nil }
      self.init(rank: rank, start: start, film: String(parts[2]))
    }

    var text: String { "\(rank)/\(start)/\(film)" }

    static func < (left: Place, right: Place) -> Bool {
      (left.rank, left.start, left.film) < (right.rank, right.start, right.film)
    }
  }

  /// Leaves one page in its order, and returns what the next begins after.
  private static func cut(_ entries: inout [Entry], after: String?, limit: Int) throws -> String? {
    entries.sort { $0.place < $1.place }
    if let after {
      guard let last = Place(after) else {
        throw Problem(.invalidCursor, "ask for the first page again, without cursor")
      }
      entries.removeAll { $0.place <= last }
    }
    guard entries.count > limit else { return nil }
    entries = Array(entries.prefix(limit))
    return entries.last?.place.text
  }
}
