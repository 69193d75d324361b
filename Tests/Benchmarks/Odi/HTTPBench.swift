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
    let hub = EventHub<TickReader>(time: EventLoop.time)

    var router = HTTPRouter()
    router.get("/hello") { _ in .json(hello) }
    router.get("/events") { _ in
      try hub.admit("bench", atMost: hub.limits.streams)
      return hub.answer(to: TickReader(hub))
    }

    var options = HTTPServer.Options()
    options.limits.connectionsPerAddress = options.limits.connections
    let server = HTTPServer(router: router, options: options, time: EventLoop.time)
    let bound = try server.listen(on: address)
    emit("listening \(bound.port ?? 0)")
    for number in 1... {
      try await EventLoop.time.sleep(for: .seconds(1))
      let event = Array("id: \(number)\nevent: tick\ndata: {\"number\":\(number)}\n\n".utf8)
      hub.publish(to: { _ in true }) { if hub.hasRoom($0) { hub.deliver(event, to: $0) } }
    }
  }
}

/// One that hears every tick. Who misses one is found out by its number.
private final class TickReader: EventReader {
  let owner = "bench"
  var place = EventPlace()
  private let hub: EventHub<TickReader>

  init(_ hub: EventHub<TickReader>) { self.hub = hub }

  func began(_ output: any HTTPOutput) { hub.opened(self, output) }
  func draining() { hub.dismiss(self) }
  func ended() { hub.closed(self) }
  func reset() { hub.write(Array("event: reset\ndata: {}\n\n".utf8), to: self) }
  func beat() { hub.write(Array(":\n\n".utf8), to: self) }
  func sayGoodbye(comeBackAfter milliseconds: Int64) {}
}
