import Calendars
import Clocks
import Contracts
import JSON

/// A restaurant as the API shows it.
nonisolated struct RestaurantItem: Shaped, Equatable {
  var restaurant: Restaurant
  /// From the point that was asked about.
  var metres: Double?
  /// Nil where nobody asked when; then nothing is said of it.
  var openNow: OpenState?
  /// Names, hours and prices alone.
  var isLite = false

  init(
    _ restaurant: Restaurant, in language: Language?, metres: Double? = nil, openNow: OpenState? = nil,
    isLite: Bool = false
  ) {
    self.restaurant = restaurant
    self.restaurant.genre = restaurant.genre.map { DiningGenre.told($0, in: language) }
    self.metres = metres
    self.openNow = openNow
    self.isLite = isLite
  }

  init(_ near: NearbyRestaurant, in language: Language?, isLite: Bool = false) {
    let state = near.isOpenNow.map { $0 ? OpenState.open : .closed } ?? .unknown
    self.init(near.restaurant, in: language, metres: near.metres, openNow: state, isLite: isLite)
  }

  static let shape = Shape<RestaurantItem>(
    "Restaurant", "A restaurant. What is left out is not known.",
    [
      .required("id", "") { $0.restaurant.id },
      .required("name", "As it calls itself.") { $0.restaurant.name },
      .optional("name_kana", "How it is read.") { $0.restaurant.nameKana },
      .optional("name_en", "In English.") { $0.restaurant.nameEnglish },
      .required("country", "ISO 3166, two capitals.") { $0.restaurant.country },
      .required("location", "") { PlaceItem($0.restaurant.position) },
      .required("time_zone", "") { $0.restaurant.zone },
      .optional("address", "As written there.") { $0.restaurant.address },
      .optional("station", "The nearest.") { $0.restaurant.station },
      .optional("tel", "") { $0.restaurant.phone },
      .optional("access", "How to get there.") { $0.full?.access },
      .optional("mobile_access", "The same, shorter.") { $0.full?.mobileAccess },
      .optional("genre", "In the language asked for, where the code is the guide's.") {
        $0.restaurant.genre.map { CodeItem($0, note: nil) }
      },
      .optional("sub_genre", "") { $0.full?.subGenre.map { CodeItem($0, note: nil) } },
      .optional("genre_catch", "") { $0.full?.genreCatch },
      .optional("budget", "What a dinner costs.") { BudgetItem($0.restaurant.budget) },
      .optional("budget_memo", "") { $0.full?.budgetMemo },
      .optional("catch", "What it says of itself.") { $0.full?.tagline },
      .optional("capacity", "Seats.") { $0.restaurant.capacity },
      .optional("party_capacity", "The largest party.") { $0.restaurant.partyCapacity },
      .optional("areas", "Where it is, largest area first.") { AreasItem($0.full?.areas) },
      .optional("open", "When it is open, in its own words.") { $0.restaurant.openText },
      .optional("close", "When it is closed, in its own words.") { $0.restaurant.closeText },
      .required("hours_confidence", "How far those words were understood.", as: HoursConfidence.schema) {
        $0.restaurant.hours.confidence.rawValue
      },
      .optional("open_now", "", as: OpenState.schema) { $0.openNow?.rawValue },
      .required("features", "What it says it has.") { FeaturesItem(notes: $0.full?.features ?? []) },
      .optional("feature_notes", "What it says of them in its own words, where that is more than yes or no.") {
        FeatureNotesItem($0.full?.features ?? [])
      },
      .optional("credit_cards", "") { $0.full?.creditCards?.map { CodeItem($0, note: nil) } },
      .optional("specials", "Themes of its guide.") { item in
        item.full?.specials?.map { CodeItem(CodedName(code: $0.code, name: $0.name), note: $0.category?.name) }
      },
      .optional("url", "Its page in the guide, or its own.") { $0.restaurant.url },
      .optional("coupon_urls", "") { PairItem("pc", $0.full?.coupons?.pc, "sp", $0.full?.coupons?.phone) },
      .optional("logo", "") { $0.full?.logo },
      .optional("photo", "") { PhotosItem($0.full?.photos) },
      .optional("other_memo", "") { $0.full?.memo },
      .optional("shop_detail_memo", "") { $0.full?.detailMemo },
      .optional("distance_m", "Metres along the great circle, from the point asked about.") {
        $0.metres.map { Int($0.rounded()) }
      },
      .optional("walk_min", "Minutes on foot at 80 m a minute, rounded up.") { item in
        item.metres.map { Walk.minutes(metres: $0) }
      },
      .optional("as_of", "When its guide told it.") { $0.restaurant.asOf?.stamp },
      .optional("attribution", "To be shown beside it.") { AttributionItem(of: $0.restaurant.source) },
      .mark("closed", "It has closed for good.") { !$0.restaurant.isActive },
      .mark("demo", "Invented, to try the software with.") { $0.restaurant.source == .demo },
    ])

  private var full: Restaurant? { isLite ? nil : restaurant }
}

nonisolated extension HoursConfidence {
  static var schema: Schema { .words(allCases.map(\.rawValue)) }
}

nonisolated extension OpenState {
  static var schema: Schema { .words(allCases.map(\.rawValue)) }
}

/// Something with a code.
nonisolated struct CodeItem: Shaped, Equatable {
  var code: CodedName
  var note: String?
  var count: Int?

  init(_ code: CodedName, note: String?, count: Int? = nil) {
    self.code = code
    self.note = note
    self.count = count
  }

  static let shape = Shape<CodeItem>(
    "Code", "Something that is asked for by its code.",
    [
      .required("code", "") { $0.code.code },
      .required("name", "") { $0.code.name },
      .optional("category", "") { $0.note },
      .optional("count", "How many restaurants have it.") { $0.count },
    ])
}

/// What a dinner costs.
nonisolated struct BudgetItem: Shaped, Equatable {
  var budget: Budget

  init?(_ budget: Budget?) {
    guard let budget else { return nil }
    self.budget = budget
  }

  static let shape = Shape<BudgetItem>(
    "Budget", "What a dinner costs.",
    [
      .optional("code", "") { $0.budget.code },
      .optional("name", "The guide's range.") { $0.budget.name },
      .optional("average", "In the restaurant's own words.") { $0.budget.average },
      .optional("amount", "As far as the words could be read.") { AmountItem($0.budget) },
      .optional("display", "To be shown.") { $0.budget.name ?? $0.budget.average },
    ])
}

/// Money from and to, in the currency's smallest unit.
nonisolated struct AmountItem: Shaped, Equatable {
  var least: Int?
  var most: Int?
  var currency: String

  init?(_ budget: Budget) {
    guard let currency = budget.currency, budget.least != nil || budget.most != nil else { return nil }
    (least, most, self.currency) = (budget.least, budget.most, currency)
  }

  static let shape = Shape<AmountItem>(
    "Amount", "In the currency's smallest unit.",
    [
      .optional("min", "") { $0.least }, .optional("max", "") { $0.most },
      .required("currency", "ISO 4217.") { $0.currency },
    ])
}

/// The guide's five sizes of areas.
nonisolated struct AreasItem: Shaped, Equatable {
  var areas: Areas

  init?(_ areas: Areas?) {
    guard let areas else { return nil }
    self.areas = areas
  }

  private static func code(_ area: CodedName?) -> CodeItem? { area.map { CodeItem($0, note: nil) } }

  static let shape = Shape<AreasItem>(
    "Areas", "",
    [
      .optional("large_service_area", "") { code($0.areas.largeService) },
      .optional("service_area", "") { code($0.areas.service) }, .optional("large_area", "") { code($0.areas.large) },
      .optional("middle_area", "") { code($0.areas.middle) }, .optional("small_area", "") { code($0.areas.small) },
    ])
}

/// What a restaurant says it has: `yes`, `no` or `unknown` by name.
nonisolated struct FeaturesItem: Presentable {
  var notes: [FeatureNote]

  func write(to json: inout JSONWriter) {
    json.object { json in
      for note in notes {
        json.name(note.feature.rawValue)
        note.state.rawValue.write(to: &json)
      }
    }
  }

  static var schema: Schema {
    let states = Schema.words(FeatureState.allCases.map(\.rawValue))
    return .object(RestaurantFeature.allCases.map { ($0.rawValue, states, false) }, isOpen: true)
  }
}

/// What a restaurant says of the things that it may have, in its own words.
nonisolated struct FeatureNotesItem: Presentable {
  var notes: [(name: String, text: String)]

  init?(_ notes: [FeatureNote]) {
    self.notes = notes.compactMap { note in note.text.map { (note.feature.rawValue, $0) } }
    if self.notes.isEmpty { return nil }
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      for note in notes {
        json.name(note.name)
        note.text.write(to: &json)
      }
    }
  }

  static var schema: Schema {
    .object(RestaurantFeature.allCases.map { ($0.rawValue, String.schema, false) }, isOpen: true)
  }
}

/// Two addresses by name.
nonisolated struct PairItem: Presentable {
  var members: [(name: String, value: String)]

  init?(_ first: String, _ firstValue: String?, _ second: String, _ secondValue: String?) {
    members = [(first, firstValue), (second, secondValue)].compactMap { name, value in value.map { (name, $0) } }
    if members.isEmpty { return nil }
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      for (name, value) in members {
        json.name(name)
        value.write(to: &json)
      }
    }
  }

  static var schema: Schema { .object([("pc", .string(), false), ("sp", .string(), false)], isOpen: true) }
}

/// Addresses of pictures.
nonisolated struct PhotosItem: Shaped, Equatable {
  var photos: Photos

  init?(_ photos: Photos?) {
    guard let photos else { return nil }
    self.photos = photos
  }

  static let shape = Shape<PhotosItem>(
    "Photos", "",
    [
      .optional("l", "Large.") { $0.photos.large }, .optional("m", "") { $0.photos.medium },
      .optional("s", "Small.") { $0.photos.small },
      .optional("mobile_l", "For a telephone.") { $0.photos.phoneLarge },
      .optional("mobile_s", "") { $0.photos.phoneSmall },
    ])
}

/// A line that a source wants to be shown.
nonisolated struct AttributionItem: Shaped, Equatable {
  var text: String
  var url: String

  /// Nil for a source that asks for none.
  init?(of source: RestaurantSource) {
    guard source == .hotpepper else { return nil }
    text = "Powered by ホットペッパーグルメ Webサービス"
    url = "https://webservice.recruit.co.jp/"
  }

  static let shape = Shape<AttributionItem>(
    "Attribution", "To be shown beside what it is of.",
    [.required("text", "") { $0.text }, .required("url", "Where it links to.") { $0.url }])
}

/// How complete a list of restaurants is.
nonisolated enum DiningState: String, CaseIterable, Sendable {
  case complete
  /// A guide is being asked: ask again in a second.
  case loading
  /// A guide does not answer; what it said before is shown.
  case stale
  /// A guide's questions of today are used up.
  case quota
  case failed
  /// A guide does not take the question.
  case refused

  init(_ guide: GuideState) {
    switch guide.kind {
    case .none, .fresh: self = .complete
    case .loading: self = .loading
    case .stale: self = .stale
    case .quota: self = .quota
    case .refused: self = .refused
    case .failed, .unknown: self = .failed
    }
  }

  static var schema: Schema { .words(allCases.map(\.rawValue)) }
}

/// A list of restaurants, and how complete it is.
nonisolated struct RestaurantsPage: Presentable {
  var items: [RestaurantItem]
  var found: Int
  var next: String?
  var state: DiningState
  var hint: String?

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.field("state", state.rawValue)
      json.array("data", of: items)
      json.field("has_more", next != nil)
      json.field("next_cursor", next)
      json.field("found", found)
      json.field("hint", ifPresent: hint)
      json.array("attribution", of: Self.credits(items.map(\.restaurant.source)))
      if items.contains(where: { $0.restaurant.source == .demo }) { json.field("demo", true) }
    }
  }

  static func credits(_ sources: [RestaurantSource]) -> [AttributionItem] {
    Set(sources).compactMap { AttributionItem(of: $0) }
  }

  static var schema: Schema {
    .object(
      ListMembers.of(RestaurantItem.schema) + ListMembers.extras + [
        ("state", DiningState.schema.described("How complete this is."), true),
        ("found", Schema.integer().described("How many fit in all."), true),
        ("attribution", .array(of: AttributionItem.schema), true),
      ], isOpen: true)
  }
}
