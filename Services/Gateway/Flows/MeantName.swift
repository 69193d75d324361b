import TextSearch

/// Which name somebody meant who asked for one that there is not: the one that is the fewest slips away.
///
/// The services forgive a slip or two of a word by themselves. Beyond that, a name with some slips still has a part without
/// any: each part is asked for, and what is found so is compared with the whole.
nonisolated struct MeantName {
  private let asked: FoldedText
  /// What to ask for.
  let pieces: [String]
  private let slipsMax: Int
  private(set) var best: String?
  private var bestSlips = Int.max

  /// More slips are another name, however long it is.
  static let slipsEverMax = 3
  /// A slip to so many letters: in a shorter name it would make any name of any other.
  static let lettersASlip = 3
  /// Parts that are asked for; each is a question to every service.
  static let piecesMax = 4

  init(_ text: String) {
    asked = FoldedText(text, unitsMax: 100)
    slipsMax = min(asked.units.count / Self.lettersASlip, Self.slipsEverMax)
    pieces = slipsMax > 0 ? Self.pieces(of: asked, slipsMax) : []
  }

  /// Its words, or if it is one word parts of it, of which one is right although the whole has so many slips.
  private static func pieces(of asked: FoldedText, _ slipsMax: Int) -> [String] {
    let units = asked.units
    var words = asked.startsWord.indices.filter { asked.startsWord[$0] }
    words.append(units.count)
    var ranges = zip(words, words.dropFirst()).map { $0..<$1 }
    if ranges.count < 2 {
      // Two letters of Latin are in half of all names; a syllable or a character says more.
      let least = units.allSatisfy { $0 < 0x300 } ? 3 : 1
      let count = max(1, min(slipsMax + 1, units.count / least))
      ranges = (0..<count).map { (units.count * $0 / count)..<(units.count * ($0 + 1) / count) }
    }
    // The longest say most.
    return ranges.filter { $0.count < units.count }.sorted { $0.count > $1.count }.prefix(piecesMax)
      .map { FoldedText.text(of: units[$0]) }
  }

  /// A name that there is.
  mutating func consider(_ name: String) {
    guard let slips = asked.slips(to: FoldedText(name), atMost: min(slipsMax, bestSlips - 1)) else { return }
    (best, bestSlips) = (name, slips)
  }
}
