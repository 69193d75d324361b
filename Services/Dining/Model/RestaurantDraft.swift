package import Calendars
package import Contracts
import RPC
import Wire

/// A restaurant as somebody wrote it: texts by column, before anybody has looked whether they make sense.
///
/// Every way in is this one: files, the guide's answers, the demo. ``restaurant(zones:)`` says all that is wrong at once.
nonisolated package struct RestaurantDraft: Sendable {
  /// Where it was written, for messages: `line 7`.
  package var place: String
  private var texts: [String: String] = [:]

  package init(_ place: String) { self.place = place }

  /// An empty text is no text. To set one says that there is none; nil says nothing of it.
  subscript(column: String) -> String? {
    get { texts[column].flatMap { $0.isEmpty ? nil : $0 } }
    set { texts[column] = newValue }
  }

  package subscript(field: RestaurantField) -> String? {
    get { self[field.rawValue] }
    set { self[field.rawValue] = newValue }
  }

  package subscript(feature: RestaurantFeature) -> String? {
    get { self[feature.rawValue] }
    set { self[feature.rawValue] = newValue }
  }

  /// Its id, if that can be read.
  var knownID: RestaurantID? { self[.id].flatMap { RestaurantID($0.trimmed) } }

  /// Leaves as it is kept whatever is not said of a restaurant, but for what goes with a column that says something
  /// else now: a code is one of a name, a price is read from words. Active or not it always is, so nothing clears that.
  mutating func complete(from kept: Restaurant) {
    let said = self
    for (column, text) in kept.texts {
      let isActive = column == RestaurantField.active.rawValue
      guard said.texts[column] == nil || isActive && said[column] == nil else { continue }
      let companions = RestaurantField(rawValue: column)?.companions ?? []
      if !companions.contains(where: { said.contradicts(kept, in: $0) }) { self[column] = text }
    }
  }

  private func contradicts(_ kept: Restaurant, in field: RestaurantField) -> Bool {
    texts[field.rawValue] != nil && self[field]?.lowercased() != field.text(of: kept)?.lowercased()
  }

  /// The restaurant, if everything is as it has to be.
  package func restaurant(zones: ZoneDirectory) throws(DraftProblems) -> Restaurant {
    var check = DraftCheck(draft: self)
    let id: RestaurantID? = check.required(.id, RestaurantID.form)
    let name = check.text(.name, isRequired: true)
    let position = check.position()
    let country = check.country(at: position)
    let zone = check.zone(country, zones)
    let (capacity, party) = (check.number(.capacity), check.number(.partyCapacity))
    let (least, most) = (check.number(.budgetLeast), check.number(.budgetMost))
    let isActive = check.flag(.active) ?? true
    for link in [RestaurantField.url, .couponPC, .couponPhone] { check.link(link) }
    for column in RestaurantField.columns { check.length(column) }
    guard check.problems.isEmpty, let id, let name, let position, let country, let zone else {
      throw DraftProblems(place: place, problems: check.problems)
    }
    var place = Restaurant(
      id: id, name: name, country: country, position: position, zone: zone,
      source: self[.source].map(RestaurantSource.named) ?? .operatorFile, isActive: isActive)
    place.hours = OpeningHoursReader.read(open: self[.open], close: self[.close]).hours
    place.features = RestaurantFeature.allCases.compactMap { FeatureText.note($0, self[$0]) }
    (place.capacity, place.partyCapacity) = (capacity, party)
    fillTexts(of: &place)
    fillBudget(of: &place, least, most)
    fillAreas(of: &place)
    fillPictures(of: &place)
    return place
  }

  private func fillTexts(of place: inout Restaurant) {
    (place.nameKana, place.nameEnglish) = (self[.nameKana], self[.nameEnglish])
    (place.address, place.station, place.phone) = (self[.address], self[.station], self[.phone])
    (place.access, place.mobileAccess) = (self[.access], self[.mobileAccess])
    place.genre = coded(.genreCode, .genre)
    place.subGenre = coded(.subGenreCode, .subGenre)
    (place.genreCatch, place.tagline) = (self[.genreCatch], self[.tagline])
    (place.openText, place.closeText) = (self[.open], self[.close])
    (place.memo, place.detailMemo) = (self[.memo], self[.detailMemo])
    place.creditCards = self[.creditCards].map(CodeList.codes)
    place.specials = self[.specials].map(CodeList.specials)
  }

  private func fillBudget(of place: inout Restaurant, _ least: Int?, _ most: Int?) {
    place.budgetMemo = self[.budgetMemo]
    let read = BudgetText(name: self[.budget], average: self[.budgetAverage], country: place.country)
    let isGiven = least != nil || most != nil
    let budget = Budget(
      code: self[.budgetCode], name: self[.budget], average: self[.budgetAverage], least: isGiven ? least : read.least,
      most: isGiven ? most : read.most,
      currency: self[.currency] ?? read.currency ?? (isGiven ? BudgetText.ofCountry[place.country] : nil))
    place.budget = budget == Budget() ? nil : budget
  }

  private func fillAreas(of place: inout Restaurant) {
    let areas = Areas(
      largeService: coded(.largeServiceAreaCode, .largeServiceArea), service: coded(.serviceAreaCode, .serviceArea),
      large: coded(.largeAreaCode, .largeArea), middle: coded(.middleAreaCode, .middleArea),
      small: coded(.smallAreaCode, .smallArea))
    place.areas = areas == Areas() ? nil : areas
  }

  private func fillPictures(of place: inout Restaurant) {
    (place.url, place.logo) = (self[.url], self[.logo])
    let coupons = Coupons(pc: self[.couponPC], phone: self[.couponPhone])
    place.coupons = coupons == Coupons() ? nil : coupons
    let photos = Photos(
      large: self[.photoLarge], medium: self[.photoMedium], small: self[.photoSmall],
      phoneLarge: self[.photoPhoneLarge], phoneSmall: self[.photoPhoneSmall])
    place.photos = photos == Photos() ? nil : photos
  }

  /// A name without a code is its own code.
  private func coded(_ code: RestaurantField, _ name: RestaurantField) -> CodedName? {
    guard let text = self[name] ?? self[code] else { return nil }
    return CodedName(code: self[code] ?? text, name: text)
  }
}

/// All that is wrong with one draft.
nonisolated package struct DraftProblems: Error, Hashable, Sendable {
  package var place: String
  package var problems: [String]

  package init(place: String, problems: [String]) {
    self.place = place
    self.problems = problems
  }

  package var line: String { "\(place): \(problems.joined(separator: "; "))" }
}

/// Reads the fields of a draft one by one and remembers what is wrong.
nonisolated private struct DraftCheck {
  let draft: RestaurantDraft
  private(set) var problems: [String] = []

  /// Longer than any menu's remarks; what is longer is a broken file.
  private static let bytesMax = 4_000

  init(draft: RestaurantDraft) { self.draft = draft }

  mutating func length(_ column: String) {
    guard let text = draft[column] else { return }
    if text.utf8.count > Self.bytesMax {
      problems.append("\(column) has \(text.utf8.count) bytes; at most \(Self.bytesMax) are kept")
    }
  }

  mutating func text(_ field: RestaurantField, isRequired: Bool = false) -> String? {
    guard let text = draft[field]?.trimmed, !text.isEmpty else {
      if isRequired { problems.append("\(field.rawValue) is missing") }
      return nil
    }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      problems.append("\(field.rawValue) holds a control character")
      return nil
    }
    return text
  }

  mutating func optional<Value: LosslessStringConvertible>(_ field: RestaurantField, _ form: String) -> Value? {
    guard let text = text(field) else { return nil }
    guard let value = Value(text) else {
      problems.append("\(field.rawValue) is \(text), not \(form)")
      return nil
    }
    return value
  }

  mutating func required<Value: LosslessStringConvertible>(_ field: RestaurantField, _ form: String) -> Value? {
    guard text(field, isRequired: true) != nil else { return nil }
    return optional(field, form)
  }

  mutating func number(_ field: RestaurantField) -> Int? {
    guard let number: Int = optional(field, "a whole number") else { return nil }
    guard (0...100_000_000).contains(number) else {
      problems.append("\(field.rawValue) is \(number); give 0 or more")
      return nil
    }
    return number
  }

  mutating func flag(_ field: RestaurantField) -> Bool? {
    guard let text = text(field)?.lowercased() else { return nil }
    if ["1", "yes", "y", "true"].contains(text) { return true }
    if ["0", "no", "n", "false"].contains(text) { return false }
    problems.append("\(field.rawValue) is \(text); write 1 or 0")
    return nil
  }

  mutating func link(_ field: RestaurantField) {
    guard let text = text(field), !text.hasPrefix("https://"), !text.hasPrefix("http://") else { return }
    problems.append("\(field.rawValue) is \(text); begin it with https://")
  }

  mutating func position() -> Coordinate? {
    let latitude: Double? = required(.latitude, "degrees such as 37.5663")
    let longitude: Double? = required(.longitude, "degrees such as 126.9779")
    guard let latitude, let longitude else { return nil }
    if abs(latitude) > 90, abs(longitude) <= 90, abs(latitude) <= 180 {
      problems.append("lat is \(latitude) and lon is \(longitude); they are probably swapped")
      return nil
    }
    do throws(RPCError) {
      return try Coordinate(latitude: latitude, longitude: longitude)
    } catch {
      problems.append(error.message)
      return nil
    }
  }

  /// Where none is said, Japan's and Korea's are known by the point.
  mutating func country(at position: Coordinate?) -> String? {
    guard let text = text(.country)?.uppercased() else {
      if let position, let country = KnownCountry.of(position) { return country }
      problems.append("country is missing; write two letters such as KR")
      return nil
    }
    guard text.utf8.count == 2, text.utf8.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains) else {
      problems.append("country is \(text); write two letters such as KR")
      return nil
    }
    return text
  }

  mutating func zone(_ country: String?, _ zones: ZoneDirectory) -> ZoneName? {
    if draft[.zone] == nil, let only = country.flatMap({ KnownCountry.onlyZone[$0] }) { return ZoneName(only) }
    guard let zone: ZoneName = required(.zone, ZoneName.form) else { return nil }
    guard (try? zones.rules(for: zone)) != nil else {
      problems.append("time_zone is \(zone), which this machine does not know")
      return nil
    }
    return zone
  }
}

/// What can be told of a country without a map.
nonisolated enum KnownCountry {
  static let onlyZone = [
    "KR": "Asia/Seoul", "JP": "Asia/Tokyo", "GB": "Europe/London", "NL": "Europe/Amsterdam", "FR": "Europe/Paris",
    "DE": "Europe/Berlin",
  ]

  /// Boxes, with the strait between Korea and Japan as a line of steps.
  static func of(_ position: Coordinate) -> String? {
    let (latitude, longitude) = (position.latitude, position.longitude)
    let isKorea =
      (33...38.7).contains(latitude) && (124.5...132).contains(longitude)
      && (longitude < 129 || latitude > 34.8 && longitude < 130 || latitude > 36.5)
    if isKorea { return "KR" }
    return (24...46).contains(latitude) && (122.5...146).contains(longitude) ? "JP" : nil
  }
}
