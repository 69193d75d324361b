package import Clocks
package import Contracts

/// A station as operators know it: with the address of its stream, whether or not anybody has allowed us to use it.
nonisolated package struct StationRecord: Codable, Hashable, Sendable {
  /// Without its health, which is not the directory's.
  package var station: Station
  /// Where its stream was said to be: a stream, a playlist, or a service that tells.
  package var address: String
  /// Where its programme is, as iCalendar.
  package var schedule: String?
  /// False for one that is kept so that its id is never given to another.
  package var isActive: Bool

  package init(station: Station, address: String, schedule: String? = nil, isActive: Bool = true) {
    self.station = station
    self.address = address
    self.schedule = schedule
    self.isActive = isActive
  }

  package var id: StationID { station.id }

  /// What may be done with it now. Nil: nothing, so it is not shown to the public.
  package func use(at time: WallTime) -> StationUse? {
    guard isActive, let rights = station.rights, StationUse.known.contains(rights.use) else { return nil }
    if let until = rights.until, until <= time { return nil }
    return rights.use
  }

  /// Why it is not shown to the public, in a few words.
  package func hiddenBecause(at time: WallTime) -> String? {
    guard use(at: time) == nil else { return nil }
    guard isActive else { return "it is not active" }
    guard let rights = station.rights else { return "nobody has allowed it" }
    if let until = rights.until, until <= time { return "its rights have ended" }
    return "its rights allow “\(rights.use.rawValue)”, which is not known"
  }
}
