import Calendars
import HTML

/// Finds the venue in cards of several venues where nothing marks it: a line that each card has in the same place, that
/// few of them differ in, and that sounds like a place or stands beside an address.
///
///     [ River of Rust     ]  [ The Bellmaker    ]
///     [ Tue, Nov 24, 7 PM ]  [ Tue, Dec 1, 7 PM ]
///     [ The Cooperage     ]  [ St Mary's Crypt  ]
struct VenueLines {
  /// A time, and the atom of its title.
  struct Card {
    let place: TimePlace
    let title: Int?
  }

  let context: PageContext
  let pageVenue: String?
  var tree: PageTree { context.tree }

  /// Texts of a card that are looked at.
  private static let wordsMax = 24
  private static let nameMax = 60
  private static let addressMax = 90
  private static let cardsMin = 2

  private struct Line {
    var atoms: [Int: Int] = [:]
    var isBesideTime = true
  }

  /// By card, the name of its venue; empty where no line is one.
  func names(of cards: [Card], budget: WorkBudget) throws(ExtractionError) -> [Int: String] {
    guard cards.count >= Self.cardsMin else { return [:] }
    var lines: [String: Line] = [:]
    for (index, card) in cards.enumerated() {
      try budget.spend(Self.wordsMax)
      guard let outer = outer(of: card) else { return [:] }
      var seen: [String: Int] = [:]
      for atom in context.range(in: outer).prefix(Self.wordsMax)
      where context.atoms[atom].isWords && atom != card.title {
        let kind = tree.signature(context.atoms[atom].place)
        let count = seen[kind, default: 0]
        seen[kind] = count + 1
        let key = "\(kind) \(count)"
        lines[key, default: Line()].atoms[index] = atom
        if abs(atom - card.place.atom) > 1 { lines[key]?.isBesideTime = false }
      }
    }
    let titles = Set(cards.compactMap { $0.title.map { context.atoms[$0].text.foldedKey } })
    var best: (atoms: [Int: Int], score: Double)?
    for (_, line) in lines.sorted(by: { $0.key < $1.key }) where line.atoms.count == cards.count {
      let texts = line.atoms.values.map { context.atoms[$0].text }
      guard texts.allSatisfy({ isName($0) && !titles.contains($0.foldedKey) }) else { continue }
      let distinct = Set(texts.map(\.foldedKey))
      let placed = Set(
        line.atoms.values.filter { Self.isPlace(context.atoms[$0].text) || isBesideAddress($0) }.map {
          context.atoms[$0].text.foldedKey
        })
      let share = Double(placed.count) / Double(distinct.count)
      // Where the page is somebody's who has a venue, one name over all cards is a series or a room of it.
      let isPlaced = share >= 0.5 && (pageVenue == nil || distinct.count > 1)
      let isLikely =
        pageVenue == nil && line.isBesideTime && distinct.count < cards.count
        && texts.allSatisfy { $0.unicodeScalars.contains(where: \.isBlank) }
      guard isPlaced || isLikely, share > best?.score ?? -1 else { continue }
      best = (line.atoms, share)
    }
    return best.map { $0.atoms.mapValues { context.atoms[$0].text } } ?? [:]
  }

  /// The largest part around a time that has no other, and its title.
  private func outer(of card: Card) -> Int? {
    let own = context.times(in: card.place.path[0])
    var outer = card.place.path[0]
    for at in card.place.path.dropFirst() {
      guard context.times(in: at) <= max(own, 1), tree[at].tag != "body" else { break }
      outer = at
    }
    if let title = card.title, !tree.contains(outer, context.atoms[title].place) { return nil }
    return outer
  }

  /// What could be a place's name: capitals, no number, no price, no sentence, nothing that is said of films.
  func isName(_ text: String) -> Bool {
    guard text.unicodeScalars.count <= Self.nameMax, text.utf8.count >= 4, let first = text.unicodeScalars.first,
      let last = text.unicodeScalars.last
    else { return false }
    guard first.properties.isUppercase || first.properties.isAlphabetic && !first.properties.isCased else {
      return false
    }
    guard !text.utf8.contains(where: isDigitByte), ![".", "!", "?", ":", "…"].contains(String(last)) else {
      return false
    }
    guard !text.unicodeScalars.contains(where: { "€£$¥₩₪".unicodeScalars.contains($0) }) else { return false }
    guard !PageWords.isLabel(text), !ScreenName.isOne(text), !PageWords.isField(text),
      !TitleVocabulary.isCertificate(text),
      !PrintedTitle(text).isOnlyMarks, PrintedMarks(text).seats == nil
    else { return false }
    let words = text.unicodeScalars.split(whereSeparator: { $0.isBlank || $0 == "," })
    guard words.count <= 7 else { return false }
    // "Sales end soon" is no name: the longer words of one are written large.
    return words.allSatisfy { word in
      guard let first = word.first, word.count >= 4, first.properties.isCased else { return true }
      return first.properties.isUppercase
    }
  }

  private static let places: Set<String> = [
    "church", "chapel", "crypt", "cathedral", "abbey", "library", "museum", "park", "yard", "brewery", "pub", "tavern",
    "inn", "school", "college", "university", "village", "farm", "barn", "castle", "warehouse", "market", "square",
    "pier", "garden", "gardens", "beach", "hotel", "club", "cafe", "rooftop", "arena", "mill", "wharf", "dock", "tent",
    "kirche", "bibliothek", "schloss", "hof", "brauerei", "museumsplatz", "platz", "schule", "halle", "kulturhaus",
    "eglise", "mediatheque", "bibliotheque", "chateau", "place", "parc", "lycee", "mjc", "iglesia", "biblioteca",
    "museo", "parque", "plaza", "casa", "centro", "chiesa", "piazza", "parco", "villa", "castello", "kerk",
    "bibliotheek", "plein", "buurthuis", "kirke", "kyrka", "bibliotek", "centre", "center", "institute", "town",
    "opera", "lobby", "hall", "gallery", "auditorium", "field", "gym", "lawn", "pavilion", "playhouse", "ballroom",
    "lounge",
  ]
  private static let placeEnds = [
    "plex", "haus", "huset", "hus", "talo", "kino", "bio", "zentrum", "sentrum", "halle", "theater",
  ]
  private static let unspacedPlaces = ["도서관", "문화회관", "공원", "센터", "公民館", "図書館", "会館", "ホール", "מתנ", "ספרי"]

  static func isPlace(_ text: String) -> Bool {
    // "Bíó Paradís"
    if CinemaWords.isName(text) || text.lowercased().hasPrefix("bíó ") { return true }
    for word in text.lowercased().unicodeScalars.split(whereSeparator: { !$0.properties.isAlphabetic })
    where places.contains(String(Substring(word)).foldedKey) {
      return true
    }
    // "Strandvik grendahus", "Karlstorkino"
    let last = text.lowercased().unicodeScalars.split { !$0.properties.isAlphabetic }.last.map { String(Substring($0)) }
    if let last, placeEnds.contains(where: { last.hasSuffix($0) && last.utf8.count > $0.utf8.count + 2 }) {
      return true
    }
    return unspacedPlaces.contains { text.holds($0) }
  }

  private static let streets: Set<String> = [
    "st", "street", "rd", "road", "ave", "avenue", "lane", "ln", "blvd", "boulevard", "drive", "dr", "way", "rue",
    "quai", "strasse", "str", "gasse", "weg", "via", "viale", "corso", "calle", "avda", "plaza", "paseo", "laan",
    "straat", "gracht", "plein", "gatan", "ул", "улица", "проспект", "вул", "вулиця", "jalan", "vej", "katu", "row",
    "terrace", "quay",
  ]

  /// "212 Pearl St, Dayton" right behind it.
  func isBesideAddress(_ atom: Int) -> Bool {
    guard context.atoms.indices.contains(atom + 1), context.atoms[atom + 1].isWords else { return false }
    return Self.isAddress(context.atoms[atom + 1].text)
  }

  /// A street, and a number.
  static func isAddress(_ text: String) -> Bool {
    guard text.utf8.count <= addressMax, text.utf8.contains(where: isDigitByte) else { return false }
    return text.lowercased().unicodeScalars.split(whereSeparator: { !$0.properties.isAlphabetic }).contains {
      let word = String(Substring($0)).foldedKey
      return streets.contains(word) || word.hasSuffix("strasse") || word.hasSuffix("straat")
    }
  }
}
