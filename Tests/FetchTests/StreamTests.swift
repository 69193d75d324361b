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
