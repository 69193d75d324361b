package import Clocks
import Contracts
package import Fetch
import FilmFiles
import RPC
import ServiceKit

/// Fetches the posters of many films before anybody asks for them, as an operator said: one after another, no faster than
/// whoever has them is asked politely.
@MainActor
final class PosterHarvest {
  private let catalogue: LiveCatalogue
  private let store: FilmStore
  private let posters: PosterSource
  private let tmdb: TMDbSource
  private let time: any TimeSource
  private let pace: PosterPace

  private nonisolated enum Limits {
    static let width = 1...2_000
    /// Whose pictures an operator says may be shown: each is a name that somebody typed.
    static let hosts = 50
    static let hostBytes = 255
    /// Of hosts that were not named.
    static let hostsTold = 20
  }

  init(
    _ catalogue: LiveCatalogue, _ store: FilmStore, posters: PosterSource, tmdb: TMDbSource,
    in environment: ServiceEnvironment
  ) {
    self.catalogue = catalogue
    self.store = store
    self.posters = posters
    self.tmdb = tmdb
    time = environment.time
    pace = PosterPace(of: posters.base, time: environment.time)
  }

  /// A film without a picture, and where one is.
  private nonisolated struct Wish {
    var film: CatalogueFilm
    var place: Place

    enum Place {
      case tmdb(PosterAddress)
      /// TMDb has to be asked where.
      case number(Int)
      /// Of a host whose pictures the operator may show.
      case elsewhere(FetchURL)
    }
  }

  private nonisolated struct Plan {
    /// In the catalogue's order: what most ask for comes first.
    var wishes: [Wish] = []
    var elsewhere: [String: Int] = [:]
    /// Of all films' pictures, also of those that lie here already.
    var hosts: Set<FetchURL.Host> = []
    var withoutKey = 0
  }

  /// Tells what is to be done, then each film as it is done, and at the end what was left.
  func run(_ request: FetchPosters, _ tell: (PosterNews) async throws -> Void) async throws {
    guard Limits.width.contains(request.width), request.hosts.count <= Limits.hosts,
      request.hosts.allSatisfy({ $0.utf8.count <= Limits.hostBytes })
    else {
      throw RPCError(
        .invalidArgument,
        "ask for a width of \(Limits.width.lowerBound)...\(Limits.width.upperBound) and at most \(Limits.hosts) hosts")
    }
    let named = try request.hosts.map { text throws(RPCError) in try Self.host(text) }
    let plan = try await plan(request, named)
    let total = plan.wishes.count
    let hosts = plan.elsewhere.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Limits.hostsTold)
    var first = PosterNews(
      total: total, elsewhere: hosts.map { PosterHost(host: $0.key, films: $0.value) }, withoutKey: plan.withoutKey)
    first.nowhere = zip(request.hosts, named).filter { !plan.hosts.contains($1) }.map(\.0)
    try await tell(first)
    var left: [String: (reason: String, films: Int)] = [:]
    for wish in plan.wishes {
      try Task.checkCancellation()
      var news = PosterNews(total: total, film: wish.film.film.id, title: wish.film.film.title)
      let asked = asked(wish)
      guard left[asked] == nil else {
        left[asked]?.films += 1
        continue
      }
      do throws(RPCError) {
        try await take(wish, request, &news)
      } catch {
        // That would be the next one's answer too.
        if [.resourceExhausted, .failedPrecondition].contains(error.code) {
          left[asked] = (error.message, 1)
          continue
        }
        news.problem = error.message
      }
      try await tell(news)
    }
    for (reason, films) in left.sorted(by: { $0.key < $1.key }).map(\.value) {
      try await tell(PosterNews(total: total, problem: "\(reason); films that were left: \(films)"))
    }
    if !request.isDryRun { try await catalogue.catchUp() }
  }

  // MARK: What there is to do

  /// `pictures.example`, `한글.example`, or an address of a page or picture there.
  private static func host(_ text: String) throws(RPCError) -> FetchURL.Host {
    do throws(FetchURLError) {
      return try FetchURL(parsing: text.contains("://") ? text : "https://\(text)").host
    } catch {
      throw RPCError(
        .invalidArgument, "\(text) is no host; write pictures.example, or the address of a picture there",
        executed: .no)
    }
  }

  private func plan(_ request: FetchPosters, _ named: [FetchURL.Host]) async throws -> Plan {
    let kept = try await store.keptPosters()
    let since = goodSince
    var plan = Plan()
    for entry in catalogue.current.films {
      let url = entry.film.posterURL.flatMap { try? FetchURL(parsing: $0) }
      if let url { plan.hosts.insert(url.host) }
      guard kept.own.isDisjoint(with: entry.ids.map(\.text)) else { continue }
      if let address = PosterAddress(entry.film.posterURL) {
        if kept.fetched[address.url(width: request.width, at: posters.base)].map({ $0 > since }) == true { continue }
        plan.wishes.append(Wish(film: entry, place: .tmdb(address)))
      } else if let url {
        if named.contains(url.host) {
          plan.wishes.append(Wish(film: entry, place: .elsewhere(url)))
        } else {
          plan.elsewhere[url.host.description, default: 0] += 1
        }
      } else if let number = entry.film.externalIDs?.lazy.compactMap(Self.number).first {
        if tmdb.hasKey {
          plan.wishes.append(Wish(film: entry, place: .number(number)))
        } else {
          plan.withoutKey += 1
        }
      }
    }
    return plan
  }

  /// `tmdb:843`
  private static func number(_ id: String) -> Int? {
    id.utf8.starts(with: "tmdb:".utf8) ? Int(id.dropFirst("tmdb:".utf8.count)) : nil
  }

  private func asked(_ wish: Wish) -> String {
    switch wish.place {
    case .tmdb: posters.base
    case .number: TMDbSource.title
    case .elsewhere(let url): url.origin
    }
  }

  // MARK: One film

  private func take(_ wish: Wish, _ request: FetchPosters, _ news: inout PosterNews) async throws(RPCError) {
    do {
      var place = wish.place
      if !request.isDryRun, case .number(let number) = place {
        place = .tmdb(try await found(number, of: wish.film, by: request.editor))
      }
      let url: FetchURL
      switch place {
      // Where it is will be known when it is asked for.
      case .number: return
      case .tmdb(let address): url = try FetchURL(parsing: address.url(width: request.width, at: posters.base))
      case .elsewhere(let other): url = other
      }
      news.address = url.description
      guard !request.isDryRun else { return }
      if case .tmdb = place { try await requireRoom() }
      let picture = try await fetched(url)
      if case .tmdb = place {
        try await posters.keep(picture, from: url.description)
      } else {
        let id = wish.film.film.id
        let edit = try await store.putPoster(picture, of: id, mayReplace: false, by: request.editor, at: time.wall)
        guard edit != nil else { throw Self.isGone(id) }
        catalogue.reloadSoon()
      }
      news.bytes = picture.bytes.count
    } catch let error as RPCError {
      throw error
    } catch {
      throw RPCError(handler: error)
    }
  }

  /// Where TMDb has the film's poster, which its record says from now on; or what somebody told it meanwhile.
  private func found(_ number: Int, of film: CatalogueFilm, by editor: String) async throws -> PosterAddress {
    try await pace.turnOfTMDb()
    let told = try await tmdb.films([number], search: nil, year: nil).films.first?.film.posterURL
    guard let told, let address = PosterAddress(told) else {
      throw RPCError(.notFound, "TMDb has no poster of its film \(number)", executed: .no)
    }
    let id = film.film.id
    let now = try await store.addPosterAddress(
      told, insteadOf: film.film.posterURL, credit: TMDbDocument.credit, to: id, by: editor, at: time.wall)
    guard let now else { throw Self.isGone(id) }
    catalogue.reloadSoon()
    if now == told { return address }
    guard let other = PosterAddress(now) else {
      throw RPCError(.notFound, "\(id) names a picture elsewhere by now; fetch again", executed: .no)
    }
    return other
  }

  private static func isGone(_ id: FilmID) -> RPCError {
    RPCError(.notFound, "there is no film \(id) any more", executed: .no)
  }

  /// Beyond its bound a shelf gives away what was fetched first: old pictures make room, good ones would have been fetched
  /// for nothing.
  private func requireRoom() async throws {
    let bytes = try await store.fetchedBytes(since: goodSince)
    guard bytes + PosterPicture.bytesMax <= posters.fetchedBytesMax else {
      throw RPCError(
        .resourceExhausted,
        "fetched pictures take \(bytes) of \(posters.fetchedBytesMax) bytes; odi-films posters gc takes away those that "
          + "no film names",
        executed: .no)
    }
  }

  /// Pictures that were fetched after it are not fetched again.
  private var goodSince: Int64 {
    time.wall.milliseconds - FilmStore.PosterLimits.fetchedFor.wholeMilliseconds
  }

  private func fetched(_ url: FetchURL) async throws -> PosterPicture {
    try await pace.turn(of: url)
    let start = time.now
    do throws(PosterFailure) {
      let picture = try await posters.download(url.description)
      pace.ended(url, .answered(after: time.now - start))
      guard PictureHead(picture.bytes, as: picture.form) != nil else {
        throw PosterFailure.noPicture(bytes: picture.bytes.count)
      }
      return picture
    } catch {
      switch error {
      case .silent: pace.ended(url, .failed)
      case .status(429, let wait), .status(503, let wait): pace.ended(url, .throttled(retryAfter: wait))
      case .status, .gone, .noPicture: pace.ended(url, .answered(after: time.now - start))
      }
      throw error.told
    }
  }
}

/// When a picture may be asked for next: whoever has many of them is not asked for all at once.
@MainActor
package final class PosterPace {
  private let time: any TimeSource
  private let own: [HostBudget.Key]
  private var tmdb = HostBudget(limits: PosterPace.tmdbLimits)
  private var others = HostBudget()

  /// TMDb lets one address ask some 40 times a second, for people who wait for what they see. Nobody waits here.
  private nonisolated static var tmdbLimits: HostBudget.Limits {
    var limits = HostBudget.Limits()
    limits.interval = .milliseconds(250)
    return limits
  }

  package init(of base: String, time: any TimeSource) {
    self.time = time
    own = (try? FetchURL(parsing: base)).map { HostBudget.keys($0, address: nil) } ?? []
  }

  /// Waits until it may begin. Throws if the host asked to be left alone.
  package func turn(of url: FetchURL) async throws {
    try await turn(of: HostBudget.keys(url, address: nil), named: "\(url.host)")
  }

  /// A turn for a question about films, which is answered elsewhere than their pictures, by the same people.
  func turnOfTMDb() async throws { try await turn(of: own, named: TMDbSource.title) }

  private func turn(of keys: [HostBudget.Key], named name: String) async throws {
    let budget = keys == own ? tmdb : others
    if let end = budget.pauseEnd(keys, now: time.now) {
      let seconds = (end - time.now).components.seconds + 1
      throw RPCError(
        .resourceExhausted, "\(name) asks to be left alone for \(seconds) s", executed: .no,
        retryAfter: .seconds(seconds))
    }
    // Counted before the wait, so that whoever asks meanwhile waits for the turn after this one.
    let start = budget.earliestStart(keys, now: time.now)
    if keys == own { tmdb.begin(keys, now: start) } else { others.begin(keys, now: start) }
    if start > time.now { try await time.sleep(for: start - time.now) }
  }

  package func ended(_ url: FetchURL, _ outcome: HostBudget.Outcome) {
    let keys = HostBudget.keys(url, address: nil)
    if keys == own {
      tmdb.finish(keys, outcome, now: time.now)
    } else {
      others.finish(keys, outcome, now: time.now)
    }
  }
}
