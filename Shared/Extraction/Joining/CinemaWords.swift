/// Words that say that a place shows films.
enum CinemaWords {
  private static let words: Set<String> = [
    "cinema", "cinemas", "kino", "kinos", "cine", "cines", "theatre", "theater", "picturehouse", "film", "films",
    "movie",
    "movies", "bioscoop", "bioskop", "filmhuis", "filmtheater", "lichtspiele", "lichtspielhaus", "filmtheater",
    "cinematheque",
    "cinematek", "filmoteca", "cineteca", "multiplex", "odeon", "imax", "drive", "programmkino", "filmhaus",
    "filmpalast",
    "kinemathek", "multisala", "multicine",
    "multicines", "arthouse", "cinéma", "movietheater", "screening", "screenings",
    "filmfestival", "biograf", "biografen", "mozi", "sinema", "sinemasi", "elokuvateatteri", "kinoteatr", "кино",
    "кинотеатр", "кінотеатр", "σινεμα", "κινηματογραφος",
  ]
  private static let unspaced = [
    "시네마", "극장", "영화관", "씨네", "아트하우스", "상영", "시네마테크", "シネマ", "映画館", "劇場", "シアター", "ミニシアター", "キネマ", "映画", "영화",
    "קולנוע", "סינמטק", "戲院", "戏院", "影院", "影城", "影劇院", "電影中心", "电影中心", "放映院", "電影館",
  ]

  private static let unspacedWords = WordList(unspaced)

  private static let programmes = [
    "now showing", "now playing", "coming soon", "coming up", "upcoming", "next week", "this week", "today", "tonight",
    "what's on", "what’s on", "whats on", "program ", "programme ", "programma ", "programul ", "repertuar ",
    "repertoár ", "cartelera ", "horaires ", "spielplan ",
  ]

  /// Whether a heading is the name of a cinema: "Moss Cinema", "씨네큐브", not "Film times".
  static func isName(_ text: String) -> Bool {
    let folded = text.lowercased().unicodeScalars.split(whereSeparator: { !$0.properties.isAlphabetic }).map {
      String(Substring($0)).foldedKey
    }
    // "Seniorenkino: Wiener Walzer" is a film.
    guard folded.count <= 6, !text.utf8.contains(UInt8(ascii: ":")) else { return false }
    // "Coming Soon at Moss Cinema" heads films.
    let lower = text.lowercased()
    if programmes.contains(where: { lower.hasPrefix($0) }) { return false }
    // "Moss Cinema on Facebook"
    if folded.count > 2, folded.contains(where: { word in networks.contains { word.hasPrefix($0) } }) { return false }
    if notices.contains(where: { text.hasSuffix($0) }) { return false }
    if unspaced.contains(where: { text.holds($0) && $0 != "상영" && $0 != "映画" && $0 != "영화" }) {
      return !PageWords.isLabel(text)
    }
    let strict = [
      "cinema", "kino", "picturehouse", "bioscoop", "filmhuis", "filmtheater", "lichtspiele", "cinematheque",
      "filmoteca", "cineteca", "odeon", "theatre", "theater", "cine", "filmhaus", "filmpalast", "cines", "multisala",
      "multicine", "multicines", "biograf", "biografen", "sinemasi", "elokuvateatteri", "кинотеатр", "кінотеатр",
      "σινεμα",
    ]
    return folded.count >= 2
      && folded.contains { word in
        strict.contains(word) || word.hasSuffix("kino") || word.hasSuffix("lichtspiele") || namesChain(word)
      }
      && !folded.contains {
        ["in", "our", "at", "now", "times", "programme", "program", "programm", "club", "tickets", "the"].contains($0)
          && folded.count <= 2
      }
  }

  /// "Moss Theatre" of "Moss Theatre Movie Guide" and of "July's screenings at Moss Theatre!".
  static func house(in text: String) -> String {
    guard text.utf8.count <= headingBytesMax else { return text }
    let lower = text.lowercased()
    for guide in guides {
      var rest: Substring?
      if lower.hasSuffix(" \(guide)") {
        rest = text.dropLast(guide.count)
      } else if lower.utf8.count == text.utf8.count, let place = lower.firstPlace(of: "\(guide) at ") {
        rest = text[place.upperBound...]
      }
      if let name = rest.map({ LineRest.trimmed(String($0.filter { $0 != "!" })) }), isName(name) { return name }
    }
    return text
  }

  private static let headingBytesMax = 120

  /// What a house calls the page that lists its films.
  private static let guides = [
    "movie guide", "film guide", "film calendar", "movie calendar", "calendar", "screenings", "movies", "films",
    "guide",
    "showings", "repertoire",
  ]

  /// "Cineplex", "Cinestar", "Cinépolis"
  private static func namesChain(_ word: String) -> Bool {
    word.hasPrefix("cine") && word.utf8.count >= 7 && !art.contains { word.hasPrefix($0) }
  }

  private static let art = ["cinema", "cineast", "cinephil", "cinefil", "cinethe", "cineclub", "cineform"]

  /// "劇場からのお知らせ", "영화관 안내": what a house tells.
  private static let notices = ["お知らせ", "ご案内", "案内", "について", "情報", "안내", "공지", "정보", "公告", "須知"]

  private static let networks = ["facebook", "instagram", "twitter", "youtube", "tiktok", "letterboxd"]

  /// Whether a name or a title speaks of films being shown.
  static func isCinema(_ text: String) -> Bool {
    let lower = text.lowercased()
    for word in lower.unicodeScalars.split(whereSeparator: { !$0.properties.isAlphabetic }) {
      let folded = String(Substring(word)).foldedKey
      if words.contains(folded) || folded.hasPrefix("cinema") || folded.hasSuffix("kino")
        || folded.hasSuffix("lichtspiele") || folded.hasPrefix("cinecl")
      {
        return true
      }
    }
    return unspacedWords.isIn(lower)
  }
}
