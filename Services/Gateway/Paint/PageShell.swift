import Contracts

/// What stands around every view: the frame of `Web/shell.html` with its places filled.
nonisolated struct PageShell {
  private enum Part {
    case markup([UInt8])
    case word(String)
    case place(String)
  }

  private let parts: [Part]
  private let base: String

  init(template: [UInt8], base: String) {
    self.base = base
    var parts: [Part] = []
    var rest = template[...]
    while let open = Self.find("{{", in: rest), let close = Self.find("}}", in: rest[(open + 2)...]) {
      parts.append(.markup(Array(rest[..<open])))
      let name = String(decoding: rest[(open + 2)..<close], as: UTF8.self)
      parts.append(name.hasPrefix("t:") ? .word(String(name.dropFirst(2))) : .place(name))
      rest = rest[(close + 2)...]
    }
    parts.append(.markup(Array(rest)))
    self.parts = parts
  }

  private static func find(_ mark: StaticString, in bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 2 else { return nil }
    let wanted = mark.withUTF8Buffer { ($0[0], $0[1]) }
    return (bytes.startIndex..<(bytes.endIndex - 1)).first { bytes[$0] == wanted.0 && bytes[$0 + 1] == wanted.1 }
  }

  /// What one answer puts into the frame.
  struct Filling {
    var words: Words
    var theme = Theme.auto
    var textSize = TextSize.usual
    var title: String?
    var isDemo = false
    var place: PagePlace
    /// What the links to other languages keep of the address.
    var asked = ""
    /// Which tab is where one is.
    var tab: String?
    /// Written by an `HTMLWriter`.
    var head: [UInt8] = []
    var main: [UInt8] = []
  }

  enum Theme: String {
    case auto, light, dark

    /// Where the browser's own bars take the ground of a theme: `Web/js/app.js` says the same.
    func media(of theme: Substring) -> String {
      self == .auto ? "(prefers-color-scheme: \(theme))" : theme == rawValue ? "all" : "not all"
    }
  }

  /// Shares of what the browser is set to: the style sheet has the numbers.
  enum TextSize: String { case usual, large, largest }

  func page(_ filling: Filling) -> [UInt8] {
    var html = HTMLWriter(capacity: 24_576 + filling.main.count + filling.head.count)
    for part in parts {
      switch part {
      case .markup(let bytes): html.markup(bytes)
      case .word(let key): html.text(filling.words(key))
      case .place("lang"): html.text(filling.words.language.rawValue)
      case .place("theme"): html.text(filling.theme.rawValue)
      case .place("text"): html.text(filling.textSize.rawValue)
      case .place("base"): html.text(base)
      case .place("title"):
        html.text(filling.title.map { "\($0) · \(filling.words("name"))" } ?? filling.words("name.long"))
      case .place("demo"): html.text(filling.isDemo ? "true" : "false")
      case .place("default_at"):
        html.text("\(filling.place.position.latitude),\(filling.place.position.longitude)")
      case .place("default_name"): html.text(filling.place.isDefault ? filling.place.homeName ?? "" : "")
      case .place("asked"): html.text(filling.asked)
      case .place("head"): html.markup(filling.head)
      case .place("main"): html.markup(filling.main)
      case .place(let name):
        if name.hasPrefix("here:"), name.dropFirst(5) == filling.tab ?? "" {
          html.markup(" aria-current=\"page\"".utf8)
        } else if name.hasPrefix("speaks:"), name.dropFirst(7) == filling.words.language.rawValue {
          html.markup(" aria-current=\"true\"".utf8)
        } else if name.hasPrefix("bars:") {
          html.text(filling.theme.media(of: name.dropFirst(5)))
        }
      }
    }
    return html.bytes
  }
}
