package import RPC

/// What the demo's administrators may ask. Only `odi-demo` itself asks, so this is no contract between services.
package enum DemoAPI: RPCService {
  package static let name = "demo"
}

/// Makes sites misbehave, or ends it. Answers with what holds then.
nonisolated package struct TurnKnob: RPCRequest {
  package typealias Service = DemoAPI
  package typealias Response = [KnobReport]
  package static let method: MethodID = 0x1940
  package static let safety: Safety = .idempotent

  /// Nil for all.
  package var cinema: String?
  package var misbehaviour: Misbehaviour
  /// Nil is a day, which is the longest.
  package var seconds: Int?

  package init(cinema: String?, misbehaviour: Misbehaviour, seconds: Int? = nil) {
    self.cinema = cinema
    self.misbehaviour = misbehaviour
    self.seconds = seconds
  }
}

/// Ends the misbehaviour and undoes the changes of one cinema, or of all.
nonisolated package struct Behave: RPCRequest {
  package typealias Service = DemoAPI
  package typealias Response = [KnobReport]
  package static let method: MethodID = 0x1941
  package static let safety: Safety = .idempotent

  package var cinema: String?

  package init(cinema: String?) { self.cinema = cinema }
}

/// How the sites misbehave at present.
nonisolated package struct ReadKnobs: RPCRequest {
  package typealias Service = DemoAPI
  package typealias Response = [KnobReport]
  package static let method: MethodID = 0x1942
  package static let safety: Safety = .read

  package init() {}
}

nonisolated package struct KnobReport: Codable, Hashable, Sendable {
  /// Nil for all.
  package var cinema: String?
  package var misbehaviour: Misbehaviour
  package var secondsLeft: Int
}

/// Changes a cinema's published programme.
nonisolated package struct ChangeSchedule: RPCRequest {
  package typealias Service = DemoAPI
  package typealias Response = ChangeReport
  package static let method: MethodID = 0x1943
  package static let safety: Safety = .keyed

  package var cinema: String
  /// `cancel`, `add`, `move` or `sell-out`.
  package var kind: String
  /// `2026-11-23`; nil is the first day on which it can be done.
  package var date: String?

  package init(cinema: String, kind: String, date: String? = nil) {
    self.cinema = cinema
    self.kind = kind
    self.date = date
  }
}

nonisolated package struct ChangeReport: Codable, Hashable, Sendable {
  package var cinema: String
  package var kind: String
  package var date: String
  package var title: String
  /// As printed: `24:30`.
  package var start: String
  package var was: String?
}
