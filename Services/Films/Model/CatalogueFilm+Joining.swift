import Contracts
import Drafts

/// One record out of two that are of the same film.
nonisolated extension CatalogueFilm {
  /// Takes what the other knows: all of it, or only what is lacking here. Ids and titles of both stay.
  mutating func take(_ other: CatalogueFilm, replacing: Bool) {
    func pick<Value>(_ path: WritableKeyPath<CatalogueFilm, Value?>) {
      if replacing || self[keyPath: path] == nil, let value = other[keyPath: path] { self[keyPath: path] = value }
    }
    if replacing { film.title = other.film.title }
    pick(\.film.originalTitle)
    pick(\.film.year)
    pick(\.film.runtimeMinutes)
    pick(\.film.countries)
    pick(\.film.genres)
    pick(\.film.directors)
    pick(\.film.cast)
    pick(\.film.rating)
    pick(\.film.synopsis)
    pick(\.film.posterURL)
    pick(\.film.pageURL)
    pick(\.film.isDemo)
    pick(\.language)
    pick(\.writers)
    pick(\.releasedOn)
    pick(\.budget)
    pick(\.revenue)
    pick(\.score)
    pick(\.votes)
    pick(\.popularity)
    pick(\.credit)
    pick(\.videos)
    for name in other.otherNames ?? [] where otherNames?.contains(name) != true {
      otherNames = (otherNames ?? []) + [name]
    }
    for title in other.film.titles ?? [] {
      if let place = film.titles?.firstIndex(where: { $0.language == title.language }) {
        if replacing { film.titles?[place] = title }
      } else {
        film.titles = (film.titles ?? []) + [title]
      }
    }
    for id in other.film.externalIDs ?? [] where film.externalIDs?.contains(id) != true {
      film.externalIDs = (film.externalIDs ?? []) + [id]
    }
    for id in other.ids where !ids.contains(id) { otherIDs = (otherIDs ?? []) + [id] }
  }

  /// The same film, shown by another of its ids.
  mutating func go(by id: FilmID) {
    guard id != film.id else { return }
    let others = ids.filter { $0 != id }
    film.id = id
    otherIDs = others
  }

  /// An older state of a film keeps every id that it has now, and is shown by the same one; but for those that go.
  mutating func keepIDs(of now: CatalogueFilm, except gone: Set<FilmID>) {
    if !gone.contains(now.film.id) { go(by: now.film.id) }
    let staying = now.ids.filter { $0 != film.id && !gone.contains($0) }
    let others = staying + (otherIDs ?? []).filter { !staying.contains($0) }
    otherIDs = others.isEmpty ? nil : others
  }
}

nonisolated extension Film {
  /// A film of a programme in the catalogue's words: genres by their word, countries by their code.
  var inCatalogueWords: Film {
    var film = self
    film.genres = genres.map { words in
      var known: [String] = []
      for word in words {
        let genre = FilmGenre.named(word)?.rawValue ?? word
        if !known.contains(genre), !FilmGenre.none.contains(genre) { known.append(genre) }
      }
      return known
    }
    film.countries = countries?.map { CountryName.code(of: $0) ?? $0 }
    return film
  }
}
