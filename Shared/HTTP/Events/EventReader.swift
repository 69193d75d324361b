package import Clocks

/// One open stream of events: what it listens to and how it is told, while its ``EventHub`` says when.
@MainActor
package protocol EventReader: HTTPStreamBody {
  /// Whose streams are counted together: a user, else an address.
  var owner: String { get }
  /// The hub's notes about it.
  var place: EventPlace { get set }
  /// Tells that something was missed: read everything anew, then go on from here.
  func reset()
  /// Shows that a silent stream lives.
  func beat()
  /// Says when to come back. The stream ends with it.
  func sayGoodbye(comeBackAfter milliseconds: Int64)
}

extension EventReader {
  package var isOpen: Bool { place.output != nil }
  /// Written, and not taken by its client.
  package var queuedBytes: Int { place.output?.queuedBytes ?? 0 }
  /// Whether it missed something that it has not been told of.
  package var isBehind: Bool { place.isBehind }
}

/// Where a reader stands with its hub.
@MainActor
package struct EventPlace {
  package internal(set) var openedAt = Instant(nanoseconds: 0)
  /// Events that were written to it.
  package internal(set) var delivered: UInt32 = 0
  var index: Int32 = 0
  var output: (any HTTPOutput)?
  /// The number of the event that it hears next, while it waits.
  var next: UInt64 = 0
  var lastWrite = Instant(nanoseconds: 0)
  var errands: [() -> Void] = []
  var isWaiting = false
  var isBehind = false
  var isLeaving = false

  package init() {}
}
