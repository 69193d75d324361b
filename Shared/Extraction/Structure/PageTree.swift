import HTML

/// A page's visible nodes in one row, with what the readers of structure ask of them: around, inside, how much text.
struct PageTree {
  struct Node {
    let node: HTMLNode
    let parent: Int
    /// One past the last node inside.
    var end: Int
    let depth: Int
    fileprivate(set) var tag: String
    let isText: Bool
    /// Bytes of text inside, blanks as one.
    var length = 0
    /// A form or a dialog: what it says is of nothing outside it.
    let isDialog: Bool
    /// Headings right below it.
    fileprivate(set) var headings = 0
    /// Words of its classes, id and `itemprop`, in lower case.
    let words: [String]
    /// Navigation, footers, forms: what repeats on every page of a site.
    let isChrome: Bool
    /// A site's menu, also where a programme stands in it: it has dates for choosing, and no titles.
    let isMenu: Bool
  }

  private(set) var nodes: [Node] = []

  private static let hidden: Set<String> = [
    "script", "style", "template", "noscript", "svg", "iframe", "select", "head", "object", "textarea", "datalist",
  ]
  private static let chrome: Set<String> = ["nav", "footer"]
  /// Classes of a page's foot where it has no element of its own. Cards have footers too, further in.
  private static let footers: Set<String> = [
    "footer", "fuss", "fusszeile", "foot", "colophon", "piedepagina",
  ]
  private static let footerDepth = 5
  private static let footerFillers: Set<String> = [
    "site", "page", "main", "global", "wrapper", "wrap", "container", "content", "area", "section",
    "bottom",
  ]
  private static let menus: Set<String> = [
    "nav", "menu", "navbar", "navigation", "gnb", "lnb", "snb", "breadcrumb", "breadcrumbs", "topnav", "mainnav",
    "skipnavi", "skip", "gnavi", "globalnavi",
  ]
  private static let menuFillers: Set<String> = [
    "main", "site", "top", "primary", "secondary", "global", "mobile", "desktop", "header", "bar", "container",
    "wrapper", "wrap", "fixed", "default", "list", "items", "item", "link", "links", "area", "box", "inner",
  ]

  private static let inline: Set<String> = [
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "em", "font", "i", "mark", "s", "small", "span",
    "strong", "sub", "sup", "u", "wbr", "ruby", "rb",
    "q", "time", "label", "var", "tt", "strike", "del", "ins",
  ]

  /// Attributes of this page that name venues.
  let venueNames: [AttributeName]

  init(_ page: HTMLDocument, budget: WorkBudget) throws(ExtractionError) {
    venueNames = ["data-venue", "data-cinema", "data-cinema-name", "data-theatre", "data-location"]
      .compactMap(page.attributeName)
    let wordNames = ["class", "id", "itemprop", "data-type", "data-role"].compactMap(page.attributeName)
    var known: [String: [String]] = [:]
    var stack: [(node: HTMLNode, parent: Int, isChrome: Bool, isEnd: Bool, place: Int)] = [
      (page.root, -1, false, false, 0)
    ]
    while let next = stack.popLast() {
      if next.isEnd {
        nodes[next.place].end = nodes.count
        continue
      }
      try budget.spend(2)
      let node = next.node
      switch node.kind {
      case .comment: continue
      case .text:
        let text = node.text
        guard !text.isEmpty else { continue }
        let place = nodes.count
        nodes.append(
          Node(
            node: node, parent: next.parent, end: place + 1, depth: depth(next.parent), tag: "", isText: true,
            length: text.utf8.count, isDialog: false, words: [], isChrome: next.isChrome,
            isMenu: next.parent >= 0 && nodes[next.parent].isMenu))
        var above = next.parent
        // Lengths are for "is this small": beyond a small size nobody asks, and a deep page costs no more than its text.
        while above >= 0, nodes[above].length <= Self.lengthAsked {
          nodes[above].length += text.utf8.count + 1
          above = nodes[above].parent
          try budget.spend()
        }
      case .document, .element:
        let tag = Self.tag(of: node)
        let offersDays = tag == "select" && !Self.offersShows(node) && Self.offersDays(node)
        if Self.hidden.contains(tag), tag != "select" || !offersDays && !Self.offersShows(node),
          tag != "noscript" || next.parent < 0 || !Self.standsForScript(node, in: nodes[next.parent].tag)
        {
          continue
        }
        // Showings of the days that are not chosen may be hidden one by one.
        if Self.inline.contains(tag), Self.isConcealed(node), !node.classes.contains(where: AtomReader.isDayName) {
          continue
        }
        let words = Self.words(of: node, wordNames, &known)
        let isOfCard = tag == "footer" ? try isOfCard(next.parent, budget) : false
        let isChrome =
          next.isChrome || Self.chrome.contains(tag) && !isOfCard || node["role"] == "navigation"
          || node["role"] == "contentinfo"
          || depth(next.parent) < Self.footerDepth && !Self.footers.isDisjoint(with: words)
            && words.allSatisfy { Self.footers.contains($0) || Self.footerFillers.contains($0) }
        let place = nodes.count
        if Self.headings.contains(tag), next.parent >= 0 { nodes[next.parent].headings += 1 }
        nodes.append(
          Node(
            node: node, parent: next.parent, end: place + 1, depth: depth(next.parent), tag: tag, isText: false,
            isDialog: Self.isDialog(tag, node, words), words: words, isChrome: isChrome,
            isMenu: next.parent >= 0 && nodes[next.parent].isMenu
              || !Self.menus.isDisjoint(with: words)
                && words.allSatisfy { Self.menus.contains($0) || Self.menuFillers.contains($0) }
          ))
        // Its one day is read by who reads choices.
        if offersDays { continue }
        stack.append((node, next.parent, isChrome, true, place))
        for child in node.childNodes.reversed() { stack.append((child, place, isChrome, false, 0)) }
      }
    }
  }

  /// `<li><article><h3>Silt</h3><footer>19:30</footer></article></li>`: cards have footers, too.
  private func isOfCard(_ parent: Int, _ budget: WorkBudget) throws(ExtractionError) -> Bool {
    var at = parent
    for _ in 0..<Self.cardLevels where at > 0 && nodes[at].parent >= 0 {
      if Self.cards.contains(nodes[at].tag) {
        let beside = nodes[nodes[at].parent].node.childNodes
        try budget.spend(beside.count)
        if beside.count(where: { $0.name == nodes[at].tag }) > 1 { return true }
      }
      at = nodes[at].parent
    }
    return false
  }

  private static let cards: Set<String> = ["article", "li"]
  private static let cardLevels = 4

  /// `<td><script>show("Silt")</script><noscript>Silt</noscript></td>`: a cell's words for who runs no script.
  private static func standsForScript(_ node: HTMLNode, in parent: String) -> Bool {
    ["td", "th", "li", "dt", "dd", "span", "a", "b", "strong", "h2", "h3", "h4"].contains(parent)
      && node.childNodes.allSatisfy { $0.kind == .text }
  }

  private static func isDialog(_ tag: String, _ node: HTMLNode, _ words: [String]) -> Bool {
    if tag == "form" || tag == "dialog" || node["aria-modal"] != nil { return true }
    if let role = node["role"], role == "dialog" || role == "alertdialog" { return true }
    // What opens one is called after it.
    return ["div", "section", "aside", "article"].contains(tag) && !dialogs.isDisjoint(with: words)
      && dialogOpeners.isDisjoint(with: words)
  }

  private static let dialogs: Set<String> = ["modal", "dialog", "popup", "offcanvas", "lightbox"]
  private static let dialogOpeners: Set<String> = [
    "open", "opens", "trigger", "toggle", "link", "btn", "button", "target",
  ]

  /// What an element is for: a part that is called a table's row or cell by its role is one.
  private static func tag(of node: HTMLNode) -> String {
    guard let role = node["role"], let tag = tableTags[role] else { return node.name }
    return tag
  }

  private static let tableTags = [
    "table": "table", "grid": "table", "rowgroup": "tbody", "row": "tr", "cell": "td", "gridcell": "td",
    "columnheader": "th", "rowheader": "th",
  ]

  /// "Tue, Nov 24 7:00 PM" in each option: screenings to choose from.
  private static func offersShows(_ select: HTMLNode) -> Bool {
    let options = select.childNodes.lazy.filter { $0.name == "option" }.prefix(optionsMax)
    var shows = 0
    var others = 0
    for option in options {
      let text = option.text
      let numbers = text.utf8.prefix(lengthAsked).split { !isDigitByte($0) }
      let hasClock = zip(text.utf8, text.utf8.dropFirst()).contains { isDigitByte($0) && $1 == UInt8(ascii: ":") }
      if hasClock, numbers.count >= 3, text.utf8.count <= optionBytesMax { shows += 1 } else { others += 1 }
    }
    // One may say what the others are.
    return shows > 0 && others <= 1
  }

  /// "Friday October 27" in each option of a film: days to choose from.
  private static func offersDays(_ select: HTMLNode) -> Bool {
    let options = select.childNodes.lazy.filter { $0.name == "option" }.prefix(optionsMax).map(\.text)
    return options.count > 1
      && options.allSatisfy {
        $0.utf8.count <= optionBytesMax && $0.utf8.contains(where: isDigitByte) && !$0.utf8.contains(UInt8(ascii: ":"))
      }
  }

  private static let optionsMax = 100
  private static let optionBytesMax = 80

  /// A word that is there to be shown when it becomes true: "sold out". Parts of a page that are concealed are tabs.
  private static func isConcealed(_ node: HTMLNode) -> Bool {
    if node["hidden"] != nil { return true }
    guard let style = node["style"], style.utf8.count < 400 else { return false }
    let compact = style.lowercased().filter { $0 != " " }
    return compact.contains("display:none") || compact.contains("visibility:hidden")
  }

  /// Texts longer than this are nobody's title, date or line.
  static let lengthAsked = 600

  private func depth(_ parent: Int) -> Int { parent < 0 ? 0 : nodes[parent].depth + 1 }

  /// Takes parts of a page for a table: what they are made of says it as little as a `div` does.
  mutating func takeAsTable(_ table: Int, rows: [(row: Int, cells: [Int])]) {
    nodes[table].tag = "table"
    for (row, cells) in rows {
      nodes[row].tag = "tr"
      for cell in cells { nodes[cell].tag = "td" }
    }
  }

  subscript(_ place: Int) -> Node { nodes[place] }

  func text(_ place: Int) -> String { nodes[place].node.text }

  func isInline(_ place: Int) -> Bool { nodes[place].isText || Self.inline.contains(nodes[place].tag) }

  func children(_ place: Int) -> [Int] {
    var children: [Int] = []
    var next = place + 1
    while next < nodes[place].end {
      children.append(next)
      next = nodes[next].end
    }
    return children
  }

  /// `<div class="kino"><h4>…`: whether a text is the first heading, and the only one, of a part that is called a venue.
  func headsVenue(_ place: Int) -> Bool {
    guard let heading = path(place).prefix(3).first(where: { Self.headings.contains(nodes[$0].tag) }) else {
      return false
    }
    var part = nodes[heading].parent
    let headings = part >= 0 ? nodes[part].headings : 0
    // `<section id="cinema-110"><header><h2>`
    if part >= 0, nodes[part].tag == "header" { part = nodes[part].parent }
    guard part >= 0, nodes[part].words.contains(where: PageWords.venueParts.contains),
      !nodes[part].words.contains(where: { PageWords.film.contains($0) || PageWords.title.contains($0) })
    else { return false }
    return headings == 1
  }

  private static let headings: Set<String> = ["h2", "h3", "h4", "h5", "h6"]

  func contains(_ outer: Int, _ inner: Int) -> Bool { outer <= inner && inner < nodes[outer].end }

  /// From the node itself up to the page.
  func path(_ place: Int) -> [Int] {
    var path: [Int] = []
    var next = place
    while next >= 0, path.count < Self.pathMax {
      path.append(next)
      next = nodes[next].parent
    }
    return path
  }

  /// What is further up says nothing of what is here, and a page may be ten thousand deep.
  private static let pathMax = 128

  /// `div.film`, by which nodes of one kind are known.
  func name(_ place: Int) -> String {
    let node = nodes[place]
    guard !node.isText else { return "#text" }
    guard node.node["class"]?.utf8.count ?? 0 <= Self.classBytesMax else { return node.tag }
    // Names with digits count something: "day-3".
    let classes = node.node.classes.filter {
      !$0.utf8.contains(where: isDigitByte) && !Self.states.contains($0.lowercased())
    }.prefix(3)
    return ([node.tag] + classes).joined(separator: ".")
  }

  /// Longer than any that people or their tools write.
  private static let classBytesMax = 4_096

  /// Classes that come and go on nodes of one kind.
  static let states: Set<String> = [
    "active", "first", "last", "odd", "even", "selected", "current", "on", "off", "disabled", "soldout", "sold-out",
    "full", "hidden", "show", "past", "today", "open",
    "is-active", "visible", "collapsed", "expanded",
  ]

  func signature(_ place: Int, levels: Int = 3) -> String {
    path(place).prefix(levels).map(name).joined(separator: "<")
  }

  /// - Parameter known: the words of values met before: a page has some dozens, many times over.
  private static func words(
    of node: HTMLNode, _ names: [AttributeName], _ known: inout [String: [String]]
  ) -> [String] {
    var words: [String] = []
    for name in names {
      guard let value = node[name], value.utf8.count <= 300 else { continue }
      if let found = known[value] {
        words += found
        continue
      }
      let names =
        value.holds("text-") || value.holds("MuiTypography-") || value.holds("show") ? withoutSizes(value) : value
      let found = names.split(separator: " ").prefix(Self.classesMax).flatMap(PageWords.words(ofClass:))
      if known.count < knownMax { known[value] = found }
      words += found
    }
    return words
  }

  /// "text-2xl", "md:text-left" and "MuiTypography-subtitle1" say how letters look, not what the text is.
  private static func withoutSizes(_ value: String) -> String {
    value.split(separator: " ").compactMap { name -> Substring? in
      let own = name.utf8.lastIndex(of: UInt8(ascii: ":")).map { name[name.utf8.index(after: $0)...] } ?? name
      if own.hasPrefix("MuiTypography-") || isVisibility(name) { return nil }
      guard own.hasPrefix("text-") else { return name }
      // "text-title" is a title's all the same.
      let rest = own.dropFirst(5)
      return ["body", "subtitle", "caption"].contains { rest.hasPrefix($0) } ? nil : rest
    }.joined(separator: " ")
  }

  /// "md-show", "show-for-large-up": on which screens something is to be seen.
  private static func isVisibility(_ name: Substring) -> Bool {
    let parts = name.split(separator: "-").map(String.init)
    return parts.count >= 2 && parts.contains("show") && parts.allSatisfy(visibility.contains)
  }

  private static let visibility: Set<String> = [
    "show", "for", "on", "only", "up", "down", "xs", "sm", "md", "lg", "xl", "small", "medium", "large", "mobile",
    "tablet", "desktop", "phone",
  ]

  private static let knownMax = 5_000
  /// Of one element.
  private static let classesMax = 12
}
