import Clocks
import Contracts
import EventLoops
import RPC
import RPCTransport

/// Asks a running locator for the three cinemas nearest to a point, a new one each time.
enum LocatorClientBench {
  static let usage = "--port P [--outstanding N] [--seconds S] [--warmup S]"

  static func run(_ arguments: Arguments) throws {
    let port: UInt16 = try arguments.value("port")
    let outstanding: Int = try arguments.value("outstanding", default: 1)
    let seconds: Double = try arguments.value("seconds", default: 1)
    let warmup: Double = try arguments.value("warmup", default: 0.2)
    runOnLoop {
      let client = ServiceClient(of: LocatorAPI.self, at: [.address(.loopback(port: port))])
      let load = Load(Window(warmup: warmup, seconds: seconds))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for slot in 0..<outstanding { group.addTask { try await load.keepAsking(client, timed: slot == 0) } }
        try await group.waitForAll()
      }
      load.window.print()
      client.close()
    }
  }

  private final class Load {
    var window: Window
    private var random = SeededRandom(seed: 7)
    private var isOver = false

    init(_ window: Window) { self.window = window }

    func keepAsking(_ client: ServiceClient<LocatorAPI>, timed: Bool) async throws {
      while !isOver {
        let sent = timed ? nanoseconds() : 0
        let near = try await client.call(Contracts.NearestCinemas(origin: try point(), limit: 3))
        guard near.count == 3 else { throw Arguments.Wrong(reason: "the locator knows \(near.count) cinemas, not 3") }
        window.count()
        if timed, window.sample(sentAt: sent, now: nanoseconds()) { isOver = true }
      }
    }

    /// Somewhere in Korea.
    private func point() throws -> Coordinate {
      func share() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
      return try Coordinate(latitude: 33.2 + 5.3 * share(), longitude: 126.1 + 3.4 * share())
    }
  }
}
