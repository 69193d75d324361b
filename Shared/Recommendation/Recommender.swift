/// What somebody may want to see, and why: what others who like the same like, and films that are alike.
///
/// A value made of a catalogue and a model; make another when one of them has changed. It knows no users: who asks
/// brings their own taste, so nobody else's rows are looked at, and what they have forgotten is forgotten here.
package struct Recommender: Sendable {
  private let films: [FilmTraits]
  private let places: [String: Int]
  private let model: RecommendationModel?
  private let content: ContentIndex
  /// The films' places in the model.
  private let modelPlaces: [Int?]
  private let popularity: [Float]

  /// - Parameter model: nil if none was trained; then films are found by their traits alone.
  package init(model: RecommendationModel?, films: [FilmTraits]) {
    self.films = films
    self.model = model
    places = Dictionary(films.indices.map { (films[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
    content = ContentIndex(films.map(\.traits))
    let modelPlaces = films.map { model?.place(of: $0.id) }
    self.modelPlaces = modelPlaces
    popularity = films.indices.map { film in
      Float(films[film].popularity) + (modelPlaces[film].flatMap { model?.popularity[$0] } ?? 0)
    }
  }

  /// Films that are not in the taste, best first. Without any taste the most wanted come first.
  package func recommend(
    for taste: [Taste], limit: Int, excluding excluded: Set<String> = []
  ) -> [RecommendedFilm] {
    let known = excluded.union(taste.map(\.film))
    let blend = Blend(taste: taste, of: self)
    return best(limit, of: blend.scores, popularity: popularity, where: { !known.contains(films[$0].id) }).map { film in
      let score = blend.scores[film]
      // What nobody has saved, seen or rated is only next in line.
      let wanted: [Reason] = popularity[film] > 0 ? [.popular] : []
      return RecommendedFilm(
        film: films[film].id, score: Double(score), reasons: score > 0 ? blend.reasons(for: film) : wanted)
    }
  }

  /// Films that somebody may like who likes this one; none if it is not in the catalogue.
  package func similar(to film: String, limit: Int) -> [RecommendedFilm] {
    guard places[film] != nil else { return [] }
    return recommend(for: [Taste(film: film, weight: 1)], limit: limit).filter { $0.score > 0 }
  }
}

/// A film that somebody wants to see, has seen or did not like, and how much that says.
package struct Taste: Hashable, Sendable {
  package let film: String
  /// 1 for a bookmark, less for a look at it; below 0 for one that they did not like.
  package let weight: Double

  package init(film: String, weight: Double) {
    self.film = film
    self.weight = weight
  }
}

package struct RecommendedFilm: Hashable, Sendable {
  package let film: String
  /// 1 at most; 0 if nothing speaks for it but that others want it.
  package let score: Double
  /// That which says most first.
  package let reasons: [Reason]
}

package enum Reason: Hashable, Sendable {
  /// A film of the user's led to it: with so much of the score, sharing these traits.
  case because(film: String, shared: [String], share: Double)
  /// Many want it.
  case popular
}

extension Recommender {
  /// One taste, and what it says about every film.
  fileprivate struct Blend {
    private let recommender: Recommender
    private var taste: [(film: Int, weight: Float)] = []
    private var learnt: [(film: String, place: Int, weight: Float)] = []
    /// What a model's score, and for each film a likeness, is multiplied with.
    private var modelFactor: Float = 0
    private var contentFactors: [Float]
    private(set) var scores: [Float]

    /// Likeness alone says less than people who liked both: beside a model it counts half.
    private static let contentWeight: Float = 0.3
    /// A film needs about so many ratings until the model knows it as well as its traits do.
    private static let ratingsUntilKnown: Float = 10

    init(taste: [Taste], of recommender: Recommender) {
      self.recommender = recommender
      let count = recommender.films.count
      scores = Array(repeating: 0, count: count)
      let taste = taste.filter { $0.weight.isFinite && $0.weight != 0 }
      self.taste = taste.compactMap { one in recommender.places[one.film].map { ($0, Float(one.weight)) } }
      let content = recommender.content.scores(of: self.taste)
      let likeliest = max(content.max() ?? 0, .leastNormalMagnitude)
      contentFactors = Array(repeating: 1 / likeliest, count: count)
      guard let model = recommender.model else {
        for film in scores.indices { scores[film] = max(0, content[film]) * contentFactors[film] }
        return
      }
      learnt = taste.compactMap { one in model.place(of: one.film).map { (one.film, $0, Float(one.weight)) } }
      let all = model.scores(of: learnt.map { ($0.place, $0.weight) })
      let top = max(recommender.modelPlaces.reduce(0) { max($0, $1.map { all[$0] } ?? 0) }, .leastNormalMagnitude)
      // Of what the model has never seen of the taste it cannot speak.
      let total = taste.reduce(0) { $0 + abs($1.weight) }
      let covered = total > 0 ? Float(learnt.reduce(0) { $0 + abs(Double($1.weight)) } / total) : 0
      // Together they are 1 at most.
      let whole = covered + Self.contentWeight
      modelFactor = covered / whole / top
      for film in scores.indices {
        let place = recommender.modelPlaces[film]
        let known = place.map { model.popularity[$0] / (model.popularity[$0] + Self.ratingsUntilKnown) } ?? 0
        contentFactors[film] *= (1 - covered * known) * Self.contentWeight / whole
        scores[film] = max(0, content[film]) * contentFactors[film] + max(0, place.map { all[$0] } ?? 0) * modelFactor
      }
    }

    private static let reasonsMax = 3
    private static let sharedMax = 3
    /// Less than this share of a score is no reason.
    private static let leastShare: Float = 0.1

    /// The films of the taste that led to this one.
    func reasons(for film: Int) -> [Reason] {
      var parts: [String: (part: Float, likeness: Float, shared: [String])] = [:]
      for (liked, weight) in taste {
        let (likeness, shared) = recommender.content.likeness(liked, film)
        let part = weight * likeness * contentFactors[film]
        // A film may be there twice: saved, and looked at.
        parts[recommender.films[liked].id, default: (0, 0, Array(shared.prefix(Self.sharedMax)))].part += part
        parts[recommender.films[liked].id]?.likeness += part
      }
      if let model = recommender.model, let place = recommender.modelPlaces[film] {
        for (name, liked, weight) in learnt {
          let part = weight * model.contribution(of: liked, to: place) * modelFactor
          parts[name, default: (0, 0, [])].part += part
        }
      }
      // What two films share is why only if it brought most of it; otherwise it is that people like both.
      for (name, part) in parts where part.likeness < part.part / 2 { parts[name]?.shared = [] }
      let ordered = parts.filter { $0.value.part > 0 }.sorted { a, b in
        a.value.part != b.value.part ? a.value.part > b.value.part : a.key < b.key
      }
      let total = ordered.reduce(0) { $0 + $1.value.part }
      let reasons = ordered.prefix(Self.reasonsMax).filter { $0.value.part >= Self.leastShare * total }.map {
        Reason.because(film: $0.key, shared: $0.value.shared, share: Double($0.value.part / total))
      }
      // Many small parts: the largest of them is still a reason.
      if reasons.isEmpty, let first = ordered.first {
        return [.because(film: first.key, shared: first.value.shared, share: Double(first.value.part / total))]
      }
      return reasons.isEmpty ? [.popular] : reasons
    }
  }
}
