import Recommendation

/// Any bytes are ratings or not: what was read has users and items, and values that can be reckoned with.
func fuzzRatings(_ input: UnsafeBufferPointer<UInt8>) {
  guard let found = try? RatingsReader(Array(input)) else { return }
  let ratings = found.ratings
  precondition(!ratings.rows.isEmpty && ratings.rows.count <= input.count, "more ratings than lines")
  precondition(ratings.rows.allSatisfy { $0.value.isFinite && abs($0.value) <= 100 }, "no value")
  precondition(!ratings.users.isEmpty && !ratings.items.isEmpty, "ratings of nobody")
  precondition(found.problems.count <= found.refused, "more problems than lines that were refused")
}

/// Any bytes are a model or not, with and without the checksum that would be right; a model that is read is written the
/// same.
func fuzzModels(_ input: UnsafeBufferPointer<UInt8>) {
  let bytes = Array(input)
  for file in [bytes, RecommendationModel.sealed(bytes)] {
    guard let model = try? RecommendationModel(file) else { continue }
    precondition(model.items.count <= file.count, "more items than bytes")
    precondition(model.bytes == file, "is written as something else")
  }
}
