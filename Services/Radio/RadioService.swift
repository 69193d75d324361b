import Contracts
import Fetch
import RPC
package import ServiceKit
import ServiceStorage
import Storage

/// Radio stations as a service: who it is, and how it is put together.
package enum RadioService {
  nonisolated static let demo = Setting<Bool>.value(
    "demo", "take in the demo world's invented stations", default: false)
  nonisolated static let demoURL = Setting<String>.value(
    "demo-url", "where the demo world is; the only address of this machine that is connected to",
    default: "http://127.0.0.1:7190")
  nonisolated static let probeEvery = Setting<Duration>.value(
    "probe-every", "how often each public station's stream is tried", default: .seconds(900),
    in: .seconds(30)...Duration.seconds(86_400))

  package static var program: ServiceProgram {
    ServiceProgram(
      "radio", "radio stations: which may be shown, where their streams are, and what they play",
      discussion: """
        Keeps the stations in DIR/radio.sqlite. One that nobody has allowed us to use is shown to operators only: \
        `rights` tells which, and why.
        """,
      examples: [
        .init("odi-radio resolve kbs-1radio", "each step from its address to its stream"),
        .init("odi-radio probe --all", "which can be heard, with codec and rate"),
        .init("odi-radio rights set fred-korean --owner 'FRED' --licence 'mail of 2 May' --use play", "show it"),
      ],
      build: .ofSuite(libraries: [Database.library, Fetcher.library]), port: 7_107,
      settings: [demo, demoURL, probeEvery], checks: [.storage, .certificates],
      commands: RadioCommands().all + [DatabaseCommands(RadioStore.declaration).command],
      parts: parts)
  }

  private static func parts(_ environment: ServiceEnvironment) throws -> [any ServicePart] {
    let database = ServiceDatabase(RadioStore.declaration, in: environment)
    let store = RadioStore(database)
    let stations = LiveStations(store, in: environment)
    let fetcher = RadioFetcher(environment)
    let fetch: StreamResolver.Fetching = { request throws(FetchError) in try await fetcher.fetch(request) }
    let shelf = StreamShelf(StreamResolver(time: environment.time, fetch: fetch), time: environment.time)
    let prober = Prober(stations, shelf, every: environment.configuration[probeEvery], in: environment)
    let router = RPCRouter(service: RadioAPI.name)
    let titles = TitleBook(shelf, time: environment.time, fetch: fetch)
    RadioHandlers(
      stations: stations, shelf: shelf, titles: titles,
      programmes: ProgrammeGuide(time: environment.time, fetch: fetch),
      relay: Relay(metrics: environment.metrics, time: environment.time) { request throws(FetchError) in
        try await fetcher.listen(request)
      },
      time: environment.time
    ).register(on: router)
    AdministratorHandlers(
      stations: stations, store: store, shelf: shelf, prober: prober, titles: titles, time: environment.time
    ).register(on: router)
    database.answerAdministrators(on: router)
    let demo = DemoStations(stations, store, fetcher, in: environment)
    return [database, stations, demo, prober, CallServer(router, in: environment)]
  }
}
