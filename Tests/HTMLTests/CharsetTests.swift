import Clocks
import HTML
import Testing

@Suite("Charset")
struct CharsetTests {
  static let korean: [UInt8] = [0xBF, 0xB5, 0xC8, 0xAD]  // 영화 in EUC-KR
  static let koreanExtension: [UInt8] = [0x8C, 0x63]  // 똠 in CP949, which EUC-KR itself lacks
  static let japanese: [UInt8] = [0x89, 0x66, 0x89, 0xE6, 0x8A, 0xD9]  // 映画館 in Shift_JIS
  static let japaneseEUC: [UInt8] = [0xB1, 0xC7, 0xB2, 0xE8, 0xB4, 0xDB]  // the same in EUC-JP

  @Test(
    "labels mean what browsers take them for",
    arguments: [
      ("utf-8", TextEncoding.utf8), (" UTF8 ", .utf8), ("ks_c_5601-1987", .eucKR), ("EUC-KR", .eucKR),
      ("ksc5601", .eucKR),
      ("x-sjis", .shiftJIS), ("Shift_JIS", .shiftJIS), ("windows-31j", .shiftJIS), ("iso-8859-1", .windows1252),
      ("latin1", .windows1252), ("ascii", .windows1252), ("iso-8859-9", .windows1254), ("gb2312", .gbk),
      ("big5-hkscs", .big5),
      ("utf-16", .utf16LittleEndian), ("iso-2022-kr", .replacement), ("x-euc-jp", .eucJP), ("csiso2022jp", .iso2022JP),
    ])
  func labels(label: String, encoding: TextEncoding) {
    #expect(TextEncoding(label: label) == encoding)
  }

  @Test(
    "labels that nobody knows are none",
    arguments: ["", "utf-9", "klingon", "a long label that goes on and on", "\u{0}"])
  func unknownLabels(label: String) {
    #expect(TextEncoding(label: label) == nil)
  }

  @Test("every encoding that has a name has a converter here", arguments: TextEncoding.allCases)
  func converters(encoding: TextEncoding) throws {
    guard encoding != .replacement else { return }
    let bytes: [UInt8] =
      switch encoding {
      case .utf16LittleEndian: [0x41, 0, 0x42, 0]
      case .utf16BigEndian: [0, 0x41, 0, 0x42]
      default: [0x41, 0x42]
      }
    #expect(try Charset.decode(bytes, declared: encoding.name).string == "AB")
  }

  @Test(
    "text is read in the encoding that is declared",
    arguments: [
      ("euc-kr", korean, "영화"), ("euc-kr", koreanExtension, "똠"), ("shift_jis", japanese, "映画館"),
      ("shift_jis", [0x87, 0x40], "①"), ("euc-jp", japaneseEUC, "映画館"), ("euc-jp", [0xAD, 0xA1], "①"),
      ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x31, 0x47, 0x1B, 0x28, 0x42], "映"), ("gb18030", [0xD6, 0xD0], "中"),
      ("big5", [0xA4, 0xA4], "中"), ("iso-8859-1", [0x80, 0xE9], "€é"), ("windows-1251", [0xCA], "К"),
      ("utf-16le", [0x3D, 0xD8, 0x00, 0xDE], "😀"), ("utf-16be", [0xD8, 0x3D, 0xDE, 0x00], "😀"),
    ] as [(String, [UInt8], String)])
  func declared(label: String, bytes: [UInt8], text: String) throws {
    let decoded = try Charset.decode(bytes, declared: label)
    #expect(decoded.string == text)
    #expect(decoded.report.replacements == 0)
  }

  @Test(
    "what means nothing becomes one mark each, and markup after it survives",
    arguments: [
      ("utf-8", [0xFF, 0x3C], "\u{FFFD}<", 1), ("utf-8", [0xE2, 0x82, 0x3C], "\u{FFFD}<", 1),
      ("utf-8", [0xC0, 0xAF], "\u{FFFD}\u{FFFD}", 2),
      ("utf-8", [0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}", 3),
      ("utf-8", [0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}", 4),
      ("euc-kr", [0xBF, 0x3C, 0x41], "\u{FFFD}<A", 1), ("shift_jis", [0x81, 0x3C], "\u{FFFD}<", 1),
      ("euc-kr", [0xBF], "\u{FFFD}", 1),
      ("utf-16le", [0x41, 0x00, 0x42], "A\u{FFFD}", 1), ("utf-16le", [0x00, 0xD8, 0x41, 0x00], "\u{FFFD}A", 1),
      ("utf-16le", [0x00, 0xDC], "\u{FFFD}", 1), ("utf-8", [], "", 0),
    ] as [(String, [UInt8], String, Int)])
  func replacements(label: String, bytes: [UInt8], text: String, count: Int) throws {
    let decoded = try Charset.decode(bytes, declared: label)
    #expect(decoded.string == text)
    #expect(decoded.report.replacements == count)
  }

  @Test("a byte order mark is stronger than the transport, the transport than the page, the page than the hint")
  func order() throws {
    let meta = Array("<meta charset=euc-jp>".utf8)
    let marked = try Charset.decode([0xEF, 0xBB, 0xBF] + meta, declared: "euc-kr", hint: .shiftJIS)
    #expect(marked.report.encoding == .utf8 && marked.report.source == .byteOrderMark && marked.report.hasConflict)
    #expect(marked.string == "<meta charset=euc-jp>")
    let sent = Charset.decide(meta, declared: "euc-kr", hint: .shiftJIS)
    #expect(sent.encoding == .eucKR && sent.source == .transport && sent.hasConflict)
    let written = Charset.decide(meta, declared: nil, hint: .shiftJIS)
    #expect(written.encoding == .eucJP && written.source == .meta && !written.hasConflict)
    let hinted = Charset.decide([0x80], declared: nil, hint: .shiftJIS)
    #expect(hinted.encoding == .shiftJIS && hinted.source == .hint)
    let nonsense = Charset.decide(meta, declared: "nonsense", hint: nil)
    #expect(nonsense.encoding == .eucJP && nonsense.hasConflict)
  }

  @Test(
    "the page's own word is found as browsers find it",
    arguments: [
      ("<meta charset=euc-kr>", TextEncoding.eucKR), ("<META CHARSET = 'EUC-KR'/>", .eucKR),
      ("<meta charset=\"euc-kr\" charset=utf-8>", .eucKR),
      ("<meta http-equiv=Content-Type content='text/html; charset=shift_jis'>", .shiftJIS),
      ("<meta content='text/html;charset=\"euc-jp\"' http-equiv=content-type>", .eucJP),
      ("<!-- <meta charset=euc-jp> --><meta charset=euc-kr>", .eucKR),
      ("<script x='<meta charset=euc-jp>'><meta charset=euc-kr>", .eucKR),
      ("<meta charset=utf-16>", .utf8), ("<meta charset=x-user-defined>", .windows1252),
      ("<?xml version='1.0'?><meta charset=euc-kr>", .eucKR),
      ("<meta\u{0C}charset=euc-kr>", .eucKR),
    ])
  func prescan(markup: String, encoding: TextEncoding) {
    let report = Charset.decide(Array(markup.utf8), declared: nil, hint: nil)
    #expect(report.encoding == encoding && report.source == .meta)
  }

  @Test(
    "what is no declaration is not taken for one",
    arguments: [
      "<meta content='text/html; charset=euc-kr'>", "<metacharset=euc-kr>", "<meta name=charset content=euc-kr>",
      "<meta charset>",
      "meta charset=euc-kr", "<!-- <meta charset=euc-kr>", "<meta charset=",
      String(repeating: " ", count: 1_024) + "<meta charset=euc-kr>",
      "<meta charset='euc-kr", "<p title='<meta charset=euc-kr>",
    ])
  func noDeclaration(markup: String) {
    let report = Charset.decide(Array(markup.utf8), declared: nil, hint: nil)
    #expect(report.encoding != .eucKR)
  }

  @Test("an encoding that smuggles markup is refused")
  func smuggling() {
    #expect(throws: HTMLError.refusedEncoding("iso-2022-kr")) { try Charset.decode([0x41], declared: "iso-2022-kr") }
    #expect(throws: HTMLError.refusedEncoding("hz-gb-2312")) {
      try HTMLDocument.parse(Array("<meta charset=hz-gb-2312>".utf8))
    }
  }

  @Test("a page that declares nothing is read as what it looks like")
  func guesses() throws {
    let koreanText = "오늘의 상영 시간표와 예매 안내를 확인하세요. 독립영화 전용관입니다."
    let japaneseText = "本日の上映スケジュールとチケットのご案内です。ミニシアターへようこそ。"
    for (encoding, name, text) in [
      (TextEncoding.eucKR, "CP949", koreanText), (.shiftJIS, "CP932", japaneseText), (.eucJP, "EUC-JP", japaneseText),
      (.iso2022JP, "ISO-2022-JP", japaneseText), (.utf8, "UTF-8", koreanText),
      (
        .utf16LittleEndian, "UTF-16LE",
        "<!doctype html><html lang=ko><head><title>film</title></head><body><div class=main><p>" + koreanText
      ),
    ] {
      let bytes = try #require(Encoder.encode(text, as: name))
      let decoded = try Charset.decode(bytes)
      #expect(decoded.report.encoding == encoding && decoded.report.source == .guess)
      #expect(decoded.string == text)
    }
    #expect(
      Charset.decide(
        Array("Programme d'\u{E9}t\u{E9}".unicodeScalars.map { UInt8($0.value) }), declared: nil, hint: nil
      ).encoding == .windows1252)
    #expect(Charset.decide(Array("plain".utf8), declared: nil, hint: nil).encoding == .utf8)
  }

  @Test("random bytes in any encoding are read", arguments: TextEncoding.allCases)
  func random(encoding: TextEncoding) {
    guard encoding != .replacement else { return }
    var generator = SeededRandom(seed: UInt64(encoding.rawValue.utf8.count))
    for length in 0..<40 {
      let bytes = generator.bytes(length * 7)
      do {
        let decoded = try Charset.decode(bytes, declared: encoding.name)
        #expect(String(validating: decoded.bytes, as: UTF8.self) != nil)
        #expect(decoded.bytes.count <= 4 * bytes.count + 16)
      } catch {
        Issue.record("\(encoding): \(error)")
      }
      FuzzTargets.charset(bytes)
    }
  }
}
