import Calendars
package import Contracts
package import Drafts
import TextSearch

/// A film as somebody wrote it: texts by field, before anybody has looked whether they make sense.
///
/// Every way in is this one: files, upstreams, options, the built-in list. ``film()`` says all that is wrong at once.
package struct FilmDraft: Sendable {
  /// Where it was written, for messages: `films.csv:7`.
  package var place: String
  private var texts: [FilmField: String] = [:]

  package init(_ place: String) { self.place = place }

  /// A film that is there, to be changed.
  package init(_ film: CatalogueFilm) {
    place = film.film.id.text
    for field in FilmField.allCases { self[field] = field.text(of: film) }
  }

  /// An empty text is no text.
  package subscript(field: FilmField) -> String? {
    get { texts[field] }
    set { texts[field] = newValue.flatMap { $0.isEmpty ? nil : $0 } }
  }

  /// Whether somebody gave it an id, and none has to be made of its title.
  package var hasID: Bool { texts[.id] != nil }

  /// Several values of one field; those that would be read as two are told as one.
  package mutating func set(_ field: FilmField, to values: [String]) {
    self[field] = values.map { value in
      String(value.map { $0 == FilmField.separator ? "/" : $0 })
    }.joined(separator: String(FilmField.separator))
  }

  /// What people are called beside the name that they are listed by; nothing where that is the same.
  mutating func set(otherNames names: [(name: String?, other: String?)]) {
    let pairs = names.compactMap { name, other -> String? in
      guard let name = name?.trimmed, let other = other?.trimmed, !name.isEmpty, !other.isEmpty, name != other,
        !name.contains("=")
      else { return nil }
      return "\(name)=\(other)"
    }
    set(.personNames, to: pairs)
  }

  /// The film, if everything is as it has to be.
  package func film() throws(DraftProblems) -> CatalogueFilm {
    var check = FilmCheck(draft: self)
    let language = check.language()
    let original = check.text(.originalTitle)
    var titles = FilmField.allCases.compactMap { field -> FilmTitle? in
      guard let spoken = field.titleLanguage else { return nil }
      // The original title stands where its language has its place: the order is the same when it is read back.
      let text = check.text(field) ?? (spoken == language ? original : nil)
      return text.map { FilmTitle(language: spoken, text: $0) }
    }
    let otherTitles = check.otherTitles()
    if let original, let language, !(titles + otherTitles).contains(where: { $0.language == language }) {
      titles.append(FilmTitle(language: language, text: original))
    }
    for other in otherTitles where !titles.contains(where: { $0.language == other.language }) { titles.append(other) }
    let title = check.text(.title) ?? titles.first { $0.language == "en" }?.text ?? original ?? titles.first?.text
    if title == nil { check.note("it has no title; give title, title_en or original_title") }
    var releaseYear: Int?
    let releasedOn = check.date(.releasedOn, year: &releaseYear)
    let year = check.number(.year, in: Film.years) ?? releasedOn?.year ?? releaseYear
    let id = check.id(title, titles, year)
    let others = check.list(.otherIDs).compactMap { check.id($0, .otherIDs) }
    var film = Film(
      id: id ?? FilmID("film_")!, title: title ?? "", titles: titles.isEmpty ? nil : titles, originalTitle: original,
      year: year, runtimeMinutes: check.number(.runtime, in: FilmCheck.minutes), countries: check.countries(),
      genres: check.genres(), directors: check.names(.directors), cast: check.names(.cast), rating: check.rating(),
      synopsis: check.text(.synopsis, bytesMax: FilmCheck.synopsisBytes), posterURL: check.link(.poster),
      pageURL: check.link(.page), externalIDs: check.names(.externalIDs))
    if check.text(.demo) == "1" { film.isDemo = true }
    let entry = CatalogueFilm(
      film: film, otherIDs: others.isEmpty ? nil : others, language: language, writers: check.names(.writers),
      releasedOn: releasedOn, budget: check.money(.budget), revenue: check.money(.revenue),
      score: check.number(.score, in: 0...10), votes: check.number(.votes, in: 0...1_000_000_000),
      popularity: check.number(.popularity, in: 0...1e12), credit: check.text(.credit), videos: check.videos(),
      otherNames: check.otherNames())
    guard check.problems.isEmpty else {
      throw DraftProblems(place: place, problems: check.problems, columns: Set(check.odd.map(\.rawValue)))
    }
    return entry
  }
}

extension FilmID {
  /// Of a film whose source has no id for it: `film_tokyo-story-1953`. The same film gets the same one anywhere.
  package static func made(of title: String, year: Int?) -> FilmID? {
    let folded = FoldedText(title)
    guard !folded.units.isEmpty else { return nil }
    let slug = Slug.of(title) ?? "x" + Self.hash(of: folded.text)
    return FilmID("film_" + slug + (year.map { "-\($0)" } ?? ""))
  }

  /// FNV-1a: for a title of other letters, which an id cannot hold.
  private static func hash(of text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return String(hash, radix: 36)
  }
}
