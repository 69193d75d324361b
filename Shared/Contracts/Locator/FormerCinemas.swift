package import Clocks
package import RPC
import Wire

/// What became of cinemas that were taken out of the directory, without those that never were in it or are in it now.
package struct FormerCinemas: RPCRequest, Hashable, WireLayout {
  package typealias Service = LocatorAPI
  package typealias Response = [FormerCinema]
  package static let method: MethodID = 0x0109
  package static let safety: Safety = .read

  package static let idsMax = 100

  /// At most ``idsMax``: read from the database, unlike those that are there.
  package var ids: [CinemaID]

  package init(ids: [CinemaID]) {
    self.ids = ids
  }
}

/// A cinema that was taken out of the directory.
package struct FormerCinema: Codable, Hashable, Sendable, WireLayout {
  package var id: CinemaID
  package var removedAt: WallTime
  /// The one in the directory that is to be looked at instead, if whoever removed it named one.
  package var replacedBy: CinemaID?

  package init(id: CinemaID, removedAt: WallTime, replacedBy: CinemaID? = nil) {
    self.id = id
    self.removedAt = removedAt
    self.replacedBy = replacedBy
  }
}
