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

  /// What a server calls it, where the bytes of such sound need not tell: AAC may be framed as LATM, a tag with a picture
  /// may be longer than what was read, and a segment may begin anywhere.
  init?(_ bytes: [UInt8], mediaType: String) {
    if bytes.starts(with: "ID3".utf8), mediaType == "audio/mpeg" || mediaType == "audio/mp3" {
      self.init(codec: "mp3", mediaType: mediaType)
    } else if Self.unframed.contains(mediaType), Set(bytes.prefix(Self.looked)).count > Self.lettersOfNoise {
      self.init(codec: "aac", mediaType: mediaType)
    } else {
      return nil
    }
  }

  private static let unframed: Set = ["audio/aac", "audio/aacp", "audio/x-aac", "audio/mp4", "video/mp2t"]
  /// Packed sound is noise: among so many of its bytes nearly all values stand, and among silence or words few.
  private static let looked = 4_096
  private static let lettersOfNoise = 128
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
