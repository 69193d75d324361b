import Extraction
import Testing

@Suite("Lines of a file's values")
struct JSONPlacesTests {
  private let text = """
    // a site
    { "site": "a",
      "start": ["https://a.example/",
                "b"], /* two
      lines */
      films: { "each": "li }",
        'shows': { "time": {} } },
    }
    """

  @Test(
    "each value is found on its line, and what is missing on that of its object",
    arguments: [
      ("", 2), ("/site", 2), ("/start", 3), ("/start/1", 4), ("/films", 6), ("/films/each", 6),
      ("/films/shows/time", 7),
      ("/films/shows/time/parse", 7), ("/films/title", 6), ("/nothing", 2),
    ])
  func lines(pointer: String, line: Int) {
    #expect(JSONPlaces(Array(text.utf8)).line(of: pointer) == line)
  }

  @Test("a text that is cut off anywhere, or is none, ends")
  func hostile() {
    let bytes = Array(text.utf8)
    for count in bytes.indices { _ = JSONPlaces(Array(bytes[..<count])).line(of: "/films") }
    for wrong in [
      "", "}", "]", "{:}", "{\"a\" }", "[[[", "{a:{a:{", "\"", "/*", String(repeating: "[", count: 100_000),
    ] {
      _ = JSONPlaces(Array(wrong.utf8)).line(of: "/a")
    }
  }
}
