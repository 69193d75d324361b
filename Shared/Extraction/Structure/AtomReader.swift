import Calendars
import HTML

/// Takes a page apart, top down: what is a date or a time as a whole is one atom, however many elements it is made of.
struct AtomReader {
  let tree: PageTree
  let clock: PageClock
  let budget: WorkBudget
  var headings: HeadingText { HeadingText(tree: tree) }
  var atoms: [PageAtom] = []
  var lines: [String: PrintedLine?] = [:]
  /// Texts that are a month's name, or are known to be none.
  var months: [String: PageAtom.Kind?] = [:]
  /// Short texts, and whether they are a weekday's name.
  var weekdays: [String: Bool] = [:]
  /// Up to this node the start is known, and what is printed of it says it again.
  var toldUntil = 0
  /// `20.10` alone: a time where the page writes its times so, else nothing.
  var doubtful: [Int] = []
  /// Whether bare numbers of `data-start` count letters of a text; unknown until one is met.
  var startsArePositions: Bool?

  /// A date or a time as a whole: `Saturday, 21 November 2026 at half past seven in the evening`.
  static let wholeMax = 90
  static let titleMax = 240
  static let numberedMax = 24
  /// Texts of which is kept what they say.
  static let knownMax = 50_000

  /// Each film has a list of its days: `<select><option>Friday October 27<option>Saturday October 28</select>`. One alone
  /// is the page's.
  private let hasSeveralSelects: Bool

  init(tree: PageTree, clock: PageClock, budget: WorkBudget) {
    self.tree = tree
    hasSeveralSelects = tree.nodes.lazy.filter { $0.tag == "select" && $0.length == 0 }.prefix(2).count > 1
    self.clock = clock
    self.budget = budget
  }

  mutating func read() throws(ExtractionError) -> [PageAtom] {
    var stack = [0]
    while let place = stack.popLast() {
      try budget.spend(2)
      if try !takes(place) { stack += tree.children(place).reversed() }
    }
    settleDoubtful()
    try settleBareDigits()
    settleMonths()
    settleLeafing()
    try settleNumberedHeads()
    try settleTimesBeforeDays()
    try settleDateBoxes()
    try settleDayNumbers()
    try settleDayNames()
    try settleTabs()
    try settleWeeks()
    settleWeekdays()
    settleAges()
    settleMonthTitles()
    try settleTitles()
    settleLists()
    try settleBands()
    try settleCommonHour()
    return atoms
  }

  /// Whether the node is told by atoms, so that nobody has to look inside.
  mutating func takes(_ place: Int) throws(ExtractionError) -> Bool {
    let node = tree[place]
    if node.isText {
      try takeText(place, node.node.text)
      return true
    }
    if node.tag == "select", node.end == place + 1 {
      if hasSeveralSelects,
        let day = try ChosenDay(clock: clock).chosen(of: node.node, takesFirst: true, budget: budget)
      {
        atoms.append(PageAtom(kind: .date(days(day)), place: place, text: day.description))
      }
      return true
    }
    guard node.length > 0 || node.tag == "time" || node.tag == "img" || !node.words.isEmpty else { return true }
    if node.tag == "img" {
      if let alt = node.node["alt"]?.trimmedText, !alt.isEmpty, alt.utf8.count <= Self.titleMax,
        PrintedLine(alt, clock: clock)?.times.isEmpty ?? true
      {
        add(.words, place, PictureText.subject(of: alt))
      }
      return true
    }
    if try takeAttributes(place) { return true }
    let children = tree.children(place)
    // What has one child says what the child says.
    if children.count == 1, !tree[children[0]].isText { return false }
    // Its lines are one below the other.
    if node.tag == "pre" { return false }
    if node.length <= Self.wholeMax, let line = try line(tree.text(place)) {
      if children.count == 1 {
        try take(line, tree.text(place), place)
        return true
      }
      if !children.contains(where: isTitleLink), isWhole(line, children, isRow: node.tag == "tr") {
        try take(line, tree.text(place), place)
        return true
      }
    }
    if node.length <= Self.numberedMax, children.count > 1,
      let (line, text) = try numbered(children.map(tree.text).joined(separator: " "))
    {
      try take(line, text, place)
      return true
    }
    if headings.isOne(place), node.length <= Self.titleMax {
      let text = headings.text(of: place)
      let line = try line(text)
      if line == nil || node.length > Self.wholeMax && line?.times.isEmpty ?? true {
        add(.words, place, text)
        addMonth(of: text, place)
        for child in children
        where headings.isGlued(child) || child != children[0] && HeadingText.tellsSeats(tree.text(child)) {
          add(.words, child, tree.text(child).trimmedText)
        }
        if let house = headings.filmAndHouse(in: place)?.house { add(.words, house, tree.text(house).trimmedText) }
        return true
      }
    }
    // Words with marks inside are one text: "Film <em>A</em>".
    if node.length <= Self.titleMax, children.count > 1,
      children.allSatisfy({ isFormatting($0) }) || areWordsOfOneText(children),
      !hasFactsBehind(children), !headings.isTitleAndTranslation(children), try !isTimeBeforeScreen(children)
    {
      let text = headings.text(of: place)
      if try line(text) == nil {
        add(.words, place, text)
        return true
      }
    }
    return false
  }

  /// "<b>Silt</b> (Poland 2026, 98 min)": what is marked is a title, and what stands behind it is none.
  func hasFactsBehind(_ children: [Int]) -> Bool {
    guard !tree[children[0]].isText else { return false }
    let said = children.filter { !tree.text($0).trimmedText.isEmpty }
    guard said.count == 2 else { return false }
    let behind = tree.text(said[1]).trimmedText
    // "<b>Silt</b> <i>VOSTFR</i>"
    if !tree[said[1]].isText { return tree[said[0]].tag != tree[said[1]].tag && !TitleMarks(behind).attributes.isEmpty }
    // "<b>Silt</b> (Chile, 2019) by Ana Berg.", "<b>Silt</b> by Ana Berg"
    if PageWords.opensWithYear(behind) || PageWords.isCredit(behind) { return true }
    // "<b>Silt</b> Ana Berg | Chile | 2019 | 98 min"
    if ["b", "strong"].contains(tree[said[0]].tag), case let facts = behind.split(separator: " | "),
      facts.count >= Self.factsMin, facts.contains(where: { PageWords.tellsLength(String($0)) })
    {
      return true
    }
    guard let first = behind.unicodeScalars.first, "([（,–—-|·/".unicodeScalars.contains(first) else { return false }
    return PageWords.tellsLength(behind)
  }

  private static let factsMin = 3

  /// "19.30<sub>Screen 1</sub>" is no text of its own.
  private mutating func isTimeBeforeScreen(_ children: [Int]) throws(ExtractionError) -> Bool {
    guard children.count == 2, case let place = children[0], tree[place].isText,
      ScreenName.isOne(tree.text(children[1])), tree[place].length <= Self.wholeMax,
      case let text = tree.text(place).trimmedText, let first = text.utf8.first, isDigitByte(first)
    else { return false }
    if let line = try line(text) { return !line.times.isEmpty && line.rest.isEmpty }
    // "21.10" is a time where the page writes its times so.
    return text.utf8.count(where: isDigitByte) >= 3 && text.utf8.count { $0 == UInt8(ascii: ".") } == 1
      && text.utf8.allSatisfy { isDigitByte($0) || $0 == UInt8(ascii: ".") }
  }

  func isFormatting(_ place: Int) -> Bool {
    let node = tree[place]
    if node.isText { return true }
    switch node.tag {
    case "em", "i", "b", "strong", "sup", "sub", "mark", "cite", "font", "u", "abbr", "wbr", "ruby": return true
    default: return false
    }
  }

  /// `<span>Wie</span> <span>der</span> Wind sich hebt`: elements that nothing is said of, with a word each, among words.
  private func areWordsOfOneText(_ children: [Int]) -> Bool {
    children.allSatisfy { child in
      if tree[child].isText { return true }
      guard tree[child].tag == "span", tree[child].node.attributes.isEmpty, tree[child].length <= Self.wholeMax,
        case let word = tree.text(child).trimmedText
      else { return false }
      return !word.unicodeScalars.contains(where: \.isBlank) && !word.utf8.contains(where: isDigitByte)
    }
  }

  /// A text in several elements that is one date, or one time, which none of its parts is alone.
  /// - Parameter isRow: its parts are cells: two times in them are no start and end.
  func isWhole(_ line: PrintedLine, _ children: [Int], isRow: Bool) -> Bool {
    guard line.rest.isEmpty else { return false }
    guard line.alarms.isEmpty else {
      // "<b>Venerdì</b> 18/09 21:15": that the weekday is another day's is told by the whole alone.
      return line.alarms.count == 1 && line.alarms[0].kind == .weekdayDisagrees && line.times.count <= 1
        && children.count <= 4
        && !isRow && children.contains { clock.isWeekday(tree.text($0).trimmedText) }
    }
    // Parts that say all of it by themselves are taken apart.
    var partDays = 0
    var partTimes = 0
    for child in children {
      guard let part = PrintedLine(tree.text(child), clock: clock) else { continue }
      if part.alarms.isEmpty {
        partDays += part.days.count
        partTimes += part.times.count
      }
    }
    if isRow, partTimes > 1 { return false }
    switch (line.days.count, line.times.count) {
    case (1, 0):
      // Better than its parts: with its month, or its weekday, of its own.
      return partDays != 1 || children.count > 1 && partTimes == 0
    // "14h" and "16h15" without a blank between them are two times, unless one is the other's end.
    case (0, 1): return partTimes == 0 || partTimes > 1 && line.times[0].minutesLong != nil
    case (1, 1): return partDays != 1 || partTimes == 0 || partTimes > 1 && line.times[0].minutesLong != nil
    default: return false
    }
  }

  // MARK: Text

  mutating func takeText(_ place: Int, _ text: String) throws(ExtractionError) {
    if isPreformatted(place), case let raw = tree[place].node.rawText, raw.utf8.contains(0x0A) {
      for part in raw.split(whereSeparator: \.isNewline) {
        let line = String(part).trimmedText
        if !line.isEmpty { try takeLine(place, line) }
      }
      return
    }
    // "<b>Silt:</b> (Chile, 2019)" is Silt.
    let isBeforeFacts =
      text.hasSuffix(":") && tree[tree[place].parent].end < tree.nodes.count
      && PageWords.opensWithYear(tree.text(tree[tree[place].parent].end))
    try takeLine(place, isBeforeFacts ? String(text.dropLast()).trimmedText : text)
  }

  /// "18:00/20:30 A dog from Moscow …": the times with which a long text begins, whatever it speaks of then.
  private mutating func timesBeforeProse(_ text: String) throws(ExtractionError) -> (PrintedLine, String)? {
    guard text.utf8.first.map(isDigitByte) ?? false else { return nil }
    let head = String(Substring(text.utf8.prefix(Self.wholeMax)))
    guard let blank = head.lastPlace(of: " "), let line = try line(String(head[..<blank.lowerBound])),
      line.lead.isEmpty, let last = line.times.last, let place = head.lastPlace(of: last.text),
      case let times = String(head[..<place.upperBound]), let own = try self.line(times), own.rest.isEmpty,
      own.days.isEmpty, own.times.count > 1, try self.line(text)?.times.count ?? 0 <= own.times.count
    else { return nil }
    return (own, times)
  }

  /// Longer than the line of a programme.
  private static let proseBytesMin = 160

  func isPreformatted(_ place: Int) -> Bool {
    var above = place
    for _ in 0..<4 where above >= 0 {
      if tree[above].tag == "pre" { return true }
      above = tree[above].parent
    }
    return false
  }

  mutating func takeLine(_ place: Int, _ text: String) throws(ExtractionError) {
    if text.utf8.count <= Self.numberedMax, text.utf8.first.map(isDigitByte) ?? false,
      text.utf8.contains(where: { $0 == 0x20 || $0 == UInt8(ascii: ".") }), let (line, text) = try numbered(text)
    {
      try take(line, text, place)
    } else if text.utf8.count > Self.proseBytesMin, let (line, times) = try timesBeforeProse(text) {
      try take(line, times, place)
    } else if let line = try line(text) {
      try take(line, text, place)
    } else if text.utf8.count <= PageTree.lengthAsked {
      add(.words, place, text)
    }
  }

  mutating func take(_ line: PrintedLine, _ text: String, _ place: Int) throws(ExtractionError) {
    // `<span>18 January</span><span class=mobile>18.01</span>`: the same day, once more.
    if line.times.count == 1, line.times[0].isDotted, let day = line.day, line.rest.isEmpty,
      line.times[0].start.hour == day.day, line.times[0].start.minute == day.month
    {
      add(.date(line.days), place, text)
      return
    }
    if line.alarms.contains(where: { $0.kind == .ambiguousDateOrTime }), line.days.isEmpty {
      // Among times it is one; alone, the page decides.
      if let times = PrintedLine(text, clock: clock, expecting: .times), times.alarms.isEmpty, !times.times.isEmpty {
        if line.times.isEmpty { doubtful.append(atoms.count) }
        add(.times(times.times), place, text, times)
        return
      }
    }
    // "Schnee von gestern" and "Edge of Tomorrow" are films; "Kino heute" is today.
    if line.times.isEmpty, line.alarms.isEmpty, line.rest.hasLetters, !line.days.isEmpty,
      line.days.allSatisfy({
        ($0.notes.contains(.relativeDay) && $0.day != clock.calledToday
          || $0.notes.contains(.inferredFromWeekday) && Self.isOfName(line.rest))
          && !text.lowercased().hasPrefix($0.text.lowercased())
      }),
      !PageWords.isLabel(line.rest)
    {
      add(.words, place, text)
      return
    }
    // "Vietato ai minori di 14 anni"
    if line.times.isEmpty, Self.isAmongWords(text) {
      add(.words, place, text)
      return
    }
    if line.times.isEmpty, line.day == clock.calledToday, line.days[0].notes.contains(.relativeDay),
      Self.tellsRun(text)
    {
      add(.words, place, text)
      return
    }
    if line.days.isEmpty, line.times.isEmpty {
      if let alarm = line.alarms.first, Self.isOfDate(alarm) {
        add(.badDate(alarm), place, text, line)
      } else if !text.isEmpty {
        add(.words, place, text)
        // "※11/24(火)は休映": words that leave out days.
        if line.leavesOut, let last = atoms.indices.last, atoms[last].place == place {
          atoms[last].line = line
        }
      }
      return
    }
    if line.times.isEmpty {
      if isMark(text, line) {
        add(.words, place, text)
      } else if let alarm = line.alarms.first(where: Self.isOfDate) {
        add(.badDate(alarm), place, text, line)
      } else {
        add(.date(line.days), place, text, line)
      }
    } else if line.days.isEmpty, !line.alarms.contains(where: Self.isOfDate) {
      add(.times(line.times), place, text, line)
    } else if let lines = try apart(line) {
      for (text, line) in lines {
        let before = atoms.count
        add(.both, place, text, line)
        if atoms.count > before { atoms[before].isApart = true }
      }
    } else {
      add(.both, place, text, line)
    }
  }

  /// "di 14" with a word on both sides of it, and no other number: a Tuesday of one language is a word of another, as
  /// "do 12 let" and "Ciclo di 12 film".
  private static func isAmongWords(_ text: String) -> Bool {
    let words = text.split(separator: " ")
    guard words.count(where: { $0.utf8.contains(where: isDigitByte) }) == 1,
      let number = words.firstIndex(where: { $0.utf8.contains(where: isDigitByte) }),
      number > 0, number + 1 < words.count, words[number].utf8.allSatisfy(isDigitByte), words[number].utf8.count <= 2,
      words[number - 1].utf8.count == 2, words[number - 1].allSatisfy(\.isLowercase),
      let next = words[number + 1].first, next.isLetter
    else { return false }
    let isLed = number > 1 && words[number - 2].last?.isLetter ?? false
    return isLed || counted.contains(words[number + 1].lowercased())
  }

  /// What ages and series are counted in.
  private static let counted: Set<String> = ["let", "lat", "anni", "años", "anos", "film", "filmů", "filmów"]

  /// "Ends today!": it says how long a film is shown, and dates nothing that stands beside it.
  private static func tellsRun(_ text: String) -> Bool {
    text.lowercased().unicodeScalars.split { !$0.properties.isAlphabetic }
      .contains { runWords.contains(String(Substring($0))) }
  }

  private static let runWords: Set<String> = [
    "ends", "ending", "opens", "opening", "starts", "starting", "last", "final", "endet", "startet", "letzter",
    "letzte", "dernier", "dernière", "último", "última", "ultimo", "ultima", "laatste",
  ]

  /// "8.6" is a mark out of ten where the sixth of August is far.
  private func isMark(_ text: String, _ line: PrintedLine) -> Bool {
    guard text.utf8.count == 3, text.utf8.dropFirst().first == UInt8(ascii: "."),
      text.utf8.count(where: isDigitByte) == 2
    else { return false }
    guard let day = line.day else { return true }
    return abs(day - clock.captured) > Self.markedDaysMax
  }

  /// No programme is printed longer ahead without a weekday or a month's name.
  private static let markedDaysMax = 45

  /// "Grindhouse Wednesday: Chrome Widow": a weekday among words that do not say which one is meant.
  private static func isOfName(_ rest: String) -> Bool {
    rest.lowercased().unicodeScalars.split { !$0.properties.isAlphabetic }
      .contains { $0.count > 2 && !beforeWeekdays.contains(String(Substring($0))) }
  }

  private static let beforeWeekdays: Set<String> = [
    "this", "next", "coming", "every", "each", "diesen", "nächsten", "kommenden", "jeden", "prochain", "chaque", "tous",
    "este", "próximo", "cada", "questo", "prossimo", "ogni", "deze", "komende", "elke", "und", "and", "the", "now",
  ]

  /// "Sat 5 Dec 10:30 The Red Bridge, 13:00 The Morning Boat": a line for each film of a day.
  mutating func apart(_ line: PrintedLine) throws(ExtractionError) -> [(String, PrintedLine)]? {
    guard line.times.count >= 2, line.day != nil, line.lead.isEmpty, line.exceptions.isEmpty, !line.isClosed,
      line.times.allSatisfy({ $0.minutesLong == nil }), line.tails.count == line.times.count,
      line.tails.allSatisfy({ isName($0) })
    else { return nil }
    var lines: [(String, PrintedLine)] = []
    for (time, tail) in zip(line.times, line.tails) {
      let text = "\(line.days[0].text) \(time.text) \(tail)"
      guard let own = try self.line(text), own.times.count == 1, own.day == line.day, own.tails == [tail] else {
        return nil
      }
      lines.append((text, own))
    }
    return lines
  }

  /// What names something: no room, no remark, no mark.
  private func isName(_ text: String) -> Bool {
    text.unicodeScalars.count(where: \.properties.isAlphabetic) >= 2 && !PageWords.isLabel(text)
      && !ScreenName.isOne(text) && !PrintedTitle(text).isOnlyMarks && PrintedMarks(text).seats == nil
  }

  static func isOfDate(_ alarm: PrintedAlarm) -> Bool {
    switch alarm.kind {
    case .weekdayDisagrees, .ambiguousDayMonth, .noSuchDay, .weekdaysWithoutDates, .outsideWindow, .moreThanOneDate:
      true
    default: false
    }
  }

  /// A month alone, or a day's number alone, is no date to the reader of print.
  mutating func line(_ text: String) throws(ExtractionError) -> PrintedLine? {
    guard text.utf8.count <= PrintedLine.bytesMax, Self.mayTell(text) else { return nil }
    if let known = lines[text] { return known }
    try budget.spend(text.utf8.count * 4)
    let line = PrintedLine(text, clock: clock)
    if lines.count < Self.knownMax { lines[text] = line }
    return line
  }

  static func mayTell(_ text: String) -> Bool {
    text.utf8.contains(where: isDigitByte) || text.utf8.count <= 60
      || text.utf8.contains { $0 >= 0xE0 } && text.utf8.count <= 200
  }

  mutating func add(_ kind: PageAtom.Kind, _ place: Int, _ text: String, _ line: PrintedLine? = nil) {
    var kind = kind
    var text = text
    var line = line
    // `title="The <em class="x">Silt</em>">`: what stands before is left of an attribute whose quotes were broken.
    if case .words = kind, text.utf8.contains(UInt8(ascii: ">")), let rest = text.lastPlace(of: "\">"),
      case let behind = String(text[rest.upperBound...]).trimmedText, !behind.isEmpty
    {
      text = behind
    }
    if place < toldUntil, let told = line {
      guard !told.rest.isEmpty else { return }
      (kind, text, line) = (.words, told.rest, nil)
    }
    if case .words = kind {
      if let month = month(text) {
        kind = month
      } else if text.utf8.count <= 2, let day = Int(text), (1...31).contains(day), !tree.isStep(place) {
        kind = .dayNumber(day)
      }
    }
    var atom = PageAtom(kind: kind, place: place, text: text, line: line)
    if case .date(let days) = kind, days.count == 1, days[0].day != nil { atom.opensWeek = PageWords.opensWeek(text) }
    atoms.append(atom)
  }
}
