/// Whether sound is nothing but silence, as far as that can be told without decoding it: of PCM by its samples, of MP3 and
/// AAC by frames that carry nothing.
package enum Silence {
  /// - Returns: nil where it cannot be told.
  package static func fills(_ bytes: [UInt8]) -> Bool? {
    let sound = ID3Tag.skipped(in: bytes[...])
    return WaveHeader.isSilent(sound) ?? MPEGFrames.isSilent(sound)
  }

  /// Less says nothing: every song has pauses.
  static let sampleBytesMin = 4_096
}

extension WaveHeader {
  /// One in two thousand of what 16 bits can tell.
  private static let quiet = 16

  static func isSilent(_ bytes: ArraySlice<UInt8>) -> Bool? {
    guard bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WAVE".utf8) else { return nil }
    var place = 12
    var bits: Int?
    while let size = bytes.littleEndian(place + 4, bytes: 4) {
      let chunk = bytes.dropFirst(place)
      if chunk.starts(with: "fmt ".utf8), chunk.littleEndian(8, bytes: 2) == 1 {
        bits = chunk.littleEndian(22, bytes: 2)
      } else if chunk.starts(with: "data".utf8) {
        let samples = chunk.dropFirst(8)
        guard samples.count >= Silence.sampleBytesMin else { return nil }
        switch bits {
        case 8: return samples.allSatisfy { (127...129).contains($0) }
        case 16:
          return stride(from: samples.startIndex, to: samples.endIndex - 1, by: 2).allSatisfy { place in
            abs(Int(Int16(truncatingIfNeeded: Int(samples[place]) | Int(samples[place + 1]) << 8))) <= quiet
          }
        default: return nil
        }
      }
      place += 8 + size + size % 2
    }
    return nil
  }
}
