package import Clocks

/// What the clocks of a place have shown and will show: its offset from UTC at every instant.
///
/// A table of changes, and a rule that goes on for ever after the last of them. Instants beyond the years 1 to 9999 are
/// shown as the first or the last moment of that range.
package struct TimeZoneRules: Hashable, Sendable {
  /// `Asia/Seoul`, or the offset of a fixed one.
  package let name: String
  /// When the clocks changed, in seconds of UTC, ascending.
  let changes: [Int64]
  /// What they changed to: an index into `kinds` for each change.
  let kindAfterChange: [UInt8]
  /// Never empty; the first holds before the first change.
  let kinds: [Kind]
  /// What holds from the last change on.
  let footer: PosixRule?

  /// One way of keeping time in a zone.
  struct Kind: Hashable, Sendable {
    var offset: UTCOffset
    var isDaylight: Bool
    /// `KST`, `BST`.
    var abbreviation: String
  }

  /// A stretch of one kind, from `start` up to `end`, in seconds of UTC. Nil is for ever.
  struct Period {
    var start: Int64?
    var end: Int64?
    var kind: Kind
  }

  /// Builders check what they were given; this only puts it together.
  init(name: String, changes: [Int64], kindAfterChange: [UInt8], kinds: [Kind], footer: PosixRule?) {
    self.name = name
    self.changes = changes
    self.kindAfterChange = kindAfterChange
    self.kinds = kinds
    self.footer = footer
  }

  /// The same offset for ever.
  package static func fixed(_ offset: UTCOffset) -> TimeZoneRules {
    let name = offset == .zero ? "UTC" : offset.description
    return TimeZoneRules(
      name: name, changes: [], kindAfterChange: [],
      kinds: [Kind(offset: offset, isDaylight: false, abbreviation: name)], footer: nil)
  }

  package static let utc = fixed(.zero)

  // MARK: - From an instant to a clock

  package func offset(at instant: WallTime) -> UTCOffset { period(at: instant.wholeSeconds).kind.offset }

  package func isDaylight(at instant: WallTime) -> Bool { period(at: instant.wholeSeconds).kind.isDaylight }

  package func abbreviation(at instant: WallTime) -> String { period(at: instant.wholeSeconds).kind.abbreviation }

  /// What the wall calendar and the wall clock show. Milliseconds are dropped.
  package func local(at instant: WallTime) -> CivilDateTime {
    let seconds = instant.wholeSeconds
    return CivilDateTime(clampingSecondsSince1970: seconds + Int64(period(at: seconds).kind.offset.seconds))
  }

  /// When the clocks are next moved, if they ever are.
  package func nextChange(after instant: WallTime) -> WallTime? {
    period(at: instant.wholeSeconds).end.map(WallTime.init(wholeSeconds:))
  }

  func period(at second: Int64) -> Period {
    guard let first = changes.first, let last = changes.last else {
      return footer?.period(at: second) ?? Period(start: nil, end: nil, kind: kinds[0])
    }
    if second < first { return Period(start: nil, end: first, kind: kinds[0]) }
    if second >= last {
      let index = changes.count - 1
      guard let footer else { return Period(start: last, end: nil, kind: kinds[Int(kindAfterChange[index])]) }
      var period = footer.period(at: second)
      period.start = max(period.start ?? last, last)
      return period
    }
    var low = 0
    var high = changes.count - 1
    while high - low > 1 {
      let middle = (low + high) / 2
      if changes[middle] <= second { low = middle } else { high = middle }
    }
    return Period(start: changes[low], end: changes[high], kind: kinds[Int(kindAfterChange[low])])
  }
}

// MARK: - From a clock to an instant

/// Which instant a local time is. Twice a year in many places the answer is not one.
package enum LocalTimeMeaning: Hashable, Sendable {
  case exact(WallTime)
  /// The clocks jumped over it. `earlier` reads it with the offset after the jump, `later` with the one before.
  case gap(earlier: WallTime, later: WallTime)
  /// The clocks showed it twice.
  case overlap(earlier: WallTime, later: WallTime)

  package func instant(under policy: LocalTimePolicy) -> WallTime? {
    switch self {
    case .exact(let instant): instant
    case .gap(let earlier, let later): policy.gap.choose(earlier, later)
    case .overlap(let earlier, let later): policy.overlap.choose(earlier, later)
    }
  }

  package var isExact: Bool { if case .exact = self { true } else { false } }
}

/// What to take when a local time is no instant, or two.
package struct LocalTimePolicy: Hashable, Sendable {
  package enum Choice: Sendable {
    case earlier, later, reject

    func choose(_ earlier: WallTime, _ later: WallTime) -> WallTime? {
      switch self {
      case .earlier: earlier
      case .later: later
      case .reject: nil
      }
    }
  }

  package var gap: Choice
  package var overlap: Choice

  package init(gap: Choice, overlap: Choice) {
    self.gap = gap
    self.overlap = overlap
  }

  /// RFC 5545, 3.3.5: in a gap the offset before it holds, so 02:30 becomes 03:30; in an overlap the first one is meant.
  package static let iCalendar = LocalTimePolicy(gap: .later, overlap: .earlier)
  package static let strict = LocalTimePolicy(gap: .reject, overlap: .reject)
}

extension TimeZoneRules {
  /// Every instant at which the clocks here show `local`.
  package func resolve(_ local: CivilDateTime) -> LocalTimeMeaning {
    let clock = local.secondsSince1970
    // No offset is larger than 26 hours, so every answer lies in a period that touches this window.
    var period = period(at: clock - TimeZoneRules.offsetBound)
    var first: Int64?
    var gap: (earlier: Int64, later: Int64)?
    while true {
      let candidate = clock - Int64(period.kind.offset.seconds)
      if candidate >= period.start ?? .min, candidate < period.end ?? .max {
        guard let found = first else {
          first = candidate
          if period.end == nil { break }
          period = self.period(at: period.end!)
          continue
        }
        return .overlap(earlier: WallTime(wholeSeconds: found), later: WallTime(wholeSeconds: candidate))
      }
      guard let end = period.end, end <= clock + TimeZoneRules.offsetBound else { break }
      let next = self.period(at: end)
      let after = clock - Int64(next.kind.offset.seconds)
      if candidate >= end, after < end { gap = (after, candidate) }
      period = next
    }
    if let first { return .exact(WallTime(wholeSeconds: first)) }
    if let gap { return .gap(earlier: WallTime(wholeSeconds: gap.earlier), later: WallTime(wholeSeconds: gap.later)) }
    // Unreachable while periods adjoin: every local time is in a period or between two.
    return .exact(WallTime(wholeSeconds: clock - Int64(period.kind.offset.seconds)))
  }

  /// The instant of a local time, nil where the policy rejects it.
  package func instant(of local: CivilDateTime, policy: LocalTimePolicy) -> WallTime? {
    resolve(local).instant(under: policy)
  }

  /// The instant of a local time as RFC 5545 reads it.
  package func instant(of local: CivilDateTime) -> WallTime {
    switch resolve(local) {
    case .exact(let instant), .gap(_, let instant), .overlap(let instant, _): instant
    }
  }

  private static let offsetBound: Int64 = 26 * 3_600
}

extension WallTime {
  /// Rounded down.
  var wholeSeconds: Int64 { milliseconds.dividedDown(by: 1_000).quotient }

  init(wholeSeconds: Int64) {
    let (product, overflow) = wholeSeconds.multipliedReportingOverflow(by: 1_000)
    self.init(milliseconds: overflow ? (wholeSeconds < 0 ? .min : .max) : product)
  }
}
