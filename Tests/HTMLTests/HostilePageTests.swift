import Clocks
import Glibc
import HTML
import Testing

@Suite("A hostile page")
struct HostilePageTests {
  private func page(_ part: String, times: Int) -> [UInt8] {
    Array(String(repeating: part, count: times).utf8)
  }

  private func refusal(_ bytes: [UInt8], limits: HTMLDocument.Limits = .page) -> HTMLError? {
    do throws(HTMLError) { _ = try HTMLDocument.parse(bytes, contentCharset: "utf-8", limits: limits) } catch {
      return error
    }
    return nil
  }

  @Test(
    "nesting is refused past the limit, whatever the tags",
    arguments: ["<div>", "<b>", "<a><div></a>", "<svg><g>", "<template>", "<table><td>", "<x-a>"])
  func depth(part: String) {
    let refused = refusal(page(part, times: 10_000))
    #expect(refused == .tooDeep(limit: 1_024))
  }

  @Test("a page nested ten thousand deep is read when the limits allow it, and searched without recursion")
  func deepIsPossible() throws {
    var limits = HTMLDocument.Limits()
    limits.depth = 20_000
    limits.parserWork = .max
    let document = try HTMLDocument.parse(page("<div>", times: 10_000), limits: limits)
    #expect(document.select("div div").count == 9_999)
    #expect(document.select("div:has(div)").count == 9_999)
    #expect(document.root.text.isEmpty)
    let deepest = try #require(document.select("div").last)
    #expect(Array(deepest.ancestors).count == 10_002)
  }

  @Test("a page over the limit of bytes is refused before it is parsed")
  func size() {
    #expect(refusal([UInt8](repeating: 0x61, count: 10 << 20)) == .tooLarge(limit: 8 << 20))
  }

  @Test("many attributes on one tag are refused")
  func attributes() {
    let many = "<p " + (0..<5_000).map { "a\($0)" }.joined(separator: " ") + ">"
    #expect(refusal(Array(many.utf8)) == .tooManyAttributes(limit: 256))
    let onEndTag = "</p " + (0..<5_000).map { "a\($0)" }.joined(separator: " ") + ">"
    #expect(refusal(Array(onEndTag.utf8)) == .tooManyAttributes(limit: 256))
  }

  @Test("formatting that is opened again and again is stopped by memory or work")
  func reconstruction() {
    let tags = (0..<300).map { "<b id=\($0)>" }.joined()
    #expect(refusal(Array(("<p>" + tags).utf8) + page("</p><p>x", times: 100_000)) != nil)
  }

  @Test("tags and characters far down are stopped by the work they make")
  func work() {
    let deep = page("<div>", times: 1_000)
    #expect(refusal(deep + page("<p>x", times: 200_000)) == .tooMuchWork)
    #expect(refusal(deep + Array("<b>".utf8) + [UInt8](repeating: UInt8(ascii: ">"), count: 4 << 20)) == .tooMuchWork)
    // Of a long text the parser sees one character.
    #expect(refusal(deep + Array("<b>".utf8) + [UInt8](repeating: 0x78, count: 4 << 20)) == nil)
  }

  @Test("millions of small elements are stopped by memory or number")
  func number() {
    let refused = refusal(page("<p>x", times: 2_000_000))
    #expect(refused == .tooMuchMemory(limit: 128 << 20) || refused == .tooManyNodes(limit: 1_000_000))
    var limits = HTMLDocument.Limits()
    limits.nodes = 100
    #expect(refusal(page("<p>x", times: 200), limits: limits) == .tooManyNodes(limit: 100))
  }

  @Test(
    "pages that make the parser's own assertions fail are refused, and the process lives",
    arguments: [
      "<table><math><mi><![CDATA[x]]>>", "<table><svg><select><desc><select><td>",
      "<table><thead><svg><th><title/p><select></thead>",
    ])
  func assertions(markup: String) {
    #expect(refusal(Array(markup.utf8)) == .unparsable)
  }

  @Test("an eight megabyte page stays within a quarter of a gigabyte")
  func memory() throws {
    let row = """
      <tr class="showing odd"><td class="time" data-screen="2">19:30</td>
      <td class="title"><a href="/reserve/movie.do?CinemaCd=000069&amp;MovieCd=012345">A film with a title of usual length</a></td></tr>

      """
    let bytes = page(row, times: (8 << 20) / row.utf8.count)
    let before = try residentPeak()
    let document = try HTMLDocument.parse(Array("<table>".utf8) + bytes.dropLast(256), contentCharset: "utf-8")
    #expect(document.nodeCount > 300_000)
    let grown = try residentPeak() - before
    #expect(grown < 256 << 20, "the peak grew by \(grown >> 20) MiB")
  }

  /// The most that this process has held, in bytes.
  private func residentPeak() throws -> Int {
    var usage = rusage()
    #expect(getrusage(Int32(RUSAGE_SELF.rawValue), &usage) == 0)
    return usage.ru_maxrss << 10
  }

  @Test("random pages give a tree or a named error", arguments: [1 as UInt64, 2, 3, 4])
  func random(seed: UInt64) {
    var generator = SeededRandom(seed: seed)
    let parts = [
      "<table>", "</table>", "<tr>", "<td>", "<p>", "</p>", "<b>", "</b>", "<a href=x>", "</a>", "<svg>", "<math>",
      "<mi>",
      "<select>", "<option>", "<template>", "</template>", "<script>", "</script>", "<!--", "-->", "<![CDATA[", "]]>",
      "&amp;", "&nots", "&#x0;", "\u{0}", "<title>", "<form>", "<frameset>", "x ", "한", "<caption>", "<col>",
      "<ruby><rt>",
    ]
    for round in 0..<120 {
      var bytes = Array("div > p, :contains('x') ~ *:nth-child(odd)\n".utf8)
      for _ in 0..<Int(generator.next() % 120) {
        bytes +=
          generator.next() % 12 == 0 ? generator.bytes(Int(generator.next() % 8)) : Array(generator.pick(parts).utf8)
      }
      FuzzTargets.parseAndSelect(bytes)
      FuzzTargets.parseAndSelect(generator.bytes(round))
    }
  }
}
