package import Calendars

/// What a source's pages say: about these days and no others.
nonisolated package struct SourceReading: Hashable, Sendable {
  package var days: [CivilDate: DayListing] = [:]
  /// Films whose own pages were read, by their code.
  package var films: [FilmDetails] = []
  /// What is published and not in `days` is gone: the pages say everything from today on.
  package var isWhole = false
  /// Why the pages list nothing, where they say so themselves.
  package var remark: String?
  /// What looked like a showing and could not be read.
  package var unread: [UnreadPiece] = []

  package init() {}

  package var count: Int { days.values.reduce(0) { $0 + $1.listings.count } }
}

/// Why a source's pages make no programme, in words for its keeper.
nonisolated package struct ReadingError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String
  /// The page on which it went wrong.
  package var role: String?

  package init(_ description: String, role: String? = nil) {
    self.description = description
    self.role = role
  }
}
