import Calendars
import Clocks
import JSON

/// One document being read.
struct RecordWalk {
  let reader: RecordReader
  let facts: RecordFactsReader
  let budget: WorkBudget
  var clock: PageClock { reader.clock }

  /// Records and maps around the one in question, the outermost first.
  struct Scope {
    var key: RecordKey
    var name: String
    var facts: RecordFacts?
    /// The name in a map that the scope stands under, where it is a date.
    var date: CivilDate?
    /// What the records of a list are: films, venues, screens.
    var thing: RecordKey.Thing?
    /// It is the film of a showing that has a start, or a part of that film: what times it has are the film's.
    var isOfShown = false
    /// The names of the members of what has no title and may be a map.
    var names: [String] = []
  }

  struct Find {
    var candidate: Candidate
    var shape: String
    var clues: Int
    var isDay: Bool
    /// It starts when a day does, as far as is said: a day that was written as its midnight starts so.
    var isMidnight = false
    /// Nothing beside it has a title.
    var isOfPage = false
    /// The first or the last of showings that may stand elsewhere.
    var isOfSeveral = false
    /// What was found inside the record.
    var inner: Range<Int>
  }

  var scopes: [Scope] = []
  var finds: [Find] = []
  var trace = ExtractionTrace()
  var unread: [Unread] = []
  var closedDays: Set<CivilDate> = []
  /// Starts that come to nothing, by where records like theirs stand.
  var lost: [String: Lost] = [:]
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
      if try visit(day: values, path: path) { return }
      for value in values { try visit(value, key: key, path: path + "[]") }
    case .null, .bool, .int, .double, .string: break
    }
  }

  mutating func visit(_ whole: JSONObject, key: String, path: String) throws(ExtractionError) {
    let ends = ends(of: whole)
    let object = ends.isEmpty ? whole : JSONObject(whole.filter { !ends.contains($0.name) })
    guard try enter(object, key: key, path: path) else { return }
    defer { scopes.removeLast() }
    if let name = ends.first { loseDays(between: facts.keys[name], in: object) }
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
    // The parts of a start are no record; nor are those of an end, whatever they are called.
    if recordKey.isOfStart, ClockFields(object, keys: facts.keys, before: []).moment != nil { return false }
    if recordKey.role == .end, isMoment(object) { return false }
    if recordKey.thing == .unrelated || recordKey.isOfOtherMoment && isMoment(object) { return false }
    let thing = recordKey.thing ?? (recordKey.isWrapper ? scopes.last?.thing : nil)
    var facts = facts.facts(of: object, named: recordKey)
    let isOfShown =
      !path.hasSuffix("[]")
      && (scopes.last?.isOfShown == true || thing == .film && facts.title != nil && isShowing(scopes.last))
    if isOfShown {
      facts.starts = []
      facts.unreadStart = nil
    }
    scopes.append(
      Scope(
        key: recordKey, name: key, facts: facts, date: try day(named: key), thing: thing, isOfShown: isOfShown,
        names: facts.title == nil && Self.mayBeMap(object) ? object.prefix(Self.namesMax).map(\.name) : []))
    return true
  }

  /// `"firstTiming": {"begin": "2026-03-07T10:00"}, "lastTiming": {"begin": "2026-07-31T10:00"}`: from when to when something
  /// goes on. On which days is told in a list, or nowhere.
  private func ends(of object: JSONObject) -> [String] {
    guard let first = Self.firsts.first(where: { object[$0]?.object != nil }), let value = object[first],
      case let last = "last" + first.dropFirst("first".count), let other = object[last], other.object != nil,
      other != value
    else { return [] }
    return [first, last]
  }

  private static let firsts = [
    "firstTiming", "first_timing", "firstOccurrence", "first_occurrence", "firstDate", "first_date",
  ]

  private mutating func loseDays(between first: RecordKey, in object: JSONObject) {
    guard let title = scopes.last?.facts?.title?.text,
      !object.contains(where: { $0.value.array != nil && facts.keys[$0.name].words == [first.words[1] + "s"] })
    else { return }
    unread.append(Unread(what: title.shortened(to: 160), why: "only its first and its last time are told"))
  }

  private static func mayBeMap(_ object: JSONObject) -> Bool {
    guard let first = object.first?.value else { return false }
    return first.object != nil || first.array != nil
  }

  /// Of a map's names, enough to see what they are.
  static let namesMax = 16

  /// `"released": {"timestamp": 1760000000}`: some fields about one moment, and no record with a title or a list.
  private func isMoment(_ object: JSONObject) -> Bool {
    object.count <= Self.momentFieldsMax
      && object.allSatisfy { name, value in
        if value.array != nil { return false }
        if case .title = facts.keys[name].role { return false }
        return facts.keys[name].thing == nil
      }
  }

  private static let momentFieldsMax = 6

  /// Whether a record says by itself at what time it starts.
  private func isShowing(_ scope: Scope?) -> Bool {
    scope?.facts?.starts.contains { start in
      guard start.rank < RecordKey.startRankMax else { return false }
      if case .time = start.moment { return true }
      return start.moment.isFull
    } ?? false
  }

  mutating func visit(member value: JSONValue, name: String, path: String) throws(ExtractionError) {
    if let values = value.array, isPlainList(values) {
      try visit(plain: values, name: name, path: path)
    } else {
      try visit(value, key: name, path: path.isEmpty ? name : path + "." + step(name))
    }
  }

  /// A film may name its showings, which stand elsewhere and do not say what they are of.
  mutating func follow(_ record: JSONObject, key: String, path: String) throws(ExtractionError) {
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
  func day(named name: String) throws(ExtractionError) -> CivilDate? {
    if let time = ISO8601Time(name) { if case .date(let date) = time { return date } else { return nil } }
    if Self.isNumericDate(name), case .date(let date)? = clock.moment(name, expectsTime: false) { return date }
    if let day = Self.dayBehindID(name) { return day.date }
    guard name.utf8.count <= Self.dayNameBytesMax, name.hasLetters, name.utf8.contains(0x20),
      name.utf8.contains(where: isDigitByte)
    else { return nil }
    try budget.spend(name.utf8.count * 4)
    guard let line = PrintedLine(name, clock: clock, expecting: .dates), let day = line.day, line.rest.isEmpty,
      line.days[0].notes.isDisjoint(with: [.inferredMonth, .inferredFromWeekday, .relativeDay])
    else { return nil }
    return day
  }

  /// "1234-2026-3-12": a day behind the film that it is of.
  static func dayBehindID(_ name: String) -> (date: CivilDate, id: String)? {
    let parts = name.utf8.split(separator: UInt8(ascii: "-"))
    guard parts.count >= 4, case let last = parts.suffix(3), last.allSatisfy({ $0.allSatisfy(isDigitByte) }),
      last.map(\.count).first == 4, last.dropFirst().allSatisfy({ $0.count <= 2 }),
      case let numbers = last.compactMap({ Int(Substring($0)) }), numbers.count == 3,
      PageClock.years.contains(numbers[0]),
      let date = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
    else { return nil }
    return (date, parts.dropLast(3).map { String(Substring($0)) }.joined(separator: "-"))
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
  static func isClock(_ name: String) -> Bool {
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
  static let dayNameBytesMax = 32

  /// Names in a map are not part of a shape.
  func step(_ name: String) -> String {
    name.utf8.contains(where: isDigitByte) ? "*" : name
  }
}
