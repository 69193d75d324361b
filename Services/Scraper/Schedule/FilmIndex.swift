package import Clocks
package import Contracts

/// The films that showings were ever of, by every id that they had.
nonisolated package struct FilmIndex: Sendable {
  package private(set) var films: [FilmID: Film] = [:]
  private var aliases: [FilmID: FilmID] = [:]
  private var seenSince: [FilmID: WallTime] = [:]

  package init(_ films: [(film: Film, since: WallTime)] = [], aliases: [FilmID: FilmID] = [:]) {
    for (film, since) in films {
      self.films[film.id] = film
      seenSince[film.id] = since
    }
    self.aliases = aliases
    for old in aliases.keys { self.films[old] = nil }
  }

  /// The film that goes by this id now.
  package subscript(id: FilmID) -> Film? { films[current(id)] }

  package func current(_ id: FilmID) -> FilmID { aliases[id] ?? id }

  /// When it was first seen on any programme.
  package func since(_ id: FilmID) -> WallTime? { seenSince[current(id)] }

  package mutating func learn(_ new: [Film], merged: [FilmID: FilmID], now: WallTime) {
    for film in new {
      films[film.id] = film
      if seenSince[film.id] == nil { seenSince[film.id] = now }
    }
    for (lost, kept) in merged {
      if let since = seenSince[lost] { seenSince[kept] = min(since, seenSince[kept] ?? since) }
      films[lost] = nil
      aliases[lost] = kept
      for (id, film) in aliases where film == lost { aliases[id] = kept }
    }
  }
}
