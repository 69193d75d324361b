/// The candidate that somebody who wrote `name` most likely meant, if any is near enough.
///
/// Near: at most a third of the letters must be inserted, dropped, replaced or swapped with their neighbour.
package func suggestion(for name: some StringProtocol, among candidates: some Sequence<String>) -> String? {
  let wanted = Array(name.lowercased().utf8.prefix(64))
  // Names differ by their lengths at least: of a thousand few are looked at letter by letter.
  let near = candidates.lazy.filter {
    abs($0.utf8.count - wanted.count) <= max(1, min(wanted.count, $0.utf8.count) / 3)
  }
  let best = near.map { (distance(wanted, Array($0.lowercased().utf8)), $0) }.min { $0 < $1 }
  guard !wanted.isEmpty, let (distance, candidate) = best,
    distance <= max(1, min(wanted.count, candidate.utf8.count) / 3)
  else { return nil }
  return candidate
}

/// How many letters must be inserted, dropped, replaced or swapped with their neighbour to make one of the other.
private func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for i in left.indices {
    var row = [i + 1]
    for j in right.indices {
      var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { cost = min(cost, beforeLast[j - 1] + 1) }
      row.append(cost)
    }
    beforeLast = last
    last = row
  }
  return last[right.count]
}
