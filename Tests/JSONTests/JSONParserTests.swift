import Clocks
import JSON
import Testing

/// Texts of the kinds that parsers disagree about: what every one must take, what every one must refuse, and where the
/// standard leaves a choice, ours.
@Suite("Reading JSON")
struct JSONParserTests {
  @Test("of a file with an object a line each line that is none is told, and a text that is broken is none")
  func lines() throws {
    let lines = try #require(JSONLines("{\"a\":1}\r\n\n\u{1E}{\"a\":2}\n{\"a\":\n[3]\n{\"a\":4}".utf8))
    #expect(lines.values.map { $0["a"]?.int } == [1, 2, 4] && lines.broken == [4, 5])
    #expect(JSONLines("[\n{\"a\":1},\n{\"a\":2}\n".utf8) == nil && JSONLines("".utf8) == nil)
  }

  static let accepted: [(String, JSONValue)] = [
    ("null", nil), ("true", true), ("false", false), ("0", 0), ("-1", -1), (" \t\r\n 1 \n", 1),
    ("9223372036854775807", .int(.max)), ("-9223372036854775808", .int(.min)),
    ("9223372036854775808", .double(9_223_372_036_854_775_808)),
    ("-9223372036854775809", .double(-9_223_372_036_854_775_808)),
    ("18446744073709551615", .double(18_446_744_073_709_551_616)),
    ("1.0", .double(1)), ("1e2", .double(100)), ("1E+2", .double(100)), ("25e-1", .double(2.5)), ("0.0", .double(0)),
    ("0e1", .double(0)), ("0e+1", .double(0)), ("-0", .double(-0.0)), ("-0.0", .double(-0.0)), ("1e-400", .double(0)),
    ("123.456e78", .double(123.456e78)), ("5e-324", .double(.leastNonzeroMagnitude)), ("0.1", .double(0.1)),
    ("-0e1", .double(-0.0)),
    ("\"\"", ""), ("\"a\"", "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u0041""#, "A"),
    (#""\u0000""#, "\0"), (#""\uD83D\uDE00""#, "😀"), (#""\ud834\uDd1e""#, "𝄞"), ("\"괴물\"", "괴물"),
    ("\"\u{7f}\"", "\u{7f}"), ("\"\u{2028}\u{2029}\"", "\u{2028}\u{2029}"), (#""\uFFFF""#, "\u{ffff}"),
    (#""\uDBFF\uDFFF""#, "\u{10ffff}"), (#""a\/b""#, "a/b"), ("\"\u{10ffff}\"", "\u{10ffff}"),
    (#""\\u0041""#, "\\u0041"),
    ("[]", []), ("[ ]", []), ("[1]", [1]), ("[1 , 2\n]", [1, 2]), ("[[],[[]]]", [[], [[]]]), ("[null]", [nil]),
    ("[1,\"2\",true,null,{}]", [1, "2", true, nil, [:]]),
    ("{}", [:]), ("{ }", [:]), (#"{"a":1}"#, ["a": 1]),
    (#"{ "a" : { "b" : [ ] } , "c" : null }"#, ["a": ["b": []], "c": nil]),
    (#"{"":0}"#, ["": 0]), (#"{"a":1,"A":2}"#, ["a": 1, "A": 2]), (#"{"\u0061":1}"#, ["a": 1]),
  ]

  static let refused: [String] = [
    "", " ", "nul", "nulll", "True", "NULL", "tru", "truex", "undefined", "NaN", "Infinity", "-Infinity", "-", "+1",
    "01",
    "-01", "00", "1.", ".1", "-.1", "1.e1", "1e", "1e+", "1e-", "1eE2", "0x1", "1_000", "1 2", "1,", "0b1", "1.2.3",
    "1e5.0",
    "--1", "1-1", "1+1", "１", "1e999", "-1e999", "٣",
    "\"", "\"a", "'a'", "\"a\"b", "\"\\\"", #""\x""#, #""\a""#, #""\'""#, #""\u""#, #""\u00""#, #""\u00g0""#,
    #""\U0041""#,
    #""\u+041""#, #""\uD800""#, #""\uDC00""#, #""\uD800\u0041""#, #""\uD800\uD800""#, #""\uDC00\uD800""#, #""\uD800x""#,
    #""\ud800\n""#, #""\uD83D\""#, #""\uD83D\uDE0""#, "\"\n\"", "\"\t\"", "\"\r\"", "\"\0\"", "\"\u{1f}\"", "\"a\n",
    "\\u0041",
    "“a”", "a", "\u{FEFF}1", "\u{FEFF}{}", "\u{A0}1", "\u{2003}1", "\u{c}1", "\u{b}1",
    "[", "]", "[1", "[1,", "[,", "[,1]", "[1,]", "[1,,2]", "[1 2]", "[1}", "[1;2]", "[\"a\"", "[\"a\":1]", "[]]",
    "[][]",
    "[1]x", "[1],", "[1:2]", "[*]", "[a]", "[-]", "[//]", "[1]/**/", "[1]#", "[\n", "[\"\n",
    "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{,}", "{1:1}", "{a:1}", "{'a':1}", "{\"a\" 1}",
    "{\"a\"::1}",
    "{\"a\":1 \"b\":2}", "{\"a\":1,,\"b\":2}", "{\"a\":1,}", "{\"a\",1}", "{\"a\":}", "{\"a\":1]", "{null:1}",
    "{\"a\":1}}",
    "{}{}", "{\"a\":1}x", "{\"a\":1}//", "{\"a\":1}/*", "{[]:1}", "{\"a\":1,\"a\":1}", "{\"a\":1,\"b\":2,\"a\":3}",
    "{\"a\":1,\"\\u0061\":2}", "{\"\u{e9}\":1,\"e\u{301}\":2}", "{\"x\":{\"a\":1,\"a\":2}}", "// c\n1", "/**/1",
    "1 // c",
    "<null>", "*", "@", "\0", "1\0", "null\0", "{\"a\":b}", "{\"a\": tru}", "[\"\\u00\"]", "[\"\\uD800\\\"]", "&",
    "%31",
  ]

  @Test("what the standard calls JSON is read", arguments: accepted)
  func accepts(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == value)
  }

  @Test("what is not JSON is refused, with a place", arguments: refused)
  func refuses(text: String) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    if let error {
      #expect(error.offset <= text.utf8.count)
      #expect(error.line >= 1 && error.column >= 1)
    }
  }

  @Test(
    "bytes that are not UTF-8 are refused in strings and outside",
    arguments: [
      [0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xE2, 0x82],
      [0xF8, 0x88, 0x80, 0x80, 0x80],
      [0xC1, 0xBF], [0xE0, 0x80, 0x80],
    ] as [[UInt8]])
  func notUTF8(bytes: [UInt8]) {
    for text in [[0x22] + bytes + [0x22], [0x22, 0x5C, 0x6E] + bytes + [0x22], bytes, [0x5B] + bytes + [0x5D]] {
      #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    }
  }

  @Test("a text cut at any byte is refused")
  func truncated() throws {
    let text = Array(#"{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00",true,null],"b":{"c":"d"}}"#.utf8)
    #expect(throws: Never.self) { try JSONValue(parsing: text) }
    for count in 0..<text.count {
      #expect(throws: JSONError.self, "cut at \(count)") { try JSONValue(parsing: text.prefix(count)) }
    }
  }

  @Test("depth, size, number length and the count of values have limits, which are exact")
  func limits() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try JSONValue(parsing: nested(64)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: nested(65)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "[", count: 100_000)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "{\"a\":", count: 100_000)) }

    var limits = JSONLimits(bytes: 10)
    limits.values = 3
    #expect(throws: Never.self) { try JSONValue(parsing: "[1,     2]", limits: limits) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: "[1,     2 ]", limits: limits) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: "[1,2,3]", limits: limits) }

    #expect(throws: Never.self) { try JSONValue(parsing: "1." + String(repeating: "3", count: 1_022)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: "1." + String(repeating: "3", count: 1_023)) }
  }

  @Test("an error names the line and the column")
  func places() {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: "{\n  \"a\": 1,\n  \"b\": ?\n}") }
    #expect(error?.description == "'?', expected a value at line 3, column 8")
    #expect(error?.offset == 19)
  }

  @Test("an object of many names is found in by name and refuses the same name")
  func wide() throws {
    let members = (0..<2_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    let value = try JSONValue(parsing: "{\(members)}")
    #expect(value["k0"] == 0 && value["k1999"] == 1_999 && value["k2000"] == nil)
    #expect(value.object?.names.prefix(2) == ["k0", "k1"])
    #expect(throws: JSONError.self) { try JSONValue(parsing: "{\(members),\"k1000\":1}") }
  }

  @Test("random bytes made of JSON's characters never crash, and what is read is written the same")
  func random() throws {
    let alphabet = Array("[]{}:,\"\\ue0123456789.-+truefalsn \n\u{e9}".utf8)
    for seed in 0..<20_000 as Range<UInt64> {
      var generator = SeededRandom(seed: seed)
      let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator)!
      }
      guard let value = try? JSONValue(parsing: text) else { continue }
      // A whole number may have been written as 1.0, so what is compared is the second writing.
      #expect(try JSONValue(parsing: value.json).json == value.json, "seed \(seed)")
    }
  }
}
