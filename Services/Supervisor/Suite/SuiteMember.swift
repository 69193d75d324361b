/// A service of the suite. They start in this order and stop in the reverse: who is asked stands before who asks.
nonisolated package enum SuiteMember: String, CaseIterable, Sendable {
  case demo, locator, scraper, bookmarks, films, dining, timetable, radio, gateway

  package var executable: String { "odi-\(rawValue)" }

  /// How far its port is from the suite's first.
  var portOffset: UInt16 {
    switch self {
    case .gateway: 0
    case .locator: 1
    case .scraper: 2
    case .bookmarks: 3
    case .films: 4
    case .dining: 5
    case .timetable: 6
    case .radio: 7
    case .demo: 91
    }
  }

  /// Where the demo world answers browsers and the scraper, from the suite's first port.
  static let demoWorldOffset: UInt16 = 90
  /// Where each answers `/readyz`, from its own port.
  static let operationsOffset: UInt16 = 1_000

  /// Whether it keeps something that a backup must hold.
  package var hasDatabase: Bool {
    switch self {
    case .locator, .scraper, .bookmarks, .films, .dining, .timetable, .radio: true
    case .demo, .gateway: false
    }
  }

  /// Whether other services ask it.
  var takesCalls: Bool { self != .demo && self != .gateway }

  /// Whether it only tells what others know, and so is started when these are ready.
  var asksAllOthers: Bool { self == .gateway }

  /// Whether it has something to begin with.
  var hasSeed: Bool { [.locator, .films, .radio].contains(self) }
}
