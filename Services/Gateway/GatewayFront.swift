import Calendars
package import Clocks
package import Contracts
package import HTTP
package import Observability
import RPC

/// The gateway without its process: flows, front desk, events and HTTP server, over any clients and any clock.
package final class GatewayFront {
  let upstreams: Upstreams
  let drain = UpstreamDrain()
  package let desk: FrontDesk
  package let cache: AnswerCache
  /// Below the answers: what many of them are made of is asked for once.
  private let reads: SharedReads?
  let shelf: CinemaShelf
  let posters: PosterShelf
  let titles: TitleShelf
  let festivalNames: FestivalShelf
  let paths: PathShelf
  let schedule: ScheduleFeed
  let directory: DirectoryFeed
  let festivals: FestivalFeed
  let catalogue: CatalogueFeed
  package let live: LiveHub
  let stations: StationWatch
  let home: HomePlace
  let traffic: Traffic
  package let endpoints: [Endpoint]
  package let server: HTTPServer

  package struct Options {
    package var manners = FrontDesk.Manners()
    package var cachesAnswers = true
    /// How much is kept, and for how long.
    package var keeping = AnswerCache.Limits()
    package var live = LiveHub.Limits()
    package var version = GatewayService.version
    /// Whom to tell of a weakness: a URL, `mailto:` among them.
    package var securityContact: String?
    /// Whether this process should be sent work; nil if so, else why not.
    package var unready: @MainActor () -> String? = { nil }
    /// From where the page looks while nobody has said where they are; nil: where most cinemas are.
    package var home: Coordinate?
    /// A folder to read the page's files from, in place of the build's.
    package var web: String?

    package init() {}
  }

  package init(
    _ upstreams: Upstreams, key: TokenKey, options: Options, time: any TimeSource, traces: Traces,
    log: Log = .silent, metrics: Metrics? = nil
  ) {
    let guarded = drain.guarding(upstreams)
    reads = options.cachesAnswers ? SharedReads(guarded, time: time) : nil
    let upstreams = reads?.upstreams ?? guarded
    self.upstreams = upstreams
    cache = AnswerCache(isOn: options.cachesAnswers, limits: options.keeping, time: time)
    home = HomePlace(set: options.home)
    shelf = CinemaShelf(locator: upstreams.locator, time: time)
    titles = TitleShelf(films: upstreams.films, time: time)
    festivalNames = FestivalShelf(timetable: upstreams.timetable, time: time)
    paths = PathShelf(
      locator: upstreams.locator, scraper: upstreams.scraper, timetable: upstreams.timetable, time: time)
    schedule = ScheduleFeed(scraper: upstreams.scraper, time: time)
    directory = DirectoryFeed(locator: upstreams.locator, time: time)
    festivals = FestivalFeed(timetable: upstreams.timetable, time: time)
    catalogue = CatalogueFeed(films: upstreams.films, time: time)
    live = LiveHub(
      feed: schedule, bookmarks: upstreams.bookmarks, films: upstreams.films, shelf: shelf, version: options.version,
      limits: options.live, time: time)
    stations = StationWatch(live, radio: upstreams.radio, time: time)
    posters = PosterShelf(films: upstreams.films, time: time)
    desk = FrontDesk(
      sessions: Sessions(key: key, bookmarks: upstreams.bookmarks, time: time), cache: cache, posters: posters,
      manners: options.manners, time: time, zones: ZoneDirectory(), traces: traces, log: log)
    endpoints =
      AppCoordinator(
        upstreams, sessions: desk.sessions, shelf: shelf, titles: titles, festivals: festivalNames, paths: paths,
        live: live
      ).endpoints
      + ServiceCoordinator(securityContact: options.securityContact, unready: options.unready).endpoints

    var router = HTTPRouter()
    desk.register(endpoints, on: &router)
    APIDescription.register(endpoints, version: options.version, on: &router)
    // The page is for people: no part of the API, and not in its description.
    let files = WebFiles(folder: options.web)
    let pages = PaintCoordinator(
      locator: upstreams.locator, scraper: upstreams.scraper, films: upstreams.films, shelf: shelf, titles: titles,
      files: files, api: OwnAPI(endpoints, kept: cache), home: home)
    desk.register(pages.endpoints, on: &router)
    desk.registerElsewhere(pages.nowhere, outside: "/v1", on: &router)
    files.register(on: &router)
    var serving = HTTPServer.Options()
    serving.safety = WebFiles.safety
    serving.admit = { [desk] request in desk.refusal(of: request) }
    serving.trusts = { [desk] address in desk.manners.proxies.contains(address) }
    serving.decorate = { [desk] request, response in desk.decorate(request, &response) }
    serving.complete = { [desk] head, problem in desk.complete(&problem, head) }
    serving.explain = { error in (error as? RPCError).map { Problem($0) } }
    let traffic = Traffic(metrics)
    self.traffic = traffic
    serving.observe = { traffic.observe($0) }
    server = HTTPServer(router: router, options: serving, time: time, log: log)
    forgetWhatChanges()
    if let metrics { count(in: metrics) }
  }

  /// Nothing is kept that is no longer so.
  private func forgetWhatChanges() {
    schedule.onEvent.append { [cache, paths] event in
      cache.void(.schedule)
      if event.change?.listed.isEmpty == false { paths.forgetAll() }
      if let cinema = event.change?.cinema ?? event.source?.cinema { cache.void(.programme(cinema)) }
    }
    schedule.onReset.append { [cache] in cache.voidAll() }
    catalogue.onChange.append { [cache, reads, posters, titles] in
      titles.forgetAll()
      reads?.forgetCatalogue()
      cache.void(.catalogue)
      posters.refresh()
    }
    // Answers that were made since the catalogue changed still have the pictures of before, programmes among them.
    posters.onChange = { [cache] in cache.voidAll() }
    directory.onChange.append { [cache, live, shelf, paths] cinema in
      paths.forgetAll()
      cache.void(.directory)
      shelf.forget(cinema)
      live.cinemaChanged(cinema)
    }
    festivals.onChange.append { [cache, live, festivalNames, paths] change in
      festivalNames.forgetAll()
      paths.forgetAll()
      cache.void(.festivals)
      if let festival = change.festival { cache.void(.festival(festival)) }
      live.announce(LiveNotice.all(of: change))
    }
  }

  /// Drops the answers whose key begins with `prefix`, or all of them and what they were made of. Returns how many.
  func purge(_ prefix: String?) -> Int {
    if prefix == nil {
      reads?.forgetAll()
      paths.forgetAll()
    }
    return cache.purge(prefix)
  }

  private func count(in metrics: Metrics) {
    let subscribers = metrics.gauge("odi_sse_subscribers", "Open streams of events.")
    let events = metrics.gauge("odi_sse_delivered", "Events written to streams since the start.")
    let entries = metrics.gauge("odi_cache_entries", "Answers that are kept.")
    let bytes = metrics.gauge("odi_cache_bytes", "What they take.")
    let hits = metrics.gauge("odi_cache_hits", "Requests answered from them since the start.")
    let superseded = metrics.gauge("odi_superseded", "Questions ended by newer ones since the start.")
    let turnedAway = metrics.gauge(
      "odi_http_turned_away", "Connections closed at once since the start: too many in all, or of one address.")
    let bodies = metrics.gauge("odi_http_body_bytes", "Bytes of requests' bodies that are kept.")
    metrics.beforeReading { [weak self] in
      MainActor.assumeIsolated {
        guard let front = self else { return }
        subscribers.set(front.live.streams)
        events.set(front.live.counters.delivered)
        entries.set(front.cache.count)
        bytes.set(front.cache.bytes)
        hits.set(front.cache.counters.hits)
        superseded.set(front.desk.supersession.ended)
        turnedAway.set(front.server.turnedAway)
        bodies.set(front.server.heldBodyBytes)
      }
    }
  }

  /// Begins to follow what changes. Until then everything is answered, and nothing is heard.
  package func begin() {
    schedule.start()
    live.start()
    directory.start()
    festivals.start()
    catalogue.start()
    stations.start()
  }

  package func end() {
    live.stop()
    schedule.stop()
    directory.stop()
    festivals.stop()
    catalogue.stop()
    posters.stop()
    stations.stop()
  }
}
