import Clocks
import RPC
import Testing

/// Two milliseconds of core a call: the server can do 500 a second.
@Suite("Overload")
struct OverloadTests {
  static let capacity = 500.0
  static let work = OverloadSimulation.Work(core: 1 / capacity)
  static let limits = ConcurrencyLimiter.Limits(cores: 1)

  func phase(_ seconds: Double, load: Double) -> OverloadSimulation.Phase {
    .init(seconds: seconds, callsPerSecond: load * Self.capacity, work: [Self.work])
  }

  /// Good answers a second, over what the core can do, from second `from` on.
  func goodput(_ bins: [OverloadSimulation.Outcome], from: Double, to: Double) -> Double {
    let good = bins[Int(from * 2)..<Int(to * 2)].reduce(0) { $0 + $1.good }
    return Double(good) / (to - from) / Self.capacity
  }

  @Test(
    "goodput holds at every multiple of what the server can do",
    arguments: [(1.0, 0.9), (2.0, 0.85), (4.0, 0.8), (10.0, 0.7)], [15, 16, 17] as [UInt64])
  func goodput(_ step: (load: Double, share: Double), seed: UInt64) {
    let (load, share) = step
    var simulation = OverloadSimulation(limits: Self.limits, seed: seed)
    let bins = simulation.run([phase(1, load: 0.5), phase(6, load: load)])
    let goodput = goodput(bins, from: 1, to: 7)
    #expect(goodput >= share, "\(goodput), seed \(seed)")
    let p99 = bins[4..<14].map(\.p99).max() ?? 0
    #expect(p99 <= 0.25, "the accepted are answered in time: p99 \(p99)")
  }

  @Test("overload from the first call on is held too: nothing was learned before it")
  func coldStart() {
    var simulation = OverloadSimulation(limits: Self.limits, seed: 16)
    let bins = simulation.run([phase(6, load: 4)])
    #expect(goodput(bins, from: 2, to: 6) >= 0.8)
  }

  @Test("after ten times the load is gone, all calls are answered again within five seconds")
  func recovers() {
    var simulation = OverloadSimulation(limits: Self.limits, seed: 17)
    let bins = simulation.run([phase(2, load: 0.5), phase(4, load: 10), phase(6, load: 0.5)])
    let after = bins[22..<24]
    let answered = Double(after.reduce(0) { $0 + $1.good }) / Double(after.reduce(0) { $0 + $1.arrived })
    #expect(answered >= 0.95, "\(answered)")
  }

  @Test("control: without the limiter twice the load leaves next to nothing, also after it is gone")
  func control() {
    var simulation = OverloadSimulation(limits: nil, seed: 18)
    let bins = simulation.run([phase(1, load: 0.5), phase(8, load: 2), phase(2, load: 0.5)])
    #expect(goodput(bins, from: 6, to: 9) < 0.2, "\(goodput(bins, from: 6, to: 9))")
    #expect(goodput(bins, from: 9, to: 10) < 0.2, "the backlog outlives the load")
  }
}
