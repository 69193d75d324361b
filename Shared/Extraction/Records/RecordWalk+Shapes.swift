import Calendars
import Clocks
import JSON

/// Which shapes are programmes, once all is read.
extension RecordWalk {
  mutating func finish() -> Evidence {
    var evidence = Evidence()
    evidence.trace = trace
    evidence.unread = unread
    evidence.closedDays = closedDays
    var shapes: [String: [Int]] = [:]
    for (place, find) in finds.enumerated() { shapes[find.shape, default: []].append(place) }
    for places in shapes.values
    where places.allSatisfy({ finds[$0].isMidnight }) && (places.count > 1 || startsAtMidnight(places[0])) {
      for place in places { tellAsDay(place) }
    }
    let hasTimes = finds.contains { !$0.isDay && $0.clues >= 2 }
    var kept: Set<String> = []
    for (shape, places) in shapes {
      // Of a programme that has begun what is to come says what all of it is.
      let coming = places.filter { finds[$0].candidate.start.date >= clock.captured }
      let asked = coming.isEmpty ? places : coming
      let clues = Double(asked.reduce(0) { $0 + finds[$1].clues }) / Double(asked.count)
      let areDays = finds[places[0]].isDay
      if areDays ? !hasTimes && clues >= 2 : clues >= 2 { kept.insert(shape) }
    }
    let hasTitles = finds.contains { !$0.isOfPage && kept.contains($0.shape) }
    let hasAll = finds.contains { !$0.isOfSeveral && kept.contains($0.shape) }
    for find in finds where !find.isOfSeveral || !hasAll {
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
  static let morning = 9

  /// A day that was written as the midnight that it begins with.
  private mutating func tellAsDay(_ place: Int) {
    guard case .moment(let stamp) = finds[place].candidate.start else { return }
    let isHere = stamp.local.time == .midnight
    finds[place].candidate.start = .day((isHere ? stamp : Timestamp(stamp.instant)).local.date)
    finds[place].candidate.end = nil
    finds[place].isDay = true
  }

  // MARK: What comes to nothing

  struct Lost {
    var first: String
    var why: String
    var count: Int

    var unread: Unread { Unread(what: count > 1 ? "\(first) and \(count - 1) more" : first, why: why) }
  }

  /// Shapes of records that somebody would look at.
  private static let lostMax = 8
  private static let lostShapesMax = 1_000

  /// A moment to come in a field that is called nothing we know: told where the document gives nothing.
  mutating func loseUnnamed(_ text: String, name: String, path: String) {
    guard finds.isEmpty, (Self.momentBytesMin...Self.dayNameBytesMax).contains(text.utf8.count),
      text.utf8.first.map(isDigitByte) ?? false, text.utf8.contains(UInt8(ascii: ":")),
      case let key = facts.keys[name], key.role == nil, !key.isOfOtherTime,
      let moment = clock.moment(text), moment.isFull, let found = clock.found(moment), found.date >= clock.captured
    else { return }
    lose(at: path + "." + step(name), "\(name): \(text)", "it looks like a start, and is not called one")
  }

  /// A day and a clock.
  private static let momentBytesMin = 14

  mutating func lose(at path: String, _ what: String, _ why: String) {
    if lost[path] == nil, lost.count >= Self.lostShapesMax { return }
    lost[path, default: Lost(first: what, why: why, count: 0)].count += 1
  }
}
