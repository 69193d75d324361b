import Calendars
import Clocks
import Contracts
import JSON

/// What pretalx tells its own pages (`schedule/widgets/schedule.json`) and its API's callers: talks, with rooms, tracks and
/// speakers by number beside them or in place.
enum TalksJSON {
  static func read(
    _ root: JSONValue, _ talks: [JSONValue], _ options: ReadingOptions
  ) throws(ProgrammeError) -> FestivalProgramme {
    let offsets = talks.compactMap { ProgrammeTimes.offset(of: time("start", of: $0)?.string) }
    let zone = try ProgrammeTimes.zone(named: root["timezone"]?.string, offsets: offsets, options)
    var draft = try ProgrammeDraft(
      slug: root["slug"]?.words, name: root["name"]?.words ?? root["title"]?.words, zone: zone, options)
    let people = named("speakers", of: root, by: "code")
    let rooms = named("rooms", of: root, by: "id")
    let tracks = named("tracks", of: root, by: "id")
    for room in root["rooms"]?.array ?? [] {
      if let name = room["name"]?.words { _ = draft.room(name, id: room["id"]?.words, capacity: room["capacity"]?.int) }
    }
    for track in root["tracks"]?.array ?? [] { _ = draft.track(track["name"]?.words, color: track["color"]?.string) }
    for talk in talks {
      let name = talk["code"]?.words ?? talk["id"]?.words
      guard let title = talk["title"]?.words else {
        draft.leaveOut("the talk \(name ?? "without an id") has no title; it is left out")
        continue
      }
      guard let start = instant("start", of: talk, draft.zone) else {
        draft.leaveOut("\(title) (\(name ?? "without an id")) has no start; it is left out")
        continue
      }
      let length = talk["duration"]?.words.flatMap(ProgrammeTimes.seconds(ofLength:))
      var session = FestivalSession(
        id: SessionID("x")!, code: talk["code"]?.words, title: title,
        day: draft.festival.day(of: start, in: draft.zone), startsAt: start,
        endsAt: instant("end", of: talk, draft.zone) ?? length.map { start.adding(seconds: $0) },
        track: draft.track(words(talk["track"], tracks)),
        kind: words(talk["session_type"] ?? talk["submission_type"], [:]),
        language: talk["content_locale"]?.words, abstract: talk["abstract"]?.words, details: talk["description"]?.words)
      let room = time("room", of: talk)
      if let name = words(room, rooms) {
        let number = room?.int.map { "\($0)" } ?? room?["id"]?.words
        session.rooms = [draft.room(name, id: number)].compactMap(\.self)
      }
      session.speakers = (talk["speakers"]?.array ?? []).compactMap { speaker in
        let known = speaker.words.flatMap { people[$0] } ?? speaker
        return (known["name"]?.words ?? known.string).map { FestivalSpeaker(id: known["code"]?.words, name: $0) }
      }
      session.isCancelled = ["canceled", "withdrawn"].contains(talk["state"]?.string)
      try draft.add(session, named: name)
    }
    return try draft.finished()
  }

  private static func named(_ list: String, of root: JSONValue, by key: String) -> [String: JSONValue] {
    let pairs = (root[list]?.array ?? []).compactMap { item in item[key]?.words.map { ($0, item) } }
    return Dictionary(pairs) { first, _ in first }
  }

  /// A name in place, or of something by its number.
  private static func words(_ value: JSONValue?, _ known: [String: JSONValue]) -> String? {
    guard let value else { return nil }
    if let item = value.words.flatMap({ known[$0] }) { return item["name"]?.words }
    return value["name"]?.words ?? value.string ?? (value.int == nil ? value.words : nil)
  }

  /// Of the talk itself, or of its (first) slot.
  private static func time(_ name: String, of talk: JSONValue) -> JSONValue? {
    talk[name] ?? talk["slot"]?[name] ?? talk["slots"]?.array?.first?[name]
  }

  private static func instant(_ name: String, of talk: JSONValue, _ zone: TimeZoneRules) -> WallTime? {
    time(name, of: talk)?.string.flatMap { ISO8601Time($0)?.instant(in: zone) }
  }
}
