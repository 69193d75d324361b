import Contracts
import RPC

/// Tells one reader which films that its user saved begin to play near them.
///
/// Near is what they listen to and their favourite cinemas; who has neither hears of every cinema. What they saved is
/// asked for when it first matters, and kept up with from then on.
final class BookmarkAlerts {
  private let user: UserID?
  private let cinemas: [CinemaID]
  private let bookmarks: any RPCClient<BookmarksAPI>
  /// Nil until it was asked for.
  private var saved: Set<FilmID>?
  private var favourites: Set<CinemaID> = []
  private var waiting: [() -> Void] = []
  /// What the user did while it was asked what they saved.
  private var missed: [ItemChange] = []
  private var asking: Task<Void, Never>?

  /// As many things as a user may save, a page at a time.
  private static let pagesMax = 10
  private static let pageMax = 500
  /// Listings that wait until it is known what was saved; a programme of a day has some ten.
  private static let waitingMax = 1_000

  init(user: UserID?, cinemas: [CinemaID], bookmarks: any RPCClient<BookmarksAPI>) {
    self.user = user
    self.cinemas = cinemas
    self.bookmarks = bookmarks
  }

  func end() {
    asking?.cancel()
    asking = nil
    (waiting, missed) = ([], [])
  }

  /// Films begin to play, each with an id by which it may have been saved.
  func hear(
    _ change: ScheduleChange, _ films: [(listed: FilmID, saved: FilmID)], tell: @escaping (LiveNotice) -> Void
  ) {
    let answer = { [weak self] in
      guard let self, isNear(change.cinema) else { return }
      for film in films where saved?.contains(film.saved) == true {
        tell(.playing(film.listed, savedAs: film.saved, change))
      }
    }
    guard saved == nil else { return answer() }
    guard waiting.count < Self.waitingMax else { return }
    waiting.append(answer)
    if asking == nil { asking = Task { [weak self] in await self?.ask() } }
  }

  /// The user saved something, or no longer wants it.
  func follow(_ change: ItemChange) {
    guard saved != nil else {
      // Before it was asked for, the answer will hold it.
      if asking != nil { missed.append(change) }
      return
    }
    switch change.kind {
    case .film:
      guard let id = FilmID(change.id) else { return }
      if change.isRemoved { saved?.remove(id) } else { saved?.insert(id) }
    case .cinema:
      guard let id = CinemaID(change.id) else { return }
      if change.isRemoved { favourites.remove(id) } else { favourites.insert(id) }
    default: break
    }
  }

  /// What the user did was missed: what they saved is asked for anew when it next matters.
  func forget() {
    saved = nil
    missed = []
  }

  private func isNear(_ cinema: CinemaID) -> Bool {
    (cinemas.isEmpty && favourites.isEmpty) || cinemas.contains(cinema) || favourites.contains(cinema)
  }

  private func ask() async {
    defer { asking = nil }
    guard let user else { return }
    var films: Set<FilmID> = []
    var liked: Set<CinemaID> = []
    var after: String?
    for _ in 0..<Self.pagesMax {
      do throws(RPCError) {
        let page = try await bookmarks.call(ListItems(user: user, after: after, limit: Self.pageMax))
        for item in page.items {
          if item.kind == .film, let id = FilmID(item.id) { films.insert(id) }
          if item.kind == .cinema, let id = CinemaID(item.id) { liked.insert(id) }
        }
        after = page.next
      } catch {
        // Asked again with the next listing; what waits is told then, and that answer holds what was missed.
        missed = []
        return
      }
      if after == nil { break }
    }
    (saved, favourites) = (films, liked)
    for change in missed { follow(change) }
    missed = []
    let all = waiting
    waiting = []
    for answer in all { answer() }
  }
}
