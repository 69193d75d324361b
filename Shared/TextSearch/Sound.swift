/// Latin letters as they roughly sound, so that one name spelt by two people is one key.
///
/// 시네마 is `sinema` by the rules and `cinema` to its owners; both sound `sinema` here. It is approximate on purpose, and
/// what it finds stands behind everything that is spelt as asked.
enum Sound {
  /// - Returns: the sounds and, for each, the index of the letter that it came from.
  static func of(_ letters: [UInt8]) -> (sounds: [UInt8], sources: [Int]) {
    var sounds: [UInt8] = []
    var sources: [Int] = []
    var index = 0
    while index < letters.count {
      let next = index + 1 < letters.count ? letters[index + 1] : 0
      let (sound, length) = sound(letters[index], next, after: sounds.last)
      // Doubled letters sound once.
      if let sound, sounds.last != sound {
        sounds.append(sound)
        sources.append(index)
      }
      index += length
    }
    return (sounds, sources)
  }

  private static func sound(_ letter: UInt8, _ next: UInt8, after last: UInt8?) -> (sound: UInt8?, length: Int) {
    if let sound = pairs[UInt16(letter) << 8 | UInt16(next)] { return (sound, 2) }
    // Soft before these: cinema, city.
    if letter == UInt8(ascii: "c"), "eiy".utf8.contains(next) { return (UInt8(ascii: "s"), 1) }
    guard letter == UInt8(ascii: "y") else { return (singles[letter] ?? letter, 1) }
    // 큐 is kyu by the rules and cu in its English name.
    let isGlide = last.map { !vowels.contains($0) } == true && vowels.contains(next)
    return (isGlide ? nil : UInt8(ascii: "i"), 1)
  }

  private static let vowels = Array("aeiou".utf8)

  private static let pairs: [UInt16: UInt8] = {
    let pairs = [
      "chj", "shs", "php", "tht", "tss", "eoo", "ouo", "euu", "oou", "aee", "oee", "eei", "uii",
    ]
    return Dictionary(
      uniqueKeysWithValues: pairs.map { pair in
        let letters = Array(pair.utf8)
        return (UInt16(letters[0]) << 8 | UInt16(letters[1]), letters[2])
      })
  }()

  private static let singles: [UInt8: UInt8] = {
    let pairs = ["gk", "qk", "ck", "xk", "dt", "bp", "fp", "vp", "lr", "zj"].map { Array($0.utf8) }
    return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
  }()
}
