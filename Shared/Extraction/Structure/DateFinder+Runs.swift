import Calendars
import HTML

/// Runs of days: the part of the page that one heads, and what is left out of it.
extension DateFinder {
  /// Whether a run of days heads a part of the page, the time in it, that names no day of its own: what is listed
  /// there is shown on each of them.
  func heads(_ index: Int, _ time: Int) -> Bool {
    if let end = sections.ends[index] { return time > index && time < end }
    let end = sectionEnd(of: index)
    sections.ends[index] = end
    return time > index && time < end
  }

  /// Where the part that a heading heads ends: at the next of its kind. Zero if it has dates of its own.
  func sectionEnd(of index: Int) -> Int {
    let place = context.atoms[index].place
    guard let heading = tree.path(place).prefix(3).first(where: { Self.headings.contains(tree[$0].tag) }) else {
      return weekEnd(of: index)
    }
    let isCaption = tree[heading].tag == "caption"
    let whole = isCaption ? tree[tree[heading].parent].end : tree.nodes.count
    for other in context.atoms.indices.dropFirst(index + 1).prefix(Self.reach) {
      let at = context.atoms[other].place
      if at >= whole || tree[at].isChrome { return other }
      if at >= tree[heading].end, tree.path(at).prefix(3).contains(where: { tree[$0].tag == tree[heading].tag }),
        !isHeadingOfLess(at, beside: heading)
      {
        return other
      }
      // Its own days, or days to choose from: what is shown differs from one to the next.
      if context.atoms[other].isDate, isContext(other) { return 0 }
    }
    return min(index + Self.reach, context.atoms.count)
  }

  /// A cinema's week in a paragraph of its own, and right below it lines with a time and a title each, as blogs have them:
  ///
  ///     14–20 March
  ///     15:00: Silt
  ///     17:00: Marram
  private func weekEnd(of index: Int) -> Int {
    guard isProgrammeOfWeek(index) || context.atoms[index].line?.rest.isEmpty ?? true,
      context.atoms[index].run.map({ Self.weekDays.contains($0.count) }) ?? false,
      let block = tree.path(context.atoms[index].place).first(where: { !tree.isInline($0) }),
      context.times(in: block) == 0,
      case let own = context.range(in: block), own.last == index, own.count <= 2,
      own.dropLast().allSatisfy({
        context.atoms[$0].isWords && context.atoms[$0].text.utf8.count <= Self.programmeBytesMax
      }),
      index + 1 < context.atoms.count, opensLine(index + 1)
    else { return 0 }
    for other in context.atoms.indices.dropFirst(index + 1).prefix(Self.reach) {
      let next = context.atoms[other]
      if tree[next.place].isChrome || next.isDate && isContext(other) && next.line?.isClosed != true { return other }
      if tree.path(next.place).prefix(3).contains(where: { Self.headings.contains(tree[$0].tag) }) { return other }
      // What says a time without a title is of what stands before it.
      if next.isTime, !opensLine(other) { return other }
    }
    return min(index + Self.reach, context.atoms.count)
  }

  /// "Programme 14–20 March", "Horários Cine Moss, 31 de agosto a 6 de setembro"
  func isProgrammeOfWeek(_ index: Int) -> Bool {
    guard context.atoms[index].run.map({ Self.weekDays.contains($0.count) }) ?? false,
      let rest = context.atoms[index].line?.rest
    else { return false }
    return rest.utf8.count <= Self.programmeBytesMax && PageWords.saysProgrammeAmongOthers(rest)
  }

  /// "15h: O ACIDENTE": a time, and behind it in the same line what is shown.
  private func opensLine(_ index: Int) -> Bool {
    guard context.atoms[index].isTime, let line = context.atoms[index].line else { return false }
    return line.lead.isEmpty && line.days.isEmpty && line.rest.hasLetters
  }

  private static let weekDays = 5...8
  private static let programmeBytesMax = 60

  /// `<h3>14–20 March</h3><div><h3>Moss Cinema</h3><p>Hull</p></div><table>…`: what heads a part without times heads no more.
  private func isHeadingOfLess(_ place: Int, beside heading: Int) -> Bool {
    guard let part = tree.path(place).first(where: { tree[$0].parent == tree[heading].parent }) else { return false }
    return tree[part].tag != tree[heading].tag && context.times(in: part) == 0
  }

  static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "caption"]

  /// What a run of days does not show.
  struct LeftOut {
    var days: Set<CivilDate> = []
    var weekdays: WeekdaySet = []
    var showings: Set<ServiceTime> = []

    /// Whether a showing of a run is left out.
    func has(_ start: DateFinder.Start) -> Bool {
      guard case .moment(let stamp) = start.found else { return false }
      let day = start.printed?.date ?? stamp.local.date
      let time = start.printed?.time ?? DisplayTime(stamp.local.time)
      return has(day, time, isRun: true)
    }

    func has(_ date: CivilDate, _ time: DisplayTime, isRun: Bool) -> Bool {
      isRun && (days.contains(date) || weekdays.contains(date.weekday))
        || !showings.isEmpty && showings.contains(ServiceTime(date, time))
    }
  }

  /// "※11/24(火)は休映" and "(not Wed)" in the part of the page that has the time and its title.
  func leftOut(beside place: TimePlace, titleLevel: Int) -> LeftOut {
    var found = LeftOut()
    guard !context.remarks.isEmpty else { return found }
    let outer = place.path[min(max(titleLevel, 1), place.path.count - 1)]
    let own = part(of: place, in: outer)
    for other in context.remarks(in: outer) {
      guard let line = context.atoms[other].line, own.contains(context.atoms[other].place) else { continue }
      // Beside other times "not Wed" is said of those.
      if other == place.atom || !context.atoms[other].isTime { found.weekdays.formUnion(line.exceptedWeekdays) }
      for cancelled in line.cancelled {
        for day in Self.dates(of: cancelled.days) {
          found.showings.formUnion(cancelled.times.map { ServiceTime(day, $0) })
        }
      }
      guard other != place.atom || line.days.isEmpty else { continue }
      for days in line.exceptions + (line.isClosed ? line.days : []) { found.days.formUnion(Self.dates(of: days)) }
    }
    return found
  }

  /// `<dt>Silt<dd>10:00<dt>Bolt<dd>13:00 ※11/30(月)休映`: of a list of films the nodes of this one, from its heading to
  /// the next of that kind; all of the part where no heading stands beside the time.
  private func part(of place: TimePlace, in outer: Int) -> Range<Int> {
    let whole = outer..<tree[outer].end
    guard let own = place.path.first(where: { tree[$0].parent == outer }) else { return whole }
    let before = siblings(before: own)
    guard let heading = before.first(where: { Self.opensFilm(tree[$0].tag) }), case let tag = tree[heading].tag else {
      return whole
    }
    var next = tree[own].end
    for _ in 0..<Self.siblingsMax where next < whole.upperBound && tree[next].tag != tag { next = tree[next].end }
    let isOnly = next >= whole.upperBound && !before.contains { $0 < heading && tree[$0].tag == tag }
    return isOnly ? whole : heading..<min(next, whole.upperBound)
  }

  /// The nearest first.
  private func siblings(before place: Int) -> [Int] {
    let parent = tree[place].parent
    var (found, at) = ([Int](), place - 1)
    while at > parent, found.count < Self.siblingsMax {
      while tree[at].parent > parent { at = tree[at].parent }
      found.append(at)
      at -= 1
    }
    return found
  }

  /// Elements of a list that are looked at on each side of a time for the heading of its film.
  private static let siblingsMax = 60

  private static func opensFilm(_ tag: String) -> Bool { tag == "dt" || tag != "caption" && headings.contains(tag) }

  private static func dates(of days: PrintedDays) -> [CivilDate] {
    guard let first = days.first, let last = days.last ?? days.first, last >= first, last - first < runMax
    else { return [] }
    return Array(first...last)
  }

  /// "Closed on Mondays" in a line of its own, right below a week or, where each line below it has its own title, among these:
  /// of all that the week heads.
  func weekdaysClosed(below index: Int) -> Set<Weekday> {
    var closed: Set<Weekday> = []
    let isOfLines = index + 1 < context.atoms.count && opensLine(index + 1)
    for other in context.atoms[(index + 1)..<max(index + 1, sections.ends[index] ?? 0)].prefix(Self.closingReach) {
      if other.isTime, !isOfLines { break }
      guard !other.isTime, other.text.utf8.count <= Self.programmeBytesMax,
        let line = other.line ?? PrintedLine(other.text, clock: clock), line.isClosed, line.times.isEmpty,
        !line.days.isEmpty, line.days.allSatisfy({ $0.notes.contains(.inferredFromWeekday) })
      else { continue }
      closed.formUnion(PageClock.weekdays(of: line.days))
    }
    return closed
  }

  /// "※11/24(火)は休映" beside a film's run: days that it leaves out, up to the next run.
  func closings(beside index: Int) -> [PrintedDays] {
    var found: [PrintedDays] = []
    for other in context.atoms[(index + 1)...].prefix(Self.closingReach) {
      if let line = other.line, !line.exceptions.isEmpty {
        found += line.exceptions
        continue
      }
      guard case .date(let days) = other.kind else { continue }
      if other.line?.isClosed == true {
        found += days
      } else if days.contains(where: { $0.day == nil }) {
        break
      }
    }
    return found
  }
}
