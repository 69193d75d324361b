import Calendars
import Clocks
import JSON

/// Finds screenings in any tree of records: the answers of ticketing platforms, the state of a page, a feed in XML.
///
/// Nothing in it knows a platform. A record is a screening if a field says when it starts, with a time, and a title is
/// found in the record, in a film that it names by id or holds, or in the record that it stands in. Dates may stand in
/// fields of their own, in the records around, or in the names of a map.
struct RecordReader {
  let clock: PageClock
  let limits: ExtractionLimits
  let reader: EvidenceReader
  /// What a document without any date of its own is of: the date in its address.
  let addressDate: CivilDate?

  func read(_ root: JSONValue, at place: String, budget: WorkBudget) throws(ExtractionError) -> Evidence {
    let keys = RecordKeys()
    let root = try NamedRows.named(root, budget: budget) ?? root
    let index = try RecordIndex(root, keys: keys, budget: budget)
    var walk = RecordWalk(
      reader: self, facts: RecordFactsReader(clock: clock, index: index, keys: keys), budget: budget)
    try walk.visit(root, key: "", path: place)
    return walk.finish()
  }
}

/// One document being read.
private struct RecordWalk {
  let reader: RecordReader
  let facts: RecordFactsReader
  let budget: WorkBudget
  var clock: PageClock { reader.clock }

  /// Records and maps around the one in question, the outermost first.
  private struct Scope {
    var key: RecordKey
    var name: String
    var facts: RecordFacts?
    /// The name in a map that the scope stands under, where it is a date.
    var date: CivilDate?
    /// What the records of a list are: films, venues, screens.
    var thing: RecordKey.Thing?
  }

  private struct Find {
    var candidate: Candidate
    var shape: String
    var clues: Int
    var isDay: Bool
    /// What was found inside the record.
    var inner: Range<Int>
  }

  private var scopes: [Scope] = []
  private var finds: [Find] = []
  private var trace = ExtractionTrace()
  private var unread: [Unread] = []

  init(reader: RecordReader, facts: RecordFactsReader, budget: WorkBudget) {
    self.reader = reader
    self.facts = facts
    self.budget = budget
  }

  mutating func visit(_ value: JSONValue, key: String, path: String) throws(ExtractionError) {
    switch value {
    case .object(let object): try visit(object, key: key, path: path)
    case .array(let values):
      try budget.spend(values.count)
      for value in values { try visit(value, key: key, path: path + "[]") }
    case .null, .bool, .int, .double, .string: break
    }
  }

  private mutating func visit(_ object: JSONObject, key: String, path: String) throws(ExtractionError) {
    try budget.spend(object.count * 4 + 1)
    let recordKey = facts.keys[key]
    if recordKey.thing == .unrelated { return }
    let date = try day(named: key)
    let own = facts.facts(of: object)
    let thing = recordKey.thing ?? (recordKey.isWrapper ? scopes.last?.thing : nil)
    scopes.append(Scope(key: recordKey, name: key, facts: own, date: date, thing: thing))
    defer { scopes.removeLast() }

    let before = finds.count
    for (name, value) in object {
      switch value {
      case .object, .array:
        if let values = value.array, isPlainList(values) {
          try visit(plain: values, name: name, path: path)
        } else {
          try visit(value, key: name, path: path.isEmpty ? name : path + "." + step(name))
        }
      case .string(let text): visit(text, name: name, path: path)
      case .null, .bool, .int, .double: break
      }
    }
    record(own, path: path, holding: before..<finds.count)
  }

  /// The day that a name in a map is: "2026-11-27", "Fri 27 Nov".
  private func day(named name: String) throws(ExtractionError) -> CivilDate? {
    if let time = ISO8601Time(name) { if case .date(let date) = time { return date } else { return nil } }
    guard name.utf8.count <= Self.dayNameBytesMax, name.hasLetters, name.utf8.contains(0x20),
      name.utf8.contains(where: isDigitByte)
    else { return nil }
    try budget.spend(name.utf8.count * 4)
    guard let line = PrintedLine(name, clock: clock, expecting: .dates), let day = line.day, line.rest.isEmpty,
      line.days[0].notes.isDisjoint(with: [.inferredMonth, .inferredFromWeekday, .relativeDay])
    else { return nil }
    return day
  }

  /// A weekday, a day and its month.
  private static let dayNameBytesMax = 32

  /// Names in a map are not part of a shape.
  private func step(_ name: String) -> String {
    name.utf8.contains(where: isDigitByte) ? "*" : name
  }

  // MARK: Lists of plain times

  private func isPlainList(_ values: [JSONValue]) -> Bool {
    guard let first = values.first, !values.isEmpty else { return false }
    switch first {
    case .string, .int: return true
    default: return false
    }
  }

  /// `"times": ["19:30", "21:00"]`, `"2026-11-23": ["19:30"]`
  private mutating func visit(plain values: [JSONValue], name: String, path: String) throws(ExtractionError) {
    try budget.spend(values.count)
    let key = facts.keys[name]
    let date = try day(named: name)
    guard date != nil || isListOfTimes(key) || (scopes.last?.date != nil && values.allSatisfy { $0.string != nil })
    else { return }
    for value in values {
      guard let text = value.string else { continue }
      for moment in moments(in: text) {
        var base = RecordFacts()
        base.starts = [.init(rank: 1, moment: moment)]
        scopes.append(Scope(key: key, name: name, facts: nil, date: date, thing: nil))
        record(base, path: path + "." + step(name) + "[]", isOfList: true)
        scopes.removeLast()
      }
    }
  }

  /// `"showtimes": "19:30, 21:00"`
  private mutating func visit(_ text: String, name: String, path: String) {
    guard text.utf8.count > 5, text.utf8.count <= 400 else { return }
    let key = facts.keys[name]
    // `"Fri 27 Nov": {"E": "13:50, 19:30"}`
    guard isListOfTimes(key) || key.role == nil && scopes.last?.date != nil && text.utf8.allSatisfy(Self.isOfTimes),
      clock.moment(text) == nil
    else { return }
    for moment in moments(in: text) {
      var base = RecordFacts()
      base.starts = [.init(rank: 1, moment: moment)]
      record(base, path: path + "." + step(name), isOfList: true)
    }
  }

  private static func isOfTimes(_ byte: UInt8) -> Bool {
    isDigitByte(byte) || [0x20, 0x2C, 0x2E, 0x2F, 0x3A, 0x3B].contains(byte)
  }

  private func isListOfTimes(_ key: RecordKey) -> Bool {
    // The digits of a `sessionId` tell nothing.
    if key.isReference { return false }
    if case .start(let rank) = key.role { return rank < 6 || key.thing == .shows }
    return key.thing == .shows || key.words == ["times"] || key.words == ["hours"]
  }

  private func moments(in text: String) -> [PartialMoment] {
    if let moment = clock.moment(text) { return [moment] }
    let listing = clock.printed.times(text)
    guard listing.alarms.isEmpty else { return [] }
    return listing.times.map { .time($0.start) }
  }

  // MARK: Records

  private mutating func record(
    _ own: RecordFacts, path: String, holding inner: Range<Int>? = nil, isOfList: Bool = false
  ) {
    guard !own.starts.isEmpty || !own.ends.isEmpty, finds.count < reader.limits.candidates,
      scopes.last?.key.isOfDoors != true
    else { return }
    guard let (start, printed, isDay, rank) = start(own) else { return }
    // A field that is only called after what it is of needs more to be believed.
    let title = title(own)
    guard let title, !title.text.isEmpty else {
      if own.clues > 1 { trace.add(reader.reader, at: path, .refused, "\(start): no title") }
      return
    }
    var candidate = Candidate(
      title: title.text, start: start, reader: reader.reader, place: path, confidence: reader.reader.trust)
    candidate.work = own.filmTitle ?? own.bill
    candidate.printedTime = printed
    candidate.end = end(own, after: start)
    candidate.venue = own.venue ?? around { $0.venue } ?? venueAround()
    candidate.screen = own.screen ?? around { $0.screen } ?? screenAround()
    candidate.url = own.url ?? around { $0.url }
    candidate.bookingID = own.id
    candidate.notes = own.notes
    if own.isSoldOut || own.seatsLeft.map({ $0 <= 0 }) == true { candidate.seats = .soldOut }
    let isOfFilm = own.isOfFilm || scopes.contains { $0.key.thing == .film || $0.facts?.isOfFilm == true }
    if isOfFilm || path.contains("creening") || path.contains("eance") { candidate.isScreening = true }
    if own.isCancelled {
      unread.append(Unread(what: "\(title.text), \(start)", why: "the source says that it is cancelled"))
      return
    }
    // Times in a row say by themselves that something is shown at them.
    let clues =
      (isOfList ? 2 : 0) + own.clues + (rank <= 1 ? 1 : 0) + (title.isFilm ? 1 : 0)
      + (scopes.contains { $0.key.thing == .shows } ? 2 : 0)
    let inside = inner ?? finds.count..<finds.count
    // Among screenings with a time stand festivals that are told by their days.
    let shape = isDay && own.starts.contains { $0.moment.isFull } ? path + " of days" : path
    for candidate in [candidate] + onFurtherDays(candidate, own) where finds.count < reader.limits.candidates {
      finds.append(Find(candidate: candidate, shape: shape, clues: clues, isDay: isDay, inner: inside))
    }
  }

  /// The same start on the other days that the record lists: `"dates": ["2026-06-12", "2026-06-19"]`.
  private func onFurtherDays(_ first: Candidate, _ own: RecordFacts) -> [Candidate] {
    guard case .moment(let stamp) = first.start, own.dates.contains(stamp.local.date) else { return [] }
    return own.dates.filter { $0 != stamp.local.date }.map { date in
      var candidate = first
      candidate.start = clock.found(CivilDateTime(date, stamp.local.time), in: zone(own))
      candidate.end = nil
      return candidate
    }
  }

  private func zone(_ own: RecordFacts) -> TimeZoneRules? {
    (own.zone ?? around { $0.zone }).flatMap { clock.rules(named: $0) }
  }

  private func around<Value>(_ read: (RecordFacts) -> Value?) -> Value? {
    for scope in scopes.reversed() {
      if let value = scope.facts.flatMap(read) { return value }
    }
    return nil
  }

  private func start(_ own: RecordFacts) -> (FoundTime, ServiceTime?, isDay: Bool, rank: Int)? {
    let zone = zone(own)
    let full = own.starts.filter(\.moment.isFull)
    let times = own.starts.compactMap { start in
      if case .time(let time) = start.moment { (time, start.rank) } else { (DisplayTime, Int)?.none }
    }
    // .NET writes a date as its midnight; the time stands beside it.
    if let first = full.first, case .local(let local) = first.moment, local.time == .midnight,
      let (time, rank) = times.first
    {
      return placed(time, on: local.date, zone, rank: rank)
    }
    if let best = full.first {
      if case .local(let local) = best.moment, areWholeDays(local, own) {
        return (.day(local.date), nil, true, best.rank)
      }
      // One with an offset beside one of the same rank without says more.
      let sure = full.first { if case .instant = $0.moment { $0.rank <= best.rank + 1 } else { false } } ?? best
      guard let found = clock.found(sure.moment, in: zone) else { return nil }
      return (found, nil, false, best.rank)
    }
    if let (time, rank) = times.first {
      guard let date = own.date ?? dayOfMonth(own) ?? dateAround() ?? reader.addressDate else { return nil }
      return placed(time, on: date, zone, rank: rank)
    }
    guard let start = own.starts.first, case .date(let date) = start.moment, start.rank <= 1, own.title != nil else {
      return nil
    }
    return (.day(date), nil, true, start.rank)
  }

  /// From one day's midnight to another's: a festival, what is open for years.
  private func areWholeDays(_ start: CivilDateTime, _ own: RecordFacts) -> Bool {
    start.time == .midnight
      && (own.endsFar
        || own.ends.contains {
          if case .local(let end) = $0 { end.time == .midnight && end.date > start.date } else { false }
        })
  }

  private func placed(
    _ time: DisplayTime, on date: CivilDate, _ zone: TimeZoneRules?, rank: Int
  ) -> (FoundTime, ServiceTime?, isDay: Bool, rank: Int) {
    let place = ServiceTime(date, time)
    return (clock.found(place.civil, in: zone), time.isAfterMidnight ? place : nil, false, rank)
  }

  /// The 9th, a Thursday: the one nearest to the capture.
  private func dayOfMonth(_ own: RecordFacts) -> CivilDate? {
    guard let number = own.dayNumber else { return nil }
    if let weekday = own.weekday, let days = try? clock.printed.date("\(number)日(\(weekday))") { return days.day }
    return (try? clock.printed.date("\(number)日"))?.day
  }

  private func dateAround() -> CivilDate? {
    for scope in scopes.reversed() {
      if let date = scope.date { return date }
      if let date = scope.facts?.date { return date }
    }
    return nil
  }

  private func end(_ own: RecordFacts, after start: FoundTime) -> FoundTime? {
    guard case .moment(let stamp) = start else {
      if case .date(let last)? = own.ends.first, case .day(let first) = start, last >= first { return .day(last) }
      return nil
    }
    for moment in own.ends {
      switch moment {
      case .local, .instant:
        if let found = clock.found(moment, in: zone(own)), let instant = found.instant, instant > stamp.instant {
          return found
        }
      case .time(let time):
        let date = stamp.local.date
        let candidates = [ServiceTime(date, time), ServiceTime(date + 1, DisplayTime(time.clock))]
        for place in candidates {
          let found = clock.found(place.civil, in: zone(own))
          if let instant = found.instant, instant > stamp.instant,
            instant.milliseconds - stamp.instant.milliseconds < 18 * 3_600_000
          {
            return found
          }
        }
      case .date: continue
      }
    }
    return nil
  }

  // MARK: Titles

  private func title(_ own: RecordFacts) -> (text: String, isOwn: Bool, isFilm: Bool)? {
    // What a record calls itself is what is printed, unless that is a label: "Q&A", "Screen 2".
    if let name = own.described, let title = own.title, isAddress(title.text, of: name), isTitle(name, own) {
      return (name, true, false)
    }
    if let title = own.title, title.rank <= 2, isTitle(title.text, own) {
      if let name = nameBehindTime(title.text) { return (name, false, false) }
      if title.rank == 0 || own.filmTitle == nil && titleAround() == nil || !isLabel(title.text) {
        return (title.text, true, false)
      }
    }
    if let film = own.filmTitle ?? own.bill { return (film, true, true) }
    if let around = titleAround() { return (around.text, false, around.isFilm) }
    if let title = own.title, isTitle(title.text, own) { return (title.text, true, false) }
    if let film = filmInMap() { return (film, false, true) }
    if let title = mapTitle() { return (title, false, false) }
    return own.described.flatMap { isTitle($0, own) ? ($0, true, false) : nil }
  }

  /// "harbour-song-2" of "Harbour Song": a name as addresses have it.
  private func isAddress(_ text: String, of name: String) -> Bool {
    text != name && text.utf8.contains(UInt8(ascii: "-"))
      && text.utf8.allSatisfy { isDigitByte($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }
      && !name.foldedKey.isEmpty && text.foldedKey.hasPrefix(name.foldedKey)
  }

  /// The name of what it is among the showings of.
  private func nameBehindTime(_ text: String) -> String? {
    scopes.dropLast().reversed().lazy.compactMap { $0.facts?.title?.text }.first { facts.isNamedByTime(text, $0) }
  }

  private func isTitle(_ text: String, _ own: RecordFacts) -> Bool {
    !text.isEmpty && text != own.screen && text != own.venue
      && (clock.moment(text) == nil || own.filmTitle == nil && titleAround() == nil)
  }

  /// "Q&A", "Screen 2", "35mm": nothing that has a name of its own.
  private func isLabel(_ text: String) -> Bool { PrintedTitle(text).isOnlyMarks || ScreenName.isOne(text) }

  private func titleAround() -> (text: String, isFilm: Bool)? {
    for scope in scopes.reversed() {
      guard let facts = scope.facts else { continue }
      switch scope.thing {
      // Between a film and its times stand formats, too, each with a name; Strapi calls a record's own fields attributes.
      case .venue, .screen: continue
      case .attributes where scope.key.words.last == "formats": continue
      default: break
      }
      // "September 5" is a film where films stand, and a day elsewhere.
      if scope.thing == .film, let title = facts.title { return (title.text, true) }
      let title = facts.title.flatMap { clock.moment($0.text) == nil ? $0 : nil }
      if let film = facts.filmTitle { return (film, true) }
      if let title, facts.zone == nil || title.rank == 0 { return (title.text, scope.key.thing == .film) }
    }
    return nil
  }

  /// `{"276001": {"2026-11-23": [{"startsAt": …}]}}`, where 276001 is a film's id.
  private func filmInMap() -> String? {
    for scope in scopes.reversed() where scope.key.role == nil && scope.name.utf8.contains(where: isDigitByte) {
      if let film = facts.index.record(named: scope.name, Self.filmID), let name = facts.name(of: film) { return name }
    }
    return nil
  }

  private static let filmID = RecordKey("filmId")

  /// `{"Film A": ["19:30"]}`
  private func mapTitle() -> String? {
    for scope in scopes.reversed() {
      let name = scope.name
      guard scope.date == nil, scope.key.role == nil, scope.key.thing == nil, name.utf8.count > 3, name.hasLetters,
        name.utf8.contains(0x20) || name.utf8.contains(where: { $0 >= 0x80 })
      else { continue }
      return PlainText.of(name)
    }
    return nil
  }

  private func venueAround() -> String? {
    for scope in scopes.reversed() {
      if scope.key.thing == .venue, let title = scope.facts?.title { return title.text }
    }
    return nameInMap(of: .venue)
  }

  private func screenAround() -> String? {
    for scope in scopes.reversed() where scope.key.thing == .screen {
      if let title = scope.facts?.title { return title.text }
    }
    return nameInMap(of: .screen)
  }

  /// `{"rooms": {"Janson": […]}}`
  private func nameInMap(of thing: RecordKey.Thing) -> String? {
    for place in scopes.indices.dropFirst().reversed() where scopes[place - 1].key.thing == thing {
      let name = scopes[place].name
      if name.hasLetters, scopes[place].key.thing == nil || name.utf8.contains(0x20) { return PlainText.of(name) }
    }
    return nil
  }

  // MARK: Which shapes are programmes

  func finish() -> Evidence {
    var evidence = Evidence()
    evidence.trace = trace
    evidence.unread = unread
    let hasTimes = finds.contains { !$0.isDay && $0.clues >= 2 }
    var shapes: [String: [Int]] = [:]
    for (place, find) in finds.enumerated() { shapes[find.shape, default: []].append(place) }
    var kept: Set<String> = []
    for (shape, places) in shapes {
      let clues = Double(places.reduce(0) { $0 + finds[$1].clues }) / Double(places.count)
      let areDays = finds[places[0]].isDay
      if areDays ? !hasTimes && clues >= 2 : clues >= 2 { kept.insert(shape) }
    }
    for find in finds {
      // What holds screenings is none itself: a festival, a day, a film with a first night.
      if find.inner.contains(where: { kept.contains(finds[$0].shape) }) { continue }
      if kept.contains(find.shape) {
        evidence.candidates.append(find.candidate)
      } else {
        evidence.trace.add(
          reader.reader, at: find.shape, .refused,
          "\(find.candidate.title), \(find.candidate.start): nothing beside it says that it is a screening")
      }
    }
    return evidence
  }
}

extension EvidenceReader {
  /// How often what it finds is right, before anything else is known.
  var trust: Double {
    switch self {
    case .rule: 0.99
    case .jsonLD, .calendar: 0.97
    case .microdata, .api: 0.95
    case .xml: 0.95
    case .state, .rdfa: 0.93
    case .html: 0.85
    }
  }
}
