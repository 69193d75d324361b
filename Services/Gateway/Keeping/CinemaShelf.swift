import Clocks
import Contracts
import HTTP
import JSON
import RPC

/// Cinemas that were looked up lately, so that a programme's times can be shown in its zone without asking again.
///
/// An entry is good for `memory`; an older one still is while the directory does not answer, because cinemas seldom move.
final class CinemaShelf {
  private let locator: any RPCClient<LocatorAPI>
  private let time: any TimeSource
  private var entries = RecencyMap<CinemaID, Entry>(atMost: CinemaShelf.cinemasMax)
  /// How often the directory has changed: an answer that was asked for before a change is not kept.
  private(set) var changes = 0

  private struct Entry {
    var cinema: Cinema
    var until: Instant
  }

  static let memory: Duration = .seconds(60)
  /// All cinemas of several countries, at about 600 bytes each.
  static let cinemasMax = 5_000

  init(locator: any RPCClient<LocatorAPI>, time: any TimeSource) {
    self.locator = locator
    self.time = time
  }

  /// The cinemas of these ids, without those that nobody knows.
  func cinemas(_ ids: [CinemaID], _ options: CallOptions) async throws -> [CinemaID: Cinema] {
    let met = await met(ids, options)
    if let failure = met.failure { throw failure }
    return met.cinemas
  }

  /// The same, for an answer that can do without some of them: those that could be told, and why not all.
  func met(_ ids: [CinemaID], _ options: CallOptions) async -> (cinemas: [CinemaID: Cinema], failure: RPCError?) {
    var found: [CinemaID: Cinema] = [:]
    var old: [CinemaID: Cinema] = [:]
    let now = time.now
    for id in ids where found[id] == nil {
      guard let entry = entries[id] else { continue }
      if entry.until > now { found[id] = entry.cinema } else { old[id] = entry.cinema }
    }
    let missing = Set(ids.filter { found[$0] == nil }).sorted()
    guard !missing.isEmpty else { return (found, nil) }
    let asked = changes
    do throws(RPCError) {
      var rest = missing[...]
      while !rest.isEmpty {
        for cinema in try await locator.call(CinemasByID(ids: Array(rest.prefix(CinemasByID.idsMax))), options) {
          found[cinema.id] = cinema
          put(cinema, asked: asked)
        }
        rest = rest.dropFirst(CinemasByID.idsMax)
      }
      return (found, nil)
    } catch {
      let isTold = error.isTransient && missing.allSatisfy { old[$0] != nil }
      return (found.merging(old) { fresh, _ in fresh }, isTold ? nil : error)
    }
  }

  /// One cinema; nil if nobody knows it.
  func cinema(_ id: CinemaID, _ options: CallOptions) async throws -> Cinema? {
    try await cinemas([id], options)[id]
  }

  /// One cinema. A caller that asks for one that is not there hears whether it was, and which is there instead.
  func known(_ id: CinemaID, _ options: CallOptions) async throws -> Cinema {
    if let cinema = try await cinema(id, options) { return cinema }
    throw Problem(noCinema: id, await former(id, options))
  }

  /// What became of a cinema that is not there; nil also while nobody can tell.
  func former(_ id: CinemaID, _ options: CallOptions) async -> FormerCinema? {
    try? await formerCinema(id, options)
  }

  /// The same, for who has to know whether somebody could tell.
  func formerCinema(_ id: CinemaID, _ options: CallOptions) async throws(RPCError) -> FormerCinema? {
    try await locator.call(FormerCinemas(ids: [id]), options).first
  }

  /// Of these the ones that were replaced, with what is in the directory in their place.
  func replacements(
    of ids: some Collection<CinemaID>, _ options: CallOptions
  ) async throws(RPCError) -> [CinemaID: CinemaID] {
    var found: [CinemaID: CinemaID] = [:]
    var rest = ids.sorted()[...]
    while !rest.isEmpty {
      for cinema in try await locator.call(FormerCinemas(ids: Array(rest.prefix(FormerCinemas.idsMax))), options) {
        found[cinema.id] = cinema.replacedBy
      }
      rest = rest.dropFirst(FormerCinemas.idsMax)
    }
    return found
  }

  /// A cinema that was met on the way.
  ///
  /// - Parameter asked: what `changes` was when it was asked for.
  func put(_ cinema: Cinema, asked: Int) {
    guard asked == changes else { return }
    entries.set(cinema.id, to: Entry(cinema: cinema, until: time.now + Self.memory))
  }

  /// The directory changed.
  func forget(_ id: CinemaID) {
    changes += 1
    entries.remove(id)
  }
}

extension Problem {
  /// 404; 410 if there was one.
  init(noCinema id: CinemaID, _ former: FormerCinema?) {
    guard let former else {
      self.init(.notFound, "no cinema has the id \(id)")
      return
    }
    let other = former.replacedBy.map { "; ask for \($0) instead" } ?? ""
    self.init(
      .gone, "the cinema \(id) was taken out of the directory\(other)",
      extensions: former.replacedBy.map { [("replaced_by", .string($0.text))] } ?? [])
  }
}
