package import Clocks

/// Films of one kind: all but classics are those that programmes show, as the scraper tells them.
package enum FilmList: String, CaseIterable, Sendable {
  case nowPlaying = "now_playing"
  case comingSoon = "coming_soon"
  case classics
  case lastChance = "last_chance"
  case newThisWeek = "new_this_week"

  package static let classicsTo = 1990
  private static let day: Int64 = 86_400_000

  /// Whether ``narrow(_:_:now:)`` needs to be told what plays.
  package var isOfProgrammes: Bool { self != .classics }

  /// Whether a film that plays is of this kind.
  package func takes(_ film: FilmShowing, now: WallTime) -> Bool {
    switch self {
    case .nowPlaying: true
    // It has been published, and its first showing is some days away.
    case .comingSoon: film.next.startsAt.milliseconds - now.milliseconds >= 3 * Self.day
    case .lastChance: film.last.milliseconds - now.milliseconds < 3 * Self.day
    case .newThisWeek: now.milliseconds - (film.since?.milliseconds ?? .min / 2) < 7 * Self.day
    case .classics: film.film.year.map { $0 <= Self.classicsTo } ?? false
    }
  }

  /// The question to the catalogue for these films alone. Those that play come in the order of the scraper's answer, or by
  /// the date that the list is about, unless another order is asked for.
  package func narrow(_ request: ListCatalogue, _ showing: [FilmShowing]?, now: WallTime) -> ListCatalogue {
    var request = request
    if isOfProgrammes {
      var films = (showing ?? []).filter { takes($0, now: now) }
      if self == .lastChance { films.sort { $0.last < $1.last } }
      if self == .comingSoon { films.sort { $0.next.startsAt < $1.next.startsAt } }
      request.only = films.map(\.film.id)
    } else {
      request.yearTo = min(request.yearTo ?? Self.classicsTo, Self.classicsTo)
    }
    return request
  }
}
