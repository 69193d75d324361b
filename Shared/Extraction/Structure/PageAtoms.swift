import Calendars
import HTML

/// The smallest parts of a page that mean something to a programme: dates, times, both, or words.
struct PageAtom {
  enum Kind {
    /// A day, or several.
    case date([PrintedDays])
    /// A date that contradicts itself: what stands under it has no date.
    case badDate(PrintedAlarm)
    /// Times without a date.
    case times([PrintedTime])
    /// Dates and times of one line.
    case both
    /// A start that is complete, from an attribute.
    case moment(PartialMoment)
    /// `November 2026`, for days without a month.
    case month(year: Int?, month: Int)
    /// A day of a month that stands elsewhere.
    case dayNumber(Int)
    case words
  }

  var kind: Kind
  /// Of the element or text in the tree.
  let place: Int
  let text: String
  var line: PrintedLine?
  /// From an attribute of an element whose content it is about, not from its text.
  var isOfContent = false

  var isTime: Bool {
    switch kind {
    case .times, .both, .moment: true
    default: false
    }
  }

  var isDate: Bool {
    switch kind {
    case .date, .badDate, .dayNumber: true
    default: false
    }
  }

  var isWords: Bool { if case .words = kind { true } else { false } }
}

/// Takes a page apart, top down: what is a date or a time as a whole is one atom, however many elements it is made of.
struct AtomReader {
  let tree: PageTree
  let clock: PageClock
  let budget: WorkBudget
  private(set) var atoms: [PageAtom] = []
  private var lines: [String: PrintedLine?] = [:]
  /// Texts that are a month's name, or are known to be none.
  private var months: [String: PageAtom.Kind?] = [:]
  /// Up to this node the start is known, and what is printed of it says it again.
  private var toldUntil = 0
  /// `20.10` alone: a time where the page writes its times so, else nothing.
  private var doubtful: [Int] = []

  /// A date or a time as a whole: `Saturday, 21 November 2026 at half past seven in the evening`.
  private static let wholeMax = 90
  private static let titleMax = 240
  private static let numberedMax = 24
  /// Texts of which is kept what they say.
  private static let knownMax = 50_000

  init(tree: PageTree, clock: PageClock, budget: WorkBudget) {
    self.tree = tree
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
    settleMonths()
    settleLists()
    return atoms
  }

  /// Whether the node is told by atoms, so that nobody has to look inside.
  private mutating func takes(_ place: Int) throws(ExtractionError) -> Bool {
    let node = tree[place]
    if node.isText {
      try takeText(place, node.node.text)
      return true
    }
    guard node.length > 0 || node.tag == "time" || node.tag == "img" || !node.words.isEmpty else { return true }
    if node.tag == "img" {
      if let alt = node.node["alt"]?.trimmedText, !alt.isEmpty, alt.utf8.count <= Self.titleMax,
        PrintedLine(alt, clock: clock)?.times.isEmpty ?? true
      {
        add(.words, place, alt)
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
      if isWhole(line, children, isRow: node.tag == "tr") {
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
    if isHeading(place), node.length <= Self.titleMax {
      let text = titleText(place)
      let line = try line(text)
      if line == nil || node.length > Self.wholeMax && line?.times.isEmpty ?? true {
        add(.words, place, text)
        addMonth(of: text, place)
        return true
      }
    }
    // Words with marks inside are one text: "Film <em>A</em>".
    if node.length <= Self.titleMax, children.count > 1, children.allSatisfy({ isFormatting($0) }) {
      let text = titleText(place)
      if try line(text) == nil {
        add(.words, place, text)
        return true
      }
    }
    return false
  }

  /// "Mo 23 11" in three parts: the weekday says that they are a day and its month.
  private mutating func numbered(_ text: String) throws(ExtractionError) -> (PrintedLine, String)? {
    let parts = text.utf8.split(separator: 0x20)
    // "2 土" of a table's head: the day and its weekday.
    if parts.count == 2, (1...2).contains(parts[0].count), parts[0].allSatisfy(isDigitByte),
      parts[1].count == 3
    {
      let written = "\(Substring(parts[0]))日(\(Substring(parts[1])))"
      if let line = try line(written), line.day != nil, line.rest.isEmpty { return (line, written) }
    }
    // "21 sáb", "Sat 21": the reader of print knows the second.
    if parts.count == 2, let number = parts.first(where: { (1...2).contains($0.count) && $0.allSatisfy(isDigitByte) }),
      let word = parts.first(where: { !$0.contains(where: isDigitByte) })
    {
      let written = "\(Substring(word)) \(Substring(number))"
      guard let line = try line(written), line.day != nil, line.rest.isEmpty,
        line.days[0].notes.contains(.inferredMonth)
      else { return nil }
      return (line, written)
    }
    guard parts.count == 3, parts[1...].allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(isDigitByte) }),
      !parts[0].contains(where: isDigitByte)
    else { return nil }
    let written = "\(Substring(parts[0])) \(Substring(parts[1])).\(Substring(parts[2]))."
    guard let line = try line(written), line.day != nil, line.rest.isEmpty else { return nil }
    return (line, written)
  }

  private func isHeading(_ place: Int) -> Bool {
    let node = tree[place]
    return switch node.tag {
    case "h1", "h2", "h3", "h4", "h5", "h6": true
    default:
      node.length <= 160 && !node.words.allSatisfy { !PageWords.title.contains($0) } && node.words.count <= 6
        && (place + 1..<node.end).allSatisfy { tree.isInline($0) }
    }
  }

  private func isFormatting(_ place: Int) -> Bool {
    let node = tree[place]
    if node.isText { return true }
    switch node.tag {
    case "em", "i", "b", "strong", "sup", "sub", "mark", "cite", "font", "u", "abbr", "wbr", "ruby": return true
    default: return false
    }
  }

  /// A text in several elements that is one date, or one time, which none of its parts is alone.
  /// - Parameter isRow: its parts are cells: two times in them are no start and end.
  private func isWhole(_ line: PrintedLine, _ children: [Int], isRow: Bool) -> Bool {
    guard line.alarms.isEmpty, line.rest.isEmpty else { return false }
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
    case (0, 1): return partTimes != 1
    case (1, 1): return partDays != 1 || partTimes != 1
    default: return false
    }
  }

  private static let badges: Set<String> = [
    "grade", "cert", "certificate", "rating", "age", "badge", "label", "tag", "icon", "ico", "fsk", "sr", "visually",
  ]

  private static let facts: Set<String> = [
    "info", "infos", "meta", "details", "director", "runtime", "duration", "genre", "country", "credits", "facts",
  ]

  /// "12세이상관람가 | 108분", "Poland 2026, 98 min"
  private static let factsMax = 90

  /// A heading's words without the badges in it: "15" before a title, "NEW" behind it.
  private func titleText(_ place: Int) -> String {
    let whole = tree.text(place)
    let children = tree.children(place)
    guard children.count > 1 else { return whole }
    let kept = children.filter { child in
      guard !tree[child].isText else { return true }
      // What stands beside a title in a part that is called one: "Silt <span class=info>Poland 2026, 98 min</span>".
      if child != children[0], tree[child].words.contains(where: Self.facts.contains) { return false }
      guard tree[child].length <= Self.factsMax else { return true }
      let text = tree.text(child)
      if child != children[0], PageWords.tellsLength(text) { return false }
      guard tree[child].length <= 24 else { return true }
      return !tree[child].words.contains { Self.badges.contains($0) }
        && !TitleVocabulary.isCertificate(text)
    }
    guard kept.count < children.count, !kept.isEmpty else { return whole }
    let text = kept.map(tree.text).joined(separator: " ").trimmedText
    return text.isEmpty ? whole : text
  }

  private mutating func settleDoubtful() {
    guard !doubtful.isEmpty else { return }
    let sure = Set(atoms.indices).subtracting(doubtful)
    var dotted = 0
    var other = 0
    for index in sure {
      let times: [PrintedTime]
      switch atoms[index].kind {
      case .times(let found): times = found
      // "Fri 20  6.00  Film": below it the day is left out.
      case .both: times = atoms[index].line?.times ?? []
      default: continue
      }
      for time in times {
        if Self.isDotted(time.text) { dotted += 1 } else if time.text.utf8.contains(UInt8(ascii: ":")) { other += 1 }
      }
    }
    if dotted > other { return }
    for index in doubtful { atoms[index].kind = .words }
  }

  /// "Mar" in a row of "Lun Mar Mié" is a Tuesday.
  private mutating func settleMonths() {
    for index in atoms.indices {
      guard case .month(nil, 3) = atoms[index].kind, atoms[index].text.foldedKey == "mar",
        [index - 1, index + 1].contains(where: { atoms.indices.contains($0) && isWeekday(atoms[$0].text) })
      else { continue }
      atoms[index].kind = .words
    }
  }

  private func isWeekday(_ text: String) -> Bool {
    guard text.utf8.count <= Self.numberedMax else { return false }
    let days = clock.printed.read(text, expecting: .dates).groups.flatMap(\.days)
    return days.count == 1 && days[0].notes.contains(.inferredFromWeekday)
  }

  private static func isDotted(_ text: String) -> Bool {
    text.utf8.contains(UInt8(ascii: ".")) && text.utf8.allSatisfy { isDigitByte($0) || $0 == UInt8(ascii: ".") }
  }

  /// "18h - 20h30" is a screening and its end, or two: where lines of the same kind have one time, or three, it is two.
  private mutating func settleLists() {
    var kinds: [String: (lines: Int, longer: Int, pairs: [Int])] = [:]
    for (index, atom) in atoms.enumerated() where atom.isTime {
      guard let line = atom.line, !line.times.isEmpty else { continue }
      let kind = tree.signature(atom.place)
      kinds[kind, default: (0, 0, [])].lines += 1
      if line.times.count >= 3, Self.hasDash(atom.text) { kinds[kind]?.longer += 1 }
      if line.times.count == 1, let minutes = line.times[0].minutesLong, minutes >= Self.apartMin,
        Self.asList(atom.text, line.times[0]) != nil
      {
        kinds[kind]?.pairs.append(index)
      }
    }
    for kind in kinds.values where kind.pairs.count * 2 <= kind.lines || kind.longer > 0 {
      for index in kind.pairs {
        guard let time = atoms[index].line?.times.first,
          let text = Self.asList(atoms[index].text, time),
          let line = PrintedLine(text, clock: clock), line.times.count == 2,
          line.times.allSatisfy({ $0.minutesLong == nil })
        else { continue }
        atoms[index].line = line
        if case .times = atoms[index].kind { atoms[index].kind = .times(line.times) }
      }
    }
  }

  /// Two screenings of one film are at least so many minutes apart.
  private static let apartMin = 75
  private static let dashes = [" - ", " – ", " — "]

  private static func hasDash(_ text: String) -> Bool { dashes.contains { text.holds($0) } }

  /// The text with the dash behind its first time as a stroke; nil if none stands there.
  private static func asList(_ text: String, _ time: PrintedTime) -> String? {
    guard let place = text.firstPlace(of: time.text) else { return nil }
    for dash in dashes {
      // The time may be printed with its end, or without.
      if let inside = time.text.firstPlace(of: dash) {
        return String(text[..<place.lowerBound]) + String(time.text[..<inside.lowerBound]) + " / "
          + String(time.text[inside.upperBound...]) + String(text[place.upperBound...])
      }
      let behind = text[place.upperBound...]
      if behind.hasPrefix(dash) {
        return String(text[..<place.upperBound]) + " / " + String(behind.dropFirst(dash.count))
      }
    }
    return nil
  }

  // MARK: Text

  private mutating func takeText(_ place: Int, _ text: String) throws(ExtractionError) {
    if isPreformatted(place), case let raw = tree[place].node.rawText, raw.utf8.contains(0x0A) {
      for part in raw.split(whereSeparator: \.isNewline) {
        let line = String(part).trimmedText
        if !line.isEmpty { try takeLine(place, line) }
      }
      return
    }
    try takeLine(place, text)
  }

  private func isPreformatted(_ place: Int) -> Bool {
    var above = place
    for _ in 0..<4 where above >= 0 {
      if tree[above].tag == "pre" { return true }
      above = tree[above].parent
    }
    return false
  }

  private mutating func takeLine(_ place: Int, _ text: String) throws(ExtractionError) {
    if text.utf8.count <= Self.numberedMax, text.utf8.first.map(isDigitByte) ?? false, text.utf8.contains(0x20),
      let (line, text) = try numbered(text)
    {
      try take(line, text, place)
    } else if let line = try line(text) {
      try take(line, text, place)
    } else if text.utf8.count <= PageTree.lengthAsked {
      add(.words, place, text)
    }
  }

  private mutating func take(_ line: PrintedLine, _ text: String, _ place: Int) throws(ExtractionError) {
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
        $0.notes.contains(.relativeDay) && $0.day != clock.captured
          && !text.lowercased().hasPrefix($0.text.lowercased())
      }),
      !PageWords.isLabel(line.rest)
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
        if !line.exceptions.isEmpty, let last = atoms.indices.last, atoms[last].place == place {
          atoms[last].line = line
        }
      }
      return
    }
    if line.times.isEmpty {
      if let alarm = line.alarms.first(where: Self.isOfDate) {
        add(.badDate(alarm), place, text, line)
      } else {
        add(.date(line.days), place, text, line)
      }
    } else if line.days.isEmpty, !line.alarms.contains(where: Self.isOfDate) {
      add(.times(line.times), place, text, line)
    } else {
      add(.both, place, text, line)
    }
  }

  private static func isOfDate(_ alarm: PrintedAlarm) -> Bool {
    switch alarm.kind {
    case .weekdayDisagrees, .ambiguousDayMonth, .noSuchDay, .weekdaysWithoutDates, .outsideWindow, .moreThanOneDate:
      true
    default: false
    }
  }

  /// A month alone, or a day's number alone, is no date to the reader of print.
  private mutating func line(_ text: String) throws(ExtractionError) -> PrintedLine? {
    guard text.utf8.count <= PrintedLine.bytesMax, Self.mayTell(text) else { return nil }
    if let known = lines[text] { return known }
    try budget.spend(text.utf8.count * 4)
    let line = PrintedLine(text, clock: clock)
    if lines.count < Self.knownMax { lines[text] = line }
    return line
  }

  private static func mayTell(_ text: String) -> Bool {
    text.utf8.contains(where: isDigitByte) || text.utf8.count <= 60
      || text.utf8.contains { $0 >= 0xE0 } && text.utf8.count <= 200
  }

  private mutating func add(_ kind: PageAtom.Kind, _ place: Int, _ text: String, _ line: PrintedLine? = nil) {
    var kind = kind
    var text = text
    var line = line
    if place < toldUntil, let told = line {
      guard !told.rest.isEmpty else { return }
      (kind, text, line) = (.words, told.rest, nil)
    }
    if case .words = kind {
      if let month = month(text) {
        kind = month
      } else if text.utf8.count <= 2, let day = Int(text), (1...31).contains(day) {
        kind = .dayNumber(day)
      }
    }
    atoms.append(PageAtom(kind: kind, place: place, text: text, line: line))
  }

  /// "Moss Cinema November 2026", "12월 시간표": the month of what stands below.
  private mutating func addMonth(of text: String, _ place: Int) {
    guard text.utf8.count <= Self.wholeMax, let last = atoms.last, last.isWords, last.place == place else { return }
    let words = text.split(separator: " ")
    guard words.count >= 2 else { return }
    for part in [words.suffix(2), words.prefix(2), words.prefix(1)] where part.count < words.count {
      let text = part.joined(separator: " ")
      guard text.hasSuffix("월") || text.hasSuffix("月") || text.utf8.contains(where: isDigitByte) else { continue }
      guard let kind = month(text), case .month(let year, _) = kind else { continue }
      guard year != nil || text.hasSuffix("월") || text.hasSuffix("月") else { continue }
      atoms.append(PageAtom(kind: kind, place: place, text: text))
      return
    }
  }

  private mutating func month(_ text: String) -> PageAtom.Kind? {
    if let known = months[text] { return known }
    let month = monthAlone(text)
    if months.count < Self.knownMax { months[text] = .some(month) }
    return month
  }

  /// `November 2026`, `11月`, `2026년 11월`
  private func monthAlone(_ text: String) -> PageAtom.Kind? {
    guard text.utf8.count <= 32, text.unicodeScalars.count >= 2 else { return nil }
    let year = text.utf8.split(whereSeparator: { !isDigitByte($0) }).first { $0.count == 4 }.flatMap {
      Int(Substring($0))
    }
    if let year, !(1990...2090).contains(year) { return nil }
    if let year, let month = numberedMonth(text) { return .month(year: year, month: month) }
    let isUnspaced = text.unicodeScalars.last.map { $0 == "月" || $0 == "월" } ?? false
    guard isUnspaced || text.hasLetters else { return nil }
    let probe = isUnspaced ? text + "1日" : "1 " + text
    // A month's first day may be far from the capture: with the year of the capture it is in reach of some year.
    guard let line = PrintedLine(year == nil && !isUnspaced ? probe + " \(clock.captured.year)" : probe, clock: clock),
      line.times.isEmpty, line.rest.isEmpty, let day = line.days.first?.first,
      line.days.count == 1, day.day == 1, line.alarms.isEmpty
    else { return nil }
    // "1 Saturday" would do as well.
    guard !line.days[0].notes.contains(.inferredMonth), !line.days[0].notes.contains(.inferredFromWeekday),
      !line.days[0].notes.contains(.relativeDay)
    else { return nil }
    return .month(year: year, month: day.month)
  }

  /// `2026.11`, `2026 / 11`, `11/2026`
  private func numberedMonth(_ text: String) -> Int? {
    let parts = text.utf8.split(whereSeparator: { !isDigitByte($0) })
    guard parts.count == 2,
      text.utf8.allSatisfy({ isDigitByte($0) || [0x20, 0x2E, 0x2F, 0x2D].contains($0) }),
      let part = parts.first(where: { $0.count <= 2 }), parts.contains(where: { $0.count == 4 }),
      let month = Int(Substring(part)), (1...12).contains(month)
    else { return nil }
    return month
  }

  // MARK: Attributes

  /// `<time datetime>`, `data-date`, `data-start`: what is said for programs.
  private mutating func takeAttributes(_ place: Int) throws(ExtractionError) -> Bool {
    let node = tree[place].node
    if tree[place].tag == "time", let raw = node["datetime"], !raw.isEmpty { return try takeMachine(raw, place) }
    var date: (day: CivilDate, raw: String)?
    var time: (time: DisplayTime, raw: String)?
    for (name, value) in node.attributes where value.utf8.count <= 40 && value.utf8.count >= 4 {
      guard let key = Self.startKey(name, value, of: node),
        let moment = clock.moment(
          value,
          expectsTime: key.words.contains("time") || key.words.contains("start") || key.words.contains("timestamp")
            || value.utf8.count >= 10 && value.utf8.allSatisfy(isDigitByte))
      else { continue }
      if case .instant(let stamp) = moment, let day = clock.wholeDay(stamp) {
        date = date ?? (day, value)
        continue
      }
      switch moment {
      case .date(let day): date = date ?? (day, value)
      case .local(let local) where local.time == .midnight: date = date ?? (local.date, value)
      case .time(let found): time = time ?? (found, value)
      case .local, .instant:
        guard tree[place].length <= Self.titleMax else { continue }
        return try takeMachine(value, place)
      }
    }
    // `data-play-date="2026-11-21" data-start-time="19:30"`
    if let date, let time, tree[place].length <= Self.titleMax {
      return try takeMoment(.local(ServiceTime(date.day, time.time).civil), place)
    }
    if let date {
      var atom = PageAtom(kind: .date(days(date.day)), place: place, text: date.raw)
      atom.isOfContent = true
      atoms.append(atom)
      return false
    }
    // A time of an attribute is told again by the text, as a rule.
    guard let time, tree[place].length <= Self.wholeMax, try line(tree.text(place))?.times.isEmpty ?? true else {
      return false
    }
    return try takeMachine(time.raw, place)
  }

  /// What an attribute's name says, if its value may be when something starts.
  private static func startKey(_ name: String, _ value: String, of node: HTMLNode) -> RecordKey? {
    guard value.utf8.contains(where: isDigitByte) else { return nil }
    // RDFa's `content` is a whole date, or something else; what it is of may be an end.
    if name == "content" {
      guard value.utf8.count >= 16 else { return nil }
      guard let property = (node["property"] ?? node["itemprop"])?.split(separator: ":").last else {
        return RecordKey("datetime")
      }
      guard case let key = RecordKey(String(property)), case .start = key.role else { return nil }
      return key
    }
    guard name.hasPrefix("data-"), case let key = RecordKey(String(name.dropFirst(5))), case .start = key.role else {
      return nil
    }
    return key
  }

  private func days(_ date: CivilDate) -> [PrintedDays] {
    (try? clock.printed.date(date.description)).flatMap { $0 }.map { [$0] } ?? []
  }

  private mutating func takeMachine(_ raw: String, _ place: Int) throws(ExtractionError) -> Bool {
    guard let moment = clock.moment(raw, expectsTime: true) else { return false }
    let text = tree[place].length > 0 && tree[place].length <= PrintedLine.bytesMax ? tree.text(place) : ""
    switch moment {
    case .date(let date):
      let days = days(date)
      guard !days.isEmpty else { return false }
      // The text may add the time that the attribute lacks.
      if let line = try line(text), !line.times.isEmpty {
        if line.days.isEmpty {
          atoms.append(PageAtom(kind: .date(days), place: place, text: raw, isOfContent: true))
          return false
        }
        return false
      }
      atoms.append(PageAtom(kind: .date(days), place: place, text: text.isEmpty ? raw : text))
      return true
    case .time(let time):
      let listing = clock.printed.times(time.description)
      guard listing.times.count == 1 else { return false }
      atoms.append(
        PageAtom(
          kind: .times(listing.times), place: place, text: text,
          line: PrintedLine(time.description, clock: clock, expecting: .times)))
      return true
    case .local, .instant:
      // A whole day written as its midnight says no time.
      if case .local(let local) = moment, local.time == .midnight, try line(text)?.times.isEmpty ?? true {
        let days = days(local.date)
        if days.isEmpty { return false }
        atoms.append(PageAtom(kind: .date(days), place: place, text: text))
        return true
      }
      return try takeMoment(moment, place)
    }
  }

  /// A start that an attribute tells whole. What the element says beside it is looked at, the same time in it is not.
  private mutating func takeMoment(_ moment: PartialMoment, _ place: Int) throws(ExtractionError) -> Bool {
    let text = tree[place].length > 0 && tree[place].length <= PrintedLine.bytesMax ? tree.text(place) : ""
    let line = try line(text)
    let isWhole = line?.rest.isEmpty ?? !text.hasLetters
    atoms.append(PageAtom(kind: .moment(moment), place: place, text: isWhole ? text : "", line: isWhole ? line : nil))
    if !isWhole { toldUntil = tree[place].end }
    return isWhole
  }
}
