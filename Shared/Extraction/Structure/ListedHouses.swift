import HTML

/// The names of houses over the times of one film, on a page that lists where it is shown:
///
///     Silt
///     Moss Cinema   11 Market Street   12:40  15:05
///     The Larches   45 Regal Plaza     20:00
///
/// A house is called so by what it stands in, has an address or a telephone behind it, or sounds like one.
struct ListedHouses {
  typealias Options = [String: TitleVote.Option]

  let context: PageContext
  private var tree: PageTree { context.tree }

  struct Place {
    let key: String
    /// Of the names.
    let atoms: Set<Int>
    /// More than what they stand in says that they are houses.
    let isSure: Bool
    /// They are houses only where the page is called after what they show.
    let isGuessed: Bool

    /// By the atom of a name, that of the next one.
    var followers: [Int: Int] {
      let ordered = atoms.sorted()
      return Dictionary(uniqueKeysWithValues: zip(ordered, ordered.dropFirst()))
    }
  }

  /// The kind of text whose texts are houses, each over times of its own.
  func place(
    in options: [Options], of group: [TimePlace], budget: WorkBudget
  ) throws(ExtractionError) -> Place? {
    var atoms: [String: [Int: Int]] = [:]
    for found in options {
      try budget.spend(found.count)
      for (key, option) in found where key.holds(TitleVote.before) {
        if let atom = option.atom { atoms[key, default: [:]][atom, default: 0] += 1 }
      }
    }
    var best: (place: Place, covered: Int)?
    for (key, counted) in atoms.sorted(by: { $0.key < $1.key }) {
      let covered = counted.values.reduce(0, +)
      guard covered * 5 >= group.count * 4, counted.count <= Self.housesMax, covered > best?.covered ?? 0 else {
        continue
      }
      try budget.spend(counted.count * Self.houseSteps)
      let own = Set(counted.keys)
      // A page for small screens and one for large ones may stand side by side.
      let told = Dictionary(own.map { (context.atoms[$0].text.foldedKey, 1) }, uniquingKeysWith: +)
      guard Set(told.values).count == 1, told.count > 1 || own.count == 1 else { continue }
      // "Moss chain • 22 screens • Moss"
      guard own.count(where: { Self.tellsOfHalls(context.atoms[$0].text) }) * 2 < own.count else { continue }
      // The street of a house stands in what is called a house as well.
      guard own.count(where: isStreet) * 2 < own.count else { continue }
      let called = own.count { isCalledHouse($0, among: own) }
      let named = own.count { CinemaWords.isName(context.atoms[$0].text) }
      let placed = own.count { hasAddress(behind: $0) || isAllOfHouse($0) }
      let linked = own.count(where: isLinkOfHouse)
      // What sounds like a house may be a film of a film club: it is called one, has its address, or all of them do.
      let houses = named == own.count && told.count > 1 ? named : max(called, min(named, placed))
      // Headings on what is surely a film's page: "Moss Park - Larch", "The North Gate - Larch".
      let likely = own.count { VenueLines.isPlace(context.atoms[$0].text) && isHeading(context.atoms[$0].place) }
      let isHouse =
        own.count == 1
        ? called == 1 && named + placed > 0
        : houses * 5 >= own.count * 3 || told.count > 1 && told.count == own.count && likely * 2 >= own.count
      // "Moss OMR: Larch" over its street, and so all headings: of one film that the page is called after.
      let isGuessed =
        !isHouse && told.count > 1 && own.allSatisfy { hasAddress(behind: $0) && isHeading(context.atoms[$0].place) }
      if isHouse || isGuessed {
        best = (
          Place(key: key, atoms: own, isSure: max(named, placed, linked) * 3 >= own.count, isGuessed: isGuessed),
          covered
        )
      }
    }
    return best?.place
  }

  /// Cinemas that one page lists for one film.
  private static let housesMax = 500
  /// Of looking at what is around one name.
  private static let houseSteps = 40

  /// `<div class="theater">`, `<a id="cinema-7">`, `<a href="hall.aspx?id=7">` around this name and no other.
  private func isCalledHouse(_ atom: Int, among others: Set<Int>) -> Bool {
    if isLinkOfHouse(atom) { return true }
    for at in tree.path(context.atoms[atom].place).prefix(Self.calledLevels) {
      guard context.range(in: at).prefix(Self.partMax).allSatisfy({ $0 == atom || !others.contains($0) }) else {
        return false
      }
      let words = tree[at].words
      if words.contains(where: PageWords.film.contains) { return false }
      if words.contains(where: { PageWords.venueParts.contains($0) || Self.names.contains($0) }) { return true }
      if let href = tree[at].node["href"], Self.leadsToHouse(href) { return true }
    }
    return false
  }

  /// `<div class="movie-title"><a href="/cinemas/moss">Moss</a></div>`: where the link leads that is all of a name.
  private func linkInside(_ place: Int) -> String? {
    var at = tree[place].isText ? tree[place].parent : place
    for _ in 0..<Self.nameLevels where at >= 0 && !tree[at].isText {
      if tree[at].tag == "a" { return tree[at].node["href"] }
      guard let only = tree.children(at).first(where: { tree[$0].length > 0 }), tree[only].length >= tree[at].length - 2
      else { return nil }
      at = only
    }
    return nil
  }

  /// A site's "/cine/silt-10903" may be a film of its part about cinema, "/cinema/10903" is none.
  private func isLinkOfHouse(_ atom: Int) -> Bool {
    guard let href = linkInside(context.atoms[atom].place), Self.leadsToHouse(href),
      case let parts = href.split(separator: "/").suffix(2), parts.count == 2, let over = parts.first,
      let last = parts.last
    else { return false }
    return !Self.sections.contains(over.lowercased()) || last.utf8.allSatisfy(isDigitByte)
  }

  private static let sections: Set<String> = ["cine", "cinema", "kino", "theater", "theatre"]

  /// "22 salles": a number, and what houses have so many of.
  static func tellsOfHalls(_ text: String) -> Bool {
    guard text.utf8.count <= hrefMax, text.utf8.contains(where: isDigitByte) else { return false }
    let words = text.lowercased().unicodeScalars.split(whereSeparator: \.isBlank).map { String(Substring($0)) }
    return zip(words, words.dropFirst()).contains { number, word in
      Int(number) != nil && halls.contains(word.foldedKey)
    }
  }

  /// Words of several: "7 salė" is one hall, and its number.
  private static let halls: Set<String> = [
    "screens", "salles", "salas", "zalen", "saler", "salonger", "auditoriums", "saluri", "kinosale",
  ]

  /// `<div class="col-theater">Moss</div>`: what is called a house is its name and nothing else.
  private func isAllOfHouse(_ atom: Int) -> Bool {
    let length = context.atoms[atom].text.utf8.count
    return tree.path(context.atoms[atom].place).prefix(Self.nameLevels).contains { at in
      tree[at].length <= length + Self.besideNameMax && context.times(in: at) == 0
        && !tree[at].words.contains(where: PageWords.film.contains)
        && tree[at].words.contains(where: PageWords.venueParts.contains)
        && !tree[at].words.contains { PageWords.title.contains($0) && $0 != "name" }
    }
  }

  private static let nameLevels = 3
  /// A chain's name before that of its house.
  private static let besideNameMax = 8
  private static let calledLevels = 5
  /// What a page says of one house.
  private static let partMax = 60
  private static let names: Set<String> = ["placename", "cinemaname", "theatername", "venuename", "kinoname"]

  /// "/cinemas/moss", "hall.aspx?id=7": the part of an address that says what is there.
  static func leadsToHouse(_ href: String) -> Bool {
    guard href.utf8.count <= hrefMax, let path = href.split(separator: "?").first else { return false }
    // A host's name is no part of what it shows: "https://kino-moss.example/silt".
    let hasHost = String(path).holds("://")
    let parts = path.split(separator: "/").dropFirst(path.hasPrefix("//") ? 1 : hasHost ? 2 : 0).suffix(3)
    let words = parts.map { String($0.lowercased().prefix { $0.isLetter }) }
    guard let last = parts.last, let word = words.last else { return false }
    // What the last part says after a stroke is a name: "/film/cinema-paradiso".
    if pages.contains(word), last.utf8.contains(0x2E) { return true }
    if words.count > 1, pages.contains(words[words.count - 2]) { return true }
    // "/kinos/in-larch/moss": in a town. "/kinos/larch/silt" may be a film of a house.
    return words.count == 3 && lists.contains(parts[parts.startIndex].lowercased()) && towns.contains(words[1])
  }

  /// Of many houses.
  private static let lists: Set<String> = [
    "cinemas", "theaters", "theatres", "kinos", "cines", "venues", "bioscopen", "bioskop", "salas",
  ]
  private static let towns: Set<String> = ["di", "in", "en", "em", "im", "a", "te", "w", "v", "na"]

  private static let hrefMax = 300
  private static let pages: Set<String> = [
    "cinema", "cinemas", "theater", "theaters", "theatre", "theatres", "kino", "kinos", "cine", "cines", "venue",
    "venues", "hall", "bioscoop", "bioscopen", "bioskop", "biograf", "elokuvateatteri", "sala", "salas", "complejo",
  ]

  private func isStreet(_ atom: Int) -> Bool {
    let text = context.atoms[atom].text
    return VenueLines.isAddress(text) || Self.isTelephone(text)
      || tree.path(context.atoms[atom].place).prefix(2).contains {
        tree[$0].words.contains(where: PageWords.address.contains)
      }
  }

  /// A street with its number, or a telephone's, right behind the name and before its times.
  private func hasAddress(behind atom: Int) -> Bool {
    for other in context.atoms.indices.dropFirst(atom + 1).prefix(Self.addressReach) {
      let next = context.atoms[other]
      if next.isTime { return false }
      if isStreet(other) { return true }
    }
    return false
  }

  private static let addressReach = 4

  /// "2107773319", "(571) 333-3456"
  static func isTelephone(_ text: String) -> Bool {
    guard (7...40).contains(text.utf8.count) else { return false }
    let digits = text.utf8.count(where: isDigitByte)
    return digits >= 7 && text.utf8.allSatisfy { isDigitByte($0) || " +()-/.,".utf8.contains($0) }
      && !text.utf8.contains(UInt8(ascii: ":"))
  }

  /// "Μεσογείων 6 (ΜΕΤΡΟ)", "11940 Market Street": words, and a number of its own among them.
  static func hasNumber(_ text: String) -> Bool {
    guard text.utf8.count <= Self.hrefMax else { return false }
    let words = text.unicodeScalars.split { $0.isBlank || $0 == "," || $0 == "(" || $0 == ")" }
    let hasName = words.contains { word in word.count(where: \.properties.isAlphabetic) >= 3 }
    return hasName
      && words.contains { word in
        word.first.map { ("0"..."9").contains($0) } ?? false && word.count <= 5
      }
  }

  // MARK: The film

  /// Of the texts over all houses the one that is the film's.
  ///
  /// - Parameter isNamed: whether the page's title, too, has the text.
  func film(
    over houses: Place, in options: [Options], isNamed: (String) -> Bool, isTitle: (String) -> Bool
  ) -> String? {
    guard let first = houses.atoms.min(), let found = options.first else { return nil }
    var best: (key: String, rank: Int, level: Int)?
    for (key, option) in found.sorted(by: { $0.key < $1.key }) {
      guard key != houses.key, key.holds(TitleVote.before), let atom = option.atom, atom < first,
        isTitle(option.text), !CinemaWords.isCinema(option.text),
        // Behind many houses nobody looks as far back.
        options.allSatisfy({ $0[key].map { $0.atom == atom } ?? true })
      else { continue }
      let isOfFilm = isCalledFilm(atom) || tellsFilm(behind: atom, before: first)
      let isSaid = option.isHeading && isSaidAgain(option.text, atom)
      let rank = isNamed(option.text) ? 2 : isSaid || isOfFilm ? 1 : 0
      guard rank > (houses.isGuessed ? 1 : 0), isOfFilm || !houses.isGuessed, houses.isSure || isOfFilm,
        option.isHeading || option.prior >= TitleVote.headingPrior
      else {
        continue
      }
      if (rank, -option.level) > best.map({ ($0.rank, -$0.level) }) ?? (0, 0) {
        best = (key, rank, option.level)
      }
    }
    return best?.key
  }

  private func isCalledFilm(_ atom: Int) -> Bool {
    tree.path(context.atoms[atom].place).prefix(Self.calledLevels).contains { at in
      tree[at].words.contains { $0 == "movie" || $0 == "film" || $0 == "pelicula" } && tree[at].tag != "body"
    }
  }

  /// How long the film is, or who made it, stands behind its name.
  private func tellsFilm(behind atom: Int, before first: Int) -> Bool {
    for (index, other) in context.atoms[..<first].enumerated().dropFirst(atom).prefix(Self.factsReach) {
      if other.text.utf8.count <= PageTree.lengthAsked,
        PageWords.tellsLength(other.text) || PageWords.isField(other.text)
      {
        return true
      }
      // What stands behind another heading is told of that.
      if index > atom, other.isWords, isHeading(other.place) { return false }
    }
    return false
  }

  private func isHeading(_ place: Int) -> Bool {
    tree.path(place).prefix(Self.nameLevels).contains { DateFinder.headings.contains(tree[$0].tag) }
  }

  private static let factsReach = 16

  /// A picture or the way to the page is called so as well.
  private func isSaidAgain(_ text: String, _ atom: Int) -> Bool {
    let key = text.foldedKey
    return context.atoms.prefix(Self.saidReach).enumerated().contains { index, other in
      index != atom && other.isWords && other.text.utf8.count <= text.utf8.count + 8 && other.text.foldedKey == key
    }
  }

  private static let saidReach = 400
}
