/// Words by which an article is known to tell of films, and a name in quotation marks to be a house's.
enum ProseWords {
  /// Whether a text is about films that are shown.
  static func speakOfFilms(_ text: String) -> Bool {
    let lower = text.lowercased()
    return lower.unicodeScalars.split(whereSeparator: { !$0.properties.isAlphabetic }).contains { word in
      let folded = String(Substring(word)).foldedKey
      return words.contains(folded) || stems.contains { folded.hasPrefix($0) }
    } || unspacedWords.contains { lower.holds($0) }
  }

  /// Whether what stands in quotation marks behind it is a house: "das Kino »Moss«".
  static func isHouse(_ word: String) -> Bool {
    let folded = word.foldedKey
    return houses.contains(folded) || folded.hasSuffix("kino") || folded.hasSuffix("lichtspiele")
  }

  /// Whether what stands before "das Kino »Silt«" makes that a film: "zeigt das Kino »Silt«".
  static func saysShowing(_ word: String) -> Bool { showing.contains(word.foldedKey) }

  /// When tickets are sold, or a door opens.
  static func tellOtherTime(_ text: String) -> Bool { otherTimes.isIn(text.lowercased()) }

  private static let otherTimes = WordList([
    "vorverkauf", "on sale", "sale starts", "box office", "taquilla", "boleter", "billetterie", "biglietteria",
    "blagajn", "kasse", "öffnet", "anmeldung", "przedsprzeda", "předprodej", "predprodaj", "販売開始", "発売", "예매", "매표",
  ])

  /// As keys: without accents, in small letters.
  private static let stems = keys(
    """
    film cine movie screening bioskop bioscop projekc proiez proyec projecao projection vorfuhr lichtspiel elokuv vetit
    pelicula кино фильм филм фільм ταινι σινεμα προβολ sinema
    """)
  /// Others begin so, too: "Kinder", "Biografie", "Mozilla".
  private static let words = Set(
    keys("kino kinos kina kinu kinie kinem kinach kinoprogramm biograf biografen biografer biograferna mozi moziban"))
  private static let houses = Set(
    keys(
      """
      kino kina kinu kinie kinem cinema cinemas cine theater theatre teatro teatr teatru teatrze sala saal salle bioskop
      bioskopu bioskopa biograf biografen lichtspielhaus sinema sinemasi filmtheater filmhaus mozi moziban
      elokuvateatteri кинотеатр кинотеатре кинотеатра кінотеатр кінотеатрі биоскоп биоскопу
      """))
  private static let showing = Set(
    keys(
      """
      zeigt zeigen präsentiert spielt bringt shows screens presents projette propose présente proyecta presenta exhibe
      proietta mostra vertoont toont visar viser prikazuje wyświetla pokazuje promítá uvádí показывает показва näyttää
      """))
  private static let unspacedWords = ["映画", "上映", "電影", "电影", "放映", "영화", "상영", "סרט", "קולנוע", "הקרנ"]

  private static func keys(_ words: String) -> [String] {
    words.split { $0 == " " || $0 == "\n" }.map { String($0).foldedKey }
  }
}
