import Calendars
import Clocks
import Contracts

/// Which films stand in which row, and why.
nonisolated struct HomePage {
  private(set) var rows: [HomeRow] = []

  private static let rowMax = 20
  /// A row of one or two films looks like a mistake.
  private static let rowMin = 3
  private static let day: Int64 = 86_400_000

  init(
    all: [FilmShowing], near: [FilmShowing], cinemas: [CinemaID: Cinema], origin: Coordinate?, view: Viewpoint
  ) {
    func card(_ showing: FilmShowing) -> FilmCard {
      let cinema = cinemas[showing.next.cinema]
      let item = FilmItem(showing.film, in: view.language)
      return FilmCard(
        film: item,
        showing: ShowingItem(
          showtime: ShowtimeItem(showing.next, in: cinema.map { view.rules($0.zone) } ?? .utc),
          cinema: cinema.map { CinemaName($0, metres: origin?.metres(to: $0.position)) }, film: item),
        showtimes: showing.showtimes, cinemas: showing.cinemas.count)
    }
    let words = Words(view.language)
    let now = view.now.milliseconds
    let last = all.filter { $0.last.milliseconds - now < 3 * Self.day }.sorted { $0.last < $1.last }
    let new = all.filter { now - ($0.since?.milliseconds ?? .min / 2) < 7 * Self.day }
    for (kind, films) in [
      (HomeRow.Kind.nearYou, near), (.nowPlaying, all), (.lastChance, last), (.new, new),
    ] where films.count >= (kind == .nearYou ? 1 : Self.rowMin) {
      rows.append(
        HomeRow(
          kind: kind, title: words.title(kind), reason: words.reason(kind),
          items: films.prefix(Self.rowMax).map(card), more: kind == .nowPlaying ? "/v1/showtimes" : nil))
    }
  }

  /// What the rows are called. The page has words of its own; this is for apps that have none.
  private struct Words {
    let language: Language?

    init(_ language: Language?) { self.language = language }

    func title(_ kind: HomeRow.Kind) -> String {
      switch (kind, language) {
      case (.nearYou, .ko): "내 근처"
      case (.nearYou, .ja): "近くで上映中"
      case (.nearYou, _): "Near you"
      case (.nowPlaying, .ko): "상영 중"
      case (.nowPlaying, .ja): "上映中"
      case (.nowPlaying, _): "Now playing"
      case (.lastChance, .ko): "곧 종영"
      case (.lastChance, .ja): "まもなく終了"
      case (.lastChance, _): "Last chance"
      case (.new, .ko): "새로 시작"
      case (.new, .ja): "今週から"
      case (.new, _): "New this week"
      }
    }

    func reason(_ kind: HomeRow.Kind) -> String {
      switch kind {
      case .nearYou: "plays within 10 km of you"
      case .nowPlaying: "has the most showings to come"
      case .lastChance: "its last published showing is within three days"
      case .new: "was first published within the last week"
      }
    }
  }
}
