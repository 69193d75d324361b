import Calendars

/// A day's number in a part of its own, beside the part that has its weekday: the boxes of dates.
extension AtomReader {
  /// `<div>TUE</div><div>24</div>` without a month: the weekday says which 24th is meant. `<td>24.</td><td>út</td>`: the
  /// weekday says that the number is a day's.
  mutating func settleDayNumbers() throws(ExtractionError) {
    var found: [(weekday: Int, number: Int, line: PrintedLine)] = []
    var month = -Self.monthReach
    for index in atoms.indices {
      if isMonth(index) { month = index }
      guard let day = dayNumber(index), let weekday = try weekday(beside: index) else { continue }
      if case .dayNumber = atoms[index].kind {} else { atoms[index].kind = .dayNumber(day) }
      guard index - month >= Self.monthReach, !isMonth(index + 1) else { continue }
      let text = "\(LineRest.trimmed(atoms[weekday].text)) \(day)"
      guard let line = PrintedLine(text, clock: clock, expecting: .dates), line.day != nil, line.rest.isEmpty else {
        continue
      }
      found.append((weekday, index, line))
    }
    // One alone may be something else.
    guard Set(found.compactMap(\.line.day)).count >= Self.boxesMin else { return }
    for box in found {
      atoms[box.weekday].kind = .words
      atoms[box.weekday].line = nil
      atoms[box.number].kind = .date(box.line.days)
      atoms[box.number].line = box.line
    }
  }

  private static let boxesMin = 2

  /// 24 of "24", and of "24."
  private func dayNumber(_ index: Int) -> Int? {
    if case .dayNumber(let day) = atoms[index].kind { return day }
    let text = atoms[index].text
    guard atoms[index].isWords, (2...3).contains(text.utf8.count), text.hasSuffix("."), let day = Int(text.dropLast()),
      (1...31).contains(day)
    else { return nil }
    return day
  }

  /// The weekday right before the number or right behind it, in a part beside its own; not the last of a row of weekdays.
  private mutating func weekday(beside index: Int) throws(ExtractionError) -> Int? {
    for other in [index - 1, index + 1] where try isWeekday(other) && parts(index) == parts(other) {
      if try !isWeekday(2 * other - index) { return other }
    }
    return nil
  }

  mutating func isWeekday(_ index: Int) throws(ExtractionError) -> Bool {
    guard atoms.indices.contains(index), case let text = atoms[index].text,
      text.utf8.count <= PageClock.weekdayBytesMax,
      text.hasLetters
    else { return false }
    if let known = weekdays[text] { return known }
    try budget.spend(text.utf8.count * 4)
    let isWeekday = clock.isWeekday(text)
    if weekdays.count < Self.knownMax { weekdays[text] = isWeekday }
    return isWeekday
  }

  /// What the part is one of.
  private func parts(_ index: Int) -> Int? {
    tree.path(atoms[index].place).first { !tree.isInline($0) }.map { tree[$0].parent }
  }

  private func isMonth(_ index: Int) -> Bool {
    guard atoms.indices.contains(index), case .month = atoms[index].kind else { return false }
    return true
  }

  /// So far behind a month's name its days stand.
  private static let monthReach = 400

  /// "I dag | I morgen | ons 25.11.": a word for today, which alone may be a film's, is a day among days that stand as it
  /// does.
  mutating func settleDayNames() throws(ExtractionError) {
    var named: [String: [(index: Int, ahead: Int)]] = [:]
    for (index, atom) in atoms.enumerated() where atom.isWords && atom.text.utf8.count <= Self.dayNameBytesMax {
      guard let ahead = Self.dayNames[atom.text.foldedKey] else { continue }
      named[tree.signature(atom.place), default: []].append((index, ahead))
    }
    for index in atoms.indices where atoms[index].isWords {
      if let ahead = try dayInHeading(index) { takeDay(index, ahead: ahead) }
    }
    guard !named.isEmpty else { return }
    var dated: Set<String> = []
    for atom in atoms where atom.isDate {
      try budget.spend(4)
      dated.insert(tree.signature(atom.place))
    }
    for (kind, found) in named where dated.contains(kind) || Set(found.map(\.ahead)).count > 1 {
      for (index, ahead) in found { takeDay(index, ahead: ahead) }
    }
  }

  private mutating func takeDay(_ index: Int, ahead: Int) {
    let line = PrintedLine((clock.calledToday + ahead).description, clock: clock, expecting: .dates)
    guard let line, line.day != nil else { return }
    atoms[index].kind = .date(line.days)
    atoms[index].line = line
  }

  /// `<h3>Visningar i dag</h3>`: what is shown on a day that has a name, and nothing else.
  private mutating func dayInHeading(_ index: Int) throws(ExtractionError) -> Int? {
    let text = atoms[index].text
    guard text.utf8.count <= Self.headingBytesMax, text.utf8.contains(0x20),
      tree.path(atoms[index].place).prefix(2).contains(where: { DateFinder.headings.contains(tree[$0].tag) })
    else { return nil }
    try budget.spend(text.utf8.count)
    let words = text.lowercased().unicodeScalars.split(whereSeparator: \.isBlank).map { String(Substring($0)) }
    for count in 1...2 where words.count > count {
      if let ahead = Self.dayNames[words.suffix(count).joined(separator: " ").foldedKey],
        PageWords.namesProgramme(words.dropLast(count).joined(separator: " "))
      {
        return ahead
      }
    }
    return nil
  }

  private static let headingBytesMax = 48

  /// `<a href="#tab-2">TUE</a>`: short names of weekdays that each choose a part of the page are days.
  mutating func settleTabs() throws(ExtractionError) {
    var tabs: [String: [(index: Int, line: PrintedLine)]] = [:]
    var lines: [String: PrintedLine?] = [:]
    for (index, atom) in atoms.enumerated() where atom.isWords && atom.text.utf8.count <= PageClock.weekdayBytesMax {
      try budget.spend(8)
      guard choosesPart(atom.place), try isWeekday(index) else { continue }
      let text = LineRest.trimmed(atom.text)
      // A page has few weekdays, however often it says them.
      let found = lines[text] ?? PrintedLine(text, clock: clock, expecting: .dates)
      lines[text] = .some(found)
      guard let line = found, line.days.count == 1 else { continue }
      // "thu" and "fri" may be what each is called.
      let kind = tree.path(atom.place).prefix(3).map { tree[$0].tag }.joined(separator: "<")
      tabs[kind, default: []].append((index, line))
    }
    for tabs in tabs.values where Set(tabs.compactMap(\.line.day)).count >= Self.boxesMin {
      for (index, line) in tabs {
        atoms[index].kind = .date(line.days)
        atoms[index].line = line
      }
    }
  }

  /// `<div>QUI</div><div>14:00</div>`, `<div>SEX</div><div>14:00</div>` …: short names of weekdays in parts of one row that
  /// are alike, which follow each other as a week's do, most of them over times, are days. Where others like them are no
  /// weekdays, none is.
  mutating func settleWeeks() throws(ExtractionError) {
    var rows: [Int: [(index: Int, kind: String?, line: PrintedLine)]] = [:]
    var short: [Int] = []
    var lines: [String: PrintedLine?] = [:]
    for (index, atom) in atoms.enumerated() {
      try budget.spend(4)
      // A cell with one time is told whole.
      if case .both = atom.kind, let line = atom.line, line.days.count == 1, Self.isWeekday(line) {
        rows[tree[atom.place].parent, default: []].append((index, nil, line))
      }
      guard atom.isWords, atom.text.utf8.count <= PageClock.weekdayBytesMax else { continue }
      guard try isWeekday(index) else {
        short.append(index)
        continue
      }
      let text = LineRest.trimmed(atom.text)
      let found = lines[text] ?? PrintedLine(text, clock: clock, expecting: .dates)
      lines[text] = .some(found)
      let cell = tree[part(of: atom)].parent
      guard let line = found, line.days.count == 1, Self.isWeekday(line), cell >= 0 else { continue }
      rows[tree[cell].parent, default: []].append((index, try signature(of: atom), line))
    }
    let weeks = rows.values.filter(isWeek)
    guard !weeks.isEmpty else { return }
    var others: Set<String> = []
    for index in short { others.insert(try signature(of: atoms[index])) }
    for week in weeks {
      for (index, kind, line) in week where kind.map({ !others.contains($0) }) ?? false {
        atoms[index].kind = .date(line.days)
        atoms[index].line = line
      }
    }
  }

  private func isWeek(_ row: [(index: Int, kind: String?, line: PrintedLine)]) -> Bool {
    let days = row.compactMap { $0.line.days[0].first?.weekday }
    return Set(row.compactMap(\.kind)).count == 1 && Set(days).count >= Self.weekMin
      && zip(days, days.dropFirst()).allSatisfy { $1 == $0.adding(days: 1) }
      && row.count { $0.kind == nil || standsOverTime($0.index) } * 2 >= days.count
  }

  private func part(of atom: PageAtom) -> Int { tree[atom.place].isText ? tree[atom.place].parent : atom.place }

  private func signature(of atom: PageAtom) throws(ExtractionError) -> String {
    try budget.spend(Self.signatureSteps)
    return tree.signature(part(of: atom))
  }

  /// Of naming three elements.
  private static let signatureSteps = 24

  private func standsOverTime(_ index: Int) -> Bool { index + 1 < atoms.count && atoms[index + 1].isTime }

  private static func isWeekday(_ line: PrintedLine) -> Bool {
    line.days[0].notes.contains(.inferredFromWeekday) && line.days[0].first == line.days[0].last
  }

  /// A house may be closed on two days of a week.
  private static let weekMin = 5

  private func choosesPart(_ place: Int) -> Bool {
    var at = place
    for _ in 0..<PageContext.labelLevels where at >= 0 {
      if tree[at].node.target != nil { return true }
      at = tree[at].parent
    }
    return false
  }

  private static let dayNameBytesMax = 24

  /// How many days from today, by the folded name.
  static let dayNames: [String: Int] = {
    let names = [
      [
        "hoje", "idag", "i dag", "í dag", "í kvöld", "ikväll", "i kväll", "dnes", "dziś", "dzisiaj", "tänään", "bugün",
        "σήμερα", "今天",
        "сьогодні", "сегодня", "днес", "данас", "danas", "danes", "täna", "šodien", "šiandien",
      ],
      [
        "amanhã", "á morgun", "imorgon", "i morgon", "i morgen", "zítra", "jutro", "huomenna", "holnap", "yarın",
        "αύριο", "明天",
        "завтра", "утре", "сутра", "sutra", "homme", "rytoj",
      ],
      [
        "pozítří", "pojutrze", "i övermorgon", "i overmorgen", "ylihuomenna", "后天", "後天", "післязавтра", "послезавтра",
        "вдругиден",
      ],
    ]
    var ahead: [String: Int] = [:]
    for (days, names) in names.enumerated() {
      for name in names { ahead[name.foldedKey] = days }
    }
    return ahead
  }()
}
