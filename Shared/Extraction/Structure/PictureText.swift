import HTML

/// What a picture's text says it shows: "Poster for Silt", "Silt poster" are Silt's.
enum PictureText {
  static func subject(of text: String) -> String {
    let lower = text.lowercased()
    // Letters that grow in lower case are none of these words'.
    guard lower.utf8.count == text.utf8.count else { return text }
    if let word = openings.first(where: { lower.hasPrefix($0) }) {
      return named(text, String(text.utf8.dropFirst(word.utf8.count)) ?? text)
    }
    if let word = endings.first(where: { lower.hasSuffix($0) }) {
      return named(text, String(text.utf8.dropLast(word.utf8.count)) ?? text)
    }
    return text
  }

  /// A film may be called "The Poster".
  private static func named(_ text: String, _ subject: String) -> String {
    let subject = subject.trimmedText
    return subject.unicodeScalars.count(where: \.properties.isAlphabetic) >= lettersMin ? subject : text
  }

  private static let lettersMin = 4

  private static let openings: [String] =
    pictures.flatMap { picture, joints in joints.map { "\(picture) \($0) " } }
    + ["poster: ", "image: ", "affiche : ", "affiche: ", "plakat: ", "locandina: ", "póster: ", "cartel: "]

  private static let pictures: [(String, [String])] = [
    ("poster", ["for", "of", "van", "zu", "de", "du film", "di"]), ("film poster", ["for", "of"]),
    ("movie poster", ["for", "of"]), ("artwork", ["for"]), ("cover image", ["for", "of"]),
    ("image", ["for", "of", "from", "du film"]), ("still", ["from", "of"]), ("film still", ["from", "of"]),
    ("a still", ["from"]), ("still image", ["from"]), ("picture", ["of"]), ("photo", ["of", "from"]),
    ("affiche", ["de", "du film", "du"]), ("filmplakat", ["zu", "von"]), ("plakat", ["zu", "von", "filmu"]),
    ("locandina", ["di", "del film"]), ("cartel", ["de"]), ("póster", ["de"]), ("filmposter", ["van", "voor"]),
  ]

  private static let endings = [
    " film poster", " movie poster", " (poster)", " - poster", " poster", " filmplakat", " film still",
    " 포스터", "のポスター", " ポスター",
  ]
}
