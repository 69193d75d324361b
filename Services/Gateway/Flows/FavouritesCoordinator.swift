import Contracts
import Crypto
import HTTP
import JSON
import RPC

/// What a user likes besides films, and what they looked at.
final class FavouritesCoordinator: Coordinator {
  private let bookmarks: any RPCClient<BookmarksAPI>
  private let shelf: CinemaShelf
  private let lookup: ThingLookup
  private let films: FilmLookup

  init(bookmarks: any RPCClient<BookmarksAPI>, lookup: ThingLookup, films: FilmLookup) {
    self.bookmarks = bookmarks
    self.lookup = lookup
    self.films = films
    shelf = lookup.shelf
  }

  /// Films are bookmarks; these are the others.
  enum Kind: String, CaseIterable, Sendable {
    case cinema, station, person, restaurant, festival, session

    var item: ItemKind {
      switch self {
      case .cinema: .cinema
      case .station: .station
      case .person: .person
      case .restaurant: .restaurant
      case .festival: .festival
      case .session: .session
      }
    }
  }

  private static let kind = PathField("kind", "What it is.", schema: .words(Kind.allCases.map(\.rawValue)))
  private static let id = PathField("id", "Its id.", schema: CinemaID.schema)
  private static let ofKind = QueryField<Kind?>.optionalChoice("kind", "Only of this kind.", of: Kind.self)
  private static let limit = QueryField<Int>.int("limit", "How many at most.", in: 1...100, default: 20)
  private static let viewsForm = BodyForm(
    schema: .object([
      ("film", FilmID.schema.described("One film."), false),
      ("films", .array(of: FilmID.schema, atMost: RecordViews.viewsMax), false),
    ]).with("minProperties", 1))

  var endpoints: [Endpoint] {
    [
      Endpoint(
        .get, "/v1/me/favourites", "favourites", "What you like besides films, newest first.", .me, access: .user,
        query: [Self.ofKind, Self.limit, QueryField<String?>.cursor],
        answers: [.json("Newest first.", ListPage<FavouriteItem>.schema)]
      ) { [self] asking in
        var query = asking.query
        let (kind, limit, cursor) = (query.take(Self.ofKind), query.take(Self.limit), query.take(.cursor))
        try query.finish()
        let request = ListItems(
          user: try asking.someone(), kind: kind?.item, otherThan: .film, after: try asking.key(of: cursor),
          limit: limit)
        let page = try await bookmarks.call(request, asking.options)
        let next = asking.cursor(after: page.next)
        let cinemas = Set(page.items.lazy.filter { $0.kind == .cinema }.compactMap { CinemaID($0.id) })
        let replaced = try await optional { () throws(RPCError) in
          try await shelf.replacements(of: cinemas, asking.optionsForExtras)
        }
        let items = page.items.map { item in
          let other = item.kind == .cinema ? CinemaID(item.id).flatMap { replaced?[$0] } : nil
          return FavouriteItem(item: item, replacedBy: other)
        }
        var answer = Answer.json(
          ListPage(items, next: next, missing: replaced == nil ? ["directory"] : []), isPartial: replaced == nil)
        answer.response.fields += asking.link(to: next)
        return answer
      },
      Endpoint(
        .put, "/v1/me/favourites/{kind}/{id}", "putFavourite",
        "Saves something, or gives it another note; a cinema that was replaced as the one in its place.", .me,
        access: .user, parameters: [Self.kind, Self.id], fields: [.idempotencyKey], body: UserNote.form,
        answers: [
          .json(.created, "It was not saved before.", FavouriteItem.schema),
          .json("It was saved already.", FavouriteItem.schema),
        ]
      ) { [self] asking in try await put(asking) },
      Endpoint(
        .delete, "/v1/me/favourites/{kind}/{id}", "removeFavourite", "Takes something out.", .me, access: .user,
        parameters: [Self.kind, Self.id], fields: [.idempotencyKey],
        answers: [.nothing(.noContent, "It is not saved.")]
      ) { [self] asking in
        let user = try asking.someone()
        let (kind, id) = try Self.thing(asking)
        let key = try asking.key(for: user)
        // By its old id a cinema may have been saved as the one in its place.
        let standing = kind == .cinema ? try? await lookup.standing(of: kind, id, asking) : nil
        var options = asking.options
        // Sent again after a lost answer it must not take out the other, too.
        options.key = key ?? .fresh()
        let receipt = try await bookmarks.call(
          RemoveItem(user: user, kind: kind, id: id, otherwise: standing?.other), options)
        return Answer.nothing.with("X-Odi-Rev", String(receipt.revision)).replayed(receipt.isReplay)
      },
      Endpoint(
        .get, "/v1/me/views", "views", "What you looked at, newest first.", .me, access: .user, query: [Self.limit],
        answers: [.json("Newest first.", ListPage<ViewItem>.schema)]
      ) { [self] asking in
        var query = asking.query
        let limit = query.take(Self.limit)
        try query.finish()
        let views = try await bookmarks.call(ListViews(user: asking.someone(), limit: limit), asking.options)
        return .json(ListPage(views.map { ViewItem(view: $0) }))
      },
      Endpoint(
        .post, "/v1/me/views", "recordViews",
        "Remembers that you looked at films; of several those that nobody knows are left out.", .me, access: .user,
        fields: [.idempotencyKey], body: Self.viewsForm, answers: [.json("How many were kept.", ViewsPage.schema)]
      ) { [self] asking in try await record(asking) },
      Endpoint(
        .delete, "/v1/me/views", "forgetViews", "Forgets what you looked at.", .me, access: .user,
        answers: [.nothing(.noContent, "It is forgotten.")]
      ) { [self] asking in
        _ = try await bookmarks.call(ForgetViews(user: asking.someone()), asking.options)
        return .nothing
      },
    ]
  }

  /// What the path names; 404 for a kind that nobody saves.
  private static func thing(_ asking: Asking) throws -> (ItemKind, String) {
    guard let kind = Kind(rawValue: asking.path[0]) else {
      throw Problem(.notFound, "favourites are of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return (kind.item, try asking.id(1, of: CinemaID.self).text)
  }

  /// What a user saved may be written on when nobody knows it any more.
  private func isSaved(_ kind: ItemKind, _ id: String, by user: UserID, _ asking: Asking) async throws -> Bool {
    var next: String?
    repeat {
      let page = try await bookmarks.call(
        ListItems(user: user, kind: kind, after: next, limit: ListItems.limitMax), asking.options)
      if page.items.contains(where: { $0.id == id }) { return true }
      next = page.next
    } while next != nil
    return false
  }

  private func put(_ asking: Asking) async throws -> Answer {
    let user = try asking.someone()
    let note = try UserNote.body(of: asking)
    let (kind, id) = try Self.thing(asking)
    let key = try asking.key(for: user)
    let standing = try await lookup.standing(of: kind, id, asking)
    if standing == .nobodys, try await !isSaved(kind, id, by: user, asking) {
      throw Problem(.notFound, "no \(kind.rawValue) has the id \(id)")
    }
    let other = standing.other
    var options = asking.options
    options.key = key
    // In its place, so that one cinema is not there twice.
    let receipt = try await bookmarks.call(
      SaveItem(user: user, kind: kind, id: other ?? id, note: note, insteadOf: other == nil ? nil : id), options)
    guard let item = receipt.item else { throw RPCError(.internal, "a save was answered without what was saved") }
    return Answer.json(FavouriteItem(item: item), receipt.didChange ? .created : .ok).replayed(receipt.isReplay)
  }

  private func record(_ asking: Asking) async throws -> Answer {
    let user = try asking.someone()
    var body = try asking.body()
    let one: FilmID? = body.id("film")
    let several = body.optional("films", as: [String].self)
    let ids = (several ?? []).compactMap { FilmID($0) }
    if ids.count != several?.count ?? 0 || ids.count > RecordViews.viewsMax {
      body.note("films", "must be at most \(RecordViews.viewsMax) ids")
    }
    if one == nil, several == nil { body.note("film", "is missing; give a film's id, or films with several") }
    try body.finish()
    let key = try asking.key(for: user)
    let named = Array(((one.map { [$0] } ?? []) + ids).prefix(RecordViews.viewsMax))
    let found = await films.films(named, asking)
    // While who may know is away, whoever looked is believed.
    let known = found.failure == nil ? named.filter { found.films[$0] != nil } : named
    var options = asking.options
    options.key = key ?? .fresh()
    var request = RecordViews(user: user, views: known.map { View(kind: .film, id: $0.text) })
    // Films that were believed the first time may be nobody's when a lost answer is asked for again.
    request.asked = Array(SHA256.digest(of: named.map(\.text).joined(separator: " ")))
    var recorded = ViewsRecorded(kept: 0, isReplay: false)
    if !known.isEmpty || key != nil && !named.isEmpty { recorded = try await bookmarks.call(request, options) }
    if known.isEmpty, recorded.kept == 0, let first = named.first {
      throw Problem(.notFound, "no film has the id \(first)")
    }
    return Answer.json(ViewsPage(recorded: recorded)).replayed(recorded.isReplay)
  }
}

nonisolated extension ThingLookup.Standing {
  /// What is there in its place.
  fileprivate var other: String? {
    if case .replaced(let id) = self { id } else { nil }
  }
}
