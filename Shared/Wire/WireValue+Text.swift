/// Values as text: JSON, and beyond it `nan`, `inf`, `-inf` for numbers, `0x00ff` for bytes, and keys of any kind.
extension WireValue: CustomStringConvertible {
  package var description: String { text(indented: false) }

  /// One line, or one line for each field and element.
  package func text(indented: Bool) -> String {
    var text = ""
    write(to: &text, indent: indented ? 0 : nil)
    return text
  }

  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += "\(value)"
    case .uint(let value): text += "\(value)"
    case .double(let value): text += "\(value)"
    case .float(let value): text += "\(value)"
    case .string(let value): Self.quote(value, in: &text)
    case .bytes(let bytes): Self.hex(bytes, in: &text)
    case .list(let elements):
      Self.enclose(elements, "[", "]", in: &text, indent) { element, text, indent in
        element.write(to: &text, indent: indent)
      }
    case .map(let pairs):
      Self.enclose(pairs, "{", "}", in: &text, indent) { pair, text, indent in
        pair.key.write(to: &text, indent: indent)
        text += ": "
        pair.value.write(to: &text, indent: indent)
      }
    case .record(let fields):
      Self.enclose(fields, "{", "}", in: &text, indent) { field, text, indent in
        Self.quote(field.name, in: &text)
        text += ": "
        field.value.write(to: &text, indent: indent)
      }
    }
  }

  private static func enclose<Part>(
    _ parts: [Part], _ open: String, _ close: String, in text: inout String, _ indent: Int?,
    _ write: (Part, inout String, Int?) -> Void
  ) {
    let inner = indent.map { $0 + 2 }
    func newLine(_ indent: Int?) {
      if let indent, !parts.isEmpty { text += "\n" + String(repeating: " ", count: indent) }
    }
    text += open
    for (index, part) in parts.enumerated() {
      if index > 0 { text += indent == nil ? ", " : "," }
      newLine(inner)
      write(part, &text, inner)
    }
    newLine(indent)
    text += close
  }

  private static func quote(_ value: String, in text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0"..<" ", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  private static func hex(_ bytes: [UInt8], in text: inout String) {
    text += "0x"
    for byte in bytes {
      if byte < 16 { text += "0" }
      text += String(byte, radix: 16)
    }
  }
}

extension WireValue {
  /// The value a person wrote, in the same notation. Whole numbers are integers; a reader takes them for fractions too.
  package init(parsing text: String) throws(WireError) {
    var parser = TextParser(text)
    self = try parser.whole()
  }
}

private struct TextParser {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func whole() throws(WireError) -> WireValue {
    let value = try value(depth: WireLimits.depth)
    skipSpace()
    guard position == bytes.count else { throw wrong("nothing may follow the value") }
    return value
  }

  private mutating func value(depth: Int) throws(WireError) -> WireValue {
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"):
      guard depth > 0 else { throw Input.tooDeep }
      return try braces(depth: depth - 1)
    case UInt8(ascii: "["):
      guard depth > 0 else { throw Input.tooDeep }
      position += 1
      var elements: [WireValue] = []
      try list(until: UInt8(ascii: "]")) { (parser: inout TextParser) throws(WireError) in
        elements.append(try parser.value(depth: depth - 1))
      }
      return .list(elements)
    case UInt8(ascii: "\""): return .string(try string())
    default: return try word()
    }
  }

  /// A record if all keys are strings, otherwise a map.
  private mutating func braces(depth: Int) throws(WireError) -> WireValue {
    position += 1
    var pairs: [WireValue.Pair] = []
    try list(until: UInt8(ascii: "}")) { (parser: inout TextParser) throws(WireError) in
      let key = try parser.value(depth: depth)
      parser.skipSpace()
      guard parser.take(UInt8(ascii: ":")) else { throw parser.wrong("a colon belongs behind a key") }
      pairs.append(WireValue.Pair(key, try parser.value(depth: depth)))
    }
    var fields: [WireValue.Field] = []
    for pair in pairs {
      guard case .string(let name) = pair.key else { return .map(pairs) }
      fields.append(WireValue.Field(name, pair.value))
    }
    return .record(fields)
  }

  private mutating func list(
    until end: UInt8, _ part: (inout TextParser) throws(WireError) -> Void
  ) throws(WireError) {
    skipSpace()
    if take(end) { return }
    while true {
      try part(&self)
      skipSpace()
      if take(end) { return }
      guard take(UInt8(ascii: ",")) else { throw wrong("a comma or the end belongs here") }
    }
  }

  private mutating func word() throws(WireError) -> WireValue {
    let start = position
    while let byte = peek, !",:]} \n\r\t\"[{".utf8.contains(byte) { position += 1 }
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    switch word {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "nan": return .double(.nan)
    case "inf": return .double(.infinity)
    case "-inf": return .double(-.infinity)
    default: break
    }
    if word.hasPrefix("0x"), let bytes = Self.bytes(of: word.utf8.dropFirst(2)) { return .bytes(bytes) }
    if let value = Int64(word) { return .int(value) }
    if let value = UInt64(word) { return .uint(value) }
    if word.utf8.first.map({ $0 == UInt8(ascii: "-") || 0x30...0x39 ~= $0 }) == true, let value = Double(word) {
      return .double(value)
    }
    position = start
    throw wrong(word.isEmpty ? "a value belongs here" : "\(word) is not a value; strings stand in quotes")
  }

  private static func bytes(of digits: Substring.UTF8View) -> [UInt8]? {
    let digits = Array(digits)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private mutating func string() throws(WireError) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = peek {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text.append(contentsOf: try escape())
      default: text.append(byte)
      }
    }
    throw wrong("a string has no end")
  }

  private mutating func escape() throws(WireError) -> [UInt8] {
    guard let byte = peek else { throw wrong("a string has no end") }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "u"):
      var units = [try codeUnit()]
      if 0xD800..<0xDC00 ~= units[0] {
        guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw wrong("half a surrogate pair") }
        units.append(try codeUnit())
      }
      guard let text = String(validating: units, as: UTF16.self) else { throw wrong("half a surrogate pair") }
      return Array(text.utf8)
    default: throw wrong("an escape of no meaning")
    }
  }

  private mutating func codeUnit() throws(WireError) -> UInt16 {
    guard position + 4 <= bytes.count,
      let unit = UInt16(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    else { throw wrong("four hexadecimal digits belong here") }
    position += 4
    return unit
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || 0x09...0x0D ~= byte { position += 1 }
  }

  private func wrong(_ detail: String) -> WireError {
    WireError(.invalidValue, "\(detail), at byte \(position) of the text")
  }
}
