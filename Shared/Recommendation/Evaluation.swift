import Glibc

/// How well a model finds what users turned out to like, beside two that learn less.
///
/// Every rating of the training file is something the user has seen, whatever its value; a film is relevant if the test
/// file gives it 4 or more. All items are ranked but those that the user has seen. Users without anything relevant are
/// not counted; users and items that the training file does not know are.
package struct Evaluation: Sendable {
  /// Means over users, among the first ten.
  package struct Figures: Hashable, Sendable {
    package let precision: Double
    package let recall: Double
    package let ndcg: Double
    package let users: Int
  }

  package let model: Figures
  package let popularity: Figures
  package let itemKNN: Figures

  package static let depth = 10
  package static let relevantFrom: Float = 4

  package init(_ training: Training, train: Ratings, test: Ratings) throws(TrainingError) {
    let exam = Exam(train: train, test: test)
    model = exam.figures(of: try training.model(of: train), training.weighting)
    popularity = exam.figures { _ in exam.counts }
    itemKNN = exam.figures(ofItemKNN: ItemKNN(exam.seen))
  }

  /// Why two files measure nothing, whatever the model; nil if they do. Their figures would be zero, or no model's.
  package static func problem(train: Ratings, test: Ratings) -> String? {
    Exam(train: train, test: test).problem(with: test)
  }
}

extension Training {
  /// The regularisation that ranks best what is hidden of the ratings, and how each that was tried did.
  ///
  /// Which ratings are hidden follows from their users' and items' names, so the answer is always the same.
  package func tuned(
    on ratings: Ratings
  ) throws(TrainingError) -> (
    training: Training, tried: [(regularisation: Double, ndcg: Double)]
  ) {
    var usual = self
    usual.regularisation = regularisation(users: ratings.users.count)
    let hidden = ratings.hidden()
    let (train, test) = (ratings.filter { !hidden.contains($0) }, ratings.filter(hidden.contains))
    guard !train.rows.isEmpty, !test.rows.isEmpty else { return (usual, []) }
    let exam = Exam(train: train, test: test)
    var (winner, most) = (usual, -1.0)
    var tried: [(regularisation: Double, ndcg: Double)] = []
    for factor in Self.factors {
      var candidate = usual
      candidate.regularisation = (usual.regularisation ?? 1) * factor
      let ndcg = exam.figures(of: try candidate.model(of: train), candidate.weighting).ndcg
      tried.append((candidate.regularisation ?? 0, ndcg))
      if ndcg > most { (winner, most) = (candidate, ndcg) }
    }
    return (winner, tried)
  }

  /// The usual one first: another must be better to be taken.
  private static let factors = [1, 0.5, 2, 0.25, 4]
}

extension Ratings {
  /// A tenth of the ratings.
  fileprivate func hidden() -> HiddenPart {
    HiddenPart(users: users.map(HiddenPart.hash), items: items.map(HiddenPart.hash))
  }
}

private struct HiddenPart {
  let users: [UInt64]
  let items: [UInt64]

  func contains(_ row: Ratings.Row) -> Bool {
    var mixed = (users[Int(row.user)] ^ items[Int(row.item)] &* 0x9e37_79b9_7f4a_7c15) &* 0xbf58_476d_1ce4_e5b9
    mixed ^= mixed >> 31
    return (mixed &* 0x94d0_49bb_1331_11eb) >> 32 % 10 == 0
  }

  static func hash(_ name: String) -> UInt64 {
    name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

/// The users of a test file, what they had seen, and what they turned out to like.
private struct Exam {
  private struct Candidate {
    /// Nil if the training file does not know them.
    let user: Int?
    var relevant: Set<Int> = []
    /// Relevant, and unknown to the training file: nobody can find it, and it counts.
    var unknown: Set<String> = []
  }

  private let train: Ratings
  let seen: SparseRows
  let counts: [Float]
  private var candidates: [Candidate] = []

  init(train: Ratings, test: Ratings) {
    self.train = train
    seen = train.weights(.none)
    counts = seen.transposed().squares()
    var places = [Int?](repeating: nil, count: test.users.count)
    for row in test.rows where row.value >= Evaluation.relevantFrom {
      let user = Int(row.user)
      if places[user] == nil {
        places[user] = candidates.count
        candidates.append(Candidate(user: train.user(test.users[user])))
      }
      guard let place = places[user] else { continue }
      let name = test.items[Int(row.item)]
      if let item = train.item(name) {
        candidates[place].relevant.insert(item)
      } else {
        candidates[place].unknown.insert(name)
      }
    }
  }

  /// Why nothing can be measured; nil if something can.
  func problem(with test: Ratings) -> String? {
    if candidates.isEmpty {
      return "nobody in the test file has an item rated 4 or more, so there is nothing to find; are its ratings 1 to 5?"
    }
    if candidates.allSatisfy({ $0.user == nil }) {
      return "none of the \(test.users.count) users of the test file is in the training file; are their ids the same?"
    }
    if candidates.allSatisfy({ $0.relevant.isEmpty }) {
      return "none of the \(test.items.count) items of the test file is in the training file; are their ids the same?"
    }
    let isFindable = candidates.contains { candidate in
      let known = candidate.user.map { user in Set(seen[user].map { Int(seen.columns[$0]) }) } ?? []
      return !candidate.relevant.isSubset(of: known)
    }
    return isFindable ? nil : "whatever is rated 4 or more in the test file is rated in both files; keep them apart"
  }

  func figures(of model: RecommendationModel, _ weighting: RatingWeighting) -> Evaluation.Figures {
    let weights = train.weights(weighting)
    return figures { user in
      model.scores(of: weights[user].lazy.map { (Int(weights.columns[$0]), weights.values[$0]) })
    }
  }

  func figures(ofItemKNN control: ItemKNN) -> Evaluation.Figures {
    figures { user in control.scores(of: seen[user].lazy.map { Int(seen.columns[$0]) }) }
  }

  func figures(_ scores: (_ user: Int) -> [Float]) -> Evaluation.Figures {
    var (precision, recall, ndcg) = (0.0, 0.0, 0.0)
    let depth = Evaluation.depth
    let discounts = (0..<depth).map { 1 / log2(Double($0 + 2)) }
    var hasSeen = [Bool](repeating: false, count: train.items.count)
    for candidate in candidates {
      let range = candidate.user.map { seen[$0] } ?? 0..<0
      for cell in range { hasSeen[Int(seen.columns[cell])] = true }
      let found = best(
        depth, of: candidate.user.map(scores) ?? counts, popularity: counts, where: { !hasSeen[$0] })
      for cell in range { hasSeen[Int(seen.columns[cell])] = false }
      let hits = found.indices.filter { candidate.relevant.contains(found[$0]) }
      let wanted = candidate.relevant.count + candidate.unknown.count
      precision += Double(hits.count) / Double(depth)
      recall += Double(hits.count) / Double(wanted)
      ndcg += hits.reduce(0) { $0 + discounts[$1] } / discounts.prefix(wanted).reduce(0, +)
    }
    let count = Double(max(candidates.count, 1))
    return Evaluation.Figures(
      precision: precision / count, recall: recall / count, ndcg: ndcg / count, users: candidates.count)
  }
}

/// The control that everybody knows: an item scores by those of its 100 nearest that the user has seen.
private struct ItemKNN {
  private let rows: SparseRows
  private let count: Int

  init(_ seen: SparseRows) {
    let byItem = seen.transposed()
    var search = NeighbourSearch(seen, byItem, byItem.squares(), shrink: 10, limit: 100)
    var likeness = SparseRows(columnCount: byItem.rowCount)
    for item in 0..<byItem.rowCount {
      for neighbour in search.neighbours(of: item) { likeness.append(column: neighbour.item, neighbour.likeness) }
      likeness.endRow()
    }
    rows = likeness.transposed()
    count = byItem.rowCount
  }

  func scores(of seen: some Sequence<Int>) -> [Float] {
    var scores = [Float](repeating: 0, count: count)
    let affinities = Affinities.sparse(rows)
    for item in seen { affinities.add(item, times: 1, to: &scores) }
    return scores
  }
}
