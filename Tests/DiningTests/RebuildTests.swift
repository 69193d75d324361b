import Clocks
import Contracts
import Observability
import ServiceKit
import ServiceTestKit
import Testing

@testable import Dining

@Suite("Dining, the index", .timeLimit(.minutes(5)))
@MainActor
struct RebuildTests {
  @Test("many changes at once share one making of the index, and each finds itself in what is served then")
  func shared() async throws {
    try await ServiceRig.run(DiningService.program) { rig in
      let restaurants = try #require(rig.parts.compactMap { $0 as? LiveRestaurants }.first)
      @MainActor func builds() -> Int {
        let text = String(decoding: rig.environment.metrics.exposition(), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("odi_dining_index_seconds_count") }
        return line.flatMap { $0.split(separator: " ").last }.flatMap { Double($0) }.map { Int($0) } ?? -1
      }
      let before = builds()
      let tasks = (0..<8).map { _ in Task { @MainActor in await restaurants.rebuilt() } }
      for task in tasks { await task.value }
      #expect(before == 1 && builds() <= before + 2, "\(before) \(builds())")
    }
  }
}
