import Clocks
import EventLoops
import Fetch
import Testing

/// Answers without an end, of which only some is wanted.
@Suite("Streams", .serialized)
@MainActor
struct StreamTests {
  /// Adds up what came.
  @MainActor
  private final class Receiver {
    var bytes = 0
    var statuses: Set<Int> = []
  }

  private func zoo(_ head: String) throws -> Zoo {
    try Zoo { _, stream in
      stream.write("\(head)\r\nContent-Type: audio/mpeg\r\nicy-metaint: 16000\r\n\r\n")
      writeForever([1, 2, 3, 4], to: stream)
    }
  }

  @Test("of an endless answer the beginning is taken, as much as the limit allows, and the connection closed")
  func beginning() async throws {
    let zoo = try zoo("HTTP/1.1 200 OK")
    let fetcher = zoo.fetcher()
    defer { fetcher.close(); zoo.close() }
    var request = FetchRequest(try zoo.url())
    request.limits.bodyBytes = 10_000
    #expect(await outcome(fetcher, request) == .bodyTooLarge(limit: 10_000), "a page of that length is refused")
    request.body = .beginning
    let answer = try await fetcher.fetch(request)
    #expect(answer.body.count == 10_000 && answer.isCut && answer.mediaType == "audio/mpeg")
    await zoo.idle()
  }

  @Test("a short answer is whole though its beginning was asked for")
  func short() async throws {
    let zoo = try Zoo(ok("short"))
    let fetcher = zoo.fetcher()
    defer { fetcher.close(); zoo.close() }
    var request = FetchRequest(try zoo.url())
    request.body = .beginning
    let answer = try await fetcher.fetch(request)
    #expect(answer.body.count == 5 && !answer.isCut)
  }

  @Test("pieces come as they are sent, until the receiver has enough; an old server's ICY status is one")
  func pieces() async throws {
    let zoo = try zoo("ICY 200 OK")
    let fetcher = zoo.fetcher()
    defer { fetcher.close(); zoo.close() }
    let receiver = Receiver()
    var request = FetchRequest(try zoo.url())
    request.limits.wireBytes = .max / 2
    request.body = .pieces { piece in
      receiver.bytes += piece.bytes.count
      receiver.statuses.insert(piece.status)
      return receiver.bytes < 20 << 20 && piece.headers["icy-metaint"] == "16000"
    }
    let answer = try await fetcher.fetch(request)
    #expect(answer.body.isEmpty && answer.isCut && receiver.statuses == [200])
    #expect(receiver.bytes >= 20 << 20, "more than any page may have")
  }

  @Test("while the valve is shut the site waits; nothing is lost, doubled or out of order")
  func valve() async throws {
    let count = 4 << 20
    let zoo = try Zoo { _, stream in
      let numbers = (0..<count / 4).flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
      stream.write(Array("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n".utf8) + numbers)
    }
    let fetcher = zoo.fetcher()
    defer { fetcher.close(); zoo.close() }
    let valve = FetchValve()
    @MainActor final class Taken {
      var bytes: [UInt8] = []
      var whileShut = 0
      var shut = 0
      let bell = Bell()
    }
    let taken = Taken()
    var request = FetchRequest(try zoo.url())
    request.limits.wireBytes = .max / 2
    request.limits.total = .seconds(50)
    request.valve = valve
    request.body = .pieces { piece in
      if valve.isShut { taken.whileShut += 1 }
      taken.bytes += piece.bytes
      valve.shut()
      taken.shut += 1
      taken.bell.ring()
      return true
    }
    let transfer = Task { @MainActor [request] in try await fetcher.fetch(request) }
    var looked = 0
    while taken.bytes.count < count {
      while !valve.isShut { await taken.bell.wait() }
      let before = taken.bytes.count
      // Rounds of the loop, in which all of it would have come.
      if looked < 3 {
        for _ in 0..<50 { try await EventLoop.time.sleep(for: .zero) }
        #expect(taken.bytes.count == before)
        looked += 1
      }
      valve.open()
    }
    let answer = try await transfer.value
    #expect(answer.status == 200 && !answer.isCut && taken.bytes.count == count && taken.whileShut == 0)
    #expect(taken.shut >= count / (128 << 10), "\(taken.shut) pauses")
    let isInOrder = (0..<count / 4).allSatisfy { number in
      (0..<4).allSatisfy { taken.bytes[number * 4 + $0] == UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    #expect(isInOrder)
    // One that is ended while it waits lets go of its connection, and the next has the handle.
    let other = FetchValve()
    other.shut()
    var stopped = request
    stopped.valve = other
    let waiting = Task { @MainActor [stopped] in try? await fetcher.fetch(stopped) }
    await zoo.asked(2)
    for _ in 0..<20 { try await EventLoop.time.sleep(for: .zero) }
    waiting.cancel()
    #expect(await waiting.value == nil)
    other.open()
    var plain = FetchRequest(try zoo.url())
    plain.limits.wireBytes = .max / 2
    #expect(try await fetcher.fetch(plain).body.count == count)
  }

  @Test("what is no success is no piece")
  func failure() async throws {
    let zoo = try Zoo("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone")
    let fetcher = zoo.fetcher()
    defer { fetcher.close(); zoo.close() }
    let receiver = Receiver()
    var request = FetchRequest(try zoo.url())
    request.body = .pieces { piece in
      receiver.bytes += piece.bytes.count
      return true
    }
    let answer = try await fetcher.fetch(request)
    #expect(answer.status == 404 && answer.body.count == 4 && receiver.bytes == 0)
  }

  private func outcome(_ fetcher: Fetcher, _ request: FetchRequest) async -> FetchError? {
    do throws(FetchError) {
      _ = try await fetcher.fetch(request)
      return nil
    } catch {
      return error
    }
  }
}
