import HTML

/// A block of a page with its running text.
struct ArticleParagraph {
  var place: Int
  var text: [Unicode.Scalar] = []
  /// The house that it begins with.
  var house: String?

  private static let emphasised: Set<String> = ["em", "i", "cite"]
  private static let bold: Set<String> = ["b", "strong"]
  /// What is shorter tells no film, day and hour; what is longer is no paragraph.
  private static let (lengthMin, lengthMax) = (24, 6_000)

  static func all(in tree: PageTree, budget: WorkBudget) throws(ExtractionError) -> [ArticleParagraph] {
    var found: [ArticleParagraph] = []
    var current = ArticleParagraph(place: -1)
    func settle() {
      if current.text.count >= lengthMin, current.text.count <= lengthMax { found.append(current) }
    }
    for place in tree.nodes.indices {
      let node = tree[place]
      if node.isChrome || node.isMenu { continue }
      if node.tag == "br" {
        if !current.text.isEmpty { current.text.append(ProseText.lineEnd) }
        continue
      }
      guard node.isText else { continue }
      try budget.spend()
      var above = node.parent
      var (isEmphasised, isBold) = (false, false)
      while above >= 0, tree.isInline(above) {
        isEmphasised = isEmphasised || emphasised.contains(tree[above].tag)
        isBold = isBold || bold.contains(tree[above].tag)
        above = tree[above].parent
        try budget.spend()
      }
      if above != current.place {
        settle()
        current = ArticleParagraph(place: above)
      }
      let words = tree.text(place)
      // "**Larch, Moss Palace** (Mill Road 1, tel. 20010)": what is told is told of that house.
      if current.text.isEmpty, isBold, !words.utf8.contains(where: isDigitByte) {
        current.house = words
      } else if current.text.count <= (current.house?.unicodeScalars.count ?? 0) + 1, !words.hasPrefix("(") {
        current.house = nil
      }
      if !current.text.isEmpty, current.text.last != ProseText.lineEnd { current.text.append(" ") }
      if isEmphasised { current.text.append(ProseText.emphasis) }
      current.text += words.unicodeScalars.filter {
        $0 != ProseText.emphasis && $0 != ProseText.emphasisEnd && $0 != ProseText.hole
      }
      if isEmphasised { current.text.append(ProseText.emphasisEnd) }
      if found.count >= countMax { break }
    }
    settle()
    return found.map { paragraph in
      var paragraph = paragraph
      // "Town, house"
      paragraph.house = paragraph.house.map { name in
        name.split(separator: ",").last.map { String($0).trimmedText } ?? name
      }
      return paragraph
    }
  }

  private static let countMax = 2_000
}
