package import Clocks

/// A client in the server's own process: the same router, the same contexts and errors, and no bytes.
@MainActor
package final class InProcessClient<Service: RPCService>: RPCClient {
  private let router: RPCRouter
  private let time: any TimeSource
  private var superseding = SupersedeTable<SupersedeMark.Pane, PaneCall>()

  package init(of _: Service.Type = Service.self, _ router: RPCRouter, time: any TimeSource) {
    self.router = router
    self.time = time
  }

  package func call<Request: RPCRequest>(
    _ request: Request, _ options: CallOptions
  ) async throws(RPCError) -> Request.Response where Request.Service == Service {
    let context = options.context(now: time.now, safety: Request.safety)
    guard let method = router[Request.method] as? any TypedMethod<Request> else {
      throw .unknown(Request.method, to: router.serviceName)
    }
    guard context.deadline > time.now else {
      throw RPCError(.deadlineExceeded, "the time was up before the call was made", executed: .no)
    }
    if Request.safety == .keyed, context.key == nil {
      throw RPCError(.invalidArgument, "\(Request.self) needs an idempotency key", executed: .no)
    }
    try context.metadata.checkSize()
    let call = RunningCall<Request.Response>()
    // What answers at once is over before anything newer can come.
    let mark = router[Request.method]?.answersAtOnce == true ? nil : context.supersede
    if let mark { try supersede(PaneCall(call: call), mark, isRead: Request.safety == .read) }
    let timer = time.after(context.deadline - time.now) {
      call.end(with: .failure(RPCError(.deadlineExceeded, "\(Service.name) did not answer in time")))
    }
    let result = await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        call.begin(continuation) {
          do throws(RPCError) {
            call.end(with: .success(try await method.handle(request, context)))
          } catch {
            call.end(with: .failure(self.named(error)))
          }
        }
      }
    } onCancel: {
      Task { @MainActor in call.end(with: .failure(RPCError(.cancelled, "cancelled"))) }
    }
    timer.cancel()
    if let mark { superseding.finish(mark.pane, call: PaneCall(call: call), now: time.now) }
    return try result.get()
  }

  /// With a task all the same: here it is there so that flows go the same way as over a connection.
  package func begin<Request: RPCRequest>(
    _ request: Request, _ options: CallOptions,
    _ ended: @escaping @MainActor (Result<Request.Response, RPCError>) -> Void
  ) -> (any CallUnderWay)? where Request.Service == Service {
    CallInTask(
      Task { @MainActor in
        do throws(RPCError) {
          ended(.success(try await self.call(request, options)))
        } catch {
          ended(.failure(error))
        }
      })
  }

  /// Ends the calls that this one replaces; throws if it is itself too old.
  private func supersede(_ call: PaneCall, _ mark: SupersedeMark, isRead: Bool) throws(RPCError) {
    switch superseding.arrive(mark.pane, sequence: mark.sequence, call: call, isRead: isRead, now: time.now) {
    case .notARead: break
    case .run(let older):
      for call in older {
        call.call.end(failing: named(RPCError(.superseded, "a newer request of the same pane took its place")))
      }
    case .superseded(let newer):
      throw named(
        RPCError(.superseded, "request \(mark.sequence) of this pane came after its request \(newer)"))
    }
  }

  package func stream<Request: RPCStreamRequest>(
    _ request: Request, _ options: CallOptions
  ) async throws(RPCError) -> RPCStream<Request.Element> where Request.Service == Service {
    let context = options.context(now: time.now, safety: nil)
    try context.metadata.checkSize()
    guard let method = router[Request.method] as? any TypedStreamMethod<Request> else {
      throw .unknown(Request.method, to: router.serviceName)
    }
    let gate = StreamGate()
    let buffer = StreamBuffer<Request.Element>(consumed: { _ in gate.open() }, abandoned: { gate.leave() })
    let writer = StreamWriter<Request.Element>(isShuttingDown: { false }) { (element) throws(RPCError) in
      while buffer.waiting >= StreamGate.elementsMax { try await gate.room() }
      guard !gate.hasLeft else { throw RPCError(.cancelled, "the reader left") }
      buffer.push(element, weight: 1)
    }
    gate.task = Task.immediate { @MainActor in
      do throws(RPCError) {
        try await method.handle(request, context, writer)
        buffer.finish(.success(()))
      } catch {
        buffer.finish(.failure(self.named(error)))
      }
    }
    if context.deadline < .distantFuture {
      time.after(context.deadline - time.now) {
        buffer.finish(.failure(RPCError(.deadlineExceeded, "\(Service.name) was not done in time")))
        gate.leave()
      }
    }
    return RPCStream(buffer)
  }

  private func named(_ error: RPCError) -> RPCError {
    var error = error
    // As over a wire, the cause stays with the service.
    error.cause = nil
    if error.origin == nil { error.origin = router.serviceName }
    return error
  }
}

private final class CallInTask: CallUnderWay {
  private let task: Task<Void, Never>
  init(_ task: Task<Void, Never>) { self.task = task }
  func cancel() { task.cancel() }
}

/// A call that can be ended from outside, whatever it would have been answered with.
@MainActor
private protocol Endable: AnyObject {
  func end(failing error: RPCError)
}

/// A call as the supersede table compares it: by identity.
private struct PaneCall: Equatable {
  let call: any Endable
  static func == (left: PaneCall, right: PaneCall) -> Bool { left.call === right.call }
}

/// A call whose caller may stop waiting before its handler is done.
@MainActor
private final class RunningCall<Response: Sendable>: Endable {
  private var continuation: UnsafeContinuation<Result<Response, RPCError>, Never>?
  private var task: Task<Void, Never>?
  private var isOver = false

  func begin(
    _ continuation: UnsafeContinuation<Result<Response, RPCError>, Never>,
    _ body: @escaping @MainActor () async -> Void
  ) {
    guard !isOver else { return continuation.resume(returning: .failure(RPCError(.cancelled, "cancelled"))) }
    self.continuation = continuation
    task = Task.immediate { @MainActor in await body() }
    if isOver { task?.cancel() }
  }

  func end(failing error: RPCError) { end(with: .failure(error)) }

  func end(with result: Result<Response, RPCError>) {
    guard !isOver else { return }
    isOver = true
    continuation?.resume(returning: result)
    continuation = nil
    if case .failure = result { task?.cancel() }
  }
}

/// Lets a writer wait for its reader.
@MainActor
private final class StreamGate {
  /// Elements that wait for a reader in the same process.
  static let elementsMax = 64

  var task: Task<Void, Never>?
  private(set) var hasLeft = false
  private var waiter: UnsafeContinuation<Void, Never>?

  func room() async throws(RPCError) {
    guard !hasLeft, !Task.isCancelled else { throw RPCError(.cancelled, "the reader left") }
    await withUnsafeContinuation { waiter = $0 }
  }

  func open() {
    waiter?.resume()
    waiter = nil
  }

  func leave() {
    hasLeft = true
    task?.cancel()
    open()
  }
}
