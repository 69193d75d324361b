import Contracts
import Crypto
import Fetch
import RPC
package import ServiceKit
import ServiceStorage
import Storage

/// Restaurants as a service: who it is, and how it is put together.
package enum DiningService {
  nonisolated static let demo = Setting<Bool>.value(
    "demo", "begin an empty directory with invented restaurants around the known cinemas", default: false)
  nonisolated static let hotpepperKey = Setting<Secret?>.secret(
    "hotpepper-key", "the key to Recruit's gourmet guide; without one it is never asked",
    issuer: "webservice.recruit.co.jp")
  nonisolated static let hotpepperURL = Setting<String>.value(
    "hotpepper-url", "where Recruit's gourmet guide is", default: "https://webservice.recruit.co.jp/hotpepper")
  nonisolated static let hotpepperDaily = Setting<Int>.value(
    "hotpepper-daily", "how many questions a day, by Tokyo's calendar, the guide is asked", default: 1_000,
    in: 1...1_000_000)

  package static var program: ServiceProgram {
    ServiceProgram(
      "dining", "restaurants: where one eats before a film, or after it",
      discussion: """
        Keeps restaurants in DIR/dining.sqlite and answers from memory. With a key it asks Recruit's gourmet guide about \
        places in Japan, each question once a day, and keeps what it says for a week.
        """,
      examples: [
        .init("odi-dining near --cinema emu --open-at 21:30", "what is open near a cinema at half past nine"),
        .init("odi-dining import places.csv --dry-run", "what a file would change"),
        .init("odi-dining hours '月～木 17:00～翌2:00' --close 日曜", "what is understood of printed hours"),
      ],
      build: .ofSuite(libraries: [Database.library, Fetcher.library]), port: 7_105,
      settings: [demo, hotpepperKey, hotpepperURL, hotpepperDaily], checks: [.storage],
      commands: DiningCommands().all + [DatabaseCommands(DiningStore.declaration).command], parts: parts)
  }

  private static func parts(_ environment: ServiceEnvironment) -> [any ServicePart] {
    let configuration = environment.configuration
    let database = ServiceDatabase(DiningStore.declaration, in: environment)
    let store = DiningStore(database)
    let restaurants = LiveRestaurants(store, isDemo: configuration[demo], in: environment)
    let options = HotPepperDesk.Options(
      key: configuration[hotpepperKey], url: configuration[hotpepperURL], perDay: configuration[hotpepperDaily])
    let guide = HotPepperDesk(options, store: store, restaurants: restaurants, in: environment)
    environment.onReload(of: [hotpepperKey]) { [weak guide] in guide?.take(key: $0[hotpepperKey]) }
    let router = RPCRouter(service: DiningAPI.name)
    DiningHandlers(restaurants: restaurants, guide: guide, time: environment.time).register(on: router)
    AdministratorHandlers(restaurants: restaurants, store: store, guide: guide, time: environment.time)
      .register(on: router)
    database.answerAdministrators(on: router)
    return [database, restaurants, guide, CallServer(router, in: environment)]
  }
}
