import Extraction
import TextSearch

/// A title as a cinema prints it, as far as a showing needs it: the film's own name and what else was said.
nonisolated package struct PrintedName: Hashable, Sendable {
  /// Nil if nothing but marks was printed.
  package let filmTitle: String?
  package let attributes: [String]
  package let year: Int?

  package init(_ printed: String) {
    let title = PrintedTitle(printed)
    filmTitle = title.isOnlyMarks || title.film.isEmpty ? nil : title.film
    attributes = title.attributes.map(\.rawValue).sorted()
    year = title.year
  }

  /// What two cinemas' ways to print one title have in common.
  package static func folded(_ text: String) -> String { FoldedText(text).text }
}
