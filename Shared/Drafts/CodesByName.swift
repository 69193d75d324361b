/// Codes by what they are called, from lines as "KR 한국|South Korea".
enum CodesByName {
  /// The names in small letters.
  static func read(_ lines: [String]) -> [String: String] {
    var codes: [String: String] = [:]
    for line in lines {
      let words = line.split(separator: " ", maxSplits: 1)
      for name in words[1].split(separator: "|") { codes[name.lowercased()] = String(words[0]) }
    }
    return codes
  }
}
