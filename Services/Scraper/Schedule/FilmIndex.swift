package import Clocks
package import Contracts

/// The films that showings were ever of, by every id that they had, and in which order they changed.
nonisolated package struct FilmIndex: Sendable {
  package private(set) var films: [FilmID: Film] = [:]
  private var aliases: [FilmID: FilmID] = [:]
  private var seenSince: [FilmID: WallTime] = [:]
  /// Every change, oldest first; one that was followed by another of the same id counts no more.
  private var changes: [(step: Int, id: FilmID)] = []
  private var steps: [FilmID: Int] = [:]

  package init(_ films: [(film: Film, since: WallTime)] = [], aliases: [FilmID: FilmID] = [:]) {
    for (film, since) in films {
      self.films[film.id] = film
      seenSince[film.id] = since
    }
    self.aliases = aliases
    for old in aliases.keys { self.films[old] = nil }
    for id in self.films.keys.sorted() + aliases.keys.sorted() { note(id) }
  }

  /// The film that goes by this id now.
  package subscript(id: FilmID) -> Film? { films[current(id)] }

  package func current(_ id: FilmID) -> FilmID { aliases[id] ?? id }

  /// When it was first seen on any programme.
  package func since(_ id: FilmID) -> WallTime? { seenSince[current(id)] }

  package mutating func learn(_ new: [Film], merged: [FilmID: FilmID], now: WallTime) {
    for film in new {
      if films[film.id] != film { note(film.id) }
      films[film.id] = film
      if seenSince[film.id] == nil { seenSince[film.id] = now }
    }
    for (lost, kept) in merged {
      if let since = seenSince[lost] { seenSince[kept] = min(since, seenSince[kept] ?? since) }
      films[lost] = nil
      aliases[lost] = kept
      note(lost)
      for (id, film) in aliases where film == lost {
        aliases[id] = kept
        note(id)
      }
    }
  }

  // MARK: Changes

  /// The newest step.
  package var step: Int { changes.last?.step ?? 0 }

  /// What changed after a step, each id once, and the step that this goes up to.
  package func changed(
    after step: Int, limit: Int, bytes most: Int = FilmBudget.bytesMax
  ) -> (films: [FilmEntry], step: Int) {
    var (low, high) = (changes.startIndex, changes.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].step <= step { low = middle + 1 } else { high = middle }
    }
    var entries: [FilmEntry] = []
    // A page ends behind the film with which it is spent.
    var budget = FilmBudget(bytes: most)
    for change in changes[low...] where steps[change.id] == change.step {
      if let film = self[change.id] {
        entries.append(FilmEntry(asked: change.id, film: budget.take(film)))
      }
      if entries.count == limit || budget.isSpent { return (entries, change.step) }
    }
    return (entries, self.step)
  }

  private mutating func note(_ id: FilmID) {
    let step = step + 1
    steps[id] = step
    changes.append((step, id))
    // Half of them count no more.
    if changes.count > 2 * steps.count + 64 { changes.removeAll { steps[$0.id] != $0.step } }
  }
}
