import Clocks
import Glibc

/// A programme of melodies as sound: 16,000 samples a second, 16 bits, one channel, the same for everybody who listens at
/// the same moment.
///
/// Sound is made a block of a quarter of a second at a time, and a block once, however many listen.
final class TonePlayer {
  nonisolated static let sampleRate = 16_000
  nonisolated static let blockSamples = 4_000
  nonisolated static let blockTime: Duration = .milliseconds(250)

  private let pieces: [Piece]
  /// Samples until it begins again.
  private let length: Int
  /// The last blocks that were made; listeners are at most some seconds apart.
  private var made: [Int: [UInt8]] = [:]
  private var order: [Int] = []
  private static let keptMax = 32

  /// One melody with its place in the programme.
  private struct Piece {
    var melody: Melody
    var start: Int
    var end: Int
    var tones: [Tone]
  }

  /// One key that is struck.
  private struct Tone {
    var start: Int
    var frequency: Double
    var loudness: Double
  }

  /// After a melody it is quiet for so long.
  private static let pause = sampleRate * 2
  /// A tone is no longer heard after that.
  private static let ring = sampleRate * 3

  init(_ melodies: [Melody]) {
    var pieces: [Piece] = []
    var place = 0
    for melody in melodies {
      let end = place + Int(melody.seconds * Double(Self.sampleRate)) + Self.pause
      pieces.append(Piece(melody: melody, start: place, end: end, tones: Self.tones(of: melody, from: place)))
      place = end
    }
    self.pieces = pieces
    // Whole blocks, so that a block is always made of the same samples.
    length = max(Self.blockSamples, (place + Self.blockSamples - 1) / Self.blockSamples * Self.blockSamples)
  }

  private static func tones(of melody: Melody, from start: Int) -> [Tone] {
    melody.voices.flatMap { voice in
      var beat = 0.0
      return voice.flatMap { note in
        let place = start + Int(beat * 60 / melody.beatsPerMinute * Double(sampleRate))
        beat += note.beats
        return note.keys.map { key in
          Tone(
            start: place, frequency: 440 * pow(2, Double(key - 69) / 12), loudness: key < 60 ? 0.16 : 0.24)
        }
      }
    }.sorted { $0.start < $1.start }
  }

  /// The number of the block that is on the air.
  nonisolated static func block(at time: WallTime) -> Int { Int(time.milliseconds / 250) }

  /// What is played in a block.
  func melody(in block: Int) -> Melody? {
    let place = start(of: block)
    return pieces.first { place < $0.end }?.melody
  }

  /// A block's samples, little-endian.
  func sound(of block: Int) -> [UInt8] {
    if let known = made[block] { return known }
    let bytes = samples(from: start(of: block))
    made[block] = bytes
    order.append(block)
    if order.count > Self.keptMax { made[order.removeFirst()] = nil }
    return bytes
  }

  private func start(of block: Int) -> Int { block % (length / Self.blockSamples) * Self.blockSamples }

  private func samples(from start: Int) -> [UInt8] {
    var sum = [Float](repeating: 0, count: Self.blockSamples)
    for piece in pieces where piece.start < start + Self.blockSamples && piece.end > start - Self.ring {
      for tone in piece.tones where tone.start < start + Self.blockSamples && tone.start > start - Self.ring {
        add(tone, to: &sum, from: start)
      }
    }
    return sum.flatMap { value in
      let sample = Int16(max(-1, min(1, value)) * 32_000)
      return [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
    }
  }

  /// A struck string: it begins at once, fades, and its overtones fade first.
  private func add(_ tone: Tone, to sum: inout [Float], from start: Int) {
    let step = tone.frequency / Double(Self.sampleRate)
    let fade = exp(-1 / (0.7 * Double(Self.sampleRate)))
    let first = max(0, tone.start - start)
    var age = start + first - tone.start
    var level = tone.loudness * pow(fade, Double(age))
    for index in first..<Self.blockSamples {
      guard age < Self.ring else { return }
      let phase = Double(age) * step
      let attack = age < Self.attack ? Double(age) / Double(Self.attack) : 1
      let overtone = level / tone.loudness
      let wave = Self.sine(phase) + 0.35 * overtone * Self.sine(phase * 2) + 0.15 * overtone * Self.sine(phase * 3)
      sum[index] += Float(wave * level * attack * 0.6)
      level *= fade
      age += 1
    }
  }

  /// Five milliseconds: shorter ones click.
  private static let attack = sampleRate / 200

  private static let table: [Double] = (0..<2_048).map { sin(Double($0) / 2_048 * 2 * .pi) }

  /// - Parameter phase: in turns.
  private static func sine(_ phase: Double) -> Double { table[Int(phase * 2_048) & 2_047] }
}
