import Clocks
import Contracts
import RPC

/// Which films the names of an import mean, kept until the import is done: sent again, it goes on where its time ran out.
nonisolated struct ImportedNames {
  /// An import is the same one if the same user sends the same.
  struct Key: Hashable {
    let user: UserID
    /// The digest of what was sent.
    let asked: [UInt8]
    /// In which films that may be meant are told.
    let language: Language?
  }

  /// What one name means.
  struct Meant {
    /// Nil: none surely.
    var film: FilmID?
    var candidates: [MeantFilm]
  }

  private struct Entry {
    var meant: [Int: Meant] = [:]
    let began: Instant
  }

  private enum Limits {
    /// Each has at most 5,000 names with three films that may be meant: some 2 MB.
    static let imports = 16
    /// Longer than it takes to send the largest again until it is done; the catalogue changes slowly.
    static let life: Duration = .seconds(600)
  }

  private var entries = RecencyMap<Key, Entry>(atMost: Limits.imports)

  /// What is known of the rows of a part.
  func known(of key: Key, in part: Range<Int>, now: Instant) -> [(place: Int, meant: Meant)] {
    guard let entry = entries[key], now - entry.began < Limits.life else { return [] }
    return part.compactMap { place in entry.meant[place].map { (place, $0) } }
  }

  mutating func learn(_ meant: Meant, at place: Int, of key: Key, now: Instant) {
    let kept: Void? = entries.update(key) { entry in
      if now - entry.began >= Limits.life { entry = Entry(began: now) }
      entry.meant[place] = meant
    }
    guard kept == nil else { return }
    entries.set(key, to: Entry(meant: [place: meant], began: now))
  }

  mutating func forget(_ key: Key) { _ = entries.remove(key) }
}
