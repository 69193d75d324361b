/// Who rated what, and how: one rating for each pair of a user and an item.
package struct Ratings: Sendable {
  /// A rating whose user and item are places in ``Ratings/users`` and ``Ratings/items``.
  package struct Row: Sendable {
    package let user: Int32
    package let item: Int32
    package let value: Float
    /// Seconds, from whatever beginning; 0 if it is not said.
    package let time: Int64
  }

  /// In the order in which they were first seen.
  package private(set) var users: [String] = []
  package private(set) var items: [String] = []
  package private(set) var rows: [Row] = []
  private var userPlaces: [String: Int32] = [:]
  private var itemPlaces: [String: Int32] = [:]

  package init() {}

  package mutating func add(user: String, item: String, value: Float, time: Int64 = 0) {
    let user = Self.place(of: user, in: &users, &userPlaces)
    let item = Self.place(of: item, in: &items, &itemPlaces)
    rows.append(Row(user: user, item: item, value: value, time: time))
  }

  package func user(_ name: String) -> Int? { userPlaces[name].map(Int.init) }
  package func item(_ name: String) -> Int? { itemPlaces[name].map(Int.init) }

  /// The same users and items with only some of the ratings.
  package func filter(_ isKept: (Row) -> Bool) -> Ratings {
    var some = self
    some.rows = rows.filter(isKept)
    return some
  }

  private static func place(of name: String, in names: inout [String], _ places: inout [String: Int32]) -> Int32 {
    if let place = places[name] { return place }
    let place = Int32(names.count)
    names.append(name)
    places[name] = place
    return place
  }
}

extension Ratings {
  /// The weights of what each user rated. Of a pair that is there more than once the latest rating counts.
  func weights(_ weighting: RatingWeighting) -> SparseRows {
    let ordered = rows.indices.sorted { a, b in
      let (a, b) = (rows[a], rows[b])
      return (a.user, a.item, a.time) < (b.user, b.item, b.time)
    }
    let scale = RatingScale(of: rows.lazy.map(\.value))
    var matrix = SparseRows(columnCount: items.count, capacity: rows.count)
    var next = 0
    for user in users.indices {
      while next < ordered.count, rows[ordered[next]].user == user {
        let row = rows[ordered[next]]
        next += 1
        if next < ordered.count, rows[ordered[next]].user == user, rows[ordered[next]].item == row.item { continue }
        matrix.append(column: Int(row.item), weighting == .none ? 1 : scale.weight(row.value))
      }
      matrix.endRow()
    }
    return matrix
  }
}

/// Whether a rating's value says how much it counts.
package enum RatingWeighting: String, CaseIterable, Sendable {
  /// 4 stars count 1, 5 stars more, and 1 star hardly.
  case ratings
  /// Whatever was rated counts 1.
  case none
}

/// What the values of a file mean, told from the largest of them.
struct RatingScale {
  /// What stands for 5 stars; nil if all values are the same or at most 1, and so are weights already.
  private let top: Float?

  init(of values: some Sequence<Float>) {
    var (low, high) = (Float.infinity, -Float.infinity)
    for value in values { (low, high) = (min(low, value), max(high, value)) }
    top = low >= high || high <= 1 ? nil : high <= 5 ? 5 : high <= 10 ? 10 : 100
  }

  /// One star says next to nothing about what somebody wants to see, and was seen all the same.
  private static let least: Float = 0.05

  func weight(_ value: Float) -> Float {
    guard let top else { return 1 }
    return min(max((value * 5 / top - 1) / 3, Self.least), 4 / 3)
  }
}
