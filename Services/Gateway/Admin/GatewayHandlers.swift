import Clocks
import Contracts
import EventLoops
import HTTP
import Observability
import RPC
import RPCTransport

/// Answers the gateway's administrators.
final class GatewayHandlers {
  private let front: GatewayFront
  private let time: any TimeSource
  private let log: Log

  init(_ front: GatewayFront, time: any TimeSource, log: Log) {
    self.front = front
    self.time = time
    self.log = log
  }

  /// For each of the services behind: more than a network's worst moment, less than a person's patience.
  private static let patience: Duration = .seconds(2)

  func register(on router: RPCRouter) {
    router.on(GatewayTraffic.self) { [self] (_: GatewayTraffic, _: borrowing CallContext) in traffic() }
    router.on(EventStreams.self) { [self] (request: EventStreams, _: borrowing CallContext) in streams(request.limit) }
    router.on(TailEvents.self) {
      [self] (request: TailEvents, _: CallContext, writer: StreamWriter<TailedEvent>) in
      try await tail(request, writer)
    }
    router.on(CacheStatistics.self) { [self] (_: CacheStatistics, _: borrowing CallContext) in cache() }
    router.on(PurgeCache.self) { [self] (request: PurgeCache, _: borrowing CallContext) in
      CachePurged(dropped: front.purge(request.prefix))
    }
    router.on(RequestLimits.self) { [self] (request: RequestLimits, _: borrowing CallContext) in try limits(request) }
    router.on(UpstreamStates.self) { [self] (_: UpstreamStates, _: CallContext) async throws in await upstreams() }
    router.on(SetMaintenance.self) { [self] (request: SetMaintenance, context: borrowing CallContext) in
      front.desk.maintenance = request.message
      log.warning(
        "maintenance", ["is": .string(request.message == nil ? "off" : "on"), "by": .string("\(context.peer)")])
      return MaintenanceState(message: request.message)
    }
    router.on(BanClient.self) { [self] (request: BanClient, context: borrowing CallContext) in
      try ban(request, by: "\(context.peer)")
    }
    router.on(LiftBan.self) { [self] (request: LiftBan, _: borrowing CallContext) in
      guard front.desk.bans.lift(try network(request.address), now: time.wall) else {
        throw RPCError(.notFound, "\(request.address) is not shut out")
      }
      return bans()
    }
    router.on(ListBans.self) { [self] (_: ListBans, _: borrowing CallContext) in bans() }
    router.on(DrainUpstream.self) { [self] (request: DrainUpstream, context: borrowing CallContext) in
      try front.drain.set(request.service, isDrained: request.isDrained)
      log.warning(
        "upstream",
        [
          "service": .string(request.service), "is": .string(request.isDrained ? "drained" : "asked"),
          "by": .string("\(context.peer)"),
        ])
      return front.drain.drained.sorted()
    }
    router.on(FetchThroughGateway.self) { [self] (request: FetchThroughGateway, _: CallContext) async throws in
      try await InnerRequest(request).answer(by: front.server, time: time)
    }
  }

  private func traffic() -> TrafficReport {
    TrafficReport(
      routes: front.traffic.report, connections: front.server.connections, streams: front.live.streams,
      superseded: front.desk.supersession.ended, maintenance: front.desk.maintenance)
  }

  private func streams(_ limit: Int) -> [EventStreamReport] {
    let oldest = front.live.hub.readers.sorted { $0.place.openedAt < $1.place.openedAt }
    return oldest.prefix(min(max(limit, 1), 1_000)).map { stream in
      EventStreamReport(
        kind: stream.user == nil ? "anonymous" : "session", topics: stream.topics.map(\.description).sorted(),
        seconds: Int((time.now - stream.place.openedAt).inSeconds), delivered: Int(stream.place.delivered),
        queued: stream.queuedBytes, isBehind: stream.isBehind)
    }
  }

  private func tail(_ request: TailEvents, _ writer: StreamWriter<TailedEvent>) async throws {
    var only: LiveTopic?
    if let text = request.topic {
      switch LiveTopic(text) {
      case let topic? where topic.isOfSchedule: only = topic
      case let topic:
        let what = topic == nil ? "is no topic" : "is not of the schedule, which is what is followed here"
        throw RPCError(.invalidArgument, "'\(text)' \(what); give cinema:ID, film:ID, schedule or sources")
      }
    }
    await front.schedule.live()
    var seen = front.schedule.revision ?? 0
    // A person reads, so a look every moment is enough, and nothing has to be remembered for it.
    while !Task.isCancelled {
      let events = front.schedule.remembered(after: seen)
      if events == nil, let newest = front.schedule.revision {
        // They came faster than they are read, or the scraper counts anew.
        try await writer.send(TailedEvent(revision: newest, name: "reset", data: "{}"))
        seen = newest
      }
      for event in events ?? [] {
        for notice in LiveNotice.all(of: event) where only.map(notice.topics.contains) ?? true {
          try await writer.send(
            TailedEvent(
              revision: event.revision, name: notice.name, data: String(decoding: notice.data, as: UTF8.self)))
        }
        // No further than what was sent: more may have come meanwhile.
        seen = event.revision
      }
      if writer.isShuttingDown { return }
      try await time.sleep(for: .milliseconds(100))
    }
  }

  private func cache() -> CacheReport {
    let counters = front.cache.counters
    return CacheReport(
      isOn: front.cache.isOn, entries: front.cache.count, bytes: front.cache.bytes, hits: counters.hits,
      misses: counters.misses, stale: counters.stale, voided: counters.voided)
  }

  private func limits(_ request: RequestLimits) throws -> RequestLimitsReport {
    let desk = front.desk
    for rate in [request.userRate, request.addressRate].compactMap(\.self) where !(0...1_000_000).contains(rate) {
      throw RPCError(.invalidArgument, "a rate is \(rate); give 0 (no limit) to 1000000 a second")
    }
    for burst in [request.userBurst, request.addressBurst].compactMap(\.self) where !(1...1_000_000).contains(burst) {
      throw RPCError(.invalidArgument, "a burst is \(burst); give 1 to 1000000")
    }
    var manners = desk.manners
    manners.perUser = .init(
      perSecond: request.userRate ?? manners.perUser.perSecond, burst: request.userBurst ?? manners.perUser.burst)
    manners.perAddress = .init(
      perSecond: request.addressRate ?? manners.perAddress.perSecond,
      burst: request.addressBurst ?? manners.perAddress.burst)
    desk.manners = manners
    return RequestLimitsReport(
      userRate: manners.perUser.perSecond, userBurst: manners.perUser.burst,
      addressRate: manners.perAddress.perSecond, addressBurst: manners.perAddress.burst, users: desk.users.count,
      addresses: desk.addresses.count)
  }

  private enum Limits {
    static let banSeconds = 1...365 * 86_400
    static let reasonBytes = 200
  }

  private func ban(_ request: BanClient, by peer: String) throws -> [ClientBan] {
    let network = try network(request.address)
    guard Limits.banSeconds.contains(request.seconds) else {
      throw RPCError(.invalidArgument, "it is for \(request.seconds) s; give 1 s to a year")
    }
    guard request.reason?.utf8.count ?? 0 <= Limits.reasonBytes else {
      throw RPCError(.invalidArgument, "the reason is too long; give at most \(Limits.reasonBytes) bytes")
    }
    guard !front.desk.manners.proxies.contains(where: { Self.network(of: $0) == network }) else {
      throw RPCError(.invalidArgument, "\(network) is a proxy of ours: everybody comes from there")
    }
    let now = time.wall
    let end = WallTime(milliseconds: now.milliseconds + Int64(request.seconds) * 1_000)
    guard front.desk.bans.add(network, until: end, reason: request.reason, now: now) else {
      throw RPCError(.resourceExhausted, "\(Bans.most) are shut out already; shut more out in front of the gateway")
    }
    log.warning("a client is shut out", ["until": .string("\(end.stamp)"), "by": .string(peer)])
    return bans()
  }

  /// What is counted as one client.
  private func network(_ text: String) throws -> IPAddress {
    guard let network = IPAddress(text).flatMap(Self.network(of:)) else {
      throw RPCError(.invalidArgument, "\(text) is no IP address")
    }
    return network
  }

  private static func network(of address: IPAddress) -> IPAddress? {
    ClientAddress(peer: .ip(address, port: 0), forwarded: nil, scheme: nil, proxies: []).network
  }

  private func bans() -> [ClientBan] {
    front.desk.bans.current(time.wall).map { network, ban in
      ClientBan(address: "\(network)", until: ban.until, reason: ban.reason, refused: ban.refused)
    }
  }

  /// All of them side by side: each is asked for something small.
  private func upstreams() async -> [UpstreamState] {
    let all = front.upstreams
    async let locator = state(of: all.locator, CinemasByID(ids: []))
    async let scraper = state(of: all.scraper, FilmsByID(ids: []))
    async let bookmarks = state(of: all.bookmarks, MostSaved(kind: .film, limit: 1))
    async let films = state(of: all.films, CatalogueFilms(ids: []))
    async let dining = state(of: all.dining, RestaurantsByID(ids: []))
    async let timetable = state(of: all.timetable, ListFestivals(limit: 1))
    async let radio = state(of: all.radio, StationsByID(ids: []))
    var states = await [locator, scraper, bookmarks, films, dining, timetable, radio]
    states[0].isFollowed = front.directory.isLive
    states[0].revision = front.directory.revision
    states[1].isFollowed = front.schedule.isLive
    states[1].revision = front.schedule.revision
    return states
  }

  private func state<Service: RPCService, Request: RPCRequest>(
    of client: any RPCClient<Service>, _ request: Request
  ) async -> UpstreamState where Request.Service == Service {
    let (service, start) = (Service.name, time.now)
    do throws(RPCError) {
      _ = try await client.call(request, within: Self.patience)
      return UpstreamState(service: service, answers: true, microseconds: Int((time.now - start) / .microseconds(1)))
    } catch {
      return UpstreamState(service: service, answers: false, problem: error.message)
    }
  }
}
