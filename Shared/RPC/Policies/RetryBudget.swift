package import Clocks

/// How many extra calls the last ten seconds allow: a share of the calls made, and never less than a few a second.
///
/// With a share of 20 % a backend that fails everything sees at most 1.2 times its usual load instead of three times.
/// The floor lets a quiet client retry at all; it is an alternative to the share, not added to it, so the 1.2 holds
/// from 50 calls a second on.
package struct RetryBudget: Sendable {
  package struct Limits: Hashable, Sendable {
    /// Extra calls per call.
    package var share: Double
    /// Extra calls a second that are always allowed, spent in any pattern over the window.
    package var perSecondMin: Int

    package init(share: Double, perSecondMin: Int) {
      self.share = share
      self.perSecondMin = perSecondMin
    }

    /// Finagle's numbers, in use there for a decade.
    package static let retry = Limits(share: 0.2, perSecondMin: 10)
    /// A hedge helps only the slowest few; more would be load for its own sake.
    package static let hedge = Limits(share: 0.02, perSecondMin: 0)
  }

  /// The window is ten steps of one second; a step falls out as a whole.
  package static let window: Duration = .seconds(10)
  private static let stepCount: UInt64 = 10
  private static let stepNanoseconds: UInt64 = 1_000_000_000

  private let limits: Limits
  private var calls = InlineArray<10, UInt32>(repeating: 0)
  private var extras = InlineArray<10, UInt32>(repeating: 0)
  private var callCount = 0
  private var extraCount = 0
  private var step: UInt64 = 0

  package init(_ limits: Limits = .retry) { self.limits = limits }

  /// What may still be spent now.
  package mutating func available(now: Instant) -> Int {
    roll(to: now)
    return max(0, allowance - extraCount)
  }

  /// Counts a call that was asked for: a first attempt.
  package mutating func deposit(now: Instant) {
    roll(to: now)
    calls[Int(step % Self.stepCount)] &+= 1
    callCount += 1
  }

  /// Takes one extra call; false if there is none left.
  package mutating func withdraw(now: Instant) -> Bool {
    roll(to: now)
    guard extraCount < allowance else { return false }
    extras[Int(step % Self.stepCount)] &+= 1
    extraCount += 1
    return true
  }

  private var allowance: Int {
    max(Int(limits.share * Double(callCount)), limits.perSecondMin * Int(Self.stepCount))
  }

  private mutating func roll(to now: Instant) {
    let current = now.nanoseconds / Self.stepNanoseconds
    guard current > step else { return }
    for passed in 0..<min(current - step, Self.stepCount) {
      let slot = Int((current - passed) % Self.stepCount)
      callCount -= Int(calls[slot])
      extraCount -= Int(extras[slot])
      calls[slot] = 0
      extras[slot] = 0
    }
    step = current
  }
}
