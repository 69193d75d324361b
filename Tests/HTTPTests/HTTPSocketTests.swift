import Clocks
import EventLoops
import HTTP
import Testing

/// The few things that only real sockets can show.
@MainActor
@Suite("HTTP over sockets", .timeLimit(.minutes(5)))
struct HTTPSocketTests {
  /// A client that waits for what it wants to read.
  @MainActor
  final class Client: ByteStreamHandler {
    let stream: SocketStream
    private(set) var bytes: [UInt8] = []
    private(set) var hasEnded = false
    private var wanted: (([UInt8]) -> Bool)?
    private var continuation: CheckedContinuation<Void, Never>?

    init(to address: SocketAddress) async throws {
      stream = try await Connector.connect(to: address)
      stream.handler = self
      stream.resumeReading()
    }

    func send(_ text: String) { stream.write(text) }

    /// Waits until what was read suffices, or no more comes.
    func read(until wanted: @escaping ([UInt8]) -> Bool) async -> [UInt8] {
      if !hasEnded, !wanted(bytes) {
        self.wanted = wanted
        await withCheckedContinuation { continuation = $0 }
      }
      return bytes
    }

    func replies(_ count: Int) async -> [Reply] {
      let bytes = await read { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: true).count >= count else { return false }
        let lengths = text.split(separator: "\r\n").compactMap { line in
          line.hasPrefix("Content-Length: ") ? Int(line.dropFirst(16)) : nil
        }
        let heads = text.split(separator: "\r\n\r\n", omittingEmptySubsequences: false).count - 1
        return heads >= count && text.utf8.count >= lengths.reduce(0, +)
      }
      return Reply.all(in: bytes)
    }

    func received(_ more: UnsafeRawBufferPointer) {
      bytes.append(contentsOf: more)
      if wanted?(bytes) == true { wake() }
    }

    func ended(_ stream: any ByteStream) {
      hasEnded = true
      wake()
      stream.close(.endedByPeer)
    }

    func closed(_ reason: StreamEnd) {
      hasEnded = true
      wake()
    }

    private func wake() {
      wanted = nil
      continuation?.resume()
      continuation = nil
    }
  }

  private func serve(
    _ options: HTTPServer.Options = .init(), _ routes: (inout HTTPRouter) -> Void
  ) throws -> (HTTPServer, SocketAddress) {
    var router = HTTPRouter()
    router.get("/hello") { _ in .json(HTTPFixture.hello) }
    router.on(.post, "/echo") { request in .text("\(request.body.count)") }
    routes(&router)
    let server = HTTPServer(router: router, options: options, time: EventLoop.time)
    return (server, try server.listen(on: .loopback()))
  }

  @Test("requests are answered, large ones and small ones, and the connection goes on")
  func exchange() async throws {
    let (server, address) = try serve { router in
      router.get("/big") { _ in .text(String(repeating: "b", count: 3_000_000)) }
    }
    let client = try await Client(to: address)
    client.send(HTTPFixture.get("/hello"))
    #expect(await client.replies(1).map(\.status) == [200])
    let body = String(repeating: "x", count: 900_000)
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    #expect(await client.replies(2).last?.body == "900000")
    client.send(HTTPFixture.get("/big"))
    let bytes = await client.read { $0.count > 3_000_000 }
    #expect(bytes.count > 3_000_000)
    client.stream.close(.done)
    await server.drain()
    #expect(server.connections == 0)
  }

  @Test("sixteen pipelined requests cost one write")
  func oneWrite() async throws {
    let fixture = HTTPFixture()
    var accepted: SocketStream?
    let listener = try Listener(on: .loopback()) { stream in
      accepted = stream
      fixture.server.accept(stream)
    }
    let client = try await Client(to: listener.address)
    client.send(String(repeating: HTTPFixture.get("/hello"), count: 16))
    #expect(await client.replies(16).count == 16)
    #expect(accepted?.writes == 1)
    client.stream.close(.done)
    listener.close()
  }

  @Test("a client that breaks off during its answer cancels the handler")
  func goneWhileWaiting() async throws {
    var outcome: CheckedContinuation<Bool, Never>?
    var started: CheckedContinuation<Void, Never>?
    let (server, address) = try serve { router in
      router.get("/slow") { _ async in
        started?.resume()
        do {
          try await EventLoop.time.sleep(for: .seconds(3_600))
          outcome?.resume(returning: false)
        } catch {
          outcome?.resume(returning: true)
        }
        return .noContent
      }
    }
    let client = try await Client(to: address)
    // What it has not read when it closes makes the kernel reset the connection, which a half-close is not.
    client.stream.pauseReading()
    client.send(HTTPFixture.get("/hello") + HTTPFixture.get("/slow"))
    await withCheckedContinuation { started = $0 }
    // Once round the loop: the first answer leaves at the end of the turn in which it was given.
    try await EventLoop.time.sleep(for: .zero)
    let isCancelled = await withCheckedContinuation { continuation in
      outcome = continuation
      client.stream.close(.done)
    }
    #expect(isCancelled)
    await server.drain()
  }

  @Test("a client that half-closes after its requests is answered and then closed")
  func halfClose() async throws {
    let (server, address) = try serve { router in
      router.get("/later") { _ async in
        await Task.yield()
        return .text("later")
      }
    }
    let client = try await Client(to: address)
    client.send(HTTPFixture.get("/later") + HTTPFixture.get("/hello"))
    client.stream.finish()
    let replies = await Reply.all(in: client.read { _ in false })
    #expect(replies.map(\.status) == [200, 200])
    await server.drain()
  }

  @Test("a refused upload gets to read why")
  func refusedUpload() async throws {
    let (server, address) = try serve { _ in }
    let client = try await Client(to: address)
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 500000000\r\n\r\n")
    client.send(String(repeating: "x", count: 300_000))
    #expect(await client.replies(1).map(\.status) == [413])
    await server.drain()
  }

  @Test("events reach three hundred sockets, at most 256 in a turn, and draining says goodbye to each")
  func events() async throws {
    let hub = EventHub<TopicReader>(time: EventLoop.time)
    let (server, address) = try serve { router in
      router.get("/events") { _ in hub.answer(to: TopicReader(hub, owner: "x", topics: ["a"])) }
    }
    var clients: [Client] = []
    for _ in 0..<300 {
      let client = try await Client(to: address)
      client.send(HTTPFixture.get("/events"))
      clients.append(client)
    }
    for client in clients { _ = await client.read { String(decoding: $0, as: UTF8.self).contains(":ok") } }
    for index in 0..<5 { hub.publish("\(index)", to: "a") }
    for client in clients {
      let text = String(
        decoding: await client.read { String(decoding: $0, as: UTF8.self).contains("data: 4") }, as: UTF8.self)
      #expect((0..<5).allSatisfy { text.contains("data: \($0)\n") })
    }
    #expect(hub.counters.inTurnMax <= 256 && hub.counters.delivered == 1_500)
    async let drained: Void = server.drain()
    for client in clients {
      #expect(String(decoding: await client.read { _ in false }, as: UTF8.self).contains("event: bye"))
    }
    await drained
    #expect(hub.readers.isEmpty && server.connections == 0)
  }
}
