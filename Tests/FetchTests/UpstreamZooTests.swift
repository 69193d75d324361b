import Clocks
import EventLoops
import Fetch
import Glibc
import TestKit
import Testing

@Suite("A misbehaving site", .serialized)
@MainActor
struct UpstreamZooTests {
  /// What fetching from such a server ends with.
  private func failure(
    _ answer: @escaping (Zoo.Request, any ByteStream) -> Void, change: (inout FetchRequest) -> Void = { _ in }
  ) async throws -> FetchError? {
    let zoo = try Zoo(answer)
    let fetcher = zoo.fetcher()
    defer {
      fetcher.close()
      zoo.close()
    }
    var request = FetchRequest(try zoo.url())
    change(&request)
    do throws(FetchError) {
      _ = try await fetcher.fetch(request)
      return nil
    } catch {
      return error
    }
  }

  private func failure(_ bytes: String, closing: Bool = true) async throws -> FetchError? {
    try await failure { _, stream in
      stream.write(bytes)
      if closing { stream.finish() }
    }
  }

  @Test("that is down cannot be connected to")
  func down() async throws {
    let zoo = try Zoo(ok("x"))
    let (fetcher, url) = (zoo.fetcher(), try zoo.url())
    zoo.close()
    defer { fetcher.close() }
    do throws(FetchError) {
      _ = try await fetcher.fetch(FetchRequest(url))
      Issue.record("it answered")
    } catch {
      guard case .cannotConnect = error else {
        Issue.record("\(error)")
        return
      }
      #expect(error.isTransient)
    }
  }

  @Test("that resets or closes without an answer has lost the connection")
  func reset() async throws {
    for answer in [{ $1.close(.done) }, { $1.finish() }] as [(Zoo.Request, any ByteStream) -> Void] {
      guard case .connectionLost = try await failure(answer) else {
        Issue.record("not lost")
        continue
      }
    }
  }

  @Test(
    "that stops in the middle has truncated the page",
    arguments: [
      "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    ])
  func truncated(bytes: String) async throws {
    let error = try await failure(bytes)
    if case .connectionLost = error { return }
    #expect(error == .truncated)
  }

  @Test(
    "that speaks something else is not HTTP",
    arguments: [
      "SSH-2.0-OpenSSH_9.2\r\n", "<html>hello", "\u{16}\u{3}\u{1}\u{0}\u{5}", "HTTP/9.9 200 OK\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\nx",
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx",
    ])
  func garbage(bytes: String) async throws {
    #expect(try await failure(bytes) != nil)
  }

  @Test("that says less than it sends gives what it said")
  func longBody() async throws {
    let zoo = try Zoo("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef", closing: true)
    let fetcher = zoo.fetcher()
    defer { fetcher.close(); zoo.close() }
    #expect(try await fetcher.fetch(FetchRequest(try zoo.url())).body == Array("abc".utf8))
  }

  @Test("that answers an error is answered with the error", arguments: [404, 418, 429, 500, 503])
  func statuses(status: Int) async throws {
    let zoo = try Zoo("HTTP/1.1 \(status) x\r\nRetry-After: 120\r\nContent-Length: 2\r\n\r\nno")
    let fetcher = zoo.fetcher()
    defer { fetcher.close(); zoo.close() }
    let page = try await fetcher.fetch(FetchRequest(try zoo.url()))
    #expect(page.status == status && page.body == Array("no".utf8))
    #expect(RetryAfter.wait(page.headers["retry-after"] ?? "", now: WallTime(milliseconds: 0)) == .seconds(120))
  }

  @Test("that leads in circles is followed five times")
  func redirectLoop() async throws {
    var asked = 0
    let error = try await failure { _, stream in
      asked += 1
      stream.write("HTTP/1.1 302 x\r\nLocation: /\r\nContent-Length: 0\r\n\r\n")
    }
    #expect(error == .tooManyRedirects(limit: 5) && asked == 6)
  }

  @Test(
    "that leads out of the web is not followed",
    arguments: [
      "file:///etc/passwd", "gopher://127.0.0.1/", "ftp://a.example/", "javascript:alert(1)", "data:text/html,x",
      "http://user:pass@a.example/", "http://127.1/", "//0x7f.1/", "http://[::1", "http://a.example:99999/", "http://",
      "http://a.example\\@b.example/",
    ])
  func redirectOut(location: String) async throws {
    let error = try await failure { _, stream in
      stream.write("HTTP/1.1 302 x\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
    }
    guard case .redirect = error else {
      Issue.record("\(location): \(String(describing: error))")
      return
    }
  }

  @Test(
    "that leads into the network behind us is refused before it is connected to",
    arguments: [
      "http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/", "http://[::1]/", "http://127.0.0.1:22/",
      "//192.168.0.1/",
    ])
  func redirectIn(location: String) async throws {
    let error = try await failure { _, stream in
      stream.write("HTTP/1.1 302 x\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
    }
    guard case .refused = error else {
      Issue.record("\(location): \(String(describing: error))")
      return
    }
  }

  @Test(
    "that sends more than a page may have is cut off",
    arguments: ["Content-Length: 999999999", "Transfer-Encoding: chunked", "X: y"])
  func largeBody(header: String) async throws {
    let chunk = Array("400\r\n".utf8) + [UInt8](repeating: 0x61, count: 0x400) + Array("\r\n".utf8)
    let error = try await failure { _, stream in
      stream.write("HTTP/1.1 200 OK\r\n\(header)\r\n\r\n")
      writeForever(chunk, to: stream)
    }
    #expect(error == .bodyTooLarge(limit: 8 << 20) || error == .wireTooLarge(limit: 8 << 20))
  }

  @Test("that compresses ten megabytes into sixty kilobytes is stopped at eight")
  func bomb() async throws {
    let bomb = gzipBomb(bytes: 10 << 20)
    #expect(bomb.count < 100 << 10)
    let error = try await failure { _, stream in
      stream.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
      stream.write(bomb)
    }
    #expect(error == .bodyTooLarge(limit: 8 << 20))
    // As large as may be, it is read: the limit is what stops the other.
    let small = try await failure({ _, stream in
      let bomb = gzipBomb(bytes: 1 << 20)
      stream.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
      stream.write(bomb)
      stream.finish()
    })
    #expect(small != .bodyTooLarge(limit: 8 << 20))
  }

  @Test("that sends a bomb of 256 MiB costs less than 64 MiB of memory")
  func bombMemory() async throws {
    // In a process of its own: memory is the whole process's.
    guard Alone.isAlone else {
      #expect(try await Alone.run("UpstreamZooTests/bombMemory") == .code(0))
      return
    }
    let bomb = gzipBomb(bytes: 1 << 28)
    #expect(bomb.count < 2 << 20)
    // What was asked for before counts for nothing: the peak begins again at what is held now.
    let file = open("/proc/self/clear_refs", O_WRONLY)
    #expect(write(file, "5", 1) == 1)
    close(file)
    let before = try peak()
    let error = try await failure { _, stream in
      stream.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
      stream.write(bomb)
    }
    #expect(error == .bodyTooLarge(limit: 8 << 20))
    let grown = try peak() - before
    #expect(grown < 64 << 20, "it grew by \(grown) bytes")
  }

  /// The most bytes that this process ever held in memory.
  private func peak() throws -> Int {
    let file = try #require(fopen("/proc/self/status", "r"))
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix("VmHWM:") else { continue }
      return try #require(text.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) })
        << 10
    }
    throw Unreadable()
  }

  private struct Unreadable: Error {}

  @Test("that sends compressed bytes which come to nothing is stopped by what came over the wire")
  func silentStream() async throws {
    let error = try await failure { _, stream in
      // A gzip header whose file name never ends.
      stream.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
      stream.write([0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 3])
      writeForever([UInt8](repeating: 0x61, count: 4_096), to: stream)
    }
    #expect(error == .wireTooLarge(limit: 8 << 20))
  }

  @Test("that says gzip and sends something else is undecodable")
  func wrongEncoding() async throws {
    let error = try await failure("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain")
    guard case .undecodable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(
    "that sends headers without end is cut off",
    arguments: ["X-A: b\r\n", "X: \(String(repeating: "y", count: 5_000))\r\n"])
  func headers(line: String) async throws {
    let error = try await failure { _, stream in
      stream.write("HTTP/1.1 200 OK\r\n")
      writeForever(Array(line.utf8), to: stream)
    }
    #expect(error == .headersTooLarge(limit: 64 << 10))
  }

  @Test("that says “continue” for ever is cut off")
  func endlessContinue() async throws {
    let error = try await failure { _, stream in writeForever(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: stream) }
    #expect(error == .headersTooLarge(limit: 64 << 10))
  }

  @Test("that drips is given up at the deadline")
  func drip() async throws {
    let time = ManualTime()
    let zoo = try Zoo { _, stream in
      stream.write("HTTP/1.1 200 OK\r\n")
      for second in 1...20 {
        _ = time.after(.seconds(second)) { stream.write("X") }
      }
    }
    let fetcher = zoo.fetcher(time: time)
    defer { fetcher.close(); zoo.close() }
    let request = FetchRequest(try zoo.url())
    let page = Task { try await fetcher.fetch(request) }
    await zoo.asked(1)
    for _ in 0..<20 {
      time.advance(by: .seconds(1))
      await Task.yield()
    }
    await #expect(throws: FetchError.timedOut(after: .seconds(15))) { try await page.value }
  }

  @Test("does not disturb another site")
  func isolation() async throws {
    let bad = try Zoo { _, stream in writeForever(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: stream) }
    let good = try Zoo(ok("fine"))
    let fetcher = good.fetcher(others: [bad.address])
    defer { fetcher.close(); good.close(); bad.close() }
    let (badURL, goodURL) = (try bad.url(), try good.url())
    async let failing: [FetchError] = {
      var errors: [FetchError] = []
      for _ in 0..<5 {
        do throws(FetchError) { _ = try await fetcher.fetch(FetchRequest(badURL)) } catch { errors.append(error) }
      }
      return errors
    }()
    for _ in 0..<20 { #expect(try await fetcher.fetch(FetchRequest(goodURL)).isSuccess) }
    #expect(await failing.count == 5)
  }
}
