package import Contracts
package import Drafts
import Extraction
import TextSearch

/// The mistakes that lists of films have.
nonisolated package enum FilmLint {
  package struct Entry: Sendable {
    /// Where it stands: `films.csv:7`, or its id.
    let place: String
    let film: CatalogueFilm

    package init(_ place: String, _ film: CatalogueFilm) {
      self.place = place
      self.film = film
    }
  }

  /// Announced films are known some years ahead.
  private static let yearsAhead = 6

  package static func findings(in entries: [Entry], thisYear: Int) -> [Finding] {
    var findings: [Finding] = []
    func note(_ severity: Finding.Severity, _ rule: String, _ entry: Entry, _ text: String) {
      findings.append(Finding(severity, rule, at: entry.place, text))
    }
    var ids: [FilmID: Int] = [:]
    var outside: [String: Int] = [:]
    var titles: [String: Int] = [:]
    for (index, entry) in entries.enumerated() {
      let film = entry.film.film
      for id in entry.film.ids {
        if let other = ids.updateValue(index, forKey: id), other != index {
          note(.problem, "repeated-id", entry, "\(id) is also at \(entries[other].place)")
        }
      }
      for id in film.externalIDs ?? [] {
        if let other = outside.updateValue(index, forKey: id), other != index {
          note(.problem, "duplicate", entry, "\(id) is also \(entries[other].place); merge the two")
        }
      }
      lacks(entry).forEach { note(.warning, "missing", entry, "it has no \($0)") }
      if let year = film.year {
        let years = Film.years.lowerBound...thisYear + yearsAhead
        if !years.contains(year) { note(.problem, "year", entry, "\(year) cannot be") }
        for title in film.searchedTitles {
          let key = "\(FoldedText(title).text)|\(year)"
          if let other = titles[key], other != index {
            note(.warning, "duplicate", entry, "\(title) (\(year)) is also \(entries[other].place)")
            break
          }
          titles[key] = index
        }
      }
      for other in orphans(of: entry) {
        note(.warning, "orphan", entry, "\(other.other) is another name of \(other.name), who is nobody in it")
      }
      let printed = PrintedTitle(film.title)
      if !printed.removed.isEmpty {
        note(
          .warning, "printed", entry,
          "'\(film.title)' has a cinema's words around it: \(printed.removed.joined(separator: ", "))")
      }
      for genre in film.genres ?? [] where FilmGenre(rawValue: genre) == nil {
        note(.warning, "genre", entry, "\(genre) is none of ours; it has no name in other languages")
      }
    }
    return findings
  }

  /// Other names of people whom nothing else of the film tells.
  private static func orphans(of entry: Entry) -> [PersonName] {
    let film = entry.film.film
    let people = Set((film.directors ?? []) + (entry.film.writers ?? []) + (film.cast ?? []))
    return (entry.film.otherNames ?? []).filter { !people.contains($0.name) }
  }

  private static func lacks(_ entry: Entry) -> [String] {
    let film = entry.film.film
    var lacking: [String] = []
    if film.year == nil { lacking.append("year") }
    if film.originalTitle == nil { lacking.append("original title") }
    if film.countries?.isEmpty ?? true { lacking.append("country") }
    if film.directors?.isEmpty ?? true { lacking.append("director") }
    return lacking
  }
}
