import Calendars
import Clocks

/// Publishers that write their own clock and mark it as UTC: `2026-06-20T19:00:00+00:00` where the page prints 7 pm.
struct FalseUTC {
  let clock: PageClock
  /// What is shown and when: the same for one showing, whoever tells it.
  let key: (Candidate) -> String

  /// A reader's marks are believed, unless the page prints what they hide and nothing that they say.
  func corrected(_ told: [Candidate], by layout: [Candidate]) -> [Candidate] {
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

  /// The same by the clock that its digits are of; nil where that is UTC's, too.
  private func unmarked(_ candidate: Candidate) -> Candidate? {
    guard candidate.isMarkedUTC, case let start = local(candidate.start), start != candidate.start else { return nil }
    var moved = candidate
    moved.start = start
    moved.end = candidate.end.map(local)
    return moved
  }

  private func local(_ time: FoundTime) -> FoundTime {
    guard case .moment(let stamp) = time else { return time }
    return clock.found(Timestamp(stamp.instant).local)
  }
}
