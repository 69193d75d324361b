/// A language in which titles can be asked for. Without one they are as the cinema prints them.
nonisolated package enum Language: String, CaseIterable, Sendable {
  case ko, ja, en

  /// The first of `Accept-Language` (RFC 9110 12.5.4) by quality that we have; nil if there is none.
  package init?(accepting header: String) {
    var best: (language: Language, quality: Double)?
    for element in header.split(separator: ",").prefix(Self.rangesMax) {
      let parts = element.split(separator: ";")
      guard let range = parts.first?.drop(while: { $0 == " " }),
        let language = Language(rawValue: range.prefix { $0 != "-" && $0 != " " }.lowercased())
      else { continue }
      let quality = parts.dropFirst().lazy.compactMap(Self.quality).first ?? 1
      if quality > best?.quality ?? 0 { best = (language, quality) }
    }
    guard let best else { return nil }
    self = best.language
  }

  /// The one that a text is written in, as far as its script tells: Hangul, then kana and Han, else Latin.
  init(ofText text: String) {
    self = .en
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0xAC00...0xD7A3:
        self = .ko
        return
      case 0x3040...0x30FF, 0x4E00...0x9FFF: self = .ja
      default: continue
      }
    }
  }

  /// Of what is called something in each language, the name in this.
  func of(_ names: (ko: String, ja: String, en: String)) -> String {
    switch self {
    case .ko: names.ko
    case .ja: names.ja
    case .en: names.en
    }
  }

  /// More than any browser sends.
  private static let rangesMax = 16

  private static func quality(_ parameter: Substring) -> Double? {
    let text = parameter.drop { $0 == " " }
    guard text.hasPrefix("q=") || text.hasPrefix("Q=") else { return nil }
    return Double(text.dropFirst(2)).flatMap { (0...1).contains($0) ? $0 : nil } ?? 0
  }
}
