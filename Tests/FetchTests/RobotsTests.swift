import Clocks
import Fetch
import Testing

@Suite("RobotsTxt")
struct RobotsTests {
  private func robots(_ text: String) -> RobotsTxt { RobotsTxt(parsing: Array(text.utf8)) }

  @Test(
    "the longest rule decides, and of two equally long ones the one that allows",
    arguments: [
      ("Disallow: /", "/x", false), ("Disallow:", "/x", true), ("", "/x", true), ("Disallow: /x", "/xy", false),
      ("Disallow: /x", "/y", true),
      ("Allow: /p\nDisallow: /", "/page", true), ("Allow: /folder\nDisallow: /folder", "/folder/page", true),
      ("Allow: /page\nDisallow: /*.htm", "/page.htm", false), ("Allow: /$\nDisallow: /", "/", true),
      ("Allow: /$\nDisallow: /", "/page.htm", false),
      ("Disallow: /fish", "/Fish.asp", true), ("Disallow: /fish*", "/fishheads", false),
      ("Disallow: /fish/", "/fish", true),
      ("Disallow: /*.php", "/folder/filename.php?parameters", false), ("Disallow: /*.php$", "/filename.php?x", true),
      ("Disallow: /*.php$", "/a.php", false),
      ("Disallow: /fish*.php", "/fishheads/catfish.php?x", false), ("Disallow: /fish*.php", "/Fish.PHP", true),
      ("Disallow: *", "/a", false),
      ("Disallow: /a**b", "/axb", false), ("Disallow: /a*b*c$", "/aXbXcXc", false),
      ("Disallow: /a*b*c$", "/aXbXcX", true), ("Disallow: /*$", "/", false),
      ("Disallow: /%ED%95%9C", "/한", false), ("Disallow: /한", "/%ed%95%9c", false), ("Disallow: /a%2Fb", "/a/b", true),
      ("Disallow: /%7Ejoe", "/~joe", false),
      ("Disallow: /a%2A", "/a*", false), ("Disallow: /a%2A", "/ab", true), ("Disallow: /a%24", "/a$", false),
      ("Disallow: /x$y", "/x$y", true),
      ("Disallow: /", "/robots.txt", true), ("disallow : /x # why", "/x", false),
      ("Disallow: /x\rAllow: /x/y", "/x/y", true), ("Noindex: /", "/x", true),
      ("Disallow: /x?a=1", "/x?a=1&b", false), ("Disallow: $", "/", true), ("Allow: /x\nDisallow: /x$", "/x", false),
    ])
  func rules(rules: String, path: String, isAllowed: Bool) {
    #expect(robots("User-agent: *\n" + rules).allows(path, agent: "OdiBot") == isAllowed)
  }

  @Test("the groups that name a robot are its own, the rest are for everybody")
  func groups() {
    let text = """
      User-agent: *
      Disallow: /all
      Crawl-delay: 1

      User-agent: OdiBot/0.1
      User-agent: other
      Sitemap: https://a.example/map
      Disallow: /odi
      Crawl-delay: 2.5
      User-agent: ODIBOT
      Disallow: /more
      """
    let robots = robots(text)
    #expect(
      !robots.allows("/odi", agent: "odibot") && !robots.allows("/more", agent: "OdiBot")
        && robots.allows("/all", agent: "OdiBot"))
    #expect(!robots.allows("/odi", agent: "other") && robots.allows("/more", agent: "other"))
    #expect(!robots.allows("/all", agent: "third") && robots.allows("/odi", agent: "third"))
    #expect(robots.crawlDelay(agent: "OdiBot") == .seconds(2.5) && robots.crawlDelay(agent: "third") == .seconds(1))
    #expect(robots.allows("/odi", agent: "OdiBotAndMore"))
  }

  @Test("a byte order mark, carriage returns and rules before any group do no harm")
  func oddities() {
    let robots = RobotsTxt(
      parsing: [0xEF, 0xBB, 0xBF] + Array("Disallow: /a\r\nUser-agent: *\r\nDisallow: /b\r\n".utf8))
    #expect(robots.allows("/a", agent: "x") && !robots.allows("/b", agent: "x"))
    #expect(self.robots("<html>User-agent: *\nDisallow: /</html>").allows("/", agent: "x"))
    #expect(
      self.robots("User-agent: *\nCrawl-delay: 1e400\nCrawl-delay: nan\nCrawl-delay: -1").crawlDelay(agent: "x")
        == .seconds(3_600))
  }

  @Test("only the first 500 KiB count, and the line that is cut there does not")
  func size() {
    let filler = String(repeating: "# filler\n", count: 600 << 10 / 9)
    #expect(robots("User-agent: *\nDisallow: /a\n" + filler).allows("/a", agent: "x") == false)
    #expect(
      robots(String(repeating: "#\n", count: 300 << 10) + "User-agent: *\nDisallow: /a\n").allows("/a", agent: "x"))
    let head = "User-agent: *\n" + String(repeating: "#", count: (500 << 10) - 14 - 1 - 10) + "\n"
    #expect(robots(head + "Disallow: /abcdef\n").allows("/abc", agent: "x"))
  }

  @Test(
    "what the file's absence means",
    arguments: [
      (.response(status: 404, body: []), true), (.response(status: 401, body: []), true),
      (.response(status: 403, body: []), true),
      (.tooManyRedirects, true), (.response(status: 500, body: []), false), (.response(status: 503, body: []), false),
      (.unreachable, false),
      (.response(status: 429, body: []), false),
      (.response(status: 200, body: Array("User-agent: *\nDisallow: /".utf8)), false),
      (.response(status: 200, body: []), true), (.response(status: 304, body: []), true),
    ] as [(RobotsRecord.Answer, Bool)])
  func absence(answer: RobotsRecord.Answer, isAllowed: Bool) {
    var record = RobotsRecord()
    let now = WallTime(milliseconds: 1_790_000_000_000)
    #expect(record.isDue(at: now) && !record.rules(at: now).allows("/x", agent: "a"))
    record.learn(answer, at: now)
    #expect(record.rules(at: now).allows("/x", agent: "a") == isAllowed)
  }

  @Test("what a site said holds for a day, while it is unreachable for thirty, and then nothing is fetched")
  func age() {
    func after(_ hours: Int64) -> WallTime { WallTime(milliseconds: 1_790_000_000_000 + hours * 3_600_000) }
    var record = RobotsRecord()
    record.learn(.response(status: 200, body: Array("User-agent: *\nDisallow: /no".utf8)), at: after(0))
    #expect(!record.isDue(at: after(23)) && record.isDue(at: after(24)))
    record.learn(.unreachable, at: after(24))
    #expect(!record.isDue(at: after(24)) && record.isDue(at: after(25)))
    #expect(
      record.rules(at: after(25)).allows("/yes", agent: "a") && !record.rules(at: after(25)).allows("/no", agent: "a"))
    record.learn(.response(status: 503, body: []), at: after(30 * 24))
    #expect(record.rules(at: after(30 * 24)).allows("/yes", agent: "a"))
    #expect(!record.rules(at: after(30 * 24 + 1)).allows("/yes", agent: "a"))
    record.learn(.response(status: 404, body: []), at: after(800))
    #expect(record.rules(at: after(800)).allows("/no", agent: "a"))
    #expect(record.rules(at: after(-800)).allows("/no", agent: "a"))
  }

  @Test(
    "a file is asked for again when its site says so, after a minute at the soonest and a day at the latest",
    arguments: [
      (nil, 86_400), (.seconds(0), 60), (.seconds(60), 60), (.seconds(3_600), 3_600), (.seconds(1 << 32), 86_400),
    ] as [(Duration?, Int64)])
  func freshness(says: Duration?, holds seconds: Int64) {
    func after(_ seconds: Int64) -> WallTime { WallTime(milliseconds: 1_790_000_000_000 + seconds * 1_000) }
    var record = RobotsRecord()
    record.learn(.response(status: 200, body: [], freshFor: says), at: after(0))
    #expect(!record.isDue(at: after(seconds - 1)) && record.isDue(at: after(seconds)))
    #expect(record.dueAt == after(seconds))
    // One that often changes is asked again as often when it cannot be had, but not each minute.
    record.learn(.unreachable, at: after(seconds))
    let pause = min(max(seconds, 120), 3_600)
    #expect(!record.isDue(at: after(seconds + pause - 1)) && record.isDue(at: after(seconds + pause)))
  }

  @Test(
    "max-age is found among what else a site says to caches",
    arguments: [
      ("max-age=60", 60), ("public, Max-Age=\"3600\" , must-revalidate", 3_600), ("s-maxage=5,max-age = 7", 7),
      ("no-cache", nil), ("max-age=-1", nil), ("max-age=", nil), ("max-age=99999999999", nil), ("", nil),
    ] as [(String, Int64?)])
  func maxAge(field: String, seconds: Int64?) {
    #expect(RobotsRecord.maxAge(field) == seconds.map { .seconds($0) })
  }

  @Test("random files are read, and hostile ones in time that their size allows", arguments: [1 as UInt64, 2])
  func random(seed: UInt64) {
    var generator = SeededRandom(seed: seed)
    let parts = [
      "User-agent:", "Disallow:", "Allow:", "Crawl-delay:", "*", "$", "/", "a", "%2", "%ff", "\n", "\r", " ", ":", "#",
      "\u{0}", "9",
    ]
    for _ in 0..<1_000 {
      let text = (0..<Int(generator.next() % 40)).map { _ in parts[Int(generator.next() % UInt64(parts.count))] }
        .joined()
      _ = robots(text).allows("/" + text, agent: "a")
      _ = robots(text).crawlDelay(agent: "*")
    }
    let stars = robots("User-agent: *\nDisallow: /" + String(repeating: "a*", count: 500) + "b")
    #expect(stars.allows("/" + String(repeating: "a", count: 2_000), agent: "x"))
  }
}

extension RobotsTxt {
  fileprivate func allows(_ target: String, agent: String) -> Bool { decision(on: target, agent: agent).isAllowed }
}
