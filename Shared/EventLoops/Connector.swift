import CUV
package import Clocks

/// Opens connections.
package enum Connector {
  /// Connects, or throws after `timeout` or when the task is cancelled. The stream does not read until it is told to:
  /// give it its handler, then `resumeReading()`. `time` measures the timeout and the peer's stalls.
  package static func connect(
    to address: SocketAddress, timeout: Duration = .seconds(2), limits: StreamLimits = .init(),
    time: any TimeSource = EventLoop.time
  ) async throws(SocketError) -> SocketStream {
    let attempt = Attempt(to: address, limits: limits, time)
    attempt.fail(after: timeout, SocketError(.timedOut, "cannot connect to \(address): no answer within \(timeout)"))
    let result = await withTaskCancellationHandler {
      await attempt.result()
    } onCancel: {
      Task { @MainActor in attempt.fail(SocketError(.cancelled, "cannot connect to \(address): cancelled")) }
    }
    return try result.get()
  }
}

/// One connection that is being opened. Succeeds or fails once.
private final class Attempt {
  private let address: SocketAddress
  private let time: any TimeSource
  private let stream: SocketStream
  private let handle: UnsafeMutablePointer<uv_stream_t>
  private var outcome: Result<SocketStream, SocketError>?
  private var timer: (any Scheduled)?
  private var waiter: UnsafeContinuation<Result<SocketStream, SocketError>, Never>?

  init(to address: SocketAddress, limits: StreamLimits, _ time: any TimeSource) {
    self.address = address
    self.time = time
    let isUnix = if case .unix = address { true } else { false }
    handle = allocateHandle(isUnix ? UV_NAMED_PIPE : UV_TCP)
    if isUnix {
      uv_pipe_init(LoopHandles.loop, handle.asPipe, 0)
    } else {
      uv_tcp_init(LoopHandles.loop, handle.asTCP)
    }
    stream = SocketStream(handle: handle, peer: address, limits: SharedStreamLimits(limits, time))
    start()
  }

  private func start() {
    let request = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
    request.pointee.data = Unmanaged.passRetained(self).toOpaque()
    let connected: uv_connect_cb = { request, status in
      let attempt = Unmanaged<Attempt>.fromOpaque(request!.pointee.data).takeRetainedValue()
      request!.deallocate()
      EventLoop.callback { attempt.connected(status) }
    }
    switch address {
    case .ip:
      let status = address.withSockaddr { target, _ in uv_tcp_connect(request, handle.asTCP, target, connected) }!
      if status != 0 {
        Unmanaged.passUnretained(self).release()
        request.deallocate()
        fail(SocketError(uv: status, doing: "connect to \(address)"))
      }
    case .unix(let path):
      // Reports its failure through the callback.
      uv_pipe_connect(request, handle.asPipe, path, connected)
    }
  }

  private func connected(_ status: Int32) {
    guard outcome == nil else { return }
    guard status == 0 else { return fail(SocketError(uv: status, doing: "connect to \(address)")) }
    stream.begin()
    // Nothing is read before the caller has put its handler in place.
    stream.pauseReading()
    settle(.success(stream))
  }

  /// Fails when nothing has come within `patience`. Time in which nobody looked is no silence: it is waited for again.
  func fail(after patience: Duration, _ error: SocketError) {
    let before = time.inattention
    timer = time.after(patience) { [self] in
      let missed = time.inattention - before
      if missed > .zero { fail(after: missed, error) } else { fail(error) }
    }
  }

  func fail(_ error: SocketError) {
    guard outcome == nil else { return }
    settle(.failure(error))
    stream.close(.broken(error.message))
  }

  private func settle(_ result: Result<SocketStream, SocketError>) {
    outcome = result
    timer?.cancel()
    timer = nil
    waiter?.resume(returning: result)
    waiter = nil
  }

  func result() async -> Result<SocketStream, SocketError> {
    if let outcome { return outcome }
    return await withUnsafeContinuation { waiter = $0 }
  }
}
