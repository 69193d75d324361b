import RPC

/// Whether this process should be sent work, and why not.
package final class Readiness {
  nonisolated package enum State: String, Sendable { case starting, ready, draining }

  /// One thing that has to be well.
  nonisolated package struct Condition: Sendable {
    let name: String
    /// Nil when it is well; else what is wrong, in a few words without secrets.
    let problem: @MainActor @Sendable () -> String?

    package init(_ name: String, problem: @escaping @MainActor @Sendable () -> String?) {
      self.name = name
      self.problem = problem
    }
  }

  nonisolated package struct Answer: Equatable, Sendable {
    package var isReady: Bool
    /// A line a condition, as Kubernetes writes them: `[+]db ok`.
    package var text: String
  }

  package var state = State.starting {
    didSet { if state != oldValue { for hear in listeners { hear(state) } } }
  }
  private var listeners: [(State) -> Void] = []
  private var conditions: [Condition] = []

  package init() {}

  package func add(_ condition: Condition) { conditions.append(condition) }

  /// Tells of every change of the state. That of a condition tells nobody: it has to be asked.
  func onChange(_ hear: @escaping (State) -> Void) { listeners.append(hear) }

  /// - Parameter excluded: names of conditions that are not asked, by the wish of whoever asks.
  package func answer(excluding excluded: Set<String> = []) -> Answer {
    var lines = ["[\(state == .ready ? "+" : "-")]lifecycle \(state == .ready ? "ok" : state.rawValue)"]
    var isReady = state == .ready
    for condition in conditions where !excluded.contains(condition.name) {
      if let problem = condition.problem() {
        isReady = false
        lines.append("[-]\(condition.name) \(printable(problem))")
      } else {
        lines.append("[+]\(condition.name) ok")
      }
    }
    return Answer(isReady: isReady, text: lines.map { $0 + "\n" }.joined())
  }

  /// The same for those who ask over RPC.
  var health: (state: HealthState, problems: [String]) {
    let problems = conditions.compactMap { condition in
      condition.problem().map { "\(condition.name): \(printable($0))" }
    }
    return switch state {
    case .starting: (.starting, problems)
    case .ready: (problems.isEmpty ? .ready : .notReady, problems)
    case .draining: (.draining, problems)
    }
  }
}
