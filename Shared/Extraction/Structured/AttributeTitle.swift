import HTML
import JSON

/// What the data in an attribute is about that does not say it itself: what the data of the nearest element around it is
/// called, or what heads the item that it stands in.
///
///     <article data-film='{"title": "Silt"}'><h3>Silt</h3><div data-showtimes='[{"date": "20261127", "time": "1930"}]'>
struct AttributeTitle {
  let budget: WorkBudget

  /// From the data to its item.
  private static let levelsMax = 6
  /// A title, and what programs need beside it.
  private static let bytesMax = 20_000
  private static let titleBytesMax = 160
  /// In an item: it is no page.
  private static let searchedMax = 50_000
  private static let searchedInStep = 8
  /// Looked at beside an item for another like it.
  private static let siblingsMax = 8

  func title(
    of element: HTMLNode, besides attribute: String, reading: (String) throws(ExtractionError) -> JSONValue?
  ) throws(ExtractionError) -> String? {
    var node = element
    for level in 0...Self.levelsMax {
      try budget.spend(8)
      for (name, text) in node.attributes where level > 0 || name != attribute {
        guard text.utf8.first == UInt8(ascii: "{"), text.utf8.count <= Self.bytesMax,
          let title = try reading(text)?["title"]?.string?.trimmedText, isTitle(title)
        else { continue }
        return title
      }
      if level > 0 || !node.children.isEmpty, isOneOfSeveral(node) {
        let search = StepBudget(steps: Self.searchedMax)
        guard let headings = try? node.select("h1, h2, h3, h4, h5, h6", within: search),
          case let steps = (search.limit - search.left) / Self.searchedInStep + 1
        else { return nil }
        try budget.spend(steps)
        // One that heads other data as well heads none of it alone.
        if !headings.isEmpty {
          guard headings.count == 1, let selector = try? Selector(parsing: "[\(attribute)]"),
            (try? node.select(selector, within: search))?.count == 1,
            case let title = headings[0].text.trimmedText, isTitle(title)
          else { return nil }
          return title
        }
      }
      guard let parent = node.parent, parent.kind == .element else { return nil }
      node = parent
    }
    return nil
  }

  private func isTitle(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= Self.titleBytesMax && text.hasLetters && !PageWords.isLabel(text)
  }

  /// Whether an element like it stands beside it.
  private func isOneOfSeveral(_ node: HTMLNode) -> Bool {
    var (before, behind) = (node.previous, node.next)
    for _ in 0..<Self.siblingsMax {
      for other in [before, behind] where other?.name == node.name && other?["class"] == node["class"] { return true }
      (before, behind) = (before?.previous, behind?.next)
    }
    return false
  }
}
