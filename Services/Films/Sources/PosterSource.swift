import Clocks
import Contracts
import EventLoops
import Fetch
import Observability
import RPC
import ServiceKit

/// Films' pictures: an operator's own, one that was fetched before, or one that is fetched now.
@MainActor
package final class PosterSource: ServicePart {
  nonisolated package let name = "posters"
  private let store: FilmStore
  /// Where pictures are fetched from, with a slash at its end.
  let base: String
  private let fetcher: Fetcher
  private let time: any TimeSource
  private let log: Log
  let fetchedBytesMax: Int
  /// Whoever asks for what is being fetched waits for that.
  private var fetching: [String: Task<PosterPicture, any Error>] = [:]
  /// What could not be had, and until when it is not asked for again.
  private var failures: [String: (until: Instant, error: RPCError)] = [:]

  private enum Limits {
    /// Who is shown a page waits no longer for a picture; it has the title meanwhile.
    static let total: Duration = .seconds(5)
    /// A picture that is not there may be so tomorrow; a site that is silent, soon.
    static let absence: Duration = .seconds(6 * 3_600)
    static let silence: Duration = .seconds(60)
    /// Of what failed: pages of films whose pictures are all gone.
    static let failures = 2_000
    /// More are asked for than any page shows: somebody counts through the catalogue.
    static let fetches = 64
  }

  init(
    _ store: FilmStore, in environment: ServiceEnvironment, fetchedBytesMax: Int = FilmStore.PosterLimits.fetchedBytes
  ) {
    self.store = store
    self.fetchedBytesMax = fetchedBytesMax
    time = environment.time
    log = environment.log
    let base = environment.configuration[FilmsService.tmdbImages]
    self.base = base.hasSuffix("/") ? base : base + "/"
    fetcher = Fetcher(
      addressGuard: .ofOperators(base), time: environment.time, log: environment.log, metrics: environment.metrics)
  }

  package func start() async throws {}

  package func stop() async {
    for task in fetching.values { task.cancel() }
    fetcher.close()
  }

  /// The film's picture; not found if it has none.
  func poster(of film: CatalogueFilm, width: Int) async throws -> PosterPicture {
    if let own = try await store.ownPoster(of: film.ids) { return own }
    guard let address = PosterAddress(film.film.posterURL)?.url(width: width, at: base) else {
      throw RPCError(.notFound, "\(film.film.id) has no poster")
    }
    let kept = try await store.fetchedPoster(at: address)
    if let kept, time.wall.milliseconds - kept.since.milliseconds < FilmStore.PosterLimits.fetchedFor.wholeMilliseconds
    {
      return kept.picture
    }
    do {
      return try await fetched(from: address)
    } catch {
      // An old picture is better than none.
      if let kept { return kept.picture }
      throw error
    }
  }

  private func fetched(from address: String) async throws -> PosterPicture {
    if let failure = failures[address], failure.until > time.now { throw failure.error }
    if let running = fetching[address] { return try await running.value }
    guard fetching.count < Limits.fetches else {
      throw RPCError(.resourceExhausted, "\(Limits.fetches) posters are being fetched; ask again", executed: .no)
    }
    let task = Task { @MainActor in
      defer { fetching[address] = nil }
      do throws(RPCError) {
        let picture = try await fetch(address)
        failures[address] = nil
        return picture
      } catch {
        if failures.count >= Limits.failures { failures = failures.filter { $0.value.until > time.now } }
        if failures.count < Limits.failures {
          let pause = error.code == .notFound ? Limits.absence : Limits.silence
          failures[address] = (time.now + pause, error)
        }
        throw error
      }
    }
    fetching[address] = task
    return try await task.value
  }

  private func fetch(_ address: String) async throws(RPCError) -> PosterPicture {
    let picture: PosterPicture
    do throws(PosterFailure) {
      picture = try await download(address)
    } catch {
      switch error {
      case .silent(let reason): log.warning("a poster was not fetched", ["error": "\(reason)"])
      case .status(let status, _): log.warning("a poster was not fetched", ["status": .int(status)])
      case .noPicture(let bytes): log.warning("a poster is no picture", ["bytes": .int(bytes)])
      case .gone: break
      }
      throw error.told
    }
    do {
      try await keep(picture, from: address)
    } catch {
      // It is shown all the same, and fetched again next time.
      log.warning("a poster was not kept", ["error": "\(error)"])
    }
    return picture
  }

  func keep(_ picture: PosterPicture, from address: String) async throws {
    try await store.keep(picture, from: address, at: time.wall, bytesMax: fetchedBytesMax)
    failures[address] = nil
  }

  /// The picture that is there now.
  func download(_ address: String) async throws(PosterFailure) -> PosterPicture {
    let answer: FetchResponse
    do throws(FetchError) {
      var request = try FetchRequest(address)
      request.limits.total = Limits.total
      request.limits.turn = Limits.total
      request.limits.bodyBytes = PosterPicture.bytesMax
      request.limits.wireBytes = PosterPicture.bytesMax + request.limits.headerBytes
      // They are where they are said to be; whoever leads elsewhere is somebody else.
      request.followsRedirects = false
      answer = try await fetcher.fetch(request)
    } catch {
      throw .silent(error)
    }
    switch answer.status {
    case 200: break
    case 404, 410: throw .gone
    default:
      let wait = answer.headers["retry-after"].flatMap { RetryAfter.wait($0, now: time.wall) }
      throw .status(answer.status, wait: wait)
    }
    guard let form = PictureForm(sniffing: answer.body) else { throw .noPicture(bytes: answer.body.count) }
    return PosterPicture(form: form, bytes: answer.body, tag: PosterTag.of(answer.body))
  }
}

/// Why a picture did not come.
nonisolated enum PosterFailure: Error {
  case silent(FetchError)
  /// With what it said about when to ask again.
  case status(Int, wait: Duration?)
  case gone
  case noPicture(bytes: Int)

  var told: RPCError {
    switch self {
    case .silent(let error): RPCError(.unavailable, "the poster was not fetched: \(error)", executed: .no)
    case .status(let status, _):
      RPCError(.unavailable, "posters are answered with status \(status)", executed: .no)
    case .gone: RPCError(.notFound, "the poster is not there any more")
    case .noPicture: RPCError(.notFound, "what is there in its place is no JPEG, PNG or WebP")
    }
  }
}
