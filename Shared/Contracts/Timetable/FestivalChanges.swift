package import RPC
import Wire

/// Every change of the timetable after a revision, those that happened and those to come.
package struct FestivalChanges: RPCStreamRequest, Hashable, WireLayout {
  package typealias Service = TimetableAPI
  package typealias Element = FestivalChange
  package static let method: MethodID = 0x0609

  /// Nil: only those to come.
  package var since: Int64?

  package init(since: Int64? = nil) { self.since = since }
}

/// The first element of a stream names no festival and tells where it begins.
package struct FestivalChange: Codable, Hashable, Sendable, WireLayout {
  package var revision: Int64
  package var festival: FestivalID?
  /// Those that were added, moved, cancelled or taken out; empty where all may have changed.
  package var sessions: [SessionID]

  package init(revision: Int64, festival: FestivalID? = nil, sessions: [SessionID] = []) {
    self.revision = revision
    self.festival = festival
    self.sessions = sessions
  }
}
