import Festivals
import TestKit
import Testing

@Suite("Programmes of festivals, altered")
struct FuzzingTests {
  @Test("whatever can be read of an altered file is written and reads back, in every format")
  func altered() {
    let samples = [Sample.xml, Sample.octavSessions, Sample.calendar, Sample.rows, Sample.octavConference]
    let pieces = [
      "", "0", "9", "-", "|", ",", "\"", "<", ">", "&amp;", "]]>", "\n", " ", ":", "T", "Z", "+09:00", "23:59", "00:00",
      "\u{301}", "\u{1F}", "관", "10000000000", "2026-02-29", "1969-12-31",
    ]
    for seed in 0..<40 as Range<UInt64> {
      var random = SplitMix(state: seed)
      for sample in samples {
        var bytes = Array(sample.utf8)
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          let start = Int.random(in: 0..<bytes.count, using: &random)
          let end = min(bytes.count, start + Int.random(in: 0...4, using: &random))
          bytes.replaceSubrange(start..<end, with: Array(pieces.randomElement(using: &random)!.utf8))
        }
        FestivalsFuzzing.run(bytes)
      }
    }
  }
}

private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
