/// Somebody who answers the requests of one service: over a socket, in this process or in a simulation.
@MainActor
package protocol RPCClient<Service>: AnyObject, Sendable {
  associatedtype Service: RPCService

  /// Asks and waits. Cancelling the task cancels the call, here and there.
  func call<Request: RPCRequest>(_ request: Request, _ options: CallOptions) async throws(RPCError) -> Request.Response
  where Request.Service == Service

  /// Asks without a task, if somebody can be asked at this moment, and hands over how it ended: once, on the loop.
  /// Deadline, balance and repetition are those of `call`.
  ///
  /// Nil if asking would have to wait: then nothing was asked, and `call` is the way.
  func begin<Request: RPCRequest>(
    _ request: Request, _ options: CallOptions,
    _ ended: @escaping @MainActor (Result<Request.Response, RPCError>) -> Void
  ) -> (any CallUnderWay)? where Request.Service == Service

  /// Asks for many. Dropping the stream, or cancelling the task that reads it, cancels the call.
  func stream<Request: RPCStreamRequest>(
    _ request: Request, _ options: CallOptions
  ) async throws(RPCError) -> RPCStream<Request.Element>
  where Request.Service == Service
}

/// A call that was begun without a task.
@MainActor
package protocol CallUnderWay: AnyObject {
  /// Nobody wants the answer any more. The call ends, here and there, as `cancelled` if it has not ended.
  func cancel()
}

extension RPCClient {
  /// Of clients that always go through a task.
  package func begin<Request: RPCRequest>(
    _ request: Request, _ options: CallOptions,
    _ ended: @escaping @MainActor (Result<Request.Response, RPCError>) -> Void
  ) -> (any CallUnderWay)? where Request.Service == Service { nil }

  package func call<Request: RPCRequest>(_ request: Request) async throws(RPCError) -> Request.Response
  where Request.Service == Service {
    try await call(request, CallOptions())
  }

  package func call<Request: RPCRequest>(
    _ request: Request, within timeout: Duration
  ) async throws(RPCError) -> Request.Response
  where Request.Service == Service {
    try await call(request, CallOptions(timeout: timeout))
  }

  package func stream<Request: RPCStreamRequest>(
    _ request: Request
  ) async throws(RPCError) -> RPCStream<Request.Element>
  where Request.Service == Service {
    try await stream(request, CallOptions())
  }
}
