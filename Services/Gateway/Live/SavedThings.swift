import Contracts
import RPC

/// What one user saved that events are about: films, cinemas and stations, and the region that they chose, once for all of
/// their streams.
///
/// It is asked for when it first matters, and kept up with from then on, by what each stream hears of the user.
final class SavedThings {
  private(set) var films: Set<FilmID> = []
  private(set) var cinemas: Set<CinemaID> = []
  /// What stands in the place of those of them that are no longer in the directory.
  private var replacements: [CinemaID: CinemaID] = [:]
  private(set) var stations: Set<StationID> = []
  private(set) var region: String?
  private(set) var isKnown = false
  private let user: UserID
  private let bookmarks: any RPCClient<BookmarksAPI>
  private let shelf: CinemaShelf
  /// Who waits until it is known, each once.
  private var waiting: [ObjectIdentifier: () -> Void] = [:]
  /// What the user did while it was asked, which the answer may not hold.
  private var missed: [ItemChange] = []
  /// Of the newest change that was heard of: streams hear of one at different times.
  private var newest: Int64 = .min
  private var asking: Task<Void, Never>?
  /// Something was missed while it was asked: what is answered now may be too old.
  private var isOutdated = false

  init(of user: UserID, bookmarks: any RPCClient<BookmarksAPI>, shelf: CinemaShelf) {
    self.user = user
    self.bookmarks = bookmarks
    self.shelf = shelf
  }

  /// Favourite cinemas, and those that took the place of some.
  var cinemasNow: Set<CinemaID> {
    replacements.isEmpty ? cinemas : cinemas.union(cinemas.compactMap { replacements[$0] })
  }

  func end() {
    asking?.cancel()
    asking = nil
    waiting = [:]
  }

  /// Calls `body` once it is known; a second one of the same `owner` takes the first one's place.
  func whenKnown(_ owner: AnyObject, _ body: @escaping () -> Void) {
    waiting[ObjectIdentifier(owner)] = body
    ask()
  }

  /// Asks again for those who wait, if that failed.
  func retry() {
    if !waiting.isEmpty { ask() }
  }

  /// The user saved something, or no longer wants it.
  func follow(_ change: ItemChange) {
    guard change.revision > newest else { return }
    newest = change.revision
    if asking != nil { missed.append(change) }
    if isKnown { take(change) }
  }

  /// What the user did was missed: it is asked for anew when it next matters.
  func forget() {
    isKnown = false
    isOutdated = asking != nil
  }

  private func take(_ change: ItemChange) {
    switch change.kind {
    case .film: Self.put(change, into: &films)
    case .cinema: Self.put(change, into: &cinemas)
    case .station: Self.put(change, into: &stations)
    default: break
    }
  }

  private static func put<Subject>(_ change: ItemChange, into set: inout Set<ID<Subject>>) {
    guard let id = ID<Subject>(change.id) else { return }
    if change.isRemoved { set.remove(id) } else { set.insert(id) }
  }

  // MARK: Asking

  private func ask() {
    guard asking == nil else { return }
    isOutdated = false
    missed = []
    asking = Task { [weak self] in await self?.read() }
  }

  private func read() async {
    var items: [SavedItem]
    var replaced: [CinemaID: CinemaID]
    var settings: UserSettings
    repeat {
      isOutdated = false
      missed = []
      do throws(RPCError) {
        items = try await bookmarks.everything(savedBy: user)
        let cinemas = Set(items.lazy.filter { $0.kind == .cinema }.compactMap { CinemaID($0.id) })
        settings = try await bookmarks.call(SettingsOf(user: user))
        replaced = try await shelf.replacements(of: cinemas, CallOptions())
      } catch {
        // Asked again a second later, or with what matters next; that answer holds what was missed.
        asking = nil
        return
      }
    } while isOutdated && !Task.isCancelled
    asking = nil
    films = Set(items.lazy.filter { $0.kind == .film }.compactMap { FilmID($0.id) })
    cinemas = Set(items.lazy.filter { $0.kind == .cinema }.compactMap { CinemaID($0.id) })
    stations = Set(items.lazy.filter { $0.kind == .station }.compactMap { StationID($0.id) })
    replacements = replaced
    region = settings.region
    isKnown = true
    for change in missed { take(change) }
    missed = []
    let all = waiting
    waiting = [:]
    for body in all.values { body() }
  }
}
