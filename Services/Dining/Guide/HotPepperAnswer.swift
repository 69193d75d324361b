import Calendars
package import Contracts
import Drafts
package import JSON

/// An answer of Recruit's gourmet guide: shops, or an error that came with HTTP 200.
nonisolated package struct HotPepperAnswer: Sendable {
  package var drafts: [RestaurantDraft]
  /// How many it knows for the question; more than it sent, if the question is wide.
  package var available: Int
  package var returned: Int
  package var start: Int

  /// A hundred shops with all their texts have some 600 KB.
  private static let bytesMax = 4 << 20

  package init(status: Int, body: [UInt8]) throws(GuideError) {
    let results = try Self.results(status: status, body: body)
    guard let shops = HotPepperShop.all(in: results) else { throw .unreadable("its results have no shop") }
    drafts = shops.enumerated().map { HotPepperShop.draft($1, "shop \($0 + 1)") }
    available = results["results_available"]?.wholeNumber ?? drafts.count
    returned = results["results_returned"]?.wholeNumber ?? drafts.count
    start = results["results_start"]?.wholeNumber ?? 1
  }

  /// One of its lists of codes, in its order.
  package static func codes(of list: GuideList, status: Int, body: [UInt8]) throws(GuideError) -> [CodedName] {
    guard let entries = try results(status: status, body: body)[list.rawValue]?.members else {
      throw .unreadable("its results have no \(list.rawValue)")
    }
    let codes = entries.compactMap(CodedName.init)
    guard !codes.isEmpty, codes.count <= codesMax else {
      throw .unreadable("its list has \(codes.count) codes; 1 to \(codesMax) are kept")
    }
    return codes
  }

  /// The longest of these lists, of the smallest areas, has some hundreds.
  private static let codesMax = 5_000

  private static func results(status: Int, body: [UInt8]) throws(GuideError) -> JSONValue {
    // It answers errors with 200; what stands before it on the way does not.
    if status == 401 || status == 403 { throw .key("the guide answers \(status)") }
    guard status == 200 else { throw .server("the guide answers \(status)") }
    var limits = JSONLimits(bytes: bytesMax)
    limits.values = 400_000
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: body, limits: limits) } catch {
      if let told = GuideError(xml: body) { throw told }
      throw .unreadable("it is no JSON: \(error)")
    }
    guard let results = value["results"] else { throw .unreadable("it has no results") }
    if let error = results["error"] { throw GuideError(told: error) }
    return results
  }
}

/// A list of codes that the guide keeps, named as it names it.
nonisolated package enum GuideList: String, Codable, CaseIterable, Sendable {
  case genre, budget
  case largeServiceArea = "large_service_area"
  case serviceArea = "service_area"
  case largeArea = "large_area"
  case middleArea = "middle_area"
  case smallArea = "small_area"
  case creditCard = "credit_card"
  case special
  case specialCategory = "special_category"
}

/// Why the guide gave no answer.
nonisolated package enum GuideError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It cannot be reached.
  case unreachable(String)
  /// 1000: it has a fault.
  case server(String)
  /// 2000: it does not know our key, or our address.
  case key(String)
  /// 3000: it does not take the question.
  case question(String)
  /// So many a day may be asked, and were.
  case quota
  /// Whatever stands before it wants a pause, for so long if it says.
  case pause(Duration?)
  case unreadable(String)

  /// `results.error`: a list of one, or the one.
  init(told error: JSONValue) {
    let first = error[0] ?? error
    let message = first["message"]?.string ?? "no message"
    switch first["code"]?.wholeNumber {
    case 2000: self = .key(message)
    case 3000: self = .question(message)
    default: self = .server(message)
    }
  }

  /// `<results><error><code>2000</code><message>…`: it may answer so whatever form was asked for.
  init?(xml body: [UInt8]) {
    let text = String(decoding: body.prefix(4_096), as: UTF8.self)
    func inside(_ name: String) -> String? {
      guard let start = text.firstRange(of: "<\(name)>") else { return nil }
      return String(text[start.upperBound...].prefix { $0 != "<" }).trimmed
    }
    guard text.trimmed.hasPrefix("<"), text.contains("<error>"), let code = inside("code").flatMap({ Int64($0) }) else {
      return nil
    }
    self.init(told: ["code": .int(code), "message": .string(inside("message") ?? "no message")])
  }

  package var description: String {
    switch self {
    case .unreachable(let reason): "it cannot be reached: \(reason)"
    case .server(let message): "it has a fault: \(message)"
    case .key(let message): "it refuses our key: \(message)"
    case .question(let message): "it refuses the question: \(message)"
    case .quota: "today's questions to it are used up"
    case .pause(let wait): "it asks us to wait" + (wait.map { ", \($0.components.seconds) s" } ?? "")
    case .unreadable(let reason): "its answer cannot be read: \(reason)"
    }
  }
}

/// A shop of the guide's answers as a draft. Every member may be missing.
nonisolated package enum HotPepperShop {
  /// The shops of an answer, none where it says that it knows none; nil of what is no answer.
  static func all(in results: JSONValue) -> [JSONValue]? {
    if let shops = results["shop"]?.members { return shops }
    return results["results_available"]?.wholeNumber == 0 ? [] : nil
  }

  /// Whether an object is one, out of its answer: what it tells it tells by code and name.
  static func isOne(_ value: JSONValue) -> Bool {
    ["genre", "budget", "urls", "photo"].contains { value[$0]?.object != nil }
  }

  package static func draft(_ shop: JSONValue, _ place: String) -> RestaurantDraft {
    var draft = RestaurantDraft(place)
    draft[.source] = RestaurantSource.hotpepper.rawValue
    draft[.country] = "JP"
    draft[.id] = shop["id"]?.string.map { "rest_" + $0 }
    draft[.longitude] = shop["lng"]?.shown
    for field in plain { draft[field] = shop[field.rawValue]?.shown }
    for (member, code, name) in coded {
      draft[code] = shop[member]?["code"]?.shown
      draft[name] = shop[member]?["name"]?.shown
    }
    draft[.genreCatch] = shop["genre"]?["catch"]?.shown
    draft[.budgetAverage] = shop["budget"]?["average"]?.shown
    // What is no number or no link there is not worth losing the shop for.
    for field in [RestaurantField.capacity, .partyCapacity] {
      draft[field] = shop[field.rawValue]?.seats.map { String(max($0, 0)) }
    }
    draft[.url] = link(shop["urls"]?["pc"])
    draft[.couponPC] = link(shop["coupon_urls"]?["pc"])
    draft[.couponPhone] = link(shop["coupon_urls"]?["sp"])
    let photo = shop["photo"]
    for (field, size, name) in pictures { draft[field] = photo?[size]?[name]?.shown }
    for feature in RestaurantFeature.allCases { draft[feature] = shop[feature.rawValue]?.shown }
    draft[.phoneCoupon] = coupons(shop[RestaurantFeature.phoneCoupon.rawValue])
    draft[.creditCards] = list(shop["credit_card"], CodeList.text(codes:))
    draft[.specials] = list(shop["special"], CodeList.text(themes:))
    return draft
  }

  private static let plain: [RestaurantField] = [
    .name, .nameKana, .latitude, .address, .station, .access, .mobileAccess, .budgetMemo, .tagline, .open, .close,
    .logo,
    .memo, .detailMemo,
  ]
  private static let coded: [(String, RestaurantField, RestaurantField)] = [
    ("genre", .genreCode, .genre), ("sub_genre", .subGenreCode, .subGenre), ("budget", .budgetCode, .budget),
    ("large_service_area", .largeServiceAreaCode, .largeServiceArea),
    ("service_area", .serviceAreaCode, .serviceArea), ("large_area", .largeAreaCode, .largeArea),
    ("middle_area", .middleAreaCode, .middleArea), ("small_area", .smallAreaCode, .smallArea),
  ]
  private static let pictures: [(RestaurantField, String, String)] = [
    (.photoLarge, "pc", "l"), (.photoMedium, "pc", "m"), (.photoSmall, "pc", "s"),
    (.photoPhoneLarge, "mobile", "l"), (.photoPhoneSmall, "mobile", "s"),
  ]

  /// Alone among the guide's marks this one says what lacks: 1 is without coupons, 0 with them.
  private static func coupons(_ value: JSONValue?) -> String? {
    switch value?.shown {
    case "0": FeatureState.yes.rawValue
    case "1": FeatureState.no.rawValue
    case let text: text
    }
  }

  private static func link(_ value: JSONValue?) -> String? {
    value?.shown.flatMap { $0.hasPrefix("https://") || $0.hasPrefix("http://") ? $0 : nil }
  }

  private static func list(_ value: JSONValue?, _ text: ([JSONValue]) -> String) -> String? {
    guard let values = value?.members, !values.isEmpty else { return nil }
    return text(values)
  }
}

nonisolated extension CodeList {
  fileprivate static func text(codes: [JSONValue]) -> String { text(codes.compactMap(CodedName.init)) }

  fileprivate static func text(themes: [JSONValue]) -> String {
    text(
      themes.compactMap { theme in
        CodedName(theme).map {
          Special(code: $0.code, name: $0.name, category: theme["special_category"].flatMap(CodedName.init))
        }
      })
  }
}

nonisolated extension CodedName {
  fileprivate init?(_ value: JSONValue) {
    guard let code = value["code"]?.shown else { return nil }
    self.init(code: code, name: value["name"]?.shown ?? code)
  }
}

nonisolated extension JSONValue {
  /// A text, or a number as one; an empty text is none. Numbers come as texts here and there.
  var shown: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .int(let number): String(number)
    case .double(let number): "\(number)"
    case .bool(let flag): flag ? "1" : "0"
    case .null, .array, .object: nil
    }
  }

  fileprivate var wholeNumber: Int? { int ?? string.flatMap { Int($0.trimmed) } }

  /// 80, "80", `80人`, `1,200席`
  fileprivate var seats: Int? {
    int
      ?? string.flatMap { text in
        Int(text.trimmed.prefix { ("0"..."9").contains($0) || $0 == "," }.filter { $0 != "," })
      }
  }
}
