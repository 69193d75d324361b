package import Clocks
package import RPC
import Wire

/// What a station says that it plays: from the metadata in its stream, and from its printed programme where it has one.
package struct NowPlaying: RPCRequest, Hashable, WireLayout {
  package typealias Service = RadioAPI
  package typealias Response = StationTitle
  package static let method: MethodID = 0x0704
  package static let safety: Safety = .read

  package var station: StationID

  package init(station: StationID) {
    self.station = station
  }
}

/// What plays, as far as the station tells.
package struct StationTitle: Codable, Hashable, Sendable, WireLayout {
  package var station: StationID
  /// As it was sent; nil if the station tells nothing.
  package var text: String?
  /// What stands before the dash, if there is one.
  package var artist: String?
  package var title: String?
  package var asOf: WallTime
  /// Ask again after this.
  package var expiresAt: WallTime
  /// What its programme says is on: a broadcast of an hour, with many titles in it.
  package var programme: String?
  /// When that ends, by the programme.
  package var endsAt: WallTime?

  package init(
    station: StationID, text: String? = nil, artist: String? = nil, title: String? = nil, asOf: WallTime,
    expiresAt: WallTime
  ) {
    self.station = station
    self.text = text
    self.artist = artist
    self.title = title
    self.asOf = asOf
    self.expiresAt = expiresAt
  }
}
