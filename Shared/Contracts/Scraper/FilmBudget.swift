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
}

extension Film {
  /// About as many as it has in a message: of the texts that a page may make long.
  fileprivate var textBytes: Int {
    let lists: [String] = [titles?.map(\.text), countries, genres, directors, cast, externalIDs].flatMap { $0 ?? [] }
    let texts = [title, originalTitle, synopsis, posterURL, pageURL].compactMap(\.self)
    return (texts + lists).reduce(0) { $0 + $1.utf8.count }
  }

  /// At most some 4 KB, so that 500 of them are 2 MB.
  fileprivate var inShort: Film {
    var film = self
    (film.synopsis, film.cast, film.posterURL, film.pageURL) = (nil, nil, nil, nil)
    film.titles = titles.map { Array($0.prefix(3)) }
    film.directors = directors.map { Array($0.prefix(2)) }
    film.countries = countries.map { Array($0.prefix(2)) }
    film.genres = genres.map { Array($0.prefix(2)) }
    film.externalIDs = externalIDs.map { Array($0.prefix(2)) }
    return film
  }
}
