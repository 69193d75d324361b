import Calendars
import Clocks
import Contracts
import JSON

/// Everything that is kept of a user as one JSON document, made piece by piece: what is held of it at any time is one
/// piece and one page of rows.
struct ExportDocument {
  /// A page of rows; with the longest notes some 2 MB.
  private static let rows = 200
  /// Small enough to travel between other messages.
  private static let pieceBytes = 16 << 10

  let user: UserID
  let store: any BookmarkStore
  /// A call to the store, made now.
  let call: () -> StoreCall

  func write(to send: ([UInt8]) async throws -> Void) async throws {
    var piece: [UInt8] = []
    func put(_ bytes: some Sequence<UInt8>) async throws {
      piece.append(contentsOf: bytes)
      guard piece.count >= Self.pieceBytes else { return }
      try await send(piece)
      piece.removeAll(keepingCapacity: true)
    }

    try await put(try await head())
    try await put(",\"items\":[".utf8)
    var separator = ""
    var last: ItemKey?
    while true {
      let page = try await store.exportItems(of: user, after: last, limit: Self.rows, call())
      for record in page {
        try await put(separator.utf8)
        try await put(Self.json(record))
        separator = ","
      }
      last = page.last.map { ItemKey(kind: $0.item.kind, id: $0.item.id) }
      if page.count < Self.rows { break }
    }
    try await put("],\"views\":[".utf8)
    separator = ""
    last = nil
    while true {
      let page = try await store.exportViews(of: user, after: last, limit: Self.rows, call())
      for view in page {
        try await put(separator.utf8)
        try await put(Self.json(view))
        separator = ","
      }
      last = page.last.map { ItemKey(kind: $0.kind, id: $0.id) }
      if page.count < Self.rows { break }
    }
    try await put("],\"plans\":[".utf8)
    separator = ""
    for plan in try await store.plans(of: user, call()) {
      try await put(separator.utf8)
      try await put(Self.json(plan))
      separator = ","
    }
    try await put("]}\n".utf8)
    if !piece.isEmpty { try await send(piece) }
  }

  /// The beginning of the document, without the brace that closes it.
  private func head() async throws -> ArraySlice<UInt8> {
    let now = call()
    let profile = try await store.profile(of: user, withCounts: false, now)
    let settings = try await store.settings(of: user, now)
    var json = JSONWriter()
    json.object { json in
      json.field("format", "odi-user-1")
      json.field("exported_at", Self.text(now.at))
      json.object("user") { json in
        json.field("id", user.text)
        json.field("created_at", Self.text(profile.createdAt))
        json.field("locale", ifPresent: profile.locale)
        json.field("revision", profile.revision)
      }
      json.object("settings") { json in
        json.field("revision", settings.revision)
        json.field("language", ifPresent: settings.language)
        json.field("theme", ifPresent: settings.theme)
        json.field("region", ifPresent: settings.region)
        json.field("keeps_history", ifPresent: settings.keepsHistory)
        json.field("walk_metres_per_minute", ifPresent: settings.walkMetresPerMinute)
      }
    }
    return json.bytes.dropLast()
  }

  private static func json(_ record: ItemRecord) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("kind", record.item.kind.rawValue)
      json.field("id", record.item.id)
      json.field("note", ifPresent: record.item.note)
      json.field("saved_at", text(record.item.savedAt))
      json.field("removed_at", ifPresent: record.removedAt.map(text))
      json.field("revision", record.item.revision)
    }
    return json.bytes
  }

  private static func json(_ view: View) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("kind", view.kind.rawValue)
      json.field("id", view.id)
      json.field("at", ifPresent: view.at.map(text))
    }
    return json.bytes
  }

  private static func json(_ plan: Plan) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("id", plan.id.text)
      json.field("share", plan.share)
      json.field("created_at", text(plan.createdAt))
      json.field("changed_at", text(plan.changedAt))
      json.field("title", ifPresent: plan.content.title)
      json.field("note", ifPresent: plan.content.note)
      json.field("showtime_id", plan.content.show.showtime.text)
      json.field("film", plan.content.show.title)
      json.field("cinema_id", plan.content.show.cinema.text)
      json.field("starts_at", text(plan.content.show.startsAt))
      json.field("restaurant_id", ifPresent: plan.content.dinner?.restaurant.text)
      json.field("restaurant", ifPresent: plan.content.dinner?.name)
    }
    return json.bytes
  }

  private static func text(_ time: WallTime) -> String { Timestamp(time).description }
}
