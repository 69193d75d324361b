import Calendars
import Clocks
import Contracts
import Festivals
import JSON
import TestKit
import Testing

/// Programmes of everything that is awkward, from a seed.
@Suite("Journeys through the formats")
struct JourneyTests {
  private static let names = [
    "Hall A", "Hall|B", "a | b", "||", "\\", "x\\|y", " edges ", "two\nlines", "tab\tbed", "\u{FEFF}mark", "é",
    "e\u{301}", "Tom &amp; Jo", "<b>&</b>", "\"quoted\"", "it's", "; , :", "1", "0", "=1+1", "@x", "映画　祭", "🎟️ late",
    "^n ^' ^^",
    "ends in \\n", "\u{A0}hard\u{A0}", "?>", "]]>", "a  b", "Hall A (2)", "sep=;", "Ω", "\u{2028}", "", " ",
  ]
  private static let ids = [
    "1", "01", "30", "30-29000000", "a.b", "show/7", "7@x", "68c4@lake.example", "s-1", "", "ü", "1@f.timetable.odi",
    "9fd0b658-4f50-11e7-aa42-42010af00d0a", "-1", "2147483648", "x y", "A", "a",
  ]

  private func programme(_ random: inout SeededRandom) throws -> FestivalProgramme {
    func pick(_ texts: [String]) -> String { texts.randomElement(using: &random)! }
    let sessions = (0..<Int.random(in: 1...9, using: &random)).map { _ -> JSONValue in
      // Around the nights on which the clocks are changed.
      let night: Int64 = Bool.random(using: &random) ? 1_792_886_400 : 1_774_742_400
      let start = night + Int64.random(in: -40...40, using: &random) * 900
      let length: JSONValue = .int(
        [0, 60, 900, 5_400, 5_401, 86_400, 259_200, 9_000_000, -60].randomElement(using: &random)!)
      let rooms = (0..<Int.random(in: 0...2, using: &random)).map { _ -> JSONValue in
        let name = pick(Self.names)
        return Bool.random(using: &random)
          ? ["name": .string(name)] : ["id": .string(pick(["r-1", "r-2", name])), "name": .string(name)]
      }
      return [
        "id": .string(pick(Self.ids)), "title": .string(pick(Self.names)),
        "starts_on": .string("\(Timestamp(WallTime(milliseconds: start * 1_000)))"), "duration": length,
        "room": rooms.first ?? .null, "more_rooms": .array(Array(rooms.dropFirst())),
        "track": ["name": .string(pick(Self.names))],
        "speakers": .array(
          (0..<Int.random(in: 0...2, using: &random)).map { _ in ["nickname": .string(pick(Self.names))] }),
        "status": Bool.random(using: &random) ? "accepted" : "cancelled",
      ]
    }
    let root: JSONValue = [
      "conference": ["title": "Journeys", "slug": "f", "timezone": "Europe/Berlin"], "sessions": .array(sessions),
    ]
    return try FestivalProgramme.read([root.json], as: .octav, options: Sample.options)
  }

  @Test("what is written in any format reads back as the same festival: ids, titles, rooms, times, speakers and tracks")
  func same() throws {
    var random = SeededRandom(seed: 11)
    let zone = try Sample.zones.rules(for: ZoneName("Europe/Berlin")!)
    var count = 0
    for _ in 0..<150 {
      guard let programme = try? programme(&random) else { continue }
      count += 1
      for format in FestivalFormat.known {
        let bytes = try programme.written(as: format, zone: zone, now: WallTime(milliseconds: 0))
        let again = try FestivalProgramme.read([bytes], options: Sample.options)
        let (read, written) = (again.festival, programme.festival)
        #expect(read.id == written.id && read.name == written.name && read.zone == written.zone, "\(format.rawValue)")
        for (was, now) in zip(programme.essence, again.essence) where was != now {
          Issue.record("\(format.rawValue): \(now) where \(was) was written")
          return
        }
        #expect(again.essence.count == programme.essence.count)
        func cancelled(_ programme: FestivalProgramme) -> Set<SessionID> {
          Set(programme.sessions.filter(\.isCancelled).map(\.id))
        }
        #expect(cancelled(again) == cancelled(programme))
      }
    }
    #expect(count > 120)
  }

  @Test("a room's id is kept: in a schedule's files by itself, in each format where the festival is known")
  func roomIDs() throws {
    let sessions = #"""
      {"conference": {"title": "Kobune", "timezone": "Asia/Tokyo", "venues": [{"name": "会館", "rooms": [
        {"id": "388d1901-46f2", "name": "ホール", "capacity": 150}, {"id": "small", "name": "Small"}]}]},
       "sessions": [
        {"id": "a", "title": "A", "starts_on": "2026-08-03T08:00:00Z", "duration": "1800", "room_id": "388d1901-46f2"},
        {"id": "b", "title": "B", "starts_on": "2026-08-03T09:00:00Z", "duration": 1800, "room_id": "small"}]}
      """#
    let programme = try FestivalProgramme.read([Array(sessions.utf8)], as: .octav, options: Sample.options)
    let lengths = programme.sessions.map { ($0.endsAt?.milliseconds ?? 0) - $0.startsAt.milliseconds }
    #expect(lengths == [1_800_000, 1_800_000])
    let zone = try Sample.zones.rules(for: ZoneName("Asia/Tokyo")!)
    var options = Sample.options
    (options.zone, options.name) = (ZoneName("Asia/Tokyo"), "Kobune")
    for format in FestivalFormat.known {
      let bytes = try programme.written(as: format, zone: zone, now: WallTime(milliseconds: 0))
      options.known = nil
      let alone = try FestivalProgramme.read([bytes], options: options).festival.rooms.map(\.id.text)
      if [.xml, .json, .octav].contains(format) { #expect(alone == ["388d1901-46f2", "small"], "\(format.rawValue)") }
      options.known = programme.festival
      let known = try FestivalProgramme.read([bytes], options: options)
      #expect(known.festival.rooms == programme.festival.rooms, "\(format.rawValue)")
      #expect(known.sessions.map(\.rooms) == programme.sessions.map(\.rooms), "\(format.rawValue)")
    }
  }

  @Test("a new room takes no known room's id, also where it comes first")
  func newRooms() throws {
    let octav = #"""
      {"conference": {"title": "Quay", "timezone": "UTC", "venues": [{"name": "V", "rooms": [
        {"id": "hall", "name": "Main"}]}]},
       "sessions": [{"id": "a", "title": "A", "starts_on": "2026-08-03T08:00:00Z", "duration": 1800, "room_id": "hall"}]}
      """#
    var options = Sample.options
    (options.zone, options.name) = (ZoneName("UTC"), "Quay")
    options.known = try FestivalProgramme.read([Array(octav.utf8)], as: .octav, options: options).festival
    let table = "title,start,rooms\nB,2026-08-03T07:00:00Z,Hall\nA,2026-08-03T08:00:00Z,Main\n"
    let rooms = try FestivalProgramme.read([Array(table.utf8)], as: .csv, options: options).festival.rooms
    #expect(rooms.map { "\($0.name) \($0.id)" } == ["Hall hall-2", "Main hall"])
  }

  @Test("what begins after midnight stays on the day that its festival puts it on, whichever that is")
  func nights() throws {
    let octav = #"""
      {"conference": {"title": "Quay", "timezone": "UTC", "venues": [{"name": "V", "rooms": [
        {"id": "hall", "name": "Main"}]}]},
       "sessions": [{"id": "a", "title": "A", "starts_on": "2026-08-03T20:00:00Z", "duration": 1800, "room_id": "hall"},
        {"id": "b", "title": "B", "starts_on": "2026-08-04T00:45:00Z", "duration": 1800, "room_id": "hall"},
        {"id": "c", "title": "C", "starts_on": "2026-08-04T18:00:00Z", "duration": 1800, "room_id": "hall"}]}
      """#
    var options = Sample.options
    (options.zone, options.name) = (ZoneName("UTC"), "Quay")
    for date in ["2026-08-03", "2026-08-04"] {
      var programme = try FestivalProgramme.read([Array(octav.utf8)], as: .octav, options: options)
      programme.sessions[1].day = try #require(CivilDate(date))
      let bytes = try programme.written(as: .ics, zone: .utc, now: WallTime(milliseconds: 0))
      let again = try FestivalProgramme.read([bytes], options: options)
      #expect(again.sessions.map { "\($0.title) \($0.day)" } == ["A 2026-08-03", "B \(date)", "C 2026-08-04"])
    }
  }

  @Test("a day that opens in the small hours stays one day", arguments: FestivalFormat.known)
  func earlyDays(format: FestivalFormat) throws {
    let text = Sample.xml.replacing("start=\"2026-02-07T09:00", with: "start=\"2026-02-07T04:00")
    let programme = try FestivalProgramme.read([Array(text.utf8)], options: Sample.options)
    #expect(programme.festival.days.map { "\($0.date)" } == ["2026-02-07", "2026-02-08"])
    let bytes = try programme.written(as: format, zone: Sample.brussels, now: WallTime(milliseconds: 0))
    var options = Sample.options
    (options.zone, options.name) = (ZoneName("Europe/Brussels"), "Paper Boat")
    let again = try FestivalProgramme.read([bytes], options: options)
    // Tables and calendars have days only where something is.
    let days = [.ics, .csv].contains(format) ? ["2026-02-07"] : ["2026-02-07", "2026-02-08"]
    #expect(again.festival.days.map { "\($0.date)" } == days, "\(format.rawValue)")
  }

  @Test("a room without sessions is kept where the format has a place for rooms", arguments: FestivalFormat.known)
  func unusedRooms(format: FestivalFormat) throws {
    var programme = try FestivalProgramme.read([Array(Sample.xml.utf8)], options: Sample.options)
    let used = programme.festival.rooms
    programme.festival.rooms = [used[0], FestivalRoom(id: RoomID("foyer")!, name: "Foyer")] + used.dropFirst()
    let bytes = try programme.written(as: format, zone: Sample.brussels, now: WallTime(milliseconds: 0))
    var options = Sample.options
    (options.zone, options.name) = (ZoneName("Europe/Brussels"), "Paper Boat")
    let again = try FestivalProgramme.read([bytes], options: options)
    let names = [.ics, .csv].contains(format) ? used.map(\.name) : programme.festival.rooms.map(\.name)
    #expect(again.festival.rooms.map(\.name) == names && again.essence == programme.essence)
  }

  @Test("samples with bytes changed read, or are refused, and what was read makes the same journey")
  func changed() {
    var random = SeededRandom(seed: 12)
    let samples = [Sample.xml, Sample.octavSessions, Sample.calendar, Sample.rows].map { Array($0.utf8) }
    let pieces = ["<", ">", "\"", "&", "\\", "|", "\n", "2026", "03:00", "T", "Z", ",", "{", "}", "0", "é", "\u{0}"]
    for _ in 0..<200 {
      var bytes = samples.randomElement(using: &random)!
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 0...3, using: &random))
        bytes.replaceSubrange(place..<end, with: Array(pieces.randomElement(using: &random)!.utf8))
      }
      FestivalsFuzzing.run(bytes)
    }
  }
}
