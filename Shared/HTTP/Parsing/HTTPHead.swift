/// A request's line and header: the bytes as they came, and where in them everything is.
///
/// Nothing is copied out until somebody asks, so a head costs no allocation when its storage is used again.
nonisolated package struct HTTPHead {
  package internal(set) var method = HTTPMethod.get
  /// Whether the client will send another request on the connection.
  package internal(set) var keepsAlive = true
  /// 1 in HTTP/1.1, 0 in HTTP/1.0.
  package internal(set) var minorVersion: UInt8 = 1

  var bytes: [UInt8] = []
  var fields: [Field] = []
  /// The path as sent, percent-encoded; empty stands for `/`.
  var path = Place(0..<0)
  /// What follows the question mark, if there is one.
  var query: Place?
  /// The host of an absolute target, if there is one.
  var authority: Place?

  /// Where something is in the head's bytes. Sixteen bits are enough: the limits add up to less than 64 KiB.
  struct Place {
    private let start: UInt16
    private let end: UInt16

    init(_ range: Range<Int>) {
      start = UInt16(range.lowerBound)
      end = UInt16(range.upperBound)
    }

    var range: Range<Int> { Range(uncheckedBounds: (Int(start), Int(end))) }
  }

  /// A header line's two parts.
  struct Field {
    let name: Place
    let value: Place
  }

  package init() {}

  /// Empties the head for the next request, keeping its storage unless somebody still looks at it.
  mutating func clear() {
    method = .get
    keepsAlive = true
    minorVersion = 1
    bytes.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    path = Place(0..<0)
    query = nil
    authority = nil
  }

  // MARK: Reading

  /// The path as it was sent.
  package var rawPath: String { path.range.isEmpty ? "/" : text(path) }

  /// Whether the path is `wanted`, without making a string of it.
  package func hasPath(_ wanted: StaticString) -> Bool {
    path.range.isEmpty ? wanted.utf8CodeUnitCount == 1 : path.range.count == wanted.utf8CodeUnitCount && begins(wanted)
  }

  /// Whether the path begins with `prefix`, which is longer than the slash that all begin with.
  package func hasPath(beginning prefix: StaticString) -> Bool {
    path.range.count >= prefix.utf8CodeUnitCount && begins(prefix)
  }

  private func begins(_ prefix: StaticString) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      let start = path.range.lowerBound
      return prefix.withUTF8Buffer { $0.elementsEqual(bytes[start..<start + $0.count]) }
    }
  }

  /// The query as it was sent, without its question mark.
  package var rawQuery: String? { query.map(text) }

  /// A field's value, by its name in lower case. Several fields of the name are joined by commas, as RFC 9110 5.3 has it.
  package subscript(name: StaticString) -> String? {
    var value: String?
    for field in fields where ASCII.matches(bytes, field.name.range, name) {
      value = value.map { $0 + ", " + text(field.value) } ?? text(field.value)
    }
    return value
  }

  /// Whether there is a field of that name, in lower case.
  package func has(_ name: StaticString) -> Bool {
    fields.contains { ASCII.matches(bytes, $0.name.range, name) }
  }

  /// All fields in their order, for logs and tests.
  package var allFields: [(name: String, value: String)] {
    fields.map { (text($0.name), text($0.value)) }
  }

  /// Calls `body` with each value of the fields of that name, without making strings.
  func eachValue(of name: StaticString, _ body: (ArraySlice<UInt8>) -> Void) {
    for field in fields where ASCII.matches(bytes, field.name.range, name) { body(bytes[field.value.range]) }
  }

  private func text(_ place: Place) -> String { String(decoding: bytes[place.range], as: UTF8.self) }
}
