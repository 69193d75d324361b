import JSON

/// Text in one of the ways that records have it: plain, or in languages, or wrapped.
enum RecordText {
  private static let wrappers = ["text", "value", "rendered", "name", "title", "default", "plain"]

  static func of(_ value: JSONValue) -> String? { of(value, in: []) }

  /// - Parameter languages: that of the page and those of the place, the first before the others.
  static func of(_ value: JSONValue, in languages: [String]) -> String? {
    switch value {
    case .string(let text): return text
    case .int(let number): return String(number)
    case .object(let object):
      for name in wrappers { if let text = object[name]?.string, !text.isEmpty { return text } }
      return inOneLanguage(object, of: languages)?.string
    case .array(let values): return values.count == 1 ? values[0].string : ofLanguages(values, in: languages)
    case .null, .bool, .double: return nil
    }
  }

  /// Of one text per language, `{"no": "Strandbredden", "en": "The Shore"}`, the first that is spoken, or the first.
  static func inOneLanguage(_ object: JSONObject, of languages: [String]) -> JSONValue? {
    guard object.count <= languagesMax else { return nil }
    let texts = object.filter { isLanguage($0.name) && $0.value.string?.isEmpty == false }
    for language in languages {
      if let text = texts.first(where: { SpokenLanguages.code($0.name) == language }) { return text.value }
    }
    return texts.first?.value
  }

  private static let languagesMax = 12

  /// `[{"lang": "no", "value": "Strandbredden"}, {"lang": "en", "value": "The Shore"}]`
  private static func ofLanguages(_ values: [JSONValue], in languages: [String]) -> String? {
    guard values.count <= languagesMax else { return nil }
    var texts: [(name: String, value: JSONValue)] = []
    for value in values {
      guard let object = value.object, let text = of(value), !text.isEmpty,
        let name = languageNames.lazy.compactMap({ object[$0]?.string }).first, SpokenLanguages.code(name) != nil
      else { return nil }
      texts.append((name, .string(text)))
    }
    return inOneLanguage(JSONObject(texts), of: languages)?.string
  }

  private static let languageNames = ["lang", "language", "locale", "languageCode", "language_code", "_key", "code"]

  /// "no", "pt_BR", and what else is as short and no name of a field of a program's own: "_type".
  private static func isLanguage(_ name: String) -> Bool {
    name.utf8.count <= 5 && !fields.contains(name) && name.utf8.first.map { $0 | 0x20 >= 0x61 && $0 != 0x5F } ?? false
  }

  private static let fields: Set<String> = ["type", "slug", "key", "url", "lang", "kind"]
}

/// `PT2H10M`
enum ISODuration {
  static func minutes(_ text: String) -> Int? {
    guard text.hasPrefix("P"), text.utf8.count <= 24 else { return nil }
    var total = 0
    var number = 0
    var isTime = false
    var hasDigits = false
    for byte in text.utf8.dropFirst() {
      switch byte {
      case UInt8(ascii: "T"): isTime = true
      case 0x30...0x39:
        guard number < 100_000 else { return nil }
        number = number * 10 + Int(byte - 0x30)
        hasDigits = true
      case UInt8(ascii: "."): break
      case UInt8(ascii: "D"): (total, number) = (total + number * 1_440, 0)
      case UInt8(ascii: "H"): (total, number) = (total + number * 60, 0)
      case UInt8(ascii: "M") where isTime: (total, number) = (total + number, 0)
      case UInt8(ascii: "S"): (total, number) = (total + number / 60, 0)
      default: return nil
      }
    }
    return hasDigits && total > 0 && total <= 100_000 ? total : nil
  }
}
