import Contracts
import TextSearch

/// Whether a restaurant fulfils the conditions of a question; texts are folded once.
nonisolated struct FilterTest {
  private let filter: RestaurantFilter
  private let index: RestaurantIndex
  private let ids: Set<RestaurantID>?
  /// A guide named them for this very question: what their records do not tell is as it was asked.
  private let named: Set<RestaurantID>
  private let texts: [(wanted: String, of: @Sendable (Restaurant) -> [String?])]
  private let codes: [(wanted: Set<String>, of: @Sendable (Restaurant) -> [String?])]

  init(_ filter: RestaurantFilter, of index: RestaurantIndex, named: Set<RestaurantID> = []) {
    self.filter = filter
    self.named = named
    self.index = index
    ids = filter.ids.map { Set($0) }
    let texts: [(String?, @Sendable (Restaurant) -> [String?])] = [
      (filter.name, { [$0.name, $0.nameEnglish] }), (filter.nameKana, { [$0.nameKana] }),
      (filter.nameAny, { [$0.name, $0.nameEnglish, $0.nameKana] }), (filter.address, { [$0.address] }),
    ]
    self.texts = texts.compactMap { text, of in text.map { (Self.folded($0), of) } }
    let codes: [([String]?, @Sendable (Restaurant) -> [String?])] = [
      (filter.largeServiceAreas, { [$0.areas?.largeService?.code] }),
      (filter.serviceAreas, { [$0.areas?.service?.code] }), (filter.largeAreas, { [$0.areas?.large?.code] }),
      (filter.middleAreas, { [$0.areas?.middle?.code] }), (filter.smallAreas, { [$0.areas?.small?.code] }),
      (filter.genres, { [$0.genre?.code, $0.subGenre?.code] }), (filter.budgets, { [$0.budget?.code] }),
      (filter.creditCards, { $0.creditCards?.map(\.code) ?? [] }),
      (filter.specialsAny, { $0.specials?.map(\.code) ?? [] }),
      (filter.specialCategoriesAny, { $0.specials?.map { $0.category?.code } ?? [] }),
    ]
    self.codes = codes.compactMap { wanted, of in
      guard let wanted, !wanted.isEmpty else { return nil }
      return (Set(wanted), of)
    }
  }

  func fits(_ place: Restaurant) -> Bool {
    if let ids, !ids.contains(place.id) { return false }
    for (wanted, of) in codes where !of(place).contains(where: { $0.map(wanted.contains) ?? false }) { return false }
    return fitsSize(place) && fitsBudget(place) && fitsThemes(place) && fitsTexts(place) && fitsHour(place)
  }

  private func fitsSize(_ place: Restaurant) -> Bool {
    guard let party = filter.party else { return true }
    return (place.partyCapacity ?? place.capacity ?? 0) >= party
  }

  /// One can eat there within what is to be spent.
  private func fitsBudget(_ place: Restaurant) -> Bool {
    if let most = filter.budgetMost {
      guard let least = place.budget.flatMap({ $0.least ?? ($0.most == nil ? nil : 0) }), least <= most else {
        return false
      }
    }
    if let least = filter.budgetLeast {
      guard let budget = place.budget, budget.least != nil || budget.most != nil, budget.most ?? .max >= least else {
        return false
      }
    }
    return true
  }

  private func fitsThemes(_ place: Restaurant) -> Bool {
    for feature in filter.features ?? [] {
      let told = place.features.first { $0.feature == feature }?.state
      guard told == .yes || told != .no && named.contains(place.id) else { return false }
    }
    let specials = place.specials ?? []
    for code in filter.specials ?? [] where !specials.contains(where: { $0.code == code }) { return false }
    for code in filter.specialCategories ?? [] where !specials.contains(where: { $0.category?.code == code }) {
      return false
    }
    return true
  }

  private func fitsTexts(_ place: Restaurant) -> Bool {
    if let phone = filter.phone {
      let digits = Self.digits(phone)
      guard !digits.isEmpty, place.phone.map({ Self.digits($0) == digits }) ?? named.contains(place.id) else {
        return false
      }
    }
    for (wanted, of) in texts {
      guard of(place).contains(where: { $0.map { Self.folded($0).contains(wanted) } ?? false }) else { return false }
    }
    return true
  }

  private func fitsHour(_ place: Restaurant) -> Bool {
    guard let instant = filter.openAt else { return true }
    return index.isOpen(place, at: instant) == true
  }

  private static func folded(_ text: String) -> String { FoldedText(text).text }

  private static func digits(_ text: String) -> [UInt8] { text.utf8.filter { (48...57).contains($0) } }
}

nonisolated extension RestaurantFilter {
  /// Whether a guide's answer may fulfil it with restaurants whose records do not show that.
  var asksBeyondRecords: Bool { features?.isEmpty == false || phone != nil || keyword != nil }
}
