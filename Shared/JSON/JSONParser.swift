/// What a JSON text may cost. Each number is refused when exceeded, before anything is allocated for it.
package struct JSONLimits: Sendable {
  /// The longest body that the gateway takes.
  package var bytes = 1 << 20
  /// Deeper than any document of ours by far; the parser's stack stays under 64 KiB.
  package var depth = 64
  /// Values in all: a megabyte of `[[],[],…` becomes at most this many nodes.
  package var values = 100_000
  /// Characters of one number. The longest exact decimal of a double that anybody sends is shorter.
  package var numberBytes = 1_024

  package init() {}

  package init(bytes: Int) { self.bytes = bytes }
}

/// Why a text is not JSON as we take it, and where.
package struct JSONError: Error, Hashable, CustomStringConvertible {
  package let reason: String
  /// The offending byte's distance from the start.
  package let offset: Int
  /// Both from 1; the column counts bytes.
  package let line: Int
  package let column: Int

  package var description: String { "\(reason) at line \(line), column \(column)" }
}

extension JSONValue {
  /// Reads one JSON text (RFC 8259), strictly: UTF-8 without a byte-order mark, no name twice in an object, no lone
  /// surrogate, nothing after the value but blanks.
  package init(parsing bytes: some Sequence<UInt8>, limits: JSONLimits = JSONLimits()) throws(JSONError) {
    let fast = bytes.withContiguousStorageIfAvailable { buffer in
      Result { () throws(JSONError) in try Self.parse(UnsafeRawBufferPointer(buffer), limits) }
    }
    let result =
      fast
      ?? Array(bytes).withUnsafeBytes { buffer in
        Result { () throws(JSONError) in try Self.parse(buffer, limits) }
      }
    self = try result.get()
  }

  package init(parsing text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) {
    try self.init(parsing: text.utf8, limits: limits)
  }

  private static func parse(_ bytes: UnsafeRawBufferPointer, _ limits: JSONLimits) throws(JSONError) -> JSONValue {
    var parser = JSONParser(bytes: bytes, limits: limits)
    return try parser.text()
  }
}

/// Recursive descent over bytes in memory.
struct JSONParser {
  private let bytes: UnsafeRawBufferPointer
  private let limits: JSONLimits
  private var position = 0
  private var values = 0
  private var scratch: [UInt8] = []

  init(bytes: UnsafeRawBufferPointer, limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  mutating func text() throws(JSONError) -> JSONValue {
    guard bytes.count <= limits.bytes else { throw error("more than \(limits.bytes) bytes", at: 0) }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw error("a byte-order mark, which JSON does not have,", at: 0) }
    skipBlanks()
    let value = try self.value(depth: 0)
    skipBlanks()
    guard position == bytes.count else { throw unexpected("the end") }
    return value
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    values += 1
    guard values <= limits.values else { throw error("more than \(limits.values) values") }
    // No value begins with NUL, which stands for the end here.
    switch peek ?? 0 {
    case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
    case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw unexpected("a value")
    }
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
    try enter(depth)
    var object = JSONObject()
    if take(UInt8(ascii: "}")) { return object }
    repeat {
      skipBlanks()
      let start = position
      guard peek == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
      let name = try string()
      skipBlanks()
      guard take(UInt8(ascii: ":")) else { throw unexpected("a colon") }
      skipBlanks()
      let value = try value(depth: depth)
      guard object.insert(name, value) else { throw error("the name \"\(name)\" for the second time", at: start) }
      skipBlanks()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw unexpected("a comma or }") }
    return object
  }

  private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
    try enter(depth)
    var array: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return array }
    repeat {
      skipBlanks()
      array.append(try value(depth: depth))
      skipBlanks()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw unexpected("a comma or ]") }
    return array
  }

  private mutating func enter(_ depth: Int) throws(JSONError) {
    guard depth <= limits.depth else { throw error("more than \(limits.depth) levels") }
    position += 1
    skipBlanks()
  }

  private mutating func word(_ text: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    let isThere = text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    guard isThere else { throw unexpected("a value") }
    position += text.utf8CodeUnitCount
    return value
  }

  // MARK: Numbers

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    let isNegative = take(UInt8(ascii: "-"))
    let whole = position
    guard let first = peek, isDigit(first) else { throw unexpected("a digit") }
    skipDigits()
    guard first != UInt8(ascii: "0") || position == whole + 1 else {
      throw error("a number that begins with 0", at: whole)
    }
    let digits = bytes[whole..<position]
    var isWhole = true
    if take(UInt8(ascii: ".")) {
      isWhole = false
      try requireDigits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isWhole = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try requireDigits()
    }
    guard position - start <= limits.numberBytes else {
      throw error("a number of more than \(limits.numberBytes) characters", at: start)
    }
    if isWhole, let value = exact(digits, isNegative: isNegative) { return .int(value) }
    guard let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)), value.isFinite else {
      throw error("a number out of range", at: start)
    }
    return .double(value)
  }

  private func exact(_ digits: Slice<UnsafeRawBufferPointer>, isNegative: Bool) -> Int64? {
    // Minus zero is a number that `Int64` has not.
    if isNegative, digits.count == 1, digits.first == UInt8(ascii: "0") { return nil }
    var value: Int64 = 0
    for digit in digits {
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let unit = Int64(digit - UInt8(ascii: "0"))
      let (sum, carry) = isNegative ? tens.subtractingReportingOverflow(unit) : tens.addingReportingOverflow(unit)
      if overflow || carry { return nil }
      value = sum
    }
    return value
  }

  private mutating func requireDigits() throws(JSONError) {
    guard let next = peek, isDigit(next) else { throw unexpected("a digit") }
    skipDigits()
  }

  private mutating func skipDigits() {
    while let next = peek, isDigit(next) { position += 1 }
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  // MARK: Strings

  private mutating func string() throws(JSONError) -> String {
    let start = position
    position += 1
    let contents = position
    while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
    if peek == UInt8(ascii: "\"") {
      defer { position += 1 }
      return try validated(UnsafeRawBufferPointer(rebasing: bytes[contents..<position]), from: start)
    }
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: bytes[contents..<position])
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return try scratch.withUnsafeBytes { raw in
          Result { () throws(JSONError) in try validated(raw, from: start) }
        }.get()
      case UInt8(ascii: "\\"):
        position += 1
        try escape()
      case 0..<0x20:
        throw error("a control character in a string; write it as \\u")
      default:
        scratch.append(byte)
        position += 1
      }
    }
    throw error("a string without its end", at: start)
  }

  private func validated(_ utf8: UnsafeRawBufferPointer, from start: Int) throws(JSONError) -> String {
    guard let text = String(validating: utf8, as: UTF8.self) else {
      throw error("a string that is not UTF-8", at: start)
    }
    return text
  }

  private mutating func escape() throws(JSONError) {
    guard let byte = peek else { throw unexpected("an escape") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(byte)
    case UInt8(ascii: "b"): scratch.append(0x08)
    case UInt8(ascii: "f"): scratch.append(0x0C)
    case UInt8(ascii: "n"): scratch.append(0x0A)
    case UInt8(ascii: "r"): scratch.append(0x0D)
    case UInt8(ascii: "t"): scratch.append(0x09)
    case UInt8(ascii: "u"): scratch.append(contentsOf: String(try scalar()).utf8)
    default: throw error("an unknown escape", at: position - 2)
    }
  }

  private mutating func scalar() throws(JSONError) -> Character {
    let start = position - 2
    let high = try hexWord()
    if let scalar = UnicodeScalar(high) { return Character(scalar) }
    guard high < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw error("half of a surrogate pair", at: start)
    }
    let low = try hexWord()
    guard (0xDC00..<0xE000).contains(low),
      let scalar = UnicodeScalar(0x10000 + (UInt32(high) - 0xD800) << 10 + UInt32(low) - 0xDC00)
    else { throw error("half of a surrogate pair", at: start) }
    return Character(scalar)
  }

  private mutating func hexWord() throws(JSONError) -> UInt16 {
    var word: UInt16 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch peek {
      case let byte? where isDigit(byte): digit = byte - UInt8(ascii: "0")
      case let byte? where byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "f"):
        digit = (byte | 0x20) - UInt8(ascii: "a") + 10
      default: throw unexpected("four hexadecimal digits")
      }
      word = word << 4 | UInt16(digit)
      position += 1
    }
    return word
  }

  // MARK: Bytes

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipBlanks() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private func unexpected(_ wanted: String) -> JSONError {
    guard let byte = peek else { return error("the text ends, expected \(wanted)") }
    let shown = (0x21..<0x7F).contains(byte) ? "'\(Character(UnicodeScalar(byte)))'" : "byte \(byte)"
    return error("\(shown), expected \(wanted)")
  }

  private func error(_ reason: String, at offset: Int? = nil) -> JSONError {
    let offset = offset ?? position
    let before = bytes.prefix(offset)
    let line = before.count { $0 == 0x0A } + 1
    let column = offset - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
    return JSONError(reason: reason, offset: offset, line: line, column: column)
  }
}
