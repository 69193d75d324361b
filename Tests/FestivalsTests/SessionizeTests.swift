import Calendars
import Contracts
import Festivals
import Testing

/// The views that Sessionize's API answers with.
@Suite("Sessionize")
struct SessionizeTests {
  private func read(_ text: String) throws -> FestivalProgramme {
    var options = Sample.options
    (options.name, options.zone) = ("Moss", ZoneName("Europe/Vienna"))
    return try FestivalProgramme.read([Array(text.utf8)], options: options)
  }

  private static let expected = [
    "05-01 05-01T09:00 09:45 Attic: A / Moss / Ada Quill / Tom", "05-01 05-01T12:00 13:00 Hall: Lunch",
  ]

  private static let all = """
    {"sessions": [
      {"id": "11", "title": "A", "startsAt": "2026-05-01T09:00:00", "endsAt": "2026-05-01T09:45:00", "roomId": 7,
       "isServiceSession": false, "isPlenumSession": false, "speakers": ["u-1", "u-2"], "categoryItems": [31, 32]},
      {"id": "12", "title": {"de": "Mittag", "en": "Lunch"}, "startsAt": "2026-05-01T12:00:00",
       "endsAt": "2026-05-01T13:00:00", "roomId": 8, "isServiceSession": true, "speakers": []}],
     "speakers": [{"id": "u-1", "firstName": "Ada", "fullName": "Ada Quill"}, {"id": "u-2", "fullName": "Tom"}],
     "rooms": [{"id": 8, "name": "Hall"}, {"id": 7, "name": "Attic"}],
     "categories": [{"id": 3, "title": "Level", "items": [{"id": 32, "name": "Deep"}]},
                    {"id": 4, "title": "Track", "items": [{"id": 31, "name": "Moss"}]}]}
    """

  private static let sessions = """
    {"id": "11", "title": "A", "startsAt": "2026-05-01T09:00:00", "endsAt": "2026-05-01T09:45:00", "roomId": 7,
     "room": "Attic", "isPlenumSession": false,
     "speakers": [{"id": "u-1", "name": "Ada Quill"}, {"id": "u-2", "name": "Tom"}],
     "categories": [{"id": 4, "name": "Track", "categoryItems": [{"id": 31, "name": "Moss"}]}]}
    """

  private static let lunch = """
    {"id": "12", "title": "Lunch", "startsAt": "2026-05-01T12:00:00", "endsAt": "2026-05-01T13:00:00", "roomId": 8,
     "room": "Hall", "isPlenumSession": true, "speakers": [], "categories": []}
    """

  @Test(
    "each view is the same programme",
    arguments: [
      all, "[{\"groupName\": \"All\", \"sessions\": [\(sessions), \(lunch)]}]",
      """
      [{"date": "2026-05-01T00:00:00", "rooms": [{"id": 8, "name": "Hall", "sessions": [\(lunch)]},
        {"id": 7, "name": "Attic", "sessions": [\(sessions)]}],
        "timeSlots": [{"slotStart": "09:00:00", "rooms": [{"id": 7, "session": \(sessions)}]}]}]
      """,
    ])
  func views(text: String) throws {
    let programme = try read(text)
    #expect(try Sample.lines(programme) == Self.expected)
    #expect(programme.sessions.map(\.id.text) == ["11", "12"] && programme.notes.isEmpty, "\(programme.notes)")
    #expect(throws: ProgrammeError.self, "nobody says the zone") { try Sample.read(text) }
  }

  @Test("a room or a speaker of whom there is only a number is none, and told")
  func numbers() throws {
    let programme = try read(
      Self.all.replacing("\"u-2\", \"fullName\"", with: "\"u-3\", \"fullName\"").replacing(
        "\"id\": 8", with: "\"id\": 9"))
    #expect(
      try Sample.lines(programme) == [
        "05-01 05-01T09:00 09:45 Attic: A / Moss / Ada Quill", "05-01 05-01T12:00 13:00 : Lunch",
      ])
    #expect(programme.notes.contains { $0.contains("8, u-2") }, "\(programme.notes)")
  }
}
