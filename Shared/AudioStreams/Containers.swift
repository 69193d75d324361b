/// RIFF WAVE: uncompressed sound, or nearly.
enum WaveHeader {
  static func format(_ bytes: ArraySlice<UInt8>) -> AudioFormat? {
    guard bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WAVE".utf8) else { return nil }
    var place = 12
    while let size = bytes.littleEndian(place + 4, bytes: 4) {
      let chunk = bytes.dropFirst(place)
      if chunk.starts(with: "fmt ".utf8), let channels = chunk.littleEndian(10, bytes: 2),
        let sampleRate = chunk.littleEndian(12, bytes: 4), let byteRate = chunk.littleEndian(16, bytes: 4)
      {
        return AudioFormat(
          codec: "pcm", mediaType: "audio/wav", kilobits: (byteRate * 8 + 500) / 1_000, sampleRate: sampleRate,
          channels: channels)
      }
      place += 8 + size + size % 2
    }
    return AudioFormat(codec: "pcm", mediaType: "audio/wav")
  }
}

enum FLACHeader {
  static func format(_ bytes: ArraySlice<UInt8>) -> AudioFormat? {
    guard bytes.starts(with: "fLaC".utf8) else { return nil }
    // STREAMINFO comes first: 20 bits of sample rate and 3 of channels stand behind 10 bytes of sizes.
    let packed = bytes.bigEndian(18, bytes: 3)
    return AudioFormat(
      codec: "flac", mediaType: "audio/flac", sampleRate: packed.map { $0 >> 4 },
      channels: packed.map { ($0 >> 1 & 7) + 1 })
  }
}

/// MP4 and its fragments, as newer HLS has them.
enum ISOMedia {
  private static let codecs: [(StaticString, String)] = [
    ("mp4a", "aac"), ("Opus", "opus"), ("fLaC", "flac"), ("alac", "alac"), ("ac-3", "ac3"), ("ec-3", "ac3"),
  ]

  static func format(_ bytes: ArraySlice<UInt8>) -> AudioFormat? {
    let kind = bytes.dropFirst(4).prefix(4)
    guard ["ftyp", "styp", "moof", "moov", "sidx"].contains(where: { kind.elementsEqual($0.utf8) }) else { return nil }
    let codec = codecs.first { bytes.range(ofIgnoringCase: $0.0) != nil }?.1
    return AudioFormat(codec: codec ?? "aac", mediaType: "audio/mp4")
  }
}

/// MPEG-2 transport streams (ISO 13818-1), the segments of older HLS: the sound is looked for inside.
enum TransportStream {
  private static let packetBytes = 188
  /// Enough packets for some frames of every codec.
  private static let packetsMax = 400

  static func format(_ bytes: ArraySlice<UInt8>) -> AudioFormat? {
    guard bytes.count >= packetBytes * 2, bytes.at(0) == 0x47, bytes.at(packetBytes) == 0x47 else { return nil }
    var audio: Int?
    var sound: [UInt8] = []
    for number in 0..<min(bytes.count / packetBytes, packetsMax) {
      let packet = bytes.dropFirst(number * packetBytes).prefix(packetBytes)
      guard packet.at(0) == 0x47, let high = packet.at(1), let low = packet.at(2), let flags = packet.at(3) else {
        break
      }
      let program = (high & 0x1F) << 8 | low
      guard flags & 0x10 != 0 else { continue }
      // An adaptation field may stand before the payload.
      let skipped = flags & 0x20 != 0 ? 5 + (packet.at(4) ?? 0) : 4
      var payload = packet.dropFirst(skipped)
      if high & 0x40 != 0, payload.starts(with: [0, 0, 1]), let stream = payload.at(3), let header = payload.at(8) {
        // Streams of sound are C0 to DF.
        guard (0xC0...0xDF).contains(stream), audio == nil || audio == program else { continue }
        audio = program
        payload = payload.dropFirst(9 + header)
      } else if program != audio {
        continue
      }
      sound += payload
    }
    guard var format = MPEGFrames.format(sound[...]) else {
      return AudioFormat(codec: "aac", mediaType: "video/mp2t")
    }
    format.mediaType = "video/mp2t"
    return format
  }
}
