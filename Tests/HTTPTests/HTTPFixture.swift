import Clocks
import EventLoops
import HTTP
import JSON
import Observability
import Testing

/// A server on a clock that stands still, with a route for everything that a test asks.
@MainActor
final class HTTPFixture {
  let time = ManualTime(wall: WallTime(milliseconds: 1_763_640_000_000))
  let server: HTTPServer
  private(set) var waiting: [Gate] = []
  /// Handlers that noticed that nobody wants their answer any more.
  private(set) var cancelled = 0

  /// A handler that waits for the test.
  @MainActor
  final class Gate {
    let name: String
    fileprivate var continuation: CheckedContinuation<Void, Never>?

    init(name: String) { self.name = name }

    func pass() async { await withCheckedContinuation { continuation = $0 } }

    func open() {
      continuation?.resume()
      continuation = nil
    }
  }

  /// 600 bytes of JSON, as the benchmark has it.
  static let hello = Array("{\"text\":\"\(String(repeating: "x", count: 589))\"}".utf8)

  init(
    _ change: (inout HTTPServer.Options) -> Void = { _ in }, log: Log = .silent,
    routes: (inout HTTPRouter) -> Void = { _ in }
  ) {
    var options = HTTPServer.Options()
    change(&options)
    var router = HTTPRouter()
    weak var fixture: HTTPFixture?
    router.get("/hello") { _ in .json(Self.hello) }
    router.get("/") { _ in .text("root") }
    router.get("/next") { _ in .text("next") }
    let unrouted: Set<HTTPMethod> = [.head, .options, .trace, .query]
    for method in HTTPMethod.allCases where !unrouted.contains(method) {
      router.on(method, "/echo") { request in .text(String(decoding: request.body, as: UTF8.self)) }
    }
    router.get("/quick/{name}") { (_, name: String) async in .text(name) }
    router.get("/wait/{name}") { (_, name: String) async throws in
      await fixture?.wait(name)
      if Task.isCancelled { fixture?.cancelled += 1 }
      return .text(name)
    }
    router.get("/empty") { _ in .noContent }
    router.get("/big") { _ in .text(String(repeating: "b", count: 700_000)) }
    router.get("/fail") { _ in throw Broken() }
    router.get("/problem") { _ in throw Problem(.conflict, "it is taken", extensions: [("rev", 7)]) }
    router.get("/inject", query: ["value"]) { request in
      var query = request.query
      return .text("x").with("X-Value", query.string("value") ?? "")
    }
    router.get("/page") { _ in .html("<p>") }
    router.on(.post, "/small", bodyLimit: 4) { request in .text("\(request.body.count)") }
    routes(&router)
    server = HTTPServer(router: router, options: options, time: time, log: log)
    fixture = self
  }

  struct Broken: Error {}

  private func wait(_ name: String) async {
    let gate = Gate(name: name)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        gate.continuation = continuation
        waiting.append(gate)
      }
    } onCancel: {
      Task { @MainActor in gate.open() }
    }
  }

  /// Lets a waiting handler go on, and everything that this makes happen, happen.
  func open(_ name: String, _ streams: MemoryStream...) async {
    guard let index = waiting.firstIndex(where: { $0.name == name }) else {
      Issue.record("nobody waits for \(name)")
      return
    }
    waiting.remove(at: index).open()
    await settle(streams)
  }

  /// Runs the jobs that are ready, and those that they make ready.
  func settle(_ streams: [MemoryStream] = []) async {
    for _ in 0..<20 {
      await Task.yield()
      for stream in streams { stream.turn() }
    }
  }

  func connect(from peer: SocketAddress = .loopback(port: 50_000)) -> MemoryStream {
    let stream = MemoryStream(peer: peer)
    server.accept(stream)
    stream.turn()
    return stream
  }

  /// One request on a connection of its own, and its answer.
  func ask(_ method: String = "GET", _ target: String, _ fields: String = "", body: String = "") -> Reply? {
    let stream = connect()
    let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
    stream.arrive("\(method) \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\(length)\r\n\(body)")
    let replies = stream.takeReplies(heads: method == "HEAD" ? [0] : [])
    #expect(replies.count == 1)
    stream.reset()
    return replies.first
  }

  static func get(_ path: String, _ fields: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
  }
}
