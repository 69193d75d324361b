import Testing

@testable import Recommendation

@Suite("Evaluation")
struct EvaluationTests {
  private func ratings(_ rows: [(String, String, Float)]) -> Ratings {
    rows.reduce(into: Ratings()) { $0.add(user: $1.0, item: $1.1, value: $1.2) }
  }

  @Test("figures are those that are counted by hand")
  func byHand() throws {
    // Popularity ranks a (3), b (2), c (2), d (1), e (1): equal ones in the order in which they were first seen.
    let train = ratings([
      ("u", "a", 1), ("v", "a", 5), ("w", "a", 3), ("u", "b", 2), ("v", "b", 4), ("v", "c", 5), ("w", "c", 5),
      ("w", "d", 4), ("v", "e", 4),
    ])
    let test = ratings([
      ("u", "c", 4), ("u", "e", 5), ("u", "d", 3.5),  // u ranks c, d, e: c first, e third
      ("w", "b", 5), ("w", "z", 4),  // w ranks b, e: b first; nobody can know z
      ("v", "d", 3),  // nothing relevant: not counted
      ("new", "b", 4),  // ranks a, b, …
    ])
    let found = try Evaluation(Training(), train: train, test: test).popularity
    let second = 0.6309297535714575  // 1 / log₂ 3
    #expect(found.users == 3)
    #expect(abs(found.precision - (0.2 + 0.1 + 0.1) / 3) < 1e-12)
    #expect(abs(found.recall - (1 + 0.5 + 1) / 3) < 1e-12)
    let ndcg = (1 + 0.5) / (1 + second) + 1 / (1 + second) + second
    #expect(abs(found.ndcg - ndcg / 3) < 1e-12)
  }

  @Test("nothing that was seen is found again, even if it is relevant")
  func seen() throws {
    let train = ratings([("u", "a", 5), ("v", "a", 5), ("v", "b", 5)])
    let found = try Evaluation(Training(), train: train, test: ratings([("u", "a", 5)]))
    #expect(found.model.ndcg == 0)
    #expect(found.model.users == 1)
  }

  @Test("a test file without anything relevant gives zeros, not a crash")
  func empty() throws {
    let found = try Evaluation(Training(), train: ratings([("u", "a", 5)]), test: ratings([("u", "b", 1)]))
    #expect(found.model == Evaluation.Figures(precision: 0, recall: 0, ndcg: 0, users: 0))
  }

  @Test("the best are those of sorting, whatever is left out", arguments: [0, 1, 3, 10, 100])
  func ranking(limit: Int) {
    let scores: [Float] = (0..<60).map { Float($0 * 37 % 11) }
    let popularity: [Float] = (0..<60).map { Float($0 % 7) }
    let wanted = scores.indices.filter { !$0.isMultiple(of: 5) }.sorted {
      (-scores[$0], -popularity[$0], $0) < (-scores[$1], -popularity[$1], $1)
    }
    let found = best(limit, of: scores, popularity: popularity, where: { !$0.isMultiple(of: 5) })
    #expect(found == Array(wanted.prefix(limit)))
  }
}
