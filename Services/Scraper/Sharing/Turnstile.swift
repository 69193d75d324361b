import Clocks
import EventLoops
import RPC

/// A bound on how many callers do a thing at once and how many wait for that; who comes beyond is told when to come back.
package final class Turnstile {
  private let places: Int
  private let waiting: Int
  /// What they do, for whoever is refused: `scrapers wait for a site`.
  private let deed: String
  private let comeBack: Duration
  private var inside = 0
  private var working = 0
  private let left = Bell()

  package init(places: Int, waiting: Int = 0, _ deed: String, comeBackAfter comeBack: Duration) {
    self.places = places
    self.waiting = waiting
    self.deed = deed
    self.comeBack = comeBack
  }

  /// How many callers there are at most, at work or waiting.
  package var callersMax: Int { places + waiting }

  package func pass<Value>(_ work: @MainActor () async throws -> Value) async throws -> Value {
    guard inside < callersMax else {
      throw RPCError(
        .resourceExhausted, "\(inside) \(deed) already; come back in \(Int(comeBack.inSeconds)) s", executed: .no,
        retryAfter: comeBack)
    }
    inside += 1
    defer {
      inside -= 1
      left.ring()
    }
    while working >= places {
      try Task.checkCancellation()
      await left.wait()
    }
    working += 1
    defer { working -= 1 }
    return try await work()
  }
}
