import CCurl
import Clocks
import EventLoops

/// libcurl's multi handle on the loop: its sockets are watched, its timer set, and what is over handed back.
///
/// A socket is watched from when libcurl opens it until libcurl closes it, also while its connection is idle, so a
/// request on a kept connection costs no system call for the watching.
final class CurlLoop {
  private let multi: UnsafeMutableRawPointer
  private var sockets: [Int32: WatchedSocket] = [:]
  private var timer: (any Scheduled)?
  private(set) var running = 0
  /// Sockets that libcurl was given.
  var opened = 0

  init(connectionsMax: Int) {
    _ = Self.globalState
    multi = curl_multi_init()
    ccurl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, connectionsMax)
    ccurl_multi_set_number(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    let context = Unmanaged.passUnretained(self).toOpaque()
    ccurl_multi_on_socket(
      multi,
      { _, socket, what, context, _ in
        MainActor.assumeIsolated { CurlLoop.of(context).interestChanged(socket, what) }
        return 0
      }, context)
    ccurl_multi_on_timer(
      multi,
      { _, milliseconds, context in
        MainActor.assumeIsolated { CurlLoop.of(context).timerChanged(milliseconds) }
        return 0
      }, context)
  }

  /// libcurl's own state, set up once in a process.
  private static let globalState: Void = { curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()

  private static func of(_ context: UnsafeMutableRawPointer?) -> CurlLoop {
    Unmanaged<CurlLoop>.fromOpaque(context!).takeUnretainedValue()
  }

  /// Starts a transfer; `CurlHandle.finished` tells how it ended.
  func start(_ handle: CurlHandle) {
    running += 1
    curl_multi_add_handle(multi, handle.easy)
  }

  /// Ends a transfer that is not over. Its connection is closed with it.
  func stop(_ handle: CurlHandle) {
    running -= 1
    curl_multi_remove_handle(multi, handle.easy)
  }

  /// Closes every connection. No transfer may be running.
  func close() {
    precondition(running == 0, "a transfer is running")
    timer?.cancel()
    timer = nil
    curl_multi_cleanup(multi)
    for socket in sockets.values { socket.watcher.stop() }
    sockets = [:]
  }

  // MARK: Sockets

  /// A socket of libcurl's and what it is watched for.
  private final class WatchedSocket {
    let watcher: SocketWatcher
    /// What libcurl wants to hear of.
    var wanted = (read: false, write: false)
    /// What the loop watches for: more than is wanted, while the connection is idle.
    var watched = (read: false, write: false)

    init(_ watcher: SocketWatcher) { self.watcher = watcher }
  }

  private func interestChanged(_ fd: Int32, _ what: Int32) {
    switch what {
    case CURL_POLL_REMOVE: sockets[fd]?.wanted = (false, false)
    default:
      if sockets[fd] == nil, let watcher = try? SocketWatcher(fd: fd) { sockets[fd] = WatchedSocket(watcher) }
      guard let socket = sockets[fd] else { return }
      socket.wanted = (what & CURL_POLL_IN != 0, what & CURL_POLL_OUT != 0)
      if socket.watched != socket.wanted { watch(fd, socket) }
    }
  }

  private func watch(_ fd: Int32, _ socket: WatchedSocket) {
    socket.watched = socket.wanted
    socket.watcher.watch(readable: socket.wanted.read, writable: socket.wanted.write) { [unowned self] readiness in
      ready(fd, readiness)
    }
  }

  private func ready(_ fd: Int32, _ readiness: SocketWatcher.Readiness) {
    guard let socket = sockets[fd] else { return }
    guard socket.wanted.read || socket.wanted.write else {
      // An idle connection's other end has closed it. libcurl finds out before it uses it again.
      return watch(fd, socket)
    }
    var events: Int32 = 0
    if readiness.readable { events |= CURL_CSELECT_IN }
    if readiness.writable { events |= CURL_CSELECT_OUT }
    if readiness.failed { events |= CURL_CSELECT_ERR }
    perform(fd, events)
  }

  /// libcurl is about to close a socket: it must not be watched any more.
  func forget(_ fd: Int32) { sockets.removeValue(forKey: fd)?.watcher.stop() }

  // MARK: Progress

  private func timerChanged(_ milliseconds: Int) {
    timer?.cancel()
    // libcurl must not be called from here, so also what is due now waits for the next turn.
    timer =
      milliseconds < 0
      ? nil
      : EventLoop.time.after(.milliseconds(milliseconds)) { [unowned self] in
        timer = nil
        perform(ccurl_no_socket(), 0)
      }
  }

  private func perform(_ fd: Int32, _ events: Int32) {
    var left: Int32 = 0
    curl_multi_socket_action(multi, fd, events, &left)
    var result = CURLE_OK
    while let easy = ccurl_multi_finished(multi, &result) {
      running -= 1
      curl_multi_remove_handle(multi, easy)
      CurlHandle.of(ccurl_context(easy)).finished(result)
    }
  }
}
