/// Frames of MPEG audio (ISO 11172-3, 13818-3) and of ADTS (ISO 13818-7), of which a stream may be entered in the middle.
enum MPEGFrames {
  /// One frame's header.
  private struct Frame {
    var length: Int
    var codec: String
    var kilobits: Int?
    var sampleRate: Int
    var channels: Int
    var samples: Int

    func isOfSameStream(as other: Frame) -> Bool { codec == other.codec && sampleRate == other.sampleRate }
  }

  /// So many in a row are no chance: each header has 11 to 16 fixed bits.
  private static let framesNeeded = 3
  /// Longer than any frame: the first one begins before that.
  private static let searched = 8_192

  static func format(_ bytes: ArraySlice<UInt8>) -> AudioFormat? {
    for start in bytes.indices.prefix(searched) {
      guard bytes[start] == 0xFF, let frames = run(bytes[start...]), let first = frames.first else { continue }
      return AudioFormat(
        codec: first.codec, mediaType: first.codec == "aac" ? "audio/aac" : "audio/mpeg", kilobits: rate(of: frames),
        sampleRate: first.sampleRate, channels: first.channels)
    }
    return nil
  }

  /// Whether no frame carries anything; nil of layers I and II, and where there are not enough frames.
  static func isSilent(_ bytes: ArraySlice<UInt8>) -> Bool? {
    for start in bytes.indices.prefix(searched) {
      guard bytes[start] == 0xFF, let frames = run(bytes[start...]), let first = frames.first else { continue }
      guard first.codec == "aac" || first.codec == "mp3" else { return nil }
      var rest = bytes[start...]
      for frame in frames where frame.length <= rest.count {
        let carries = first.codec == "aac" ? frame.length > emptyAAC : carriesSound(rest, channels: frame.channels)
        if carries { return false }
        rest = rest.dropFirst(frame.length)
      }
      return true
    }
    return nil
  }

  /// An AAC frame of silence has some six bytes behind its header.
  private static let emptyAAC = 9 + 16

  /// Whether any of a frame's granules has a part of the sound: `part2_3_length` of its side information (ISO 11172-3,
  /// 2.4.1.7).
  private static func carriesSound(_ frame: ArraySlice<UInt8>, channels: Int) -> Bool {
    guard let second = frame.at(1) else { return true }
    let isFirst = second >> 3 & 3 == 3
    let side = (second & 1 == 0 ? 6 : 4) * 8
    let before = isFirst ? (channels == 1 ? 18 : 20) : (channels == 1 ? 9 : 10)
    let (granules, bits) = isFirst ? (2, 59) : (1, 63)
    return (0..<granules * channels).contains { part in
      let place = side + before + part * bits
      guard let word = frame.bigEndian(place / 8, bytes: 3) else { return true }
      return word >> (12 - place % 8) & 0xFFF != 0
    }
  }

  /// The frames that begin here, if enough follow each other or reach to the end.
  private static func run(_ bytes: ArraySlice<UInt8>) -> [Frame]? {
    var frames: [Frame] = []
    var rest = bytes
    while let frame = frame(rest) {
      if let first = frames.first, !frame.isOfSameStream(as: first) { break }
      frames.append(frame)
      guard frame.length < rest.count else { break }
      rest = rest.dropFirst(frame.length)
    }
    return frames.count >= framesNeeded ? frames : nil
  }

  /// Kilobits a second, from the bytes and the time of all frames: right for constant and for variable rates.
  private static func rate(of frames: [Frame]) -> Int? {
    let samples = frames.reduce(0) { $0 + $1.samples }
    guard samples > 0, let rate = frames.first?.sampleRate else { return nil }
    if let told = frames[0].kilobits, frames.allSatisfy({ $0.kilobits == told }) { return told }
    let bits = frames.reduce(0) { $0 + $1.length * 8 }
    return (bits * rate / samples + 500) / 1_000
  }

  private static func frame(_ bytes: ArraySlice<UInt8>) -> Frame? {
    guard let first = bytes.at(0), let second = bytes.at(1), let third = bytes.at(2), let fourth = bytes.at(3),
      first == 0xFF, second & 0xE0 == 0xE0
    else { return nil }
    return second & 0xF6 == 0xF0 ? advanced(bytes, second, third, fourth) : classic(second, third, fourth)
  }

  // MARK: ADTS

  private static let sampleRates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
  ]

  private static func advanced(_ bytes: ArraySlice<UInt8>, _ second: Int, _ third: Int, _ fourth: Int) -> Frame? {
    guard let fifth = bytes.at(4), let sixth = bytes.at(5), let seventh = bytes.at(6),
      case let index = third >> 2 & 15, index < sampleRates.count
    else { return nil }
    let length = (fourth & 3) << 11 | fifth << 3 | sixth >> 5
    guard length >= (second & 1 == 1 ? 7 : 9) else { return nil }
    let configuration = (third & 1) << 2 | fourth >> 6
    let blocks = (seventh & 3) + 1
    return Frame(
      length: length, codec: "aac", sampleRate: sampleRates[index],
      channels: configuration == 7 ? 8 : configuration == 0 ? 2 : configuration, samples: 1_024 * blocks)
  }

  // MARK: Layers I to III

  private static func classic(_ second: Int, _ third: Int, _ fourth: Int) -> Frame? {
    let (version, layer) = (second >> 3 & 3, 4 - (second >> 1 & 3))
    let (rateIndex, sampleIndex) = (third >> 4, third >> 2 & 3)
    guard version != 1, layer < 4, sampleIndex < 3, rateIndex > 0, rateIndex < 15 else { return nil }
    let isFirst = version == 3
    let sampleRate = [44_100, 48_000, 32_000][sampleIndex] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    let kilobits = rates(isFirst, layer)[rateIndex - 1]
    let padding = third >> 1 & 1
    let samples = layer == 1 ? 384 : layer == 3 && !isFirst ? 576 : 1_152
    let length =
      layer == 1
      ? (12_000 * kilobits / sampleRate + padding) * 4 : samples / 8 * 1_000 * kilobits / sampleRate + padding
    return Frame(
      length: length, codec: "mp\(layer)", kilobits: kilobits, sampleRate: sampleRate,
      channels: fourth >> 6 == 3 ? 1 : 2, samples: samples)
  }

  private static func rates(_ isFirst: Bool, _ layer: Int) -> [Int] {
    switch (isFirst, layer) {
    case (true, 1): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
    case (true, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    case (true, _): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    case (false, 1): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
    case (false, _): [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    }
  }
}
