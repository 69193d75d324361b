import Calendars
import Clocks
import Extraction
import JSON
import Testing

@Suite("Site rules")
struct SiteRuleTests {
  private static let page = """
    <ul class="cal"><li data-date="2026-11-21">토</li></ul>
    <section class="film"><h3>미망</h3><span class="tag">자막</span><ol class="times">
      <li><time>10:30</time><b class="scr">1관</b><a href="/b/1">예매</a></li>
      <li class="full"><time>24:30</time><b class="scr">2관</b><i class="mark">GV</i></li></ol></section>
    <section class="film"><h3>장손</h3><ol class="times"><li><time>13:00</time></li></ol></section>
    """
  private static let text = """
    { "site":"somewhere", "cinema":"somewhere", "zone":"Asia/Seoul", // a comment
      "start":["https://cinema.example/schedule?d={date:yyyyMMdd}"],
      "days":{"each":"ul.cal li","date":{"attr":"@data-date"},"closed":{"has_class":"off"}},
      "films":{"each":"section.film","title":{"text":"h3"},"notes":{"text":".tag","all":true},
        "shows":{"each":"ol.times > li","time":{"text":"time","parse":"clock30"},"screen":{"text":".scr"},
                 "booking":{"attr":"a@href","resolve":true},"sold_out":{"has_class":"full"},"notes":{"text":".mark","all":true}}}, }
    """

  private func reader() throws -> PageReader {
    let zones = ZoneDirectory()
    return PageReader(
      zone: try zones.rules(for: #require(ZoneName("Asia/Seoul"))),
      capturedAt: try #require(Timestamp("2026-11-20T09:00:00+09:00")).instant, zones: zones)
  }

  @Test("a rule reads days, films and shows by its selectors")
  func runs() throws {
    let rule = try SiteRule.parse(Array(Self.text.utf8))
    let report = try reader().run(
      rule, on: Array(Self.page.utf8), as: PageSource(url: "https://cinema.example/schedule"))
    #expect(
      report.extraction.lines == [
        "2026-11-21T10:30:00+09:00 미망", "2026-11-21T13:00:00+09:00 장손", "2026-11-22T00:30:00+09:00 미망",
      ])
    let first = try #require(report.extraction.screenings.first)
    #expect(first.screen == "1관" && first.url == "https://cinema.example/b/1" && first.attributes == [.subtitled])
    #expect(report.extraction.screenings.last?.seats == .soldOut)
    #expect(report.extraction.screenings.last?.attributes == [.subtitled, .guestVisit])
    #expect(report.lines.map(\.matches) == [1, 2, 3])
  }

  @Test("a day that the rule's selector calls closed is told as closed")
  func closed() throws {
    let rule = try SiteRule.parse(Array(Self.text.utf8))
    let page = "<ul class=cal><li data-date=2026-11-21>21</li><li class=off data-date=2026-11-23>23</li></ul>"
    let report = try reader().run(rule, on: Array(page.utf8), as: PageSource(url: "https://cinema.example/schedule"))
    #expect(report.extraction.closedDays.map(\.description) == ["2026-11-23"], "\(report.lines)")
  }

  @Test("what is written reads back as the same rule")
  func roundTrip() throws {
    let rule = try SiteRule.parse(Array(Self.text.utf8))
    #expect(try SiteRule.parse(rule.json) == rule)
  }

  @Test("a selector that died is told with the longest part of it that lives")
  func nearest() throws {
    var rule = try SiteRule.parse(Array(Self.text.utf8))
    rule.films?.each = "section.movie"
    rule.days?.each = "ul.cal li.day"
    let report = try reader().run(rule, on: Array(Self.page.utf8))
    #expect(report.lines.first { $0.field == "days.each" }?.nearest == "ul.cal (1); looks like it: li (1)")
    #expect(
      report.lines.first { $0.field == "films.each" }?.nearest == "looks like it: section.film (2)")
    #expect(report.extraction.screenings.isEmpty)
  }

  @Test(
    "what is wrong with a rule is told with its place",
    arguments: [
      (#"{"site":"a","cinema":"a","zone":"seoul","prefer":["json-ld"]}"#, "/zone"),
      (#"{"site":"a","cinema":"a","zone":"Asia/Seoul","prefer":["json-lt"]}"#, "did you mean json-ld"),
      (#"{"site":"a","cinema":"a","zone":"Asia/Seoul"}"#, "/films"),
      (#"{"site":"a","cinema":"a","zone":"Asia/Seoul","adapter":"x","flims":1}"#, "films"),
      ("{\n \"site\":\"a\" \"cinema\"", "line 2"),
      (
        #"{"site":"a","cinema":"a","zone":"Asia/Seoul","films":{"each":"li[","title":{"text":"b"},"shows":{"each":"i","time":{"text":""}}}}"#,
        "/films/each"
      ),
      (
        #"{"site":"a","cinema":"a","zone":"Asia/Seoul","start":["https://a.example/{day}"],"adapter":"x"}"#,
        "{date:yyyy-MM-dd}"
      ),
    ])
  func problems(text: String, place: String) {
    #expect { try SiteRule.parse(Array(text.utf8)) } throws: { error in
      (error as? SiteRuleError)?.description.contains(place) == true
    }
  }

  @Test(
    "a rule is proposed that gives a page's screenings again",
    arguments: [
      "ko-film-blocks.html", "en-two-cinemas.html", "de-spielplan.html", "en-day-lists.html", "nl-dagen.html",
    ])
  func proposes(name: String) throws {
    let zones = ZoneDirectory()
    let page = try #require(try LabelledPage.all(in: Folder.pages("Developed")).first { $0.name == name })
    let reader = PageReader(
      zone: try zones.rules(for: #require(ZoneName(page.label["zone"]?.string ?? ""))),
      capturedAt: try #require(Timestamp(page.label["at"]?.string ?? "")).instant, zones: zones)
    let proposal = try #require(try reader.propose(for: page.bytes, as: PageSource(), site: "a", cinema: "a"))
    #expect(
      proposal.isExact,
      "\(String(decoding: proposal.rule.json, as: UTF8.self)) gives \(proposal.reproduced) of \(proposal.expected), \(proposal.extra) more"
    )
    #expect(try SiteRule.parse(proposal.rule.json) == proposal.rule)
  }

  @Test("a proposed rule finds beside the times what the page tells there: the screen, the seats' address, sold out")
  func proposesDetails() throws {
    func show(_ time: String, _ screen: String, isFull: Bool = false) -> String {
      #"<li class="show\#(isFull ? " full" : "")"><span class="t">\#(time)</span> <span class="room">\#(screen)</span>"#
        + (isFull ? " <em>Sold out</em>" : #" <a href="/book?s=\#(time)">Book</a>"#) + "</li>"
    }
    let page =
      "<title>Moss Cinema</title><main><h2>Saturday 21 November 2026</h2>"
      + #"<section class="film"><h3>Silt</h3><ul>"# + show("15:00", "Screen 1") + show("18:00", "Screen 2")
      + "</ul></section>"
      + #"<section class="film"><h3>Marram</h3><ul>"# + show("17:00", "Screen 1", isFull: true)
      + show("20:30", "Screen 2") + "</ul></section></main>"
    let zones = ZoneDirectory()
    let reader = PageReader(
      zone: try zones.rules(for: #require(ZoneName("Europe/London"))),
      capturedAt: try #require(Timestamp("2026-11-20T09:00:00+00:00")).instant, zones: zones)
    let source = PageSource(url: "https://moss.example/")
    let proposal = try #require(try reader.propose(for: Array(page.utf8), as: source, site: "moss", cinema: "moss"))
    let text = String(decoding: proposal.rule.json, as: UTF8.self)
    #expect(proposal.isExact, "\(text)")
    let found = try reader.run(proposal.rule, on: Array(page.utf8), as: source).extraction.screenings
    #expect(found.map(\.screen) == ["Screen 1", "Screen 1", "Screen 2", "Screen 2"], "\(text)")
    #expect(found.map(\.seats) == [nil, .soldOut, nil, nil], "\(text)")
    let booked = found.map { $0.url ?? "-" }
    #expect(booked[0] == "https://moss.example/book?s=15:00" && booked[3].hasSuffix("20:30"), "\(booked) \(text)")
    #expect(try SiteRule.parse(proposal.rule.json) == proposal.rule)
  }
}
