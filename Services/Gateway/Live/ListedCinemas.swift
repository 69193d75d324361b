import Contracts
import HTTP
import RPC

/// Where cinemas are that began to show something: asked for once, however many streams want to know.
final class ListedCinemas {
  private let shelf: CinemaShelf
  /// Nil of one that the directory does not have.
  private var known = RecencyMap<CinemaID, Cinema?>(atMost: ListedCinemas.cinemasMax)
  /// Who waits for which, each once.
  private var waiting: [CinemaID: [ObjectIdentifier: () -> Void]] = [:]
  private var asking: Set<CinemaID> = []

  /// All that begin to show something within some days, at about 600 bytes each.
  static let cinemasMax = 1_000

  init(_ shelf: CinemaShelf) { self.shelf = shelf }

  /// Nil while it is not known, a nil inside if the directory does not have it.
  subscript(_ id: CinemaID) -> Cinema?? { known[id] }

  /// Calls `body` once it is known; a second one of the same `owner` takes the first one's place.
  func whenKnown(_ id: CinemaID, _ owner: AnyObject, _ body: @escaping () -> Void) {
    waiting[id, default: [:]][ObjectIdentifier(owner)] = body
    ask(id)
  }

  /// Asks again for those that somebody waits for, if that failed.
  func retry() {
    for id in waiting.keys { ask(id) }
  }

  /// The directory changed.
  func forget(_ id: CinemaID) { known.remove(id) }

  private func ask(_ id: CinemaID) {
    guard asking.insert(id).inserted else { return }
    Task { [weak self] in await self?.read(id) }
  }

  private func read(_ id: CinemaID) async {
    let changes = shelf.changes
    let (cinemas, failure) = await shelf.met([id], CallOptions())
    asking.remove(id)
    // Asked again a second later.
    guard failure == nil, changes == shelf.changes else { return }
    known.set(id, to: cinemas[id])
    for body in (waiting.removeValue(forKey: id) ?? [:]).values { body() }
  }
}
