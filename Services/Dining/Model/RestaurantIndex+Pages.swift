import Calendars
package import Contracts
package import RPC

nonisolated extension RestaurantIndex {
  /// A page of the restaurants that fit.
  package func page(
    _ request: FindRestaurants, guide: GuideState, named: Set<RestaurantID> = []
  ) throws(RPCError) -> RestaurantPage {
    let found = ordered(
      matching(
        request.filter, around: request.origin, metresMax: Double(request.metresMax ?? Self.metresUsual), named: named),
      by: request.order, hasOrigin: request.origin != nil)
    var start = 0
    if let after = request.after {
      guard let last = found.firstIndex(where: { $0.restaurant.id.text == after }) else {
        throw RPCError(.outOfRange, "the restaurant that the last page ended with is gone; begin again without after")
      }
      start = last + 1
    }
    let page = found[start...].prefix(request.limit)
    return RestaurantPage(
      places: page.map { candidate in
        NearbyRestaurant(
          restaurant: candidate.restaurant, metres: request.origin == nil ? nil : candidate.metres,
          isOpenNow: request.now.flatMap { isOpen(candidate.restaurant, at: $0) })
      }, found: found.count, next: start + page.count < found.count ? page.last?.restaurant.id.text : nil,
      guide: guide)
  }

  static let metresUsual = 1_000

  private func ordered(_ candidates: [Candidate], by order: RestaurantOrder, hasOrigin: Bool) -> [Candidate] {
    func sorted<Key: Comparable>(_ key: (Candidate) -> Key) -> [Candidate] {
      let keyed = candidates.map { (key($0), $0) }
      return keyed.sorted { left, right in
        guard left.0 == right.0 else { return left.0 < right.0 }
        let (first, second) = (left.1, right.1)
        return first.metres == second.metres
          ? (first.rank, first.restaurant.id) < (second.rank, second.restaurant.id) : first.metres < second.metres
      }.map(\.1)
    }
    switch order {
    case .name: return sorted { $0.restaurant.nameKana ?? $0.restaurant.name }
    case .genre: return sorted { $0.restaurant.genre?.code ?? "\u{10FFFF}" }
    case .smallArea: return sorted { $0.restaurant.areas?.small?.code ?? "\u{10FFFF}" }
    case .budget: return sorted { $0.restaurant.budget.flatMap { $0.least ?? $0.most } ?? .max }
    case .distance: return sorted { $0.metres }
    case .recommended, .unknown:
      let step = Walk.metresPerMinute * 5
      return sorted { candidate in
        // Without an origin the keyword's order counts, then what is told.
        let distance = hasOrigin ? Int(candidate.metres / step) : candidate.rank
        return distance * 100 - candidate.restaurant.tellsOfItself
      }
    }
  }
}

nonisolated extension Restaurant {
  /// How much of what people want to know it tells, 0 to 6.
  fileprivate var tellsOfItself: Int {
    let facts = [
      hours.confidence == .parsed, budget?.least != nil || budget?.most != nil, genre != nil, photos != nil,
      url != nil, features.contains { $0.state != .unknown },
    ]
    return facts.count { $0 }
  }
}
