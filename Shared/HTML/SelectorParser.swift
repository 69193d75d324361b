/// Reads selectors by the grammar of Selectors Level 4, as far as `Selector` lists it.
struct SelectorParser {
  private let source: [UInt8]
  private let limits: Selector.Limits
  private var position = 0
  private var tests = 0
  private var nesting = 0

  init(_ source: String, limits: Selector.Limits) {
    self.source = Array(source.utf8)
    self.limits = limits
  }

  mutating func parse() throws(SelectorError) -> [Complex] {
    guard source.count <= limits.bytes else { throw fail("the selector has more than \(limits.bytes) bytes", at: 0) }
    let list = try list()
    guard position == source.count else { throw fail("unexpected \(currentCharacter)") }
    return list
  }

  // MARK: Lists and complexes

  private mutating func list() throws(SelectorError) -> [Complex] {
    var alternatives: [Complex] = []
    repeat {
      skipSpace()
      alternatives.append(try complex())
      skipSpace()
    } while take(",")
    return alternatives
  }

  private mutating func relativeList() throws(SelectorError) -> [Relative] {
    var alternatives: [Relative] = []
    repeat {
      skipSpace()
      let leading = try combinatorSign() ?? .descendant
      skipSpace()
      alternatives.append(Relative(leading: leading, complex: try complex()))
      skipSpace()
    } while take(",")
    return alternatives
  }

  private mutating func complex() throws(SelectorError) -> Complex {
    var complex = Complex(compounds: [try compound()])
    while true {
      let sawSpace = skipSpace()
      guard let byte = current, byte != UInt8(ascii: ","), byte != UInt8(ascii: ")") else { return complex }
      let sign = try combinatorSign()
      guard sign != nil || sawSpace else { throw fail("unexpected \(currentCharacter)") }
      if sign != nil { skipSpace() }
      complex.combinators.append(sign ?? .descendant)
      complex.compounds.append(try compound())
    }
  }

  private mutating func combinatorSign() throws(SelectorError) -> Combinator? {
    switch current {
    case UInt8(ascii: ">"): position += 1; return .child
    case UInt8(ascii: "+"): position += 1; return .next
    case UInt8(ascii: "~"): position += 1; return .subsequent
    case UInt8(ascii: "|"): throw fail("namespaces are not supported")
    default: return nil
    }
  }

  // MARK: Compounds

  private mutating func compound() throws(SelectorError) -> Compound {
    var compound = Compound()
    if take("*") {
      compound.tests.append(try counted(.any))
    } else if startsIdentifier {
      compound.tests.append(try counted(.tag(try identifier())))
    }
    while let byte = current {
      switch byte {
      case UInt8(ascii: "#"):
        position += 1
        compound.tests.append(try counted(.id(try name("an id"))))
      case UInt8(ascii: "."):
        position += 1
        compound.tests.append(try counted(.className(try name("a class"))))
      case UInt8(ascii: "["):
        position += 1
        compound.tests.append(try counted(.attribute(try attribute())))
      case UInt8(ascii: ":"):
        position += 1
        compound.tests.append(try counted(try pseudoClass()))
      default:
        guard !compound.tests.isEmpty else { throw fail("expected a tag, #id, .class, [attribute] or :pseudo-class") }
        return compound
      }
    }
    guard !compound.tests.isEmpty else { throw fail("expected a tag, #id, .class, [attribute] or :pseudo-class") }
    return compound
  }

  private mutating func counted(_ test: SelectorTest) throws(SelectorError) -> SelectorTest {
    tests += 1
    guard tests <= limits.tests else { throw fail("the selector has more than \(limits.tests) tests") }
    return test
  }

  private mutating func name(_ what: String) throws(SelectorError) -> String {
    guard startsIdentifier else { throw fail("expected \(what)") }
    return try identifier()
  }

  private mutating func attribute() throws(SelectorError) -> AttributeTest {
    skipSpace()
    let name = try name("an attribute's name")
    skipSpace()
    var test = AttributeTest(name: name, comparison: .exists, value: [], ignoresCase: false)
    if take("]") { return test }
    switch current {
    case UInt8(ascii: "="): test.comparison = .equals
    case UInt8(ascii: "~"): test.comparison = .hasWord
    case UInt8(ascii: "|"): test.comparison = .hasPrefixBeforeDash
    case UInt8(ascii: "^"): test.comparison = .startsWith
    case UInt8(ascii: "$"): test.comparison = .endsWith
    case UInt8(ascii: "*"): test.comparison = .contains
    default: throw fail("expected ] or one of = ~= |= ^= $= *=")
    }
    if test.comparison != .equals { position += 1 }
    guard take("=") else { throw fail("expected =") }
    skipSpace()
    test.value = Array(try stringOrIdentifier("the attribute's value").utf8)
    skipSpace()
    if take("i") || take("I") {
      test.ignoresCase = true
      test.value = test.value.map(asciiLowercased)
    } else if take("s") || take("S") {
      test.ignoresCase = false
    }
    skipSpace()
    guard take("]") else { throw fail("expected ]") }
    return test
  }

  private mutating func pseudoClass() throws(SelectorError) -> SelectorTest {
    let start = position
    guard current != UInt8(ascii: ":") else { throw fail("a page has no pseudo-elements") }
    let name = try name("a pseudo-class").lowercased()
    switch name {
    case "root": return .root
    case "scope": return .scope
    case "empty": return .empty
    case "first-child": return .nth(NthTest(step: 0, offset: 1, fromEnd: false, ofType: false))
    case "last-child": return .nth(NthTest(step: 0, offset: 1, fromEnd: true, ofType: false))
    case "first-of-type": return .nth(NthTest(step: 0, offset: 1, fromEnd: false, ofType: true))
    case "last-of-type": return .nth(NthTest(step: 0, offset: 1, fromEnd: true, ofType: true))
    case "only-child": return .only(ofType: false)
    case "only-of-type": return .only(ofType: true)
    case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
      return try arguments { parser throws(SelectorError) in
        let (step, offset) = try parser.stepAndOffset()
        return .nth(
          NthTest(step: step, offset: offset, fromEnd: name.contains("last"), ofType: name.hasSuffix("type")))
      }
    case "is", "where", "matches":
      return try arguments { parser throws(SelectorError) in .matchesAny(try parser.list()) }
    case "not": return try arguments { parser throws(SelectorError) in .matchesNone(try parser.list()) }
    case "has": return try arguments { parser throws(SelectorError) in .has(try parser.relativeList()) }
    case "contains":
      return try arguments { parser throws(SelectorError) in
        .contains(try parser.stringOrPlainText().collapsed)
      }
    default: throw fail(":\(name) is not known here", at: start)
    }
  }

  private mutating func arguments(
    _ body: (inout SelectorParser) throws(SelectorError) -> SelectorTest
  ) throws(SelectorError) -> SelectorTest {
    guard take("(") else { throw fail("expected (") }
    nesting += 1
    guard nesting <= limits.nesting else { throw fail("more than \(limits.nesting) parentheses inside each other") }
    skipSpace()
    let test = try body(&self)
    skipSpace()
    guard take(")") else { throw fail("expected )") }
    nesting -= 1
    return test
  }

  /// `odd`, `even`, `7`, `2n`, `-n+3`, `2n - 1`.
  private mutating func stepAndOffset() throws(SelectorError) -> (step: Int, offset: Int) {
    let start = position
    let written = source[position...].prefix { $0 != UInt8(ascii: ")") }
    let text = String(decoding: written.lazy.map(asciiLowercased), as: UTF8.self).trimmed
    position += written.count
    if text == "odd" { return (2, 1) }
    if text == "even" { return (2, 0) }
    guard let mark = text.firstIndex(of: "n") else {
      guard let offset = Self.integer(text[...]) else { throw fail("expected odd, even or an+b", at: start) }
      return (0, offset)
    }
    let stepText = text[..<mark]
    let step = stepText.isEmpty || stepText == "+" ? 1 : stepText == "-" ? -1 : Self.integer(stepText)
    let rest = text[text.index(after: mark)...].filter { $0 != " " }
    let offset = rest.isEmpty ? 0 : rest.first == "+" || rest.first == "-" ? Self.integer(rest[...]) : nil
    guard let step, let offset else { throw fail("expected odd, even or an+b", at: start) }
    return (step, offset)
  }

  /// Nine digits at most: no page has so many children, and no sum of such numbers overflows.
  private static func integer(_ text: Substring) -> Int? { text.utf8.count <= 10 ? Int(text) : nil }

  // MARK: Tokens

  private var current: UInt8? { position < source.count ? source[position] : nil }

  private func peek(_ distance: Int) -> UInt8? {
    position + distance < source.count ? source[position + distance] : nil
  }

  private var currentCharacter: String {
    guard position < source.count else { return "the end" }
    return "“\(String(decoding: source[position...], as: UTF8.self).prefix(1))”"
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let start = position
    while let byte = current, isHTMLSpace(byte) { position += 1 }
    return position > start
  }

  private var startsIdentifier: Bool {
    guard let byte = current else { return false }
    if byte == UInt8(ascii: "-") {
      guard let second = peek(1) else { return false }
      return isNameStart(second) || second == UInt8(ascii: "-") || second == UInt8(ascii: "\\")
    }
    return isNameStart(byte) || byte == UInt8(ascii: "\\")
  }

  private func isNameStart(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || (asciiLowercased(byte) >= 0x61 && asciiLowercased(byte) <= 0x7A)
  }

  private func isName(_ byte: UInt8) -> Bool {
    isNameStart(byte) || byte == UInt8(ascii: "-") || (byte >= 0x30 && byte <= 0x39)
  }

  private mutating func identifier() throws(SelectorError) -> String {
    var bytes: [UInt8] = []
    while let byte = current {
      if isName(byte) {
        bytes.append(byte)
        position += 1
      } else if byte == UInt8(ascii: "\\") {
        bytes.append(contentsOf: try escape())
      } else {
        break
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `\` and either up to six hexadecimal digits with one blank after them, or the character itself.
  private mutating func escape() throws(SelectorError) -> [UInt8] {
    position += 1
    var value: UInt32 = 0
    var digits = 0
    while digits < 6, let byte = current, let digit = hexadecimalValue(byte) {
      value = value << 4 | digit
      digits += 1
      position += 1
    }
    guard digits > 0 else {
      guard let byte = current, byte != 0x0A else { throw fail("expected a character after \\") }
      position += 1
      return [byte]
    }
    if let byte = current, isHTMLSpace(byte) { position += 1 }
    let scalar = Unicode.Scalar(value).flatMap { $0.value == 0 ? nil : $0 } ?? "\u{FFFD}"
    return Array(String(scalar).utf8)
  }

  /// A quoted string, or everything up to the parenthesis.
  private mutating func stringOrPlainText() throws(SelectorError) -> String {
    if current == UInt8(ascii: "\"") || current == UInt8(ascii: "'") { return try stringOrIdentifier("text") }
    let plain = source[position...].prefix { $0 != UInt8(ascii: ")") }
    let text = String(decoding: plain, as: UTF8.self).trimmed
    guard !text.isEmpty else { throw fail("expected the text to look for") }
    position += plain.count
    return text
  }

  private mutating func stringOrIdentifier(_ what: String) throws(SelectorError) -> String {
    guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      // Browsers want quotes around what is not a name; a bare number is let through, as every scraper's author writes.
      let digits = source[position...].prefix { isName($0) }
      if !startsIdentifier, !digits.isEmpty {
        position += digits.count
        return String(decoding: digits, as: UTF8.self)
      }
      return try name(what)
    }
    let start = position
    position += 1
    var bytes: [UInt8] = []
    while let byte = current {
      if byte == quote {
        position += 1
        return String(decoding: bytes, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        if peek(1) == 0x0A { position += 2 } else { bytes.append(contentsOf: try escape()) }
      } else {
        bytes.append(byte)
        position += 1
      }
    }
    throw fail("the string has no end", at: start)
  }

  private func fail(_ problem: String, at place: Int? = nil) -> SelectorError {
    SelectorError(position: place ?? position, problem: problem)
  }
}

private func hexadecimalValue(_ byte: UInt8) -> UInt32? {
  switch byte {
  case 0x30...0x39: UInt32(byte - 0x30)
  case 0x41...0x46: UInt32(byte - 0x41 + 10)
  case 0x61...0x66: UInt32(byte - 0x61 + 10)
  default: nil
  }
}
