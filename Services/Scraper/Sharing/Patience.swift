import Clocks
import Contracts
import RPC

/// How long one stays away whom the queue's owner turned away: as long as it asks for, and a random while on top, or all
/// who were turned away together would be back together.
final class Patience {
  /// What the owner does takes seconds; past a quarter of a minute a site that is due would wait for nothing.
  private static let backoff = Backoff(first: .seconds(2), cap: .seconds(16))

  let time: any TimeSource
  private var random: any RandomNumberGenerator

  init(time: any TimeSource, random: any RandomNumberGenerator) {
    self.time = time
    self.random = random
  }

  /// - Parameters:
  ///   - repetition: 1 after the first time in a row that there was nothing to have.
  ///   - pushback: what the owner asks for.
  func pause(before repetition: Int, after pushback: Duration? = nil) -> Duration {
    Self.backoff.delay(repetition: repetition, after: pushback, using: &random)
  }
}

extension RPCClient<ScraperAPI> {
  /// Asks, and asks again as long as the answer is that too many others are there, and when to come back.
  func call<Request: RPCRequest>(
    _ request: Request, within limit: Duration, _ patience: Patience
  ) async throws(RPCError) -> Request.Response where Request.Service == ScraperAPI {
    let time = patience.time
    let end = time.now + limit
    var repetition = 0
    while true {
      let refusal: RPCError
      do throws(RPCError) {
        return try await call(request, within: end - time.now)
      } catch {
        refusal = error
      }
      guard refusal.code == .resourceExhausted, let pushback = refusal.retryAfter else { throw refusal }
      repetition += 1
      let pause = patience.pause(before: repetition, after: pushback)
      guard time.now + pause < end else { throw refusal }
      guard (try? await time.sleep(for: pause)) != nil else { throw RPCError(.cancelled, "cancelled") }
    }
  }
}
