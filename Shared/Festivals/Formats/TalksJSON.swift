import Calendars
import Clocks
import Contracts
import JSON

/// What pretalx tells its own pages (`schedule/widgets/schedule.json`) and its API's callers (`talks`, `submissions`, `slots`,
/// `schedules/latest`): talks with their slots, or slots with their talks; rooms, tracks and speakers in place, or by number
/// beside them.
enum TalksJSON {
  static func isOne(_ root: JSONValue) -> Bool { list(root) != nil }

  private static func list(_ root: JSONValue) -> [JSONValue]? {
    root["talks"]?.array ?? results(of: root) ?? root["slots"]?.array
  }

  /// Other programs' answers have results too: those of talks have what makes one.
  private static func results(of root: JSONValue) -> [JSONValue]? {
    guard let results = root["results"]?.array else { return nil }
    let isOfTalks = results.contains { item in marks.contains { item[$0] != nil } }
    return results.isEmpty || isOfTalks ? results : nil
  }

  private static let marks = ["code", "slot", "slots", "submission", "start", "speakers"]

  /// - Parameter pages: of one answer; more than one only where the API tells it in pages.
  static func read(_ pages: [JSONValue], _ options: ReadingOptions) throws(ProgrammeError) -> FestivalProgramme {
    let root = pages[0]
    let talks = pages.flatMap { list($0) ?? [] }
    // An import makes the festival what the file says: a page of it would take the rest out.
    let different = Set(talks.map { $0["code"]?.words ?? $0["id"]?.words ?? "" }).count
    if root["results"] != nil, let count = root["count"]?.int, different < count {
      throw ProgrammeError(
        "these are \(different) of \(count) talks; give the files of all pages together, or ask the API for ?limit=\(count)"
      )
    }
    let offsets = talks.flatMap(slots).compactMap { ProgrammeTimes.offset(of: $0["start"]?.string) }
    let zone = try ProgrammeTimes.zone(named: root["timezone"]?.string, offsets: offsets, options)
    var draft = try ProgrammeDraft(
      slug: root["slug"]?.words, name: root["name"]?.words ?? root["title"]?.words, zone: zone, options)
    let names = Names(root)
    for room in root["rooms"]?.array ?? [] {
      if let name = room["name"]?.words { _ = draft.room(name, id: room["id"]?.words, capacity: room["capacity"]?.int) }
    }
    for track in root["tracks"]?.array ?? [] { _ = draft.track(track["name"]?.words, color: track["color"]?.string) }
    var hasCodes = false
    for talk in talks { try add(talk, names, &hasCodes, to: &draft) }
    if hasCodes {
      draft.note(
        "some talks, speakers, rooms or tracks are told by their numbers alone and are missing here; ask the API for "
          + "?expand=submission.speakers,submission.track,room")
    }
    return try draft.finished()
  }

  /// What stands beside the talks, by number.
  private struct Names {
    let people: [String: JSONValue]
    let rooms: [String: JSONValue]
    let tracks: [String: JSONValue]

    init(_ root: JSONValue) {
      func named(_ list: String, by key: String) -> [String: JSONValue] {
        let pairs = (root[list]?.array ?? []).compactMap { item in item[key]?.words.map { ($0, item) } }
        return Dictionary(pairs) { first, _ in first }
      }
      people = named("speakers", by: "code")
      rooms = named("rooms", by: "id")
      tracks = named("tracks", by: "id")
    }
  }

  private static func add(
    _ item: JSONValue, _ names: Names, _ hasCodes: inout Bool, to draft: inout ProgrammeDraft
  ) throws(ProgrammeError) {
    // A slot has its talk in it; one without a talk is a pause, which its description names.
    let talk = item["submission"]?.object == nil ? item : item["submission"]!
    let name = talk["code"]?.words ?? item["id"]?.words
    if item["submission"]?.string != nil { hasCodes = true }
    guard let title = talk["title"]?.words ?? (item["submission"] == .null ? item["description"]?.words : nil) else {
      draft.leaveOut("the talk \(name ?? "without an id") has no title; it is left out")
      return
    }
    let state = talk["state"]?.string
    guard state.map(publicStates.contains) ?? true else {
      draft.leaveOut("\(title) (\(name ?? "without an id")) is \(state!); it is left out")
      return
    }
    let slots = slots(item).compactMap { slot in instant("start", of: slot, draft.zone).map { (slot, $0) } }
    if slots.isEmpty { draft.leaveOut("\(title) (\(name ?? "without an id")) has no start; it is left out") }
    for (slot, start) in slots {
      let length = (slot["duration"] ?? talk["duration"])?.words.flatMap(ProgrammeTimes.seconds(ofLength:))
      var session = FestivalSession(
        id: SessionID("x")!, code: talk["code"]?.words, title: title,
        day: draft.festival.day(of: start, in: draft.zone), startsAt: start,
        endsAt: instant("end", of: slot, draft.zone) ?? length.map { start.adding(seconds: $0) },
        track: draft.track(words(talk["track"], names.tracks, &hasCodes)),
        kind: words(talk["session_type"] ?? talk["submission_type"], [:]),
        language: talk["content_locale"]?.words, abstract: talk["abstract"]?.words, details: talk["description"]?.words)
      let room = slot["room"]
      if let name = words(room, names.rooms, &hasCodes) {
        let number = room?.int.map { "\($0)" } ?? room?["id"]?.words
        session.rooms = [draft.room(name, id: number)].compactMap(\.self)
      }
      session.speakers = (talk["speakers"]?.array ?? []).compactMap { speaker in
        let known = speaker.words.flatMap { names.people[$0] } ?? speaker
        guard let name = known["name"]?.words ?? known.string.flatMap({ isCode($0) ? nil : $0 }) else {
          hasCodes = true
          return nil
        }
        return FestivalSpeaker(id: known["code"]?.words, name: name)
      }
      try draft.add(session, named: name, isCancelled: state.map { $0 == cancelled }, isSoldOut: nil)
    }
  }

  /// What takes place, or was to: a talk that was proposed, refused or taken back keeps its slot until the next release.
  private static let publicStates: Set = ["accepted", "confirmed", cancelled]
  private static let cancelled = "canceled"

  /// Six capitals and digits: where a text stands for a speaker, the code of one.
  private static func isCode(_ text: String) -> Bool {
    text.utf8.count == 6 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) }
  }

  /// Where and when a talk takes place: as it says itself, or in its slots; it may be given several times.
  private static func slots(_ talk: JSONValue) -> [JSONValue] {
    if talk["start"] != nil { return [talk] }
    let several = (talk["slots"]?.array ?? []).filter { $0["start"] != nil }
    return several.isEmpty ? [talk["slot"]].compactMap(\.self) : several
  }

  private static func words(_ value: JSONValue?, _ known: [String: JSONValue], _ hasCodes: inout Bool) -> String? {
    let found = words(value, known)
    if found == nil, value?.int != nil { hasCodes = true }
    return found
  }

  /// A name in place, or of something by its number.
  private static func words(_ value: JSONValue?, _ known: [String: JSONValue]) -> String? {
    guard let value else { return nil }
    if let item = value.words.flatMap({ known[$0] }) { return item["name"]?.words }
    return value["name"]?.words ?? value.string ?? (value.int == nil ? value.words : nil)
  }

  private static func instant(_ name: String, of slot: JSONValue, _ zone: TimeZoneRules) -> WallTime? {
    slot[name]?.string.flatMap { ISO8601Time($0)?.instant(in: zone) }
  }
}
