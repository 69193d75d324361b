/// One logical line of iCalendar: `DTSTART;TZID=Asia/Seoul:20261123T193000`.
struct ContentLine {
  /// In capitals.
  var name: String
  /// Names in capitals, values without their quotes.
  var parameters: [(name: String, value: String)] = []
  /// As it stands; text values are escaped.
  var value: String
  /// Where it began in the file, from 1.
  var number: Int

  func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// Nil if it is no content line.
  init?(_ bytes: ArraySlice<UInt8>, number: Int) {
    var rest = bytes
    guard let name = ContentLine.takeName(&rest) else { return nil }
    self.name = name
    self.number = number
    value = ""
    while rest.first == UInt8(ascii: ";") {
      rest.removeFirst()
      guard let name = ContentLine.takeName(&rest), rest.popFirst() == UInt8(ascii: "=") else { return nil }
      parameters.append((name, ContentLine.takeParameterValue(&rest)))
    }
    guard rest.popFirst() == UInt8(ascii: ":") else { return nil }
    value = String(decoding: rest, as: UTF8.self)
  }

  private static func takeName(_ rest: inout ArraySlice<UInt8>) -> String? {
    let end = rest.firstIndex { byte in
      !((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF) || byte &- UInt8(ascii: "0") < 10
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_"))
    }
    guard let end, end > rest.startIndex else { return nil }
    defer { rest = rest[end...] }
    return String(decoding: rest[..<end], as: UTF8.self).uppercased()
  }

  /// Up to the next `;` or `:` outside quotes; a list stays one text. RFC 6868 escapes are undone.
  private static func takeParameterValue(_ rest: inout ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    var isQuoted = false
    while let byte = rest.first {
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if !isQuoted && (byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":")) {
        break
      } else if byte == UInt8(ascii: "^"), let code = rest.dropFirst().first,
        let meant = caretEscapes[code]
      {
        text.append(meant)
        rest.removeFirst()
      } else {
        text.append(byte)
      }
      rest.removeFirst()
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static let caretEscapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): UInt8(ascii: "\n"), UInt8(ascii: "^"): UInt8(ascii: "^"), UInt8(ascii: "'"): UInt8(ascii: "\""),
  ]

  /// A text value without its escapes.
  var text: String { ContentLine.unescape(value.utf8[...]) }

  /// A list of text values, separated by commas that are not escaped.
  var texts: [String] {
    var parts: [Substring.UTF8View] = []
    let bytes = value.utf8
    var start = bytes.startIndex
    var isEscaped = false
    for index in bytes.indices {
      if isEscaped {
        isEscaped = false
      } else if bytes[index] == UInt8(ascii: "\\") {
        isEscaped = true
      } else if bytes[index] == UInt8(ascii: ",") {
        parts.append(bytes[start..<index])
        start = bytes.index(after: index)
      }
    }
    parts.append(bytes[start...])
    return parts.map(ContentLine.unescape)
  }

  private static func unescape(_ text: Substring.UTF8View) -> String {
    guard text.contains(UInt8(ascii: "\\")) else { return String(Substring(text)) }
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    var isEscaped = false
    for byte in text {
      if isEscaped {
        plain.append(byte | 0x20 == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        plain.append(byte)
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }
}

/// Puts folded lines together again. On bytes, because some programs fold inside a character.
struct LineUnfolder {
  private let bytes: [UInt8]
  private let lineBytesMax: Int
  private var index: Int
  private var number = 0

  init(_ bytes: [UInt8], lineBytesMax: Int) {
    self.bytes = bytes
    self.lineBytesMax = lineBytesMax
    index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  enum Line {
    case line(ArraySlice<UInt8>, number: Int)
    case tooLong(number: Int)
  }

  /// The next line that is not empty. CRLF, LF and CR all end one.
  mutating func next() -> Line? {
    while index < bytes.count {
      let first = takePhysicalLine()
      let start = number
      guard isFolded else {
        if first.isEmpty { continue }
        return first.count <= lineBytesMax ? .line(first, number: start) : .tooLong(number: start)
      }
      var whole = Array(first)
      var isTooLong = whole.count > lineBytesMax
      while isFolded {
        index += 1
        let more = takePhysicalLine()
        isTooLong = isTooLong || whole.count + more.count > lineBytesMax
        if !isTooLong { whole += more }
      }
      return isTooLong ? .tooLong(number: start) : .line(whole[...], number: start)
    }
    return nil
  }

  private var isFolded: Bool { index < bytes.count && (bytes[index] == 0x20 || bytes[index] == 0x09) }

  private mutating func takePhysicalLine() -> ArraySlice<UInt8> {
    number += 1
    let end = bytes[index...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
    defer {
      let isPair = end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
      index = min(end + (isPair ? 2 : 1), bytes.count)
    }
    return bytes[index..<end]
  }
}
