/// What sound is coded in, as its own headers tell.
package struct AudioFormat: Hashable, Sendable {
  /// `mp3`, `mp2`, `aac`, `vorbis`, `opus`, `flac`, `speex`, `pcm`, `alac`, `ac3`.
  package var codec: String
  /// What a player has to be told: `audio/mpeg`.
  package var mediaType: String
  package var kilobits: Int?
  package var sampleRate: Int?
  package var channels: Int?

  package init(
    codec: String, mediaType: String, kilobits: Int? = nil, sampleRate: Int? = nil, channels: Int? = nil
  ) {
    self.codec = codec
    self.mediaType = mediaType
    self.kilobits = kilobits
    self.sampleRate = sampleRate
    self.channels = channels
  }

  /// How much of a stream tells all that its headers can tell: some 20 frames of MP3 at 320 kbit/s.
  package static let sampleBytes = 32 << 10

  /// - Returns: nil if these are not the beginning, or a part, of any sound that is known.
  package init?(_ bytes: [UInt8]) {
    let sound = ID3Tag.skipped(in: bytes[...])
    let found =
      OggStream.format(sound) ?? WaveHeader.format(sound) ?? FLACHeader.format(sound) ?? ISOMedia.format(sound)
      ?? TransportStream.format(sound) ?? MPEGFrames.format(sound)
    guard let found else { return nil }
    self = found
  }

  /// What a server calls it, where the bytes do not tell.
  package init?(mediaType: String) {
    guard let codec = Self.codecs[mediaType] else { return nil }
    self.init(codec: codec, mediaType: mediaType)
  }

  private static let codecs = [
    "audio/mpeg": "mp3", "audio/mp3": "mp3", "audio/aac": "aac", "audio/aacp": "aac", "audio/x-aac": "aac",
    "audio/ogg": "vorbis", "application/ogg": "vorbis", "audio/opus": "opus", "audio/flac": "flac",
    "audio/x-flac": "flac", "audio/wav": "pcm", "audio/x-wav": "pcm", "audio/wave": "pcm", "audio/mp4": "aac",
    "video/mp2t": "aac",
  ]
}

/// The tag that some streams and all packed segments of HLS begin with.
enum ID3Tag {
  static func skipped(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    while rest.count >= 10, rest.starts(with: "ID3".utf8) {
      let size = rest.dropFirst(6).prefix(4).reduce(0) { $0 << 7 | Int($1 & 0x7F) }
      guard size + 10 <= rest.count else { return rest }
      rest = rest.dropFirst(size + 10)
    }
    return rest
  }
}

extension ArraySlice<UInt8> {
  /// The byte so many behind the beginning.
  func at(_ offset: Int) -> Int? { offset < count ? Int(self[startIndex + offset]) : nil }

  func littleEndian(_ offset: Int, bytes length: Int) -> Int? {
    guard offset + length <= count else { return nil }
    return (0..<length).reversed().reduce(0) { $0 << 8 | Int(self[startIndex + offset + $1]) }
  }

  func bigEndian(_ offset: Int, bytes length: Int) -> Int? {
    guard offset + length <= count else { return nil }
    return (0..<length).reduce(0) { $0 << 8 | Int(self[startIndex + offset + $1]) }
  }
}
