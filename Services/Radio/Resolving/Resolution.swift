import AudioStreams
package import Contracts

/// What came of following a station's address: every step of the way, and the stream at its end.
nonisolated package struct Resolution: Codable, Hashable, Sendable {
  package var steps: [Step] = []
  /// Nil where nothing plays.
  package var stream: Found?

  /// One address that was asked.
  package struct Step: Codable, Hashable, Sendable {
    package var url: String
    package var status: Int?
    package var mediaType: String?
    /// What it turned out to be, or why it came to nothing: `pls, 1 address`.
    package var finding: String
    package var milliseconds: Int
  }

  /// A stream that was seen to send sound.
  package struct Found: Codable, Hashable, Sendable {
    package var url: String
    package var mediaType: String
    package var kind: StreamKind
    package var codec: String?
    package var kilobits: Int?
    package var sampleRate: Int?
    /// What the server calls itself: `icy-name`.
    package var name: String?
    /// All that came of it was silence; nil where that cannot be told.
    package var isSilent: Bool?
  }

  /// Why nothing plays: what the last address that was tried came to.
  package var problem: String? {
    guard stream == nil else { return nil }
    return steps.last.map { "\($0.url): \($0.finding)" } ?? "there is no address"
  }
}

nonisolated extension Resolution.Found {
  init(_ format: AudioFormat, at url: String, kind: StreamKind, name: String? = nil, isSilent: Bool?) {
    self.init(
      url: url, mediaType: kind == .hls ? HLSMedia.mediaType : format.mediaType, kind: kind, codec: format.codec,
      kilobits: format.kilobits, sampleRate: format.sampleRate, name: name, isSilent: isSilent)
  }
}

nonisolated extension HLSMedia {
  static let mediaType = "application/vnd.apple.mpegurl"
}
