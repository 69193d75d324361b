import Contracts
import TextSearch

/// What people of a film are called, each in several letters.
nonisolated struct NamesInLetters: Equatable, Sendable {
  /// Of each of them every name, the one that the list has first.
  private let people: [[String]]

  /// - Parameter names: what the people of the film are called besides.
  init(_ listed: [String]?, _ names: [PersonName]?) {
    people = (listed ?? []).map { name in [name] + (names ?? []).filter { $0.name == name }.map(\.other) }
  }

  /// The list as this reader may read it, of people whom another one names already.
  ///
  /// - Parameter told: as a programme names them. Where somebody of it is called nothing that this reader can read, and the
  ///   list has as many whom they can read, it is the list's.
  func told(_ told: [String]?, in language: Language?) -> [String]? {
    guard let language, let told else { return told }
    let read = told.map { name in everyName(of: name).map { Self.best(of: $0, in: language) } ?? name }
    guard read.contains(where: { !Self.isReadable($0, in: language) }) else { return read }
    let listed = people.map { Self.best(of: $0, in: language) }
    // Nobody is left out for the letters of another.
    return listed.count >= read.count && listed.allSatisfy { Self.isReadable($0, in: language) } ? listed : read
  }

  private func everyName(of name: String) -> [String]? {
    if let exact = people.first(where: { $0.contains(name) }) { return exact }
    let key = FoldedText(name).text
    return people.first { $0.contains { FoldedText($0).text == key } }
  }

  /// Whether everybody of a list is named in letters of this language.
  static func areNamed(_ names: [String]?, in language: Language) -> Bool {
    (names ?? []).allSatisfy { Language(ofText: $0) == language }
  }

  private static func isReadable(_ name: String, in language: Language) -> Bool {
    [language, .en].contains(Language(ofText: name))
  }

  /// The one in the reader's letters; else the first that they can read; else as listed.
  private static func best(of names: [String], in language: Language) -> String {
    let own = names.filter { Language(ofText: $0) == language }
    // In Japanese who comes from elsewhere goes by kana: 王家衛 is ウォン・カーウァイ.
    return own.first(where: isInKatakana) ?? own.first ?? names.first { isReadable($0, in: language) } ?? names[0]
  }

  private static func isInKatakana(_ name: String) -> Bool {
    name.unicodeScalars.contains { (0x30A1...0x30FA).contains($0.value) }
  }
}

nonisolated extension CatalogueFilm {
  /// With the names of its people as this reader may read them; those of a programme stay where that is as well.
  func named(in language: Language?) -> CatalogueFilm {
    var entry = self
    entry.film = film.named(by: self, in: language)
    entry.writers = NamesInLetters(writers, otherNames).told(writers, in: language)
    return entry
  }
}

nonisolated extension Film {
  /// With the names of its people as this reader may read them, as far as the catalogue knows them.
  func named(by entry: CatalogueFilm?, in language: Language?) -> Film {
    guard let entry else { return self }
    var film = self
    film.directors = NamesInLetters(entry.film.directors, entry.otherNames).told(directors, in: language)
    film.cast = NamesInLetters(entry.film.cast, entry.otherNames).told(cast, in: language)
    return film
  }
}
