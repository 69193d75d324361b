import Calendars
import Contracts
import HTTP
import JSON

/// The conditions on restaurants as query parameters: ours, and under its own names what Recruit's guide takes.
struct RestaurantQuery {
  let request: FindRestaurants
  let cursor: String?
  let isLite: Bool

  enum Datum: String, CaseIterable, Sendable { case world, tokyo }
  enum Kind: String, CaseIterable, Sendable {
    case full, lite, special
    case creditCard = "credit_card"
    case both = "credit_card+special"
  }
  enum Sorting: String, CaseIterable, Sendable {
    case recommended, distance, budget, name, genre
    case smallArea = "small_area"

    var order: RestaurantOrder {
      switch self {
      case .recommended: .recommended
      case .distance: .distance
      case .budget: .budget
      case .name: .name
      case .genre: .genre
      case .smallArea: .smallArea
      }
    }
  }

  static let datum = QueryField<Datum>.choice("datum", "The datum of `near`.", default: Datum.world)
  private static let radius = QueryField<Int?>.optionalInt(
    "radius_m", "No further than so many metres; 1000 if neither this nor `range` is given.", in: 1...50_000)
  private static let range = QueryField<Int?>.optionalInt(
    "range", "The same in steps: 1 is 300 m, 2 is 500, 3 is 1000, 4 is 2000, 5 is 3000; of both, `radius_m` counts.",
    in: 1...5)
  private static let ids = QueryField<[RestaurantID]>.ids(
    "id", "Of these ids.", of: RestaurantID.self, atMost: RestaurantFilter.idsMax)
  private static let text = QueryField<String?>.text(
    "q", "Every word of it in the name, reading, address, station, genre, area or tagline.", length: 1...200)
  private static let keyword = QueryField<String?>.text("keyword", "The same as `q`.", length: 1...200)
  private static let name = QueryField<String?>.text("name", "In the name.", length: 1...200)
  private static let nameKana = QueryField<String?>.text("name_kana", "In the reading of the name.", length: 1...200)
  private static let nameAny = QueryField<String?>.text("name_any", "In the name or its reading.", length: 1...200)
  private static let phone = QueryField<String?>.text("tel", "The telephone number, its digits.", length: 1...32)
  private static let address = QueryField<String?>.text("address", "In the address.", length: 1...200)
  private static let budgetLeast = QueryField<Int?>.optionalInt(
    "budget_min", "A dinner costs so much or more, in the currency's smallest unit.", in: 0...100_000_000)
  private static let budgetMost = QueryField<Int?>.optionalInt(
    "budget_max", "A dinner can be had for so much, in the currency's smallest unit.", in: 0...100_000_000)
  private static let party = QueryField<Int?>.optionalInt("party", "It takes a party of so many.", in: 1...10_000)
  private static let partyCapacity = QueryField<Int?>.optionalInt(
    "party_capacity", "The same as `party`.", in: 1...10_000)
  private static let features = QueryField<Set<RestaurantFeature>>.choices(
    "features", "It says yes to all of these.", of: RestaurantFeature.self)
  private static let openAt = QueryField<Timestamp?>.written("open_at", "Open then.", as: Timestamp.self)
  private static let sort = QueryField<Sorting>.choice(
    "sort", "Recommended: around a point by five minutes' walk, then those that tell most of themselves.",
    default: Sorting.recommended)
  private static let kind = QueryField<Kind>(
    "type", "How much of each is told. What the guide's other types add to its own stands in `full` already.",
    schema: .words(Kind.allCases.map(\.rawValue)).with("default", .string(Kind.full.rawValue))
  ) { query in
    // A + that was not encoded arrives as a blank.
    if query.string("type") == "credit_card special" { return .both }
    return query.choice("type", of: Kind.self) ?? .full
  }
  private static let limit = QueryField<Int>.int("limit", "How many at most.", in: 1...100, default: 20)

  private static func codes(
    _ name: String, _ summary: String, atMost: Int = QueryField<[String]>.listMax
  ) -> QueryField<[String]> {
    .words(name, summary, pattern: codePattern, atMost: atMost) { word in
      !word.isEmpty && word.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && $0 != "," }
    }
  }

  private static let codePattern = "^[^\\x00-\\x20,\\x7F]+$"
  private static let genre = codes("genre", "Codes of genres; of several, any.")
  private static let budget = codes("budget", "Codes of budgets, at most 2; any.", atMost: 2)
  private static let largeServiceArea = codes("large_service_area", "Codes; any.")
  private static let serviceArea = codes("service_area", "Codes; any.")
  private static let largeArea = codes("large_area", "Codes, at most 3; any.", atMost: 3)
  private static let middleArea = codes("middle_area", "Codes, at most 5; any.", atMost: 5)
  private static let smallArea = codes("small_area", "Codes, at most 5; any.", atMost: 5)
  private static let creditCard = codes("credit_card", "Codes; any.")
  private static let special = codes("special", "Codes of themes; all.")
  private static let specialOr = codes("special_or", "Codes of themes; any.")
  private static let specialCategory = codes("special_category", "Codes of kinds of themes; all.")
  private static let specialCategoryOr = codes("special_category_or", "Codes of kinds of themes; any.")

  static let fields: [any AnyQueryField] = [
    radius, range, ids, text, keyword, name, nameKana, nameAny, phone, address, genre, budget, budgetLeast, budgetMost,
    party, partyCapacity, features, openAt, largeServiceArea, serviceArea, largeArea, middleArea, smallArea, creditCard,
    special, specialOr, specialCategory, specialCategoryOr, sort, kind, limit, QueryField<String?>.cursor,
  ]

  init(_ query: inout QueryReader) {
    var filter = RestaurantFilter()
    let (radius, step) = (query.take(Self.radius), query.take(Self.range))
    filter.ids = Self.some(query.take(Self.ids))
    let (text, keyword) = (query.take(Self.text), query.take(Self.keyword))
    filter.keyword = text ?? keyword
    (filter.name, filter.nameKana) = (query.take(Self.name), query.take(Self.nameKana))
    (filter.nameAny, filter.phone) = (query.take(Self.nameAny), query.take(Self.phone))
    filter.address = query.take(Self.address)
    filter.genres = Self.some(query.take(Self.genre))
    filter.budgets = Self.some(query.take(Self.budget), atMost: 2, "budget", &query)
    (filter.budgetLeast, filter.budgetMost) = (query.take(Self.budgetLeast), query.take(Self.budgetMost))
    let (party, capacity) = (query.take(Self.party), query.take(Self.partyCapacity))
    filter.party = party ?? capacity
    filter.features = Self.some(query.take(Self.features).sorted { $0.rawValue < $1.rawValue })
    filter.openAt = query.take(Self.openAt)?.instant
    filter.largeServiceAreas = Self.some(query.take(Self.largeServiceArea))
    filter.serviceAreas = Self.some(query.take(Self.serviceArea))
    filter.largeAreas = Self.some(query.take(Self.largeArea), atMost: 3, "large_area", &query)
    filter.middleAreas = Self.some(query.take(Self.middleArea), atMost: 5, "middle_area", &query)
    filter.smallAreas = Self.some(query.take(Self.smallArea), atMost: 5, "small_area", &query)
    filter.creditCards = Self.some(query.take(Self.creditCard))
    (filter.specials, filter.specialsAny) = (Self.some(query.take(Self.special)), Self.some(query.take(Self.specialOr)))
    filter.specialCategories = Self.some(query.take(Self.specialCategory))
    filter.specialCategoriesAny = Self.some(query.take(Self.specialCategoryOr))
    if let least = filter.budgetLeast, let most = filter.budgetMost, least > most {
      query.refuse("budget_min", "must not be over budget_max", String(least)) as Never?
    }
    let sort = query.take(Self.sort)
    isLite = query.take(Self.kind) == .lite
    let limit = query.take(Self.limit)
    cursor = query.take(.cursor)
    let metres = radius ?? step.map { [300, 500, 1_000, 2_000, 3_000][$0 - 1] }
    request = FindRestaurants(metresMax: metres, filter: filter, order: sort.order, limit: limit)
  }

  // MARK: Dinner

  static let dinnerFields: [any AnyQueryField] = [genre, budgetMost, party, features]

  static func dinnerFilter(_ query: inout QueryReader) -> RestaurantFilter {
    var filter = RestaurantFilter()
    filter.genres = some(query.take(genre))
    filter.budgetMost = query.take(budgetMost)
    filter.party = query.take(party)
    filter.features = some(query.take(features).sorted { $0.rawValue < $1.rawValue })
    return filter
  }

  private static func some<Element>(_ list: [Element]) -> [Element]? { list.isEmpty ? nil : list }

  private static func some(
    _ list: [String], atMost most: Int, _ name: String, _ query: inout QueryReader
  ) -> [String]? {
    guard list.count > most else { return some(list) }
    return query.refuse(name, "must have at most \(most) codes", list.joined(separator: ","))
  }
}
