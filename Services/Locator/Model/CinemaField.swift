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

  /// What else files call it: in English, French, German, Dutch, Spanish, Italian, Korean and Japanese, and OpenStreetMap's tags.
  static let otherNames = CSVTable.aliases(others.map { ($0.rawValue, $1) })

  private static let others: [(CinemaField, String)] = [
    (
      .name,
      "title cinema cinema_name theater theatre theater_name theatre_name venue venue_name "
        + "place_name nom nom_du_cinéma nombre naam kino 영화관명 영화관 상영관명 극장명 극장 시설명 사업장명 상호명 상호 업소명 "
        + "이름 名称 施設名 映画館名 映画館 劇場名 店名 cinema_title kinoname 名前"
    ),
    (.nameEnglish, "name_english name:en english_name 영문명 영문이름 英語名"),
    (.aliases, "alias alt_name other_names"),
    (.country, "country_code addr:country pays land país 국가 国 paese"),
    (
      .region,
      "state province county addr:province addr:state région région_administrative département "
        + "departement bundesland provincia 시도 시도명 都道府県 prefecture 광역시도"
    ),
    (
      .city,
      "town municipality addr:city ville commune stadt ort plaats gemeente ciudad 시군구 시군구명 "
        + "市区町村 città"
    ),
    (
      .address,
      "street_address address1 address_1 address_line_1 addr addr1 所在地_連結表記 full_address "
        + "addr:full addr:street street adresse adres anschrift straße strasse dirección 도로명주소 "
        + "소재지도로명주소 도로명전체주소 주소 소재지 소재지주소 소재지지번주소 소재지전체주소 지번주소 住所 所在地 indirizzo"
    ),
    (.latitude, "latitude @lat y mapy gps_lat gps_latitude coord_y breitengrad breedtegraad latitud 위도 緯度 latitudine"),
    (
      .longitude,
      "longitude lng long @lon x mapx gps_lon gps_lng gps_longitude coord_x längengrad lengtegraad longitud 경도 経度 longitudine"
    ),
    (.zone, "tz timezone zone"),
    (
      .screens,
      "screen number_of_screens screen_count cinema:screens écrans ecrans nombre_d'écrans "
        + "salles säle leinwände zalen 스크린수 상영관수 관수 スクリーン数 halls"
    ),
    (
      .website,
      "url web web_site homepage site site_web link contact:website webseite internet 홈페이지 "
        + "홈페이지주소 ホームページ ウェブサイト website_url sitio_web 公式サイト"
    ),
    (.instagram, "contact:instagram instagram_url"),
    (.mapPlace, "map"),
    (.active, "is_active"),
  ]

  /// The field that a column or a member of an object is, whatever its case.
  static func named(_ name: String) -> CinemaField? {
    let key = CSVTable.key(name)
    return CinemaField(rawValue: otherNames[key] ?? key)
  }

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
