package import Calendars
package import Clocks
package import Contracts

/// One showing as a source tells it, before it has an identity.
nonisolated package struct Listing: Hashable, Sendable {
  /// As printed.
  package var title: String
  /// The film's own name; nil if it is no film.
  package var filmTitle: String?
  /// The film's names in other languages, where the source tells them.
  package var otherTitles: [String] = []
  /// What the source calls the film: `dtryx:012345`.
  package var filmCode: String?
  package var filmYear: Int?
  package var startsAt: WallTime
  package var serviceTime: ServiceTime
  package var endsAt: WallTime?
  package var screen: String?
  package var seats: Seats?
  package var attributes: [String] = []
  package var bookingURL: String?
  /// The source's own name for this showing, which stays when its time is moved.
  package var bookingID: String?
  package var posterURL: String?
  package var isInferred = false

  package init(title: String, filmTitle: String?, startsAt: WallTime, serviceTime: ServiceTime) {
    self.title = title
    self.filmTitle = filmTitle
    self.startsAt = startsAt
    self.serviceTime = serviceTime
  }
}

/// What a source says about one day.
nonisolated package struct DayListing: Hashable, Sendable {
  package var status: DayStatus
  package var listings: [Listing] = []

  package init(_ status: DayStatus, _ listings: [Listing] = []) {
    self.status = status
    self.listings = listings
  }
}

/// Something on a page that could not be read, and why.
nonisolated package struct UnreadPiece: Hashable, Sendable {
  package var what: String
  package var why: String

  package init(what: String, why: String) {
    self.what = what
    self.why = why
  }
}

/// What a film's own page at a source tells.
nonisolated package struct FilmDetails: Hashable, Sendable {
  package var code: String
  package var title: String
  /// The same in the languages that the page names.
  package var titles: [FilmTitle] = []
  package var year: Int?
  package var runtimeMinutes: Int?
  package var genres: [String] = []
  package var countries: [String] = []
  package var directors: [String] = []
  package var cast: [String] = []
  package var rating: AgeRating?
  /// At most ``synopsisBytes`` of it are taken.
  package var synopsis: String?
  package var posterURL: String?
  package var pageURL: String?

  /// Some pages of text; more is no synopsis, and hundreds of films have to fit into one message.
  package static let synopsisBytes = 8_000
  /// Any other text of a film, as the catalogue takes it.
  package static let textBytes = 500
  /// People, genres, countries, titles: of each so many.
  package static let listMax = 40
  /// A longer address is none.
  package static let addressBytes = 2_000

  package init(code: String, title: String) {
    self.code = code
    self.title = title
  }
}

nonisolated extension String {
  /// As many whole characters from its beginning as fit into so many bytes of UTF-8.
  func beginning(ofBytes most: Int) -> String {
    guard utf8.count > most else { return self }
    var bytes = 0
    return String(
      prefix { character in
        bytes += character.utf8.count
        return bytes <= most
      })
  }
}

nonisolated extension [String] {
  /// A film's people, genres or countries, as many and as long as are kept of them.
  var kept: [String] { prefix(FilmDetails.listMax).map { $0.beginning(ofBytes: FilmDetails.textBytes) } }
}
