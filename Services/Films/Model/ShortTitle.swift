import Drafts
import FilmFiles
import TextSearch

/// What programmes leave out of a title: "Jeanne Dielman" for all of her address, "パラサイト" without the half cellar, "&" for "and"; and "color" for "colour".
nonisolated enum ShortTitle {
  /// Fewer letters are too much like another title.
  private static let lettersMin = 6
  /// Of Han, kana and Hangul, which say more each.
  private static let syllablesMin = 4

  /// The title's shorter forms, folded; none that is hardly a name.
  static func keys(_ title: String) -> [String] {
    var keys = Set(
      [head(title), withoutArticle(title), withoutAnd(title), otherSpelling(title)].compactMap(\.self).map {
        FoldedText($0)
      }.filter(isName).map(\.text))
    keys.remove(FoldedText(title).text)
    return keys.sorted()
  }

  /// Before ": ", " - ", ", ", "/" or brackets; in Japanese before a blank too.
  private static func head(_ title: String) -> String? {
    let scalars = Array(title.unicodeScalars)
    let isJapanese = scalars.contains { (0x3040...0x30FF).contains($0.value) }
    let end = scalars.indices.dropFirst().first { index in
      switch scalars[index] {
      case ":", "：", ",", "、", "/", "／", "(", "（", "–", "—", "〜", "～": true
      case " ":
        isJapanese && scalars[index - 1].value >= 0x3040
          || index + 2 < scalars.count && scalars[index + 1] == "-" && scalars[index + 2] == " "
      default: false
      }
    }
    guard let end else { return nil }
    return String(String.UnicodeScalarView(scalars[..<end])).trimmed
  }

  private static func withoutArticle(_ title: String) -> String? {
    let words = title.split(separator: " ", maxSplits: 1)
    guard words.count == 2, Article.isOne(words[0]) else { return nil }
    return String(words[1])
  }

  /// "The Gleaners & I", where the sign is no letter.
  static func withoutAnd(_ title: String) -> String? {
    let words = title.split(separator: " ")
    let kept = words.filter { !["and", "et", "und"].contains($0.lowercased()) }
    return kept.count < words.count ? kept.joined(separator: " ") : nil
  }

  /// As the other English writes it.
  private static func otherSpelling(_ title: String) -> String? {
    let words = title.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let others = words.map { word in
      let folded = FoldedText(word).text
      return spellings[folded] ?? word
    }
    return others == words ? nil : others.joined(separator: " ")
  }

  private static let spellings: [String: String] = {
    var spellings: [String: String] = [:]
    for (british, american) in [
      ("colour", "color"), ("colours", "colors"), ("neighbour", "neighbor"), ("neighbours", "neighbors"),
      ("grey", "gray"), ("theatre", "theater"), ("centre", "center"), ("honour", "honor"), ("jewellery", "jewelry"),
    ] {
      spellings[british] = american
      spellings[american] = british
    }
    return spellings
  }()

  private static func isName(_ folded: FoldedText) -> Bool {
    let isLatin = folded.units.allSatisfy { $0 < 0x250 }
    return folded.units.count >= (isLatin ? lettersMin : syllablesMin)
  }
}
