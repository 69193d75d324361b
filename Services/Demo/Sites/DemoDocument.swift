/// Something that a demo site sends, before it is decided in which bytes.
nonisolated struct DemoDocument: Sendable {
  enum Kind: Sendable { case page, json, calendar, picture, plain }

  let kind: Kind
  private(set) var text: String

  init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  static func json(_ bytes: [UInt8]) -> DemoDocument { DemoDocument(.json, String(decoding: bytes, as: UTF8.self)) }

  /// A whole page, which says that it is a demo to people and to programs.
  static func page(lang: String, title: String, _ body: Markup) -> DemoDocument {
    let notice: Markup =
      lang == "ko"
      ? "<p class=\"odi-demo\">DEMO: 지어낸 상영 정보입니다. 실제 상영과 관계가 없습니다. Invented listings.</p>"
      : "<p class=\"odi-demo\">DEMO: every listing on this page is invented.</p>"
    let page: Markup = """
      <!DOCTYPE html>
      <html lang="\(lang)">
      <head>
      <meta charset="\(charsetMark)">
      <meta name="odi-demo" content="1">
      <meta name="robots" content="noindex">
      <title>\(title) (demo)</title>
      </head>
      <body>
      \(notice)
      \(body)
      </body>
      </html>

      """
    return DemoDocument(.page, page.html)
  }

  /// Stands in a page where its encoding is named, until that is known.
  static let charsetMark = "ODI-DEMO-CHARSET"
}

/// How a site looks: as ever, or as after something has happened to it.
nonisolated struct SiteStyle: Sendable {
  /// Other names for everything, other places; the same shows.
  var isRedesigned = false
  /// All pages are there and well; there is no show on them.
  var isEmpty = false
  /// Texts and links are somebody's attempt at the readers' browsers.
  var isHostile = false
}
