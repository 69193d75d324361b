import Clocks
import EventLoops
import HTTP

/// A hello of 600 bytes, and one event a second to everybody who listens.
enum HTTPBench {
  static let usage = "[--port P]"

  /// 600 bytes, as nginx is told to answer.
  private static let hello = Array(#"{"message":"\#(String(repeating: "h", count: 586))"}"#.utf8)

  static func serve(_ arguments: Arguments) throws {
    let port: UInt16 = try arguments.value("port", default: 0)
    runOnLoop { try await serve(on: .loopback(port: port)) }
  }

  private static func serve(on address: SocketAddress) async throws {
    var eventLimits = EventLimits()
    eventLimits.streams = 10_000
    eventLimits.streamsPerOwner = 10_000
    let hub = EventHub(epoch: "bench", limits: eventLimits, time: EventLoop.time)

    var router = HTTPRouter()
    router.get("/hello") { _ in .json(hello) }
    router.get("/events") { _ in try hub.answer(topics: ["tick"], owner: "bench") }

    var options = HTTPServer.Options()
    options.limits.connectionsPerAddress = options.limits.connections
    let server = HTTPServer(router: router, options: options, time: EventLoop.time)
    let bound = try server.listen(on: address)
    emit("listening \(bound.port ?? 0)")
    for number in 1... {
      try await EventLoop.time.sleep(for: .seconds(1))
      hub.publish(
        ServerEvent(topic: "tick", name: "tick", data: Array(#"{"number":\#(number)}"#.utf8), id: "\(number)"))
    }
  }
}
