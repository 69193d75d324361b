import Calendars
import Contracts
import Festivals
import Testing

/// Schedules whose dates have offsets that their own clocks and zones contradict.
@Suite("Offsets against clocks")
struct OffsetsAgainstClocksTests {
  private func xml(
    _ offset: String, starts: [String] = ["09:00", "11:00"], zone: String? = nil
  ) throws -> FestivalProgramme {
    let events = ["09:00", "11:00"].enumerated().map { place, clock in
      "<event id=\"\(place + 1)\"><date>2026-05-22T\(clock):00\(offset)</date><start>\(starts[place])</start>"
        + "<title>A</title></event>"
    }
    return try Sample.read(
      "<schedule><conference><acronym>moss</acronym><title>M</title></conference><day date=\"2026-05-22\">"
        + "<room name=\"R\">\(events.joined())</room></day></schedule>", zone: zone)
  }

  @Test("a Z behind the clocks of the place is a slip, told once")
  func slip() throws {
    let programme = try xml("Z", zone: "Europe/Berlin")
    #expect(try Sample.lines(programme) == ["05-22 05-22T09:00 none R: A", "05-22 05-22T11:00 none R: A"])
    #expect(programme.notes.count == 1 && programme.notes[0].contains("<start>"), "\(programme.notes)")
  }

  @Test("a Z before clocks of the zone is what it says, and one clock that is another is noted alone")
  func right() throws {
    let programme = try xml("Z", starts: ["11:00", "13:00"], zone: "Europe/Berlin")
    #expect(try Sample.lines(programme) == ["05-22 05-22T11:00 none R: A", "05-22 05-22T13:00 none R: A"])
    #expect(programme.notes.isEmpty)
    #expect(try xml("Z", starts: ["11:00", "11:00"], zone: "Europe/Berlin").notes.count == 1)
  }

  @Test("where all offsets and clocks agree against a zone called UTC, the name is the slip")
  func name() throws {
    func json(_ start: String) throws -> FestivalProgramme {
      try Sample.read(
        """
        {"schedule": {"conference": {"acronym": "moss", "title": "M", "time_zone_name": "UTC", "days": [
          {"date": "2026-12-14", "rooms": {"R": [
            {"id": 1, "date": "2026-12-14T09:00:00+01:00", "start": "\(start)", "title": "A"}]}}]}}}
        """)
    }
    let programme = try json("09:00")
    #expect(programme.festival.zone.text == "Etc/GMT-1")
    #expect(try Sample.lines(programme) == ["12-14 12-14T09:00 none R: A"])
    #expect(programme.notes.count == 1 && programme.notes[0].contains("UTC") && programme.notes[0].contains("--zone"))
    #expect(try json("08:00").festival.zone == .utc && json("08:00").notes.isEmpty)
    #expect(try json("07:00").notes.contains { $0.contains("the date is taken") }, "as in XML")
  }
}
