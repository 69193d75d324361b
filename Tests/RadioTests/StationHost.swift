import AudioStreams
import Clocks
import EventLoops
import Fetch
import Radio

/// A host of playlists and streams, written by hand over real sockets.
@MainActor
final class StationHost {
  private var listener: Listener!
  fileprivate var answers: [String: (any ByteStream) -> Void] = [:]
  /// The paths that were asked for, in their order.
  fileprivate(set) var asked: [String] = []
  fileprivate var isAsked: CheckedContinuation<Void, Never>?
  /// Who hears what is pushed.
  fileprivate(set) var listeners: [ObjectIdentifier: any ByteStream] = [:]
  private(set) var fetcher: Fetcher!

  init() throws {
    listener = try Listener(on: .loopback()) { [unowned self] stream in
      stream.handler = StationConnection(self, stream)
    }
    fetcher = Fetcher(addressGuard: AddressGuard(exceptions: [listener.address]))
  }

  var base: String { "http://\(listener.address)" }

  func close() {
    fetcher.close()
    listener.close()
  }

  /// Answers a path with a document.
  func on(_ path: String, _ body: String, type: String = "text/plain", status: String = "200 OK", more: String = "") {
    let text = body.replacing("BASE", with: base)
    let head = "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\n\(more.replacing("BASE", with: base))"
    answers[path] = { $0.write(Array((head + "Content-Length: \(text.utf8.count)\r\n\r\n" + text).utf8)) }
  }

  /// Answers a path with bytes, again and again, as fast as they are taken.
  func on(_ path: String, forever bytes: [UInt8], type: String, head: String = "HTTP/1.1 200 OK") {
    answers[path] = { stream in
      stream.write(Array("\(head)\r\nContent-Type: \(type)\r\nicy-name: Night\r\n\r\n".utf8))
      var block: [UInt8] = []
      while block.count < 1 << 20 { block += bytes }
      StationConnection.whenDrained[ObjectIdentifier(stream)] = { [unowned stream] in stream.write(block) }
      stream.write(block)
    }
  }

  /// Answers a path with so much and then nothing.
  func on(_ path: String, only bytes: [UInt8], type: String) {
    answers[path] = { $0.write(Array("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n".utf8) + bytes) }
  }

  /// Answers a path with so much, and with what is pushed from then on.
  func on(_ path: String, pushed bytes: [UInt8], type: String) {
    answers[path] = { [unowned self] stream in
      stream.write(Array("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n".utf8) + bytes)
      listeners[ObjectIdentifier(stream)] = stream
    }
  }

  /// Sends the same to all who listen.
  func push(_ bytes: [UInt8]) { for stream in listeners.values { stream.write(bytes) } }

  func resolver(time: any TimeSource = EventLoop.time) -> StreamResolver {
    StreamResolver(time: time) { [unowned self] request throws(FetchError) in try await fetcher.fetch(request) }
  }

  /// Waits until something is asked for.
  func isVisited() async {
    if asked.isEmpty { await withCheckedContinuation { isAsked = $0 } }
  }

  func use(_ time: any TimeSource) {
    fetcher.close()
    fetcher = Fetcher(addressGuard: AddressGuard(exceptions: [listener.address]), time: time)
  }
}

@MainActor
private final class StationConnection: ByteStreamHandler {
  private let host: StationHost
  private unowned let stream: any ByteStream
  private var bytes: [UInt8] = []
  static var whenDrained: [ObjectIdentifier: () -> Void] = [:]

  init(_ host: StationHost, _ stream: any ByteStream) {
    self.host = host
    self.stream = stream
  }

  func received(_ chunk: UnsafeRawBufferPointer) {
    bytes += chunk
    guard let end = bytes.firstRange(of: [13, 10, 13, 10]) else { return }
    let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    bytes.removeSubrange(..<end.upperBound)
    let path = String(head.split(separator: " ").dropFirst().first ?? "")
    host.asked.append(path)
    if let answer = host.answers[path] {
      answer(stream)
    } else {
      stream.write(Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8))
    }
    host.isAsked?.resume()
    host.isAsked = nil
  }

  func drained() { Self.whenDrained[ObjectIdentifier(stream)]?() }

  func closed(_ reason: StreamEnd) {
    Self.whenDrained[ObjectIdentifier(stream)] = nil
    host.listeners[ObjectIdentifier(stream)] = nil
  }
}

/// Frames of MP3, 128 kbit/s.
let frames = (0..<20).flatMap { _ in [0xFF, 0xFB, 0x90, 0x44] + [UInt8](repeating: 0x55, count: 413) }
