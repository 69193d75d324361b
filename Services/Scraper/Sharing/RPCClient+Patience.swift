import Clocks
import Contracts
import RPC

extension RPCClient<ScraperAPI> {
  /// Asks, and asks again as long as the answer is that too many others are there, and when to come back.
  func call<Request: RPCRequest>(
    _ request: Request, patientlyWithin patience: Duration, on time: any TimeSource
  ) async throws(RPCError) -> Request.Response where Request.Service == ScraperAPI {
    let end = time.now + patience
    while true {
      let refusal: RPCError
      do throws(RPCError) {
        return try await call(request, within: end - time.now)
      } catch {
        refusal = error
      }
      guard refusal.code == .resourceExhausted, let wait = refusal.retryAfter, time.now + wait < end else {
        throw refusal
      }
      guard (try? await time.sleep(for: wait)) != nil else { throw RPCError(.cancelled, "cancelled") }
    }
  }
}
