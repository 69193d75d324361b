import Clocks
import Testing

@testable import Recommendation

@Suite("Training")
struct TrainingTests {
  @Test("the inverse of a matrix is its inverse, whatever its size", arguments: [1, 2, 7, 8, 9, 64, 65, 100, 137])
  func inverse(count: Int) {
    var random = SeededRandom(seed: UInt64(count))
    // Products of random numbers, and something on the diagonal: positive definite.
    let factors = (0..<count).map { _ in (0..<count).map { _ in Double.random(in: -1...1, using: &random) } }
    let matrix = (0..<count).map { a in
      (0..<count).map { b in zip(factors[a], factors[b]).reduce(a == b ? 3 : 0) { $0 + $1.0 * $1.1 } }
    }
    var inverse = SymmetricMatrix(count: count)
    for row in 0..<count {
      for column in 0...row { inverse[row, column] = Float(matrix[row][column]) }
    }
    let isDone = inverse.invert()
    #expect(isDone)
    let wanted = Textbook.inverse(matrix)
    var worst = 0.0
    for row in 0..<count {
      for column in 0..<count { worst = max(worst, abs(Double(inverse[row, column]) - wanted[row][column])) }
    }
    #expect(worst < 1e-5)
  }

  @Test("a matrix that has no inverse is refused")
  func noInverse() {
    var matrix = SymmetricMatrix(count: 3)
    for row in 0..<3 { for column in 0..<3 { matrix[row, column] = 1 } }
    let isDone = matrix.invert()
    #expect(!isDone)
  }

  @Test("the weights are those of the closed form, with fewer users than items and with more", arguments: [30, 110])
  func closedForm(people: Int) throws {
    let ratings = People(people, films: 60, seed: 4).ratings
    let training = Training(regularisation: 20, popularityExponent: 0)
    let model = try training.model(of: ratings)
    let wanted = Textbook.ease(ratings.table(.ratings), 20)
    #expect((people < ratings.items.count) == (people == 30))
    for a in ratings.items.indices {
      for b in ratings.items.indices {
        #expect(abs(Double(model.contribution(of: a, to: b)) - wanted[a][b]) < 2e-4)
      }
    }
  }

  @Test("where all items are neighbours of each other, the one form is the other")
  func forms() throws {
    // So many ratings of so few films that each film meets each other one.
    let ratings = People(120, films: 24, seed: 5, perPerson: 60).ratings
    let exact = try Training(regularisation: 20, form: .exact).model(of: ratings)
    let near = try Training(regularisation: 20, form: .neighbours).model(of: ratings)
    for a in ratings.items.indices {
      for b in ratings.items.indices {
        #expect(abs(near.contribution(of: a, to: b) - exact.contribution(of: a, to: b)) < 2e-4)
      }
    }
  }

  @Test("a model says more than popularity and than likeness of items", arguments: Training.Form.allCases)
  func controls(form: Training.Form) throws {
    let people = People(120, films: 120, seed: 6)
    let found = try Evaluation(Training(form: form), train: people.ratings, test: people.later)
    #expect(found.model.users > 100)
    #expect(found.model.ndcg > found.itemKNN.ndcg)
    #expect(found.model.ndcg > 1.5 * found.popularity.ndcg)
  }

  @Test("the same ratings give the same bytes, in whichever order they are written")
  func deterministic() throws {
    let ratings = People(50, films: 60, seed: 7).ratings
    let bytes = try Training().model(of: ratings).bytes
    #expect(try Training().model(of: ratings).bytes == bytes)
    var again = Ratings()
    for row in ratings.rows + ratings.rows {
      again.add(user: ratings.users[Int(row.user)], item: ratings.items[Int(row.item)], value: row.value)
    }
    #expect(try Training().model(of: again).bytes == bytes, "a rating that is there twice counts once")
  }

  @Test("the latest rating of a pair counts, and what was rated low counts little")
  func weights() throws {
    var ratings = Ratings()
    ratings.add(user: "a", item: "x", value: 5, time: 20)
    ratings.add(user: "a", item: "x", value: 1, time: 30)
    ratings.add(user: "a", item: "y", value: 4, time: 10)
    ratings.add(user: "a", item: "x", value: 5, time: 10)
    let weights = ratings.weights(.ratings)
    #expect(weights.count == 2)
    #expect(weights.values[0] < 0.1)
    #expect(weights.values[1] == 1)
    #expect(ratings.weights(.none).values == [1, 1])
  }

  @Test("the regularisation that is found by trying is at least as good as the usual one, and always the same")
  func tuning() throws {
    let ratings = People(60, films: 90, seed: 8).ratings
    let (training, tried) = try Training().tuned(on: ratings)
    #expect(tried.count == 5)
    #expect(tried.first { $0.regularisation == training.regularisation }?.ndcg == tried.map(\.ndcg).max())
    #expect(try Training().tuned(on: ratings).training.regularisation == training.regularisation)
  }

  @Test("what cannot be learnt from is refused with a sentence")
  func refused() {
    #expect(throws: TrainingError.self) { try Training().model(of: Ratings()) }
    #expect(throws: TrainingError.self) {
      try Training(regularisation: 0).model(of: People(5, films: 12, seed: 1).ratings)
    }
    var many = Ratings()
    for item in 0...Training.exactItemsMax { many.add(user: "\(item / 5)", item: "\(item)", value: 4) }
    #expect(throws: TrainingError.self) { try Training(form: .exact).model(of: many) }
    #expect(throws: Never.self) { try Training().model(of: many) }
  }
}
