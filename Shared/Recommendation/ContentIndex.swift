import Glibc

/// What is known of a film, as keyed texts: `director:봉준호`, `genre:drama`, `country:KR`, `decade:1990`.
package struct FilmTraits: Sendable {
  package let id: String
  package let traits: [String]
  /// How many people want it: the order of films about which nothing else is known.
  package let popularity: Double

  package init(id: String, traits: [String], popularity: Double = 0) {
    self.id = id
    self.traits = traits
    self.popularity = popularity
  }
}

/// How alike films are by what is known of them: a trait counts more the fewer films have it.
struct ContentIndex: Sendable {
  /// Each film's traits as a vector of length 1.
  private let films: SparseRows
  private let byTrait: SparseRows
  private let names: [String]

  init(_ traits: [[String]]) {
    var places: [String: Int] = [:]
    var names: [String] = []
    var holders: [Int] = []
    let found = traits.map { traits in
      Set(
        traits.map { trait in
          if let place = places[trait] { return place }
          let place = names.count
          places[trait] = place
          names.append(trait)
          holders.append(0)
          return place
        }
      ).sorted()
    }
    for place in found.joined() { holders[place] += 1 }
    let weights = zip(names, holders).map { name, holders in
      Self.weight(ofKind: name.prefix { $0 != ":" }) * log(1 + Double(traits.count) / Double(holders))
    }
    var films = SparseRows(columnCount: names.count)
    for places in found {
      let length = places.reduce(0) { $0 + weights[$1] * weights[$1] }.squareRoot()
      for place in places { films.append(column: place, Float(weights[place] / length)) }
      films.endRow()
    }
    self.films = films
    byTrait = films.transposed()
    self.names = names
  }

  /// Who made a film says most about it, when and where it was made least.
  private static func weight(ofKind kind: Substring) -> Double {
    switch kind {
    case "director": 1.5
    case "country", "decade", "years": 0.5
    default: 1
    }
  }

  /// How alike every film is to those of a taste: the sum of its cosines with them, each times its weight.
  func scores(of taste: [(film: Int, weight: Float)]) -> [Float] {
    var profile = [Float](repeating: 0, count: names.count)
    for (film, weight) in taste {
      for cell in films[film] { profile[Int(films.columns[cell])] += films.values[cell] * weight }
    }
    var scores = [Float](repeating: 0, count: films.rowCount)
    for trait in profile.indices where profile[trait] != 0 {
      for cell in byTrait[trait] {
        scores[Int(byTrait.columns[cell])] += byTrait.values[cell] * profile[trait]
      }
    }
    return scores
  }

  /// The cosine of two films, and what they share, that which says most first.
  func likeness(_ film: Int, _ other: Int) -> (value: Float, shared: [String]) {
    var (mine, theirs) = (films[film], films[other])
    var shared: [(trait: Int, product: Float)] = []
    while let a = mine.first, let b = theirs.first {
      let (left, right) = (films.columns[a], films.columns[b])
      if left == right { shared.append((Int(left), films.values[a] * films.values[b])) }
      if left <= right { mine.removeFirst() }
      if right <= left { theirs.removeFirst() }
    }
    shared.sort { $0.product != $1.product ? $0.product > $1.product : $0.trait < $1.trait }
    return (shared.reduce(0) { $0 + $1.product }, shared.map { names[$0.trait] })
  }
}
