/// Finds the encoding that a page's `<meta>` names, before the page is parsed (HTML Standard, 13.2.3.2).
struct MetaPrescan {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  static func label(in bytes: ArraySlice<UInt8>) -> String? {
    var scan = MetaPrescan(bytes: bytes, position: bytes.startIndex)
    return scan.run()
  }

  private mutating func run() -> String? {
    while position < bytes.endIndex {
      guard bytes[position] == UInt8(ascii: "<") else {
        position += 1
        continue
      }
      if starts(with: "<!--") {
        position += 2
        while position < bytes.endIndex, !starts(with: "-->") { position += 1 }
        position += 3
      } else if starts(with: "<meta"), let after = byte(at: position + 5), isHTMLSpace(after) || after == 0x2F {
        position += 5
        if let label = metaLabel() { return label }
      } else if let letter = byte(at: position + (byte(at: position + 1) == 0x2F ? 2 : 1)), isLetter(letter) {
        while let next = byte(at: position), !isHTMLSpace(next), next != UInt8(ascii: ">") { position += 1 }
        while attribute() != nil {}
      } else if let next = byte(at: position + 1), next == 0x21 || next == 0x2F || next == 0x3F {
        while let next = byte(at: position), next != UInt8(ascii: ">") { position += 1 }
        position += 1
      } else {
        position += 1
      }
    }
    return nil
  }

  private mutating func metaLabel() -> String? {
    var names: Set<String> = []
    var charset: String?
    var needsPragma: Bool?
    var isPragma = false
    while let (name, value) = attribute() {
      guard names.insert(name).inserted else { continue }
      switch name {
      case "http-equiv": isPragma = value.lowercased() == "content-type"
      case "content":
        if charset == nil, let found = Self.charset(inContent: value) {
          charset = found
          needsPragma = true
        }
      case "charset":
        charset = value
        needsPragma = false
      default: break
      }
    }
    // A tag that the prescan's end cuts off says nothing.
    guard byte(at: position) != nil, let needsPragma, !needsPragma || isPragma else { return nil }
    return charset
  }

  /// The `charset=` of `text/html; charset="euc-kr"`.
  static func charset(inContent content: String) -> String? {
    let bytes = Array(content.utf8)
    let lowercased = bytes.map(asciiLowercased)
    let word = Array("charset".utf8)
    var start = 0
    while start + word.count <= bytes.count {
      guard lowercased[start..<start + word.count].elementsEqual(word) else {
        start += 1
        continue
      }
      var place = start + word.count
      while place < bytes.count, isHTMLSpace(bytes[place]) { place += 1 }
      guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else {
        start = place
        continue
      }
      place += 1
      while place < bytes.count, isHTMLSpace(bytes[place]) { place += 1 }
      guard place < bytes.count else { return nil }
      let rest: ArraySlice<UInt8>
      if bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'") {
        guard let end = bytes[(place + 1)...].firstIndex(of: bytes[place]) else { return nil }
        rest = bytes[place + 1..<end]
      } else {
        rest = bytes[place...].prefix { !isHTMLSpace($0) && $0 != UInt8(ascii: ";") }
      }
      return String(decoding: rest, as: UTF8.self)
    }
    return nil
  }

  /// The next attribute of the tag, its name and value in lower case, or nil at the tag's end.
  private mutating func attribute() -> (name: String, value: String)? {
    while let next = byte(at: position), isHTMLSpace(next) || next == 0x2F { position += 1 }
    guard let first = byte(at: position), first != UInt8(ascii: ">") else { return nil }
    var name: [UInt8] = []
    while let next = byte(at: position) {
      if next == UInt8(ascii: "="), !name.isEmpty { break }
      if isHTMLSpace(next) || next == 0x2F || next == UInt8(ascii: ">") { break }
      name.append(asciiLowercased(next))
      position += 1
    }
    while let next = byte(at: position), isHTMLSpace(next) { position += 1 }
    guard byte(at: position) == UInt8(ascii: "=") else { return (String(decoding: name, as: UTF8.self), "") }
    position += 1
    while let next = byte(at: position), isHTMLSpace(next) { position += 1 }
    var value: [UInt8] = []
    if let quote = byte(at: position), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      position += 1
      while let next = byte(at: position), next != quote {
        value.append(asciiLowercased(next))
        position += 1
      }
      position += 1
    } else {
      while let next = byte(at: position), !isHTMLSpace(next), next != UInt8(ascii: ">") {
        value.append(asciiLowercased(next))
        position += 1
      }
    }
    return (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  private func byte(at place: Int) -> UInt8? { place < bytes.endIndex ? bytes[place] : nil }

  private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(asciiLowercased(byte)) }

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { text in
      position + text.count <= bytes.endIndex
        && zip(bytes[position...], text).allSatisfy { asciiLowercased($0) == $1 }
    }
  }
}
