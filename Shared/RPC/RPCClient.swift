/// Somebody who answers the requests of one service: over a socket, in this process or in a simulation.
@MainActor
package protocol RPCClient<Service>: AnyObject, Sendable {
  associatedtype Service: RPCService

  /// Asks and waits. Cancelling the task cancels the call, here and there.
  func call<Request: RPCRequest>(_ request: Request, _ options: CallOptions) async throws(RPCError) -> Request.Response
  where Request.Service == Service

  /// Asks for many. Dropping the stream, or cancelling the task that reads it, cancels the call.
  func stream<Request: RPCStreamRequest>(
    _ request: Request, _ options: CallOptions
  ) async throws(RPCError) -> RPCStream<Request.Element>
  where Request.Service == Service
}

extension RPCClient {
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
