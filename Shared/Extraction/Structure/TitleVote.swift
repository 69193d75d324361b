import HTML

/// Decides which of the texts around a group of times is their title.
struct TitleVote {
  struct Title {
    var text: String
    /// The atom it is from; nil if it stands in the time's own line or in an attribute.
    var atom: Int?
    /// How far up from the time.
    var level: Int
    var trust: Double
    var link: String?
    var note: String?
    /// The house that the time stands under, on a page that lists houses for one film.
    var house: String?
  }

  struct Option {
    var text: String
    var atom: Int?
    var level: Int
    var prior: Double
    var link: String?
    var note: String?
    var isHeading = false
    /// Where it stands says that it is a title, whatever it looks like.
    var isVouched = false
  }

  let context: PageContext
  let clock: PageClock
  let pageVenue: String?
  let pageTitle: String?
  let budget: WorkBudget
  /// Where the titles of the group stand, in words.
  var chosen: String?
  /// Where those of the page's larger groups stand, by elements alone.
  var learnt: Set<String> = []
  /// Where the names of houses stand, which are nobody's title.
  private var houses: String?
  var tree: PageTree { context.tree }
  var qualities: [String: Double] = [:]
  var otherTimes: [String: Bool] = [:]
  /// Of the time in question: headings that are no titles, by the place that they hold.
  var labels: [String: Int] = [:]
  /// Of the time in question: links to pages of their own that say what is mostly no title, by the place that they hold.
  var doubtful: [String: Option] = [:]
  /// By atom: the box beside the programme that it stands in, or -1.
  var boxes: [Int: Int] = [:]
  /// By item, its one highest heading, or -1.
  var onlyHeadings: [Int: Int] = [:]
  /// By element, what its attributes call it.
  var titled: [Int: [(String, Option)]] = [:]
  /// Where a page's title says what kind of page it is, the rest of it is the site's name.
  let siteNames: Set<String>

  /// What else a page's title says: on a film's own page the film's name, folded.
  let pageNames: Set<String>

  /// Headings with which the page's title begins, before the house's name: what the page is about, folded.
  let pageHeadings: Set<String>

  /// Texts looked at on each side of a time and on each level.
  static let reach = 60
  static let levelsMax = 24
  /// A link or a heading, right beside its time: two of them may be two films.
  static let markedPrior = 1.5
  /// Of the heading that says what the page is about.
  static let pageWeight = 2.2
  /// A heading, or what is called a title.
  static let headingPrior = 2.4
  static let nearLevels = 3
  /// So many different texts are titles, though some of them may be judged to be none.
  static let manyTexts = 5
  /// Of a text that is nothing but marks.
  static let marksQuality = 0.15

  init(context: PageContext, clock: PageClock, pageVenue: String?, pageTitle: String?, budget: WorkBudget) {
    self.context = context
    self.clock = clock
    self.pageVenue = pageVenue
    self.pageTitle = pageTitle
    self.budget = budget
    let parts = PageIdentity.parts(pageTitle ?? "")
    let rest = parts.filter { !PageWords.isLabel($0) }
    siteNames = rest.count < parts.count && rest.count == 1 ? Set(rest.map(\.foldedKey)) : []
    let venue = pageVenue?.foldedKey
    pageNames =
      siteNames.isEmpty
      ? Set(rest.map(\.foldedKey)).filter { $0 != venue && $0.utf8.count > 2 } : []
    pageHeadings = PageHeadings(tree: context.tree, parts: parts, venue: pageVenue).keys
  }

  mutating func titles(of group: [TimePlace]) throws(ExtractionError) -> [Title?] {
    var options: [[String: Option]] = []
    var doubtful: [[String: Option]] = []
    for place in group {
      options.append(try self.options(of: place))
      doubtful.append(self.doubtful)
    }
    houses = nil
    if let titles = try filmOfHouses(group, options) { return titles }
    if let titles = try titlesOfLines(group, options) { return titles }
    if let titles = try titlesOfSections(group) { return titles }
    struct Score {
      var count = 0
      var quality = 0.0
      let prior: Double
      let isHeading: Bool
      var level = 0.0
      var texts: Set<String> = []
      /// Where they stand: one is the title of several times.
      var places: Set<Int> = []
    }
    var scores: [String: Score] = [:]
    for found in options {
      for (key, option) in found {
        let quality = quality(option)
        var score = scores[key] ?? Score(prior: option.prior, isHeading: option.isHeading)
        score.count += 1
        score.quality += quality
        score.level += Double(option.level)
        if score.texts.count < 500 { score.texts.insert(option.text.foldedKey) }
        if let atom = option.atom, score.places.count < 500 { score.places.insert(atom) }
        scores[key] = score
      }
    }
    let most = Double(
      scores.values.filter { $0.quality / Double($0.count) >= 0.5 && Double($0.count) >= 0.5 * Double(group.count) }
        .map(\.texts.count).max() ?? 1)
    // What stands with all the times, and another with each, is the page's heading and not a film's.
    let ownScores = scores.filter { _, score in
      let isMany = score.texts.count >= Self.manyTexts
      return score.count * 10 >= group.count * (isMany ? 9 : 10)
        && score.quality / Double(score.count) >= (isMany ? 0.75 : 0.9)
        && (group.count >= 3
          || score.prior >= Self.markedPrior && score.level <= Double(group.count * Self.nearLevels))
    }.sorted { $0.key < $1.key }
    let (ownKey, ownScore) =
      ownScores.max {
        ($0.value.texts.count, $1.value.places.count) < ($1.value.texts.count, $0.value.places.count)
      }.map { ($0.key, $0.value) } ?? ("", nil)
    let own = ownScore?.texts.count ?? 0
    // A film that is shown at three times stands over all of them once.
    let places = ownScore.map { $0.places.isEmpty ? group.count : min($0.places.count, group.count) } ?? group.count
    let haveOwnPages = own >= 2 && haveOwnPages(ownKey, options)
    // Or each time has it in a place of its own, with a link.
    let hasOwnTitles =
      group.count >= 2 && own >= 2 && (own * 4 >= group.count || haveOwnPages && ownScore?.places.count == group.count)
    let areSurelyOwn = hasOwnTitles && (own * 5 >= places * 3 || haveOwnPages)
    // The level of the nearest heading that stands with all of them and may be a title.
    let headed =
      scores.values.filter { $0.isHeading && $0.count == group.count && $0.quality >= 0.8 * Double($0.count) }
      .map(\.level).min() ?? 0
    // "18:00 Silt" in each line, under a house and its days: more titles than there are headings.
    let headings =
      scores.values.filter { $0.isHeading && $0.count == group.count }.map(\.texts.count).max() ?? .max
    let shifted = try shiftedKeys(group, options)
    let sections = try sectionKeys(group, options)
    var ranking: [(key: String, score: Double)] = []
    for (key, score) in scores {
      let coverage = Double(score.count) / Double(group.count)
      let quality = score.quality / Double(score.count)
      let variety = 0.25 + 0.75 * min(1, Double(score.texts.count) / most)
      let height = score.level / Double(score.count)
      // Of a page's notices one heads most of the times as well.
      let isShared =
        hasOwnTitles && score.texts.count == 1
        && (score.count == group.count || haveOwnPages && score.places.count == 1 && score.count * 2 >= group.count)
      // One text over all times that the page's own title has too: the page is about it.
      let isOfPage = score.texts.count == 1 && score.texts.first.map(pageNames.contains) ?? false
      let isOfLines =
        key == Self.lineBehind && score.count == group.count && quality >= 0.9 && score.texts.count >= Self.linesMin
        && score.texts.count > headings
      let isLearnt = group.count < Self.learningMin && learnt.contains(Self.elements(of: key))
      let value =
        (isLearnt ? Self.learntWeight : 1)
        * (shifted.contains(key) ? Self.shiftedWeight : sections.contains(key) ? Self.sectionWeight : 1)
        * (isOfLines ? Self.linesWeight : 1) * score.prior * quality
        * coverage * variety * pow95(height)
        * (isShared && (areSurelyOwn || !isOfPage)
          ? 0.4
          : most <= 1 && score.level <= headed && score.texts.count == 1
            && score.texts.first.map(pageHeadings.contains) ?? false
            ? Self.pageWeight : isOfPage && group.count > 1 ? 1.6 : 1)
      if value > 0 { ranking.append((key, value)) }
    }
    // What lists the houses of a film is nobody's title; each house may say the film's again.
    ranking.removeAll { $0.key == houses }
    ranking.sort { ($1.score, $0.key) < ($0.score, $1.key) }
    if let first = ranking.first, let unmarked = scores[first.key], unmarked.prior < Self.markedPrior,
      unmarked.texts.count > 1, let film = try onlyFilm(before: group),
      let own = ranking.firstIndex(where: { key, _ in
        scores[key].map { $0.count == group.count && $0.places == [film] && $0.quality >= 0.8 * Double($0.count) }
          ?? false
      })
    {
      ranking.insert((ranking.remove(at: own).key, first.score), at: 0)
    }
    chosen = ranking.first?.key
    guard let best = ranking.first, best.score > 0.25 else { return group.map { _ in nil } }
    let partial =
      pageHeadings.isEmpty
      ? []
      : scores.filter { $0.value.isHeading && $0.value.count < group.count }.map(\.key).filter { $0.holds(Self.before) }
    try budget.spend(partial.count * group.count)
    /// "90 Minutes" in a heading, where all other headings of its kind are titles.
    func isHeadingAmong(_ key: String, _ option: Option) -> Bool {
      guard option.isHeading, let score = scores[key], score.texts.count >= Self.headingsMin else { return false }
      // "M", "1917"
      let isShort = option.text.unicodeScalars.count == 1 || option.text.utf8.allSatisfy(isDigitByte)
      return score.quality >= 0.6 * Double(score.count) && (isShort || isNamedByCount(option.text))
    }
    return options.indices.map { index in
      var found = options[index]
      // `<h3 class=title><em>Silt</em></h3>` among others of `<h3 class=title>Silt, <em>the film</em></h3>`.
      if found[best.key] == nil { found[best.key] = markedOption(in: found, key: best.key) }
      for (key, score) in ranking where score >= best.score * 0.5 {
        guard var option = found[key] else { continue }
        if let own = ownHeading(in: found, of: partial, below: option) ?? pictured(in: found, below: option) {
          option = own
        }
        if let heading = headingOfOthers(in: found, below: option) {
          guard let other = named(in: found, below: heading) else { continue }
          option = other
        }
        let quality = quality(option)
        // "Sneak Preview" is no name, and yet what is shown where all others have one.
        guard quality >= 0.4 || key == best.key && (quality >= Self.marksQuality || isHeadingAmong(best.key, option))
        else { continue }
        // Its own title is none: what heads the next is not its title either.
        if key != best.key, Self.isOtherSide(key, of: best.key), found[best.key] != nil { continue }
        let trust = key == best.key ? (quality >= 0.8 ? 1 : 0.9) : 0.85
        return Title(
          text: option.text, atom: option.atom, level: option.level, trust: trust * (best.score > 0.6 ? 1 : 0.9),
          link: option.link, note: option.note)
      }
      // `<td class="name with-icon">` among others of `<td class=name>`: the same place, with one class more.
      if found[best.key] == nil, let option = likeOption(in: found, key: best.key),
        option.isHeading || option.link != nil
      {
        return Title(
          text: option.text, atom: option.atom, level: option.level, trust: Self.doubtfulTrust, link: option.link,
          note: option.note)
      }
      // `<td class=title>Silt</td>` among others of `<td class=title><b>Silt</b></td>`.
      if found[best.key] == nil, let option = unmarkedOption(in: found, key: best.key) {
        return Title(
          text: option.text, atom: option.atom, level: option.level, trust: Self.doubtfulTrust, link: option.link,
          note: option.note)
      }
      // "M", "Close", "Gallery": what stands where the others have a title, and leads to a page of its own, is one.
      if found[best.key] == nil, let option = doubtful[index][best.key] {
        return Title(
          text: option.text, atom: option.atom, level: option.level, trust: Self.doubtfulTrust, link: option.link)
      }
      return best.key.hasSuffix(Self.after) ? inLine(found) ?? onOtherSide(of: best.key, in: found) : nil
    }
  }

  private mutating func likeOption(in found: [String: Option], key: String) -> Option? {
    let elements = Self.elements(of: key)
    let like = found.filter { Self.elements(of: $0.key) == elements }
    guard like.count == 1, let option = like.first?.value, quality(option) >= 0.8 else { return nil }
    return option
  }

  /// What stands in the same element and is not marked there as the others are.
  private mutating func unmarkedOption(in found: [String: Option], key: String) -> Option? {
    guard let comma = key.firstPlace(of: ", "), case let side = key[comma.lowerBound...],
      case let parts = key[..<comma.lowerBound].split(separator: "<"), parts.count == 2,
      Self.formatting.contains(String(parts[0])), parts[1].utf8.contains(UInt8(ascii: "."))
    else { return nil }
    let like = found.filter { $0.key.hasPrefix(parts[1] + "<") && $0.key.hasSuffix(side) }
    guard like.count == 1, let option = like.first?.value, quality(option) >= 0.8 else { return nil }
    return option
  }

  /// The same, where the others are not marked.
  private mutating func markedOption(in found: [String: Option], key: String) -> Option? {
    guard let comma = key.firstPlace(of: ", "), case let side = key[comma.lowerBound...],
      let own = key[..<comma.lowerBound].split(separator: "<").first, own.utf8.contains(UInt8(ascii: "."))
    else { return nil }
    let like = Self.formatting.compactMap { found["\($0)<\(own)\(side)"] }
    guard like.count == 1, let option = like.first, quality(option) >= 0.8 else { return nil }
    return option
  }

  private static let formatting: Set<String> = ["b", "strong", "em", "i", "font", "u"]

  /// Whether each text has a page of its own, and no house's: two films that a house shows all week.
  private func haveOwnPages(_ key: String, _ options: [[String: Option]]) -> Bool {
    var links: [String: String] = [:]
    for option in options.compactMap({ $0[key] }) {
      guard let link = option.link, !ListedHouses.leadsToHouse(link), !PageWords.leadsToHouse(link),
        case let text = option.text.foldedKey, links[text] ?? link == link
      else { return false }
      links[text] = link
    }
    return links.count > 1 && Set(links.values).count == links.count
  }

  private static let doubtfulTrust = 0.8
  static let documentTrust = 0.8

  /// "Silt 7:30pm" in a calendar whose other cells say "2pm Marram": the same place, on the other side of the time.
  private mutating func onOtherSide(of key: String, in found: [String: Option]) -> Title? {
    guard let option = found[String(key.dropLast(Self.after.count)) + Self.before], option.level <= Self.sideLevels,
      quality(option) >= 0.8
    else { return nil }
    return Title(
      text: option.text, atom: option.atom, level: option.level, trust: 0.8, link: option.link, note: option.note)
  }

  /// In the part of the page that has the time.
  private static let sideLevels = 1

  private static let headingsMin = 3
  /// So many times tell where titles stand on a page; fewer are told by those.
  static let learningMin = 4
  private static let learntWeight = 1.6

  /// "h2<div, before" of "h2.title<div.film, before": where one more class makes no difference.
  static func elements(of key: String) -> String {
    let parts = key.split(separator: ",", maxSplits: 1)
    guard let place = parts.first else { return key }
    let elements = place.split(separator: "<").map { $0.split(separator: ".").first ?? $0 }.joined(separator: "<")
    return parts.count == 2 ? "\(elements),\(parts[1])" : elements
  }

  /// "h3, after" of "h3, before".
  private static func isOtherSide(_ key: String, of other: String) -> Bool {
    let (sides, place) = ([before, after], { (key: String, side: String) in String(key.dropLast(side.count)) })
    for (own, opposite) in [(sides[0], sides[1]), (sides[1], sides[0])] where key.hasSuffix(own) {
      return other.hasSuffix(opposite) && place(key, own) == place(other, opposite)
    }
    return false
  }

  /// "ore 18:30 FANGO" among times with a link behind them: the same place, without the link.
  private mutating func inLine(_ found: [String: Option]) -> Title? {
    guard let option = found[Self.lineBehind], quality(option) >= 0.8 else { return nil }
    return Title(text: option.text, atom: option.atom, level: option.level, trust: 0.8, link: nil, note: option.note)
  }

  /// One film over a list of the houses that show it: nothing between a house and its times is a title.
  private mutating func filmOfHouses(
    _ group: [TimePlace], _ options: [[String: Option]]
  ) throws(ExtractionError) -> [Title?]? {
    let listed = ListedHouses(context: context)
    var known: [String: Double] = [:]
    for found in options {
      for option in found.values where known[option.text] == nil { known[option.text] = quality(option.text) }
    }
    func isTitle(_ text: String) -> Bool { known[text] ?? 0 >= 0.8 }
    guard let houses = try listed.place(in: options, of: group, budget: budget),
      !hasTitles(below: houses, options, isTitle)
    else { return nil }
    if houses.isSure, !houses.isGuessed, houses.atoms.count > 1 { self.houses = houses.key }
    let film = listed.film(
      over: houses, in: options,
      isNamed: isOfPage, isTitle: { known[$0] ?? 0 >= (beginsPageTitle($0) ? Self.namedQuality : 0.8) })
    guard let film else { return nil }
    chosen = film
    return options.map { found in
      guard let option = found[film] ?? options[0][film] else { return nil }
      return Title(
        text: option.text, atom: option.atom, level: option.level, trust: 0.95, link: option.link, note: nil,
        house: found[houses.key]?.text)
    }
  }

  /// Of a heading that begins the page's title, whatever else that says.
  private static let namedQuality = 0.4
  static let shiftedWeight = 0.3
  /// Of what each line says behind its time, where it says so many things.
  private static let linesWeight = 1.25
  private static let linesMin = 3

  /// What the page's title says, or begins with.
  func isOfPage(_ text: String) -> Bool {
    let key = text.foldedKey
    return pageNames.contains(key) || pageHeadings.contains(key) || beginsPageTitle(text)
  }

  /// "Silt, where it is shown" of Silt.
  private func beginsPageTitle(_ text: String) -> Bool {
    guard let pageTitle, text.unicodeScalars.count >= 2, pageTitle.hasPrefix(text) else { return false }
    return pageTitle.unicodeScalars.dropFirst(text.unicodeScalars.count).first.map {
      !$0.properties.isAlphabetic && !("0"..."9").contains($0)
    } ?? true
  }

  /// Whether films stand below the houses: what is marked as a title, or several texts of one house; not addresses.
  private func hasTitles(
    below houses: ListedHouses.Place, _ options: [[String: Option]], _ isTitle: (String) -> Bool
  ) -> Bool {
    var texts: [String: [Int: Set<String>]] = [:]
    var marked: Set<String> = []
    let next = houses.followers
    for found in options {
      guard let house = found[houses.key]?.atom else { continue }
      for (key, option) in found where key != houses.key && isTitle(option.text) {
        if let atom = option.atom, atom < house || atom >= next[house] ?? .max { continue }
        // What stands over the next house as well as over this one is a part of the town.
        if key.holds(Self.after), let over = found[key.replacing(Self.after, with: Self.before)]?.atom, over < house {
          continue
        }
        texts[key, default: [:]][house, default: []].insert(option.text)
        if option.isHeading || option.prior >= Self.headingPrior { marked.insert(key) }
      }
    }
    return texts.contains { key, told in
      let all = told.values.flatMap(\.self)
      // What stands below each of them is no film's name.
      guard told.count * 5 >= houses.atoms.count * 3, told.count == 1 || Set(all).count > 1 else { return false }
      // "Market Street 11", "Town Square, Piraeus"
      let places = all.count { ListedHouses.hasNumber($0) || ListedHouses.isTelephone($0) || $0.holds(", ") }
      // What a house offers stands below its name as well.
      return marked.contains(key) || !houses.isGuessed && places * 5 < all.count * 3
    }
  }

  /// A card among what a page has of its film may be another's: the heading over it says so.
  private mutating func ownHeading(in found: [String: Option], of keys: [String], below chosen: Option) -> Option? {
    guard pageHeadings.contains(chosen.text.foldedKey) else { return nil }
    var nearest: Option?
    for option in keys.compactMap({ found[$0] }) where option.level < (nearest ?? chosen).level {
      if quality(option) >= 0.8, !pageHeadings.contains(option.text.foldedKey) { nearest = option }
    }
    return nearest
  }

  /// What a card beside what a page is about is called by its picture and by its own words.
  private mutating func pictured(in found: [String: Option], below chosen: Option) -> Option? {
    guard pageHeadings.contains(chosen.text.foldedKey) else { return nil }
    let nearer = found.values.filter { $0.level < chosen.level && !pageHeadings.contains($0.text.foldedKey) }
    let pictures = Set(nearer.filter(isPicture).map(\.text.foldedKey))
    guard !pictures.isEmpty else { return nil }
    return nearer.filter { !isPicture($0) && pictures.contains($0.text.foldedKey) && quality($0) >= 0.8 }
      .min { ($0.level, $0.text) < ($1.level, $1.text) }
  }

  /// "More from this season" between what the page is about and a time.
  private func headingOfOthers(in found: [String: Option], below chosen: Option) -> Option? {
    guard pageHeadings.contains(chosen.text.foldedKey) else { return nil }
    return found.values.filter { $0.isHeading && $0.level < chosen.level && PageWords.opensSection($0.text) }
      .min { $0.level < $1.level }
  }

  private mutating func named(in found: [String: Option], below heading: Option) -> Option? {
    var best: Option?
    for (_, option) in found.sorted(by: { $0.key < $1.key }) where option.level < heading.level {
      if quality(option) >= 0.8, option.prior > best?.prior ?? 0 { best = option }
    }
    return best
  }

  private func isPicture(_ option: Option) -> Bool {
    option.atom.map { tree[context.atoms[$0].place].tag == "img" } ?? false
  }

  /// Of where a text stands.
  static let before = ", before"
  static let after = ", after"
  /// Of what the time's own line says behind it.
  static let lineBehind = "line, behind"

  func pow95(_ height: Double) -> Double {
    var value = 1.0
    for _ in 0..<Int(min(height, 40)) { value *= 0.95 }
    return value
  }
}
