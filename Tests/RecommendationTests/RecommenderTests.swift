import Testing

@testable import Recommendation

@Suite("Recommendations")
struct RecommenderTests {
  private let films = [
    FilmTraits(id: "parasite", traits: ["director:Bong Joon-ho", "genre:drama", "country:KR"], popularity: 9),
    FilmTraits(id: "mother", traits: ["director:Bong Joon-ho", "genre:crime", "country:KR"]),
    FilmTraits(id: "burning", traits: ["director:Lee Chang-dong", "genre:drama", "country:KR"], popularity: 3),
    FilmTraits(id: "tampopo", traits: ["director:Itami Juzo", "genre:comedy", "country:JP"], popularity: 5),
    FilmTraits(id: "playtime", traits: ["director:Jacques Tati", "genre:comedy", "country:FR"]),
  ]

  @Test("without a model, films that share most come first, and the reason names the film and what is shared")
  func content() throws {
    let recommender = Recommender(model: nil, films: films)
    let found = recommender.recommend(for: [Taste(film: "parasite", weight: 1)], limit: 3)
    #expect(found.map(\.film).prefix(2) == ["mother", "burning"])
    let first = try #require(found.first)
    #expect(
      first.reasons == [.because(film: "parasite", shared: ["director:Bong Joon-ho", "country:KR"], share: 1)])
    #expect(found[2].reasons == [.popular], "what shares nothing is there because others want it")
  }

  @Test("without a taste the most wanted come first, and say so")
  func cold() {
    let found = Recommender(model: nil, films: films).recommend(for: [], limit: 2)
    #expect(found.map(\.film) == ["parasite", "tampopo"])
    #expect(found.allSatisfy { $0.reasons == [.popular] && $0.score == 0 })
  }

  @Test("what is in the taste or left out is never recommended")
  func excluded() {
    let recommender = Recommender(model: nil, films: films)
    let found = recommender.recommend(for: [Taste(film: "parasite", weight: 1)], limit: 10, excluding: ["mother"])
    #expect(Set(found.map(\.film)) == ["burning", "tampopo", "playtime"])
  }

  @Test("a film that was not liked takes from what is like it")
  func disliked() {
    let recommender = Recommender(model: nil, films: films)
    let taste = [Taste(film: "tampopo", weight: 1), Taste(film: "parasite", weight: -1)]
    let found = recommender.recommend(for: taste, limit: 3)
    #expect(found.first?.film == "playtime")
    #expect(found.first { $0.film == "mother" }?.score == 0)
  }

  @Test("what was forgotten leaves no trace: an answer follows from the taste that is given")
  func forgotten() {
    let recommender = Recommender(model: nil, films: films)
    let before = recommender.recommend(for: [Taste(film: "tampopo", weight: 1)], limit: 4)
    _ = recommender.recommend(for: [Taste(film: "parasite", weight: 1)], limit: 4)
    #expect(recommender.recommend(for: [Taste(film: "tampopo", weight: 1)], limit: 4) == before)
    let reasons = before.flatMap(\.reasons)
    #expect(reasons.allSatisfy { if case .because(let film, _, _) = $0 { film == "tampopo" } else { true } })
  }

  /// Whoever likes Parasite likes Playtime, which shares nothing with it.
  private func model() throws -> RecommendationModel {
    var ratings = Ratings()
    for person in 0..<40 {
      let isOne = person.isMultiple(of: 2)
      for film in isOne ? ["parasite", "playtime"] : ["tampopo", "burning"] {
        ratings.add(user: "\(person)", item: film, value: 5)
      }
      ratings.add(user: "\(person)", item: "other\(person % 5)", value: Float(1 + person % 5))
    }
    return try Training(regularisation: 2).model(of: ratings)
  }

  @Test("with a model, people who liked both say more than shared traits, and a film it never saw can still be found")
  func blended() throws {
    let recommender = Recommender(model: try model(), films: films)
    let found = recommender.recommend(for: [Taste(film: "parasite", weight: 1)], limit: 4)
    #expect(found.first?.film == "playtime")
    #expect(found.first?.reasons == [.because(film: "parasite", shared: [], share: 1)])
    #expect(found[1].film == "mother", "it is in no rating, and by the same director")
  }

  @Test("a taste that the model does not know is told by its traits")
  func unknownTaste() throws {
    let recommender = Recommender(model: try model(), films: films)
    let found = recommender.recommend(for: [Taste(film: "mother", weight: 1)], limit: 2)
    #expect(found.map(\.film) == ["parasite", "burning"])
  }

  @Test("reasons name at most three films, the one that says most first, and their shares are at most all")
  func reasons() throws {
    let recommender = Recommender(model: try model(), films: films)
    let taste = films.prefix(4).enumerated().map { Taste(film: $1.id, weight: 1 - 0.2 * Double($0)) }
    let reasons = try #require(recommender.recommend(for: taste, limit: 1).first).reasons
    let shares = reasons.compactMap { if case .because(_, _, let share) = $0 { share } else { nil } }
    #expect(!shares.isEmpty && shares.count <= 3)
    #expect(shares == shares.sorted(by: >))
    #expect(shares.reduce(0, +) < 1.000_1)
  }

  @Test("a film that is in the taste twice counts twice, and is one reason")
  func twice() throws {
    let recommender = Recommender(model: nil, films: films)
    let once = recommender.recommend(for: [Taste(film: "parasite", weight: 1.3)], limit: 3)
    let twice = [Taste(film: "parasite", weight: 1), Taste(film: "parasite", weight: 0.3)]
    let found = recommender.recommend(for: twice, limit: 3)
    #expect(found.map(\.film) == once.map(\.film))
    #expect(found.map(\.reasons) == once.map(\.reasons))
  }

  @Test("what two films share is told where it is why, and not where people say it")
  func sharedOnlyIfWhy() throws {
    var ratings = Ratings()
    for person in 0..<60 {
      for film in person < 30 ? ["parasite", "burning"] : ["tampopo", "playtime"] {
        ratings.add(user: "\(person)", item: film, value: 5)
      }
    }
    let model = try Training(regularisation: 2).model(of: ratings)
    let taste = [Taste(film: "parasite", weight: 1)]
    let learnt = Recommender(model: model, films: films).recommend(for: taste, limit: 1)
    #expect(learnt.first?.reasons == [.because(film: "parasite", shared: [], share: 1)])
    let alike = Recommender(model: nil, films: films).recommend(for: taste, limit: 2)
    #expect(alike.last?.reasons == [.because(film: "parasite", shared: ["genre:drama", "country:KR"], share: 1)])
  }

  @Test("similar films are others that have something to do with it")
  func similar() throws {
    let recommender = Recommender(model: try model(), films: films)
    #expect(recommender.similar(to: "parasite", limit: 5).map(\.film).prefix(2) == ["playtime", "mother"])
    #expect(recommender.similar(to: "unheard of", limit: 5).isEmpty)
  }

  @Test("nonsense weights and no films do no harm")
  func nonsense() {
    let none = Recommender(model: nil, films: [])
    #expect(none.recommend(for: [Taste(film: "x", weight: .nan)], limit: 5).isEmpty)
    let some = Recommender(model: nil, films: films)
    #expect(some.recommend(for: [Taste(film: "parasite", weight: .infinity)], limit: 9).count == 4)
    #expect(some.recommend(for: [], limit: 0).isEmpty)
  }
}
