import Clocks

/// Who spent the time of a call: each hop that it passes on its way back adds what it waited and what it worked.
///
/// A hop's work includes the calls it made, so what it spent itself is its work less all of the hop before it.
package struct DeadlineLedger: Hashable, Sendable, Codable {
  package struct Hop: Hashable, Sendable, Codable {
    package var service: String
    /// Microseconds between arrival and the handler's start.
    package var queue: UInt32
    /// Microseconds from the handler's start to its answer, waiting for others included.
    package var work: UInt32

    package init(service: String, queue: Duration, work: Duration) {
      self.service = String(service.prefix(DeadlineLedger.nameMax))
      self.queue = UInt32(clamping: queue.saturatedNanoseconds / 1_000)
      self.work = UInt32(clamping: work.saturatedNanoseconds / 1_000)
    }

    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      service = String(try container.decode(String.self, forKey: .service).prefix(DeadlineLedger.nameMax))
      queue = try container.decode(UInt32.self, forKey: .queue)
      work = try container.decode(UInt32.self, forKey: .work)
    }
  }

  /// No honest call passes more services than this; what a further hop adds is dropped.
  package static let hopsMax = 16
  /// Names are ours; a longer one is cut, not refused, because a ledger must not fail the call it explains.
  package static let nameMax = 32

  /// The innermost first.
  package private(set) var hops: [Hop] = []

  package init() {}

  package init(from decoder: any Decoder) throws {
    var container = try decoder.singleValueContainer().decode([Hop].self)[...]
    container = container.prefix(Self.hopsMax)
    hops = Array(container)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(hops)
  }

  package mutating func append(_ hop: Hop) {
    if hops.count < Self.hopsMax { hops.append(hop) }
  }

  /// The time each hop kept to itself, network to the next one included; the outermost first, as a caller reads it.
  package var own: [(service: String, queue: Duration, work: Duration)] {
    var inner: UInt64 = 0
    var own: [(service: String, queue: Duration, work: Duration)] = []
    for hop in hops {
      let work = UInt64(hop.work)
      own.append((hop.service, .microseconds(Int64(hop.queue)), .microseconds(Int64(work - min(work, inner)))))
      inner = work + UInt64(hop.queue)
    }
    return own.reversed()
  }

  /// One sentence for a log line or an error: `gateway 1.2 ms, scraper 380.0 ms (360.0 ms in its queue) of 400.0 ms;
  /// most of it went to scraper`.
  package func explanation(of allowed: Duration) -> String {
    let own = own
    guard let most = own.max(by: { $0.queue + $0.work < $1.queue + $1.work }) else {
      return "\(Self.text(allowed)) were allowed; no hop said what it spent, so it never arrived or never came back"
    }
    let parts = own.map { hop in
      let queued = hop.queue >= .milliseconds(1) ? " (\(Self.text(hop.queue)) in its queue)" : ""
      return "\(hop.service) \(Self.text(hop.queue + hop.work))\(queued)"
    }
    return "\(parts.joined(separator: ", ")) of \(Self.text(allowed)); most of it went to \(most.service)"
  }

  private static func text(_ duration: Duration) -> String {
    let tenths = (duration.saturatedNanoseconds + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}
