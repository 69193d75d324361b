import Calendars
import HTML

/// What elements say for programs: `<time datetime>`, `data-date`, `data-start`.
extension AtomReader {
  /// `<time datetime>`, `data-date`, `data-start`: what is said for programs.
  mutating func takeAttributes(_ place: Int) throws(ExtractionError) -> Bool {
    let node = tree[place].node
    if tree[place].tag == "time", let raw = node["datetime"], !raw.isEmpty { return try takeMachine(raw, place) }
    var date: (day: CivilDate, raw: String)?
    var time: (time: DisplayTime, raw: String)?
    var hasUnread = false
    for (name, raw) in node.attributes where raw.utf8.count <= PageClock.fieldBytesMax && raw.utf8.count >= 4 {
      let value = Self.withoutFraction(raw)
      guard let key = Self.startKey(name, value, of: node), try !isPosition(name, value) else { continue }
      guard
        let moment = clock.moment(
          value,
          expectsTime: key.words.contains("time") || key.words.contains("start") || key.words.contains("timestamp")
            || value.utf8.count >= 10 && value.utf8.allSatisfy(isDigitByte))
      else {
        hasUnread = hasUnread || value.utf8.count(where: isDigitByte) >= Self.momentDigits
        continue
      }
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
        if key.words == ["date"], let day = try dayOverPrinted(moment, place) {
          date = date ?? (day, value)
          continue
        }
        return try takeMachine(value, place)
      }
    }
    // `data-play-date="2026-11-21" data-start-time="19:30"`
    if let date, let time, tree[place].length <= Self.titleMax {
      return try takeMoment(.local(ServiceTime(date.day, time.time).civil), place)
    }
    if date == nil, time == nil { date = try tooltipDay(place) ?? dayOfName(place) }
    // "do 19:00" beside a day that cannot be read is of no Thursday in particular.
    if date == nil, time == nil, hasUnread, tree[place].length > 0, tree[place].length <= Self.wholeMax,
      let own = try line(tree.text(place)), !own.times.isEmpty, !own.days.isEmpty,
      own.days.allSatisfy({ $0.notes.contains(.inferredFromWeekday) })
    {
      return true
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

  /// `data-date="1749366000"` on "4:00 pm", on "7:30 pm" and on "Sun, Jun 8": the day's beginning on some clock, if another
  /// time is printed, or the day alone.
  private mutating func dayOverPrinted(_ moment: PartialMoment, _ place: Int) throws(ExtractionError) -> CivilDate? {
    guard case .instant(let stamp) = moment, tree[place].length > 0, tree[place].length <= Self.wholeMax,
      let told = try line(tree.text(place)), case let here = clock.zone.timestamp(at: stamp.instant).local
    else { return nil }
    // The midnight of a clock to the east is an evening here.
    let day = here.time.hour < 12 ? here.date : here.date + 1
    if told.times.isEmpty { return told.day.flatMap { abs($0 - here.date) <= 1 ? $0 : nil } }
    return told.days.isEmpty && !told.times.contains { Self.isClock($0.start, here.time) } ? day : nil
  }

  /// The one day, with its year, that the tooltip of a time names: `title="Tickets | 24/11/2026"`.
  private mutating func tooltipDay(_ place: Int) throws(ExtractionError) -> (day: CivilDate, raw: String)? {
    guard tree[place].length > 0, tree[place].length <= Self.wholeMax, let raw = tree[place].node["title"],
      raw.utf8.count(where: isDigitByte) >= Self.wholeDateDigits, let told = try line(raw), told.times.isEmpty,
      let day = told.day, let own = try line(tree.text(place)), !own.times.isEmpty, own.days.isEmpty
    else { return nil }
    return (day, raw)
  }

  /// `id="day_2026-11-24"`: a day with its year at the end of what a part is called. A class says it of parts side by side
  /// that are called after different days, and not when an article was written.
  private func dayOfName(_ place: Int) -> (day: CivilDate, raw: String)? {
    if let name = tree[place].node["id"], let told = dayAtEnd(of: name) { return (told.day, told.raw) }
    for told in daysOfClasses(place) {
      let isOneOfSeveral = (beside(tree[place].parent + 1, of: place) + beside(tree[place].end, of: place)).contains {
        daysOfClasses($0).contains { $0.before == told.before && $0.day != told.day }
      }
      if isOneOfSeveral { return (told.day, told.raw) }
    }
    return nil
  }

  private func daysOfClasses(_ place: Int) -> [(day: CivilDate, raw: String, before: Substring)] {
    guard let classes = tree[place].node["class"], classes.utf8.contains(where: isDigitByte) else { return [] }
    if classes.utf8.count(where: isDigitByte) >= Self.isoDigits {
      return tree[place].node.classes.compactMap(dayAtEnd)
    }
    // What is of several days, as a film with all of its showings, is of none.
    let named = tree[place].node.classes.filter(Self.isDayName)
    guard named.count == 1, let line = PrintedLine(named[0].replacing("-", with: " "), clock: clock, expecting: .dates),
      line.rest.isEmpty, let day = line.day
    else { return [] }
    return [(day, named[0], "")]
  }

  /// "Mon-29-Dec": a weekday, a day and its month.
  static func isDayName(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0].count == 3 && (1...2).contains(parts[1].count) && parts[2].count == 3
      && parts[1].allSatisfy(isDigitByte) && parts[0].allSatisfy { !isDigitByte($0) }
      && parts[2].allSatisfy { !isDigitByte($0) }
  }

  /// The first parts from there on that stand beside another one.
  private func beside(_ first: Int, of place: Int) -> [Int] {
    guard tree[place].parent >= 0 else { return [] }
    var found: [Int] = []
    var next = first
    while next < tree[tree[place].parent].end, found.count < Self.partsMax {
      found.append(next)
      next = tree[next].end
    }
    return found
  }

  private func dayAtEnd(of name: String) -> (day: CivilDate, raw: String, before: Substring)? {
    guard name.utf8.count <= PageClock.fieldBytesMax, name.utf8.count >= 10, name.utf8.last.map(isDigitByte) ?? false,
      case let raw = String(name.suffix(10)), let day = CivilDate(raw), case let before = name.dropLast(10),
      before.utf8.last.map({ !isDigitByte($0) }) ?? true, abs(day - clock.captured) <= Self.namedDaysMax
    else { return nil }
    return (day, raw, before)
  }

  private static let isoDigits = 8
  /// Of a day, a month, a year, an hour and a minute.
  private static let momentDigits = 8
  /// Looked at for another day on each side, texts between them included.
  private static let partsMax = 6

  /// Of a programme.
  private static let namedDaysMax = 366

  /// A day, a month and four of a year.
  private static let wholeDateDigits = 6

  /// `data-start="1013" data-end="1016"`: from where to where in a text that was pasted. One such pair whose first is no
  /// time at the fives says it of the whole page.
  private mutating func isPosition(_ name: String, _ value: String) throws(ExtractionError) -> Bool {
    guard name == Self.pair.start, value.utf8.count <= 4, value.utf8.allSatisfy(isDigitByte) else { return false }
    if let known = startsArePositions { return known }
    try budget.spend(tree.nodes.count)
    let found = tree.nodes.contains { node in
      guard let start = node.node[Self.pair.start], let end = node.node[Self.pair.end] else { return false }
      return start.utf8.count <= 4 && !Self.isClockAtFives(start)
        && [start, end].allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isDigitByte) }
    }
    startsArePositions = found
    return found
  }

  private static let pair = (start: "data-start", end: "data-end")

  private static func isClockAtFives(_ digits: String) -> Bool {
    guard (3...4).contains(digits.utf8.count), let number = Int(digits) else { return false }
    return number < 2_400 && number % 100 < 60 && number % 5 == 0
  }

  /// "1795807800.0": seconds since 1970, as some programs write them.
  private static func withoutFraction(_ value: String) -> String {
    guard value.hasSuffix(".0"), case let whole = value.dropLast(2), whole.utf8.count >= 10,
      whole.utf8.allSatisfy(isDigitByte)
    else { return value }
    return String(whole)
  }

  /// What an attribute's name says, if its value may be when something starts.
  static func startKey(_ name: String, _ value: String, of node: HTMLNode) -> RecordKey? {
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
    if name == "epoch" { return RecordKey("timestamp") }
    // `date-data="2020.06.19"`, `date="2026-11-21"`: a whole day, under a name of somebody's own.
    if !name.hasPrefix("data-"), name != "datetime", (8...10).contains(value.utf8.count),
      value.utf8.count(where: isDigitByte) == 8, case let words = RecordKey.words(of: name), words.contains("date"),
      words.allSatisfy(ownDateWords.contains)
    {
      return RecordKey("date")
    }
    // `play-de="20251130"`
    if !name.hasPrefix("data-"), name.utf8.contains(UInt8(ascii: "-")), value.utf8.count == 8,
      value.utf8.allSatisfy(isDigitByte), case .start = RecordKey(name).role
    {
      return RecordKey("date")
    }
    guard name.hasPrefix("data-"), case let key = RecordKey(String(name.dropFirst(5))) else { return nil }
    // `data-show-on-date`: when a button is to be seen.
    if let first = key.words.first, first == "show" || first == "hide", key.words.dropFirst().first == "on" {
      return nil
    }
    if case .start = key.role { return key }
    // The cell of a calendar: "20261124".
    let isOfCell = key.words.last == "cell" && node["class"]?.holds("calendar") ?? false
    return isOfCell && value.utf8.count == 8 && value.utf8.allSatisfy(isDigitByte) ? RecordKey("date") : nil
  }

  private static let ownDateWords: Set<String> = ["date", "data", "day", "play", "show", "screening", "value", "cal"]

  func days(_ date: CivilDate) -> [PrintedDays] {
    (try? clock.printed.date(date.description)).flatMap { $0 }.map { [$0] } ?? []
  }

  mutating func takeMachine(_ raw: String, _ place: Int) throws(ExtractionError) -> Bool {
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
      // `datetime="2026-11-21T00:00:00Z"` over "21.11.2026": the midnight of a clock elsewhere.
      if case .instant(let stamp) = moment, stamp.local.time == .midnight, let told = try line(text),
        told.times.isEmpty,
        told.day == stamp.local.date
      {
        atoms.append(PageAtom(kind: .date(told.days), place: place, text: text))
        return true
      }
      if moment.isStamp, try line(text)?.times.isEmpty ?? true { return false }
      if let days = try dayBesideClock(moment, place, text) {
        atoms.append(PageAtom(kind: .date(days), place: place, text: text))
        return true
      }
      return try takeMoment(moment, place)
    }
  }

  /// A start that an attribute tells whole. What the element says beside it is looked at, the same time in it is not.
  mutating func takeMoment(_ moment: PartialMoment, _ place: Int) throws(ExtractionError) -> Bool {
    let text = tree[place].length > 0 && tree[place].length <= PrintedLine.bytesMax ? tree.text(place) : ""
    let line = try line(text)
    let moment = asPrinted(moment, line)
    let isWhole = line?.rest.isEmpty ?? !text.hasLetters
    atoms.append(PageAtom(kind: .moment(moment), place: place, text: isWhole ? text : "", line: isWhole ? line : nil))
    if !isWhole { toldUntil = tree[place].end }
    return isWhole
  }

  /// The day that is all an element prints of its moment, where the next element with a moment of that day prints a
  /// clock: `<time datetime="2026-10-05T12:00:00">5 October 2026</time> <time datetime=…>13:00</time>`.
  private mutating func dayBesideClock(
    _ moment: PartialMoment, _ place: Int, _ text: String
  ) throws(ExtractionError)
    -> [PrintedDays]?
  {
    guard tree[place].tag == "time", let told = try line(text), told.times.isEmpty, told.rest.isEmpty,
      let day = told.day, clock.found(moment)?.date == day
    else { return nil }
    var around = place
    for _ in 0..<Self.clockLevels where tree[around].parent >= 0 { around = tree[around].parent }
    for other in (tree[place].end..<tree[around].end).prefix(Self.clockReach) where tree[other].tag == "time" {
      guard tree[other].length <= Self.wholeMax, let raw = tree[other].node["datetime"],
        let moment = clock.moment(raw, expectsTime: true), clock.found(moment)?.date == day
      else { return nil }
      if let line = try line(tree.text(other)), line.times.count == 1, line.days.isEmpty { return told.days }
    }
    return nil
  }

  /// From a day to the clock beside it: elements up, and nodes on.
  private static let clockLevels = 4
  private static let clockReach = 40

  /// What is printed is what people go by. `datetime="2026-07-11T18:00:00Z"` over "6pm" where the clocks are not UTC's:
  /// the mark is false. `datetime="2026-10-05T12:00:00"` over "13:00": the mark is missing, or the time is another's.
  private func asPrinted(_ moment: PartialMoment, _ line: PrintedLine?) -> PartialMoment {
    guard let line, line.times.count == 1, case let printed = line.times[0].start else { return moment }
    switch moment {
    case .instant(let stamp):
      guard stamp.offset == .zero, case let here = clock.zone.timestamp(at: stamp.instant).local, here != stamp.local
      else { return moment }
      return Self.isClock(printed, stamp.local.time) && !Self.isClock(printed, here.time) ? .local(stamp.local) : moment
    case .local(let local):
      guard line.rest.isEmpty, line.times[0].notes.isEmpty, !Self.isClock(printed, local.time)
      else { return moment }
      return .local(ServiceTime(line.day ?? local.date, printed).civil)
    case .date, .time: return moment
    }
  }

  /// Whether a time is printed as it is, or without its half of the day.
  private static func isClock(_ printed: DisplayTime, _ time: ClockTime) -> Bool {
    let minutes = DisplayTime(time).minutes
    return DisplayTime(printed.clock).minutes == minutes
      || printed.minutes < halfDay && printed.minutes + halfDay == minutes
  }

  private static let halfDay = 720
}
