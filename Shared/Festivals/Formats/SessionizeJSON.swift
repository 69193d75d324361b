import Calendars
import Clocks
import Contracts
import JSON

/// What Sessionize's API answers: all (sessions with rooms and speakers by number beside them), sessions (in groups), and the
/// grid (days with rooms with sessions). Its times are the clocks of the place, which it does not name.
enum SessionizeJSON {
  static func isOne(_ root: JSONValue) -> Bool {
    sessions(of: root).first.map { session in
      session["startsAt"] != nil && (session["isPlenumSession"] != nil || session["roomId"] != nil)
    } ?? false
  }

  private static func sessions(of root: JSONValue) -> [JSONValue] {
    guard let groups = root.array else { return root["sessions"]?.array ?? [] }
    // The grid has the same again by time slots.
    return groups.flatMap { group in
      group["sessions"]?.array ?? (group["rooms"]?.array ?? []).flatMap { $0["sessions"]?.array ?? [] }
    }
  }

  static func read(_ root: JSONValue, _ options: ReadingOptions) throws(ProgrammeError) -> FestivalProgramme {
    let sessions = sessions(of: root)
    let offsets = sessions.compactMap { ProgrammeTimes.offset(of: $0["startsAt"]?.string) }
    let zone = try ProgrammeTimes.zone(named: nil, offsets: offsets, options)
    var draft = try ProgrammeDraft(slug: nil, name: nil, zone: zone, options)
    var names = Names(root)
    for room in root["rooms"]?.array ?? [] { _ = draft.room(room["name"]?.words ?? "") }
    for session in sessions { try add(session, &names, to: &draft) }
    if !names.unknown.isEmpty {
      let some = names.unknown.sorted().prefix(Names.unknownTold).joined(separator: ", ")
      draft.note("rooms or speakers that are told by their numbers alone are missing here: \(some)")
    }
    return try draft.finished()
  }

  /// What stands beside the sessions, by number.
  private struct Names {
    private let rooms: [String: String]
    private let people: [String: String]
    /// Items of categories, with what the category is called.
    private let items: [String: (category: String, name: String)]
    private(set) var unknown: Set<String> = []

    static let unknownTold = 8

    init(_ root: JSONValue) {
      func named(_ list: String) -> [String: String] {
        let pairs = (root[list]?.array ?? []).compactMap { item in
          item["id"]?.words.flatMap { id in item.words.map { (id, $0) } }
        }
        return Dictionary(pairs) { first, _ in first }
      }
      (rooms, people) = (named("rooms"), named("speakers"))
      let pairs = (root["categories"]?.array ?? []).flatMap { category in
        (category["items"]?.array ?? []).compactMap { item -> (String, (category: String, name: String))? in
          guard let id = item["id"]?.words, let name = item["name"]?.words else { return nil }
          return (id, (category.words ?? "", name))
        }
      }
      items = Dictionary(pairs) { first, _ in first }
    }

    mutating func room(of session: JSONValue) -> String? {
      if let name = session["room"]?.words { return name }
      guard let id = session["roomId"]?.words else { return nil }
      if rooms[id] == nil { unknown.insert(id) }
      return rooms[id]
    }

    mutating func speakers(of session: JSONValue) -> [FestivalSpeaker] {
      (session["speakers"]?.array ?? []).compactMap { speaker in
        if speaker.object != nil { return speaker.words.map { FestivalSpeaker(id: speaker["id"]?.words, name: $0) } }
        guard let id = speaker.words else { return nil }
        guard let name = people[id] else {
          unknown.insert(id)
          return nil
        }
        return FestivalSpeaker(id: id, name: name)
      }
    }

    /// The first item of the category that is called so.
    func item(_ word: String, of session: JSONValue) -> String? {
      func isMeant(_ category: String) -> Bool { category.lowercased().contains(word) }
      let own = (session["categories"]?.array ?? []).first { isMeant($0["name"]?.words ?? "") }
      if let name = own?["categoryItems"]?[0]?.words { return name }
      return (session["categoryItems"]?.array ?? []).lazy.compactMap { $0.words.flatMap { items[$0] } }
        .first { isMeant($0.category) }?.name
    }
  }

  private static func add(
    _ session: JSONValue, _ names: inout Names, to draft: inout ProgrammeDraft
  ) throws(ProgrammeError) {
    let id = session["id"]?.words
    guard let title = session["title"]?.words, let start = draft.instant(session["startsAt"]?.string) else {
      draft.leaveOut(
        "the session \(session["title"]?.words ?? id ?? "without an id") has no title or no start; it is left out")
      return
    }
    if let status = session["status"]?.string, withheld.contains(status.lowercased()) {
      draft.leaveOut("\(title) (\(id ?? "without an id")) is \(status); it is left out")
      return
    }
    var read = FestivalSession(
      id: SessionID("x")!, title: title, day: draft.festival.day(of: start, in: draft.zone), startsAt: start,
      endsAt: draft.instant(session["endsAt"]?.string), track: draft.track(names.item("track", of: session)),
      kind: names.item("format", of: session), language: names.item("language", of: session),
      level: names.item("level", of: session), abstract: session["description"]?.words)
    read.rooms = [names.room(of: session).flatMap { draft.room($0) }].compactMap(\.self)
    read.speakers = names.speakers(of: session)
    try draft.add(read, named: id, isCancelled: nil, isSoldOut: nil)
  }

  /// What becomes of a proposal that is in no programme.
  private static let withheld: Set = ["declined", "decline_queue", "rejected", "withdrawn", "nominated"]
}
