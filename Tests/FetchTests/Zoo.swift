import Clocks
import EventLoops
import Fetch

/// A server that misbehaves as it is told: real sockets, answers written by hand.
@MainActor
final class Zoo {
  struct Request: Sendable {
    var line: String
    var headers: [String: String]
    var body: [UInt8]

    var method: String { String(line.prefix { $0 != " " }) }
    var path: String { String(line.split(separator: " ").dropFirst().first ?? "") }
  }

  private(set) var requests: [Request] = []
  private(set) var open = 0
  private var listener: Listener!
  fileprivate let answer: (Request, any ByteStream) -> Void
  /// Connections, when one is over.
  private var whenIdle: [UnsafeContinuation<Void, Never>] = []
  private var whenAsked: [(count: Int, UnsafeContinuation<Void, Never>)] = []

  init(_ answer: @escaping (Request, any ByteStream) -> Void) throws {
    self.answer = answer
    listener = try Listener(on: .loopback()) { [unowned self] stream in
      open += 1
      stream.handler = ZooConnection(zoo: self, stream: stream)
    }
  }

  /// Answers each request with the same bytes, then ends the connection if it is told to.
  convenience init(_ bytes: String, closing: Bool = false) throws {
    try self.init { _, stream in
      stream.write(bytes)
      if closing { stream.finish() }
    }
  }

  var address: SocketAddress { listener.address }
  var port: UInt16 { listener.address.port! }
  var accepted: Int { listener.accepted }

  func url(_ path: String = "/", host: String = "127.0.0.1") throws -> FetchURL {
    try FetchURL(parsing: "http://\(host):\(port)\(path)")
  }

  /// A fetcher that may connect here and nowhere else; every name leads here.
  func fetcher(
    limits: Fetcher.Limits = .init(), time: any TimeSource = EventLoop.time, others: [SocketAddress] = []
  ) -> Fetcher {
    Fetcher(limits: limits, addressGuard: AddressGuard(exceptions: Set([address] + others)), time: time) { _, port in
      [.ip(.loopback, port: port)]
    }
  }

  func close() { listener.close() }

  /// Waits until no connection is open.
  func idle() async {
    if open == 0 { return }
    await withUnsafeContinuation { whenIdle.append($0) }
  }

  /// Waits until so many requests have come.
  func asked(_ count: Int) async {
    if requests.count >= count { return }
    await withUnsafeContinuation { whenAsked.append((count, $0)) }
  }

  fileprivate func received(_ request: Request, on stream: any ByteStream) {
    requests.append(request)
    answer(request, stream)
    let ready = whenAsked.filter { $0.count <= requests.count }
    whenAsked.removeAll { $0.count <= requests.count }
    for (_, continuation) in ready { continuation.resume() }
  }

  fileprivate func ended() {
    open -= 1
    guard open == 0 else { return }
    for continuation in whenIdle { continuation.resume() }
    whenIdle = []
  }
}

/// One connection: cuts what comes into requests.
@MainActor
final class ZooConnection: ByteStreamHandler {
  private let zoo: Zoo
  private unowned let stream: any ByteStream
  private var bytes: [UInt8] = []
  /// Called when what was written has gone; for answers that never end.
  static var whenDrained: [ObjectIdentifier: () -> Void] = [:]

  init(zoo: Zoo, stream: any ByteStream) {
    self.zoo = zoo
    self.stream = stream
  }

  func received(_ chunk: UnsafeRawBufferPointer) {
    bytes += chunk
    while let end = bytes.firstRange(of: [13, 10, 13, 10]) {
      let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n").map(String.init)
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        let pair = line.split(separator: ":", maxSplits: 1)
        headers[pair[0].lowercased()] = pair.count == 2 ? String(pair[1].drop { $0 == " " }) : ""
      }
      let length = headers["content-length"].flatMap { Int($0) } ?? 0
      guard bytes.count - end.upperBound >= length else { return }
      let body = Array(bytes[end.upperBound..<end.upperBound + length])
      bytes.removeFirst(end.upperBound + length)
      zoo.received(Zoo.Request(line: lines.first ?? "", headers: headers, body: body), on: stream)
    }
  }

  func drained() { Self.whenDrained[ObjectIdentifier(stream)]?() }

  func closed(_ reason: StreamEnd) {
    Self.whenDrained[ObjectIdentifier(stream)] = nil
    zoo.ended()
  }
}

/// Writes `part` again and again until the other side goes.
@MainActor
func writeForever(_ part: [UInt8], to stream: any ByteStream) {
  var block: [UInt8] = []
  while block.count < 2 << 20 { block += part }
  ZooConnection.whenDrained[ObjectIdentifier(stream)] = { [unowned stream] in stream.write(block) }
  stream.write(block)
}

/// Zeros compressed 159 to 1: a literal and then as many “the last byte, 258 times” as it takes (RFC 1951, 3.2.6).
func gzipBomb(bytes: Int) -> [UInt8] {
  var output: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
  var (buffer, bits): (UInt64, UInt64) = (0, 0)
  func write(_ value: UInt64, _ count: UInt64) {
    buffer |= value << bits
    bits += count
    while bits >= 8 {
      output.append(UInt8(truncatingIfNeeded: buffer))
      buffer >>= 8
      bits -= 8
    }
  }
  write(0b011, 3)
  write(0b0000_1100, 8)
  for _ in 0..<bytes / 258 {
    write(0b1010_0011, 8)
    write(0, 5)
  }
  return output
}

func ok(_ body: String, headers: String = "") -> String {
  "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
}
