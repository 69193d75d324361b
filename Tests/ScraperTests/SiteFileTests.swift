import Clocks
import JSON
import Scraper
import ServiceTestKit
import Storage
import Testing

@Suite("Site files")
struct SiteFileTests {
  private static func document(_ expect: String = "", id: String = "mine") -> String {
    """
    { "site": "\(id)", "cinema": "\(id)", "zone": "Asia/Seoul", "adapter": "dtryx",
      "params": { "brand": "indieart", "cinema": "000069" }\(expect.isEmpty ? "" : ", \"expect\": \(expect)") }
    """
  }

  @Test("a folder that cannot be read is a problem, and so is a missing one that was named; any other holds nothing")
  func folders() throws {
    let folder = try TemporaryFolder()
    let none = SiteFolder(folder.file("none"), isNamed: false)
    #expect(none.sites.isEmpty && none.problems.isEmpty)
    let named = SiteFolder(folder.file("none"), isNamed: true)
    #expect(named.problems.count == 1 && named.problems[0].contains("No such file"), "\(named.problems)")
    let file = try folder.write("no folder", to: "file")
    for isNamed in [false, true] {
      let wrong = SiteFolder(file, isNamed: isNamed)
      #expect(wrong.sites.isEmpty && wrong.problems.count == 1, "\(wrong.problems)")
    }
  }

  @Test("more files than are read are a problem, and those that are read count")
  func tooMany() throws {
    let folder = try TemporaryFolder()
    for number in 0..<4 { _ = try folder.write(Self.document(id: "s\(number)"), to: "sites/s\(number).jsonc") }
    let all = SiteFolder(folder.file("sites"), isNamed: true, atMost: 4)
    #expect(all.sites.count == 4 && all.problems.isEmpty)
    let some = SiteFolder(folder.file("sites"), isNamed: true, atMost: 3)
    #expect(some.sites.count == 3 && some.problems.count == 1, "\(some.problems)")
  }

  @Test(
    "a share beyond all and a count below none are refused with what to write",
    arguments: [
      (#"{ "match_ratio": { "min": 80 } }"#, "80 means 8000 %; write 0.8"),
      (#"{ "match_ratio": { "min": 1e18 } }"#, "0...1"), (#"{ "screen_ratio": { "min": -0.1 } }"#, "0...1"),
      (#"{ "drop": { "max": 60 } }"#, "60 means 6000 %; write 0.6"),
      (#"{ "showtimes": { "min": -1 } }"#, "from 0 to 100000"),
      (#"{ "showtimes_per_open_day": { "min": -1 } }"#, "from 0 to 100000"),
    ])
  func bounds(expect: String, advice: String) throws {
    let error = #expect(throws: JSONIssues.self) { try Site(parsing: JSONValue(parsing: Self.document(expect))) }
    #expect("\(try #require(error))".contains(advice), "\(error.map { "\($0)" } ?? "")")
    _ = try Site(parsing: JSONValue(parsing: Self.document(#"{ "match_ratio": { "min": 1 }, "drop": { "max": 0 } }"#)))
  }

  @Test(
    "what is wrong is told with its place, what was written there, and what may be",
    arguments: [
      (#""adapter": "rules""#, "/adapter: must be one of dtryx, structured, ics, rule, not “rules”"),
      (
        #""adapter": "ics", "start": ["a.example"]"#, "/start/0: must be a whole address with https://, not “a.example”"
      ),
      (#""adapter": "ics", "start": ["https://a.example/{day}"]"#, "/start/0: has a part in braces"),
      (
        #""adapter": "rule", "start": ["https://a.example/"], "prefer": ["jsonld"]"#,
        "/prefer: there is no reader jsonld"
      ),
      (
        #""adapter": "rule", "start": ["https://a.example/"], "films": { "each": "li", "shows": { "each": "b" } }"#,
        "/films/title: say where the title stands"
      ),
    ])
  func wording(members: String, told: String) throws {
    let text = #"{ "site": "a", "cinema": "a", "zone": "Europe/London", \#(members) }"#
    let error = #expect(throws: JSONIssues.self) { try Site(parsing: JSONValue(parsing: text.utf8)) }
    let issues = try #require(error).issues.map(\.description)
    #expect(issues.contains { $0.hasPrefix(told) }, "\(issues)")
  }

  @Test("a stored site that this build refuses is left out and told, and the others are served")
  @MainActor
  func storedWrong() async throws {
    let test = try await TestStore()
    let wrong = Self.document(#"{ "match_ratio": { "min": 1e18 } }"#, id: "wrong")
    try await test.store.database.write { db in
      try db.execute(
        "INSERT INTO site (id, origin, document, enabled, position) VALUES ('wrong', 'operator', ?, 1, 0)", [wrong])
      try db.execute("INSERT INTO site_status (site, state, due_at) VALUES ('wrong', 'pending', 0)")
    }
    #expect(try await test.store.sites().map(\.site.id) == [test.site.id])
    let problems = try await test.store.unreadableSites()
    #expect(problems.count == 1 && problems[0].hasPrefix("wrong: "), "\(problems)")
  }

  /// Origins and whether enabled, by site.
  @MainActor
  private func told(_ store: ScraperStore) async throws -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: try await store.sites().map {
        ($0.site.id, "\($0.origin.rawValue) \($0.site.credit) \($0.site.isEnabled)")
      })
  }

  @Test("a file that stood in for a site gives it back when it goes, with what was read, and with who had it enabled")
  @MainActor
  func standIn() async throws {
    let test = try await TestStore()
    _ = try await test.publish("2026-11-22T12:00:00+09:00", [("2026-11-22", [.init(title: "괴물", start: "19:30")])])
    var shipped = SyntheticPlatform.site(id: "shipped", cinema: "shipped").documented
    shipped.isEnabled = false
    let zero = WallTime(milliseconds: 0)
    try await test.store.replace(.shipped, with: [shipped]) { _ in zero }
    let before = try await told(test.store)
    #expect(before == ["shipped": "shipped dtryx false", test.site.id: "operator dtryx true"])
    func file(_ id: String) throws -> Site {
      try Site(
        parsing: JSONValue(
          parsing: """
            { "site": "\(id)", "cinema": "\(id)", "zone": "Asia/Seoul", "adapter": "structured", "credit": "file",
              "start": ["https://\(id).example/"], "enabled": true }
            """))
    }
    let files = [try file("shipped"), try file(test.site.id)]
    for _ in 1...2 { try await test.store.replace(.file, with: files) { _ in zero } }
    #expect(try await told(test.store) == ["shipped": "file file true", test.site.id: "file file true"])
    try await test.store.replace(.shipped, with: [shipped]) { _ in zero }
    #expect(try await told(test.store)["shipped"] == "file file true")
    try await test.store.replace(.file, with: []) { _ in zero }
    #expect(try await told(test.store) == before)
    let day = SyntheticPlatform.visit("2026-11-22T12:00:00+09:00").today
    let stored = try await test.store.schedule(of: [test.site.id], from: day)
    #expect(stored.showtimes[test.site.id]?.count == 1, "what was read of it stays")
  }
}
