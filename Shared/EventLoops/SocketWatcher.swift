import CUV

/// Tells when a socket that somebody else owns can be read or written. libcurl's sockets live on the loop by it.
package final class SocketWatcher {
  package struct Readiness: Sendable {
    package let readable: Bool
    package let writable: Bool
    package let failed: Bool
  }

  private var handle: UnsafeMutablePointer<uv_poll_t>?
  private var body: ((Readiness) -> Void)?

  package init(fd: Int32) throws(SocketError) {
    let handle = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
    let status = uv_poll_init_socket(LoopHandles.loop, handle, fd)
    guard status == 0 else {
      handle.deallocate()
      throw SocketError(uv: status, doing: "watch a socket")
    }
    self.handle = handle
    handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
  }

  /// Replaces what is watched for.
  package func watch(readable: Bool, writable: Bool, _ body: @escaping (Readiness) -> Void) {
    guard let handle else { return }
    self.body = body
    let events = (readable ? Int32(UV_READABLE.rawValue) : 0) | (writable ? Int32(UV_WRITABLE.rawValue) : 0)
    uv_poll_start(handle, events) { handle, status, events in
      let watcher = Unmanaged<SocketWatcher>.fromOpaque(handle!.pointee.data).takeUnretainedValue()
      let readiness = Readiness(
        readable: events & Int32(UV_READABLE.rawValue) != 0, writable: events & Int32(UV_WRITABLE.rawValue) != 0,
        failed: status < 0)
      EventLoop.callback { watcher.body?(readiness) }
    }
  }

  /// Stops for good. The socket must stay open until this has returned.
  package func stop() {
    guard let handle else { return }
    self.handle = nil
    body = nil
    uv_poll_stop(handle)
    uv_close(UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self)) { handle in
      Unmanaged<SocketWatcher>.fromOpaque(handle!.pointee.data).release()
      UnsafeMutableRawPointer(handle!).deallocate()
    }
  }
}
