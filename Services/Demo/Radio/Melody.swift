/// A melody that belongs to nobody any more, note by note.
///
///     "e4:1 e4:1 f4:1 g4:1 | …"      a note and its beats; bars are for the eye; `-` is a rest, `c4+e4` a chord
nonisolated struct Melody: Sendable {
  let composer: String
  let title: String
  let beatsPerMinute: Double
  /// Sung at the same time, each from the beginning.
  let voices: [[Note]]

  struct Note: Hashable, Sendable {
    /// Keys as MIDI counts them: 69 is the A of 440 Hz. None is a rest.
    var keys: [Int]
    var beats: Double
  }

  init(_ composer: String, _ title: String, beatsPerMinute: Double, _ voices: String...) {
    self.composer = composer
    self.title = title
    self.beatsPerMinute = beatsPerMinute
    self.voices = voices.map { text in
      text.split { $0 == " " || $0 == "\n" }.filter { $0 != "|" }.map { Note(written: $0) }
    }
  }

  /// How long it takes, in seconds.
  var seconds: Double {
    (voices.map { $0.reduce(0) { $0 + $1.beats } }.max() ?? 0) * 60 / beatsPerMinute
  }
}

nonisolated extension Melody.Note {
  fileprivate init(written text: Substring) {
    let parts = text.split(separator: ":")
    guard parts.count == 2, let beats = Double(parts[1]) else {
      preconditionFailure("“\(text)” is no note; write c4:1, c4+e4:2 or -:1")
    }
    self.beats = beats
    keys = parts[0] == "-" ? [] : parts[0].split(separator: "+").map(Self.key)
  }

  private static func key(_ text: Substring) -> Int {
    let steps: [Character: Int] = ["c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11]
    guard let name = text.first.flatMap({ steps[$0] }), let octave = text.last?.wholeNumberValue else {
      preconditionFailure("“\(text)” is no key; write c4, f#5 or bb3")
    }
    let accidental = text.dropFirst().dropLast()
    return 12 * (octave + 1) + name + (accidental == "#" ? 1 : accidental == "b" ? -1 : 0)
  }
}

nonisolated extension Melody {
  static let odeToJoy = Melody(
    "Ludwig van Beethoven", "An die Freude", beatsPerMinute: 112,
    """
    e4:1 e4:1 f4:1 g4:1 | g4:1 f4:1 e4:1 d4:1 | c4:1 c4:1 d4:1 e4:1 | e4:1.5 d4:0.5 d4:2 |
    e4:1 e4:1 f4:1 g4:1 | g4:1 f4:1 e4:1 d4:1 | c4:1 c4:1 d4:1 e4:1 | d4:1.5 c4:0.5 c4:2 |
    d4:1 d4:1 e4:1 c4:1 | d4:1 e4:0.5 f4:0.5 e4:1 c4:1 | d4:1 e4:0.5 f4:0.5 e4:1 d4:1 | c4:1 d4:1 g3:1 e4:1 |
    e4:1 e4:1 f4:1 g4:1 | g4:1 f4:1 e4:1 d4:1 | c4:1 c4:1 d4:1 e4:1 | d4:1.5 c4:0.5 c4:2
    """,
    """
    c3:2 g3:2 | c3:2 g3:2 | c3:2 g3:2 | g2:2 g3:2 | c3:2 g3:2 | c3:2 g3:2 | c3:2 g3:2 | g2:2 c3:2 |
    g2:2 c3:2 | g2:2 c3:2 | g2:2 e3:2 | a2:2 g2:2 | c3:2 g3:2 | c3:2 g3:2 | c3:2 g3:2 | g2:2 c3:2
    """)

  static let arirang = Melody(
    "전통", "아리랑", beatsPerMinute: 96,
    """
    g4:1.5 a4:0.5 g4:0.5 a4:0.5 | c5:1.5 d5:0.5 c5:0.5 d5:0.5 | e5:1 d5:0.5 e5:0.5 c5:0.5 a4:0.5 |
    g4:1.5 a4:0.5 g4:0.5 a4:0.5 | c5:1.5 d5:0.5 c5:0.5 d5:0.5 | e5:0.5 d5:0.5 c5:0.5 a4:0.5 g4:0.5 a4:0.5 |
    c5:1.5 d5:0.5 c5:1 | c5:3 |
    g5:2 g5:1 | g5:1 e5:1 d5:1 | e5:1 d5:0.5 e5:0.5 c5:0.5 a4:0.5 | g4:1.5 a4:0.5 g4:0.5 a4:0.5 |
    c5:1.5 d5:0.5 c5:0.5 d5:0.5 | e5:0.5 d5:0.5 c5:0.5 a4:0.5 g4:0.5 a4:0.5 | c5:1.5 d5:0.5 c5:1 | c5:3
    """,
    """
    c3:3 | c3:3 | a2:3 | c3:3 | c3:3 | g2:3 | c3:3 | c3:3 | c3:3 | c3:3 | a2:3 | c3:3 | c3:3 | g2:3 | c3:3 | c3:3
    """)

  static let sakura = Melody(
    "日本古謡", "さくらさくら", beatsPerMinute: 84,
    """
    a4:1 a4:1 b4:2 | a4:1 a4:1 b4:2 | a4:1 b4:1 c5:1 b4:1 | a4:1 b4:0.5 a4:0.5 f4:2 |
    e4:1 c4:1 e4:1 f4:1 | e4:1 e4:0.5 c4:0.5 b3:2 | a4:1 b4:1 c5:1 b4:1 | a4:1 b4:0.5 a4:0.5 f4:2 |
    e4:1 c4:1 e4:1 f4:1 | e4:1 e4:0.5 c4:0.5 b3:2 | a4:1 a4:1 b4:2 | a4:1 a4:1 b4:2 | e4:1 f4:1 b4:0.5 a4:0.5 f4:1 | e4:4
    """)

  static let gymnopedie = Melody(
    "Erik Satie", "Gymnopédie No. 1", beatsPerMinute: 72,
    """
    -:3 | -:3 | -:3 | -:3 | -:1 f#5:1 a5:1 | g5:1 f#5:1 c#5:1 | b4:1 c#5:1 d5:1 | a4:3 | f#4:3 | -:3 | -:3 | -:3 |
    -:1 f#5:1 a5:1 | g5:1 f#5:1 c#5:1 | b4:1 c#5:1 d5:1 | a4:3 | c#5:3 | f#5:3 | e4:3 | -:3
    """,
    """
    g2:1 b3+d4+f#4:2 | d2:1 a3+c#4+f#4:2 | g2:1 b3+d4+f#4:2 | d2:1 a3+c#4+f#4:2 | g2:1 b3+d4+f#4:2 |
    d2:1 a3+c#4+f#4:2 | g2:1 b3+d4+f#4:2 | d2:1 a3+c#4+f#4:2 | g2:1 b3+d4+f#4:2 | d2:1 a3+c#4+f#4:2 |
    g2:1 b3+d4+f#4:2 | d2:1 a3+c#4+f#4:2 | g2:1 b3+d4+f#4:2 | d2:1 a3+c#4+f#4:2 | g2:1 b3+d4+f#4:2 |
    d2:1 a3+c#4+f#4:2 | f#2:1 a3+c#4+f#4:2 | b2:1 b3+d4+f#4:2 | e2:1 g3+b3+e4:2 | d2:1 a3+c#4+f#4:2
    """)

  static let prelude = Melody(
    "Johann Sebastian Bach", "Präludium C-Dur, BWV 846", beatsPerMinute: 66,
    [
      "c4 e4 g4 c5 e5", "c4 d4 a4 d5 f5", "b3 d4 g4 d5 f5", "c4 e4 g4 c5 e5", "c4 e4 a4 e5 a5", "c4 d4 f#4 a4 d5",
      "b3 d4 g4 d5 g5", "b3 c4 e4 g4 c5", "a3 c4 e4 g4 c5", "d3 a3 d4 f#4 c5", "g3 b3 d4 g4 b4", "c3 e3 g3 c4 e4",
    ].map { chord in
      let keys = chord.split(separator: " ")
      let half = [0, 1, 2, 3, 4, 2, 3, 4].map { "\(keys[$0]):0.25" }.joined(separator: " ")
      return half + " " + half
    }.joined(separator: " | "))
}
