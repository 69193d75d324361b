import Contracts
import Festivals
import Testing

/// People of events, in the forms that programs give them.
@Suite("People of events")
struct PersonsTests {
  private func xml(_ events: String...) throws -> FestivalProgramme {
    let all = events.enumerated().map { place, people in
      "<event id=\"\(place + 1)\"><start>15:00</start><duration>2:00</duration><title>E\(place + 1)</title>\(people)</event>"
    }
    let rooms = all.enumerated().map { "<room name=\"\($0)\">\($1)</room>" }.joined()
    return try Sample.read(
      "<schedule><conference><acronym>moss</acronym><title>M</title><time_zone_name>Europe/Berlin</time_zone_name>"
        + "</conference><day date=\"2026-05-22\">\(rooms)</day></schedule>")
  }

  @Test(
    "people are read wherever they stand",
    arguments: [
      "<persons><person>Ada Quill</person></persons>", "<person>Ada Quill</person>", "<presenter>Ada Quill</presenter>",
      "<speakers><speaker><name>Ada Quill</name></speaker></speakers>",
      "<speakers><speaker>Ada Quill</speaker></speakers>",
    ])
  func places(people: String) throws {
    let programme = try xml(people)
    #expect(programme.sessions[0].speakers.map(\.name) == ["Ada Quill"] && programme.notes.isEmpty)
  }

  @Test("one text of several names is parted where each part is a whole name, and else stays one, which is noted")
  func commas() throws {
    let parted = try xml("<person>Dr. Ada Quill, Tom Reed</person>")
    #expect(parted.sessions[0].speakers.map(\.name) == ["Dr. Ada Quill", "Tom Reed"] && parted.notes.isEmpty)
    for text in ["Tom Reed, Jr.", "Quill, Ada", "Tom Reed, PhD"] {
      let whole = try xml("<person>\(text)</person>")
      #expect(whole.sessions[0].speakers.map(\.name) == [text] && whole.notes.count == 1, "\(whole.notes)")
    }
    #expect(try xml("<moderators>Ada Quill</moderators>").notes.contains { $0.contains("<moderators>") })
  }

  @Test("an id that several people have is nobody's, and who has another name is somebody else")
  func sharedIDs() throws {
    func person(_ id: Int, _ name: String) -> String { "<persons><person id=\"\(id)\">\(name)</person></persons>" }
    let shared = try xml(person(0, "Ada Quill"), person(0, "Tom Reed"), person(7, "Rin"), person(7, "Rin"))
    #expect(shared.sessions.flatMap(\.speakers).map(\.id) == [nil, nil, "7", "7"])
    #expect(shared.notes.contains { $0.contains("id 0") }, "\(shared.notes)")
    #expect(
      shared.findings.filter { $0.rule == "speaker-twice" }.map(\.text) == ["Rin is in two sessions for 120 minutes"])
  }
}
