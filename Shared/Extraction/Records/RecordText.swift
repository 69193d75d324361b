import JSON

/// Text in one of the ways that records have it: plain, or in languages, or wrapped.
enum RecordText {
  private static let wrappers = ["text", "value", "rendered", "name", "title", "default", "plain", "ko", "ja", "en"]

  static func of(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): return text
    case .int(let number): return String(number)
    case .object(let object):
      for name in wrappers { if let text = object[name]?.string, !text.isEmpty { return text } }
      // One text per language: any of them, the first.
      guard object.count <= 12 else { return nil }
      return object.lazy.compactMap { $0.name.utf8.count <= 5 ? $0.value.string : nil }.first { !$0.isEmpty }
    case .array(let values): return values.count == 1 ? values[0].string : nil
    case .null, .bool, .double: return nil
    }
  }
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
