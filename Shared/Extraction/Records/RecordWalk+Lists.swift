import Calendars
import Clocks
import JSON

/// Lists of plain times, which are in no record of their own.
extension RecordWalk {
  func isPlainList(_ values: [JSONValue]) -> Bool {
    guard let first = values.first, !values.isEmpty else { return false }
    switch first {
    case .string, .int: return true
    default: return false
    }
  }

  /// `"times": ["19:30", "21:00"]`, `"2026-11-23": ["19:30"]`
  mutating func visit(plain values: [JSONValue], name: String, path: String) throws(ExtractionError) {
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

  /// `["2026/11/27", "14:10 Hall 1", "19:30 Hall 2"]`: a whole day, and its times. Answers whether it is such a list.
  mutating func visit(day values: [JSONValue], path: String) throws(ExtractionError) -> Bool {
    guard (2...Self.timesOfDayMax).contains(values.count), let first = values[0].string,
      (Self.wholeDayBytesMin...Self.dayNameBytesMax).contains(first.utf8.count),
      first.utf8.count(where: isDigitByte) >= Self.wholeDayDigitsMin,
      case .date(let date)? = clock.moment(first, expectsTime: false)
    else { return false }
    var showings: [RecordFacts] = []
    var hasWords = false
    for value in values.dropFirst() {
      guard let text = value.string, text.utf8.count <= Self.timeBytesMax, text.utf8.first.map(isDigitByte) ?? false
      else { return false }
      try budget.spend(text.utf8.count)
      guard let line = PrintedLine(text, clock: clock, expecting: .times), line.times.count == 1, line.days.isEmpty,
        line.alarms.isEmpty
      else { return false }
      var facts = RecordFacts()
      facts.starts = [.init(rank: 1, moment: .time(line.times[0].start))]
      hasWords = hasWords || line.rest.hasLetters
      let words = line.rest.split(separator: "(", maxSplits: 1).first.map { String($0).trimmedText } ?? ""
      if ScreenName.isOne(words) { facts.screen = words }
      showings.append(facts)
    }
    scopes.append(Scope(key: facts.keys[""], name: "", facts: nil, date: date, thing: nil))
    for showing in showings { record(showing, path: path + "[]", isOfList: true, isOfDay: hasWords) }
    scopes.removeLast()
    return true
  }

  /// More is no day of a house.
  private static let timesOfDayMax = 40
  private static let timeBytesMax = 60
  /// "1/3/2026"
  private static let wholeDayBytesMin = 8
  private static let wholeDayDigitsMin = 6

  /// `"showtimes": "19:30, 21:00"`
  mutating func visit(_ text: String, name: String, path: String) {
    // Markup is read as such.
    guard text.utf8.count >= 4, text.utf8.count <= 400, !text.holds("</") else { return }
    let key = facts.keys[name]
    // `"Fri 27 Nov": {"E": "13:50, 19:30", "T": "20:45"}`
    let isOfDay = key.role == nil && scopes.last?.date != nil && text.utf8.allSatisfy(Self.isOfTimes)
    guard isListOfTimes(key) || isOfDay, isOfDay && Self.isClock(text) || clock.moment(text) == nil else { return }
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
    if let moment = clock.moment(text) {
      // In a list of a day's times "12:20 AM" is the last of them.
      if case .time = moment, text.hasLetters, let time = clock.printed.times(text).times.first {
        return [.time(time.start)]
      }
      return [moment]
    }
    let listing = clock.printed.times(text)
    guard listing.alarms.isEmpty else { return [] }
    return listing.times.map { .time($0.start) }
  }
}
