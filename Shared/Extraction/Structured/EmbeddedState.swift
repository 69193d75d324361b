import HTML
import JSON

/// Finds the data that a page carries for its own scripts: JSON in scripts and attributes, values of variables, what
/// Next.js and Nuxt hand over.
///
/// Nothing is run. A value is read where one can begin, `= {`, `([`, `push(`, and is left where it stops being data.
struct EmbeddedState {
  struct Block {
    var value: JSONValue
    var place: String
    /// What the part of the page that carries it is about.
    var title: String?
    /// What the data is called: "showtimes" of `data-showtimes`.
    var name = ""
  }

  let budget: WorkBudget
  let limits: ExtractionLimits

  /// Smaller ones are settings.
  private static let bytesMin = 40
  /// Values tried in one page: real ones have a few dozen.
  private static let blocksMax = 400
  /// A large page has some hundreds.
  private static let rowsMax = 20_000

  func blocks(of page: HTMLDocument) throws(ExtractionError) -> [Block] {
    var blocks: [Block] = []
    var chunks: [UInt8] = []
    for (number, script) in page.select("script").enumerated() {
      guard blocks.count < Self.blocksMax else { break }
      let type = script["type"]?.lowercased() ?? ""
      if type.holds("ld+json") { continue }
      let place = script.id.map { "script#\($0)" } ?? "script \(number + 1)"
      let text = script.rawBytes
      guard text.count >= Self.bytesMin else { continue }
      try budget.spend(text.count / 8)
      if type.holds("json") {
        if let value = try value(text) { blocks.append(Block(value: value, place: place)) }
      } else if type.isEmpty || type.holds("javascript") || type.holds("ecmascript") || type == "module" {
        try scan(text, place: place, into: &blocks, chunks: &chunks)
      } else if type.holds("template") || type.holds("x-") {
        if let value = try value(text) { blocks.append(Block(value: value, place: place)) }
      }
    }
    try stream(chunks, into: &blocks)
    try attributes(of: page, into: &blocks)
    return blocks
  }

  private func value(_ text: [UInt8]) throws(ExtractionError) -> JSONValue? {
    var json = LooseJSON(WrappedText.unwrapped(text), budget: budget, limits: limits)
    let value = try? json.document()
    if let exhausted = json.exhausted { throw exhausted }
    return value
  }

  // MARK: Scripts

  /// Every `{` or `[` where a value can begin, outside of strings.
  private func scan(
    _ text: [UInt8], place: String, into blocks: inout [Block], chunks: inout [UInt8]
  ) throws(ExtractionError) {
    var index = 0
    var last: UInt8 = 0
    while index < text.count, blocks.count < Self.blocksMax {
      let byte = text[index]
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D:
        index += 1
        continue
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
        let end = stringEnd(text, from: index)
        // JSON.parse("…") and the pieces of a stream.
        if last == UInt8(ascii: "(") || last == UInt8(ascii: "=") || last == UInt8(ascii: ":"),
          end - index >= Self.bytesMin, let parsed = try quoted(text, index)
        {
          blocks.append(Block(value: parsed, place: "\(place), byte \(index)"))
        }
        index = end
      case UInt8(ascii: "/") where index + 1 < text.count && text[index + 1] == UInt8(ascii: "/"):
        while index < text.count, text[index] != 0x0A { index += 1 }
        continue
      case UInt8(ascii: "/") where index + 1 < text.count && text[index + 1] == UInt8(ascii: "*"):
        index += 2
        while index + 1 < text.count, !(text[index] == UInt8(ascii: "*") && text[index + 1] == UInt8(ascii: "/")) {
          index += 1
        }
        index += 2
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard canBegin(last, text, index) else {
          index += 1
          break
        }
        var json = LooseJSON(text, from: index, budget: budget, limits: limits, known: parameters(text, at: index))
        if let value = try? json.next(), json.position - index >= Self.bytesMin {
          if let piece = Self.piece(of: value) {
            chunks += Array(piece.utf8)
          } else {
            blocks.append(Block(value: value, place: "\(place), byte \(index)"))
          }
          index = json.position
        } else {
          if let exhausted = json.exhausted { throw exhausted }
          // Reading as far as the mistake is work too; inside it, smaller values may begin.
          try budget.spend((json.position - index) / 8)
          index += 1
        }
      default: index += 1
      }
      last = byte
    }
  }

  /// After `=`, `(`, `:`, `,` and `return`, not after a name or a bracket: those are blocks of code.
  private func canBegin(_ last: UInt8, _ text: [UInt8], _ index: Int) -> Bool {
    switch last {
    case UInt8(ascii: "="), UInt8(ascii: "("), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "?"),
      UInt8(ascii: "|"), 0:
      return true
    case UInt8(ascii: "n"):
      return text[max(0, index - 8)..<index].split(whereSeparator: { $0 <= 0x20 }).last?.suffix(6).elementsEqual(
        "return".utf8) ?? false
    default: return false
    }
  }

  private func stringEnd(_ text: [UInt8], from start: Int) -> Int {
    var index = start + 1
    while index < text.count, text[index] != text[start] {
      // A line ends a string of quotes: an apostrophe in a comment or a pattern costs no more than its line.
      if text[index] == 0x0A, text[start] != UInt8(ascii: "`") { return index }
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, text.count)
  }

  private func quoted(_ text: [UInt8], _ index: Int) throws(ExtractionError) -> JSONValue? {
    var json = LooseJSON(text, from: index, budget: budget, limits: limits)
    guard let inner = (try? json.next())?.string else { return nil }
    try budget.spend(inner.utf8.count / 8)
    let bytes = WrappedText.unwrapped(Array(inner.utf8))
    guard let first = bytes.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      return nil
    }
    return try value(bytes)
  }

  // MARK: Frameworks

  /// `self.__next_f.push([1, "…"])`: a piece of a stream of lines.
  private static func piece(of value: JSONValue) -> String? {
    guard let array = value.array, array.count == 2, array[0].int != nil else { return nil }
    return array[1].string
  }

  private func stream(_ chunks: [UInt8], into blocks: inout [Block]) throws(ExtractionError) {
    guard !chunks.isEmpty else { return }
    var rows = try StreamedRows(chunks, limits: limits, budget: budget, rowsMax: Self.rowsMax)
    for value in try rows.values() where blocks.count < Self.blocksMax {
      blocks.append(Block(value: value, place: "stream"))
    }
  }

  /// `(function(a,b){return {…}})(1,"x")`: the parameters' values, where a value begins behind `return`.
  private func parameters(_ text: [UInt8], at index: Int) -> [String: JSONValue] {
    let head = text[max(0, index - 2_048)..<index]
    guard head.suffix(10).contains(UInt8(ascii: "n")), let open = lastRange(of: Array("function(".utf8), in: head)
    else { return [:] }
    guard let close = text[open...].firstIndex(of: UInt8(ascii: ")")), close < index else { return [:] }
    let names = String(decoding: text[open..<close], as: UTF8.self).split(separator: ",").map { String($0).trimmedText }
    guard !names.isEmpty, names.count <= 2_000 else { return [:] }
    // The arguments are the last brackets of the script.
    guard let end = text.lastIndex(of: UInt8(ascii: ")")), let start = argumentsStart(text, end) else { return [:] }
    var list = Array(text[start...end])
    list[0] = UInt8(ascii: "[")
    while list.last != UInt8(ascii: ")"), !list.isEmpty { list.removeLast() }
    if !list.isEmpty { list[list.count - 1] = UInt8(ascii: "]") }
    if list.count > 2, list[list.count - 2] == UInt8(ascii: ")") {
      list.removeLast()
      list[list.count - 1] = UInt8(ascii: "]")
    }
    var json = LooseJSON(list, budget: budget, limits: limits)
    guard let values = (try? json.document())?.array, values.count == names.count else { return [:] }
    return Dictionary(zip(names, values), uniquingKeysWith: { $1 })
  }

  private func argumentsStart(_ text: [UInt8], _ end: Int) -> Int? {
    // `}(` or `})(` ends the function.
    var index = end
    while index > 1 {
      if text[index] == UInt8(ascii: "("),
        text[index - 1] == UInt8(ascii: "}")
          || (text[index - 1] == UInt8(ascii: ")") && text[index - 2] == UInt8(ascii: "}"))
      {
        return index
      }
      index -= 1
    }
    return nil
  }

  private func lastRange(of pattern: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
    guard text.count >= pattern.count else { return nil }
    var index = text.endIndex - pattern.count
    while index >= text.startIndex {
      if text[index] == pattern[0], text[index..<index + pattern.count].elementsEqual(pattern) {
        return index + pattern.count
      }
      index -= 1
    }
    return nil
  }

  // MARK: Attributes

  private static func called(_ attribute: String) -> String {
    for prefix in ["data-", ":", "v-bind:"] where attribute.hasPrefix(prefix) {
      return String(attribute.dropFirst(prefix.utf8.count))
    }
    return ""
  }

  /// `data-page="{…}"`, `:showtimes="[…]"`
  private func attributes(of page: HTMLDocument, into blocks: inout [Block]) throws(ExtractionError) {
    for element in page.select("*") {
      try budget.spend()
      guard blocks.count < Self.blocksMax else { return }
      for (name, value) in element.attributes(ofBytes: Self.bytesMin) {
        guard let first = value.utf8.first(where: { $0 > 0x20 }), name != "style", !name.hasPrefix("on") else {
          continue
        }
        let place = "\(element.name)[\(name)]"
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
          guard let value = try self.value(Array(value.utf8)) else { continue }
          let title = try AttributeTitle(budget: budget).title(of: element, besides: name) {
            text throws(ExtractionError) in
            try self.value(Array(text.utf8))
          }
          blocks.append(Block(value: value, place: place, title: title, name: Self.called(name)))
        } else if name.hasPrefix("x-") || name.hasPrefix("ng-"), value.utf8.contains(UInt8(ascii: "{")) {
          // `x-data="programme([{…}])"` is a piece of a script.
          try budget.spend(value.utf8.count / 8)
          var chunks: [UInt8] = []
          try scan(Array(value.utf8), place: place, into: &blocks, chunks: &chunks)
        }
      }
    }
  }
}
