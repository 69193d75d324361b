import Clocks
import Contracts
import RPC

/// The catalogue's titles, genres and names of people of films that play: a programme has those alone that its cinema
/// prints.
///
/// An entry is good for `memory`, or until the catalogue changes. Without the catalogue titles are as printed.
final class TitleShelf {
  private let films: any RPCClient<FilmsAPI>
  private let time: any TimeSource
  private var entries = RecencyMap<FilmID, Entry>(atMost: TitleShelf.filmsMax)
  private var restsUntil: Instant
  /// How often the catalogue has changed: what was asked before that is not kept.
  private var changes = 0

  private struct Entry {
    /// None of a film that the catalogue does not know.
    var titles: [FilmTitle]
    var genres: [String]
    var directors: NamesInLetters
    var until: Instant
  }

  static let memory: Duration = .seconds(60)
  /// What plays in several countries, at about 300 bytes each.
  static let filmsMax = 10_000
  /// After it did not answer, the catalogue is left alone for so long: nobody waits for it again and again.
  static let rest: Duration = .seconds(5)

  init(films: any RPCClient<FilmsAPI>, time: any TimeSource) {
    self.films = films
    self.time = time
    restsUntil = time.now
  }

  /// What came of completing an answer.
  struct Completion {
    /// What the answer is made of besides.
    var madeOf: Set<Ingredient> = []
    /// The catalogue did not tell of some of the films: the answer has their printed titles, and is not to be kept.
    var isPartial = false

    static func + (left: Completion, right: Completion) -> Completion {
      Completion(madeOf: left.madeOf.union(right.madeOf), isPartial: left.isPartial || right.isPartial)
    }
  }

  /// Gives films that have no title for this reader those that the catalogue knows, and names who made them as this reader
  /// may read it.
  ///
  /// - Parameter withGenres: and those that are of no genre theirs.
  func complete(
    _ told: inout some NamesFilms, in language: Language?, withGenres: Bool = false, _ asking: Asking
  ) async -> Completion {
    func isUntitled(_ film: Film) -> Bool { language.map { !film.isTitled(in: $0) } ?? false }
    func isUnsorted(_ film: Film) -> Bool { withGenres && film.kinds.isEmpty }
    func isForeign(_ film: Film) -> Bool { language.map { !NamesInLetters.areNamed(film.directors, in: $0) } ?? false }
    var strange: Set<FilmID> = []
    told.visitFilms { if isUntitled($0) || isUnsorted($0) || isForeign($0) { strange.insert($0.id) } }
    guard !strange.isEmpty else { return Completion() }
    let now = time.now
    let missing = strange.filter { id in entries[id].map { $0.until <= now } ?? true }
    if !missing.isEmpty, restsUntil <= now { await ask(missing.sorted(), asking.optionsForExtras) }
    told.changeFilms { film in
      guard let entry = entries[film.id] else { return }
      if isUntitled(film) { film.add(entry.titles) }
      if isUnsorted(film), !entry.genres.isEmpty { film.genres = entry.genres }
      if isForeign(film) { film.directors = entry.directors.told(film.directors, in: language) }
    }
    // An entry that is too old is better than none, and says what the catalogue said.
    return Completion(madeOf: [.catalogue], isPartial: strange.contains { entries[$0] == nil })
  }

  private func ask(_ ids: [FilmID], _ options: CallOptions) async {
    var rest = ids[...]
    while !rest.isEmpty {
      let some = Array(rest.prefix(CatalogueFilms.idsMax))
      rest = rest.dropFirst(CatalogueFilms.idsMax)
      let asked = changes
      do throws(RPCError) {
        let found = try await films.call(CatalogueFilms(ids: some, namesPeople: true), options)
        let known = Dictionary(found.map { ($0.asked, $0.film) }) { first, _ in first }
        for id in some { put(known[id], of: id, for: asked == changes ? Self.memory : .zero) }
      } catch {
        // Who asked has gone; that says nothing of the catalogue.
        if error.code != .cancelled { restsUntil = time.now + Self.rest }
        return
      }
    }
  }

  private func put(_ known: CatalogueFilm?, of film: FilmID, for memory: Duration) {
    entries.set(
      film,
      to: Entry(
        titles: known?.film.titles ?? [], genres: known?.film.genres ?? [],
        directors: NamesInLetters(known?.film.directors, known?.otherNames), until: time.now + memory))
  }

  /// The catalogue changed.
  func forgetAll() {
    changes += 1
    entries = RecencyMap(atMost: Self.filmsMax)
  }
}

/// What services answer that names films.
nonisolated protocol NamesFilms {
  func visitFilms(_ visit: (Film) -> Void)
  mutating func changeFilms(_ change: (inout Film) -> Void)
}

nonisolated extension Array: NamesFilms where Element: NamesFilms {
  func visitFilms(_ visit: (Film) -> Void) {
    for element in self { element.visitFilms(visit) }
  }

  mutating func changeFilms(_ change: (inout Film) -> Void) {
    for index in indices { self[index].changeFilms(change) }
  }
}

nonisolated extension Optional: NamesFilms where Wrapped: NamesFilms {
  func visitFilms(_ visit: (Film) -> Void) { self?.visitFilms(visit) }
  mutating func changeFilms(_ change: (inout Film) -> Void) { self?.changeFilms(change) }
}

nonisolated extension Film: NamesFilms {
  func visitFilms(_ visit: (Film) -> Void) { visit(self) }
  mutating func changeFilms(_ change: (inout Film) -> Void) { change(&self) }

  /// Whether it has a title for a reader of this language: one in it, or a printed one.
  func isTitled(in language: Language) -> Bool {
    titles?.contains { $0.language.prefix(2) == language.rawValue } ?? false || Language(ofText: title) == language
  }

  /// The genres that it is of, whatever its source calls them.
  var kinds: Set<FilmGenre> { Set((genres ?? []).compactMap(FilmGenre.named)) }

  /// Titles in languages that it has none in.
  mutating func add(_ more: [FilmTitle]) {
    for title in more where titles?.contains(where: { $0.language == title.language }) != true {
      titles = (titles ?? []) + [title]
    }
  }
}

nonisolated extension FilmProgramme: NamesFilms {
  func visitFilms(_ visit: (Film) -> Void) { film.visitFilms(visit) }
  mutating func changeFilms(_ change: (inout Film) -> Void) { film.changeFilms(change) }
}

nonisolated extension DayProgramme: NamesFilms {
  func visitFilms(_ visit: (Film) -> Void) { films.visitFilms(visit) }
  mutating func changeFilms(_ change: (inout Film) -> Void) { films.changeFilms(change) }
}

nonisolated extension ShowtimePage: NamesFilms {
  func visitFilms(_ visit: (Film) -> Void) { films.visitFilms(visit) }
  mutating func changeFilms(_ change: (inout Film) -> Void) { films.changeFilms(change) }
}

nonisolated extension FilmShowing: NamesFilms {
  func visitFilms(_ visit: (Film) -> Void) { visit(film) }
  mutating func changeFilms(_ change: (inout Film) -> Void) { change(&film) }
}

nonisolated extension FilmHit: NamesFilms {
  func visitFilms(_ visit: (Film) -> Void) { visit(film) }
  mutating func changeFilms(_ change: (inout Film) -> Void) { change(&film) }
}
