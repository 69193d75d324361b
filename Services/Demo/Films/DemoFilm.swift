/// A film that the demo's cinemas show: an old one that everybody may name, or one that does not exist.
nonisolated package struct DemoFilm: Hashable, Sendable {
  /// Six digits, as the ticketing platform numbers its films.
  package let code: String
  package let korean: String
  package let english: String
  /// The title in Japanese, of Japanese films.
  package let japanese: String?
  let nation: String
  let rating: Rating
  /// `1953-11-03`
  let released: String
  let genre: String
  package let minutes: Int
  let director: String
  let cast: String
  let synopsis: String

  /// As the platform prints them.
  enum Rating: String {
    case all = "전체관람가"
    case twelve = "12세이상관람가"
    case fifteen = "15세이상관람가"
    case adults = "청소년관람불가"

    /// As London's cinemas print it.
    var british: String {
      switch self {
      case .all: "U"
      case .twelve: "12A"
      case .fifteen: "15"
      case .adults: "18"
      }
    }
  }

  var year: Int { Int(released.prefix(4)) ?? 0 }

  /// Schema.org wants a language's tag.
  var language: String {
    switch nation {
    case "한국": "ko"
    case "일본": "ja"
    case "독일": "de"
    case "프랑스": "fr"
    case "소련": "ru"
    default: "en"
    }
  }

  var isSilent: Bool { year < 1930 }
}
