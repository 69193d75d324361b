/// The places of the best scores, best first. Equal ones stand in the order of their popularity, then of their places.
func best(
  _ limit: Int, of scores: [Float], popularity: [Float], where isCandidate: (Int) -> Bool
) -> [Int] {
  func isBefore(_ a: Int, _ b: Int) -> Bool {
    if scores[a] != scores[b] { return scores[a] > scores[b] }
    if popularity[a] != popularity[b] { return popularity[a] > popularity[b] }
    return a < b
  }
  var found: [Int] = []
  guard limit > 0 else { return found }
  for place in scores.indices {
    // Nearly every place falls behind the last at once.
    if found.count == limit, scores[place] < scores[found[limit - 1]] { continue }
    guard isCandidate(place) else { continue }
    if found.count == limit {
      guard isBefore(place, found[limit - 1]) else { continue }
      found.removeLast()
    }
    var (low, high) = (0, found.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(place, found[middle]) { high = middle } else { low = middle + 1 }
    }
    found.insert(place, at: low)
  }
  return found
}
