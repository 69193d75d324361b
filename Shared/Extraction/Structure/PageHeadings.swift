import HTML

/// The headings that say what a page is about: its title begins with them and goes on with whose page it is, as
/// "Silt – Moss Cinema" does over `<h1>Silt</h1>`.
struct PageHeadings {
  /// Folded.
  let keys: Set<String>

  /// - Parameter parts: of the page's title.
  init(tree: PageTree, parts: [String], venue: String?) {
    let house = venue?.foldedKey
    var beginnings: Set<String> = []
    var beginning = ""
    for part in parts.dropLast().prefix(Self.partsMax) {
      beginning += part.foldedKey
      if beginning.utf8.count > 2, beginning != house { beginnings.insert(beginning) }
    }
    // A page of one event may be called so, and nothing else.
    let whole = parts.count == 1 && parts[0].utf8.contains(0x20) ? parts[0].foldedKey : nil
    var keys: Set<String> = []
    guard !beginnings.isEmpty || whole != nil else {
      self.keys = keys
      return
    }
    var asked = 0
    for place in tree.nodes.indices where tree[place].tag == "h1" || tree[place].tag == "h2" {
      asked += 1
      guard asked <= Self.headingsMax else { break }
      guard tree[place].length <= PageTree.lengthAsked else { continue }
      let text = HeadingText(tree: tree).text(of: place).trimmedText
      let key = text.foldedKey
      guard beginnings.contains(key) || tree[place].tag == "h1" && key == whole && key != house,
        !PageWords.isLabel(text), !PageWords.isOtherPage(text, namesFilm: false),
        !CinemaWords.isCinema(text) || text.holds(": "), !Self.isLogo(place, tree)
      else { continue }
      keys.insert(key)
    }
    self.keys = keys
  }

  /// Whether it leads to the site's first page, or is called its logo.
  private static func isLogo(_ place: Int, _ tree: PageTree) -> Bool {
    let around = tree.path(place).prefix(3)
    let inside = (place..<tree[place].end).prefix(6)
    return around.contains { tree[$0].words.contains(where: logos.contains) }
      || inside.contains { tree[$0].node["href"] == "/" || tree[$0].words.contains(where: logos.contains) }
      || around.contains { tree[$0].node["href"] == "/" }
  }

  private static let logos: Set<String> = ["logo", "brand", "site"]

  /// Of a page's title: each beginning is as long as all parts before it.
  private static let partsMax = 8

  /// A page has one or two of them before its programme.
  private static let headingsMax = 40
}
