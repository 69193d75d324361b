import JSON

/// JSON as pages carry it: what `JSON.parse` takes, and what only a script engine would.
///
/// Also read: a byte-order mark, comments, commas at the end, names without quotes, single quotes and templates, control
/// characters in strings, `undefined`, `!0`, `void 0`, `new Date("…")`, `new Date(2026, 10, 27)`, numbers like `.5`, names twice (the last counts).
/// Identifiers stand for values that the caller knows, or for null. A number with a leading zero stays text: `0930`.
struct LooseJSON {
  struct Failure: Error {
    var offset: Int
    var reason: String
  }

  private let bytes: [UInt8]
  private let budget: WorkBudget
  private let depthMax: Int
  private let valuesMax: Int
  private let known: [String: JSONValue]
  private(set) var position: Int
  private var values = 0
  /// The work is over; the reading stops like at a mistake and the caller looks here.
  private(set) var exhausted: ExtractionError?

  init(
    _ bytes: [UInt8], from position: Int = 0, budget: WorkBudget, limits: ExtractionLimits,
    known: [String: JSONValue] = [:]
  ) {
    self.bytes = bytes
    self.position = position
    self.budget = budget
    self.known = known
    depthMax = limits.depth
    valuesMax = limits.values
    if position == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { self.position = 3 }
  }

  /// One value that is all there is.
  mutating func document() throws(Failure) -> JSONValue {
    let value = try next()
    skipBlanks()
    if peek == UInt8(ascii: ";") { position += 1 }
    skipBlanks()
    guard position == bytes.count else { throw failure("something stands after the end") }
    return value
  }

  /// Values one after the other until something else stands there: a line for each, or several scripts in one.
  mutating func series() throws(Failure) -> [JSONValue] {
    var values = [try next()]
    while true {
      skipBlanks()
      if peek == UInt8(ascii: ";") || peek == UInt8(ascii: ",") { position += 1 }
      let start = position
      guard let value = try? next() else {
        position = start
        return values
      }
      values.append(value)
    }
  }

  /// The value at the position; whatever follows it is left.
  mutating func next() throws(Failure) -> JSONValue {
    skipBlanks()
    let start = position
    let value = try self.value(depth: 0)
    do { try budget.spend((position - start) / 8 + 1) } catch {
      exhausted = error
      throw failure("the work is over")
    }
    return value
  }

  private func failure(_ reason: String) -> Failure { Failure(offset: position, reason: reason) }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func byte(_ ahead: Int) -> UInt8? { position + ahead < bytes.count ? bytes[position + ahead] : nil }

  private mutating func value(depth: Int) throws(Failure) -> JSONValue {
    guard depth <= depthMax + 1 else { throw failure("more than \(depthMax) levels") }
    values += 1
    guard values <= valuesMax else { throw failure("more than \(valuesMax) values") }
    guard let first = peek else { throw failure("a value is missing") }
    switch first {
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try array(depth: depth + 1)
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): return .string(try string(until: first))
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), 0x30...0x39: return try number()
    case UInt8(ascii: "!"):
      position += 1
      return .bool(try value(depth: depth + 1) == .int(0))
    default: return try word(depth: depth)
    }
  }

  private mutating func object(depth: Int) throws(Failure) -> JSONValue {
    guard depth <= depthMax else { throw failure("more than \(depthMax) levels") }
    position += 1
    var object = JSONObject()
    while true {
      skipBlanks()
      guard let next = peek else { throw failure("an object without its end") }
      if next == UInt8(ascii: "}") {
        position += 1
        return .object(object)
      }
      if next == UInt8(ascii: ",") {
        position += 1
        continue
      }
      let name = try self.name(next)
      skipBlanks()
      guard peek == UInt8(ascii: ":") else { throw failure("a colon is missing") }
      position += 1
      skipBlanks()
      object[name] = try value(depth: depth)
      skipBlanks()
      guard peek == UInt8(ascii: ",") || peek == UInt8(ascii: "}") else { throw failure("a comma is missing") }
    }
  }

  private mutating func name(_ first: UInt8) throws(Failure) -> String {
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return try string(until: first) }
    let start = position
    while let byte = peek, isNameByte(byte) { position += 1 }
    guard position > start else { throw failure("a name is missing") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...: true
    default: false
    }
  }

  private mutating func array(depth: Int) throws(Failure) -> JSONValue {
    guard depth <= depthMax else { throw failure("more than \(depthMax) levels") }
    position += 1
    var array: [JSONValue] = []
    while true {
      skipBlanks()
      guard let next = peek else { throw failure("an array without its end") }
      if next == UInt8(ascii: "]") {
        position += 1
        return .array(array)
      }
      if next == UInt8(ascii: ",") {
        position += 1
        continue
      }
      array.append(try value(depth: depth))
      skipBlanks()
      guard peek == UInt8(ascii: ",") || peek == UInt8(ascii: "]") else { throw failure("a comma is missing") }
    }
  }

  private mutating func string(until quote: UInt8) throws(Failure) -> String {
    position += 1
    let start = position
    while let byte = peek, byte != quote, byte != UInt8(ascii: "\\") { position += 1 }
    if peek == quote {
      defer { position += 1 }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
    var text = Array(bytes[start..<position])
    while let byte = peek {
      position += 1
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\"), let escaped = peek else {
        text.append(byte)
        continue
      }
      position += 1
      switch escaped {
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "b"), UInt8(ascii: "f"): text.append(0x20)
      case UInt8(ascii: "u"): text.append(contentsOf: String(unicode(digits: 4)).utf8)
      case UInt8(ascii: "x"): text.append(contentsOf: String(unicode(digits: 2)).utf8)
      case 0x0A: break
      default: text.append(escaped)
      }
    }
    throw failure("a string without its end")
  }

  private mutating func unicode(digits: Int) -> Character {
    guard let high = hexadecimal(digits) else { return "\u{FFFD}" }
    if let scalar = Unicode.Scalar(high) { return Character(scalar) }
    guard high < 0xDC00, peek == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u") else { return "\u{FFFD}" }
    position += 2
    guard let low = hexadecimal(4), (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { return "\u{FFFD}" }
    return Character(scalar)
  }

  private mutating func hexadecimal(_ count: Int) -> UInt32? {
    guard position + count <= bytes.count,
      let value = UInt32(String(decoding: bytes[position..<position + count], as: UTF8.self), radix: 16)
    else { return nil }
    position += count
    return value
  }

  private mutating func number() throws(Failure) -> JSONValue {
    let start = position
    while let byte = peek, isDigitByte(byte) || isNumberByte(byte) { position += 1 }
    guard position - start <= 64 else { throw failure("a number of more than 64 characters") }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if text.utf8.count > 1, text.utf8.first == UInt8(ascii: "0"), text.utf8.allSatisfy(isDigitByte) {
      return .string(text)
    }
    if let whole = Int64(text) { return .int(whole) }
    if text.hasPrefix("0x"), let whole = Int64(text.dropFirst(2), radix: 16) { return .int(whole) }
    guard let value = Double(text.hasPrefix(".") ? "0" + text : text), value.isFinite else {
      throw failure("a number that is none")
    }
    return .double(value)
  }

  private func isNumberByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"),
      UInt8(ascii: "x"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }

  /// `true`, `undefined`, `void 0`, `new Date("…")`, and names of values.
  private mutating func word(depth: Int) throws(Failure) -> JSONValue {
    let start = position
    while let byte = peek, isNameByte(byte) || byte == UInt8(ascii: ".") { position += 1 }
    guard position > start else { throw failure("a value is missing") }
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null", "undefined", "NaN", "Infinity": return .null
    case "void":
      skipBlanks()
      _ = try value(depth: depth + 1)
      return .null
    case "new", "JSON.parse", "Object.freeze", "Date", "Array", "Object":
      guard depth < depthMax else { throw failure("more than \(depthMax) levels") }
      skipBlanks()
      if word == "new" { return try self.word(depth: depth + 1) }
      return try call(word, depth: depth)
    default:
      if let value = known[word] { return value }
      skipBlanks()
      // A function, a call or an expression is code: it ends the reading.
      guard let next = peek, next == UInt8(ascii: ",") || next == UInt8(ascii: "}") || next == UInt8(ascii: "]") else {
        throw failure("\(word) is no value")
      }
      return .null
    }
  }

  private mutating func call(_ name: String, depth: Int) throws(Failure) -> JSONValue {
    guard peek == UInt8(ascii: "(") else { throw failure("\(name) is no value") }
    position += 1
    skipBlanks()
    var value = JSONValue.null
    if peek != UInt8(ascii: ")") { value = try self.value(depth: depth + 1) }
    skipBlanks()
    if name == "Date", peek == UInt8(ascii: ",") { value = .string(try dateParts(after: value)) }
    guard peek == UInt8(ascii: ")") else { throw failure("a call with more than one value") }
    position += 1
    guard name == "JSON.parse", let text = value.string else { return value }
    var inner = LooseJSON(Array(text.utf8), budget: budget, limits: limits(below: depth), known: known)
    let parsed = try inner.document()
    exhausted = exhausted ?? inner.exhausted
    return parsed
  }

  /// `new Date(2026, 10, 27, 19, 30)`
  private mutating func dateParts(after first: JSONValue) throws(Failure) -> String {
    var parts = [first]
    while peek == UInt8(ascii: ","), parts.count < Self.datePartsMax {
      position += 1
      skipBlanks()
      parts.append(try value(depth: depthMax))
      skipBlanks()
    }
    return "Date(" + parts.compactMap { $0.int.map(String.init) }.joined(separator: ",") + ")"
  }

  /// Year to millisecond.
  private static let datePartsMax = 7

  private func limits(below depth: Int) -> ExtractionLimits {
    var limits = ExtractionLimits()
    limits.depth = max(depthMax - depth - 1, 0)
    limits.values = max(valuesMax - values, 0)
    return limits
  }

  private mutating func skipBlanks() {
    while let byte = peek {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D, 0x0B, 0x0C: position += 1
      case 0xC2 where self.byte(1) == 0xA0: position += 2
      case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "/"):
        while let next = peek, next != 0x0A { position += 1 }
      case UInt8(ascii: "/") where self.byte(1) == UInt8(ascii: "*"):
        position += 2
        while position < bytes.count, !(peek == UInt8(ascii: "*") && self.byte(1) == UInt8(ascii: "/")) {
          position += 1
        }
        position = min(position + 2, bytes.count)
      default: return
      }
    }
  }
}
