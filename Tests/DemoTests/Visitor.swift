import Clocks
import Demo
import EventLoops
import Extraction
import Fetch
import HTML
import JSON

/// A demo world behind real sockets, and somebody who reads its sites as the scraper does.
@MainActor
final class Visitor {
  let time: WatchedTime
  let world: DemoWorld
  let address: SocketAddress
  private let server: DemoServer
  private let fetcher: Fetcher

  init(at wall: WallTime = WallTime(milliseconds: 1_795_000_000_000)) throws {
    time = WatchedTime(ManualTime(wall: wall))
    world = try DemoWorld(time: time)
    server = DemoServer(world, time: EventLoop.time)
    address = try server.listen(on: .loopback())
    fetcher = Fetcher(addressGuard: AddressGuard(exceptions: [address]), time: EventLoop.time)
  }

  /// Runs `body` with a visitor and closes everything after it.
  static func visit(
    at wall: WallTime = WallTime(milliseconds: 1_795_000_000_000), _ body: (Visitor) async throws -> Void
  ) async throws {
    let visitor = try Visitor(at: wall)
    do {
      try await body(visitor)
    } catch {
      await visitor.leave()
      throw error
    }
    await visitor.leave()
  }

  private func leave() async {
    fetcher.close()
    await server.drain()
  }

  var base: String { "http://\(address)" }

  func get(
    _ path: String, validators: FetchRequest.Validators? = nil
  ) async throws(FetchError) -> FetchResponse {
    var request = try FetchRequest(path.hasPrefix("http") ? path : base + path)
    request.validators = validators
    return try await fetcher.fetch(request)
  }

  /// What fetching ends with when it fails.
  func failure(_ path: String) async -> FetchError? {
    do throws(FetchError) {
      _ = try await get(path)
      return nil
    } catch {
      return error
    }
  }

  func page(_ path: String) async throws -> HTMLDocument {
    let response = try await get(path)
    return try HTMLDocument.parse(response.body, contentCharset: response.charset, url: response.url.description)
  }

  func json(_ path: String) async throws -> JSONValue { try JSONValue(parsing: await get(path).body) }

  // MARK: Addresses

  func start(of id: String) -> String {
    let cinema = world.cinema(id)
    if let platform = cinema?.platform {
      return "/cinema/main.do?cgid=x&BrandCd=\(platform.brand)&CinemaCd=\(platform.cinema)"
    }
    return cinema?.format == .ics ? "/sites/\(id)/calendar.ics" : "/sites/\(id)/whats-on"
  }

  func shows(of id: String, on date: String) -> String {
    let platform = world.cinema(id)?.platform
    return "/cinema/showseq_list.do?cgid=x&ssid=&tokn=&BrandCd=\(platform?.brand ?? "")"
      + "&CinemaCd=\(platform?.cinema ?? "")&PlaySDT=\(date)"
  }
}

/// A clock that is moved by hand, and tells when somebody begins to wait on it and when nobody does any more.
@MainActor
final class WatchedTime: TimeSource {
  private let manual: ManualTime
  private var whenWaiting: [UnsafeContinuation<Void, Never>] = []
  private var whenIdle: [UnsafeContinuation<Void, Never>] = []

  init(_ manual: ManualTime) { self.manual = manual }

  var now: Instant { manual.now }
  var wall: WallTime { manual.wall }
  var pending: Int { manual.pending }

  func after(_ delay: Duration, _ body: @escaping @MainActor () -> Void) -> any Scheduled {
    let timer = Timer(manual.after(delay, body), owner: self)
    for continuation in whenWaiting { continuation.resume() }
    whenWaiting = []
    return timer
  }

  func advance(by step: Duration) {
    manual.advance(by: step)
    tellIfIdle()
  }

  /// Until a timer is set: an answer is under way.
  func waiting() async {
    if pending > 0 { return }
    await withUnsafeContinuation { whenWaiting.append($0) }
  }

  /// Until no timer is set.
  func idle() async {
    if pending == 0 { return }
    await withUnsafeContinuation { whenIdle.append($0) }
  }

  private func tellIfIdle() {
    guard pending == 0 else { return }
    for continuation in whenIdle { continuation.resume() }
    whenIdle = []
  }

  private final class Timer: Scheduled {
    private let timer: any Scheduled
    private let owner: WatchedTime

    init(_ timer: any Scheduled, owner: WatchedTime) {
      self.timer = timer
      self.owner = owner
    }

    func cancel() {
      timer.cancel()
      owner.tellIfIdle()
    }
  }
}

extension FetchResponse {
  /// As its `Content-Type` says.
  var charset: String? { PageSource(contentTypeField: headers["content-type"]).charset }
}

extension RobotsTxt {
  func allows(_ target: String, agent: String) -> Bool { decision(on: target, agent: agent).isAllowed }
}
