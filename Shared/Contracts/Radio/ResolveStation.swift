package import Clocks
package import RPC
import Wire

/// Where a station's stream is just now: playlists read, redirects followed, and the stream itself looked at.
///
/// `permissionDenied` where its rights do not go as far as playing, `unavailable` where nothing plays.
package struct ResolveStation: RPCRequest, Hashable, WireLayout {
  package typealias Service = RadioAPI
  package typealias Response = ResolvedStream
  package static let method: MethodID = 0x0703
  package static let safety: Safety = .read

  package var station: StationID

  package init(station: StationID) {
    self.station = station
  }
}

/// An address that a player can open.
package struct ResolvedStream: Codable, Hashable, Sendable, WireLayout {
  package var station: StationID
  package var url: String
  /// `audio/mpeg`.
  package var mediaType: String
  package var kind: StreamKind
  package var codec: String?
  package var kilobits: Int?
  /// Ask again after this.
  package var expiresAt: WallTime
  /// Whether ``StationAudio`` passes its sound on.
  package var isRelayed: Bool
  package var isDemo: Bool?

  package init(
    station: StationID, url: String, mediaType: String, kind: StreamKind, codec: String? = nil, kilobits: Int? = nil,
    expiresAt: WallTime, isRelayed: Bool, isDemo: Bool? = nil
  ) {
    self.station = station
    self.url = url
    self.mediaType = mediaType
    self.kind = kind
    self.codec = codec
    self.kilobits = kilobits
    self.expiresAt = expiresAt
    self.isRelayed = isRelayed
    self.isDemo = isDemo
  }
}

package enum StreamKind: GrowingEnum {
  /// One answer without end.
  case progressive
  /// A playlist of short files that is read again and again (RFC 8216).
  case hls
  case unknown(String)

  package static let known: [StreamKind] = [.progressive, .hls]

  package var rawValue: String {
    switch self {
    case .progressive: "progressive"
    case .hls: "hls"
    case .unknown(let name): name
    }
  }
}
