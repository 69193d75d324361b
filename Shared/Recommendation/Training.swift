import Glibc

/// How a model is made of ratings.
package struct Training: Sendable {
  /// How the weights between items are found.
  package enum Form: String, CaseIterable, Sendable {
    /// Every item explained by all others at once (EASE), by the inverse of a matrix: exact.
    case exact
    /// Every item explained by the items that are most alike: memory grows with the items, not with their square.
    case neighbours
  }

  package var weighting: RatingWeighting
  /// How strongly weights are held near zero; told from the number of users if not given.
  package var regularisation: Double?
  /// Told from the number of items if not given.
  package var form: Form?
  /// How much of an item's popularity is taken off its score: what everybody sees is no news.
  package var popularityExponent: Double

  package init(
    weighting: RatingWeighting = .ratings, regularisation: Double? = nil, form: Form? = nil,
    popularityExponent: Double = 0.1
  ) {
    self.weighting = weighting
    self.regularisation = regularisation
    self.form = form
    self.popularityExponent = popularityExponent
  }

  /// Up to here all items are kept against all: 36 MB. 2,000 items are 16 MB.
  package static let exactItemsMax = 3_000
  /// An item's neighbours in the other form. With 100 it ranks within one hundredth as the exact form does.
  package static let neighboursMax = 100

  /// Best were a quarter to a half of the users for a few hundred of them, and some hundreds for very many.
  package func regularisation(users: Int) -> Double {
    if let regularisation { return regularisation }
    return min(max(Double(users) / 3, 2), 500)
  }

  package func form(items: Int) -> Form { form ?? (items <= Self.exactItemsMax ? .exact : .neighbours) }

  /// The same ratings give the same model, to the last bit.
  package func model(of ratings: Ratings) throws(TrainingError) -> RecommendationModel {
    guard !ratings.rows.isEmpty else { throw TrainingError("there are no ratings to learn from; give some") }
    let regularisation = Float(regularisation(users: ratings.users.count))
    guard regularisation > 0, regularisation.isFinite, regularisation <= 1e9 else {
      throw TrainingError("a regularisation of \(regularisation) cannot be used; give one above 0, such as 300")
    }
    let form = form(items: ratings.items.count)
    guard form == .neighbours || ratings.items.count <= Self.exactItemsMax else {
      throw TrainingError(
        "the exact form takes \(Self.exactItemsMax) items, not \(ratings.items.count); use the form neighbours")
    }
    let byUser = ratings.weights(weighting)
    let byItem = byUser.transposed()
    let popularity = byItem.squares()
    let affinities: Affinities
    var scale: [Float]
    switch form {
    case .exact:
      guard let exact = ExactForm(byUser, byItem, regularisation) else {
        throw TrainingError("the regularisation \(regularisation) is too small for these ratings; give a larger one")
      }
      affinities = .dense(exact.cells)
      scale = exact.scale
    case .neighbours:
      affinities = .sparse(NeighbourForm(byUser, byItem, regularisation).affinities(popularity))
      scale = Array(repeating: 1, count: popularity.count)
    }
    for item in scale.indices { scale[item] *= powf(popularity[item] + 1, -Float(popularityExponent)) }
    return RecommendationModel(
      ModelFacts(
        form: form, weighting: weighting, users: ratings.users.count, ratings: byUser.count,
        regularisation: Double(regularisation)),
      items: ratings.items, popularity: popularity, scale: scale, affinities)
  }
}

/// Why no model could be made: a sentence that says what to do.
package struct TrainingError: Error, Hashable, Sendable, CustomStringConvertible {
  package let reason: String

  init(_ reason: String) { self.reason = reason }

  package var description: String { reason }
}
