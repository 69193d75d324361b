package import RPC
import Wire

/// Some sessions of a festival by their start, and which of them nobody can see both of: an agenda.
package struct SessionsByID: RPCRequest, Hashable, WireLayout {
  package typealias Service = TimetableAPI
  package typealias Response = SessionSet
  package static let method: MethodID = 0x0604
  package static let safety: Safety = .read

  package var festival: FestivalID
  /// At most 500. Ones that are not there are left out.
  package var ids: [SessionID]

  package init(festival: FestivalID, ids: [SessionID]) {
    self.festival = festival
    self.ids = ids
  }
}

package struct SessionSet: Codable, Hashable, Sendable, WireLayout {
  package var festival: Festival
  package var sessions: [FestivalSession]
  package var conflicts: [SessionConflict]

  package init(festival: Festival, sessions: [FestivalSession], conflicts: [SessionConflict]) {
    self.festival = festival
    self.sessions = sessions
    self.conflicts = conflicts
  }
}

/// Two sessions at the same time.
package struct SessionConflict: Codable, Hashable, Sendable, WireLayout {
  package var first: SessionID
  package var second: SessionID
  /// How long both last at once.
  package var minutes: Int

  package init(first: SessionID, second: SessionID, minutes: Int) {
    self.first = first
    self.second = second
    self.minutes = minutes
  }
}
