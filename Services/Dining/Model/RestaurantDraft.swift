package import Calendars
package import Contracts
package import Drafts
import Wire

/// A restaurant as somebody wrote it: texts by column, before anybody has looked whether they make sense.
///
/// Every way in is this one: files, the guide's answers, the demo. ``restaurant(zones:)`` says all that is wrong at once.
nonisolated package struct RestaurantDraft: Sendable {
  /// Where it was written, for messages: `line 7`.
  package var place: String
  private var texts = DraftTexts()

  package init(_ place: String) { self.place = place }

  /// An empty text is no text. To set one says that there is none; nil says nothing of it.
  subscript(column: String) -> String? {
    get { texts[column] }
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
      guard !said.texts.tells(column) || isActive && said[column] == nil else { continue }
      let companions = RestaurantField(rawValue: column)?.companions ?? []
      if !companions.contains(where: { said.contradicts(kept, in: $0) }) { self[column] = text }
    }
  }

  private func contradicts(_ kept: Restaurant, in field: RestaurantField) -> Bool {
    texts.tells(field.rawValue) && self[field]?.lowercased() != field.text(of: kept)?.lowercased()
  }

  /// Longer than any menu's remarks; what is longer is a broken file.
  private static let bytesMax = 4_000
  private static let numbers = 0...100_000_000

  /// The restaurant, if everything is as it has to be.
  package func restaurant(zones: ZoneDirectory) throws(DraftProblems) -> Restaurant {
    var check = DraftCheck<RestaurantField>(texts, bytesMax: Self.bytesMax)
    let id: RestaurantID? = check.required(.id, RestaurantID.form)
    let name = check.text(.name, isRequired: true)
    let position = check.position(.latitude, .longitude)
    let country = check.country(.country, otherwise: position.flatMap(KnownCountry.of))
    let zone = check.zone(.zone, only: country.flatMap { KnownCountry.onlyZone[$0] }, in: zones)
    let (capacity, party) = (check.number(.capacity, in: Self.numbers), check.number(.partyCapacity, in: Self.numbers))
    let (least, most) = (check.number(.budgetLeast, in: Self.numbers), check.number(.budgetMost, in: Self.numbers))
    let isActive = check.flag(.active) ?? true
    for link in [RestaurantField.url, .couponPC, .couponPhone] { check.link(link) }
    for column in RestaurantField.columns { check.length(column, bytesMax: Self.bytesMax) }
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

nonisolated extension DraftCheck<RestaurantField> {
  fileprivate mutating func length(_ column: String, bytesMax: Int) {
    guard let text = texts[column], text.utf8.count > bytesMax else { return }
    note("\(column) has \(text.utf8.count) bytes; at most \(bytesMax) are kept")
  }

  fileprivate mutating func link(_ field: RestaurantField) {
    guard let text = text(field) else { return }
    if text.contains(" ") { return note("\(field.rawValue) holds a blank, or more than one address") }
    guard !text.hasPrefix("https://"), !text.hasPrefix("http://") else { return }
    note("\(field.rawValue) is \(text); begin it with https://")
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
