/// Parts of a page with a heading of their own.
extension DateFinder {
  /// Whether a date that stands behind times stands in a section below its heading: `<section><h2>Coming soon</h2> …`. That
  /// speaks of what is in the section, and of nothing before it.
  func isInSection(_ index: Int, of outer: Int, budget: WorkBudget) throws(ExtractionError) -> Bool {
    let date = context.atoms[index].place
    for part in tree.path(date) {
      if part == outer { return false }
      guard Self.sectionTags.contains(tree[part].tag), part + 1 < date else { continue }
      // `<li><b>19:30</b><article>…</article></li>`: all that is said of the time beside it.
      if context.times(in: outer) == 1 { return false }
      let before = part + 1..<min(date, part + Self.headingReach)
      try budget.spend(before.count)
      if before.contains(where: { Self.headingTags.contains(tree[$0].tag) }) { return true }
    }
    return false
  }

  private static let sectionTags: Set<String> = ["section", "aside", "article"]
  private static let headingTags: Set<String> = ["h1", "h2", "h3", "h4"]
  /// A heading is among the first of what a section holds.
  private static let headingReach = 12
}
