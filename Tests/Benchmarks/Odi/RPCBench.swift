import Clocks
import EventLoops
import RPC
import RPCTransport

/// The whole typed path, both ends: `ServiceClient` to `RPCServer` over TCP, a Swift value in and a Swift value out.
enum RPCBench {
  static let serverUsage = "[--port P] [--handlers sync|async|bytes]"
  static let clientUsage = """
    --port P [--connections C] [--outstanding N] [--seconds S] [--warmup S] \
    [--part bytes|opaque|values] [--awake false]
    """

  static func serve(_ arguments: Arguments) throws {
    let port: UInt16 = try arguments.value("port", default: 0)
    let handlers: String = try arguments.value("handlers", default: "async")
    let router = RPCRouter(service: CinemasAPI.name)
    switch handlers {
    case "sync": router.on(NearestCinemas.self) { _, _ in .sample }
    case "async": router.on(NearestCinemas.self) { _, _ async in .sample }
    case "bytes": runOnLoop { try await RPCParts.serveBytes(on: port) }
    default: throw Arguments.Wrong(reason: "--handlers \(handlers): give sync, async or bytes")
    }
    router.on(NearestBytes.self) { _, _ in NearestBytes.reply }
    runOnLoop {
      let server = RPCServer(router)
      emit("listening \(try server.listen(on: .loopback(port: port)).port ?? 0)")
      try await EventLoop.time.sleep(for: .seconds(86_400))
    }
  }

  static func call(_ arguments: Arguments) throws {
    let port: UInt16 = try arguments.value("port")
    let connections: Int = try arguments.value("connections", default: 1)
    let outstanding: Int = try arguments.value("outstanding", default: 1)
    let seconds: Double = try arguments.value("seconds", default: 1)
    let warmup: Double = try arguments.value("warmup", default: 0.2)
    let part: String = try arguments.value("part", default: "")
    EventLoop.attention.isAllowed = try arguments.value("awake", default: true)
    guard part.isEmpty else {
      let window = Window(warmup: warmup, seconds: seconds)
      runOnLoop { try await RPCParts.call(part, to: port, window) }
    }
    runOnLoop {
      let clients = (0..<connections).map { _ in
        ServiceClient(of: CinemasAPI.self, at: [.address(.loopback(port: port))])
      }
      let load = Load(Window(warmup: warmup, seconds: seconds))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for client in clients {
          for slot in 0..<outstanding { group.addTask { try await load.keepCalling(client, timed: slot == 0) } }
        }
        try await group.waitForAll()
      }
      load.window.print(text: load.text)
      for client in clients { client.close() }
    }
  }

  private final class Load {
    var window: Window
    private(set) var text: UInt64 = 0
    private var isOver = false

    init(_ window: Window) { self.window = window }

    func keepCalling(_ client: ServiceClient<CinemasAPI>, timed: Bool) async throws {
      while !isOver {
        let sent = timed ? nanoseconds() : 0
        let reply = try await client.call(NearestCinemas.sample)
        window.count()
        if text == 0 { text = reply.text }
        if timed, window.sample(sentAt: sent, now: nanoseconds()) { isOver = true }
      }
    }
  }
}
