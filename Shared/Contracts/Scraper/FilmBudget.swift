/// How much the films of one answer may say: a message has to stay far below 4 MiB, and pages may make texts long.
///
/// Once it is spent, films are told in short: by their names, their year and who made them.
package struct FilmBudget {
  /// Of texts, in one answer: 500 films of 2 KB each, which is what most have.
  package static let bytesMax = 1 << 20

  private let most: Int
  private var bytes = 0

  package init(bytes most: Int = bytesMax) { self.most = most }

  package var isSpent: Bool { bytes > most }

  /// The film as it is told: whole, as long as there is something left.
  package mutating func take(_ film: Film) -> Film {
    guard !isSpent else { return film.inShort }
    bytes += film.textBytes
    return film
  }

  /// The same of the catalogue: in short without what only it knows.
  package mutating func take(_ entry: CatalogueFilm) -> CatalogueFilm {
    var told = entry
    if isSpent {
      (told.writers, told.otherIDs, told.credit, told.videos, told.otherNames) = (nil, nil, nil, nil, nil)
    }
    told.film = take(entry.film)
    if !isSpent { bytes += entry.ownTextBytes }
    return told
  }
}

extension CatalogueFilm {
  /// Of its texts beside the film's: what people of it are called may be more than all the rest.
  fileprivate var ownTextBytes: Int {
    let names = (otherNames ?? []).reduce(0) { $0 + $1.name.utf8.count + $1.other.utf8.count }
    return names + (writers ?? []).reduce(0) { $0 + $1.utf8.count }
  }
}

extension Film {
  /// About as many as it has in a message: of the texts that a page may make long.
  fileprivate var textBytes: Int {
    let lists: [String] = [titles?.map(\.text), countries, genres, directors, cast, externalIDs].flatMap { $0 ?? [] }
    let texts = [title, originalTitle, synopsis, posterURL, pageURL].compactMap(\.self)
    return (texts + lists).reduce(0) { $0 + $1.utf8.count }
  }

  /// Of a text of a film that is told in short.
  private static let shortBytes = 200

  /// At most some 2 KB, so that 500 of them are 1 MB.
  fileprivate var inShort: Film {
    var film = self
    (film.synopsis, film.cast, film.posterURL, film.pageURL) = (nil, nil, nil, nil)
    (film.countries, film.externalIDs) = (nil, nil)
    film.title = Self.short(title)
    film.originalTitle = originalTitle.map(Self.short)
    film.titles = titles.map { $0.prefix(3).map { FilmTitle(language: $0.language, text: Self.short($0.text)) } }
    film.directors = directors.map { $0.prefix(2).map(Self.short) }
    film.genres = genres.map { $0.prefix(2).map(Self.short) }
    return film
  }

  private static func short(_ text: String) -> String {
    guard text.utf8.count > shortBytes else { return text }
    var bytes = 0
    return String(
      text.prefix {
        bytes += $0.utf8.count
        return bytes <= shortBytes
      })
  }
}
