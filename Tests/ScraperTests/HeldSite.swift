import EventLoops

/// A site that begins to answer and never ends, and tells when somebody has come and when they have hung up.
@MainActor
final class HeldSite {
  private var listener: Listener!
  private var asked: [String] = []
  private var left: [String] = []
  private let happened = Bell()
  /// Whether robots.txt is one of the pages that never end.
  private let holdsRobots: Bool
  /// Answered from now on, whole.
  var page: String?

  init(holdsRobots: Bool = false) throws {
    self.holdsRobots = holdsRobots
    listener = try Listener(on: .loopback()) { [unowned self] stream in
      stream.handler = Connection(self, stream)
    }
  }

  var address: SocketAddress { listener.address }
  var url: String { "http://\(address)" }

  func close() { listener.close() }

  /// Returns when somebody waits for a page.
  func asked(for path: String) async {
    while !isOpen(path), !Task.isCancelled { await happened.wait() }
  }

  /// Returns when the connections on which a page was asked for are closed.
  func left(from path: String) async {
    while isOpen(path), !Task.isCancelled { await happened.wait() }
  }

  func isOpen(_ path: String) -> Bool { asked.count { $0 == path } > left.count { $0 == path } }

  private func answer(_ path: String, _ stream: any ByteStream) {
    asked.append(path)
    happened.ring()
    if path == "/robots.txt", !holdsRobots {
      stream.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      stream.finish()
    } else if let page {
      stream.write(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: \(page.utf8.count)\r\n"
          + "Connection: close\r\n\r\n\(page)")
      stream.finish()
    } else {
      stream.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<!DOCTYPE html>")
    }
  }

  private func ended(_ paths: [String]) {
    left += paths
    happened.ring()
  }

  private final class Connection: ByteStreamHandler {
    private unowned let site: HeldSite
    private unowned let stream: any ByteStream
    private var bytes: [UInt8] = []
    private var paths: [String] = []

    init(_ site: HeldSite, _ stream: any ByteStream) {
      self.site = site
      self.stream = stream
    }

    func received(_ chunk: UnsafeRawBufferPointer) {
      bytes += chunk
      while let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        let words = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: " ")
        bytes.removeFirst(end.upperBound)
        let path = words.count > 1 ? String(words[1]) : ""
        paths.append(path)
        site.answer(path, stream)
      }
    }

    func drained() {}

    func closed(_ reason: StreamEnd) { site.ended(paths) }
  }
}
