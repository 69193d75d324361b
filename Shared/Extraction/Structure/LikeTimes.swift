/// Times of one kind although one of them has a class more: `class="show closest"` among others of `class="show"`; or is no
/// link: `<span class=hour>` of what has begun beside `<a class=hour>`.
struct LikeTimes {
  /// By the signature of a few: that of the many that they stand among.
  private var others: [String: String] = [:]

  /// Signatures with the same elements: beyond so many they are of a page whose classes say something else.
  private static let variantsMax = 24

  fileprivate struct Variant {
    let signature: String
    /// By level: its element's classes.
    let classes: [Set<Substring>]
    /// By level: in what the elements stand, one for each time.
    var parents: [[Int]]
    /// By level: whether the elements hold times and nothing else. A title inside stands with this kind alone.
    var areBare: [Bool]
  }

  init(_ places: [TimePlace], context: PageContext, budget: WorkBudget) throws(ExtractionError) {
    var variants: [String: [Variant]] = [:]
    var known: [String: (elements: String, index: Int)] = [:]
    for place in places {
      try budget.spend(32)
      if known[place.signature] == nil {
        let levels = place.signature.split(separator: "<").map { $0.split(separator: ".") }
        let elements = levels.map(Self.element).joined(separator: "<")
        known[place.signature] = (elements, variants[elements]?.count ?? 0)
        variants[elements, default: []].append(
          Variant(
            signature: place.signature, classes: levels.map { Set($0.dropFirst()) },
            parents: levels.map { _ in [] }, areBare: levels.map { _ in true }))
      }
      guard let (elements, index) = known[place.signature], index < Self.variantsMax else { continue }
      // A signature is of elements.
      let path = place.path.drop { context.tree[$0].isText }
      for level in variants[elements]?[index].parents.indices ?? 0..<0 where level < path.count {
        let element = path[path.startIndex + level]
        variants[elements]?[index].parents[level].append(context.tree[element].parent)
        if context.range(in: element).count != context.times(in: element) {
          variants[elements]?[index].areBare[level] = false
        }
      }
    }
    for found in variants.values where (2...Self.variantsMax).contains(found.count) {
      let found = found.sorted { ($1.count, $0.signature) < ($0.count, $1.signature) }
      for (rank, few) in found.enumerated().dropFirst() {
        let many = found[..<rank].first { others[$0.signature] == nil && few.standsAmong($0) }
        if let many { others[few.signature] = many.signature }
      }
    }
  }

  /// What has classes is a link while there are tickets, and none before and after.
  private static func element(_ parts: [Substring]) -> Substring {
    guard let first = parts.first else { return "" }
    // "moment:span"
    let tag = first.split(separator: ":").last ?? first
    return parts.count > 1 && pressed.contains(tag) ? first.dropLast(tag.count) + "a" : first
  }

  private static let pressed: Set<Substring> = ["a", "span", "button"]

  func kind(of signature: String) -> String { others[signature] ?? signature }
}

extension LikeTimes.Variant {
  fileprivate var count: Int { parents.first?.count ?? 0 }

  /// Whether one element of it has one class more, or one less, and stands beside such of the many.
  fileprivate func standsAmong(_ many: LikeTimes.Variant) -> Bool {
    let unlike = classes.indices.filter { classes[$0] != many.classes[$0] }
    if unlike.isEmpty { return true }
    guard count * 2 <= many.count else { return false }
    guard unlike.count == 1, let level = unlike.first, areBare[level],
      classes[level].symmetricDifference(many.classes[level]).count == 1
    else { return false }
    let among = Set(many.parents[level])
    return parents[level].allSatisfy(among.contains)
  }
}
