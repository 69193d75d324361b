import Clocks
import Contracts
import Crypto
import EventLoops
import Gateway
import GatewayFakes
import HTTP
import JSON
import Observability
import RPC
import RPCTransport
import Testing

/// A gateway over an invented world, on a clock that stands still, spoken to in raw HTTP.
@MainActor
final class GatewayFixture {
  let time = ManualTime(wall: WallTime(milliseconds: 1_795_330_800_000))
  let world: FakeWorld
  private(set) var front: GatewayFront
  private let options: GatewayFront.Options
  private static let key = TokenKey(Secret(Array("a key of the tests, thirty-two b".utf8)))

  init(_ change: (inout GatewayFront.Options) -> Void = { _ in }) {
    world = FakeWorld(time: time)
    var options = GatewayFront.Options()
    options.manners.perUser.perSecond = 0
    options.manners.perAddress.perSecond = 0
    change(&options)
    self.options = options
    front = Self.front(world, options, time)
  }

  private static func front(_ world: FakeWorld, _ options: GatewayFront.Options, _ time: ManualTime) -> GatewayFront {
    GatewayFront(
      Upstreams(
        locator: world.locator.client, scraper: world.scraper.client, bookmarks: world.bookmarks.client,
        films: world.films.client, dining: world.dining.client, timetable: world.timetable,
        radio: world.radio.client),
      key: key, options: options, time: time, traces: Traces(random: { 7 }))
  }

  /// Another gateway in the place of this one, as after a restart.
  func restart() {
    front.end()
    front = Self.front(world, options, time)
  }

  // MARK: Asking

  @discardableResult
  func ask(_ target: String, token: String? = nil) async -> Reply { await ask("GET", target, token: token) }

  @discardableResult
  func ask(
    _ method: String, _ target: String, _ fields: [String] = [], body: String? = nil, token: String? = nil
  ) async -> Reply {
    await open(method, target, fields, body: body, token: token).reply()
  }

  /// Sends a request and does not wait.
  func open(
    _ method: String, _ target: String, _ fields: [String] = [], body: String? = nil, token: String? = nil
  ) -> Exchange {
    var lines = ["\(method) \(target) HTTP/1.1", "Host: odi.test"] + fields
    if let token { lines.append("Authorization: Bearer \(token)") }
    if let body {
      lines.append("Content-Length: \(body.utf8.count)")
      if !fields.contains(where: { $0.hasPrefix("Content-Type") }) { lines.append("Content-Type: application/json") }
    }
    return Exchange(front.server, lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""), isHead: method == "HEAD")
  }

  /// A cinema like the first, with another id.
  func cinema(_ id: String) -> Cinema {
    var cinema = world.locator.cinemas[0]
    cinema.id = CinemaID(id)!
    return cinema
  }

  /// A plan of a new user's, and the link to it.
  func sharedPlan() async throws -> String {
    let body = #"{"showtime_id":"show_lantern_2026-11-22_2","restaurant_id":"rest_noodle","title":"Friday"}"#
    let reply = await ask("POST", "/v1/me/plans", body: body, token: try await session())
    return try #require(reply.json["share"]?.string, "\(reply.text)")
  }

  /// A new user's token.
  func session() async throws -> String {
    let reply = await ask("POST", "/v1/sessions")
    return try #require(reply.json["token"]?.string)
  }
}

/// One connection with one request on it.
@MainActor
final class Exchange: ByteStreamHandler {
  private let stream: MemoryStream
  private let isHead: Bool
  private(set) var bytes: [UInt8] = []
  private var isOver = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ server: HTTPServer, _ request: String, isHead: Bool) {
    let (client, end) = MemoryStream.pair(time: EventLoop.time)
    stream = client
    self.isHead = isHead
    client.handler = self
    server.accept(end)
    client.write(Array(request.utf8))
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  func reply() async -> Reply {
    while !isOver, Reply(bytes, isHead: isHead) == nil { await more() }
    let reply = Reply(bytes, isHead: isHead)
    stream.close(.done)
    return reply ?? Reply()
  }

  /// Waits until so much has come that this holds.
  func read(until holds: (String) -> Bool) async -> String {
    while !isOver, !holds(text) { await more() }
    return text
  }

  /// As a browser does that is closed: with a reset. An orderly end could come from a client that still reads.
  func hangUp() { stream.close(.broken("the client left")) }

  private func more() async { await withCheckedContinuation { waiting.append($0) } }

  func received(_ more: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: more)
    wake()
  }

  func ended(_ stream: any ByteStream) {
    isOver = true
    wake()
  }

  func closed(_ reason: StreamEnd) {
    isOver = true
    wake()
  }

  private func wake() {
    let woken = waiting
    waiting = []
    for continuation in woken { continuation.resume() }
  }
}

/// An answer as a client reads it.
struct Reply {
  var status = 0
  var fields: [(name: String, value: String)] = []
  var body: [UInt8] = []

  init() {}

  /// Nil while it is not whole.
  init?(_ bytes: [UInt8], isHead: Bool) {
    let split = Array("\r\n\r\n".utf8)
    guard bytes.count >= 4,
      let end = (0...(bytes.count - 4)).first(where: { bytes[$0..<($0 + 4)].elementsEqual(split) })
    else { return nil }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n").map(String.init)
    status = Int(lines[0].split(separator: " ")[1]) ?? 0
    fields = lines.dropFirst().map { line in
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      return (line[..<colon].lowercased(), line[colon...].dropFirst(2).description)
    }
    body = Array(bytes[(end + 4)...])
    let isBodiless = isHead || status == 204 || status == 304
    if !isBodiless, let length = self["content-length"].flatMap({ Int($0) }), body.count < length { return nil }
  }

  subscript(name: String) -> String? { fields.first { $0.name == name.lowercased() }?.value }

  func all(_ name: String) -> [String] { fields.filter { $0.name == name.lowercased() }.map(\.value) }

  var text: String { String(decoding: body, as: UTF8.self) }

  var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }

  /// The slug of a problem.
  var problem: String? { json["type"]?.string.map { String($0.split(separator: "/").last ?? "") } }
}
