/// Ids made of names: `tokyo-story` of "Tokyo Story!".
package enum Slug {
  /// Longer ones are cut: an id with what stands before and behind it has at most 80 bytes.
  private static let bytesMax = 60

  /// Of a name in Latin letters and digits; nil where it has none or has others, which an id cannot hold.
  package static func of(_ name: String) -> String? {
    let folded = FoldedText(name)
    guard !folded.units.isEmpty, folded.units.allSatisfy({ $0 < 0x80 }) else { return nil }
    return String(hyphenated(folded).prefix(bytesMax))
  }

  /// The words in small letters, with hyphens between them; letters of any script.
  package static func hyphenated(_ folded: FoldedText) -> String {
    var view = String.UnicodeScalarView()
    for (unit, startsWord) in zip(folded.units, folded.startsWord) {
      if startsWord, !view.isEmpty { view.append("-") }
      if let scalar = Unicode.Scalar(unit) { view.append(scalar) }
    }
    return String(view)
  }

  /// Of a name in any letters: what is Latin of it, if anything is, and a number that it always has again, so that who
  /// imports a list twice gets the same ids.
  package static func numbered(_ name: String, otherwise word: String) -> String {
    if let slug = of(name) { return slug }
    let latin = String.UnicodeScalarView(
      name.lowercased().unicodeScalars.map { $0.isASCII || $0.properties.isAlphabetic && $0.value < 0x250 ? $0 : " " })
    let slug = of(String(latin)) ?? word
    // FNV-1a
    let number = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return slug + "-" + String(number, radix: 36)
  }
}
