package import Calendars
import Wire

/// A film as the catalogue knows it.
package struct CatalogueFilm: Codable, Hashable, Sendable, WireLayout {
  /// Its id is the one of today: that of its showings, once it has played anywhere. Genres are ``FilmGenre``'s words,
  /// countries ISO 3166.
  package var film: Film
  /// Every other id that leads to it, for ever.
  package var otherIDs: [FilmID]?
  /// BCP 47, of the original title.
  package var language: String?
  package var writers: [String]?
  package var releasedOn: CivilDate?
  /// US dollars.
  package var budget: Int64?
  package var revenue: Int64?
  /// 0...10, as people elsewhere rate it.
  package var score: Double?
  package var votes: Int?
  /// Greater is more asked for; only good for putting films in order.
  package var popularity: Double?
  /// What the source wants said where its facts are shown.
  package var credit: String?

  package init(
    film: Film, otherIDs: [FilmID]? = nil, language: String? = nil, writers: [String]? = nil,
    releasedOn: CivilDate? = nil, budget: Int64? = nil, revenue: Int64? = nil, score: Double? = nil,
    votes: Int? = nil, popularity: Double? = nil, credit: String? = nil
  ) {
    self.film = film
    self.otherIDs = otherIDs
    self.language = language
    self.writers = writers
    self.releasedOn = releasedOn
    self.budget = budget
    self.revenue = revenue
    self.score = score
    self.votes = votes
    self.popularity = popularity
    self.credit = credit
  }

  /// Every id that leads to it, that of today first.
  package var ids: [FilmID] { [film.id] + (otherIDs ?? []) }
}
