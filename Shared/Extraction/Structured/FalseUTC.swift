import Calendars
import Clocks

/// Publishers that write their own clock and mark it as UTC: `2026-06-20T19:00:00+00:00` where the page prints 7 pm.
struct FalseUTC {
  let clock: PageClock

  /// A reader's marks are believed, unless the page prints what they hide and nothing that they say.
  ///
  /// - Parameter key: what is shown and when: the same for one showing, whoever tells it.
  func corrected(_ told: [Candidate], by layout: [Candidate], key: (Candidate) -> String) -> [Candidate] {
    guard !layout.isEmpty, told.contains(where: \.isMarkedUTC) else { return told }
    let printed = Set(layout.map(key))
    var lying: [EvidenceReader: Bool] = [:]
    for candidate in told {
      guard let moved = unmarked(candidate) else { continue }
      if printed.contains(key(candidate)) {
        lying[candidate.reader] = false
      } else if printed.contains(key(moved)), lying[candidate.reader] == nil {
        lying[candidate.reader] = true
      }
    }
    return told.map { lying[$0.reader] == true ? unmarked($0) ?? $0 : $0 }
  }

  /// A reader's marks are not believed if some of its starts would be at night, and the digits of all are of a day's programme.
  func plausible(_ told: [Candidate]) -> [Candidate] {
    var starts: [EvidenceReader: (asMarked: [ClockTime], asWritten: [ClockTime])] = [:]
    var isEast = false
    for candidate in told {
      guard case .moment(let stamp) = candidate.start, let moved = unmarked(candidate),
        case .moment(let written) = moved.start
      else { continue }
      isEast = stamp.offset > .zero
      starts[candidate.reader, default: ([], [])].asMarked.append(stamp.local.time)
      starts[candidate.reader, default: ([], [])].asWritten.append(written.local.time)
    }
    let lying = starts.filter { reader, found in
      found.asMarked.count >= Self.startsMin && found.asMarked.count == told.count { $0.reader == reader }
        && found.asMarked.count(where: Self.night.contains) * (isEast ? Self.nightShareEast : Self.nightShareWest)
          >= found.asMarked.count
        && found.asWritten.allSatisfy(Self.day.contains)
    }
    guard !lying.isEmpty else { return told }
    return told.map { candidate in
      guard lying[candidate.reader] != nil, var moved = unmarked(candidate) else { return candidate }
      moved.confidence *= Self.inferredTrust
      return moved
    }
  }

  private static let startsMin = 3
  /// East of Greenwich evenings become nights, and so do shows at midnight of an evening's programme; west of it the first
  /// starts of a day do.
  private static let nightShareEast = 3
  private static let nightShareWest = 5
  private static let night = ClockTime(hour: 1, minute: 30)!...ClockTime(hour: 6, minute: 59)!
  private static let day = ClockTime(hour: 9, minute: 0)!...ClockTime(hour: 23, minute: 59)!
  private static let inferredTrust = 0.8

  /// The same by the clock that its digits are of; nil where that is UTC's, too.
  private func unmarked(_ candidate: Candidate) -> Candidate? {
    guard candidate.isMarkedUTC, case let start = local(candidate.start), start != candidate.start else { return nil }
    var moved = candidate
    moved.start = start
    moved.end = candidate.end.map(local)
    moved.isMarkedUTC = false
    return moved
  }

  private func local(_ time: FoundTime) -> FoundTime {
    guard case .moment(let stamp) = time else { return time }
    return clock.found(Timestamp(stamp.instant).local)
  }
}
