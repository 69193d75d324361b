import Clocks
import EventLoops
import Fetch
import Testing

@Suite("A site that leads into the network behind us", .serialized)
@MainActor
struct RedirectGuardTests {
  @Test("every way in that is refused as an address is refused as a redirect: no second socket, nothing heard")
  func redirectIn() async throws {
    let inside = try Zoo(ok("inside"))
    var location = ""
    let outside = try Zoo { _, stream in
      stream.write("HTTP/1.1 302 x\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
    }
    defer { inside.close(); outside.close() }
    // The port that the listener waits at is one of the web's: what is refused is the address.
    let addressGuard = AddressGuard(ports: [80, 443, inside.port], exceptions: [outside.address])
    let request = FetchRequest(try outside.url())
    var refused = 0
    for attempt in AddressGuardTests.attempts {
      location = attempt.replacing("PORT", with: "\(inside.port)")
      // A line end would be a header of its own.
      guard !location.utf8.contains(where: { $0 < 0x20 }) else { continue }
      let fetcher = Fetcher(addressGuard: addressGuard) { _, port in [.ip(.loopback, port: port)] }
      defer { fetcher.close() }
      do throws(FetchError) {
        _ = try await fetcher.fetch(request)
        Issue.record("\(location) was followed")
      } catch {
        if case .refused = error { refused += 1 }
      }
      #expect(fetcher.connectionsTried == 1, "\(location)")
    }
    #expect(inside.accepted == 0 && inside.requests.isEmpty)
    // The rest are no addresses of the web at all, or lead back to where they came from.
    #expect(refused >= 30, "\(refused)")
  }

  @Test("with the guard off the same redirects get in: the guard is what stopped them")
  func control() async throws {
    let inside = try Zoo(ok("inside"))
    let outside = try Zoo { _, stream in
      stream.write(
        "HTTP/1.1 302 x\r\nLocation: http://127.0.0.2:\(inside.port)/\r\nContent-Length: 0\r\n\r\n")
    }
    defer { inside.close(); outside.close() }
    let fetcher = Fetcher(addressGuard: .off) { _, port in [.ip(.loopback, port: port)] }
    defer { fetcher.close() }
    // Nobody listens at 127.0.0.2: that it is tried is the point.
    _ = try? await fetcher.fetch(FetchRequest(try outside.url()))
    #expect(fetcher.connectionsTried == 2)
  }
}
