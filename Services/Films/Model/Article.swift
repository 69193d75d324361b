/// The articles that a title may begin with, and that programmes leave out or put behind it: "Third Man, The".
nonisolated enum Article {
  static func isOne(_ word: some StringProtocol) -> Bool { words.contains(word.lowercased()) }

  private static let words: Set<String> = [
    "the", "a", "an", "le", "la", "les", "l'", "l’", "un", "une", "der", "die", "das", "el", "los", "las", "il", "lo",
    "gli", "i", "o", "os",
  ]
}
