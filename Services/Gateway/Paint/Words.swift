import JSON

/// The page's texts in one language, from the catalogue that the script reads too.
nonisolated struct Words: Sendable {
  let language: Language
  private let texts: [String: Text]

  private enum Text: Sendable {
    case one(String)
    case counted(one: String, other: String)
    case list([String])
  }

  init(_ language: Language, catalogue: JSONValue) {
    self.language = language
    var texts: [String: Text] = [:]
    for (name, value) in catalogue.object ?? JSONObject() {
      if let text = value.string {
        texts[name] = .one(text)
      } else if let list = value.array {
        texts[name] = .list(list.compactMap(\.string))
      } else if let other = value["other"]?.string {
        texts[name] = .counted(one: value["one"]?.string ?? other, other: other)
      }
    }
    self.texts = texts
  }

  /// A text with its `{values}`. A missing key shows as such, and the tests of the page look for it.
  func callAsFunction(_ key: String, _ values: KeyValuePairs<String, String> = [:]) -> String {
    let text: String
    switch texts[key] {
    case .one(let one): text = one
    case .counted(let one, let other):
      // Of our languages only English tells one from many.
      let isOne = language == .en && values.contains { $0.key == "n" && $0.value == "1" }
      text = isOne ? one : other
    case .list(let list): text = list.joined(separator: " ")
    case nil: return "⟦\(key)⟧"
    }
    return Self.filled(text, values)
  }

  /// A text that not every catalogue needs: a country's name.
  func known(_ key: String) -> String? {
    if case .one(let text) = texts[key] { text } else { nil }
  }

  func list(_ key: String) -> [String] {
    if case .list(let list) = texts[key] { list } else { [] }
  }

  private static func filled(_ text: String, _ values: KeyValuePairs<String, String>) -> String {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
    var result = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      result += rest[..<open]
      let name = rest[rest.index(after: open)..<close]
      result += values.first { $0.key == name }?.value ?? ""
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}
