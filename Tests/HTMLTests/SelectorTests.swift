import Clocks
import HTML
import Testing

@Suite("Selector")
struct SelectorTests {
  static let page = """
    <html lang=ko-KR><body>
    <div id=main class="box wide"><h2 id=t1>제목</h2><p id=p1 class=a>one <b id=b1>bold</b></p>
    <p id=p2 class="a b" data-dt=2026-11-20>two</p><span id=s1></span><p id=p3 data-x="Hello World">three</p></div>
    <ul id=list><li id=l1>1</li><li id=l2 class="btnDay disabled">2</li><li id=l3><a id=a1 href="/x.PDF">3</a></li>
    <li id=l4>4</li><li id=l5><!-- c --></li></ul>
    <svg id=g viewBox="0 0 1 1"><foreignObject id=f></foreignObject></svg>
    </body></html>
    """

  @Test(
    "finds what a browser finds",
    arguments: [
      ("p", "p1 p2 p3"), ("P.A", ""), ("P.a", "p1 p2"), ("#p2", "p2"), (".a.b", "p2"), ("p, span", "p1 p2 s1 p3"),
      ("div p b", "b1"), ("body > p", ""), ("div > p", "p1 p2 p3"), ("h2 + p", "p1"), ("h2 ~ p", "p1 p2 p3"),
      ("p+span+p", "p3"), ("p~p", "p2 p3"), ("div>*", "t1 p1 p2 s1 p3"), ("body b", "b1"), ("div span ~ p", "p3"),
      ("[data-dt]", "p2"), ("[data-dt='2026-11-20']", "p2"), ("[data-dt=2026-11-20]", "p2"), ("[class~=b]", "p2"),
      ("[class~='a b']", ""), ("[lang|=ko] h2", "t1"), ("[lang|=k] h2", ""), ("[data-x^=Hello]", "p3"),
      ("[data-x^='']", ""), ("[data-x$=World]", "p3"), ("[data-x*='lo W']", "p3"), ("[data-x*='lo w']", ""),
      ("[data-x*='lo w' i]", "p3"), ("a[href$='.pdf' i]", "a1"), ("a[ href $= '.PDF' ]", "a1"),
      ("li:first-child", "l1"), ("li:last-child", "l5"), ("li:nth-child(2)", "l2"), ("li:nth-child(odd)", "l1 l3 l5"),
      ("li:nth-child(even)", "l2 l4"), ("li:nth-child(2n+3)", "l3 l5"), ("li:nth-child(-n+2)", "l1 l2"),
      ("li:nth-child( 2n + 1 )", "l1 l3 l5"), ("li:nth-child(n+4)", "l4 l5"), ("li:nth-child(0)", ""),
      ("li:nth-last-child(2)", "l4"), ("li:nth-child(-2n)", ""), ("li:nth-child(n)", "l1 l2 l3 l4 l5"),
      ("p:first-of-type", "p1"), ("p:nth-of-type(2)", "p2"), ("p:last-of-type", "p3"),
      ("div > :nth-of-type(1)", "t1 p1 s1"),
      ("p:nth-last-of-type(3)", "p1"), ("b:only-child", "b1"), ("span:only-of-type", "s1"),
      ("div > p:only-of-type", ""),
      ("span:empty", "s1"), ("li:empty", "l5"), ("li:not(.disabled)", "l1 l3 l4 l5"),
      ("li:not(:first-child, :last-child)", "l2 l3 l4"),
      ("p:not(div p)", ""), (":is(h2, b)", "t1 b1"), (":where(p):not(.a)", "p3"), ("li:has(a)", "l3"),
      ("li:has(> a[href])", "l3"),
      ("p:has(+ span)", "p2"), ("h2:has(~ span)", "t1"), ("div:has(p b)", "main"), ("div:has(> b)", ""),
      ("li:has(+ li > a)", "l2"),
      ("ul:not(:has(li.off))", "list"), (":root > body > ul", "list"), ("p:contains('two')", "p2"),
      ("div:contains(ONE bold)", "main"),
      ("p:contains(\"one bold\")", "p1"), ("li:contains(9)", ""), ("li.btnDay:not(.on)", "l2"), ("#\\6c 1", "l1"),
      ("h2:contains(제목)", "t1"),
      ("svg[viewBox]", "g"), ("svg[viewbox]", ""), ("foreignObject", "f"),
      ("div#main.box.wide>p.a:first-of-type", "p1"), ("nothing", ""),
      ("*:scope", ""), ("ul :scope", ""), ("html:root .a", "p1 p2"), ("p\t>\nb", "b1"), ("li:nth-child(+3)", "l3"),
    ])
  func table(selector: String, ids: String) throws {
    let page = try HTMLDocument.parse(Self.page)
    let found = page.select(try Selector(parsing: selector)).map { $0.id ?? $0.name }.joined(separator: " ")
    #expect(found == ids)
  }

  @Test(
    "what cannot be read is refused, with the place",
    arguments: [
      ("", 0), ("div >", 5), ("> p", 0), ("p,,b", 2), ("p:hover", 2), ("p::before", 2), ("[a=]", 3), ("[a", 2),
      ("p:not(", 6),
      ("p:nth-child(x)", 12), ("p:nth-child()", 12), ("p)", 1), ("a | b", 2), (".1", 1), ("#", 1), ("[a='x]", 3),
      ("p!", 1),
      (":contains()", 10), ("\\", 1), ("p:not", 5), ("[a!=b]", 2), ("p:nth-child(99999999999n)", 12), ("*p", 1),
      (":is()", 4),
    ])
  func refused(selector: String, position: Int) {
    do throws(SelectorError) {
      let read = try Selector(parsing: selector)
      Issue.record("\(read) was read")
    } catch {
      #expect(error.position == position, "\(selector): \(error)")
    }
  }

  @Test("size, tests and nesting are bounded")
  func bounds() {
    #expect(throws: SelectorError.self) { try Selector(parsing: String(repeating: "a ", count: 2_000)) }
    #expect(throws: SelectorError.self) { try Selector(parsing: String(repeating: "a>", count: 200) + "a") }
    #expect(throws: SelectorError.self) { try Selector(parsing: ":not(:not(:not(:not(:not(a)))))") }
    #expect(throws: SelectorError.self) { try Selector(parsing: String(repeating: ":not(", count: 400)) }
  }

  @Test("a search from a node sees the node and what is inside it")
  func scoped() throws {
    let page = try HTMLDocument.parse("<ul id=u><li id=a><ul><li id=b></ul></ul><li id=c>")
    let inner = try #require(page.first("#a"))
    #expect(inner.select("li").map(\.id) == ["b"])
    #expect(inner.select("#u li").isEmpty)
    #expect(inner.select(":scope > ul > li").map(\.id) == ["b"])
    #expect(inner.select("li li").map(\.id) == ["b"])
    #expect(page.select(":scope > html").count == 1)
    #expect(inner.matches("ul > li") && !inner.matches("ul ul > li"))
  }

  @Test("the shapes of a ticketing platform are read")
  func ticketing() throws {
    let page = try HTMLDocument.parse(
      """
      <div class="main-schedule"><div class="swiper"><div class="swiper-slide"><a href="#" class="btnDay" data-dt="2026-11-20">
      </a></div><div class="swiper-slide"><a href="#" class="btnDay disabled" data-dt="2026-11-21"></a></div></div></div>
      <div class="info-box"><h3 class="h3">영화</h3><div class="etc"><span>전체관람가</span><span>2026-11-01</span></div></div>
      """)
    let days = page.select("div.main-schedule div.swiper-slide a")
    #expect(days.map { $0["data-dt"] } == ["2026-11-20", "2026-11-21"])
    #expect(days.map { $0.hasClass("disabled") } == [false, true])
    #expect(page.select("div.info-box div.etc span").map(\.text) == ["전체관람가", "2026-11-01"])
  }

  @Test("the work is the nodes times the tests, and a budget ends it")
  func work() throws {
    let page = try HTMLDocument.parse(String(repeating: "<div><p class=a>x</p></div>", count: 1_000))
    let budget = StepBudget(steps: 200_000)
    #expect(try page.select("div p.a", within: budget).count == 1_000)
    let spent = budget.limit - budget.left
    #expect(spent >= page.nodeCount && spent <= 8 * page.nodeCount)
    #expect(throws: HTMLError.searchTooLong(limit: 10)) { try page.select("p", within: StepBudget(steps: 10)) }
    let shared = StepBudget(steps: 200_000)
    #expect(throws: HTMLError.self) { for _ in 0..<1_000 { _ = try page.select("div p.a", within: shared) } }
  }

  @Test("a selector that makes others try for ever is only a few passes")
  func backtracking() throws {
    let page = try HTMLDocument.parse(
      String(repeating: "<div>", count: 900) + String(repeating: "<p>x</p>", count: 100))
    let budget = StepBudget(steps: 200_000)
    let selector = Selector(stringLiteral: String(repeating: "div ", count: 40) + "b")
    #expect(try page.select(selector, within: budget).isEmpty)
  }

  @Test("random selectors are read or refused", arguments: [1 as UInt64, 2, 3])
  func random(seed: UInt64) throws {
    var generator = SeededRandom(seed: seed)
    let page = try HTMLDocument.parse(Self.page)
    let parts = [
      "p", "*", ".a", "#p1", "[", "]", "=", "'", ":not(", ":is(", ":has(", ")", ">", "+", "~", " ", ",", ":nth-child(",
      "2n+1",
      "-n", "\\", "한", ":contains(", "\"x\"", "i", "|", ":empty", ":first-child", "9", "\u{0}",
    ]
    for _ in 0..<3_000 {
      let text = (0..<Int(generator.next() % 14)).map { _ in generator.pick(parts) }.joined()
      if let selector = try? Selector(parsing: text) { _ = page.select(selector) }
    }
  }
}
