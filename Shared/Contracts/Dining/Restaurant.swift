package import Calendars
package import Clocks

/// A restaurant, with everything that is known of it: a superset of what Japan's large guide tells.
package struct Restaurant: Codable, Hashable, Sendable {
  /// `rest_` and the id that its source gives it.
  package var id: RestaurantID
  package var name: String
  package var nameKana: String?
  package var nameEnglish: String?
  /// ISO 3166, two capitals: `KR`.
  package var country: String
  package var position: Coordinate
  package var zone: ZoneName
  package var address: String?
  package var station: String?
  package var phone: String?
  package var access: String?
  package var mobileAccess: String?
  package var genre: CodedName?
  package var subGenre: CodedName?
  package var genreCatch: String?
  package var budget: Budget?
  package var budgetMemo: String?
  package var tagline: String?
  package var capacity: Int?
  /// The largest party.
  package var partyCapacity: Int?
  package var areas: Areas?
  /// When it is open, in its own words.
  package var openText: String?
  /// When it is closed, in its own words.
  package var closeText: String?
  /// What was understood of both.
  package var hours: OpeningHours
  package var features: [FeatureNote]
  package var creditCards: [CodedName]?
  package var specials: [Special]?
  /// Its page in the guide that it comes from, or its own.
  package var url: String?
  package var coupons: Coupons?
  package var logo: String?
  package var photos: Photos?
  package var memo: String?
  package var detailMemo: String?
  package var source: RestaurantSource
  /// When a guide told it; nil for one that was imported.
  package var asOf: WallTime?
  /// False for one that has closed for good.
  package var isActive: Bool

  package init(
    id: RestaurantID, name: String, country: String, position: Coordinate, zone: ZoneName,
    hours: OpeningHours = OpeningHours(), features: [FeatureNote] = [], source: RestaurantSource,
    isActive: Bool = true
  ) {
    self.id = id
    self.name = name
    self.country = country
    self.position = position
    self.zone = zone
    self.hours = hours
    self.features = features
    self.source = source
    self.isActive = isActive
  }
}

package typealias RestaurantID = ID<Restaurant>

/// Something that a guide has a code for: a genre, a card, an area.
package struct CodedName: Codable, Hashable, Sendable {
  package var code: String
  package var name: String

  package init(code: String, name: String) {
    self.code = code
    self.name = name
  }
}

/// What a dinner costs there.
package struct Budget: Codable, Hashable, Sendable {
  package var code: String?
  /// `2001～3000円`
  package var name: String?
  /// What the restaurant says itself: `ディナー2300円`.
  package var average: String?
  /// In the currency's smallest unit.
  package var least: Int?
  package var most: Int?
  /// ISO 4217: `JPY`.
  package var currency: String?

  package init(
    code: String? = nil, name: String? = nil, average: String? = nil, least: Int? = nil, most: Int? = nil,
    currency: String? = nil
  ) {
    self.code = code
    self.name = name
    self.average = average
    self.least = least
    self.most = most
    self.currency = currency
  }
}

/// Where it is, in the guide's five sizes of areas, largest first.
package struct Areas: Codable, Hashable, Sendable {
  package var largeService: CodedName?
  package var service: CodedName?
  package var large: CodedName?
  package var middle: CodedName?
  package var small: CodedName?

  package init(
    largeService: CodedName? = nil, service: CodedName? = nil, large: CodedName? = nil, middle: CodedName? = nil,
    small: CodedName? = nil
  ) {
    self.largeService = largeService
    self.service = service
    self.large = large
    self.middle = middle
    self.small = small
  }
}

/// A theme of the guide that lists the restaurant.
package struct Special: Codable, Hashable, Sendable {
  package var code: String
  package var name: String
  package var category: CodedName?

  package init(code: String, name: String, category: CodedName? = nil) {
    self.code = code
    self.name = name
    self.category = category
  }
}

/// Pages with coupons.
package struct Coupons: Codable, Hashable, Sendable {
  package var pc: String?
  package var phone: String?

  package init(pc: String? = nil, phone: String? = nil) {
    self.pc = pc
    self.phone = phone
  }
}

/// Addresses of pictures, by size.
package struct Photos: Codable, Hashable, Sendable {
  package var large: String?
  package var medium: String?
  package var small: String?
  package var phoneLarge: String?
  package var phoneSmall: String?

  package init(
    large: String? = nil, medium: String? = nil, small: String? = nil, phoneLarge: String? = nil,
    phoneSmall: String? = nil
  ) {
    self.large = large
    self.medium = medium
    self.small = small
    self.phoneLarge = phoneLarge
    self.phoneSmall = phoneSmall
  }
}
