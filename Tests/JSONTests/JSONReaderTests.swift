import JSON
import Testing

@Suite("Taking fields from JSON")
struct JSONReaderTests {
  @Test("fields come out by type, null and absent alike for optional ones")
  func reads() throws {
    var reader = JSONReader(["note": "x", "rating": 4, "ratio": 2, "tags": ["a", "b"], "none": nil, "on": false])
    #expect(reader.required("note") == "x")
    #expect(reader.required("rating", in: 1...5) == 4)
    #expect(reader.required("ratio", as: Double.self) == 2)
    #expect(reader.optional("tags") == ["a", "b"])
    #expect(reader.optional("none", as: Int.self) == nil)
    #expect(reader.optional("nowhere", as: Int.self) == nil)
    #expect(reader.optional("on") == false)
    try reader.finish()
  }

  @Test("everything that is wrong is told at once, each with its pointer")
  func issues() {
    var reader = JSONReader([
      "rating": 9, "note": 1, "raiting": 1, "place": ["lat": "x"], "list": [["n": 1], ["m": 2], 3], "a/b~c": 1,
    ])
    _ = reader.required("id", as: String.self)
    _ = reader.required("rating", in: 1...5)
    _ = reader.optional("note", as: String.self)
    reader.object("place") { place in
      _ = place.required("lat", as: Double.self)
      _ = place.required("lon", as: Double.self)
    }
    _ = reader.objects("list") { $0.required("n", as: Int.self) }
    let error = #expect(throws: JSONIssues.self) { try reader.finish() }
    #expect(
      error?.issues.map(\.description) == [
        "/id: is missing; give a string", "/rating: must be from 1 to 5", "/note: must be a string, not a number",
        "/place/lat: must be a number, not a string", "/place/lon: is missing; give a number",
        "/list/1/n: is missing; give a whole number", "/list/1/m: unknown field; did you mean n?",
        "/list/2: must be an object, not a number", "/list/2/n: is missing; give a whole number",
        "/raiting: unknown field; did you mean rating?", "/a~1b~0c: unknown field",
      ])
  }

  @Test("a text that is no object is one issue")
  func notAnObject() {
    var reader = JSONReader([1])
    let error = #expect(throws: JSONIssues.self) { try reader.finish() }
    #expect(error?.description == "the text: must be an object, not an array")
  }

  @Test(
    "a suggestion is near or there is none",
    arguments: [
      ("radious_m", "radius_m"), ("lattitude", nil), ("limt", "limit"), ("tilm", "film"), ("DATE", "date"), ("q", "q"),
      ("zzz", nil), ("", nil), ("incldue", "include"),
    ] as [(String, String?)])
  func suggestions(name: String, wanted: String?) {
    #expect(suggestion(for: name, among: ["radius_m", "limit", "film", "date", "q", "include", "lat"]) == wanted)
  }
}
