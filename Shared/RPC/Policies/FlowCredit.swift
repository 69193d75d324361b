/// How much a sender may send before the receiver has made room: credits, for each stream and for the connection.
///
/// ```text
/// receiver opens with 256 KiB a stream, 4 MiB a connection
/// sender    take(n) ──────── n bytes ───────► received(n)
/// sender    grant(n) ◄─────── CREDIT n ────── consumed(n), when half the window is used up
/// ```
package enum FlowCredit {
  /// A stream's window: a round trip of 2 ms at 1 Gbit/s, and what one slow reader can cost us.
  package static let streamWindow = 256 << 10
  /// A connection's window: sixteen streams in full flow.
  package static let connectionWindow = 4 << 20

  /// What the other side did wrong. The connection is closed: its count and ours will never agree again.
  package enum Violation: Error, Hashable, Sendable {
    /// It sent more than it had credit for.
    case overrun(sent: Int, allowed: Int)
    /// It granted more than the window it announced.
    case overflow(granted: Int, allowed: Int)
    /// A grant or a message of no size, or less.
    case notPositive(Int)
  }

  /// The sending side of one stream or connection.
  package struct Sender: Hashable, Sendable {
    private let window: Int
    /// Bytes that may be sent now.
    package private(set) var available: Int

    package init(window: Int) {
      precondition(window > 0, "a window has room")
      self.window = window
      available = window
    }

    /// Takes up to `wanted` bytes of credit and says how many.
    package mutating func take(_ wanted: Int) -> Int {
      let taken = min(max(0, wanted), available)
      available -= taken
      return taken
    }

    /// Gives back credit that was taken and not used, for instance because the connection's ran out first.
    package mutating func putBack(_ count: Int) {
      precondition(count >= 0 && count <= window - available, "more was put back than taken")
      available += count
    }

    /// Adds what the receiver granted.
    package mutating func grant(_ count: Int) throws(Violation) {
      guard count > 0 else { throw .notPositive(count) }
      guard count <= window - available else { throw .overflow(granted: count, allowed: window - available) }
      available += count
    }
  }

  /// The receiving side of one stream or connection.
  package struct Receiver: Hashable, Sendable {
    private let window: Int
    /// What the sender may still send.
    private var open: Int
    /// Consumed, not yet granted again.
    private var owed = 0

    package init(window: Int) {
      precondition(window > 0, "a window has room")
      self.window = window
      open = window
    }

    /// Received and not yet consumed: what the other side's sending costs us in memory.
    package var held: Int { window - open - owed }

    /// What the sender lacks of its whole window; the sender counts the same while nothing is on its way.
    package var used: Int { window - open }

    /// Counts what arrived.
    package mutating func received(_ count: Int) throws(Violation) {
      guard count > 0 else { throw .notPositive(count) }
      guard count <= open else { throw .overrun(sent: count, allowed: open) }
      open -= count
    }

    /// Counts what the application took. The grant to send, once half the window is owed: one CREDIT for many reads.
    package mutating func consumed(_ count: Int) -> Int? {
      precondition(count >= 0 && count <= held, "more was consumed than received")
      owed += count
      guard owed * 2 >= window else { return nil }
      defer { owed = 0 }
      open += owed
      return owed
    }
  }
}
