/// What was learnt from ratings: what each item says about each other one. A value that does not change.
package struct RecommendationModel: Sendable {
  package let facts: ModelFacts
  package let items: [String]
  /// How much each item was rated, and how well.
  let popularity: [Float]
  /// What each item's sum is multiplied with.
  let scale: [Float]
  let affinities: Affinities
  private let places: [String: Int32]

  init(
    _ facts: ModelFacts, items: [String], popularity: [Float], scale: [Float], _ affinities: Affinities
  ) {
    self.facts = facts
    self.items = items
    self.popularity = popularity
    self.scale = scale
    self.affinities = affinities
    var places: [String: Int32] = [:]
    places.reserveCapacity(items.count)
    for (place, item) in items.enumerated() { places[item] = Int32(place) }
    self.places = places
  }

  package func place(of item: String) -> Int? { places[item].map(Int.init) }

  /// How well each item suits somebody who gave these items these weights.
  func scores(of taste: some Sequence<(place: Int, weight: Float)>) -> [Float] {
    var scores = [Float](repeating: 0, count: items.count)
    for (place, weight) in taste { affinities.add(place, times: weight, to: &scores) }
    for place in scores.indices { scores[place] *= scale[place] }
    return scores
  }

  /// The part of a score that comes from one item of weight 1.
  func contribution(of item: Int, to other: Int) -> Float {
    affinities.value(item, other, count: items.count) * scale[other]
  }
}

/// How a model came about.
package struct ModelFacts: Hashable, Sendable {
  package let form: Training.Form
  package let weighting: RatingWeighting
  package let users: Int
  package let ratings: Int
  package let regularisation: Double
}
