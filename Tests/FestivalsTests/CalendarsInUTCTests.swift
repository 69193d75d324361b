import Calendars
import Contracts
import Festivals
import Testing

/// Calendars that tell all their times in UTC, as programs do that know no place.
@Suite("Calendars in UTC")
struct CalendarsInUTCTests {
  private func calendar(_ head: String = "") -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Moss\r\n\(head)BEGIN:VEVENT\r\nUID:a\r\nDTSTART:20261013T013000Z\r\n"
      + "SUMMARY:A\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
  }

  @Test(
    "UTC says nothing of the place, so --zone is asked for and days are the calendar's",
    arguments: ["", "X-WR-TIMEZONE:UTC\r\n", "X-WR-TIMEZONE:Etc/UTC\r\n"])
  func supposed(head: String) throws {
    let programme = try Sample.read(calendar(head))
    #expect(try Sample.lines(programme) == ["10-13 10-13T01:30 none : A"], "no 25:30 of an evening that nobody named")
    #expect(programme.notes.count == 1 && programme.notes[0].contains("--zone"), "\(programme.notes)")
  }

  @Test("a zone that is said, by whoever imports or by the calendar, is taken")
  func said() throws {
    for programme in [
      try Sample.read(calendar(), zone: "America/Los_Angeles"),
      try Sample.read(calendar("X-WR-TIMEZONE:America/Los_Angeles\r\n")),
    ] {
      #expect(try Sample.lines(programme) == ["10-12 10-12T18:30 none : A"] && programme.notes.isEmpty)
    }
    #expect(try Sample.lines(Sample.read(calendar(), zone: "UTC")) == ["10-12 10-13T01:30 none : A"])
  }

  @Test("our own calendar of a festival in UTC comes back as it was")
  func ours() throws {
    let programme = try Sample.read(calendar(), zone: "UTC")
    let zone = try Sample.zones.rules(for: .utc)
    let bytes = try programme.written(as: .ics, zone: zone, now: Sample.instant("2026-01-01T00:00:00Z"))
    let again = try FestivalProgramme.read([bytes], options: Sample.options)
    #expect(Essence.all(of: again) == Essence.all(of: programme))
  }
}
