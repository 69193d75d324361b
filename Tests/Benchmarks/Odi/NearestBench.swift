import Clocks
import Spatial

/// The nearest three of many points, in this process: one question after the other, each from another place.
enum NearestBench {
  static let usage = "[--points N] [--questions N] [--limit K]"

  static func run(_ arguments: Arguments) throws {
    let count: Int = try arguments.value("points", default: 0)
    let questions: Int = try arguments.value("questions", default: 200_000)
    let limit: Int = try arguments.value("limit", default: 3)
    for count in count > 0 ? [count] : [10_000, 100_000, 1_000_000] { measure(count, questions, limit) }
  }

  /// Points as cinemas lie: a few hundred towns, each point near one of them; questions as people ask, from the same towns.
  private static func measure(_ count: Int, _ questions: Int, _ limit: Int) {
    var random = SeededRandom(seed: 1)
    let towns = (0..<500).map { _ in
      (Double.random(in: -55...65, using: &random), Double.random(in: -180...180, using: &random))
    }
    func place() -> (latitude: Double, longitude: Double) {
      let town = towns[Int.random(in: 0..<towns.count, using: &random)]
      return (
        town.0 + .random(in: -0.5...0.5, using: &random), town.1 + .random(in: -0.5...0.5, using: &random)
      )
    }
    let built = nanoseconds()
    let index = GlobeIndex((0..<count).map { _ in place() })
    let building = Double(nanoseconds() - built) / 1e6
    let origins = (0..<questions).map { _ in place() }
    var times: [UInt32] = []
    times.reserveCapacity(questions)
    var metres = 0.0
    for origin in origins {
      let start = nanoseconds()
      let found = index.nearest(limit, latitude: origin.latitude, longitude: origin.longitude)
      times.append(UInt32(truncatingIfNeeded: nanoseconds() - start))
      metres += found.last?.metres ?? 0
    }
    times.sort()
    func quantile(_ share: Double) -> Double { Double(times[Int(Double(times.count - 1) * share)]) / 1e3 }
    emit(
      """
      {"case": "nearest \(limit) of \(count)", "p50_us": \(quantile(0.5)), "p99_us": \(quantile(0.99)), \
      "build_ms": \(building), "km": \(Int(metres / 1e3 / Double(max(questions, 1))))}
      """)
  }
}
