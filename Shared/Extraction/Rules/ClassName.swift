/// The name of a class: chosen by somebody, or made up by a program that builds styles.
///
///     film-card, showtime         css-1x2y3z, sc-bdVaJa, FilmCard_root__9k8j7
enum ClassName {
  /// Programs write these before what they make up.
  private static let prefixes: Set<String> = ["css", "sc", "jsx", "jss", "emotion", "svelte", "astro", "tss"]
  /// Shorter parts are abbreviations: "col", "btn", "h2".
  private static let randomMin = 4

  /// Whether it may be another one when the site is next built.
  static func isGenerated(_ name: String) -> Bool {
    let parts = name.utf8.split(whereSeparator: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") })
    if let first = parts.first, parts.count >= 2, prefixes.contains(String(decoding: first, as: UTF8.self)) {
      return true
    }
    return parts.contains { isRandom(Array($0)) }
  }

  /// Letters and digits mixed, capitals in the midst, or hardly a vowel.
  private static func isRandom(_ part: [UInt8]) -> Bool {
    guard part.count >= randomMin else { return false }
    let letters = part.prefix { !isDigitByte($0) }.count
    // "item12" counts; "9k8j7h" does not.
    let digits = part[letters...].prefix(while: isDigitByte).count
    if letters + digits < part.count || letters == 0 { return true }
    let capitals = zip(part, part.dropFirst()).count { isLower($0) && isUpper($1) }
    if capitals * 4 > part.count { return true }
    let vowels = part.count { "aeiouyAEIOUY".utf8.contains($0) }
    return letters == part.count && part.count >= 5 && vowels * 5 < part.count
  }

  private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
  private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
}
