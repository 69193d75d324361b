import CSV
import Glibc
import Recommendation

/// Learning from ratings: a file of them to the weights between all items, and how well those rank.
enum RecommendBench {
  static let usage = "--train FILE --test FILE [--times N] [--regularisation X]"

  static func run(_ arguments: Arguments) throws {
    let times: Int = try arguments.value("times", default: 3)
    let train = try RatingsReader(contents(of: try arguments.value("train"))).ratings
    let test = try RatingsReader(contents(of: try arguments.value("test"))).ratings
    // What numpy is given too: every rating counts 1, and the same regularisation.
    let regularisation: Double = try arguments.value("regularisation", default: 500)
    let plain = Training(weighting: .none, regularisation: regularisation, popularityExponent: 0)
    let ours = Training()
    for (name, training) in [("closed form", plain), ("ratings weighed", ours)] {
      var fastest = UInt64.max
      for _ in 0..<max(times, 1) {
        let start = nanoseconds()
        let model = try training.model(of: train)
        fastest = min(fastest, nanoseconds() - start)
        guard model.items.count == train.items.count else { throw Arguments.Wrong(reason: "the model lost items") }
      }
      let found = try Evaluation(training, train: train, test: test)
      emit(
        """
        {"case": "\(name)", "ns": \(fastest), "ndcg": \(found.model.ndcg), "popularity": \(found.popularity.ndcg), \
        "item_knn": \(found.itemKNN.ndcg)}
        """)
    }
  }

  private static func contents(of path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw Arguments.Wrong(reason: "cannot read \(path)") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return bytes
  }
}
