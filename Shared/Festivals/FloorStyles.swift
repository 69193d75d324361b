import XML

/// What the styles of a drawing say of its elements' looks: `style="fill:#eee"`, as Inkscape writes it, and the simple
/// rules of `<style>`, `.cls-1{fill:#eee}`, as Illustrator does.
///
/// A rule is of a class, an id, an element's name or of everything; rules with more to them, and what begins with `@`,
/// are left out. So is what ``FloorMap/properties`` does not list, and a value that calls anything but a colour.
struct FloorStyles {
  /// Illustrator numbers a rule for each look; drawings have some dozens.
  private static let selectorsMax = 2_000
  /// Several rules may name one.
  private static let selectorsReadMax = 10_000
  /// Of an element; drawings give two or three.
  private static let classesMax = 16
  /// A list of typefaces is the longest.
  private static let valueBytesMax = 200

  private typealias Style = [String: String]

  /// By selector: `.cls-1`, `#hall`, `rect`, `*`.
  private var rules: [String: Style] = [:]
  private var selectorsRead = 0

  mutating func add(sheet: String) {
    // First of all: a comment may hold braces.
    var rest = Self.withoutComments(Array(sheet.utf8)[...])[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
      // A line such as `@import …;` ends before the rule that comes next.
      let selectors = rest[..<open].split(separator: UInt8(ascii: ";")).last ?? []
      let close = Self.end(of: rest[open...])
      let style = Self.declarations(Array(rest[(open + 1)..<close]))
      rest = rest[close...].dropFirst()
      for selector in selectors.split(separator: UInt8(ascii: ",")) {
        selectorsRead += 1
        guard selectorsRead <= Self.selectorsReadMax else { return }
        let name = Self.text(selector)
        guard Self.isSimple(name), rules[name] != nil || rules.count < Self.selectorsMax else { continue }
        rules[name, default: [:]].merge(style) { $1 }
      }
    }
  }

  /// What holds of an element in the end, in the order of names: of everything, its name, its classes, its id, its own.
  func style(of element: XMLElement, named name: String) -> [(String, String)] {
    var style: Style = [:]
    if !rules.isEmpty {
      let classes = (element["class"] ?? "").split(whereSeparator: \.isWhitespace).prefix(Self.classesMax)
      for selector in ["*", name] + classes.map({ ".\($0)" }) + [element["id"].map { "#\($0)" }].compactMap(\.self) {
        if let rule = rules[selector] { style.merge(rule) { $1 } }
      }
    }
    if let own = element["style"] { style.merge(Self.declarations(Self.withoutComments(Array(own.utf8)[...]))) { $1 } }
    return style.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  // MARK: Reading

  /// Where the block ends that begins there; one in another is part of it.
  private static func end(of block: ArraySlice<UInt8>) -> Int {
    var depth = 0
    for (place, byte) in zip(block.indices, block) {
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
      if depth == 0 { return place }
    }
    return block.endIndex
  }

  private static func withoutComments(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var kept: [UInt8] = []
    var isComment = false
    var place = bytes.startIndex
    while place < bytes.endIndex {
      let pair = (bytes[place], place + 1 < bytes.endIndex ? bytes[place + 1] : 0)
      switch (isComment, pair) {
      case (false, (UInt8(ascii: "/"), UInt8(ascii: "*"))), (true, (UInt8(ascii: "*"), UInt8(ascii: "/"))):
        isComment.toggle()
        place += 2
      default:
        if !isComment { kept.append(bytes[place]) }
        place += 1
      }
    }
    return kept
  }

  private static func declarations(_ bytes: [UInt8]) -> Style {
    var style: Style = [:]
    for declaration in bytes.split(separator: UInt8(ascii: ";")) {
      let parts = declaration.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard parts.count == 2, parts[1].count <= valueBytesMax else { continue }
      let property = text(parts[0]).lowercased()
      // There is one style of an element in the end, so nothing is more important.
      let value = text(parts[1].split(separator: UInt8(ascii: "!"), maxSplits: 1).first ?? [])
      guard FloorMap.properties.contains(property), isHarmless(value), FloorMap.isAllowed(.init(property, value))
      else { continue }
      style[property] = value
    }
    return style
  }

  /// A word, a number, a colour, or something in the same drawing.
  private static func isHarmless(_ value: String) -> Bool {
    guard !value.isEmpty, !value.utf8.contains(where: { $0 < 0x20 || "<>{}@".utf8.contains($0) }) else { return false }
    let parts = value.split(separator: "(", omittingEmptySubsequences: false)
    if parts.count == 1 { return !value.contains(")") }
    return parts.count == 2 && ["rgb", "rgba", "hsl", "hsla", "url"].contains(parts[0].lowercased())
      && value.hasSuffix(")") && !parts[1].dropLast().contains(")")
  }

  private static func isSimple(_ selector: String) -> Bool {
    let bytes = selector.utf8
    guard let first = bytes.first else { return false }
    if selector == "*" { return true }
    let name = first == UInt8(ascii: ".") || first == UInt8(ascii: "#") ? bytes.dropFirst() : bytes[...]
    return !name.isEmpty
      && name.allSatisfy { byte in
        byte >= 0x80 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      }
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }
    guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}
