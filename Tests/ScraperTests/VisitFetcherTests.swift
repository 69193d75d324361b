import EventLoops
import Fetch
import Scraper
import Testing

@Suite("What visits fetch with", .timeLimit(.minutes(5)))
@MainActor
struct VisitFetcherTests {
  /// Where `demo.test` is at the moment.
  @MainActor
  private final class Names {
    var answer: SocketAddress?

    func addresses(of host: String, port: UInt16) async throws(SocketError) -> [SocketAddress] {
      guard let answer else { throw SocketError(.unknownHost, "\(host) is not known") }
      return [answer]
    }
  }

  @Test("a demo world that comes later is reached then, and one that moves ends nobody's request")
  func moves() async throws {
    let names = Names()
    let net = VisitFetcher(
      resolve: { (host, port) async throws(SocketError) in try await names.addresses(of: host, port: port) },
      making: { demoWorld in
        Fetcher(
          addressGuard: AddressGuard(exceptions: demoWorld),
          resolve: { (host, port) async throws(SocketError) in try await names.addresses(of: host, port: port) })
      })
    let (first, second) = (try HeldSite(), try HeldSite())
    second.page = "here"
    func url(_ site: HeldSite) throws -> FetchURL {
      try FetchURL(parsing: "http://demo.test:\(try #require(site.address.port))/one")
    }
    await #expect(throws: SocketError.self) { try await net.reach(demoWorld: url(first)) }

    names.answer = first.address
    await #expect(throws: FetchError.self, "nobody has said yet that it is the demo world") {
      try await net.fetcher.fetch(FetchRequest(url(first)))
    }
    try await net.reach(demoWorld: url(first))
    let fetcher = net.fetcher
    try await net.reach(demoWorld: url(first))
    #expect(net.fetcher === fetcher)
    let request = FetchRequest(try url(first))
    let held = Task { @MainActor in
      do throws(FetchError) {
        _ = try await fetcher.fetch(request)
        return nil as FetchError?
      } catch {
        return error
      }
    }
    await first.asked(for: "/one")

    names.answer = second.address
    try await net.reach(demoWorld: url(second))
    #expect(net.fetcher !== fetcher && net.load == (running: 1, waiting: 0))
    let page = try await net.fetcher.fetch(FetchRequest(url(second)))
    #expect(page.body == Array("here".utf8) && first.isOpen("/one"))
    // Once nothing runs on the older one any more, it is closed.
    held.cancel()
    _ = await held.value
    try await net.reach(demoWorld: url(second))
    await #expect(throws: FetchError.closed) { try await fetcher.fetch(request) }
    net.close()
    // Whoever hangs up later would find no site.
    for site in [first, second] { await site.left(from: "/one") }
    for site in [first, second] { site.close() }
  }
}
