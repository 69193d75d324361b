import JSON
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
  private func text(_ escaping: JSONWriter.Escaping = .minimal, _ body: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter(escaping: escaping)
    body(&json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test("members and elements are separated, at any depth")
  func structure() {
    let json = text { json in
      json.object { json in
        json.field("id", "emu")
        json.field("distance_m", 612)
        json.object("location") { json in
          json.field("lat", 37.572129)
          json.field("lon", -126.0)
        }
        json.array("days") { json in
          json.object { $0.field("open", true) }
          json.object { _ in }
        }
        json.array("empty") { _ in }
        json.array("numbers", of: [1, 2, 3])
        json.field("none", nil as String?)
        json.field("absent", ifPresent: nil as Int?)
        json.field("there", ifPresent: 1)
        json.name("raw")
        json.raw(Array("[0]".utf8))
        json.name("run time")
        json.null()
      }
    }
    #expect(
      json == #"{"id":"emu","distance_m":612,"location":{"lat":37.572129,"lon":-126},"days":[{"open":true},{}],"#
        + #""empty":[],"numbers":[1,2,3],"none":null,"there":1,"raw":[0],"run time":null}"#)
  }

  @Test("every character of a string survives, and control characters are escaped")
  func strings() throws {
    #expect(
      text { $0.value("a\"b\\c/\n\r\t\u{8}\u{c}\u{1}\u{1f}\u{7f}") } == #""a\"b\\c/\n\r\t\b\f\u0001\u001f\#u{7f}""#)
    let everything = String(String.UnicodeScalarView((0..<0x3000).compactMap(UnicodeScalar.init))) + "😀괴물"
    #expect(try JSONValue(parsing: everything.json) == .string(everything))
    #expect(text { $0.value("abc".dropFirst()) } == "\"bc\"")
  }

  @Test("text for a script element has no character that could end it")
  func html() throws {
    let hostile = "</script><!--&"
    let json = text(.html) { $0.object { $0.field("a<b", hostile) } }
    #expect(!json.contains("<") && !json.contains(">") && !json.contains("&"))
    #expect(try JSONValue(parsing: json)["a<b"]?.string == hostile)
  }

  @Test(
    "whole numbers are exact at both ends",
    arguments: [Int64.min, -9_007_199_254_740_993, -1, 0, 9, 10, 99, 9_007_199_254_740_993, .max])
  func integers(value: Int64) throws {
    #expect(text { $0.value(value) } == String(value))
    #expect(try JSONValue(parsing: value.json) == .int(value))
  }

  @Test(
    "doubles read back as themselves",
    arguments: [0.1, 1e21, 1e-7, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -2.5, 1 / 3])
  func doubles(value: Double) throws {
    #expect(try JSONValue(parsing: value.json).double == value)
  }

  @Test("a double without a fraction is written as a whole number, and what JSON lacks as null")
  func specialDoubles() {
    #expect(text { $0.value(37.0) } == "37")
    #expect(text { $0.value(-0.0) } == "-0.0")
    #expect(text { $0.array(of: [Double.nan, .infinity, -.infinity]) } == "[null,null,null]")
    #expect(text { $0.value(UInt64.max) } == "18446744073709551615")
  }

  @Test("a tree is written as it was read")
  func tree() throws {
    let source = #"{"z":[1,2.5,"x",true,null],"a":{"c":{}},"":-7}"#
    #expect(String(decoding: try JSONValue(parsing: source).json, as: UTF8.self) == source)
  }

  @Test("an object keeps the order of its names and replaces in place")
  func objects() {
    var object = JSONObject([("b", 1), ("a", 2), ("b", 3)])
    #expect(object.names == ["b", "a"] && object["b"] == 3)
    for index in 0..<20 { object["n\(index)"] = .int(Int64(index)) }
    object["a"] = nil
    #expect(object["a"] == nil && object["n19"] == 19 && object.count == 21)
    object["n3"] = "three"
    #expect(object["n3"] == "three" && object.count == 21)
  }
}
