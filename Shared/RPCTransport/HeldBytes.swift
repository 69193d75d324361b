import EventLoops

/// What a server's connections hold together: answers that their peers do not read, and messages that are not whole.
///
/// Each connection has its own limits, which are generous because one peer may need them; a thousand that do cannot all
/// have them. When the sum is over its limit, whoever holds most is cut off: one that asks for much and does not read
/// goes before anybody who asks for little.
final class HeldBytes {
  private(set) var total = 0
  private let limit: Int
  /// Whom to cut off; nil if nobody holds anything.
  private let largest: () -> FrameLink?
  /// A message, or several at once, took so much that the memory behind it is worth giving back.
  static let burst = 1 << 20
  private var most = 0
  /// Told when nothing is held any more after a burst.
  var onRest: (() -> Void)?

  init(limit: Int, largest: @escaping () -> FrameLink?) {
    self.limit = limit
    self.largest = largest
  }

  func change(by difference: Int) {
    total += difference
    most = max(most, total)
    while total > limit, let link = largest() { link.close(.tooSlow) }
    guard total == 0, most >= Self.burst else { return }
    most = 0
    onRest?()
  }
}
