import HTML
import Testing

/// Long texts are kept from the parser and put back: nobody may be able to tell.
@Suite("Long texts")
struct LongTextTests {
  private static let prose = "A house of films since 1911, with a bar, \"a garden\" and ‘좌석’ in 3 rooms"
  private static let data = #"{"name": "Peat and Ash", "startDate": "2026-11-21T18:30:00+00:00", "text": "=/'; x"}"#

  /// Numbers that Unicode gives to no character: the parser replaces them.
  private static let nobody = [UInt32(0xFDD0), 0xFFFE, 0x1FFFE].map { String(Unicode.Scalar($0)!) }.joined(
    separator: prose)

  /// Around each: enough of a page that it is looked through at all.
  private static let pages: [String] = [
    "<p>\(prose)</p><p title=\"\(prose.filter { $0 != "\"" })\">\(prose)<b>\(prose)</b>\(prose)",
    "<script type=application/ld+json>\(data)</script><script>if (a<b && c>d) { x = \(data) }</script>\(prose)",
    "<script><!-- \(data) <script> \(data) </script> \(data) --></script><p>\(prose)<a title='</script>\(data)'>\(prose)",
    "<!-- \(prose) -- \(prose) --!><!--> \(prose) <!---> \(prose) <!-- \(prose) --><p>\(prose)",
    "<svg viewBox=\"0 0 1 1\"><path d=\"M 10 10 L 20 20 L 30 30 L 40 40 L 50 50 Z\"/><title>\(prose)</title></svg>\(prose)",
    "<body><svg><desc><style><g a=\"</style><p title='\(prose.filter { !"'\"<>".contains($0) })' class='b'>\(prose)</p>\">",
    "<svg><style>a{b:c} \(prose)</style><g/><p>\(prose)<script>\(data)</script><svg/>\(prose)</svg>",
    "<svg><![CDATA[ \(data) > ]]\(data)]]></svg><math><mi title=\"\(prose.filter { $0 != "\"" })\">\(prose)</math>\(prose)",
    "<table>\(prose)<tr>\(prose)<td>\(prose)</table><select><option>\(prose)<style>\(prose)</select>\(prose)",
    "<textarea>\n\(prose)<p>\(prose)</textarea><title>\(prose)&amp;\(prose)</title><iframe><p \(data)</iframe>\(prose)",
    "<b class=\"\(prose.filter { $0 != "\"" })\"><p><b class=\"\(prose.filter { $0 != "\"" })\">\(prose)</p>\(prose)<p>\(prose)",
    "<p>&notit; \(prose) &copy\(prose) &eacute\(prose)&#233;\(prose)&#x41 \(prose) AT&T\(prose)",
    "<p>\(prose)&#x100000;\(prose)&#1048576;\(prose)", "<p>\u{100000}\(prose)\u{10FFFD}\(prose)",
    "<p>\(prose)\u{85}\(prose)\(nobody)\(prose)\u{7F}\(prose)\u{0B}\(prose)\r\n\(prose)\0\(prose)",
    "<a href='\(data)' b = \"x>y\(prose.filter { $0 != "\"" })\" c=d\"e / f>\(prose)<br/ >\(prose)</p x=\"\(data)>\(prose)\">\(prose)",
    "<frameset>\(prose)<frame></frameset>\(prose)<noframes>\(prose)</noframes>",
    "<plaintext>\(prose)</plaintext><p>\(prose)",
    "<pre>\n\(prose)\n\n\(prose)</pre><?php \(prose) ?>\(prose)</ \(prose)>\(prose)</>\(prose)<![if IE]>\(prose)<![endif]>\(prose)",
    "<head>\(prose)<noscript><p>\(prose)</noscript><template><td>\(prose)</template><p>\(prose)<",
    "<p>\(prose)<a title=\"\(prose)",
  ]

  private static let filler = String(repeating: "<p>x</p>", count: 80)

  @Test("a page is the same tree with its long texts kept from the parser", arguments: pages)
  func isTheSameTree(page: String) {
    #expect(FuzzTargets.readsAlike(Array((Self.filler + page).utf8)))
    #expect(FuzzTargets.readsAlike(Array((page + Self.filler).utf8)))
    // Cut anywhere, and read from anywhere.
    let bytes = Array((page + Self.filler).utf8)
    for cut in stride(from: 0, to: min(bytes.count, 600), by: 7) {
      #expect(FuzzTargets.readsAlike(Array(bytes[cut...])), "from byte \(cut)")
      #expect(FuzzTargets.readsAlike(Array(Self.filler.utf8) + bytes[..<cut]), "up to byte \(cut)")
    }
  }

  @Test("what is taken out is put back once, in order")
  func isPutBack() throws {
    let page = try HTMLDocument.parse(Array((Self.filler + "<p>\(Self.prose)</p><i>\(Self.data)</i>").utf8))
    #expect(page.first("i")?.text == Self.data)
    #expect(page.select("p").last?.text == Self.prose)
    #expect(!page.root.text.unicodeScalars.contains { $0.value >= 0x10_0000 })
  }
}
