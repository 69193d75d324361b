package import RPC
import Wire

/// A station's sound, piece by piece, from its beginning as a player wants it, until one side ends it.
///
/// Only of stations whose rights allow to relay. A listener who does not keep up is left behind: the stream ends.
package struct StationAudio: RPCStreamRequest, Hashable, WireLayout {
  package typealias Service = RadioAPI
  package typealias Element = AudioPiece
  package static let method: MethodID = 0x0705

  package var station: StationID
  /// Who listens, in the caller's words, the same for one person or address: nobody takes all places.
  package var asker: String?

  package init(station: StationID, asker: String? = nil) {
    self.station = station
    self.asker = asker
  }
}

/// Some of a stream's bytes. The first piece tells of what kind they are.
package struct AudioPiece: Codable, Hashable, Sendable, WireLayout {
  package var bytes: [UInt8]
  /// `audio/mpeg`, in the first piece.
  package var mediaType: String?

  package init(bytes: [UInt8], mediaType: String? = nil) {
    self.bytes = bytes
    self.mediaType = mediaType
  }
}
