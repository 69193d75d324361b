import Clocks
import RPC
import Wire

/// A call whose end is handed to a function, where others have a task that waits.
///
/// The answer is decoded and handed over where its frame is read: nothing is made ready, and nothing is resumed.
final class DirectCall<Request: RPCRequest>: PendingReply, CallUnderWay {
  typealias Ended = @MainActor (Result<Request.Response, RPCError>) -> Void

  /// On the place's connection.
  var stream: UInt32 = 0
  /// The attempts after the first, if there are any.
  var further: Task<Void, Never>?
  let mayRetry: Bool
  let context: CallContext
  let began: Instant
  let place: EndpointPool.Place

  private let client: ServiceClient<Request.Service>
  private var ended: Ended?
  /// Last: where fields lie that stand behind one of unknown size has to be looked up.
  let request: Request

  init(
    _ request: Request, _ context: CallContext, since began: Instant, mayRetry: Bool,
    of client: ServiceClient<Request.Service>, at place: EndpointPool.Place, _ ended: @escaping Ended
  ) {
    self.request = request
    self.context = context
    self.began = began
    self.mayRetry = mayRetry
    self.client = client
    self.place = place
    self.ended = ended
  }

  nonisolated deinit {}

  override func arrived(_ payload: UnsafeRawBufferPointer, _ decoder: WireDecoder, _ tables: ReceivedTables) {
    do throws(WireError) {
      let answer = try decoder.decode(Request.Response.self, from: payload, tables: tables)
      guard let ended = leave(nil) else { return }
      client.count(Request.self, since: began, nil)
      ended(.success(answer))
    } catch {
      failed(.unreadable(Request.Response.self, error))
    }
  }

  override func finished(_ result: Result<Void, RPCError>) {
    switch result {
    case .failure(let error): failed(error)
    case .success: failed(.withoutAnswer)
    }
  }

  private func failed(_ error: RPCError) {
    guard let ended = leave(error) else { return }
    client.goOn(self, after: error, ended)
  }

  /// Gives the place back. Nil if the attempt was over already.
  private func leave(_ failure: RPCError?) -> Ended? {
    guard let ended = ended.take() else { return nil }
    client.pool.leave(place, failure)
    return ended
  }

  func cancel() {
    if let further { further.cancel() } else { place.connection.cancel(stream) }
  }
}
