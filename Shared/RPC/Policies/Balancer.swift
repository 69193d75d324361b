package import Clocks

/// Which endpoint of a service gets the next call: the less loaded of two drawn at random.
///
/// Load is what calls take there lately (a peak moving average: it jumps up at once and fades over ten seconds) times
/// the calls under way. Two at random avoid what "the least loaded" does when many clients look at once: all run to it.
package struct Balancer<Address: Hashable & Sendable>: Sendable {
  // None of these depends on the address: code that does not know it, as in every call, then looks up no types.
  package typealias Limits = BalancerLimits
  package typealias ID = BalancedID
  package typealias Pick = BalancedPick
  package typealias Outcome = BalancedOutcome
  private typealias Endpoint = BalancedEndpoint

  /// What a new set of addresses changed.
  package struct Change: Sendable {
    package var added: [(id: ID, address: Address)] = []
    package var removed: [(id: ID, address: Address)] = []
  }

  private let limits: Limits
  /// Nanoseconds.
  private let decay: Double
  private var endpoints: [Endpoint?] = []
  /// The endpoints' addresses, at their places.
  private var named: [Address?] = []
  private var generations: [UInt32] = []
  private var free: [UInt32] = []
  private var places: [Address: Int] = [:]
  /// The places that get calls, and until when that is true.
  private var usable: [Int] = []
  private var ejected: [Int] = []
  private var listed: [Int] = []

  package init(_ limits: Limits = Limits()) {
    self.limits = limits
    decay = Double(limits.decay.saturatedNanoseconds)
  }

  /// Addresses in the current set.
  package var addresses: [Address] { listed.compactMap { named[$0] } }

  /// Where a call goes that was not handed back.
  package func address(of pick: Pick) -> Address { named[pick.endpoint.index]! }

  /// Endpoints that are connected and not ejected. Stored: each call asks, and whoever asks a getter of another module
  /// copies the whole for it.
  package private(set) var usableCount = 0

  package func inFlight(_ id: ID) -> Int { place(of: id).flatMap { endpoints[$0]?.inFlight } ?? 0 }

  package func isEjected(_ id: ID, now: Instant) -> Bool {
    place(of: id).flatMap { endpoints[$0]?.ejection.state(now: now) } != .healthy
  }

  // MARK: - The set

  /// Takes over a new set of addresses. Nil (resolving failed) and an empty set change nothing: old addresses may
  /// still answer, none cannot.
  package mutating func update(to found: [Address]?, now: Instant) -> Change {
    var change = Change()
    guard let found, !found.isEmpty else { return change }
    let wanted = found.prefix(limits.endpointsMax)
    let kept = Set(wanted)
    for place in listed {
      guard let address = named[place], !kept.contains(address) else { continue }
      change.removed.append((id(of: place), address))
      endpoints[place]!.isListed = false
      release(place)
    }
    for address in wanted {
      if let place = places[address] {
        endpoints[place]!.isListed = true
      } else {
        let place = add(address, now: now)
        change.added.append((id(of: place), address))
      }
    }
    listed = endpoints.indices.filter { endpoints[$0]?.isListed ?? false }
    sort()
    return change
  }

  /// Tells whether there is a connection to an endpoint. One that comes back starts slowly.
  package mutating func setConnected(_ id: ID, _ isConnected: Bool, now: Instant) {
    guard let place = place(of: id), endpoints[place]!.isConnected != isConnected else { return }
    endpoints[place]!.isConnected = isConnected
    if isConnected { warmUp(place, now: now) }
    sort()
  }

  // MARK: - A call

  /// The endpoint for the next call; nil only if there are no addresses at all.
  package mutating func pick(now: Instant, using random: inout some RandomNumberGenerator) -> Pick? {
    for place in ejected where endpoints[place]!.isConnected && endpoints[place]!.ejection.beginProbe(now: now) {
      return begin(place, isProbe: true, isPanic: false, now: now)
    }
    let isPanic = usable.isEmpty
    guard let place = draw(from: isPanic ? listed : usable, now: now, using: &random) else { return nil }
    return begin(place, isProbe: false, isPanic: isPanic, now: now)
  }

  /// A further endpoint for the same call: one that it has not been at, or nil.
  package mutating func pick(
    otherThan tried: [Pick], now: Instant, using random: inout some RandomNumberGenerator
  ) -> Pick? {
    let others = usable.filter { place in !tried.contains { $0.endpoint == id(of: place) } }
    return draw(from: others, now: now, using: &random).map { begin($0, isProbe: false, isPanic: false, now: now) }
  }

  package mutating func finish(_ pick: Pick, _ outcome: Outcome, now: Instant) {
    guard let place = place(of: pick.endpoint) else { return }
    let isBad = endpoints[place]!.finish(outcome, pick, decay: decay, now: now)
    if pick.isProbe {
      endpoints[place]!.ejection.endProbe(
        success: outcome == .neutral ? nil : outcome == .success, now: now)
      if outcome == .success { warmUp(place, now: now) }
      sort()
    } else if isBad, usable.contains(where: { $0 != place }) {
      // The last one is never taken away: a poor endpoint beats none.
      endpoints[place]!.ejection.eject(now: now)
      sort()
    }
    // Asked here, because what names the address looks up its type, and this is on the way of every call.
    if !endpoints[place]!.isListed { release(place) }
  }

  // MARK: - How

  private mutating func begin(_ place: Int, isProbe: Bool, isPanic: Bool, now: Instant) -> Pick {
    endpoints[place]!.inFlight += 1
    return Pick(
      endpoint: id(of: place), isProbe: isProbe, isPanic: isPanic, startedAt: now.nanoseconds)
  }

  private func draw(from places: [Int], now: Instant, using random: inout some RandomNumberGenerator) -> Int? {
    guard places.count > 1 else { return places.first }
    let first = Int.random(in: 0..<places.count, using: &random)
    var second = Int.random(in: 0..<places.count - 1, using: &random)
    if second >= first { second += 1 }
    let (one, other) = (places[first], places[second])
    return load(of: one, now: now.nanoseconds) <= load(of: other, now: now.nanoseconds) ? one : other
  }

  private func load(of place: Int, now: UInt64) -> Double {
    let endpoint = endpoints[place]!
    let pending = Double(endpoint.inFlight)
    // An endpoint that has not answered yet gets one call to learn from, and no second before the answer.
    guard endpoint.cost > 0 else { return endpoint.inFlight == 0 ? 0 : 1e18 + pending }
    let slowStart = Double(limits.slowStart.saturatedNanoseconds)
    let warmth = min(1, max(0.1, Double(now - endpoint.warmSince) / slowStart))
    return endpoint.cost(now: now, decay: decay) * (pending + 1) / warmth
  }

  private mutating func warmUp(_ place: Int, now: Instant) { endpoints[place]!.warmSince = now.nanoseconds }

  private mutating func sort() {
    usable = listed.filter { endpoints[$0]!.isConnected && endpoints[$0]!.ejection.isHealthy }
    usableCount = usable.count
    ejected = listed.filter { !endpoints[$0]!.ejection.isHealthy }
  }

  private mutating func add(_ address: Address, now: Instant) -> Int {
    let place = Int(free.popLast() ?? UInt32(endpoints.count))
    if place == endpoints.count {
      endpoints.append(nil)
      named.append(nil)
      generations.append(0)
    }
    endpoints[place] = Endpoint(
      costAt: now.nanoseconds, warmSince: now.nanoseconds, ejection: OutlierEjection(limits.ejection))
    named[place] = address
    places[address] = place
    return place
  }

  /// Forgets an endpoint that left the set once its last call has ended.
  private mutating func release(_ place: Int) {
    guard endpoints[place]?.isListed == false, endpoints[place]!.inFlight == 0 else { return }
    places[named[place]!] = nil
    named[place] = nil
    endpoints[place] = nil
    generations[place] &+= 1
    free.append(UInt32(place))
  }

  private func id(of place: Int) -> ID { ID(place: UInt32(place), generation: generations[place]) }

  private func place(of id: ID) -> Int? {
    let place = Int(id.place)
    return generations[place] == id.generation && endpoints[place] != nil ? place : nil
  }
}

package struct BalancerLimits: Hashable, Sendable {
  /// More addresses than this in one answer of the resolver are a mistake; the first ones are used.
  package var endpointsMax = 256
  /// How long the memory of a slow answer lasts.
  package var decay: Duration = .seconds(10)
  /// How long an endpoint that was added or came back takes to get its full share: its caches are cold.
  package var slowStart: Duration = .seconds(10)
  package var ejection = OutlierEjection.Limits()

  package init() {}
}

/// Names an endpoint for as long as it is in use.
package struct BalancedID: Hashable, Sendable {
  fileprivate var place: UInt32
  fileprivate var generation: UInt32
  /// Small, and its alone for as long as it is in use: what is kept beside it can stand in an array.
  package var index: Int { Int(place) }
}

/// A call given to an endpoint. Hand it back exactly once.
package struct BalancedPick: Sendable {
  package let endpoint: BalancedID
  /// The one call that decides whether an ejected endpoint is well again.
  package let isProbe: Bool
  /// No endpoint is usable; this is a guess.
  package let isPanic: Bool
  fileprivate let startedAt: UInt64
}

package enum BalancedOutcome: Sendable {
  case success
  /// The endpoint's fault: connection lost, timed out, unavailable, internal error.
  case failure
  /// Says nothing about the endpoint: cancelled, shed, refused by a draining server.
  case neutral
}

private struct BalancedEndpoint: Sendable {
  var isListed = true
  var isConnected = false
  var inFlight = 0
  /// Nanoseconds, as of `costAt`; zero before the first answer.
  var cost = 0.0
  var costAt: UInt64
  var warmSince: UInt64
  var ejection: OutlierEjection

  /// What its answers take, as it is remembered now.
  func cost(now: UInt64, decay: Double) -> Double { cost * faded(now, decay: decay) }

  /// What is left of a memory after a time: `(1 + x/8)⁻⁸`, which is e⁻ˣ nearly enough and needs no library.
  private func faded(_ now: UInt64, decay: Double) -> Double {
    let eighth = 1 + Double(now - min(costAt, now)) / decay / 8
    let square = eighth * eighth
    return 1 / (square * square * square * square)
  }

  /// Takes a call back. True if it should get no more.
  mutating func finish(_ outcome: BalancedOutcome, _ pick: BalancedPick, decay: Double, now: Instant) -> Bool {
    inFlight -= 1
    if outcome == .success {
      let latency = max(Double(now.nanoseconds - pick.startedAt), 1)
      let weight = faded(now.nanoseconds, decay: decay)
      cost = latency > cost * weight ? latency : cost * weight + latency * (1 - weight)
      costAt = now.nanoseconds
    }
    guard outcome != .neutral, !pick.isProbe else { return false }
    return ejection.record(success: outcome == .success, now: now)
  }
}
