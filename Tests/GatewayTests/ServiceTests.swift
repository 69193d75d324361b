import Clocks
import Contracts
import Crypto
import EventLoops
import Gateway
import GatewayFakes
import Glibc
import JSON
import RPC
import RPCTransport
import ServiceKit
import ServiceTestKit
import Testing

/// The whole service, as `serve` makes it, over real sockets, with its commands.
@MainActor
@Suite("The service", .timeLimit(.minutes(5)))
struct ServiceTests {
  /// Runs a gateway in front of an invented world, all over sockets.
  private func run(
    _ flags: [String: String] = [:], _ body: (ServiceRig, FakeWorld, SocketAddress) async throws -> Void
  ) async throws {
    let world = FakeWorld(time: EventLoop.time)
    var flags = flags
    var servers: [RPCServer] = []
    for router in world.routers {
      let server = RPCServer(router, time: EventLoop.time)
      flags[router.serviceName] = "\(try server.listen(on: .loopback()))"
      servers.append(server)
    }
    let probe = try Listener(on: .loopback()) { _ in }
    let address = probe.address
    probe.close()
    flags["http-listen"] = "\(address)"
    try await ServiceRig.run(GatewayService.program, flags: flags) { rig in try await body(rig, world, address) }
    for server in servers { await server.drain() }
  }

  /// One request over a socket.
  private func ask(_ address: SocketAddress, _ request: String) async throws -> Reply {
    let client = try await SocketClient(to: address)
    client.send(request)
    return await client.reply()
  }

  @Test("a browser's request goes through sockets to the locator and back")
  func nearby() async throws {
    try await run { _, _, address in
      let reply = try await ask(address, "GET /v1/cinemas/nearby?lat=37.571&lon=126.976 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(reply.status == 200 && reply.json["data"]?[0]?["id"]?.string == "lantern")
      #expect(reply["ratelimit-policy"] == "\"address\";q=100;w=2")
    }
  }

  @Test("an address that asks too often is told to wait")
  func addressLimit() async throws {
    try await run(["address-rate": "0.001", "address-burst": "2"]) { _, _, address in
      var statuses: [Int] = []
      for _ in 0..<3 { statuses.append(try await ask(address, "GET /v1 HTTP/1.1\r\nHost: a\r\n\r\n").status) }
      #expect(statuses == [200, 200, 429])
      let alive = try await ask(address, "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(alive.status == 200)
    }
  }

  @Test("a newer choice cancels the older one's call in the scraper, over the wire")
  func superseded() async throws {
    try await run { _, world, address in
      let manners = world.scraper.manners
      manners.held = ["DayProgrammes"]
      func request(_ date: String) -> String {
        "GET /v1/cinemas/lantern/showtimes?date=\(date) HTTP/1.1\r\nHost: a\r\nX-Odi-Session: s\r\nX-Odi-Slot: p\r\n\r\n"
      }
      let older = try await SocketClient(to: address)
      older.send(request("2026-11-22"))
      await manners.until { manners.waiting == 1 }
      let newer = try await SocketClient(to: address)
      newer.send(request("2026-11-23"))
      #expect(await older.reply().status == 409)
      await manners.until { manners.cancelled == ["DayProgrammes"] }
      await manners.until { manners.waiting == 1 }
      manners.open()
      #expect(await newer.reply().status == 200)
    }
  }

  @Test("its commands tell what it does")
  func commands() async throws {
    try await run { rig, _, address in
      _ = try await ask(address, "GET /v1/cinemas HTTP/1.1\r\nHost: a\r\n\r\n")
      let top = await rig.command("top", "-n", "1", "--json")
      #expect(top.code == .done && top.output.contains("\"route\":\"/v1/cinemas\""))
      let cache = await rig.command("cache", "stats", "--json")
      #expect(cache.output.contains("\"entries\":1"))
      #expect(await rig.command("cache", "purge", "/v1/cin", "--all").code == .usage)
      #expect(await rig.command("cache", "purge", "/v1/cin").errors.contains("1 dropped"))
      #expect(await rig.command("cache", "purge", "--all").errors.contains("0 dropped"))
      let keyless = await rig.command("token", "create", "u_nobody")
      #expect(keyless.code == .unauthorised && keyless.errors.contains("\(rig.folder.path)/secrets/token-key"))
      #expect(mkdir("\(rig.folder.path)/secrets", 0o700) == 0)
      let key = try rig.folder.write(String(repeating: "0123456789abcdef", count: 4) + "\n", to: "secrets/token-key")
      #expect(chmod(key, 0o600) == 0)
      let token = await rig.command("token", "create", "u_nobody")
      #expect(token.code == .done && token.output.hasPrefix("v1."), "\(token.errors)")
      let router = RPCRouter(service: "bookmarks")
      var revoked: [RevokeTokens] = []
      router.on(RevokeTokens.self) { (request: RevokeTokens, _: borrowing CallContext) in
        revoked.append(request)
        throw RPCError(.notFound, "there is no such user")
      }
      router.on(ListUsers.self) { (_: ListUsers, _: borrowing CallContext) in
        let day = EventLoop.time.wall
        let user = UserSummary(id: UserID("u_nobody")!, createdAt: day, seenAt: day, revision: 1, items: 0)
        return UserList(users: [user], hasMore: false)
      }
      let bookmarks = RPCServer(router)
      bookmarks.trustsEveryPeer = true
      try bookmarks.listen(on: rig.environment.data.adminSocket(of: "bookmarks"))
      #expect(await rig.command("token", "revoke", "u_nobody").code == .usage, "nobody is there to be asked")
      #expect(await rig.command("token", "revoke", "u_nobody", "--yes").code == .notFound)
      #expect(revoked == [RevokeTokens(user: UserID("u_nobody")!)])
      #expect(await rig.command("token", "list", "--fields", "user", "--tsv").output == "user\nu_nobody\n")
      let garbage = await rig.command("token", "revoke")
      #expect(garbage.code == .unauthorised && garbage.errors.contains("it is no token"), "\(garbage.errors)")
      await bookmarks.drain()
      let upstreams = await rig.command("upstreams", "--json")
      #expect(upstreams.code == .done && upstreams.output.contains("\"service\":\"bookmarks\""))
      let limits = await rig.command("limit", "set", "--user-rate", "5", "--json")
      #expect(limits.code == .done && limits.output.contains("5"))
      #expect(await rig.command("limit", "set").code == .usage)
      let fetched = await rig.command("curl", "/v1/cinemas/lantern")
      #expect(fetched.code == .done && fetched.output.contains("등불극장"))
      #expect(await rig.command("curl", "/v1/cinemas/nowhere").code == .notFound)
      #expect(await rig.command("clients").code == .done)
    }
  }

  @Test("it closes for maintenance and opens again by command")
  func maintenance() async throws {
    try await run { rig, _, address in
      let request = "GET /v1/cinemas HTTP/1.1\r\nHost: a\r\n\r\n"
      #expect(await rig.command("maintenance", "on").code == .usage, "nobody is there to be asked")
      #expect(await rig.command("maintenance", "on", "--yes").code == .done)
      let closed = try await ask(address, request)
      #expect(closed.status == 503)
      #expect(await rig.command("maintenance", "off").code == .done)
      let open = try await ask(address, request)
      #expect(open.status == 200)
    }
  }

  @Test("what scripts read of its answers is there, by its name and of its kind")
  func golden() async throws {
    try await run { rig, _, address in
      _ = try await ask(address, "GET /v1/cinemas HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = await rig.command("ban", "add", "203.0.113.9", "--reason", "too much")
      let broken = try await rig.broken(
        "gateway",
        [
          ("status", ["status"]), ("routes", ["routes"]), ("top", ["top", "-n", "1"]), ("upstreams", ["upstreams"]),
          ("cache", ["cache", "stats"]), ("limit", ["limit", "list"]), ("ban", ["ban", "list"]),
        ])
      #expect(broken == [])
    }
  }

  @Test("who is shut out is refused until an operator lets them in; our own proxies are nobody")
  func bans() async throws {
    try await run(["trusted-proxies": "203.0.113.7,2001:db8:9::5"]) { rig, _, address in
      let request = "GET /v1/cinemas HTTP/1.1\r\nHost: a\r\n\r\n"
      let added = await rig.command("ban", "add", "127.0.0.1", "--for", "2h", "--reason", "too much", "--json")
      #expect(added.code == .done && added.output.contains("\"reason\":\"too much\""), "\(added.errors)")
      let refused = try await ask(address, request)
      #expect(refused.status == 403 && refused.json["detail"]?.string?.contains("shut out until") == true)
      let alive = try await ask(address, "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(alive.status == 200)
      let listed = try JSONValue(parsing: await rig.command("ban", "list", "--json").output)["data"]?[0]
      #expect(listed?["address"] == "127.0.0.1" && listed?["refused"] == 1)
      #expect(await rig.command("ban", "rm", "127.0.0.2").code == .notFound)
      #expect(await rig.command("ban", "rm", "127.0.0.1").code == .done)
      let again = try await ask(address, request)
      #expect(again.status == 200)
      for wrong in [["203.0.113.7"], ["2001:db8:9::77"], ["nobody"], ["127.0.0.1", "--for", "9999d"]] {
        #expect(await rig.command(["ban", "add"] + wrong).code == .usage, "\(wrong)")
      }
      let network = await rig.command("ban", "add", "2001:db8:1:2:3::4", "--fields", "address", "--tsv")
      #expect(network.output == "address\n2001:db8:1:2::\n", "\(network.output) \(network.errors)")
    }
  }

  @Test("a service that is drained is not asked: what is kept stands in, and what needs it says when to come again")
  func drained() async throws {
    try await run { rig, world, address in
      let path = "/v1/cinemas/nearby?lat=37.571&lon=126.976&include=days"
      func get(_ path: String) async throws -> Reply {
        try await ask(address, "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
      }
      let whole = try await get(path)
      #expect(whole.status == 200 && whole.json["data"]?[0]?["days"] != nil)
      _ = await rig.command("cache", "stats")
      let drained = await rig.command("upstreams", "drain", "scraper")
      #expect(drained.code == .done && drained.errors.contains("1 not asked"), "\(drained.errors)")
      let calls = world.scraper.manners.seen.count
      let away = try await get("/v1/cinemas/lantern/showtimes")
      #expect(away.status == 503 && away["retry-after"] == "5", "\(away.text)")
      #expect(world.scraper.manners.seen.count == calls)
      let near = try await get(path)
      #expect(near.status == 200 && near.json["data"]?[0]?["days"] != nil)
      let states = await rig.command("upstreams", "--json")
      #expect(states.code == .degraded && states.output.contains("an operator keeps the gateway from asking scraper"))
      #expect(await rig.command("upstreams", "drain", "teapot").code == .usage)
      #expect(await rig.command("upstreams", "resume", "scraper").errors.contains("every service is asked"))
      let back = try await get("/v1/cinemas/lantern/showtimes")
      #expect(back.status == 200)
    }
  }

  @Test("routes and the description need no running gateway, and agree")
  func offline() async throws {
    let rig = try ServiceRig(GatewayService.program)
    let routes = await rig.command("routes", "--json")
    #expect(routes.code == .done && routes.output.contains("/v1/cinemas/nearby"))
    #expect(await rig.command("openapi", "--check").code == .done)
    let document = try JSONValue(parsing: Array(await rig.command("openapi").output.utf8))
    let count = (document["paths"]?.object ?? JSONObject()).reduce(0) { $0 + ($1.value.object?.count ?? 0) }
    let listed = try JSONValue(parsing: Array(routes.output.utf8))
    #expect(listed["data"]?.array?.count == count)
  }
}

/// A client of HTTP on a socket.
@MainActor
private final class SocketClient: ByteStreamHandler {
  private let stream: SocketStream
  private var bytes: [UInt8] = []
  private var isOver = false
  private var waiting: CheckedContinuation<Void, Never>?

  init(to address: SocketAddress) async throws {
    stream = try await Connector.connect(to: address)
    stream.handler = self
    stream.resumeReading()
  }

  func send(_ text: String) { stream.write(text) }

  func reply() async -> Reply {
    while !isOver, Reply(bytes, isHead: false) == nil {
      await withCheckedContinuation { waiting = $0 }
    }
    let reply = Reply(bytes, isHead: false) ?? Reply()
    stream.close(.done)
    return reply
  }

  func received(_ more: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: more)
    wake()
  }

  func ended(_ stream: any ByteStream) {
    isOver = true
    wake()
    stream.close(.endedByPeer)
  }

  func closed(_ reason: StreamEnd) {
    isOver = true
    wake()
  }

  private func wake() {
    waiting?.resume()
    waiting = nil
  }
}
