import Contracts

nonisolated extension DiningCodes {
  /// The codes of these restaurants, counted; behind them what a guide lists and none of them has.
  init(of restaurants: [Restaurant], listed: [GuideList: [CodedName]]) {
    func counted(_ codes: [CodedName], _ list: GuideList?) -> [CodeCount] {
      let known = Dictionary(grouping: codes, by: \.code)
      let own = known.map { CodeCount(code: $0.key, name: $0.value[0].name, count: $0.value.count) }
        .sorted { ($1.count, $0.code) < ($0.count, $1.code) }
      let others = list.flatMap { listed[$0] } ?? []
      return own + others.filter { known[$0.code] == nil }.map { CodeCount(code: $0.code, name: $0.name, count: 0) }
    }
    let areas = restaurants.compactMap(\.areas)
    let specials = restaurants.flatMap { $0.specials ?? [] }
    self.init(
      genres: counted(restaurants.compactMap(\.genre), .genre),
      budgets: counted(restaurants.compactMap { CodedName($0.budget) }, .budget),
      features: counted(
        restaurants.flatMap { place in
          place.features.filter { $0.state == .yes }.map {
            CodedName(code: $0.feature.rawValue, name: $0.feature.rawValue)
          }
        }, nil),
      areas: counted(areas.compactMap { $0.small ?? $0.middle }, nil))
    largeServiceAreas = counted(areas.compactMap(\.largeService), .largeServiceArea)
    serviceAreas = counted(areas.compactMap(\.service), .serviceArea)
    largeAreas = counted(areas.compactMap(\.large), .largeArea)
    middleAreas = counted(areas.compactMap(\.middle), .middleArea)
    smallAreas = counted(areas.compactMap(\.small), .smallArea)
    creditCards = counted(restaurants.flatMap { $0.creditCards ?? [] }, .creditCard)
    self.specials = counted(specials.map { CodedName(code: $0.code, name: $0.name) }, .special)
    // A restaurant in three themes of one kind has that kind once.
    specialCategories = counted(
      restaurants.flatMap { Set(($0.specials ?? []).compactMap(\.category)) }, .specialCategory)
  }
}

nonisolated extension CodedName {
  /// A budget's range; nil for one without a code.
  fileprivate init?(_ budget: Budget?) {
    guard let budget, let code = budget.code else { return nil }
    self.init(code: code, name: budget.name ?? code)
  }
}
