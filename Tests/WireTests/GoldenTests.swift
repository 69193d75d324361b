import FoundationEssentials
import Testing
import Wire

/// Self-contained messages as they were written when the format was at its version: bytes on disk outlive programs.
@Suite("Golden bytes")
struct GoldenTests {
  @Test("numbers") func numbers() throws { try check(Numbers(), "numbers") }
  @Test("texts") func texts() throws { try check(Texts(), "texts") }
  @Test("dates, ids, addresses, bytes") func foundational() throws { try check(Foundational(), "foundational") }
  @Test("enums") func enums() throws { try check(Enums(), "enums") }
  @Test("nested optionals") func nesting() throws {
    try check(Nesting(plain: 5, nothing: nil, nilInside: .some(nil), deep: .some(.some(nil)), inner: nil), "nesting")
  }
  @Test("integer keys") func numbered() throws { try check(Numbered(first: "a", second: -1), "numbered") }
  @Test("more fields than fit a byte") func wide() throws { try check(Wide(), "wide") }
  @Test("a request") func request() throws { try check(NearbyRequest.sample, "request") }
  @Test("a reply") func reply() throws { try check(NearbyReply.sample, "reply") }
  @Test("lists and maps") func collections() throws { try check(Lists(), "lists") }
  @Test("a class with a superclass") func classes() throws {
    let bytes = try read("class")
    let written = try Wire.encode(Dog(name: "Rex", tricks: ["sit"]))
    #expect(written == bytes, "class.hex would be \(hex(written))")
    #expect(try Wire.decode(Dog.self, from: bytes).name == "Rex")
  }

  /// No set or map of more than one: their order is another in every process.
  struct Lists: Codable, Equatable {
    var ints = [1, -1, 1 << 40]
    var doubles = [0.5, -1]
    var mixed: [Int?] = [nil, 1]
    var bytes: [UInt8] = [0, 200]
    var bools = [true, false]
    var nested = [[1], []]
    var structs = [Inner(name: "a", rank: 1)]
    var byName = ["a": "b"]
    var byInt = [1: Inner(name: "c", rank: 2)]
    var open: [String: Int?] = ["x": nil]
  }

  private func check<Value: Codable & Equatable>(_ value: Value, _ name: String) throws {
    let golden = try read(name)
    let bytes = try Wire.encode(value)
    #expect(bytes == golden, "\(name).hex would be \(hex(bytes))")
    #expect(try Wire.decode(Value.self, from: golden) == value)
  }

  private func read(_ name: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
    let text = String(decoding: try Data(contentsOf: folder.appending(path: "\(name).hex")), as: UTF8.self)
    let digits = text.filter(\.isHexDigit).map { UInt8($0.hexDigitValue!) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// Thirty-two bytes to a line.
  private func hex(_ bytes: [UInt8]) -> String {
    bytes.enumerated().map { index, byte in
      (index > 0 && index.isMultiple(of: 32) ? "\n" : "") + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
