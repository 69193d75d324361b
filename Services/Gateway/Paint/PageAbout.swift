import Contracts

/// What a page says of itself where somebody links to it: to search engines, and to chats that show a link as a card.
nonisolated struct PageAbout {
  let words: Words
  let title: String
  /// One or two sentences.
  let text: String
  /// Where the page is, without what somebody chose on it.
  let address: String
  let picture: String
  /// Whether search engines may tell of it: not of what is invented, of one person's, or of what went wrong.
  let isListed: Bool

  /// What is shown of a longer text.
  private static let lettersMax = 200
  private static let locales: [Language: String] = [.ko: "ko_KR", .ja: "ja_JP", .en: "en_GB"]

  func write(to html: inout HTMLWriter) {
    guard isListed else { return meta("robots", "noindex", to: &html) }
    let text = text.count > Self.lettersMax ? "\(text.prefix(Self.lettersMax - 1))…" : text
    meta("description", text, to: &html)
    html.element("link", .init("rel", "canonical"), .init("href", address))
    for language in Language.allCases {
      html.element(
        "link", .init("rel", "alternate"), .init("hreflang", language.rawValue),
        .init("href", "\(address)?lang=\(language.rawValue)"))
    }
    card("og:type", "website", to: &html)
    card("og:site_name", words("name"), to: &html)
    card("og:title", title, to: &html)
    card("og:description", text, to: &html)
    card("og:url", address, to: &html)
    card("og:image", picture, to: &html)
    card("og:locale", Self.locales[words.language] ?? "", to: &html)
  }

  private func meta(_ name: String, _ content: String, to html: inout HTMLWriter) {
    html.element("meta", .init("name", name), .init("content", content))
  }

  private func card(_ property: String, _ content: String, to html: inout HTMLWriter) {
    html.element("meta", .init("property", property), .init("content", content))
  }
}
