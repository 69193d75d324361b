import Glibc

/// Tells systemd, or whoever plays its part, how the service is: `READY=1` and the like, by datagrams.
nonisolated struct SupervisorNotice: Sendable {
  private let path: String?

  /// - Parameter environment: nothing is told when it does not hold `NOTIFY_SOCKET`.
  init(environment: [String: String]) {
    path = environment["NOTIFY_SOCKET"].flatMap { path in
      // One byte is for the end of a path, or for the beginning of a name in the abstract space.
      let fits = path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
      return fits && (path.hasPrefix("/") || path.hasPrefix("@")) ? path : nil
    }
  }

  func ready() { send("READY=1\nSTATUS=serving") }
  func stopping() { send("STOPPING=1\nSTATUS=draining") }

  /// Nobody listening is no reason to fail, and a full socket none to wait.
  private func send(_ message: String) {
    guard let path else { return }
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return }
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      bytes.copyBytes(from: path.utf8)
      if path.hasPrefix("@") { bytes[0] = 0 }
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + path.utf8.count)
    let bytes = Array(message.utf8)
    _ = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        sendto(socket, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), address, size)
      }
    }
  }
}
