import Contracts
import Festivals
import Testing

/// Days of a schedule that are named by the date of another place.
@Suite("Days named in UTC")
struct DaysInOtherZonesTests {
  private func xml(_ day: String, events: [String], zone: String = "Asia/Kolkata") throws -> FestivalProgramme {
    let all = events.enumerated().map { "<event id=\"\($0 + 1)\"><date>\($1)</date><title>A</title></event>" }.joined()
    return try Sample.read(
      "<schedule><conference><acronym>moss</acronym><title>M</title><time_zone_name>\(zone)</time_zone_name></conference>"
        + "<day \(day)><room name=\"R\">\(all)</room></day></schedule>")
  }

  private static let inUTC = #"date="2026-09-09" start="2026-09-09T21:30:00+00:00" end="2026-09-10T21:29:59+00:00""#

  @Test("a day that opens on another date of the festival's zone is of that date, and told")
  func opening() throws {
    let programme = try xml(Self.inUTC, events: ["2026-09-10T05:00:00+00:00", "2026-09-10T12:00:00+00:00"])
    #expect(try Sample.lines(programme) == ["09-10 09-10T10:30 none R: A", "09-10 09-10T17:30 none R: A"])
    #expect(programme.festival.days.map { "\($0.date)" } == ["2026-09-10"])
    #expect(programme.notes.contains { $0.contains("2026-09-09") && $0.contains("2026-09-10") }, "\(programme.notes)")
  }

  @Test("a day whose events are all of the next date, beyond its end, is that date")
  func events() throws {
    let programme = try xml(#"date="2026-09-09""#, events: ["2026-09-10T10:30:00+05:30", "2026-09-10T12:30:00+05:30"])
    #expect(programme.sessions.allSatisfy { "\($0.day)" == "2026-09-10" } && programme.notes.count == 1)
  }

  @Test("a day keeps its date where its events are of it, or of its night")
  func kept() throws {
    let day = #"date="2026-09-09" start="2026-09-09T09:00:00+05:30" end="2026-09-10T08:59:00+05:30""#
    for events in [["2026-09-09T10:30:00+05:30", "2026-09-10T06:30:00+05:30"], ["2026-09-10T06:30:00+05:30"]] {
      let programme = try xml(day, events: events)
      #expect(programme.sessions.allSatisfy { "\($0.day)" == "2026-09-09" } && programme.notes.isEmpty)
    }
    let night = try xml(#"date="2026-09-09""#, events: ["2026-09-10T01:30:00+05:30"])
    #expect(night.sessions.allSatisfy { "\($0.day)" == "2026-09-09" } && night.notes.isEmpty)
  }

  @Test("schedule.json is read in the same way")
  func json() throws {
    let programme = try Sample.read(
      """
      {"schedule": {"conference": {"acronym": "moss", "title": "M", "time_zone_name": "Asia/Kolkata", "days": [
        {"date": "2026-09-09", "day_start": "2026-09-09T21:30:00+00:00", "rooms": {"R": [
          {"id": 1, "date": "2026-09-10T05:00:00+00:00", "title": "A"}]}}]}}}
      """)
    #expect(try Sample.lines(programme) == ["09-10 09-10T10:30 none R: A"] && programme.notes.count == 1)
  }
}
