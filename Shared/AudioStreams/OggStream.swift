/// Pages of Ogg (RFC 3533): what the first packet of the stream says of itself.
enum OggStream {
  static func format(_ bytes: ArraySlice<UInt8>) -> AudioFormat? {
    guard bytes.starts(with: "OggS".utf8), let first = page(bytes) else { return nil }
    let packet = first.body
    if packet.starts(with: [0x01] + Array("vorbis".utf8)) {
      let nominal = packet.littleEndian(20, bytes: 4) ?? 0
      return AudioFormat(
        codec: "vorbis", mediaType: "audio/ogg",
        kilobits: (1...10_000_000).contains(nominal) ? (nominal + 500) / 1_000 : nil,
        sampleRate: packet.littleEndian(12, bytes: 4), channels: packet.at(11))
    }
    if packet.starts(with: "OpusHead".utf8) {
      return AudioFormat(
        codec: "opus", mediaType: "audio/ogg", kilobits: measured(bytes), sampleRate: 48_000, channels: packet.at(9))
    }
    if packet.starts(with: [0x7F] + Array("FLAC".utf8)) {
      let inner = FLACHeader.format(packet.dropFirst(9))
      return AudioFormat(
        codec: "flac", mediaType: "audio/ogg", sampleRate: inner?.sampleRate, channels: inner?.channels)
    }
    if packet.starts(with: "Speex   ".utf8) {
      return AudioFormat(
        codec: "speex", mediaType: "audio/ogg", sampleRate: packet.littleEndian(36, bytes: 4),
        channels: packet.littleEndian(48, bytes: 4))
    }
    return nil
  }

  private struct Page {
    var body: ArraySlice<UInt8>
    /// Samples up to here; nil where no packet ends.
    var position: Int?
    var end: Int
  }

  private static func page(_ bytes: ArraySlice<UInt8>) -> Page? {
    guard bytes.starts(with: "OggS".utf8), bytes.at(4) == 0, let segments = bytes.at(26), bytes.count >= 27 + segments
    else { return nil }
    let sizes = bytes.dropFirst(27).prefix(segments).reduce(0) { $0 + Int($1) }
    // Greater positions than this are no time at all.
    let position = bytes.littleEndian(6, bytes: 8).flatMap { (0..<1 << 52).contains($0) ? $0 : nil }
    return Page(
      body: bytes.dropFirst(27 + segments).prefix(sizes), position: position,
      end: bytes.startIndex + 27 + segments + sizes)
  }

  /// Opus says nowhere how many bits it takes: they are counted between two pages.
  private static func measured(_ bytes: ArraySlice<UInt8>) -> Int? {
    var rest = bytes
    var first: (position: Int, end: Int)?
    var last: (position: Int, end: Int)?
    while let page = page(rest), page.end <= bytes.endIndex {
      if let position = page.position, position > 0 {
        if first == nil { first = (position, page.end) } else { last = (position, page.end) }
      }
      rest = bytes[page.end...]
    }
    guard let first, let last, last.position > first.position else { return nil }
    return ((last.end - first.end) * 8 * 48_000 / (last.position - first.position) + 500) / 1_000
  }
}
