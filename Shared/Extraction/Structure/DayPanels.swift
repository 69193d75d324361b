import HTML

/// Days to choose from, and behind them as many parts of the page: the first day shows the first part, and so on.
///
///     <div id=nav><p>Tue 6 Oct</p><p>Wed 7 Oct</p>…</div> <div id=slider><div>Silt 7 pm</div><div>Bolt 9 pm</div>…</div>
struct DayPanels {
  let tree: PageTree

  /// From the list of days up to the element whose neighbour has the panels, and from there down to them.
  private static let levels = 3
  private static let besideMax = 3
  /// Of three panels two have times: a house is closed on some days.
  private static let filledMin = 2

  /// As many parts as there are days, made alike, in one of the next elements.
  func panels(behind list: Int, count: Int, times: (Int) -> Int, budget: WorkBudget) throws(ExtractionError) -> [Int]? {
    var at = list
    for _ in 0..<Self.levels where tree[at].parent >= 0 {
      let around = tree.children(tree[at].parent)
      try budget.spend(around.count)
      let behind = around.filter { $0 > at && !tree[$0].isText }
      if behind.count >= count, isRow(Array(behind.prefix(count)), times: times),
        behind.prefix(count).contains(where: isShown)
      {
        return Array(behind.prefix(count))
      }
      for next in around.drop(while: { $0 <= at }).filter({ !tree[$0].isText }).prefix(Self.besideMax) {
        if let panels = try panels(in: next, count: count, times: times, budget: budget) { return panels }
      }
      at = tree[at].parent
    }
    return nil
  }

  private func panels(
    in place: Int, count: Int, times: (Int) -> Int, budget: WorkBudget
  ) throws(ExtractionError) -> [Int]? {
    var at = place
    for _ in 0..<Self.levels where times(at) > 0 {
      let children = tree.children(at)
      try budget.spend(children.count)
      let parts = children.filter { !tree[$0].isText }
      if parts.count == count { return isRow(parts, times: times) ? parts : nil }
      guard parts.count == 1 else { return nil }
      at = parts[0]
    }
    return nil
  }

  private func isRow(_ parts: [Int], times: (Int) -> Int) -> Bool {
    Set(parts.map { tree[$0].tag }).count == 1
      && parts.allSatisfy { tree[$0].words.first == tree[parts[0]].words.first }
      && areOfDays(parts, times: times)
      && parts.count { times($0) > 0 } * 3 >= parts.count * Self.filledMin
  }

  /// `<div class="plist active">` among others of `<div class="plist">`
  private func isShown(_ part: Int) -> Bool { tree[part].words.contains(where: PageWords.active.contains) }

  /// Seven films of one day may stand behind seven days: what is of a day is called so, is hidden until its day is chosen, or
  /// names no film where nothing is shown.
  private func areOfDays(_ parts: [Int], times: (Int) -> Int) -> Bool {
    if parts.allSatisfy({ tree[$0].node["role"] == "tabpanel" || tree[$0].words.contains(where: Self.names.contains) })
    {
      return true
    }
    let shown = parts.filter(isShown)
    if shown.count == 1, !tree[shown[0]].words.contains(where: Self.slides.contains) { return true }
    return parts.count { isHidden($0) } == parts.count - 1 || parts.contains { times($0) == 0 && namesNothing($0) }
  }

  /// One of these is shown at a time, and it is no day's.
  private static let slides: Set<String> = ["carousel", "slide", "slider", "swiper", "slick"]

  /// "Aucune représentation"
  private func namesNothing(_ part: Int) -> Bool {
    tree[part].length <= Self.noticeMax
      && !(part..<tree[part].end).contains {
        tree[$0].node["href"] != nil || tree[$0].tag == "img" || tree[$0].headings > 0
      }
  }

  private static let noticeMax = 80

  private func isHidden(_ place: Int) -> Bool {
    let node = tree[place].node
    return node["hidden"] != nil || node["aria-hidden"] == "true"
      || node["style"].map { $0.filter { $0 != " " }.holds("display:none") } ?? false
  }

  private static let names: Set<String> = ["day", "date", "jour", "giorno", "dia", "dag", "pane", "tabpanel"]
}
