package import Contracts

/// A question to Recruit's gourmet guide, as its parameters. Two questions that ask the same have the same text.
nonisolated package struct HotPepperQuestion: Hashable, Sendable {
  /// Names and values in a fixed order, without the key.
  package private(set) var parameters: [Parameter]
  /// Where it asks around a point.
  let circle: GuideCircle?
  /// It asks for everything there.
  private(set) var isOfAll: Bool

  package struct Parameter: Hashable, Sendable {
    package let name: String
    package let value: String
  }

  /// The guide sends at most so many; which of more, its own order decides.
  static let count = GuideState.toldMax

  /// Nil for what is none of the guide's business: a place outside Japan, ids of others, nothing to ask for.
  package init?(_ request: FindRestaurants) {
    var parameters: [Parameter] = []
    func add(_ name: String, _ value: String?) {
      if let value { parameters.append(Parameter(name: name, value: value)) }
    }
    let filter = request.filter
    if let origin = request.origin {
      guard KnownCountry.of(origin) == "JP" else { return nil }
      let range = Self.range(metres: request.metresMax ?? 1_000)
      circle = Self.rounded(origin).map { GuideCircle(centre: $0, metres: Self.circles[range - 1]) }
      add("lat", Self.degrees(origin.latitude))
      add("lng", Self.degrees(origin.longitude))
      add("range", String(range))
      add("datum", "world")
    } else {
      circle = nil
    }
    let placeCount = parameters.count
    if let ids = filter.ids {
      let own = ids.compactMap(Self.guideID)
      guard !own.isEmpty else { return nil }
      add("id", own.sorted().joined(separator: ","))
    }
    add("name", filter.name)
    add("name_kana", filter.nameKana)
    add("name_any", filter.nameAny)
    add("tel", filter.phone)
    add("address", filter.address)
    add("keyword", filter.keyword.map(Self.words))
    let lists = [
      ("large_service_area", filter.largeServiceAreas), ("service_area", filter.serviceAreas),
      ("large_area", filter.largeAreas), ("middle_area", filter.middleAreas), ("small_area", filter.smallAreas),
      ("genre", filter.genres), ("budget", filter.budgets), ("credit_card", filter.creditCards),
      ("special", filter.specials), ("special_or", filter.specialsAny),
      ("special_category", filter.specialCategories), ("special_category_or", filter.specialCategoriesAny),
    ]
    for (name, codes) in lists {
      guard let codes, !codes.isEmpty else { continue }
      add(name, codes.sorted().joined(separator: ","))
    }
    add("party_capacity", filter.party.map(String.init))
    // Without a place, a text or an area the guide would have to send the whole country.
    guard !parameters.isEmpty else { return nil }
    for feature in RestaurantFeature.allCases where filter.features?.contains(feature) == true {
      add(feature.rawValue, feature == .phoneCoupon ? "0" : "1")
    }
    isOfAll = parameters.count == placeCount
    add("type", "special+credit_card")
    if let order = Self.order(request) { add("order", String(order)) }
    add("start", "1")
    add("count", String(Self.count))
    self.parameters = parameters
  }

  /// The same beyond what the guide sends at once: 1 is its second hundred.
  func page(_ number: Int) -> HotPepperQuestion {
    var further = self
    further.isOfAll = false
    further.parameters = parameters.map {
      $0.name == "start" ? Parameter(name: $0.name, value: String(number * Self.count + 1)) : $0
    }
    return further
  }

  /// What it is remembered by, and the query without its key.
  package var text: String {
    parameters.map { "\($0.name)=\(Self.escaped($0.value))" }.joined(separator: "&")
  }

  // MARK: The guide's forms

  /// `J000727183` of `rest_J000727183`; nil for a restaurant that is not the guide's.
  static func guideID(_ id: RestaurantID) -> String? {
    guard id.text.hasPrefix("rest_J") else { return nil }
    let own = id.text.dropFirst("rest_".count)
    return own.utf8.dropFirst().allSatisfy { (48...57).contains($0) } && own.utf8.count > 1 ? String(own) : nil
  }

  /// The smallest of the guide's five circles that holds so many metres.
  static func range(metres: Int) -> Int { (circles.firstIndex { metres <= $0 } ?? circles.count - 1) + 1 }

  private static let circles = [300, 500, 1_000, 2_000, 3_000]

  /// 1 by name, 2 by genre, 3 by area, 4 as recommended; around a point none, which is by distance.
  private static func order(_ request: FindRestaurants) -> Int? {
    switch request.order {
    case .name: 1
    case .genre: 2
    case .smallArea: 3
    case .recommended, .budget, .distance, .unknown: request.origin == nil ? 4 : nil
    }
  }

  /// To about 100 m, so that neighbours share an answer and nobody's doorstep is told.
  private static func thousandths(_ value: Double) -> Int { Int((value * 1_000).rounded()) }

  private static func rounded(_ point: Coordinate) -> Coordinate? {
    try? Coordinate(
      latitude: Double(thousandths(point.latitude)) / 1_000, longitude: Double(thousandths(point.longitude)) / 1_000)
  }

  private static func degrees(_ value: Double) -> String {
    let whole = thousandths(value)
    let rest = String(whole % 1_000 + 1_000).dropFirst()
    return "\(whole / 1_000).\(rest)"
  }

  private static func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Percent-encoded as a value of a query.
  private static func escaped(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: ","):
        bytes.append(byte)
      default:
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
