import JSON

extension JSONValue {
  /// A text or a number as text; of an object what it is called, of a text in several languages the English one, else the
  /// first. Nil if it is empty, or an object that has no name: an id is none.
  var words: String? {
    switch self {
    case .string(let text):
      let trimmed = text.utf8.contains { $0 > 0x20 } ? text : ""
      return trimmed.isEmpty ? nil : text
    case .int(let number): return "\(number)"
    case .object(let object): return object["en"]?.words ?? translation(in: object) ?? name(in: object)
    default: return nil
    }
  }

  /// The first text of an object that has nothing but texts under codes of languages.
  private func translation(in object: JSONObject) -> String? {
    // "id" is Indonesian too, and far more often what a thing is numbered by: it may be there and is not taken.
    let told = object.filter { $0.name != "id" && !$0.value.isNull }
    guard told.allSatisfy({ Self.isLanguage($0.name) && $0.value.string != nil }) else { return nil }
    return told.lazy.compactMap(\.value.words).first
  }

  private func name(in object: JSONObject) -> String? {
    Self.names.lazy.compactMap { object[$0]?.words }.first
  }

  /// What programs call the name of a thing.
  private static let names = ["name", "title", "full_name", "fullName", "public_name", "label"]

  /// `ja`, `zh-Hant`, `pt_BR`.
  private static func isLanguage(_ name: String) -> Bool {
    let parts = name.split { $0 == "-" || $0 == "_" }
    return parts.first.map { languages.contains(String($0)) } ?? false
      && parts.dropFirst().allSatisfy { $0.utf8.count <= 4 }
  }

  /// Those in which programmes are printed.
  private static let languages = Set(
    """
    ar be bg bn bs ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu hy is it ja ka kk ko lt lv mk ml mn mr ms mt nb \
    ne nl nn no pa pl pt ro ru sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh eng fra deu spa jpn kor zho
    """.split(separator: " ").map(String.init))
}
