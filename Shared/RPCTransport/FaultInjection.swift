import Clocks
import RPC

/// Faults that an administrator asked for.
final class FaultInjection {
  enum Verdict {
    case none
    case delay(Duration)
    case fail(RPCError)
  }

  private var rules: [(rule: FaultRule, until: Instant)] = []
  private let time: any TimeSource
  private var random: SeededRandom

  init(time: any TimeSource, seed: UInt64) {
    self.time = time
    random = SeededRandom(seed: seed)
  }

  var isEmpty: Bool { rules.isEmpty }
  /// The rules that hold, with the seconds that each has left.
  var current: [FaultRule] {
    rules.map { rule, until in
      var rule = rule
      rule.seconds = Int((until - time.now).inSeconds.rounded(.up))
      return rule
    }
  }

  func add(_ rule: FaultRule) throws(RPCError) {
    try RPCError.check(rule.percent, "percent", in: 1...100)
    try RPCError.check(rule.seconds, "seconds", in: 1...FaultRule.secondsMax)
    guard rule.code != nil || rule.delayMilliseconds != nil else {
      throw RPCError(.invalidArgument, "a fault needs a code or a delay", executed: .no)
    }
    guard rules.count < FaultRule.rulesMax else {
      throw RPCError(.resourceExhausted, "there are \(rules.count) rules already; end them first")
    }
    let until = time.now + .seconds(rule.seconds)
    rules.append((rule, until))
    time.after(.seconds(rule.seconds)) { [weak self] in self?.rules.removeAll { $0.until <= until } }
  }

  func clear() { rules = [] }

  func decide(_ method: RPCMethod) -> Verdict {
    guard !rules.isEmpty, !method.id.isForAdministrators else { return .none }
    for (rule, _) in rules where rule.method == nil || rule.method == method.name {
      guard Int.random(in: 0..<100, using: &random) < rule.percent else { continue }
      if let code = rule.code.flatMap(RPCError.Code.init) {
        return .fail(RPCError(code, "an injected fault", executed: .no))
      }
      return .delay(.milliseconds(max(rule.delayMilliseconds ?? 0, 0)))
    }
    return .none
  }
}
