import Wire

/// What a restaurant says of one thing that it may have.
package struct FeatureNote: Codable, Hashable, Sendable {
  package var feature: RestaurantFeature
  package var state: FeatureState
  /// In its own words, where there are more than yes or no.
  package var text: String?

  package init(feature: RestaurantFeature, state: FeatureState, text: String? = nil) {
    self.feature = feature
    self.state = state
    self.text = text
  }
}

/// Whether a restaurant has something.
package enum FeatureState: String, Codable, CaseIterable, Sendable { case yes, no, unknown }

/// Things that people ask whether a restaurant has them, under the names of Japan's large guide.
package enum RestaurantFeature: String, Codable, CaseIterable, Sendable {
  case wifi, wedding, course
  case freeDrink = "free_drink"
  case freeFood = "free_food"
  case privateRoom = "private_room"
  case horigotatsu, tatami, cocktail, shochu, sake, wine, card
  case nonSmoking = "non_smoking"
  case charter
  /// A telephone can be used.
  case mobilePhone = "ktai"
  case parking
  case barrierFree = "barrier_free"
  case sommelier
  case nightView = "night_view"
  case openAir = "open_air"
  case show, equipment, karaoke, band, tv, lunch
  /// Open after 23:00.
  case midnight
  /// Meals after 23:00.
  case midnightMeal = "midnight_meal"
  case english, pet, child
  case phoneCoupon = "ktai_coupon"
}

/// Where the word of a restaurant comes from.
package enum RestaurantSource: GrowingEnum {
  /// The guide of Recruit.
  case hotpepper
  /// An operator's file or command.
  case operatorFile
  /// Invented, to try the software with.
  case demo
  case unknown(String)

  package static let known: [RestaurantSource] = [.hotpepper, .operatorFile, .demo]

  package var rawValue: String {
    switch self {
    case .hotpepper: "hotpepper"
    case .operatorFile: "import"
    case .demo: "demo"
    case .unknown(let name): name
    }
  }
}
