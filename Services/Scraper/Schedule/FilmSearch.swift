package import Contracts
import EventLoops
import TextSearch

/// Films by any part of their titles. The index is made anew off the loop when films have changed; until it is there the
/// old one answers, except that there is nothing: the film may have come just now.
package final class FilmSearch {
  private var films: [Film] = []
  private var index: TextIndex?
  private var isStale = true
  private var building: Task<Void, Never>?

  package init() {}

  package func filmsChanged() { isStale = true }

  package func find(_ text: String, limit: Int, among current: () -> [Film]) async -> [FilmHit] {
    if isStale, building == nil { build(current()) }
    if index == nil { await building?.value }
    var found = hits(text, limit)
    // The index that is being made may have been begun before the last change.
    for _ in 0..<2 where found.isEmpty {
      if isStale, building == nil { build(current()) }
      guard let building else { break }
      await building.value
      found = hits(text, limit)
    }
    return found
  }

  private func hits(_ text: String, _ limit: Int) -> [FilmHit] {
    guard let index else { return [] }
    return index.search(text, limit: limit).map { hit in
      FilmHit(
        film: films[hit.document], score: hit.score, matched: hit.text,
        highlights: hit.ranges.flatMap { [$0.lowerBound, $0.upperBound] })
    }
  }

  private func build(_ current: [Film]) {
    isStale = false
    let sorted = current.sorted { $0.id < $1.id }
    building = Task {
      let made = await Background.run { TextIndex(sorted.map(Self.titles)) }
      films = sorted
      index = made
      building = nil
    }
  }

  nonisolated private static func titles(_ film: Film) -> [String] {
    var titles = [film.title]
    for title in (film.titles?.map(\.text) ?? []) + [film.originalTitle].compactMap({ $0 })
    where !titles.contains(title) {
      titles.append(title)
    }
    return titles
  }
}
