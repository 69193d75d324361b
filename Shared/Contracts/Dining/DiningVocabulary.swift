package import RPC

/// The codes that restaurants are found by, with how many restaurants have each.
package struct DiningVocabulary: RPCRequest, Hashable {
  package typealias Service = DiningAPI
  package typealias Response = DiningCodes
  package static let method: MethodID = 0x0503
  package static let safety: Safety = .read
  /// Each list of codes, in each language, is a part of the one answer; a code more is seen a minute later.
  package static let freshness: Freshness? = Freshness(fresh: .seconds(60), stale: .seconds(86_400))

  package init() {}
}

/// Codes by kind, those of most restaurants first. A guide's own lists may hold some that no restaurant has.
package struct DiningCodes: Codable, Hashable, Sendable {
  package var genres: [CodeCount]
  package var budgets: [CodeCount]
  package var features: [CodeCount]
  /// The smallest that each restaurant names.
  package var areas: [CodeCount]
  package var largeServiceAreas: [CodeCount]?
  package var serviceAreas: [CodeCount]?
  package var largeAreas: [CodeCount]?
  package var middleAreas: [CodeCount]?
  package var smallAreas: [CodeCount]?
  package var creditCards: [CodeCount]?
  /// Themes of a guide, and kinds of them.
  package var specials: [CodeCount]?
  package var specialCategories: [CodeCount]?

  package init(genres: [CodeCount], budgets: [CodeCount], features: [CodeCount], areas: [CodeCount]) {
    self.genres = genres
    self.budgets = budgets
    self.features = features
    self.areas = areas
  }
}

/// A code, its name, and how many restaurants have it.
package struct CodeCount: Codable, Hashable, Sendable {
  package var code: String
  package var name: String
  package var count: Int

  package init(code: String, name: String, count: Int) {
    self.code = code
    self.name = name
    self.count = count
  }
}
