/// On which lines the values of a file stand, so that a mistake in one can be found.
///
/// Of a text that ``JSONWithComments`` has read; of any other it may know less, and it never traps.
package struct JSONPlaces: Sendable {
  private var lines: [String: Int] = [:]

  package init(_ bytes: [UInt8]) {
    var scan = Scan(bytes: bytes)
    scan.value(at: "", depth: 0)
    lines = scan.lines
  }

  /// The line, from 1, of what a JSON Pointer names; of what is missing, that of the object in which it is missing.
  package func line(of pointer: String) -> Int {
    var pointer = pointer[...]
    while true {
      if let line = lines[String(pointer)] { return line }
      guard let end = pointer.lastIndex(of: "/") else { return 1 }
      pointer = pointer[..<end]
    }
  }

  private struct Scan {
    /// What the reader of these files takes, and more.
    static let depthMax = 128

    let bytes: [UInt8]
    var position = 0
    var line = 1
    var lines: [String: Int] = [:]

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func step() {
      if peek == 0x0A { line += 1 }
      position += 1
    }

    mutating func skip(while isPassed: (UInt8) -> Bool) {
      while let byte = peek, isPassed(byte) { step() }
    }

    mutating func skipBlanks() {
      while let byte = peek {
        if byte <= 0x20 || byte == UInt8(ascii: ",") {
          step()
        } else if byte == UInt8(ascii: "/"), position + 1 < bytes.count, bytes[position + 1] == byte {
          skip { $0 != 0x0A }
        } else if byte == UInt8(ascii: "/"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "*") {
          position += 2
          while peek != nil, !bytes[position...].starts(with: "*/".utf8) { step() }
          position += 2
        } else {
          return
        }
      }
    }

    mutating func value(at pointer: String, depth: Int) {
      skipBlanks()
      if lines[pointer] == nil { lines[pointer] = line }
      guard depth < Self.depthMax, let first = peek else { return }
      switch first {
      case UInt8(ascii: "{"): members(of: pointer, depth)
      case UInt8(ascii: "["): elements(of: pointer, depth)
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): _ = text(until: first)
      default: skip { $0 > 0x20 && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "]") }
      }
    }

    mutating func members(of pointer: String, _ depth: Int) {
      step()
      while true {
        skipBlanks()
        guard let first = peek else { return }
        let begin = position
        guard first != UInt8(ascii: "}") else { return step() }
        let at = line
        let name =
          first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
          ? text(until: first) : bare()
        skipBlanks()
        if peek == UInt8(ascii: ":") { step() }
        let place = pointer + "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
        lines[place] = at
        value(at: place, depth: depth + 1)
        guard position > begin else { return }
      }
    }

    mutating func elements(of pointer: String, _ depth: Int) {
      step()
      for index in 0... {
        skipBlanks()
        guard let first = peek else { return }
        guard first != UInt8(ascii: "]") else { return step() }
        let begin = position
        value(at: "\(pointer)/\(index)", depth: depth + 1)
        guard position > begin else { return }
      }
    }

    mutating func bare() -> String {
      let start = position
      skip { $0 > 0x20 && $0 != UInt8(ascii: ":") }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Names of these files have no escapes: one that has some is not found by its pointer.
    mutating func text(until quote: UInt8) -> String {
      step()
      let start = position
      while let byte = peek, byte != quote {
        step()
        if byte == UInt8(ascii: "\\"), peek != nil { step() }
      }
      defer { step() }
      return String(decoding: bytes[start..<min(position, bytes.count)], as: UTF8.self)
    }
  }
}
