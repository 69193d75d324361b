/// A request's line and header: the bytes as they came, and where in them everything is.
///
/// Nothing is copied out until somebody asks, so a head costs no allocation when its storage is used again.
nonisolated package final class HTTPHead {
  package internal(set) var method = HTTPMethod.get
  /// Whether the client will send another request on the connection.
  package internal(set) var keepsAlive = true
  /// 1 in HTTP/1.1, 0 in HTTP/1.0.
  package internal(set) var minorVersion = 1

  var bytes: [UInt8] = []
  var fields: [Field] = []
  /// The path as sent, percent-encoded; empty stands for `/`.
  var path = 0..<0
  /// What follows the question mark, if there is one.
  var query: Range<Int>?
  /// The host of an absolute target, if there is one.
  var authority: Range<Int>?

  /// Where a header line's two parts are. Sixteen bits hold any place: the limits add up to less than 64 KiB.
  struct Field {
    private let nameStart: UInt16
    private let nameEnd: UInt16
    private let valueStart: UInt16
    private let valueEnd: UInt16

    init(name: Range<Int>, value: Range<Int>) {
      nameStart = UInt16(name.lowerBound)
      nameEnd = UInt16(name.upperBound)
      valueStart = UInt16(value.lowerBound)
      valueEnd = UInt16(value.upperBound)
    }

    var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
    var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
  }

  package init() {}

  /// Empties the head for the next request, keeping its storage.
  func clear() {
    method = .get
    keepsAlive = true
    minorVersion = 1
    bytes.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    path = 0..<0
    query = nil
    authority = nil
  }

  // MARK: Reading

  /// The path as it was sent.
  package var rawPath: String { path.isEmpty ? "/" : text(path) }

  /// The query as it was sent, without its question mark.
  package var rawQuery: String? { query.map(text) }

  package var fieldCount: Int { fields.count }

  /// A field's value. Several fields of the name are joined by commas, as RFC 9110 5.3 has it.
  package subscript(name: StaticString) -> String? {
    let bytes = bytes
    var values: [String] = []
    for field in fields where ASCII.matches(bytes, field.name, name) { values.append(text(field.value)) }
    return values.count > 1 ? values.joined(separator: ", ") : values.first
  }

  /// Whether there is a field of that name, in lower case.
  package func has(_ name: StaticString) -> Bool {
    let bytes = bytes
    return fields.contains { ASCII.matches(bytes, $0.name, name) }
  }

  /// All fields in their order, for logs and tests.
  package var allFields: [(name: String, value: String)] {
    fields.map { (text($0.name), text($0.value)) }
  }

  /// Calls `body` with each value of the fields of that name, without making strings.
  func eachValue(of name: StaticString, _ body: (ArraySlice<UInt8>) -> Void) {
    let bytes = bytes
    for field in fields where ASCII.matches(bytes, field.name, name) { body(bytes[field.value]) }
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
