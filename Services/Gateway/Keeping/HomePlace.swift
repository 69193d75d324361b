import Clocks
package import Contracts
import Observability
package import RPC
import ServiceKit

/// From where the page looks while nobody has said where they are: what the operator set; else the middle of the region
/// with the most cinemas that have a programme, or of the one with the most cinemas where none has; else the middle of
/// Seoul, where the demo world is.
package final class HomePlace {
  nonisolated package struct Place: Hashable, Sendable {
    package var position: Coordinate
    package var region: Region?
    var isSet = false
  }

  /// Gwanghwamun.
  nonisolated package static let demoWorld: Place = {
    do { return Place(position: try Coordinate(latitude: 37.571, longitude: 126.976)) } catch {
      preconditionFailure("it is on the globe")
    }
  }()

  package private(set) var place: Place
  /// Whether a site that is read is the demo world's: then all pages say that listings are invented.
  package private(set) var isDemo = false

  package init(set position: Coordinate? = nil) {
    place = position.map { Place(position: $0, isSet: true) } ?? Self.demoWorld
  }

  /// Looks where most cinemas are, and whether they are invented. Throws if one of the two services does not answer: the
  /// place is as it was.
  package func look(
    _ locator: any RPCClient<LocatorAPI>, _ scraper: any RPCClient<ScraperAPI>, _ options: CallOptions
  )
    async throws(RPCError)
  {
    let sources = try await scraper.call(Sources(), options)
    isDemo = sources.contains { $0.isDemo == true }
    guard !place.isSet else { return }
    guard !isDemo else { return place = Self.demoWorld }
    let regions = try await locator.call(Regions(), options)
    let read = sources.lazy.filter { $0.state != .disabled }.map(\.cinema)
    let cinemas = try await locator.call(CinemasByID(ids: Array(read.prefix(CinemasByID.idsMax))), options)
    let programmes = Dictionary(cinemas.map { ($0.region, 1) }, uniquingKeysWith: +)
    let home = regions.max { left, right in
      (programmes[left.id] ?? 0, left.cinemas, right.id) < (programmes[right.id] ?? 0, right.cinemas, left.id)
    }
    place = home.map { Place(position: $0.center, region: $0) } ?? Self.demoWorld
  }
}

nonisolated extension HomePlace.Place {
  /// As people of a language call it; nil of the place that the page has a word for.
  func name(_ words: Words) -> String? {
    if isSet { return words("place.point") }
    guard let region else { return nil }
    let isTheirs =
      switch words.language {
      case .ko: region.country == "KR"
      case .ja: region.country == "JP"
      case .en: false
      }
    return isTheirs ? region.name : region.nameEnglish ?? region.name
  }
}

/// Keeps ``HomePlace`` where most cinemas are, as sites are enabled and cinemas come and go.
@MainActor
final class HomePart: ServicePart {
  nonisolated let name = "home"
  private let front: GatewayFront
  private let time: any TimeSource
  private let log: Log
  private var looking: Task<Void, Never>?

  private enum Limits {
    static let patience: Duration = .seconds(5)
    /// Until both services answer: soon at the start, and then less and less often.
    static let retry: Duration = .seconds(1)
    /// An operator who enables a site looks at the page a while later.
    static let again: Duration = .seconds(30)
  }

  init(_ front: GatewayFront, in environment: ServiceEnvironment) {
    self.front = front
    time = environment.time
    log = environment.log
  }

  func start() async throws {
    looking = Task { [front, time, log] in
      var failures = 0
      while !Task.isCancelled {
        var pause = Limits.again
        do throws(RPCError) {
          try await front.home.look(
            front.upstreams.locator, front.upstreams.scraper, CallOptions(timeout: Limits.patience))
          failures = 0
        } catch {
          failures += 1
          pause = min(Limits.again, Limits.retry * failures)
          if failures == 1 { log.info("the page looks from where it did", ["error": "\(error)"]) }
        }
        guard (try? await time.sleep(for: pause)) != nil else { return }
      }
    }
  }

  func stop() async { looking?.cancel() }
}
