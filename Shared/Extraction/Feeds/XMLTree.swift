import HTML
import JSON

/// A small reader of XML: elements, attributes, text, CDATA and the five references. A document type is skipped, so
/// entities of its own are not known; nothing outside the document is ever read.
///
/// The tree is made of JSON values, so that feeds are read by the same reader as the answers of platforms: an element is
/// an object of its attributes and children, children of one name are a list, text alone is a string.
struct XMLTree {
  private let bytes: [UInt8]
  private let limits: ExtractionLimits
  private let budget: WorkBudget
  private var position = 0

  private struct Open {
    var name: String
    var object = JSONObject()
    var text: [UInt8] = []
    /// Children that came more than once, kept apart until the element ends.
    var lists: [String: [JSONValue]] = [:]
    var order: [String] = []
  }

  static func parse(
    _ raw: [UInt8], charset: String?, limits: ExtractionLimits, budget: WorkBudget
  ) throws(ExtractionError) -> (root: JSONValue, name: String)? {
    let declared = charset ?? declaredEncoding(raw)
    guard let decoded = try? Charset.decode(raw, declared: declared, hint: .utf8),
      decoded.bytes.count <= limits.bytes * 2
    else { return nil }
    var tree = XMLTree(bytes: decoded.bytes, limits: limits, budget: budget)
    return try tree.document()
  }

  private init(bytes: [UInt8], limits: ExtractionLimits, budget: WorkBudget) {
    self.bytes = bytes
    self.limits = limits
    self.budget = budget
  }

  private static func declaredEncoding(_ bytes: [UInt8]) -> String? {
    let head = String(decoding: bytes.prefix(200), as: UTF8.self)
    guard head.hasPrefix("<?xml"), let start = head.firstRange(of: "encoding=") else { return nil }
    let rest = head[start.upperBound...]
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
    return String(rest.dropFirst().prefix { $0 != quote })
  }

  private mutating func document() throws(ExtractionError) -> (root: JSONValue, name: String)? {
    var open: [Open] = []
    var values = 0
    while position < bytes.count {
      let start = position
      while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
      if position > start, !open.isEmpty { open[open.count - 1].text += Self.resolved(bytes[start..<position]) }
      guard position < bytes.count else { break }
      try budget.spend((position - start) / 16 + 2)
      if skips("<!--") {
        skip(to: "-->")
      } else if skips("<![CDATA[") {
        let start = position
        skip(to: "]]>")
        if !open.isEmpty { open[open.count - 1].text += bytes[start..<max(start, position - 3)] }
      } else if skips("<?") {
        skip(to: "?>")
      } else if skips("<!") {
        skipDeclaration()
      } else if skips("</") {
        let name = takeName()
        skip(to: ">")
        // An end closes what it names, and what was left open inside.
        guard open.contains(where: { $0.name == name }) else { continue }
        while let done = open.popLast() {
          let value = Self.value(of: done)
          if open.isEmpty { return (value, done.name) }
          Self.add(value, named: done.name, to: &open[open.count - 1])
          if done.name == name { break }
        }
      } else {
        position += 1
        let name = takeName()
        guard !name.isEmpty else { continue }
        values += 1
        guard values <= limits.values else { throw .tooMuchWork(limit: limits.values) }
        var element = Open(name: name)
        let isClosed = takeAttributes(into: &element)
        if isClosed {
          let value = Self.value(of: element)
          if open.isEmpty { return (value, name) }
          Self.add(value, named: name, to: &open[open.count - 1])
        } else {
          guard open.count < limits.depth else { throw .tooDeep(limit: limits.depth) }
          open.append(element)
        }
      }
    }
    // A document that was cut short still says what it said.
    while let done = open.popLast() {
      let value = Self.value(of: done)
      if open.isEmpty { return (value, done.name) }
      Self.add(value, named: done.name, to: &open[open.count - 1])
    }
    return nil
  }

  private static func value(of element: Open) -> JSONValue {
    let text = String(decoding: element.text, as: UTF8.self).trimmedText
    var object = element.object
    for name in element.order {
      guard let list = element.lists[name] else { continue }
      object[name] = list.count == 1 ? list[0] : .array(list)
    }
    if object.isEmpty { return .string(text) }
    if !text.isEmpty { object["text"] = .string(text) }
    return .object(object)
  }

  private static func add(_ value: JSONValue, named name: String, to element: inout Open) {
    if element.lists[name] == nil { element.order.append(name) }
    element.lists[name, default: []].append(value)
  }

  // MARK: Marks

  private func starts(_ mark: String) -> Bool {
    position + mark.utf8.count <= bytes.count && bytes[position..<position + mark.utf8.count].elementsEqual(mark.utf8)
  }

  private mutating func skips(_ mark: String) -> Bool {
    guard starts(mark) else { return false }
    position += mark.utf8.count
    return true
  }

  private mutating func skip(to mark: String) {
    let first = mark.utf8.first
    while position < bytes.count {
      if bytes[position] == first, skips(mark) { return }
      position += 1
    }
  }

  private mutating func skipDeclaration() {
    var depth = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">") where depth <= 0:
        position += 1
        return
      default: break
      }
      position += 1
    }
  }

  private mutating func takeName() -> String {
    let start = position
    while position < bytes.count, !isEnd(bytes[position]) { position += 1 }
    let name = bytes[start..<position]
    // Prefixes of namespaces say nothing that the name does not.
    let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[(name.index(after: $0))...] } ?? name
    return String(decoding: local, as: UTF8.self)
  }

  private func isEnd(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
  }

  /// Answers whether the element is closed by its own tag.
  private mutating func takeAttributes(into element: inout Open) -> Bool {
    while position < bytes.count {
      while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
      guard position < bytes.count else { return true }
      if bytes[position] == UInt8(ascii: ">") {
        position += 1
        return false
      }
      if bytes[position] == UInt8(ascii: "/") {
        position += 1
        if position < bytes.count, bytes[position] == UInt8(ascii: ">") {
          position += 1
          return true
        }
        continue
      }
      let before = position
      let name = takeName()
      while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
      guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
        if position == before { position += 1 }
        continue
      }
      position += 1
      while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'") else {
        continue
      }
      let quote = bytes[position]
      position += 1
      let start = position
      while position < bytes.count, bytes[position] != quote { position += 1 }
      let value = String(decoding: Self.resolved(bytes[start..<position]), as: UTF8.self)
      if !name.isEmpty, element.object.count < 64 { element.object[name] = .string(value) }
      position = min(position + 1, bytes.count)
    }
    return true
  }

  private static let references: [String: UInt8] = [
    "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"), "amp": UInt8(ascii: "&"), "quot": UInt8(ascii: "\""),
    "apos": UInt8(ascii: "'"),
  ]

  private static func resolved(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(UInt8(ascii: "&")) else { return Array(text) }
    var output: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      guard text[index] == UInt8(ascii: "&"), let end = text[index...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
      else {
        output.append(text[index])
        index += 1
        continue
      }
      let name = String(decoding: text[(index + 1)..<end], as: UTF8.self)
      if let byte = references[name] {
        output.append(byte)
      } else if name.hasPrefix("#"), let scalar = scalar(name.dropFirst()) {
        output += Array(String(scalar).utf8)
      } else {
        output += text[index...end]
      }
      index = end + 1
    }
    return output
  }

  private static func scalar(_ text: Substring) -> Character? {
    let value = text.hasPrefix("x") || text.hasPrefix("X") ? UInt32(text.dropFirst(), radix: 16) : UInt32(text)
    return value.flatMap(Unicode.Scalar.init).map { Character($0) }
  }
}
