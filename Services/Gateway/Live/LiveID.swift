/// How far a stream of events has come: the revisions of the schedule and of the user that its reader has seen, and the
/// last of the alerts that were found later than their event.
///
/// Written `118-41`, `118-` and `-41` where there is only one, and `118-41-7` once there was a late alert. It says all
/// that is needed to go on, so the gateway remembers nothing of its readers.
nonisolated package struct LiveID: Hashable, Sendable, LosslessStringConvertible {
  package var schedule: Int64? {
    get { scheduleNumber.value }
    set { scheduleNumber.value = newValue }
  }
  package var user: Int64? {
    get { userNumber.value }
    set { userNumber.value = newValue }
  }
  /// See ``LateAlert``.
  package var alert: Int64? {
    get { alertNumber.value }
    set { alertNumber.value = newValue }
  }

  private var scheduleNumber = Number()
  private var userNumber = Number()
  private var alertNumber = Number()

  /// Each open stream has one of these: half of an optional's bytes. No revision is the least number that there is.
  private struct Number: Hashable {
    private var stored = Int64.min
    var value: Int64? {
      get { stored == .min ? nil : stored }
      set { stored = newValue ?? .min }
    }
  }

  package init(schedule: Int64? = nil, user: Int64? = nil, alert: Int64? = nil) {
    self.schedule = schedule
    self.user = user
    self.alert = alert
  }

  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 45 }) else {
      return nil
    }
    let numbers = parts.map { Int64($0) }
    guard numbers[0] != nil || numbers[1] != nil,
      zip(parts, numbers).prefix(2).allSatisfy({ $0.isEmpty == ($1 == nil) })
    else { return nil }
    (schedule, user) = (numbers[0], numbers[1])
    if parts.count == 3 {
      guard let last = numbers[2] else { return nil }
      alert = last
    }
  }

  package var description: String {
    "\(schedule.map(String.init) ?? "")-\(user.map(String.init) ?? "")" + (alert.map { "-\($0)" } ?? "")
  }

  var isEmpty: Bool { schedule == nil && user == nil && alert == nil }
}
