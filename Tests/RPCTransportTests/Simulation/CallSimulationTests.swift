import Clocks
import Glibc
import RPCTransport
import TestKit
import Testing

@Suite("Calls over a simulated network")
@MainActor
struct CallSimulationTests {
  /// `ODI_SEED=17` is that one alone, `ODI_SEED=1 ODI_LIVES=1000000` a long night.
  private static var seeds: Range<UInt64> {
    func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
    guard let first = number("ODI_SEED") else { return 1..<2_001 }
    return first..<first + (number("ODI_LIVES") ?? 1)
  }

  @Test("two thousand lives keep every promise; what breaks one is repeated with ODI_SEED")
  func lives() async {
    var failures = 0
    for seed in Self.seeds {
      let simulation = CallSimulation(seed: seed)
      await simulation.run()
      guard !simulation.broken.isEmpty else { continue }
      Issue.record("ODI_SEED=\(seed): \(simulation.broken.joined(separator: "; "))")
      failures += 1
      if failures == 5 { break }
    }
  }

  @Test("a fault that was planted is noticed", arguments: PlantedFault.allCases)
  func planted(fault: PlantedFault) async {
    for seed: UInt64 in 1...200 {
      let simulation = CallSimulation(seed: seed, fault: fault)
      await simulation.run()
      if simulation.broken.contains(where: { $0.contains(fault.promise) }) { return }
    }
    Issue.record("two hundred lives with \(fault) broke no promise about it")
  }

  @Test("the same seed is the same life, another seed another one")
  func repeats() async {
    var traces: Set<UInt64> = []
    for seed: UInt64 in [7, 8, 7, 8] {
      let simulation = CallSimulation(seed: seed)
      await simulation.run()
      traces.insert(simulation.trace)
    }
    #expect(traces.count == 2)
  }
}
