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
  /// What the page around the data is about, for starts that stand under no title of their own.
  var pageTitle: String?

  func read(_ root: JSONValue, at place: String, budget: WorkBudget) throws(ExtractionError) -> Evidence {
    let keys = RecordKeys()
    let plain = try PlainForms(budget: budget, limits: limits).plain(root) ?? root
    let root = try NamedRows.named(plain, budget: budget) ?? plain
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
    /// It starts when a day does, as far as is said: a day that was written as its midnight starts so.
    var isMidnight = false
    /// Nothing beside it has a title.
    var isOfPage = false
    /// What was found inside the record.
    var inner: Range<Int>
  }

  private var scopes: [Scope] = []
  private var finds: [Find] = []
  private var trace = ExtractionTrace()
  private var unread: [Unread] = []
  /// Starts that come to nothing, by where records like theirs stand.
  private var lost: [String: Lost] = [:]
  /// References that were followed.
  private var followed = 0

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
    guard try enter(object, key: key, path: path) else { return }
    defer { scopes.removeLast() }
    let before = finds.count
    for (name, value) in object {
      switch value {
      case .object, .array: try visit(member: value, name: name, path: path)
      case .string(let text):
        visit(text, name: name, path: path)
        loseUnnamed(text, name: name, path: path)
      case .null, .bool, .int, .double: break
      }
    }
    guard var own = scopes.last?.facts else { return }
    if own.starts.isEmpty, finds.count == before, let time = timeNamed(around: object) {
      own.starts = [.init(rank: 1, moment: .time(time))]
    }
    record(own, path: path, holding: before..<finds.count)
  }

  /// Whether the object is a record of its own; then it is the innermost scope. Apart from `visit`, which stands on the
  /// stack as often as a document is deep.
  @inline(never)
  private mutating func enter(_ object: JSONObject, key: String, path: String) throws(ExtractionError) -> Bool {
    try budget.spend(object.count * 4 + 1)
    let recordKey = facts.keys[key]
    if recordKey.thing == .shows, let record = facts.referenced(by: object) {
      try follow(record, key: key, path: path)
      return false
    }
    // The parts of a start are no record.
    if recordKey.isOfStart, ClockFields(object, keys: facts.keys, before: []).moment != nil { return false }
    if recordKey.thing == .unrelated { return false }
    let thing = recordKey.thing ?? (recordKey.isWrapper ? scopes.last?.thing : nil)
    scopes.append(
      Scope(key: recordKey, name: key, facts: facts.facts(of: object), date: try day(named: key), thing: thing))
    return true
  }

  private mutating func visit(member value: JSONValue, name: String, path: String) throws(ExtractionError) {
    if let values = value.array, isPlainList(values) {
      try visit(plain: values, name: name, path: path)
    } else {
      try visit(value, key: name, path: path.isEmpty ? name : path + "." + step(name))
    }
  }

  /// A film may name its showings, which stand elsewhere and do not say what they are of.
  private mutating func follow(_ record: JSONObject, key: String, path: String) throws(ExtractionError) {
    let own = facts.facts(of: record)
    guard followed < Self.followedMax, scopes.count < Self.depthMax, !own.starts.isEmpty, own.title == nil,
      own.filmTitle == nil, own.bill == nil
    else { return }
    followed += 1
    try visit(record, key: key, path: path)
  }

  private static let followedMax = 20_000
  /// Of records in records: one that is named inside itself ends there.
  private static let depthMax = 32

  /// The day that a name in a map is: "2026-11-27", "Fri 27 Nov", "27/11/2026".
  private func day(named name: String) throws(ExtractionError) -> CivilDate? {
    if let time = ISO8601Time(name) { if case .date(let date) = time { return date } else { return nil } }
    if Self.isNumericDate(name), case .date(let date)? = clock.moment(name, expectsTime: false) { return date }
    guard name.utf8.count <= Self.dayNameBytesMax, name.hasLetters, name.utf8.contains(0x20),
      name.utf8.contains(where: isDigitByte)
    else { return nil }
    try budget.spend(name.utf8.count * 4)
    guard let line = PrintedLine(name, clock: clock, expecting: .dates), let day = line.day, line.rest.isEmpty,
      line.days[0].notes.isDisjoint(with: [.inferredMonth, .inferredFromWeekday, .relativeDay])
    else { return nil }
    return day
  }

  /// `{"2026-11-23": {"5121": {"17:00": {"91001": {"room": …}}}}}`: the clock that names what says something by itself.
  private func timeNamed(around object: JSONObject) -> DisplayTime? {
    guard object.contains(where: { $0.value.string != nil }), dateAround() != nil else { return nil }
    for scope in scopes.suffix(2).reversed() where Self.isClock(scope.name) {
      if case .time(let time)? = clock.moment(scope.name) { return time }
    }
    return nil
  }

  /// "17:00"
  private static func isClock(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    return parts.count == 2 && (1...2).contains(parts[0].count) && parts[1].count == 2
      && parts.allSatisfy { $0.allSatisfy(isDigitByte) }
  }

  /// Day, month and a whole year.
  private static func isNumericDate(_ name: String) -> Bool {
    let parts = name.utf8.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
    }
    return parts.count == 3 && parts[2].count == 4 && parts[0].count <= 2 && parts[1].count <= 2
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isDigitByte) }
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
    if key.isReference, key.thing == .shows {
      for value in values {
        guard let id = value.string ?? value.int.map(String.init), let record = facts.index.record(named: id, key)
        else { continue }
        try follow(record, key: name, path: path + "." + step(name) + "[]")
      }
      return
    }
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
    var own = own
    let isTicket = own.title.map { TicketName.isOne($0.text) } ?? false
    let isOfTickets = scopes.last?.key.isOfTickets == true
    // A film may be called "Admission", and a list of showings "rates"; "Adult" among rates is neither.
    let isSurelyTicket = isTicket && (isOfTickets || own.title?.text.contains(" ") == true)
    if isSurelyTicket || (isTicket || isOfTickets) && (reader.pageTitle != nil || titleAround() != nil) {
      // What is told of each kind of ticket is told of what it admits to.
      own.title = nil
      own.described = nil
      own.id = nil
    }
    guard !own.starts.isEmpty || !own.ends.isEmpty, finds.count < reader.limits.candidates,
      scopes.last?.key.isOfDoors != true
    else {
      if let raw = own.unreadStart, let title = title(own) {
        lose(at: path, "\(title.text), \(raw)", "its start cannot be read")
      }
      return
    }
    guard let (start, printed, isDay, rank) = start(own) else { return }
    // A field that is only called after what it is of needs more to be believed.
    let named = title(own)
    guard let title = named ?? reader.pageTitle.map({ ($0, false, false) }), !title.text.isEmpty else {
      if own.clues > 1 { trace.add(reader.reader, at: path, .refused, "\(start): no title") }
      if rank <= 2, start.date >= clock.captured {
        lose(at: path, start.description, "nothing beside it says what is shown")
      }
      return
    }
    var candidate = Candidate(
      title: title.text, start: start, reader: reader.reader, place: path, confidence: reader.reader.trust)
    candidate.work = own.filmTitle ?? own.bill
    candidate.printedTime = printed
    candidate.end = end(own, after: start)
    candidate.venue = own.venue ?? around { $0.venue } ?? venueAround(title.text)
    candidate.screen = own.screen ?? around { $0.screen } ?? screenAround()
    candidate.url = own.url ?? around { $0.url }
    candidate.bookingID = own.id
    candidate.notes = own.notes
    if own.isSoldOut || own.seatsLeft.map({ $0 <= 0 }) == true { candidate.seats = .soldOut }
    let isOfFilm = own.isOfFilm || scopes.contains { $0.key.thing == .film || $0.facts?.isOfFilm == true }
    if isOfFilm || path.contains("creening") || path.contains("eance") { candidate.isScreening = true }
    if own.isCancelled || scopes.contains(where: { $0.facts?.isCancelled == true }) {
      unread.append(Unread(what: "\(title.text), \(start)", why: "the source says that it is cancelled"))
      return
    }
    // Times in a row say by themselves that something is shown at them.
    let clues =
      (isOfList ? 2 : 0) + own.clues + (rank <= 1 ? 1 : 0) + (title.isFilm ? 1 : 0)
      + (scopes.contains { $0.key.thing == .shows } ? 2 : 0) + (isTimetabled(own, start) ? own.isOfFilm ? 2 : 1 : 0)
    let inside = inner ?? finds.count..<finds.count
    // Among screenings with a time stand festivals that are told by their days.
    let shape = isDay && own.starts.contains { $0.moment.isFull } ? path + " of days" : path
    let isMidnight = isMidnight(candidate)
    for candidate in [candidate] + onFurtherDays(candidate, own) where finds.count < reader.limits.candidates {
      finds.append(
        Find(
          candidate: candidate, shape: shape, clues: clues, isDay: isDay, isMidnight: isMidnight,
          isOfPage: named == nil, inner: inside))
    }
  }

  /// A day and a clock in fields of their own, or a place, of what is still to come: posts have none of these.
  private func isTimetabled(_ own: RecordFacts, _ start: FoundTime) -> Bool {
    guard case .moment(let stamp) = start, start.date >= clock.captured, stamp.local.time.minute % 5 == 0,
      own.title.map({ $0.rank <= 2 }) ?? false
    else { return false }
    if own.venue != nil || own.screen != nil { return true }
    return own.starts.contains { if case .time = $0.moment { true } else { false } } && own.date != nil
  }

  /// Midnight here, and nothing says that it ends before the day does; or UTC's at an hour when nobody shows anything.
  private func isMidnight(_ candidate: Candidate) -> Bool {
    guard case .moment(let stamp) = candidate.start, candidate.printedTime == nil else { return false }
    if stamp.local.time != .midnight {
      return Timestamp(stamp.instant).local.time == .midnight && stamp.local.time.hour < Self.firstHour
    }
    guard case .moment(let end)? = candidate.end else { return true }
    return Self.endsDay(end.local)
  }

  /// What starts before is rare, and never all that a programme has.
  private static let firstHour = 10

  private static func endsDay(_ local: CivilDateTime) -> Bool {
    local.time == .midnight || local.time.hour == 23 && local.time.minute == 59
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
    // A date may be written as its midnight, here or in UTC; the time stands beside it.
    if let first = full.first, let date = clock.midnight(first.moment) {
      if let (time, rank) = times.first, !isClock(time, of: first.moment, zone) {
        return placed(time, on: date, zone, rank: rank)
      }
      let isSaid = own.starts.contains { $0.moment == .date(date) }
      // UTC's midnight is a clock like any other by day here: that it is a day, the whole shape must say.
      let isAsWritten =
        if case .instant(let stamp) = first.moment, stamp.offset == .zero {
          (zone ?? clock.zone).timestamp(at: stamp.instant).local.time.hour < Self.morning
        } else {
          true
        }
      if isAsWritten, isSaid && times.isEmpty || areWholeDays(date, own) {
        return (.day(date), nil, true, first.rank)
      }
    }
    if let best = full.first {
      // One with an offset beside one of the same rank without says more.
      let sure = full.first { if case .instant = $0.moment { $0.rank <= best.rank + 1 } else { false } } ?? best
      if let local = falseUTC(sure.moment, beside: times.map(\.0), zone) {
        return (clock.found(local, in: zone), nil, false, best.rank)
      }
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

  /// "2026-11-21T19:30:00Z" beside "19:30": the clock here, which a program has marked as UTC.
  private func falseUTC(
    _ moment: PartialMoment, beside times: [DisplayTime], _ zone: TimeZoneRules?
  ) -> CivilDateTime? {
    guard case .instant(let stamp) = moment, stamp.offset == .zero, times.count == 1,
      case let written = Timestamp(stamp.instant).local, written.time == times[0].clock,
      (zone ?? clock.zone).timestamp(at: stamp.instant).local.time != written.time
    else { return nil }
    return written
  }

  /// From one day's midnight to another's: a festival, what is open for years.
  private func areWholeDays(_ start: CivilDate, _ own: RecordFacts) -> Bool {
    own.endsFar
      || own.ends.contains { end in
        switch end {
        case .local(let local): local.date >= start && Self.endsDay(local) && local != CivilDateTime(start, .midnight)
        case .instant(let stamp):
          stamp.local.date >= start && Self.endsDay(clock.zone.timestamp(at: stamp.instant).local)
        case .date, .time: false
        }
      }
  }

  /// Whether an instant is that clock's here: midnight in UTC is five in the afternoon elsewhere.
  private func isClock(_ time: DisplayTime, of moment: PartialMoment, _ zone: TimeZoneRules?) -> Bool {
    guard case .instant(let stamp) = moment else { return false }
    return (zone ?? clock.zone).timestamp(at: stamp.instant).local.time == time.clock
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
    for place in scopes.indices.reversed() {
      let scope = scopes[place]
      guard let facts = scope.facts, !scope.key.isOfTickets else { continue }
      switch scope.thing {
      // Between a film and its times stand formats, too, each with a name; Strapi calls a record's own fields attributes.
      case .venue, .screen: continue
      case .attributes where scope.key.words.last == "formats": continue
      default: break
      }
      // "September 5" is a film where films stand, and a day elsewhere.
      if scope.thing == .film, let title = facts.title { return (title.text, true) }
      let title = facts.title.flatMap { clock.moment($0.text) == nil && !TicketName.isOne($0.text) ? $0 : nil }
      if let film = facts.filmTitle { return (film, true) }
      // A zone is a city's, or a house's; or that of an event whose days these are.
      if let title, facts.zone == nil || title.rank == 0 || isInDates(of: place) {
        return (title.text, scope.key.thing == .film)
      }
    }
    return nil
  }

  /// Whether what is being read is one of the record's dates: `{"name": …, "dates": [{"startDate": …}]}`.
  private func isInDates(of place: Int) -> Bool {
    guard scopes.indices.contains(place + 1), case .start = scopes[place + 1].key.role else { return false }
    return true
  }

  /// `{"276001": {"2026-11-23": [{"startsAt": …}]}}`, where 276001 is a film's id.
  private func filmInMap() -> String? {
    for scope in scopes.reversed() where scope.key.role == nil && scope.name.utf8.contains(where: isDigitByte) {
      if let film = facts.index.record(named: scope.name, Self.filmID), let name = facts.name(of: film) { return name }
    }
    return nil
  }

  private static let filmID = RecordKey("filmId")

  /// `{"Film A": ["19:30"]}`, and `{"2026-11-27": {"Silt": ["19:30"]}}`
  private func mapTitle() -> String? {
    for place in scopes.indices.reversed() {
      let scope = scopes[place]
      let name = scope.name
      guard scope.date == nil, scope.key.role == nil, scope.key.thing == nil, name.utf8.count > 3, name.hasLetters,
        name.utf8.contains(0x20) || name.utf8.contains(where: { $0 >= 0x80 })
          || place > 0 && scopes[place - 1].date != nil && isName(name)
      else { continue }
      return PlainText.of(name)
    }
    return nil
  }

  /// One word of its own, not that of a part of the data.
  private func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, (0x41...0x5A).contains(first) else { return false }
    return text.utf8.dropFirst().allSatisfy { (0x61...0x7A).contains($0) } && !isLabel(text) && !TicketName.isOne(text)
  }

  private func venueAround(_ title: String) -> String? {
    for scope in scopes.reversed() {
      guard let name = scope.facts?.title?.text else { continue }
      // A list of nothing in particular, of what is called as cinemas are.
      if scope.key.thing == .venue || scope.key.thing == nil && name != title && CinemaWords.isName(name) {
        return name
      }
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

  mutating func finish() -> Evidence {
    var evidence = Evidence()
    evidence.trace = trace
    evidence.unread = unread
    var shapes: [String: [Int]] = [:]
    for (place, find) in finds.enumerated() { shapes[find.shape, default: []].append(place) }
    for places in shapes.values
    where places.allSatisfy({ finds[$0].isMidnight }) && (places.count > 1 || startsAtMidnight(places[0])) {
      for place in places { tellAsDay(place) }
    }
    let hasTimes = finds.contains { !$0.isDay && $0.clues >= 2 }
    var kept: Set<String> = []
    for (shape, places) in shapes {
      let clues = Double(places.reduce(0) { $0 + finds[$1].clues }) / Double(places.count)
      let areDays = finds[places[0]].isDay
      if areDays ? !hasTimes && clues >= 2 : clues >= 2 { kept.insert(shape) }
    }
    let hasTitles = finds.contains { !$0.isOfPage && kept.contains($0.shape) }
    for find in finds {
      // What holds screenings is none itself: a festival, a day, a film with a first night.
      if find.inner.contains(where: { kept.contains(finds[$0].shape) }) { continue }
      if kept.contains(find.shape), !find.isOfPage || !hasTitles {
        evidence.candidates.append(find.candidate)
      } else {
        let what = "\(find.candidate.title), \(find.candidate.start)"
        evidence.trace.add(
          reader.reader, at: find.shape, .refused, "\(what): \(Self.isUnsaid)")
        if !find.isDay, find.candidate.start.date >= clock.captured { lose(at: find.shape, what, Self.isUnsaid) }
      }
    }
    evidence.dropped = lost.sorted { $0.key < $1.key }.prefix(Self.lostMax).map(\.value.unread)
    return evidence
  }

  private static let isUnsaid = "nothing beside it says that it is a screening"

  /// In the night here: what is UTC's midnight alone may be a clock by day.
  private func startsAtMidnight(_ place: Int) -> Bool {
    guard case .moment(let stamp) = finds[place].candidate.start else { return false }
    return stamp.local.time.hour < Self.morning
  }

  /// The hour before which no house opens.
  private static let morning = 9

  /// A day that was written as the midnight that it begins with.
  private mutating func tellAsDay(_ place: Int) {
    guard case .moment(let stamp) = finds[place].candidate.start else { return }
    let isHere = stamp.local.time == .midnight
    finds[place].candidate.start = .day((isHere ? stamp : Timestamp(stamp.instant)).local.date)
    finds[place].candidate.end = nil
    finds[place].isDay = true
  }

  // MARK: What comes to nothing

  private struct Lost {
    var first: String
    var why: String
    var count: Int

    var unread: Unread { Unread(what: count > 1 ? "\(first) and \(count - 1) more" : first, why: why) }
  }

  /// Shapes of records that somebody would look at.
  private static let lostMax = 8
  private static let lostShapesMax = 1_000

  /// A moment to come in a field that is called nothing we know: told where the document gives nothing.
  private mutating func loseUnnamed(_ text: String, name: String, path: String) {
    guard finds.isEmpty, (Self.momentBytesMin...Self.dayNameBytesMax).contains(text.utf8.count),
      text.utf8.first.map(isDigitByte) ?? false, text.utf8.contains(UInt8(ascii: ":")),
      case let key = facts.keys[name], key.role == nil, !key.isOfOtherTime,
      let moment = clock.moment(text), moment.isFull, let found = clock.found(moment), found.date >= clock.captured
    else { return }
    lose(at: path + "." + step(name), "\(name): \(text)", "it looks like a start, and is not called one")
  }

  /// A day and a clock.
  private static let momentBytesMin = 14

  private mutating func lose(at path: String, _ what: String, _ why: String) {
    if lost[path] == nil, lost.count >= Self.lostShapesMax { return }
    lost[path, default: Lost(first: what, why: why, count: 0)].count += 1
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
