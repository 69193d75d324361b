import CSV
import Calendars
import Contracts

/// A field of a cinema as people write it: a column of a file, an option of a command, a line of the history.
///
/// Everything that is text about a cinema goes through here, so a column, an option and a change have one name.
nonisolated package enum CinemaField: String, CaseIterable, Sendable {
  case id, name
  case nameEnglish = "name_en"
  case aliases, country, region, city, address
  case latitude = "lat"
  case longitude = "lon"
  case zone = "time_zone"
  case dayEnds = "day_ends"
  case screens, website, instagram
  case mapPlace = "map_url"
  case active

  /// Between several names of one cinema.
  static let aliasSeparator: Character = "|"

  func text(of cinema: Cinema) -> String? {
    switch self {
    case .id: cinema.id.text
    case .name: cinema.name
    case .nameEnglish: cinema.nameEnglish
    case .aliases: cinema.aliases?.joined(separator: String(Self.aliasSeparator))
    case .country: cinema.country
    case .region: cinema.region
    case .city: cinema.city
    case .address: cinema.address
    case .latitude: "\(cinema.position.latitude)"
    case .longitude: "\(cinema.position.longitude)"
    case .zone: cinema.zone.text
    case .dayEnds: cinema.dayEnds?.description
    case .screens: cinema.screens.map(String.init)
    case .website: cinema.website
    case .instagram: cinema.instagram
    case .mapPlace: cinema.mapPlace
    case .active: cinema.isActive ? "1" : "0"
    }
  }

  /// What else files call it.
  static let otherNames = CSVTable.aliases(others.map { ($0.rawValue, $1) })

  private static let others: [(CinemaField, String)] = [
    (
      .name,
      "cinema cinema_name cinema_title theater theatre theater_name theatre_name venue venue_name kino kinoname nom nombre "
        + "naam 이름 극장명 영화관 영화관명 상영관명 名称 名前 映画館名 劇場名"
    ),
    (.nameEnglish, "name_english name:en english_name 영문명 英語名"), (.aliases, "alias other_names alt_name"),
    (.country, "country_code land pays país paese 국가 国"),
    (.region, "province state prefecture 시도 시도명 광역시도 都道府県"),
    (.city, "town stadt ort ville commune ciudad città plaats 시군구 시군구명 市区町村"),
    (
      .address,
      "street street_address full_address adresse straße dirección indirizzo adres 주소 도로명주소 소재지도로명주소 住所 所在地"
    ),
    (.latitude, "latitude breitengrad latitud latitudine breedtegraad y 위도 緯度"),
    (.longitude, "lng long longitude längengrad longitud longitudine lengtegraad x 경도 経度"),
    (.zone, "tz timezone zone"), (.screens, "screen_count number_of_screens halls 스크린수 スクリーン数"),
    (.website, "url web site homepage website_url webseite site_web sitio_web 홈페이지 홈페이지주소 公式サイト"),
    (.instagram, "instagram_url"), (.mapPlace, "map"), (.active, "is_active"),
  ]

  /// Columns of the known files that are other services' business.
  static let elsewhere = ["dtryx_brand", "dtryx_cinema"]

  var help: String {
    switch self {
    case .id: "its slug, which never changes"
    case .name: "its name in the language of the place"
    case .nameEnglish: "its name in Latin letters"
    case .aliases: "other names, with | between them"
    case .country: "two letters, as in ISO 3166"
    case .region: "the province, state or city that it is looked for in"
    case .city: "the town"
    case .address: "as it is written there"
    case .latitude: "degrees north"
    case .longitude: "degrees east"
    case .zone: "such as Asia/Seoul"
    case .dayEnds: "when its programme's day ends; 05:00 if not said"
    case .screens: "how many"
    case .website: "https://…"
    case .instagram: "https://…, or the name"
    case .mapPlace: "its page on the map that people there use"
    case .active: "1, or 0 for one that has closed"
    }
  }
}
