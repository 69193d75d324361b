import Glibc

/// What a document may cost. Each is refused when exceeded.
package struct XMLLimits: Sendable {
  /// Schedules of the largest conferences have 3 MB.
  package var bytes = 16 << 20
  /// Deeper than any schedule or drawing; destroying a tree goes as deep.
  package var depth = 128
  package var elements = 500_000
  package var attributes = 256

  package init() {}
}

/// Why a text is no XML as we take it, and where.
package struct XMLError: Error, Hashable, CustomStringConvertible {
  package let reason: String
  package let line: Int

  package var description: String { "line \(line): \(reason)" }
}

extension XMLElement {
  /// Reads a document, strictly: UTF-8, well-formed, no entities but the five and `entities`, nothing read from elsewhere.
  ///
  /// - Parameter entities: names that the writers of such documents take from HTML without saying so.
  package init(
    parsing bytes: [UInt8], limits: XMLLimits = XMLLimits(), entities: [String: Unicode.Scalar] = [:]
  ) throws(XMLError) {
    var parser = XMLParser(bytes: bytes, limits: limits, entities: entities)
    self = try parser.document()
  }
}

/// One pass over the bytes, with the open elements on a list.
struct XMLParser {
  private let bytes: [UInt8]
  private let limits: XMLLimits
  private let entities: [String: Unicode.Scalar]
  private var position = 0
  private var elements = 0

  init(bytes: [UInt8], limits: XMLLimits, entities: [String: Unicode.Scalar]) {
    self.bytes = bytes
    self.limits = limits
    self.entities = entities
  }

  mutating func document() throws(XMLError) -> XMLElement {
    guard bytes.count <= limits.bytes else { throw error("more than \(limits.bytes) bytes; send a smaller document") }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    guard (try? UTF8Span(validating: bytes.span)) != nil else {
      throw error("the document is not UTF-8; save it as UTF-8")
    }
    var open: [XMLElement] = []
    while position < bytes.count {
      if bytes[position] != UInt8(ascii: "<") {
        let text = try takeText()
        if open.isEmpty {
          guard text.utf8.allSatisfy({ $0 <= 0x20 }) else { throw error("text stands outside the root element") }
        } else {
          open[open.count - 1].append(text)
        }
      } else if position + 1 < bytes.count, isNamePart(bytes[position + 1], isFirst: true) {
        let (element, isWhole) = try takeStart()
        if !isWhole {
          guard open.count < limits.depth else { throw error("more than \(limits.depth) elements in each other") }
          open.append(element)
        } else if open.isEmpty {
          return try ended(element)
        } else {
          open[open.count - 1].children.append(.element(element))
        }
      } else if starts("</") {
        position += 2
        let name = try takeName()
        skipBlanks()
        try take(">")
        guard let done = open.popLast() else { throw error("</\(name)> ends nothing") }
        guard done.name == name else { throw error("</\(name)> stands where </\(done.name)> is due") }
        if open.isEmpty { return try ended(done) }
        open[open.count - 1].children.append(.element(done))
      } else if starts("<!--") {
        position += 4
        try skip(to: "-->", "a comment")
      } else if starts("<![CDATA[") {
        position += 9
        let start = position
        try skip(to: "]]>", "a CDATA section")
        guard !open.isEmpty else { throw error("text stands outside the root element") }
        open[open.count - 1].append(string(start..<position - 3))
      } else if starts("<?") {
        let node = try takeInstruction()
        if !open.isEmpty, let node { open[open.count - 1].children.append(node) }
      } else if starts("<!DOCTYPE") {
        try skipDocumentType()
      } else {
        position += 1
        throw error("a name is missing")
      }
    }
    throw error(open.last.map { "the document ends inside <\($0.name)>" } ?? "there is no element in it")
  }

  /// Nothing but blanks, comments and instructions may follow the root.
  private mutating func ended(_ root: XMLElement) throws(XMLError) -> XMLElement {
    while position < bytes.count {
      if starts("<!--") {
        position += 4
        try skip(to: "-->", "a comment")
      } else if starts("<?") {
        _ = try takeInstruction()
      } else {
        guard bytes[position] <= 0x20 else { throw error("something stands after the root element") }
        position += 1
      }
    }
    return root
  }

  // MARK: Pieces

  private mutating func takeStart() throws(XMLError) -> (XMLElement, isWhole: Bool) {
    position += 1
    elements += 1
    guard elements <= limits.elements else { throw error("more than \(limits.elements) elements") }
    var element = XMLElement(try takeName())
    while true {
      let before = position
      skipBlanks()
      guard position < bytes.count else { throw error("the document ends inside <\(element.name)>") }
      if bytes[position] == UInt8(ascii: ">") {
        position += 1
        return (element, false)
      }
      if starts("/>") {
        position += 2
        return (element, true)
      }
      guard position > before else { throw error("a blank is missing inside <\(element.name)>") }
      let name = try takeName()
      skipBlanks()
      try take("=")
      skipBlanks()
      guard element[name] == nil else { throw error("<\(element.name)> has \(name) twice") }
      guard element.attributes.count < limits.attributes else {
        throw error("<\(element.name)> has more than \(limits.attributes) attributes")
      }
      element.attributes.append(.init(name, try takeValue()))
    }
  }

  private mutating func takeValue() throws(XMLError) -> String {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'") else {
      throw error("an attribute's value stands without quotes")
    }
    let quote = bytes[position]
    position += 1
    let start = position
    while position < bytes.count, bytes[position] != quote {
      guard bytes[position] != UInt8(ascii: "<") else { throw error("< stands in an attribute; write &lt;") }
      position += 1
    }
    guard position < bytes.count else { throw error("an attribute's value does not end") }
    defer { position += 1 }
    return try resolved(start..<position)
  }

  private mutating func takeText() throws(XMLError) -> String {
    let start = position
    position = place(of: UInt8(ascii: "<"), in: start..<bytes.count) ?? bytes.count
    return try resolved(start..<position)
  }

  private mutating func takeInstruction() throws(XMLError) -> XMLNode? {
    position += 2
    let target = try takeName()
    skipBlanks()
    let start = position
    try skip(to: "?>", "an instruction")
    let data = string(start..<position - 2)
    guard target.lowercased() == "xml" else { return .instruction(target: target, data: data) }
    let folded = data.lowercased()
    if folded.contains("encoding"), !folded.contains("utf-8"), !folded.contains("us-ascii") {
      throw error("the document says that it is not UTF-8; save it as UTF-8")
    }
    return nil
  }

  /// Entities that a document defines itself can grow without end, so none are taken.
  private mutating func skipDocumentType() throws(XMLError) {
    while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
      guard bytes[position] != UInt8(ascii: "[") else {
        throw error("the document defines entities of its own; save it without them")
      }
      position += 1
    }
    try take(">")
  }

  private mutating func takeName() throws(XMLError) -> String {
    let start = position
    while position < bytes.count, isNamePart(bytes[position], isFirst: position == start) { position += 1 }
    guard position > start else { throw error("a name is missing") }
    return string(start..<position)
  }

  private func isNamePart(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: ":"), 0x80...:
      true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): !isFirst
    default: false
    }
  }

  // MARK: Bytes

  private func starts(_ mark: StaticString) -> Bool {
    guard position + mark.utf8CodeUnitCount <= bytes.count else { return false }
    for place in 0..<mark.utf8CodeUnitCount where bytes[position + place] != mark.utf8Start[place] { return false }
    return true
  }

  private mutating func take(_ mark: StaticString) throws(XMLError) {
    guard starts(mark) else { throw error("\(mark) is missing") }
    position += mark.utf8CodeUnitCount
  }

  /// Goes behind the next `mark`.
  private mutating func skip(to mark: StaticString, _ what: String) throws(XMLError) {
    while position < bytes.count {
      if starts(mark) {
        position += mark.utf8CodeUnitCount
        return
      }
      position += 1
    }
    throw error("\(what) does not end")
  }

  private mutating func skipBlanks() {
    while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
  }

  /// The first such byte.
  private func place(of byte: UInt8, in range: Range<Int>) -> Int? {
    bytes[range].withUnsafeBytes { part in
      guard let start = part.baseAddress, let found = memchr(start, Int32(byte), part.count) else { return nil }
      return range.lowerBound + (UnsafeRawPointer(found) - start)
    }
  }

  private func string(_ range: Range<Int>) -> String {
    // An instruction or section that is shorter than its own marks has nothing in it.
    String(decoding: bytes[range], as: UTF8.self)
  }

  private func resolved(_ range: Range<Int>) throws(XMLError) -> String {
    guard place(of: UInt8(ascii: "&"), in: range) != nil else { return string(range) }
    var output: [UInt8] = []
    output.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      guard bytes[index] == UInt8(ascii: "&") else {
        output.append(bytes[index])
        index += 1
        continue
      }
      guard let end = bytes[index..<min(index + 12, range.upperBound)].firstIndex(of: UInt8(ascii: ";")) else {
        throw error("& stands alone; write &amp;")
      }
      let name = string(index + 1..<end)
      guard let scalar = Self.scalar(named: name) ?? entities[name] else { throw error("&\(name); is not known") }
      output += Array(String(Character(scalar)).utf8)
      index = end + 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func scalar(named name: String) -> Unicode.Scalar? {
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    guard name.utf8.first == UInt8(ascii: "#") else { return nil }
    let digits = name.dropFirst()
    let number = digits.utf8.first == UInt8(ascii: "x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    guard let number, number >= 0x20 || [9, 10, 13].contains(number) else { return nil }
    return Unicode.Scalar(number)
  }

  private func error(_ reason: String) -> XMLError {
    let line = bytes[..<min(position, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1
    return XMLError(reason: reason, line: line)
  }
}

extension XMLElement {
  fileprivate mutating func append(_ text: String) {
    guard !text.isEmpty else { return }
    guard case .text(var before)? = children.last else {
      children.append(.text(text))
      return
    }
    // Taken out first, so that it grows in place: copying it for each comment would cost the square of the text.
    children.removeLast()
    before += text
    children.append(.text(before))
  }
}
