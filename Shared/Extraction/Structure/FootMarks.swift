import Calendars
import HTML

/// Marks behind times, and what a legend says that they mean of the days: "14h00ᶜ, 19h30*" above "C – only Tuesday" and
/// "* not on 21 November".
struct FootMarks {
  /// On which days of its run a marked time is shown.
  struct Rule: Hashable {
    var isOnly: Bool
    var weekdays: Set<Weekday>
    var days: Set<CivilDate>

    func allows(_ day: CivilDate) -> Bool {
      // "Only Saturday (21/11)" names one day twice.
      (days.isEmpty ? weekdays.contains(day.weekday) : days.contains(day)) == isOnly
    }
  }

  private var rules: [String: Rule] = [:]
  /// By atom: the marks of its times.
  private var marks: [Int: [String]] = [:]

  /// What turns out to be a legend's is no date of the programme.
  init(
    of atoms: inout [PageAtom], in tree: PageTree, clock: PageClock, budget: WorkBudget
  ) throws(ExtractionError) {
    try budget.spend(atoms.count)
    let legends = atoms.indices.filter { Self.legend(at: $0, of: atoms) != nil }
    guard !legends.isEmpty else { return }
    var used: Set<String> = []
    for (index, atom) in atoms.enumerated() where atom.isTime {
      try budget.spend(atom.text.utf8.count / 8)
      let found = Self.marks(of: atom, in: tree)
      guard found.contains(where: { !$0.isEmpty }) else { continue }
      marks[index] = found
      used.formUnion(found)
    }
    var refused: Set<String> = []
    for index in legends {
      guard let (mark, words) = Self.legend(at: index, of: atoms), used.contains(mark) else { continue }
      try budget.spend(Self.legendBytesMax)
      guard let rule = Self.rule(words, clock) else { continue }
      atoms[index].kind = .words
      atoms[index].line = nil
      // Two programmes with legends of their own: it is not known which is meant.
      if let other = rules[mark], other != rule { refused.insert(mark) }
      rules[mark] = rule
    }
    for mark in refused { rules[mark] = nil }
  }

  /// What is said of a time of an atom.
  func rule(of time: Int, in atom: Int) -> Rule? {
    guard let marks = marks[atom], marks.indices.contains(time) else { return nil }
    return rules[marks[time]]
  }

  /// What stands right behind each time of an atom, up to the next mark of a list.
  private static func marks(of atom: PageAtom, in tree: PageTree) -> [String] {
    guard case .times(let times) = atom.kind else { return [] }
    var rest = Substring(atom.text)
    var found: [String] = []
    for time in times {
      guard let place = String(rest).firstPlace(of: time.text) else { return found }
      rest = rest.dropFirst(String(rest)[..<place.upperBound].count)
      let behind = rest.first == " " ? rest.dropFirst() : rest
      found.append(String(behind.prefix { !$0.isWhitespace && !separators.contains($0) }))
    }
    // `14h00<sup>C</sup>`
    if found.last == "", rest.isEmpty, let behind = raised(behind: atom.place, in: tree) {
      found[found.count - 1] = behind
    }
    return found
  }

  private static func raised(behind place: Int, in tree: PageTree) -> String? {
    var next = tree[place].end
    if next < tree.nodes.count, tree[next].tag == "sup" {
      while next < tree.nodes.count, !tree[next].isText { next += 1 }
      guard next < tree.nodes.count, tree[next].length <= markBytesMax else { return nil }
      return tree[next].node.text.trimmedText
    }
    return nil
  }

  private static let markBytesMax = 8
  private static let legendBytesMax = 160
  private static let separators: Set<Character> = [",", ";", "/", "|", "·", "-", "–", "—", "."]
  private static let joints: Set<Character> = ["-", "–", "—", ":", "=", ")"]

  /// `<b>C</b> – only Tuesday` is two atoms.
  private static func legend(at index: Int, of atoms: [PageAtom]) -> (mark: String, words: String)? {
    let text = atoms[index].text
    guard !atoms[index].isTime || PageWords.isForGroups(text) else { return nil }
    if index > 0, let joint = text.first, joints.contains(joint), atoms[index - 1].text.utf8.count <= markBytesMax {
      return legend(atoms[index - 1].text.trimmedText + text)
    }
    return legend(text)
  }

  /// "C – only Tuesday", "** nur Sonntag": the mark, and what it means.
  private static func legend(_ text: String) -> (mark: String, words: String)? {
    guard let first = text.first, text.utf8.count <= legendBytesMax else { return nil }
    let isLetter = first.isASCII && first.isUppercase
    guard
      isLetter || first == "*" || first == "†" || first.unicodeScalars.allSatisfy({ superscripts.contains($0.value) })
    else { return nil }
    let mark = isLetter ? text.prefix(1) : text.prefix { $0 == first }
    var words = text.dropFirst(mark.count).drop(while: \.isWhitespace)
    if let joint = words.first, joints.contains(joint) {
      words = words.dropFirst()
    } else if isLetter {
      return nil
    }
    return (String(mark), String(words).trimmedText)
  }

  private static let superscripts: Set<UInt32> = [0xB9, 0xB2, 0xB3, 0x2074, 0x2075, 0x2076]

  private static func rule(_ text: String, _ clock: PageClock) -> Rule? {
    // On no day that is anybody's.
    if PageWords.isForGroups(text) { return Rule(isOnly: true, weekdays: [], days: []) }
    var words = text.split(separator: " ").map(String.init)
    let count = words.count
    words.removeAll { only.contains($0.foldedKey) }
    let isSaid = words.count < count
    guard let line = PrintedLine(words.joined(separator: " "), clock: clock, expecting: .dates), line.times.isEmpty
    else {
      return nil
    }
    let named = line.days + line.exceptions
    let days = Set(
      named.filter { !$0.notes.contains(.inferredFromWeekday) }.flatMap { days -> [CivilDate] in
        guard let first = days.first, let last = days.last, first <= last, last - first < runMax else { return [] }
        return Array(first...last)
      })
    var weekdays = PageClock.weekdays(of: named.filter { $0.notes.contains(.inferredFromWeekday) })
    weekdays.formUnion(line.weekdaysAlone ?? [])
    weekdays.formUnion(line.exceptedWeekdays.weekdays)
    guard !days.isEmpty || !weekdays.isEmpty else { return nil }
    if line.leavesOut { return isSaid ? nil : Rule(isOnly: false, weekdays: weekdays, days: days) }
    return isSaid || line.rest.isEmpty ? Rule(isOnly: true, weekdays: weekdays, days: days) : nil
  }

  private static let runMax = 62
  private static let only = Set(
    "only nur lediglich seulement uniquement solo sólo solamente únicamente somente apenas só alleen soltanto pouze jen tylko kun endast bara vain csak numai doar только лише тільки のみ"
      .split(separator: " ").map { String($0).foldedKey })
}
