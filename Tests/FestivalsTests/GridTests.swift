import Calendars
import Clocks
import Contracts
import Festivals
import TestKit
import Testing
import XML

@Suite("A day as a grid")
struct GridTests {
  private let zone = try! Sample.zones.rules(for: ZoneName("Europe/Berlin")!)
  private let day = CivilDate("2026-10-25")!

  private func session(
    _ id: String, _ start: String, _ end: String?, _ rooms: String..., speakers: [String] = []
  ) -> FestivalSession {
    FestivalSession(
      id: SessionID(id)!, title: id, day: day, startsAt: Sample.instant(start), endsAt: end.map(Sample.instant),
      rooms: rooms.map { RoomID($0)! }, speakers: speakers.map { FestivalSpeaker(name: $0) })
  }

  private func programme(_ sessions: [FestivalSession], slot: Int? = nil) -> FestivalProgramme {
    FestivalProgramme(
      festival: Festival(
        id: FestivalID("f")!, name: "F", zone: ZoneName("Europe/Berlin")!, startsOn: day, endsOn: day,
        slotMinutes: slot,
        days: [FestivalDay(date: day)],
        rooms: ["a", "b", "c"].map { FestivalRoom(id: RoomID($0)!, name: $0) }), sessions: sessions)
  }

  private func cells(_ grid: GridDay) -> [String] {
    grid.placed.map {
      "\($0.session.id) \($0.room?.text ?? "-") \($0.rows.lowerBound)-\($0.rows.upperBound) \($0.lane)/\($0.lanes)"
    }
  }

  @Test("rows are as long as all starts and ends allow; rooms without sessions are left out")
  func slots() {
    let grid = GridLayout.grid(
      of: programme([
        session("x", "2026-10-25T10:00:00+01:00", "2026-10-25T10:45:00+01:00", "a"),
        session("y", "2026-10-25T10:20:00+01:00", "2026-10-25T11:00:00+01:00", "c"),
      ]), on: day)
    #expect(grid.slotMinutes == 5 && grid.rows == 12 && grid.rooms.map(\.id.text) == ["a", "c"])
    #expect(cells(grid) == ["x a 0-9 0/1", "y c 4-12 0/1"])
    let odd = GridLayout.grid(
      of: programme([session("x", "2026-10-25T10:07:00+01:00", "2026-10-25T10:44:00+01:00", "a")], slot: 15), on: day)
    #expect(odd.slotMinutes == 1 && odd.rows == 37)
  }

  @Test(
    "of two that begin at once in a room one is wrong, whenever they end; what follows one without an end may be right")
  func endless() {
    let findings = programme([
      session("x", "2026-10-25T19:00:00+01:00", nil, "a"), session("y", "2026-10-25T19:00:00+01:00", nil, "a"),
      session("z", "2026-10-25T19:10:00+01:00", nil, "a"),
      session("w", "2026-10-25T19:00:00+01:00", "2026-10-25T20:00:00+01:00", "b"),
      session("v", "2026-10-25T19:00:00+01:00", nil, "b"),
    ]).findings.filter { $0.rule == "room-overlap" }.map { $0.sessions.map(\.text).sorted().joined(separator: " ") }
    #expect(findings == ["x y", "v w"])
  }

  @Test("what has no room yet is told in a column of its own, behind all rooms, and in no room's")
  func roomless() {
    let day = programme([
      session("x", "2026-10-25T10:00:00+01:00", "2026-10-25T11:00:00+01:00"),
      session("y", "2026-10-25T10:00:00+01:00", "2026-10-25T11:00:00+01:00", "b"),
      session("z", "2026-10-25T10:30:00+01:00", "2026-10-25T11:30:00+01:00"),
    ])
    let grid = GridLayout.grid(of: day, on: self.day)
    #expect(cells(grid) == ["y b 0-2 0/1", "x - 0-2 0/2", "z - 1-3 1/2"] && grid.rooms.map(\.id.text) == ["b"])
    #expect(cells(GridLayout.grid(of: day, on: self.day, room: RoomID("b"))) == ["y b 0-2 0/1"])
  }

  @Test("what overlaps in a room stands in lanes, and what does not is whole again")
  func lanes() {
    let grid = GridLayout.grid(
      of: programme([
        session("x", "2026-10-25T10:00:00+01:00", "2026-10-25T12:00:00+01:00", "a"),
        session("y", "2026-10-25T10:30:00+01:00", "2026-10-25T11:00:00+01:00", "a"),
        session("z", "2026-10-25T11:00:00+01:00", "2026-10-25T11:30:00+01:00", "a"),
        session("w", "2026-10-25T12:00:00+01:00", "2026-10-25T12:30:00+01:00", "a"),
      ]), on: day)
    #expect(cells(grid) == ["x a 0-4 0/2", "y a 1-2 1/2", "z a 2-3 1/2", "w a 4-5 0/1"])
  }

  @Test("one session in several rooms has a cell in each; after midnight is below the evening; gaps are told")
  func roomsAndNights() {
    let grid = GridLayout.grid(
      of: programme([
        session("x", "2026-10-25T10:00:00+01:00", "2026-10-25T11:00:00+01:00", "b", "a"),
        session("y", "2026-10-26T00:30:00+01:00", "2026-10-26T02:00:00+01:00", "a"),
      ]), on: day)
    #expect(cells(grid) == ["x a 0-2 0/1", "x b 0-2 0/1", "y a 29-32 0/1"])
    #expect(grid.gaps == [2, 29] && grid.slotMinutes == 30)
  }

  @Test("the night in which the clocks go back is an hour longer")
  func clocks() {
    let grid = GridLayout.grid(
      of: programme([
        session("x", "2026-10-25T01:00:00+02:00", "2026-10-25T02:30:00+02:00", "a"),
        session("y", "2026-10-25T02:30:00+01:00", "2026-10-25T03:00:00+01:00", "a"),
      ]), on: day)
    #expect(cells(grid) == ["x a 0-3 0/1", "y a 5-6 0/1"])
  }

  @Test("one room or one track alone; a day without sessions is an empty grid")
  func filters() {
    var other = session("y", "2026-10-25T12:00:00+01:00", nil, "a")
    other.track = TrackID("t")
    let both = programme([session("x", "2026-10-25T10:00:00+01:00", "2026-10-25T11:00:00+01:00", "a", "b"), other])
    #expect(cells(GridLayout.grid(of: both, on: day, room: RoomID("b"))) == ["x b 0-2 0/1"])
    let track = GridLayout.grid(of: both, on: day, track: TrackID("t"))
    #expect(cells(track) == ["y a 0-1 0/1"] && track.cells[0].session.endsAt == nil)
    #expect(GridLayout.grid(of: both, on: day + 1).rows == 0)
  }

  @Test("what cannot be and what is tight is found; cancelled sessions are in nobody's way")
  func findings() {
    var sessions = [
      session("x", "2026-10-25T10:00:00+01:00", "2026-10-25T11:00:00+01:00", "a", speakers: ["Ada"]),
      session("y", "2026-10-25T10:30:00+01:00", "2026-10-25T11:30:00+01:00", "a", speakers: ["Ada"]),
      session("z", "2026-10-25T11:35:00+01:00", "2026-10-25T12:00:00+01:00", "a"),
      session("w", "2026-10-25T12:10:00+01:00", nil, "a"),
    ]
    sessions[2].runtimeMinutes = 90
    let rules = programme(sessions).findings.map { "\($0.rule) \($0.sessions.map(\.text).joined(separator: " "))" }
    #expect(Set(rules) == ["room-overlap x y", "speaker-twice x y", "turn-round y z", "film-too-long z", "no-end w"])
    sessions[1].isCancelled = true
    #expect(!programme(sessions).findings.contains { $0.rule == "room-overlap" || $0.rule == "speaker-twice" })
  }

  @Test("where everything is at the same time, the findings end, and say so")
  func manyFindings() {
    let sessions = (0..<100).map { number in
      session("s\(number)", "2026-10-25T10:00:00+01:00", "2026-10-25T11:00:00+01:00", "a", speakers: ["Ada"])
    }
    let findings = programme(sessions).findings
    #expect(findings.count == FestivalProgramme.findingsMax + 1)
    #expect(findings.last?.rule == "too-many" && findings.count { $0.rule == "too-many" } == 1)
    #expect(SessionConflict.all(among: sessions).count == SessionConflict.conflictsMax)
    // 45 pairs in the room, and as many of the speaker.
    #expect(programme(Array(sessions.prefix(10))).findings.count == 90)
  }

  @Test("who asks for no day gets today, the next one, or the last")
  func days() {
    var festival = programme([]).festival
    festival.days = [FestivalDay(date: day), FestivalDay(date: day + 2)]
    #expect(festival.day(at: Sample.instant("2026-10-01T12:00:00+02:00"), in: zone) == day)
    // Three in the night is still the evening's day.
    #expect(festival.day(at: Sample.instant("2026-10-26T03:00:00+01:00"), in: zone) == day)
    #expect(festival.day(at: Sample.instant("2026-10-26T06:00:00+01:00"), in: zone) == day + 2)
    #expect(festival.day(at: Sample.instant("2027-01-01T06:00:00+01:00"), in: zone) == day + 2)
  }
}

@Suite("Maps of floors")
struct FloorMapTests {
  private let festival = Festival(
    id: FestivalID("f")!, name: "F", zone: .utc, startsOn: CivilDate("2026-01-01")!, endsOn: CivilDate("2026-01-01")!,
    rooms: [FestivalRoom(id: RoomID("hall-1")!, name: "Hall <1>"), FestivalRoom(id: RoomID("hall-2")!, name: "Two")])

  private func clean(_ inner: String) throws -> (svg: String, rooms: [RoomID]) {
    let svg =
      "<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\" onload=\"x()\">\(inner)</svg>"
    return try FloorMap.clean(Array(svg.utf8), of: festival)
  }

  @Test("rooms become links, by data-room, by id or by name")
  func links() throws {
    let map = try clean(
      "<g data-room=\"hall-1\"><rect width=\"3\" height=\"3\"/></g><rect id=\"room-hall-2\" width=\"1\"/>")
    #expect(map.rooms.map(\.text) == ["hall-1", "hall-2"])
    #expect(
      map.svg.contains(
        "<a href=\"/festivals/f?screen=hall-1\" target=\"_top\"><g data-room=\"hall-1\"><title>Hall &lt;1&gt;</title>"))
  }

  @Test(
    "nothing that acts or is fetched from elsewhere is left",
    arguments: [
      "<script>alert(1)</script>", "<rect onclick=\"x()\" width=\"1\"/>", "<a href=\"javascript:x()\"><rect/></a>",
      "<foreignObject><p xmlns=\"http://www.w3.org/1999/xhtml\">x</p></foreignObject>",
      "<style>@import url(//evil)</style>",
      "<image href=\"https://evil.example/x.png\"/>", "<use href=\"https://evil.example/x.svg#a\"/>",
      "<rect fill=\"url(https://evil.example/x)\"/>", "<rect style=\"background:url(//evil)\"/>",
      "<animate attributeName=\"href\" to=\"javascript:x()\"/>", "<set attributeName=\"onclick\" to=\"x()\"/>",
      "<rect fill=\"u\\72l(//evil)\"/>", "<iframe src=\"//evil\"/>",
      "<rect style=\"fill:url(//evil);stroke:u\\72l(//evil);color:expression(alert(1));fill:x()\"/>",
      "<style>rect{fill:url(https://evil);stroke:image(evil);behavior:url(#evil)}</style><rect class='evil'/>",
      "<style>@import url(//evil);rect{fill:var(--evil)}</style><rect style='--evil:url(//evil);fill:url(\"//evil\")'/>",
    ])
  func hostile(inner: String) throws {
    let svg = try clean(inner + "<path d=\"M0 0h1\" fill=\"url(#g)\"/>").svg.lowercased()
    for word in [
      "script", "evil", "onclick", "onload", "alert", "import", "x()", "iframe", "animate", "foreign", "<a ",
    ] {
      #expect(!svg.contains(word), "\(word) in \(svg)")
    }
    #expect(svg.contains("<path d=\"m0 0h1\" fill=\"url(#g)\"/>"))
  }

  @Test("what styles say of colours, lines and letters is kept, and is stronger than attributes")
  func styles() throws {
    let inkscape = try clean(
      "<rect id='a' inkscape:label='Two' fill='red' style='fill:#eee; STROKE : rgb(1,2,3);fill-opacity:1 !important;"
        + "-inkscape-x:y'/><text style='font-size:6px;font-family:&quot;Noto Sans&quot;'>T</text>")
    #expect(
      inkscape.svg.contains("<rect id=\"a\" fill=\"#eee\" fill-opacity=\"1\" stroke=\"rgb(1,2,3)\">"),
      "\(inkscape.svg)")
    #expect(inkscape.svg.contains("font-family=\"&quot;Noto Sans&quot;\" font-size=\"6px\""), "\(inkscape.svg)")
    #expect(inkscape.rooms.map(\.text) == ["hall-2"])
    let illustrator = try clean(
      """
      <defs><style type="text/css"><![CDATA[
        @import "x.css"; @media print { .a { fill: blue } } .a, .b > .c, #d{fill:#fdd;/* ; */stroke:url(#g)}
        path{stroke-width:2;fill:none} .a{opacity:.5} #d{fill:#def}
      ]]></style></defs><path class="z a" d="M0 0h1"/><path id="d" class="a" d="M1 0h1"/><path d="M2 0h1"/>
      """
    ).svg
    for path in [
      "<path d=\"M0 0h1\" fill=\"#fdd\" opacity=\".5\" stroke=\"url(#g)\" stroke-width=\"2\"/>",
      "<path id=\"d\" d=\"M1 0h1\" fill=\"#def\" opacity=\".5\" stroke=\"url(#g)\" stroke-width=\"2\"/>",
      "<path d=\"M2 0h1\" fill=\"none\" stroke-width=\"2\"/>",
    ] {
      #expect(illustrator.contains(path), "\(path) in \(illustrator)")
    }
  }

  @Test("one rule for very many shapes is refused before it fills the memory")
  func manyStyled() {
    let rule = "<style>g{font-family:\(String(repeating: "a", count: 190))}</style>"
    let shapes = String(repeating: "<g/>", count: 100_000)
    #expect { try self.clean(rule + shapes + "<path d=\"M0 0h1\"/>") } throws: { "\($0)".contains("styles") }
  }

  @Test("the prefix that the root has is SVG's, and another one is not")
  func prefixes() throws {
    let svg = "<ns0:svg viewBox='0 0 1 1'><ns0:g><ns0:path d='M0 0h1'/><x:rect width='1'/></ns0:g></ns0:svg>"
    let map = try FloorMap.clean(Array(svg.utf8), of: festival).svg
    #expect(map.contains("<g><path d=\"M0 0h1\"/></g>") && !map.contains("ns0") && !map.contains("rect"))
  }

  @Test(
    "a map of which nothing is left to see is refused",
    arguments: ["", "<image href=\"a.png\"/>", "<g><title>x</title></g>", "<defs><rect width=\"1\"/></defs>"])
  func empty(inner: String) throws {
    #expect(throws: ProgrammeError.self) { try clean(inner) }
  }

  @Test("what is no drawing is refused with a sentence")
  func refused() {
    for text in [
      "", "<html/>", "<svg/>", "<svg viewBox='0 0 1 1'>", "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg viewBox='0 0 1 1'/>",
    ] {
      #expect(throws: ProgrammeError.self) { try FloorMap.clean(Array(text.utf8), of: festival) }
    }
  }
}

@Suite("XML")
struct XMLTests {
  @Test("text goes on behind comments and sections, however many there are")
  func text() throws {
    let root = try XMLElement(parsing: Array("<a>x<!-- c -->y<![CDATA[<z>]]><b/>w</a>".utf8))
    #expect(root.children == [.text("xy<z>"), .element(XMLElement("b")), .text("w")])
    let many = "<a>" + String(repeating: "ab<!---->", count: 20_000) + "</a>"
    let long = try XMLElement(parsing: Array(many.utf8))
    #expect(long.children.count == 1 && long.text.utf8.count == 40_000)
  }
}
