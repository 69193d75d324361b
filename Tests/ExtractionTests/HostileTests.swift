import Calendars
import Clocks
import Extraction
import Testing

@Suite("Hostile pages")
struct HostileTests {
  /// Read, or refused by name; never a trap. Answers how many steps it took.
  private func survives(_ text: String, _ comment: Comment) {
    do {
      let found = try reading(text)
      #expect(found.trace.steps <= ExtractionLimits.page.steps, comment)
    } catch let error as ExtractionError {
      #expect(!error.description.isEmpty, comment)
    } catch {
      Issue.record(error, comment)
    }
  }

  @Test("a page over the limit is refused before it is looked at")
  func tooLarge() throws {
    let text = String(repeating: "a ", count: 5_250_000)
    #expect(throws: ExtractionError.tooLarge(limit: 10 << 20)) { try reading(text) }
  }

  @Test("elements ten thousand deep are read or refused by name")
  func deep() {
    survives(String(repeating: "<div>", count: 10_000) + "Sat 21 Nov 18:30 Deep", "div")
    survives(String(repeating: "<b>", count: 10_000) + "x", "b")
    survives(String(repeating: "<table><tr><td>", count: 3_000) + "19:30", "tables")
    survives(String(repeating: "[", count: 10_000), "arrays")
    survives(String(repeating: #"{"a":"#, count: 10_000), "objects")
    survives(#"<?xml version="1.0"?>"# + String(repeating: "<a>", count: 10_000), "XML")
    survives(
      "<script type=\"application/ld+json\">" + String(repeating: #"{"@type":"Event","subEvent":"#, count: 5_000),
      "JSON-LD")
  }

  @Test("numbers at the end of their range are read or refused, whatever they are of")
  func extremes() {
    let least = "-9223372036854775808"
    let most = "9223372036854775807"
    let lengths = [
      "\(most):\(most)", "1:\(most)", "\(least):0", "\(most)h \(most)m", "P\(most)DT\(most)H\(most)M",
    ]
    let moments = [
      "Date(\(most),\(most),\(most),\(most))", "/Date(\(most))/", "\(most)-\(most)-\(most)T\(most):\(most)",
      "21/\(most)/2026", "19:30+\(most)",
    ]
    let values = [most, least, "18446744073709551616", "1e308", "-0"] + (lengths + moments).map { "\"\($0)\"" }
    let names = [
      "duration", "runtime", "length", "minutes", "start", "startTime", "start_date", "end", "time", "date", "day",
      "month", "year", "weekday", "hour", "minute", "seats", "available", "price", "offset", "timestamp", "epoch",
    ]
    for value in values {
      for start in [#""startTime":"2026-11-21T19:30""#, #""date":"2026-11-21","time":"19:30""#] {
        let records = names.map { "{\"title\":\"A\",\(start),\"\($0)\":\(value)}" }
        survives("[" + records.joined(separator: ",") + "]", "\(value)")
      }
    }
  }

  @Test("marks and words before a value are levels, too")
  func prefixes() {
    survives(#"{"a":"# + String(repeating: "!", count: 200_000) + "0}", "not")
    survives(#"{"a":"# + String(repeating: "void ", count: 60_000) + "0}", "void")
  }

  @Test("rows of a stream that name each other are no deeper than a value may be")
  func deepRows() {
    let rows = (1...45).map { row in
      "\(String(row, radix: 16)):" + String(repeating: #"{\"a\":"#, count: 250)
        + #"\"$\#(String(row + 1, radix: 16))\""# + String(repeating: "}", count: 250)
    }
    survives(
      #"<script>self.__next_f.push([1,""# + rows.joined(separator: #"\n"#) + #"\n"])</script>"#, "rows in rows")
  }

  @Test("a text that a table names many times is read once")
  func repeatedText() throws {
    func steps(_ names: Int) throws -> Int {
      let members = (0..<names).map { #""m\#($0)":1"# }.joined(separator: ",")
      let text = #""[\""# + String(repeating: "x", count: 200_000) + #"\"]""#
      return try reading("[{\(members)},\(text),0,0,0]").trace.steps
    }
    let (once, often) = (try steps(1), try steps(40))
    #expect(often < once * 4, "\(once) steps for one name, \(often) for 40")
  }

  @Test("many small parts are counted, and the reading ends by name")
  func many() {
    survives("<script>" + String(repeating: "={", count: 40_000) + "</script>", "values that never begin")
    survives("<p>" + String(repeating: "19:30 ", count: 40_000), "times in one text")
    survives(String(repeating: "<i>19:30</i> ", count: 8_000), "times")
    survives(String(repeating: "<a data-date=2026-11-21 href=#x id=x>21</a>", count: 4_000), "dates")
    survives("[" + String(repeating: #"{"start":"2026-11-21T10:00","name":"x"},"#, count: 4_000) + "]", "records")
    survives(String(repeating: "<div itemscope itemtype=Event><b itemprop=name>", count: 1_500), "items")
    survives(String(repeating: "<tr><td rowspan=60 colspan=60>19:30", count: 500), "cells")
  }

  @Test("whether dates follow their times is found once for a part, however many times it has")
  func datesBehindTimes() {
    let words = String(repeating: "<p>word</p>", count: 6_000)
    let times = (0..<400).map { "<p>1\($0 % 10):30 Film \($0)</p><p>24.11.</p>" }.joined()
    let few = (0..<40).map { "<p>1\($0 % 10):30 Film \($0)</p><p>24.11.</p>" }.joined()
    // Looked for from each time, the words alone would cost a third of what the tenth of a page's steps allows.
    let growth = effort("<div>" + words + times + "</div>", "many") - effort("<div>" + words + few + "</div>", "few")
    #expect(growth < 0.25, "\(growth)")
  }

  @Test(
    "twice as many headings cost twice as many steps, wherever they stand",
    arguments: [
      ("<div class=film><h2>Silt #</h2><h3>Sat 21 Nov</h3><p>19:30</p></div>", ""),
      ("<h2>Silt #</h2>", "<p>Sat 21 Nov 19:30</p>"),
      ("<div class=kino><h4>Kino #</h4></div>", "<li>Sat 21 Nov 19:30 Silt #</li>"),
      ("<div class=kino><h3>Kino #</h3><h4>Silt</h4></div>", "<p>Sat 21 Nov</p><b>19:30</b>"),
      ("<section class=venue><h2>Dome #</h2>", "<p>Sat 21 Nov 19:30</p></section>"),
      ("<h3>Fri 20 – Thu 26 Nov #</h3><h4>Silt #</h4>", "<p>19:30</p><p>※11/22休映</p>"),
      ("<h3>August</h3><p>12/10</p>", "<p>Sat 21 Nov 19:30</p>"),
    ])
  func headings(first: String, then: String) throws {
    func steps(_ count: Int) throws -> Int {
      func repeated(_ part: String) -> String {
        (0..<count).map { number in
          part.split(separator: "#", omittingEmptySubsequences: false).joined(separator: "\(number)")
        }
        .joined()
      }
      return try reading("<body>" + repeated(first) + repeated(then)).trace.steps
    }
    let (once, twice) = (try steps(400), try steps(800))
    #expect(twice < once * 5 / 2, "\(once) steps for 400, \(twice) for 800: \(first)")
  }

  /// How much of the steps that a page may take one took; 1 if it was refused for taking more.
  private func effort(_ text: String, _ comment: Comment) -> Double {
    let zones = ZoneDirectory()
    var limits = ExtractionLimits()
    // A tenth of what a page may take: the refusal is the same, and sooner there.
    limits.steps /= 10
    let reader = PageReader(
      zone: .utc, capturedAt: .init(milliseconds: 1_795_132_800_000), zones: zones, limits: limits)
    do {
      let found = try reader.read(Array(text.utf8))
      return Double(found.trace.steps) / Double(limits.steps)
    } catch {
      #expect(!error.description.isEmpty, comment)
      return 1
    }
  }

  @Test("pages of ten megabytes, titles of one and hundreds of thousands of times stay within their steps")
  func huge() {
    let item = "<li class=film><h3>Silt</h3><p>Sat 21 Nov</p><a href=/b>19:30</a></li>"
    let pages: [(String, String)] = [
      (String(repeating: item, count: (10 << 20) / item.utf8.count - 1), "ten megabytes of films"),
      (String(repeating: "<i>19:30</i> ", count: 200_000), "times"),
      ("<p>" + String(repeating: "19:30 ", count: 200_000), "times in one text"),
      ("<h2>Sat 21 Nov</h2><h3>" + String(repeating: "Silt ", count: 200_000) + "</h3><p>19:30", "a long title"),
      (
        "<title>" + String(repeating: "Silt | ", count: 150_000) + "</title><h2>Sat 21 Nov</h2><p>19:30 Silt",
        "a page's"
      ),
      ("<h2>" + String(repeating: "<a>x</a>", count: 100_000) + "</h2><p>Sat 21 Nov 19:30", "links in a heading"),
      (String(repeating: "\n", count: 9 << 20), "blank lines"),
      (
        "<h2>Sat 21 Nov</h2><p>19:30 <a title=\"" + String(repeating: "x", count: 1 << 20) + "\">Silt</a>",
        "an attribute"
      ),
    ]
    for (text, name) in pages { #expect(effort(text, Comment(rawValue: name)) <= 1, Comment(rawValue: name)) }
  }

  @Test(
    "an end that is before its start is no end",
    arguments: [
      #"<?xml version="1.0"?><schedule><event><title>Fair</title><room>1</room><url>/a/b</url><start>2026-11-21</start><end>2026-11-20</end></event></schedule>"#,
      #"{"events":[{"title":"Fair","room":"1","url":"/a/b","startDate":"2026-11-21","endDate":"2026-11-20"}]}"#,
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Fair\nDTSTART;VALUE=DATE:20261121\nDTEND;VALUE=DATE:20261120\nEND:VEVENT\nEND:VCALENDAR",
    ])
  func ends(text: String) throws {
    let found = try reading(text)
    #expect(found.lines == ["2026-11-21 Fair"])
    #expect(found.screenings.first?.end == nil)
  }

  @Test("the limit of steps ends a page with its name")
  func steps() throws {
    let zones = ZoneDirectory()
    var limits = ExtractionLimits()
    limits.steps = 100
    let reader = PageReader(
      zone: .utc, capturedAt: .init(milliseconds: 1_795_132_800_000), zones: zones, limits: limits)
    #expect(throws: ExtractionError.tooMuchWork(limit: 100)) {
      try reader.read(Array(String(repeating: "<p>Sat 21 Nov 19:30 Film</p>", count: 50).utf8))
    }
  }

  @Test("markup in a title is no part of it, and what only looks like markup is")
  func markup() throws {
    let found = try reading(
      ##"{"sessions":[{"title":"Cold <b>Harbour<\/b> &amp;amp; Sons<script>x()<\/script>","start":"2026-11-21T10:00","screen":"1"},"##
        + ##"{"title":"Mail <me@host>","start":"2026-11-21T12:00","screen":"1"}]}"##)
    #expect(found.screenings.map(\.title) == ["Cold Harbour & Sons", "Mail <me@host>"])
  }

  @Test("bytes that are no text are read for what they are")
  func bytes() throws {
    let zones = ZoneDirectory()
    let reader = PageReader(zone: .utc, capturedAt: .init(milliseconds: 1_795_132_800_000), zones: zones)
    var bytes: [UInt8] =
      Array("<h2>Fri 20 Nov</h2><ul><li>19:30 Caf".utf8) + [0xE9, 0xFF, 0x00, 0x80] + Array(" Noir</li></ul>".utf8)
    _ = try reader.read(bytes, as: PageSource(charset: "utf-8"))
    bytes = (0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 167 ^ $0 >> 3) }
    _ = try? reader.read(bytes)
    _ = try? reader.read(bytes, as: PageSource(charset: "utf-16"))
    _ = try? reader.read(bytes, as: PageSource(charset: "no-such-label"))
  }
}
