/// One change of the clocks as a VTIMEZONE describes it: at this local time, from this offset to that.
struct ZoneObservance {
  var onset: CivilDateTime
  var from: UTCOffset
  var to: UTCOffset
  var isDaylight: Bool
  var name: String

  /// Outlook begins its rules in 1601, and nothing is announced beyond 2100.
  private static let onsetsMax = 1_000
  private static let yearMax = 2_100

  /// Every onset of one STANDARD or DAYLIGHT; none if it does not say from when, from what and to what.
  static func all(
    isDaylight: Bool, start: String?, from: String?, to: String?, name: String?, rule: String?, dates: [Substring]
  ) -> [ZoneObservance] {
    guard let start, let from = from.flatMap(UTCOffset.init), let to = to.flatMap(UTCOffset.init),
      case .floating(let first) = CalendarTime(compact: start[...], zone: nil)
    else { return [] }
    var onsets = [first]
    for date in dates.prefix(onsetsMax) {
      if case .floating(let local) = CalendarTime(compact: date, zone: nil) { onsets.append(local) }
    }
    if let rule, let recurrence = try? Recurrence(rule) {
      var left = recurrence.count ?? onsetsMax
      // The start of a zone's rule is by the rule itself; where it is not, the first change is at the start all the same.
      for date in Recurrence.Dates(recurrence, from: first.date) {
        let local = CivilDateTime(date, first.time)
        guard left > 0, date.year <= yearMax, !recurrence.isOver(local, from: from) else { break }
        left -= 1
        if local != first { onsets.append(local) }
      }
    }
    return onsets.map {
      ZoneObservance(onset: $0, from: from, to: to, isDaylight: isDaylight, name: name ?? to.description)
    }
  }
}

extension Recurrence {
  fileprivate func isOver(_ local: CivilDateTime, from offset: UTCOffset) -> Bool {
    switch until {
    case .day(let last): local.date > last
    case .local(let last): local > last
    case .instant(let last): local.secondsSince1970 - Int64(offset.seconds) > last.wholeSeconds
    case nil: false
    }
  }
}

extension TimeZoneRules {
  /// Nil if nothing is described.
  init?(name: String, observances: [ZoneObservance]) {
    let kindsMax = 64
    var kinds: [Kind] = []
    func index(_ kind: Kind) -> UInt8? {
      if let known = kinds.firstIndex(of: kind) { return UInt8(known) }
      guard kinds.count < kindsMax else { return nil }
      kinds.append(kind)
      return UInt8(kinds.count - 1)
    }
    let dated = observances.map { (second: $0.onset.secondsSince1970 - Int64($0.from.seconds), observance: $0) }
      .sorted { $0.second < $1.second }
    guard let first = dated.first?.observance else { return nil }
    // Before the first change what it changes from.
    _ = index(
      Kind(
        offset: first.from, isDaylight: !first.isDaylight && first.from > first.to, abbreviation: first.from.description
      ))
    var changes: [Int64] = []
    var kindAfterChange: [UInt8] = []
    for (second, observance) in dated where second > changes.last ?? .min {
      let kind = Kind(offset: observance.to, isDaylight: observance.isDaylight, abbreviation: observance.name)
      guard let index = index(kind) else { continue }
      changes.append(second)
      kindAfterChange.append(index)
    }
    self.init(name: name, changes: changes, kindAfterChange: kindAfterChange, kinds: kinds, footer: nil)
  }
}
