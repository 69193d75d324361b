import Clocks
import EventLoops
import Glibc
import TestKit
import Testing

@Suite("A socket stream")
@MainActor
struct StreamTests {
  @Test("what is sent comes back whole, over TCP and over a unix socket", arguments: [false, true])
  func echo(unix: Bool) async throws {
    let address: SocketAddress = unix ? .unix(path: "/tmp/odi-echo-\(getpid()).sock") : .loopback()
    let server = try EchoServer(on: address)
    defer { server.listener.close() }
    let client = try await Client(to: server.listener.address)
    let sent = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    client.stream.write(sent)
    await client.waitFor(bytes: sent.count)
    #expect(client.received == sent)
    if unix { #expect(server.streams[0].peerUser == getuid()) }
    client.stream.close(.done)
    #expect(await client.ending() == .done)
    #expect(await server.nextEnd() == .endedByPeer)
    #expect(server.listener.connections == 0)
  }

  @Test("what is written in one turn leaves in one write")
  func coalescing() async throws {
    let server = try EchoServer(on: .loopback())
    defer { server.listener.close() }
    let client = try await Client(to: server.listener.address)
    let before = client.stream.writes
    for _ in 0..<1_000 { client.stream.write("twelve bytes") }
    await client.waitFor(bytes: 12_000)
    #expect(client.stream.writes == before + 1)
    client.stream.close(.done)
  }

  @Test("a writer with more to do sends what it has, and what follows leaves at the end of the turn")
  func early() async throws {
    let server = try EchoServer(on: .loopback())
    defer { server.listener.close() }
    let client = try await Client(to: server.listener.address)
    let before = client.stream.writes
    client.stream.sendEarly()
    client.stream.write("first")
    client.stream.sendEarly()
    #expect(client.stream.writes == before + 1 && client.stream.queuedBytes == 0)
    client.stream.sendEarly()
    client.stream.write(", second")
    client.stream.write(", third")
    client.stream.finish()
    #expect(client.stream.writes == before + 1)
    #expect(await client.ending() == .endedByPeer)
    #expect(client.stream.writes == before + 2)
    #expect(String(decoding: client.received, as: UTF8.self) == "first, second, third")
  }

  @Test("half-closing sends what is queued, and the answer still arrives")
  func halfClose() async throws {
    let server = try EchoServer(on: .loopback(), answersAtEnd: "goodbye")
    defer { server.listener.close() }
    let client = try await Client(to: server.listener.address)
    client.stream.write("hello")
    client.stream.finish()
    #expect(await client.ending() == .endedByPeer)
    #expect(String(decoding: client.received, as: UTF8.self) == "hellogoodbye")
  }

  @Test("a peer that does not read costs a bounded queue, and the writer hears when it is drained")
  func backpressure() async throws {
    var limits = StreamLimits()
    limits.queueHighWater = 64 << 10
    limits.queueLowWater = 16 << 10
    let server = try EchoServer(on: .loopback())
    defer { server.listener.close() }
    server.isDeaf = true
    let client = try await Client(to: server.listener.address, limits: limits)
    let chunk = [UInt8](repeating: 7, count: 32 << 10)
    var written = 0
    while !client.stream.isOverHighWater {
      client.stream.write(chunk)
      written += chunk.count
      await Turn.next()
    }
    #expect(client.stream.queuedBytes <= limits.queueHighWater + chunk.count)
    server.hearAgain()
    await client.drain()
    #expect(!client.stream.isOverHighWater)
    await client.waitFor(bytes: written)
    client.stream.close(.done)
  }

  @Test("a peer that lets the queue pass its limit is cut off")
  func overflow() async throws {
    var limits = StreamLimits()
    limits.queueMax = 100 << 10
    let server = try EchoServer(on: .loopback())
    defer { server.listener.close() }
    let client = try await Client(to: server.listener.address, limits: limits)
    client.stream.write([UInt8](repeating: 0, count: 200 << 10))
    #expect(await client.ending() == .tooSlow)
  }

  @Test("a reader that pauses slows the writer, and loses nothing")
  func pausedReader() async throws {
    let server = try EchoServer(on: .loopback())
    defer { server.listener.close() }
    let client = try await Client(to: server.listener.address)
    client.stream.pauseReading()
    let sent = [UInt8](repeating: 9, count: 1 << 20)
    client.stream.write(sent)
    for _ in 0..<20 { await Turn.next() }
    #expect(client.received.isEmpty)
    client.stream.resumeReading()
    await client.waitFor(bytes: sent.count)
    #expect(client.received == sent)
    client.stream.close(.done)
  }

  @Test("one connection over the limit is closed, and the others do not notice")
  func connectionLimit() async throws {
    var options = ListenerOptions()
    options.connectionLimit = 2
    let server = try EchoServer(on: .loopback(), options: options)
    defer { server.listener.close() }
    let first = try await Client(to: server.listener.address)
    let second = try await Client(to: server.listener.address)
    first.stream.write("a")
    second.stream.write("b")
    await first.waitFor(bytes: 1)
    await second.waitFor(bytes: 1)
    let third = try await Client(to: server.listener.address)
    _ = await third.ending()
    #expect(server.listener.turnedAway == 1)
    first.stream.write("c")
    await first.waitFor(bytes: 2)
    first.stream.close(.done)
    second.stream.close(.done)
  }

  @Test("two listeners share a port when both ask for it, and only then")
  func reusePort() throws {
    var options = ListenerOptions()
    options.reusePort = true
    let first = try Listener(on: .loopback(), options: options) { $0.close(.done) }
    let second = try Listener(on: first.address, options: options) { $0.close(.done) }
    second.close()
    #expect(throws: SocketError.self) { try Listener(on: first.address) { $0.close(.done) } }
    // The first of those that mean to share it can ask whether a stranger is there.
    let taken = #expect(throws: SocketError.self) { try Listener.checkFree(first.address) }
    #expect(taken?.code == .addressInUse)
    first.close()
    try Listener.checkFree(first.address)
  }

  @Test("a path that a dead process left is taken over, one that answers is refused")
  func unixPath() async throws {
    let path = "/tmp/odi-path-\(getpid()).sock"
    let stale = try Listener(on: .unix(path: path)) { $0.close(.done) }
    let refused = #expect(throws: SocketError.self) { try Listener(on: .unix(path: path)) { $0.close(.done) } }
    #expect(refused?.code == .addressInUse)
    stale.close()
    await Turn.next()
    #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
    let taken = try Listener(on: .unix(path: path)) { $0.close(.done) }
    taken.close()
    #expect(throws: SocketError.self) {
      try Listener(on: .unix(path: "/tmp/" + String(repeating: "x", count: 120))) { $0.close(.done) }
    }
  }

  @Test("who was answered while nobody looked is connected, however late that is seen")
  func lateLook() async throws {
    let listener = try Listener(on: .loopback()) { $0.close(.done) }
    defer { listener.close() }
    // Begun and due in one turn: timers have theirs before the sockets are looked at again.
    let patience = Duration.milliseconds(60)
    var result: Result<SocketStream, SocketError>?
    var connecting: Task<Void, Never>?
    let trigger = try Listener(on: .loopback()) { stream in
      stream.close(.done)
      connecting = EventLoop.begin {
        do throws(SocketError) {
          result = .success(try await Connector.connect(to: listener.address, timeout: patience))
        } catch {
          result = .failure(error)
        }
      }
      EventLoop.begin {
        let due = ContinuousClock.now + patience * 2
        while ContinuousClock.now < due {}
      }
    }
    defer { trigger.close() }
    _ = try await Client(to: trigger.address).ending()
    await connecting?.value
    try result?.get().close(.done)
    #expect(result != nil)
  }

  @Test("a peer that takes nothing for as long as a stall lasts is cut off, and none earlier")
  func stall() async throws {
    let time = ManualTime()
    var limits = StreamLimits()
    limits.queueMax = 64 << 20
    limits.stall = .seconds(5)
    let server = try EchoServer(on: .loopback())
    defer { server.listener.close() }
    server.isDeaf = true
    let client = try await Client(to: server.listener.address, limits: limits, time: time)
    client.stream.write([UInt8](repeating: 7, count: 48 << 20))
    // The kernel's buffers take some of it, and then nothing for as long as it takes to say that he stalls.
    while time.pending == 0 { await Turn.next() }
    for _ in 0..<20 { await Turn.next() }
    time.advance(by: .seconds(5))
    await Turn.next()
    #expect(client.end == nil)
    // One who takes a little from time to time may be as slow as that. Less would not make the kernel ask for more.
    for _ in 0..<5 {
      let taken = server.streams[0].bytesReceived
      server.hearAgain()
      while server.streams[0].bytesReceived < taken + (4 << 20) { await Turn.next() }
      server.streams[0].pauseReading()
      for _ in 0..<20 { await Turn.next() }
      time.advance(by: .seconds(4))
      await Turn.next()
      #expect(client.end == nil)
    }
    time.advance(by: .seconds(10))
    #expect(await client.ending() == .tooSlow)
    time.advance(by: .seconds(1))
    #expect(time.pending == 0)
  }

  @Test("an address that does not answer times out")
  func connectTimeout() async throws {
    let time = ManualTime()
    // Takes one connection, which nobody accepts, and leaves all further ones without an answer.
    let silent = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(silent) }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        bind(silent, name, size) == 0 && listen(silent, 0) == 0 && getsockname(silent, name, &size) == 0
      }
    }
    #expect(isListening)
    let address = try SocketAddress(parsing: "127.0.0.1:\(UInt16(bigEndian: name.sin_port))")
    var held: [SocketStream] = []
    defer { for stream in held { stream.close(.done) } }
    var failure: SocketError?
    while failure == nil, held.count < 10 {
      let attempt = Task { () -> Result<SocketStream, SocketError> in
        do throws(SocketError) {
          return .success(try await Connector.connect(to: address, timeout: .seconds(5), time: time))
        } catch {
          return .failure(error)
        }
      }
      // Many turns: whoever is answered is connected by then.
      for _ in 0..<20 { await Turn.next() }
      time.advance(by: .seconds(5))
      switch await attempt.value {
      case .success(let stream): held.append(stream)
      case .failure(let error): failure = error
      }
    }
    #expect(failure?.code == .timedOut)
    #expect(failure?.message.contains("no answer within 5.0 seconds") == true)
    #expect(!held.isEmpty && held.count < 10)
  }

  @Test("a closed port is unreachable, and who is cancelled does not wait for an answer")
  func connectFailures() async throws {
    let listener = try Listener(on: .loopback()) { $0.close(.done) }
    let address = listener.address
    listener.close()
    await Turn.next()
    let closed = await #expect(throws: SocketError.self) { try await Connector.connect(to: address) }
    #expect(closed?.code == .unreachable)
    let task = Task { try await Connector.connect(to: address, timeout: .seconds(30)) }
    task.cancel()
    await #expect(throws: SocketError.self) { try await task.value }
  }

  @Test("without file descriptors the loop neither spins nor dies, and answers again when one is free")
  func descriptorExhaustion() async throws {
    #expect(try await Alone.run("outOfDescriptors") == .code(0))
  }

  @Test("(alone) out of descriptors", .enabled(if: Alone.isAlone))
  func outOfDescriptors() async throws {
    let server = try EchoServer(on: .loopback())
    defer { server.listener.close() }
    // A client whose socket exists already; from here on this process can open nothing.
    let waiting = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var hoard: [Int32] = []
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    var low = limit
    low.rlim_cur = 256
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &low)
    while true {
      let fd = dup(0)
      if fd < 0 { break }
      hoard.append(fd)
    }
    var target = sockaddr_in()
    target.sin_family = sa_family_t(AF_INET)
    target.sin_port = server.listener.address.port!.bigEndian
    target.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &target) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(waiting, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    #expect(connected == 0)
    // It is not left waiting: it is accepted with the descriptor in reserve, and closed.
    var byte: UInt8 = 0
    var answer = recv(waiting, &byte, 1, Int32(MSG_DONTWAIT))
    while answer < 0, errno == EAGAIN {
      await Turn.next()
      answer = recv(waiting, &byte, 1, Int32(MSG_DONTWAIT))
    }
    #expect(answer == 0)
    // A loop that spins has tens of thousands of turns in that time, one that waits a few.
    let before = EventLoop.turns
    try await EventLoop.time.sleep(for: .milliseconds(100))
    #expect(EventLoop.turns - before < 50)
    for fd in hoard { close(fd) }
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    close(waiting)
    let client = try await Client(to: server.listener.address)
    client.stream.write("x")
    await client.waitFor(bytes: 1)
    client.stream.close(.done)
  }
}

// MARK: - Doubles

/// Lets one turn of the loop go by.
@MainActor
enum Turn {
  static func next() async {
    await withUnsafeContinuation { continuation in
      EventLoop.time.after(.zero) { continuation.resume() }
    }
  }
}

@MainActor
final class EchoServer {
  private(set) var listener: Listener!
  private(set) var streams: [SocketStream] = []
  private var ends: [StreamEnd] = []
  private var waiters: [CheckedContinuation<StreamEnd, Never>] = []
  var isDeaf = false
  let answersAtEnd: String?

  init(on address: SocketAddress, options: ListenerOptions = .init(), answersAtEnd: String? = nil) throws {
    self.answersAtEnd = answersAtEnd
    listener = try Listener(on: address, options: options) { [weak self] stream in
      guard let self else { return stream.close(.shutdown) }
      streams.append(stream)
      stream.handler = Peer(server: self, stream: stream)
      if isDeaf { stream.pauseReading() }
    }
  }

  func hearAgain() { for stream in streams { stream.resumeReading() } }

  func nextEnd() async -> StreamEnd {
    if !ends.isEmpty { return ends.removeFirst() }
    return await withCheckedContinuation { waiters.append($0) }
  }

  private func ended(_ reason: StreamEnd) {
    if waiters.isEmpty { ends.append(reason) } else { waiters.removeFirst().resume(returning: reason) }
  }

  @MainActor
  private final class Peer: ByteStreamHandler {
    let server: EchoServer
    let stream: SocketStream

    init(server: EchoServer, stream: SocketStream) {
      self.server = server
      self.stream = stream
    }

    func received(_ bytes: UnsafeRawBufferPointer) { stream.write(bytes) }

    func ended(_ stream: any ByteStream) {
      guard let farewell = server.answersAtEnd else { return stream.close(.endedByPeer) }
      stream.write(farewell)
      stream.finish()
    }

    func closed(_ reason: StreamEnd) { server.ended(reason) }
  }
}

@MainActor
final class Client: ByteStreamHandler {
  let stream: SocketStream
  private(set) var received: [UInt8] = []
  private var wanted = 0
  private var waiter: CheckedContinuation<Void, Never>?
  private var drainWaiter: CheckedContinuation<Void, Never>?
  private(set) var end: StreamEnd?
  private var endWaiter: CheckedContinuation<StreamEnd, Never>?

  init(
    to address: SocketAddress, limits: StreamLimits = .init(), time: any TimeSource = EventLoop.time
  ) async throws {
    stream = try await Connector.connect(to: address, timeout: .seconds(60), limits: limits, time: time)
    stream.handler = self
    stream.resumeReading()
  }

  func waitFor(bytes: Int) async {
    guard received.count < bytes, end == nil else { return }
    wanted = bytes
    await withCheckedContinuation { waiter = $0 }
  }

  func drain() async {
    guard stream.isOverHighWater else { return }
    await withCheckedContinuation { drainWaiter = $0 }
  }

  func ending() async -> StreamEnd {
    if let end { return end }
    return await withCheckedContinuation { endWaiter = $0 }
  }

  func received(_ bytes: UnsafeRawBufferPointer) {
    received += bytes
    guard received.count >= wanted else { return }
    waiter?.resume()
    waiter = nil
  }

  func drained() {
    drainWaiter?.resume()
    drainWaiter = nil
  }

  func closed(_ reason: StreamEnd) {
    end = reason
    endWaiter?.resume(returning: reason)
    endWaiter = nil
    waiter?.resume()
    waiter = nil
  }
}
