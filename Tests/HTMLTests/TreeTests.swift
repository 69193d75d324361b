import HTML
import Testing

@Suite("HTMLDocument")
struct TreeTests {
  @Test(
    "markup becomes the tree that browsers build",
    arguments: [
      ("<p>a<p>b", "html(head body(p('a') p('b')))"),
      ("<ul><li>a<li>b</ul>", "html(head body(ul(li('a') li('b'))))"),
      ("<table><tr><td>x", "html(head body(table(tbody(tr(td('x'))))))"),
      ("<b>1<p>2</b>3", "html(head body(b('1') p(b('2') '3')))"),
      ("<a>1<div>2<a>3", "html(head body(a('1') div(a('2') a('3'))))"),
      ("<table>x<tr><td>y", "html(head body('x' table(tbody(tr(td('y'))))))"),
      ("<svg><circle/><p>out", "html(head body(svg(circle) p('out')))"),
      ("<svg><foreignobject><p>in", "html(head body(svg(foreignObject(p('in')))))"),
      ("<title>a<b>c</title>", "html(head(title('a<b>c')) body)"),
      ("<select><option>a<option>b", "html(head body(select(option('a') option('b'))))"),
      ("<!doctype html><!--c-->x", "! html(head body('x'))"),
      ("</p>x<br></br>", "html(head body('x' br br))"),
      ("<x-card>a</x-card><X-Card/>", "html(head body(x-card('a') x-card))"),
      ("<template><p>in</template>", "html(head(template(p('in'))) body)"),
      ("<frameset><frame>", "html(head frameset(frame))"),
      ("", "html(head body)"),
    ])
  func tree(markup: String, expected: String) throws {
    let tree = outline(try HTMLDocument.parse(markup).root)
    #expect(tree == expected)
  }

  @Test("attributes are read with their references resolved, the first of two wins")
  func attributes() throws {
    let page = try HTMLDocument.parse("<a HREF='/x?a=1&amp;b=2&copy' class=' one  two' class=three disabled>t</a>")
    let link = try #require(page.first("a"))
    #expect(link["href"] == "/x?a=1&b=2©")
    #expect(link["HREF"] == "/x?a=1&b=2©")
    #expect(link.classes == ["one", "two"])
    #expect(link.hasClass("two") && !link.hasClass("three"))
    #expect(link["disabled"] == "" && link["title"] == nil)
    #expect(link.attributes.map(\.name) == ["href", "class", "disabled"])
  }

  @Test("text is what a reader sees")
  func text() throws {
    let page = try HTMLDocument.parse(
      """
      <title> 상영 \n 시간표 </title><body><script>var x = "<p>no</p>"</script><style>p{}</style>
      <table><tr><td>19:30</td><td>A&nbsp;관</td></tr></table><p>so<b>me</b>&shy;thing<br>new<template>no</template>
      """)
    #expect(page.title == "상영 시간표")
    #expect(page.first("body")?.text == "19:30 A 관 something new")
    #expect(page.first("p")?.ownText == "sothing new")
    #expect(page.first("script")?.text == "var x = \"<p>no</p>\"")
    #expect(page.first("b")?.text == "me")
    #expect("\u{3000}a\u{200B}\n b ".collapsed == "a b")
  }

  @Test("white space of any script is one blank, and pre keeps its own in rawText")
  func whiteSpace() throws {
    let page = try HTMLDocument.parse("<pre>a\n  b</pre><p>\u{2003}x\u{3000}\u{00A0}y\u{FEFF}</p>")
    #expect(page.first("pre")?.rawText == "a\n  b")
    #expect(page.first("p")?.text == "x y")
  }

  @Test("a node knows what is around it")
  func around() throws {
    let page = try HTMLDocument.parse("<ul><li id=a>1</li> text <li id=b><i>2</i></li><!-- c --><li id=c></ul>")
    let middle = try #require(page.first("#b"))
    #expect(middle.previous?.id == "a" && middle.next?.id == "c")
    #expect(middle.parent?.name == "ul" && middle.children.map(\.name) == ["i"])
    #expect(middle.ancestors.map(\.name) == ["ul", "body", "html", ""])
    #expect(page.first("#a")?.previous == nil && page.first("#c")?.next == nil)
    #expect(page.root.next == nil && page.root.parent == nil)
  }

  @Test("links are resolved against the page and its base, and only the web's are links")
  func links() throws {
    let page = try HTMLDocument.parse("<base href='/shop/'><a href='a?x=1'>", url: "https://cinema.example/b/c")
    #expect(page.link("a?x=1") == "https://cinema.example/shop/a?x=1")
    #expect(page.link(" //other.example/ ") == "https://other.example/")
    #expect(page.link("javascript:alert(1)") == nil)
    #expect(page.link("JaVaScRiPt:alert(1)") == nil)
    #expect(page.link("java\nscript:alert(1)") == nil)
    #expect(page.link("data:text/html,x") == nil)
    #expect(page.link("mailto:a@b.example") == nil)
  }

  @Test("markup is only ever text: scripts stay strings and nothing is loaded")
  func inert() throws {
    let page = try HTMLDocument.parse(
      "<img src=x onerror=alert(1)><script src=//evil.example/x.js></script><iframe srcdoc='<script>1</script>'><p>no</p></iframe>"
        + "<object data=file:///etc/passwd></object><meta http-equiv=refresh content='0;url=http://evil.example'>",
      url: "https://cinema.example/")
    #expect(page.first("img")?["onerror"] == "alert(1)")
    #expect(page.first("iframe")?["srcdoc"] == "<script>1</script>")
    #expect(page.root.text.isEmpty)
  }

  @Test(
    "character references outside of markup are resolved",
    arguments: [
      ("Am&eacute;lie &amp; &#54620;&#x56fd; &lt;b&gt;", "Amélie & 한国 <b>"), ("a < b & c", "a < b & c"),
      ("plain", "plain"),
      ("&notit;&#0;&#x110000;", "¬it;\u{FFFD}\u{FFFD}"), ("</title><script>", "</title><script>"), ("\n&amp;", "\n&"),
    ])
  func references(written: String, meant: String) {
    #expect(written.resolvingCharacterReferences == meant)
  }
}
