import Clocks

@testable import Recommendation

/// Invented people with tastes of their own: each has some of a few genres, sees films of them and rates those higher.
struct People {
  let ratings: Ratings
  /// Some ratings of each person, kept from the others.
  let later: Ratings

  init(_ count: Int, films: Int, seed: UInt64, perPerson: Int = 25) {
    var random = SeededRandom(seed: seed)
    let genres = 6
    var (ratings, later) = (Ratings(), Ratings())
    for person in 0..<count {
      let (first, second) = (Int.random(in: 0..<genres, using: &random), Int.random(in: 0..<genres, using: &random))
      for number in 0..<perPerson {
        let likes = Double.random(in: 0..<1, using: &random) < 0.75
        let genre = likes ? (number.isMultiple(of: 2) ? first : second) : Int.random(in: 0..<genres, using: &random)
        // The square makes some films much more popular than others.
        let place = Double.random(in: 0..<1, using: &random)
        let film = Int(place * place * Double(films / genres)) * genres + genre
        let isLiked = genre == first || genre == second
        let value = Float(isLiked ? Int.random(in: 4...5, using: &random) : Int.random(in: 1...3, using: &random))
        if number < perPerson * 4 / 5 {
          ratings.add(user: "p\(person)", item: "f\(film)", value: value)
        } else {
          later.add(user: "p\(person)", item: "f\(film)", value: value)
        }
      }
    }
    self.ratings = ratings
    self.later = later
  }
}

/// Arithmetic as in a textbook, in double precision, to compare with.
enum Textbook {
  static func inverse(_ matrix: [[Double]]) -> [[Double]] {
    let count = matrix.count
    var left = matrix
    var right = (0..<count).map { row in (0..<count).map { $0 == row ? 1.0 : 0 } }
    for pivot in 0..<count {
      let value = left[pivot][pivot]
      for column in 0..<count {
        left[pivot][column] /= value
        right[pivot][column] /= value
      }
      for row in 0..<count where row != pivot {
        let factor = left[row][pivot]
        for column in 0..<count {
          left[row][column] -= factor * left[pivot][column]
          right[row][column] -= factor * right[pivot][column]
        }
      }
    }
    return right
  }

  /// What each item says about each other one: the weights B of EASE.
  static func ease(_ weights: [[Double]], _ regularisation: Double) -> [[Double]] {
    let count = weights[0].count
    let inner = (0..<count).map { a in
      (0..<count).map { b in weights.reduce(a == b ? regularisation : 0) { $0 + $1[a] * $1[b] } }
    }
    let inverse = inverse(inner)
    return (0..<count).map { a in (0..<count).map { b in a == b ? 0 : -inverse[a][b] / inverse[b][b] } }
  }
}

extension Ratings {
  func table(_ weighting: RatingWeighting) -> [[Double]] {
    let rows = weights(weighting)
    return (0..<rows.rowCount).map { row in
      var line = [Double](repeating: 0, count: items.count)
      for cell in rows[row] { line[Int(rows.columns[cell])] = Double(rows.values[cell]) }
      return line
    }
  }
}
