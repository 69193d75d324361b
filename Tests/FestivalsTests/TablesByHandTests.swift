import Calendars
import Clocks
import Contracts
import Festivals
import Testing

/// Tables that people write: days, clocks and lengths as they are printed.
@Suite("Tables by hand")
struct TablesByHandTests {
  /// `10-12 19:30-21:00 A`, one for each session.
  private func sessions(
    _ table: String, zone name: String = "Asia/Seoul"
  ) throws -> (lines: [String], programme: FestivalProgramme) {
    var options = Sample.options
    options.name = "Moss"
    options.zone = ZoneName(name)
    let programme = try FestivalProgramme.read([Array(table.utf8)], options: options)
    let zone = try Sample.zones.rules(for: programme.festival.zone)
    func local(_ instant: WallTime) -> Substring { "\(zone.timestamp(at: instant))".dropFirst(5).prefix(11) }
    let lines = programme.sessions.sorted { ($0.startsAt, $0.title) < ($1.startsAt, $1.title) }.map { session in
      "\(local(session.startsAt)) \(session.endsAt.map { local($0).suffix(5) } ?? "none") \(session.title)"
    }
    return (lines, programme)
  }

  @Test(
    "a length is what its units say, and none where they say nothing that is known",
    arguments: [
      ("90", "11:30"), ("90 min", "11:30"), ("105'", "11:45"), ("1h45", "11:45"), ("1 h 30 min", "11:30"),
      ("1시간 30분", "11:30"), ("1時間半", "11:30"), ("1시간반", "11:30"), ("5400 s", "11:30"), ("1.5 h", "11:30"),
      ("1,5 Std.", "11:30"), ("1 hour and 30 minutes", "11:30"), ("2 heures", "12:00"), ("1:30", "11:30"),
      ("PT2H", "12:00"), ("PT1H33M", "11:33"), ("P0DT1H", "11:00"), ("pt90m", "11:30"), ("PT1H30M0S", "11:30"),
      ("PT", "none"), ("P1M", "none"), ("1.5", "none"),
      ("two hours", "none"), ("90 pages", "none"), ("30 min 1 h", "none"), ("1h 2h", "none"),
    ])
  func lengths(text: String, end: String) throws {
    let (lines, programme) = try sessions("title,day,start,duration,rooms\nA,2025-10-12,10:00,\"\(text)\",R\n")
    #expect(lines == ["10-12T10:00 \(end) A"])
    #expect(programme.notes.contains { $0.contains("the end of A cannot be read") } == (end == "none"))
  }

  @Test(
    "a clock is read as it is printed",
    arguments: ["오후 7시 30분", "19시30분", "午後7時半", "19：30", "19.30 Uhr", "19 h 30", "7:30 pm"])
  func clocks(text: String) throws {
    let lines = try sessions("title,day,start,rooms\nA,2025-10-12,\(text),R\n").lines
    #expect(lines == ["10-12T19:30 none A"])
  }

  @Test(
    "a day is read as it is printed, if it has its year",
    arguments: ["\"Sunday, October 12, 2025\"", "12 Oct 2025", "12. Oktober 2025", "12 octobre 2025", "2025年10月12日(日)"])
  func days(text: String) throws {
    let lines = try sessions("title,day,start,rooms\nA,\(text),19:30,R\n").lines
    #expect(lines == ["10-12T19:30 none A"])
    let unsaid = try sessions("title,day,start,rooms\nA,10月12日(日),19:30,R\nB,2025-10-12,10:00,R\n").programme
    #expect(unsaid.sessions.count == 1 && unsaid.omitted == 1, "nobody says in which year")
  }

  @Test(
    "a start that has its day in words before it is read; one as mails and servers write it is an instant",
    arguments: [
      ("\"July 1, 2026 10:00 AM\"", "07-01T10:00"), ("mercredi 1 juillet 2026 à 20h30", "07-01T20:30"),
      ("1. Juli 2026 um 20.30 Uhr", "07-01T20:30"), ("2026년 7월 1일 오후 7:30", "07-01T19:30"),
      ("2026. 7. 1. 19:30", "07-01T19:30"),
      ("\"Wed, 1 July 2026, 19:30\"", "07-01T19:30"), ("\"Wed, 01 Jul 2026 10:00:00 GMT\"", "07-01T19:00"),
      ("1 Jul 2026 10:00 +0200", "07-01T17:00"), ("2026-07-01 오후 7:30", "07-01T19:30"),
    ])
  func wholeStarts(text: String, start: String) throws {
    #expect(try sessions("title,start,rooms\nA,\(text),R\n").lines == ["\(start) none A"])
  }

  @Test("ends are read in the form of the starts, with a day and as seconds since 1970")
  func ends() throws {
    let lines = try sessions(
      "title,start,end,rooms\nA,10/12/2025 7:30 PM,10/12/2025 9:00 PM,R\nB,10/13/2025 7:30 PM,10/14/2025 12:30 AM,R\n"
        + "C,1760540400,1760547600,R\n", zone: "America/New_York"
    ).lines
    #expect(lines == ["10-12T19:30 21:00 A", "10-13T19:30 00:30 B", "10-15T11:00 13:00 C"])
  }

  @Test("what was withdrawn stands in an organiser's table, and in no programme")
  func withdrawn() throws {
    let (lines, programme) = try sessions(
      "\"ID\",\"Proposal title\",\"Speaker names\",\"Room\",\"Start\",\"End\",\"State\"\n"
        + "1,Talk,Ana,R,2026-05-01T10:00:00+02:00,2026-05-01T11:00:00+02:00,confirmed\n"
        + "2,Gone,Ida,R,2026-05-01T12:00:00+02:00,2026-05-01T13:00:00+02:00,withdrawn\n", zone: "Europe/Berlin")
    #expect(lines == ["05-01T10:00 11:00 Talk"])
    #expect(programme.omitted == 1 && programme.notes.contains { $0.contains("Gone (line 3) is withdrawn") })
  }

  @Test(
    "read again from its own export, what was invented stays so, and tracks and flags are what they were",
    arguments: [FestivalFormat.xml, .json])
  func ownExport(format: FestivalFormat) throws {
    var first = try sessions("title,day,start,rooms,track,flags\nA,2025-10-12,10:00,R,Panorama,gv\n").programme
    first.festival.isDemo = true
    first.festival.tracks[0].id = TrackID("panorama-old")!
    first.sessions[0].track = first.festival.tracks[0].id
    let zone = try Sample.zones.rules(for: first.festival.zone)
    var options = Sample.options
    options.known = first.festival
    let bytes = try first.written(as: format, zone: zone, now: first.sessions[0].startsAt)
    var again = try FestivalProgramme.read([bytes], options: options)
    again.keepMarks(of: first.sessions)
    #expect(again.festival.isDemo && again.festival.tracks.map(\.id.text) == ["panorama-old"])
    #expect(again.sessions.map(\.flags) == [["gv"]] && again.sessions[0].track?.text == "panorama-old")
    var without = try sessions("title,day,start,rooms,track,flags\nA,2025-10-12,10:00,R,Panorama,\n").programme
    without.keepMarks(of: first.sessions)
    #expect(without.sessions.map(\.flags) == [[]], "a table that has a column of flags takes them away")
  }
}
