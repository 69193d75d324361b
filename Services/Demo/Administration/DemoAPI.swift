import RPC

/// What the demo's administrators may ask. Only `odi-demo` itself asks, so this is no contract between services.
enum DemoAPI: RPCService {
  static let name = "demo"
}

/// Makes sites misbehave, or ends it. Answers with what holds then.
nonisolated struct TurnKnob: RPCRequest {
  typealias Service = DemoAPI
  typealias Response = [KnobReport]
  static let method: MethodID = 0x1940
  static let safety: Safety = .idempotent

  /// Nil for all.
  var cinema: String?
  var misbehaviour: Misbehaviour
  /// Nil is a day, which is the longest.
  var seconds: Int?

  init(cinema: String?, misbehaviour: Misbehaviour, seconds: Int? = nil) {
    self.cinema = cinema
    self.misbehaviour = misbehaviour
    self.seconds = seconds
  }
}

/// Ends the misbehaviour and undoes the changes of one cinema, or of all.
nonisolated struct Behave: RPCRequest {
  typealias Service = DemoAPI
  typealias Response = [KnobReport]
  static let method: MethodID = 0x1941
  static let safety: Safety = .idempotent

  var cinema: String?

  init(cinema: String?) { self.cinema = cinema }
}

/// How the sites misbehave at present.
nonisolated struct ReadKnobs: RPCRequest {
  typealias Service = DemoAPI
  typealias Response = [KnobReport]
  static let method: MethodID = 0x1942
  static let safety: Safety = .read

  init() {}
}

nonisolated struct KnobReport: Codable, Hashable, Sendable {
  /// Nil for all.
  var cinema: String?
  var misbehaviour: Misbehaviour
  var secondsLeft: Int
}

/// Changes a cinema's published programme.
nonisolated struct ChangeSchedule: RPCRequest {
  typealias Service = DemoAPI
  typealias Response = ChangeReport
  static let method: MethodID = 0x1943
  static let safety: Safety = .keyed

  var cinema: String
  /// `cancel`, `add`, `move` or `sell-out`.
  var kind: String
  /// `2026-11-23`; nil is the first day on which it can be done.
  var date: String?

  init(cinema: String, kind: String, date: String? = nil) {
    self.cinema = cinema
    self.kind = kind
    self.date = date
  }
}

nonisolated struct ChangeReport: Codable, Hashable, Sendable {
  var cinema: String
  var kind: String
  var date: String
  var title: String
  /// As printed: `24:30`.
  var start: String
  var was: String?
}
