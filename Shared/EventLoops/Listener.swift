import CUV
import Glibc

/// How a listener takes connections.
nonisolated package struct ListenerOptions: Sendable {
  /// Connections that the kernel completes before we accept them.
  package var backlog: Int32 = 512
  /// Several processes listen on one port and the kernel deals connections out between them.
  package var reusePort = false
  /// More than this many at once and the newest is closed at once: it costs an accept and a close.
  package var connectionLimit = 4_096
  /// A unix socket for the admin CLI is open to its owner only.
  package var unixMode: UInt32 = 0o600
  package var stream = StreamLimits()

  package init() {}
}

/// A socket that accepts connections and hands each to its owner.
package final class Listener {
  /// Where it listens; the port that the kernel chose if 0 was asked for.
  package let address: SocketAddress
  package private(set) var connections = 0
  package private(set) var accepted = 0
  package private(set) var turnedAway = 0

  private let options: ListenerOptions
  private let accept: (SocketStream) -> Void
  /// One for all connections, which are thousands.
  private let streamLimits: SharedStreamLimits
  private lazy var release: () -> Void = { [weak self] in self?.connections -= 1 }
  private var handle: UnsafeMutablePointer<uv_stream_t>?

  package init(
    on wanted: SocketAddress, options: ListenerOptions = .init(), accept: @escaping (SocketStream) -> Void
  ) throws(SocketError) {
    self.options = options
    self.accept = accept
    streamLimits = SharedStreamLimits(options.stream)
    let handle: UnsafeMutablePointer<uv_stream_t>
    (handle, address) =
      switch wanted {
      case .ip: try Self.bindTCP(wanted, options)
      case .unix(let path): (try Self.bindUnix(path, options), wanted)
      }
    self.handle = handle
    handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
    let status = uv_listen(handle, options.backlog) { handle, status in
      let listener = Unmanaged<Listener>.fromOpaque(handle!.pointee.data).takeUnretainedValue()
      EventLoop.callback { listener.arrived(status) }
    }
    if status != 0 {
      close()
      throw SocketError(uv: status, doing: "listen on \(wanted)")
    }
  }

  /// Throws if somebody listens there: the kernel lets in whoever shares a port, also who has nothing to do with us.
  package static func checkFree(_ address: SocketAddress) throws(SocketError) {
    switch address {
    case .ip: Glibc.close(try bind(address, reusePort: false))
    case .unix(let path):
      // A path that a dead process left behind is nobody's.
      guard cuv_someone_listens(path) == 0 else {
        throw SocketError(.addressInUse, "cannot listen on \(path): another process does; stop it first")
      }
    }
  }

  private static func bind(_ wanted: SocketAddress, reusePort: Bool) throws(SocketError) -> Int32 {
    let fd = wanted.withSockaddr { cuv_bound_tcp_socket($0, $1, reusePort ? 1 : 0) }!
    guard fd >= 0 else { throw SocketError(uv: fd, doing: "listen on \(wanted)") }
    return fd
  }

  private static func bindTCP(
    _ wanted: SocketAddress, _ options: ListenerOptions
  ) throws(SocketError) -> (UnsafeMutablePointer<uv_stream_t>, SocketAddress) {
    let fd = try bind(wanted, reusePort: options.reusePort)
    let handle = allocateHandle(UV_TCP)
    uv_tcp_init(LoopHandles.loop, handle.asTCP)
    uv_tcp_open(handle.asTCP, fd)
    return (handle, socketName(handle) ?? wanted)
  }

  private static func bindUnix(
    _ path: String, _ options: ListenerOptions
  ) throws(SocketError) -> UnsafeMutablePointer<uv_stream_t> {
    guard path.utf8.count <= SocketAddress.pathBytesMax else {
      throw SocketError(
        .invalidAddress,
        "\(path) has \(path.utf8.count) bytes and a socket's path at most \(SocketAddress.pathBytesMax)")
    }
    try checkFree(.unix(path: path))
    unlink(path)
    let handle = allocateHandle(UV_NAMED_PIPE)
    uv_pipe_init(LoopHandles.loop, handle.asPipe, 0)
    let previous = umask(~options.unixMode & 0o777)
    let status = uv_pipe_bind(handle.asPipe, path)
    umask(previous)
    guard status == 0 else {
      uv_close(handle.asHandle) { UnsafeMutableRawPointer($0!).deallocate() }
      throw SocketError(uv: status, doing: "listen on \(path)")
    }
    return handle
  }

  private func arrived(_ status: Int32) {
    // Out of descriptors, libuv accepts and closes with one it keeps in reserve, so the loop does not spin.
    guard status == 0, let handle else { return }
    let isUnix = if case .unix = address { true } else { false }
    let connection = allocateHandle(isUnix ? UV_NAMED_PIPE : UV_TCP)
    if isUnix {
      uv_pipe_init(LoopHandles.loop, connection.asPipe, 0)
    } else {
      uv_tcp_init(LoopHandles.loop, connection.asTCP)
    }
    let peer = SocketStream(handle: connection, peer: address, limits: streamLimits)
    guard uv_accept(handle, connection) == 0 else { return peer.close(.broken("gone before it was accepted")) }
    accepted += 1
    guard connections < options.connectionLimit else {
      turnedAway += 1
      return peer.close(.overLimit)
    }
    connections += 1
    if !isUnix, let name = peerName(connection) { peer.name(name) }
    peer.begin(whenClosed: release)
    accept(peer)
  }

  /// Stops accepting. Connections that were accepted live on.
  package func close() {
    guard let handle else { return }
    self.handle = nil
    // libuv removes a unix socket's path itself.
    uv_close(handle.asHandle) { handle in
      Unmanaged<Listener>.fromOpaque(handle!.pointee.data).release()
      UnsafeMutableRawPointer(handle!).deallocate()
    }
  }
}

/// Memory for one of libuv's handles; freed in its close callback.
func allocateHandle(_ type: uv_handle_type) -> UnsafeMutablePointer<uv_stream_t> {
  UnsafeMutableRawPointer.allocate(byteCount: uv_handle_size(type), alignment: 16)
    .assumingMemoryBound(to: uv_stream_t.self)
}

private func socketName(_ handle: UnsafeMutablePointer<uv_stream_t>) -> SocketAddress? {
  withAddressStorage { uv_tcp_getsockname(handle.asTCP, $0, $1) }
}

func peerName(_ handle: UnsafeMutablePointer<uv_stream_t>) -> SocketAddress? {
  withAddressStorage { uv_tcp_getpeername(handle.asTCP, $0, $1) }
}

private func withAddressStorage(
  _ fill: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<Int32>) -> Int32
) -> SocketAddress? {
  var storage = sockaddr_storage()
  var size = Int32(MemoryLayout<sockaddr_storage>.size)
  return withUnsafeMutablePointer(to: &storage) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { fill($0, &size) == 0 ? SocketAddress($0) : nil }
  }
}
