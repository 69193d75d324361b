import Clocks
import Contracts
import EventLoops
import HTTP
import RPC
import RPCTransport

/// An HTTP request that never leaves the process: it goes through the same parser, desk and flow as any other.
final class InnerRequest: ByteStreamHandler {
  private let bytes: [UInt8]
  private var received: [UInt8] = []
  private var isOver = false
  private var waiting: UnsafeContinuation<Void, Never>?
  private var client: MemoryStream?

  /// The largest answer that is handed on: what fits in one message.
  private static let answerMax = 2 << 20

  init(_ request: FetchThroughGateway) throws {
    guard HTTPMethod(rawValue: request.verb) != nil else {
      throw RPCError(.invalidArgument, "'\(request.verb)' is no method; give GET, PUT, POST, PATCH or DELETE")
    }
    let lines = request.fields + [request.path]
    guard request.path.hasPrefix("/"), lines.allSatisfy({ $0.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }),
      !request.path.contains(" ")
    else {
      throw RPCError(.invalidArgument, "the path begins with / and it and the fields are ASCII; percent-encode it")
    }
    var head = ["\(request.verb) \(request.path) HTTP/1.1", "Host: localhost", "Connection: close"] + request.fields
    let body = Array((request.body ?? "").utf8)
    if request.body != nil { head.append("Content-Length: \(body.count)") }
    bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }

  func answer(by server: HTTPServer, time: any TimeSource) async throws -> FetchedThroughGateway {
    let start = time.now
    let (client, end) = MemoryStream.pair(name: "administrator", time: time)
    self.client = client
    client.handler = self
    server.accept(end)
    client.write(bytes)
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        if isOver { continuation.resume() } else { waiting = continuation }
      }
    } onCancel: {
      Task { @MainActor in self.finish() }
    }
    client.close(.done)
    return try parsed(took: time.now - start)
  }

  private func parsed(took: Duration) throws -> FetchedThroughGateway {
    let split = Array("\r\n\r\n".utf8)
    guard let end = received.indices.first(where: { received[$0...].starts(with: split) }) else {
      throw RPCError(.internal, "the gateway closed without an answer")
    }
    let lines = String(decoding: received[..<end], as: UTF8.self).split(separator: "\r\n").map(String.init)
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    guard let status else { throw RPCError(.internal, "the gateway's answer has no status") }
    return FetchedThroughGateway(
      status: status, fields: Array(lines.dropFirst()), body: Array(received[(end + split.count)...]),
      microseconds: Int(took / .microseconds(1)))
  }

  func received(_ bytes: UnsafeRawBufferPointer) {
    received.append(contentsOf: bytes)
    // A stream of events has no end; its beginning is enough.
    if received.count > Self.answerMax { finish() }
  }

  func ended(_ stream: any ByteStream) { finish() }
  func closed(_ reason: StreamEnd) { finish() }

  private func finish() {
    isOver = true
    waiting?.resume()
    waiting = nil
  }
}
