/// How far a stream of events has come: the revisions of the schedule and of the user that its reader has seen.
///
/// Written `118-41`, or `118-` and `-41` where there is only one. It says all that is needed to go on, so the gateway
/// remembers nothing of its readers.
nonisolated package struct LiveID: Hashable, Sendable, LosslessStringConvertible {
  package var schedule: Int64?
  package var user: Int64?

  package init(schedule: Int64? = nil, user: Int64? = nil) {
    self.schedule = schedule
    self.user = user
  }

  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 45 }) else { return nil }
    schedule = Int64(parts[0])
    user = Int64(parts[1])
    guard schedule != nil || user != nil, parts[0].isEmpty == (schedule == nil), parts[1].isEmpty == (user == nil)
    else {
      return nil
    }
  }

  package var description: String { "\(schedule.map(String.init) ?? "")-\(user.map(String.init) ?? "")" }

  var isEmpty: Bool { schedule == nil && user == nil }
}
