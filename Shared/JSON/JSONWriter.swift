/// Writes JSON straight to bytes: no tree, no reflection, one growing buffer.
///
///     var json = JSONWriter()
///     json.object { json in
///       json.field("id", cinema.id)
///       json.array("days", of: cinema.days)
///     }
///
/// Public, to be specialised for what it writes.
public struct JSONWriter {
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false
  private let escaping: Escaping

  /// Which characters are written as `\u` besides those that JSON demands.
  public enum Escaping: Sendable {
    /// None: for a body of its own.
    case minimal
    /// `<`, `>` and `&`, so that the text may stand inside an HTML `script` element.
    case html
  }

  public init(escaping: Escaping = .minimal, capacity: Int = 512) {
    self.escaping = escaping
    bytes.reserveCapacity(capacity)
  }

  /// Writes into an empty array's storage, which saves an allocation.
  public init(into storage: consuming [UInt8], escaping: Escaping = .minimal) {
    self.escaping = escaping
    bytes = storage
  }

  // MARK: Objects

  public mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
    begin(UInt8(ascii: "{"))
    try body(&self)
    end(UInt8(ascii: "}"))
  }

  /// A member. `nil` is written as `null`: known to have none.
  public mutating func field(_ name: StaticString, _ value: some JSONWritable) {
    self.name(name)
    value.write(to: &self)
  }

  /// A member that is left out when there is no value: not asked, or not known.
  public mutating func field(_ name: StaticString, ifPresent value: (some JSONWritable)?) {
    if let value { field(name, value) }
  }

  public mutating func object(_ name: StaticString, _ body: (inout JSONWriter) throws -> Void) rethrows {
    self.name(name)
    try object(body)
  }

  public mutating func array(_ name: StaticString, _ body: (inout JSONWriter) throws -> Void) rethrows {
    self.name(name)
    try array(body)
  }

  /// A member that holds every element of `values`.
  public mutating func array(_ name: StaticString, of values: some Sequence<some JSONWritable>) {
    self.name(name)
    array(of: values)
  }

  /// The name of the next value, which must follow. For names known only at run time, use the other form.
  public mutating func name(_ name: StaticString) {
    separate()
    name.withUTF8Buffer { quote($0) }
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  public mutating func name(_ name: String) {
    name.write(to: &self)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  // MARK: Arrays

  public mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
    begin(UInt8(ascii: "["))
    try body(&self)
    end(UInt8(ascii: "]"))
  }

  public mutating func array(of values: some Sequence<some JSONWritable>) {
    array { json in
      for value in values { value.write(to: &json) }
    }
  }

  // MARK: Values

  public mutating func value(_ value: some JSONWritable) { value.write(to: &self) }

  public mutating func null() { literal("null") }

  /// Text that is JSON already, such as a part that was written before.
  public mutating func raw(_ json: [UInt8]) {
    separate()
    bytes.append(contentsOf: json)
  }

  /// A value that was written before but for two whole numbers, which belong at these places of it.
  public mutating func raw(_ json: [UInt8], _ one: Int, at place: Int, _ other: Int, at otherPlace: Int) {
    separate()
    json.withUnsafeBufferPointer { json in
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: json[..<place]))
      digits(UInt64(one.magnitude), isNegative: one < 0)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: json[place..<otherPlace]))
      digits(UInt64(other.magnitude), isNegative: other < 0)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: json[otherPlace...]))
    }
  }

  mutating func literal(_ text: StaticString) { text.withUTF8Buffer { plain($0) } }

  /// Text that needs no quotes.
  mutating func plain(_ utf8: UnsafeBufferPointer<UInt8>) {
    separate()
    bytes.append(contentsOf: utf8)
  }

  mutating func number(_ value: UInt64, isNegative: Bool) {
    separate()
    digits(value, isNegative: isNegative)
  }

  private mutating func digits(_ value: UInt64, isNegative: Bool) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var value = value
      var start = digits.count
      repeat {
        start -= 1
        digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
        value /= 10
      } while value > 0
      if isNegative { bytes.append(UInt8(ascii: "-")) }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  mutating func string(_ utf8: UnsafeBufferPointer<UInt8>) {
    separate()
    quote(utf8)
  }

  // MARK: Bytes

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func quote(_ utf8: UnsafeBufferPointer<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var clean = 0
    while clean < utf8.count {
      let end = endOfPlain(utf8, from: clean)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[clean..<end]))
      guard end < utf8.count else { break }
      escape(utf8[end])
      clean = end + 1
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Where the next byte is that must be escaped; most texts have none, so eight are looked at together.
  private func endOfPlain(_ utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    if escaping == .minimal {
      let raw = UnsafeRawBufferPointer(utf8)
      while index + 8 <= utf8.count {
        let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        if Self.mustEscapeOne(of: word) { break }
        index += 8
      }
    }
    while index < utf8.count, !mustEscape(utf8[index]) { index += 1 }
    return index
  }

  /// Whether one of eight bytes is a control character, a quote or a backslash.
  private static func mustEscapeOne(of word: UInt64) -> Bool {
    let (ones, tops) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    // In each byte the top bit is set where a subtraction had to borrow, which only the least bytes do.
    let control = (word &- ones &* 0x20) & ~word
    return (control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)) & tops != 0
  }

  private func mustEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
      || escaping == .html && (byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "&"))
  }

  private mutating func escape(_ byte: UInt8) {
    let short: UInt8? =
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
      case 0x08: UInt8(ascii: "b")
      case 0x09: UInt8(ascii: "t")
      case 0x0A: UInt8(ascii: "n")
      case 0x0C: UInt8(ascii: "f")
      case 0x0D: UInt8(ascii: "r")
      default: nil
      }
    bytes.append(UInt8(ascii: "\\"))
    if let short {
      bytes.append(short)
    } else {
      bytes.append(contentsOf: [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")])
      bytes.append(hexDigit(byte >> 4))
      bytes.append(hexDigit(byte & 15))
    }
  }

  private func hexDigit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }
}

/// A value that knows how it looks in JSON.
public protocol JSONWritable {
  func write(to json: inout JSONWriter)
}

extension JSONWritable {
  /// The value as a JSON text of its own.
  public var json: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}

extension String: JSONWritable {
  public func write(to json: inout JSONWriter) {
    var text = self
    text.withUTF8 { json.string($0) }
  }
}

extension Substring: JSONWritable {
  public func write(to json: inout JSONWriter) {
    var text = self
    text.withUTF8 { json.string($0) }
  }
}

extension Bool: JSONWritable {
  public func write(to json: inout JSONWriter) { json.literal(self ? "true" : "false") }
}

extension Int: JSONWritable {
  public func write(to json: inout JSONWriter) { json.number(UInt64(magnitude), isNegative: self < 0) }
}

extension Int64: JSONWritable {
  public func write(to json: inout JSONWriter) { json.number(magnitude, isNegative: self < 0) }
}

extension UInt64: JSONWritable {
  public func write(to json: inout JSONWriter) { json.number(self, isNegative: false) }
}

extension Double: JSONWritable {
  /// The shortest text that reads back as the same number; whole numbers without a fraction. JSON has no infinity and
  /// no NaN: they are `null`.
  public func write(to json: inout JSONWriter) {
    if let whole = Int64(exactly: self), whole.magnitude < 1 << 53, whole != 0 || sign == .plus {
      whole.write(to: &json)
    } else if isFinite {
      var text = description
      text.withUTF8 { json.plain($0) }
    } else {
      json.null()
    }
  }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
  public func write(to json: inout JSONWriter) {
    if let self { self.write(to: &json) } else { json.null() }
  }
}

extension Array: JSONWritable where Element: JSONWritable {
  public func write(to json: inout JSONWriter) { json.array(of: self) }
}
