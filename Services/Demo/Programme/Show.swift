package import Calendars

/// One showing of a film.
nonisolated package struct Show: Hashable, Sendable {
  /// Its number among the day's shows. It stays when the show is moved.
  package let number: Int
  package var film: DemoFilm
  /// From 0.
  package let screen: Int
  /// As printed: half past midnight is 24:30 of the evening before.
  package var start: DisplayTime
  package let seats: Int
  package var seatsLeft: Int
  package var marks: [Mark]
  package var state = State.planned

  package enum State: Hashable, Sendable {
    case planned
    case cancelled
    case moved(from: DisplayTime)
  }

  /// What is printed beside a title.
  package enum Mark: String, CaseIterable, Sendable {
    case talk, restored, film35, subtitled, englishSubtitles

    var korean: String {
      switch self {
      case .talk: "[GV] "
      case .restored: " (4K 리마스터링)"
      case .film35: " [35mm]"
      case .subtitled: " (한글자막)"
      case .englishSubtitles: " (영어자막)"
      }
    }

    var english: String {
      switch self {
      case .talk: " + Q&A"
      case .restored: " (4K)"
      case .film35: " (35mm)"
      case .subtitled: " (subtitled)"
      case .englishSubtitles: " (English subtitles)"
      }
    }
  }

  package var isSoldOut: Bool { seatsLeft == 0 }

  /// Advertisements come before the film, but no platform says so: the end is the film's own.
  var end: DisplayTime { DisplayTime(minutes: min(start.minutes + film.minutes, 29 * 60 + 59)) ?? start }

  /// The title with everything that is printed with it.
  package func title(at cinema: DemoCinema) -> String {
    let title = cinema.title(of: film)
    guard cinema.country == "KR" else { return marks.reduce(title) { $0 + $1.english } }
    return marks.reduce(title) { text, mark in mark == .talk ? mark.korean + text : text + mark.korean }
  }
}

/// What a cinema publishes for one date.
nonisolated package struct ProgrammeDay: Hashable, Sendable {
  package let date: CivilDate
  package let isClosed: Bool
  /// In the order of their start.
  package var shows: [Show]
}
