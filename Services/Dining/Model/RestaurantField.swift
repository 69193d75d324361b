import Calendars
import Contracts
import Drafts

/// A field of a restaurant as people and guides write it: a column of a file, a member of JSON, an option of a command.
///
/// Named as Japan's large guide names them, where it has them. What a restaurant has or not are columns besides, one for
/// each ``RestaurantFeature``.
nonisolated package enum RestaurantField: String, CaseIterable, Sendable {
  case id, name
  case nameKana = "name_kana"
  case nameEnglish = "name_en"
  case country
  case latitude = "lat"
  case longitude = "lon"
  case zone = "time_zone"
  case address
  case station = "station_name"
  case phone = "tel"
  case access
  case mobileAccess = "mobile_access"
  case genreCode = "genre_code"
  case genre
  case genreCatch = "genre_catch"
  case subGenreCode = "sub_genre_code"
  case subGenre = "sub_genre"
  case budgetCode = "budget_code"
  case budget
  case budgetAverage = "budget_average"
  case budgetLeast = "budget_min"
  case budgetMost = "budget_max"
  case currency
  case budgetMemo = "budget_memo"
  case tagline = "catch"
  case capacity
  case partyCapacity = "party_capacity"
  case largeServiceAreaCode = "large_service_area_code"
  case largeServiceArea = "large_service_area"
  case serviceAreaCode = "service_area_code"
  case serviceArea = "service_area"
  case largeAreaCode = "large_area_code"
  case largeArea = "large_area"
  case middleAreaCode = "middle_area_code"
  case middleArea = "middle_area"
  case smallAreaCode = "small_area_code"
  case smallArea = "small_area"
  case open, close, url
  case couponPC = "coupon_pc"
  case couponPhone = "coupon_sp"
  case logo = "logo_image"
  case photoLarge = "photo_l"
  case photoMedium = "photo_m"
  case photoSmall = "photo_s"
  case photoPhoneLarge = "photo_mobile_l"
  case photoPhoneSmall = "photo_mobile_s"
  case memo = "other_memo"
  case detailMemo = "shop_detail_memo"
  case creditCards = "credit_card"
  case specials = "special"
  case source, active

  /// What else files call it.
  static let otherNames = [
    "latitude": "lat", "lng": "lon", "long": "lon", "longitude": "lon", "tz": "time_zone", "zone": "time_zone",
    "phone": "tel", "telephone": "tel", "station": "station_name", "hours": "open", "opening_hours": "open",
    "closed": "close", "website": "url", "name_english": "name_en", "is_active": "active", "tagline": "catch",
  ]

  /// No list of restaurants is without these.
  static let required = [RestaurantField.id, .name, .latitude, .longitude].map(\.rawValue)

  static let columns = allCases.map(\.rawValue) + RestaurantFeature.allCases.map(\.rawValue)

  /// Those that this one goes with: what it said holds only as long as they say the same.
  var companions: [RestaurantField] {
    switch self {
    case .zone: [.country]
    case .genreCode: [.genre]
    case .genre: [.genreCode]
    case .subGenreCode: [.subGenre]
    case .subGenre: [.subGenreCode]
    case .budgetCode: [.budget]
    case .budget: [.budgetCode]
    case .budgetLeast, .budgetMost: [.budgetCode, .budget, .budgetAverage]
    case .currency: [.country, .budgetCode, .budget, .budgetAverage]
    case .largeServiceAreaCode: [.largeServiceArea]
    case .largeServiceArea: [.largeServiceAreaCode]
    case .serviceAreaCode: [.serviceArea]
    case .serviceArea: [.serviceAreaCode]
    case .largeAreaCode: [.largeArea]
    case .largeArea: [.largeAreaCode]
    case .middleAreaCode: [.middleArea]
    case .middleArea: [.middleAreaCode]
    case .smallAreaCode: [.smallArea]
    case .smallArea: [.smallAreaCode]
    default: []
    }
  }

  func text(of place: Restaurant) -> String? {
    switch self {
    case .id: place.id.text
    case .name: place.name
    case .nameKana: place.nameKana
    case .nameEnglish: place.nameEnglish
    case .country: place.country
    case .latitude: "\(place.position.latitude)"
    case .longitude: "\(place.position.longitude)"
    case .zone: place.zone.text
    case .address: place.address
    case .station: place.station
    case .phone: place.phone
    case .access: place.access
    case .mobileAccess: place.mobileAccess
    case .genreCode: place.genre?.code
    case .genre: place.genre?.name
    case .genreCatch: place.genreCatch
    case .subGenreCode: place.subGenre?.code
    case .subGenre: place.subGenre?.name
    case .budgetCode: place.budget?.code
    case .budget: place.budget?.name
    case .budgetAverage: place.budget?.average
    case .budgetLeast: place.budget?.least.map(String.init)
    case .budgetMost: place.budget?.most.map(String.init)
    case .currency: place.budget?.currency
    case .budgetMemo: place.budgetMemo
    case .tagline: place.tagline
    case .capacity: place.capacity.map(String.init)
    case .partyCapacity: place.partyCapacity.map(String.init)
    case .largeServiceAreaCode: place.areas?.largeService?.code
    case .largeServiceArea: place.areas?.largeService?.name
    case .serviceAreaCode: place.areas?.service?.code
    case .serviceArea: place.areas?.service?.name
    case .largeAreaCode: place.areas?.large?.code
    case .largeArea: place.areas?.large?.name
    case .middleAreaCode: place.areas?.middle?.code
    case .middleArea: place.areas?.middle?.name
    case .smallAreaCode: place.areas?.small?.code
    case .smallArea: place.areas?.small?.name
    case .open: place.openText
    case .close: place.closeText
    case .url: place.url
    case .couponPC: place.coupons?.pc
    case .couponPhone: place.coupons?.phone
    case .logo: place.logo
    case .photoLarge: place.photos?.large
    case .photoMedium: place.photos?.medium
    case .photoSmall: place.photos?.small
    case .photoPhoneLarge: place.photos?.phoneLarge
    case .photoPhoneSmall: place.photos?.phoneSmall
    case .memo: place.memo
    case .detailMemo: place.detailMemo
    case .creditCards: place.creditCards.map(CodeList.text)
    case .specials: place.specials.map(CodeList.text)
    case .source: place.source.rawValue
    case .active: place.isActive ? "1" : "0"
    }
  }
}

/// Several codes with their names in one field: `c01=VISA|c02=Mastercard`; of themes with their category behind `@`.
nonisolated enum CodeList {
  static func text(_ codes: [CodedName]) -> String {
    codes.map { "\($0.code)=\($0.name)" }.joined(separator: "|")
  }

  static func text(_ specials: [Special]) -> String {
    specials.map { special in
      "\(special.code)=\(special.name)" + (special.category.map { "@\($0.code)=\($0.name)" } ?? "")
    }.joined(separator: "|")
  }

  static func codes(_ text: String) -> [CodedName] { text.split(separator: "|").map(code) }

  static func specials(_ text: String) -> [Special] {
    text.split(separator: "|").map { part in
      let halves = part.split(separator: "@", maxSplits: 1)
      let special = code(halves[0])
      return Special(code: special.code, name: special.name, category: halves.count > 1 ? code(halves[1]) : nil)
    }
  }

  private static func code(_ text: Substring) -> CodedName {
    let parts = text.split(separator: "=", maxSplits: 1)
    return CodedName(code: parts.first?.trimmed ?? "", name: parts.last?.trimmed ?? "")
  }
}
