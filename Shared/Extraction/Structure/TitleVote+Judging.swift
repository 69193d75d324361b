import Calendars
import HTML

/// How much a text is like a title, by where it stands and by its words.
extension TitleVote {
  /// What kind of text stands there, and how likely such a text is a title.
  func describe(_ place: Int) -> (key: String, prior: Double, link: String?) {
    var names: [String] = []
    var prior = 1.0
    var isBeside = false
    // What the link alone says of itself: "button".
    var isLinkBeside = false
    // `<a id="cinema-7">`
    var isHouse = false
    var isHeadingInside = false
    var link: String?
    var last = place
    var isSame = true
    for (step, at) in tree.path(place).prefix(6).enumerated() {
      let node = tree[at]
      // As far up as it says the same, and what the text itself stands in.
      if step > 0, tree[at].length > tree[last].length + 2 { isSame = false }
      if !node.isText, names.count < 2, node.tag != "a" || !node.words.isEmpty {
        names.append(tree.name(at))
      }
      if !isSame {
        if step == 1, tree[place].isText, place == at + 1,
          ["th", "dt", "summary", "caption"].contains(node.tag)
        {
          prior = max(prior, 1.6)
        }
        if names.count == 2 { break }
        continue
      }
      last = at
      if node.isText { continue }
      switch node.tag {
      // A link that is all of a heading is the heading's, however it is called, unless that is a house's.
      case "h1": (prior, isLinkBeside) = (max(prior, 2.4), isHouse)
      case "h2", "h3", "h4": (prior, isLinkBeside) = (max(prior, 2.6), isHouse)
      case "h5", "h6": (prior, isLinkBeside) = (max(prior, 2.2), isHouse)
      case "dt", "th", "caption", "summary", "legend": prior = max(prior, 1.8)
      case "dd": prior = max(prior, 1.3)
      case "strong", "b": prior = max(prior, 1.7)
      case "em", "i", "cite": prior = max(prior, 1.3)
      case "small", "sup": prior = min(prior, 0.6)
      case "img": prior = max(prior, 1.0)
      case "a":
        link = link ?? node.node["href"]
        guard let href = node.node["href"] else { break }
        // What leads to the first page is the house's name.
        if PageWords.leadsHome(href) || node.words.contains("logo") {
          prior = min(prior, 0.5)
        } else if !PageWords.isBooking(href, node.words) {
          prior = max(prior, 1.8)
        }
        if PageWords.leadsToHouse(href) { (isLinkBeside, isHouse) = (true, true) }
        if PageWords.leadsToSeries(href) { isLinkBeside = true }
      case "button", "label", "option": isBeside = true
      default: break
      }
      // "venue-name" is a venue's.
      let isPlace = node.words.contains {
        PageWords.venue.contains($0) || PageWords.screen.contains($0)
      }
      // "cinema_title" is one too.
      let namesHouse = PageWords.namesHouse(node.words)
      if namesHouse, node.words.contains("name") {
        isBeside = true
        // `<a class=showtimesCinema_name href="/cinema/silt">`
        if node.tag == "a" { prior = min(prior, 0.1) }
      }
      if !namesHouse, node.words.contains(where: { PageWords.title.contains($0) && ($0 != "name" || !isPlace) }) {
        prior = max(prior, 3)
      } else if node.words.contains(where: { PageWords.film.contains($0) }), step <= 2 {
        prior = max(prior, 1.9)
      }
      // `<div class="presentation-info"><h4><a>Silt</a></h4></div>`: what holds nothing but a heading with a link.
      let isAboutHeading = isHeadingInside && link != nil
      if ["h1", "h2", "h3", "h4"].contains(node.tag) { isHeadingInside = true }
      // `<a class="meta-item" href="/films/silt">`
      let isFilm = node.tag == "a" && node.node["href"].map(PageWords.leadsToFilm) ?? false
      if node.words.contains(where: {
        PageWords.beside.contains($0) && !((isAboutHeading || isFilm) && PageWords.besideText.contains($0))
      }),
        isPlace && !node.words.contains("title")
          || !node.words.contains(where: { PageWords.title.contains($0) })
      {
        if node.tag == "a" {
          isLinkBeside = true
          isHouse = node.words.first.map(PageWords.venueParts.contains) ?? false && CinemaWords.isName(tree.text(at))
        } else {
          isBeside = true
        }
      }
    }
    if isBeside || isLinkBeside || isUnseen(place) { prior *= 0.35 }
    if tree.headsVenue(place) { prior *= 0.5 }
    if link == nil, let inside = (place..<tree[place].end).lazy.compactMap({ tree[$0].node["href"] }).first {
      link = inside
    }
    return (names.isEmpty ? tree.name(tree[place].parent) + ">text" : names.joined(separator: "<"), prior, link)
  }

  /// `class="sr-only"`: what is only read aloud tells apart the parts of a page.
  private func isUnseen(_ place: Int) -> Bool {
    tree.path(place).prefix(3).contains { at in
      !tree[at].isText && tree[at].node.classes.contains(where: Self.unseen.contains)
    }
  }

  private static let unseen: Set<String> = [
    "sr-only", "show-for-sr", "visually-hidden", "visuallyhidden", "screen-reader-text", "element-invisible",
    "a11y-hidden", "hidden-visually", "vh",
  ]

  /// 0: no title; 1: may well be one.
  mutating func quality(_ text: String) -> Double {
    if let known = qualities[text] { return known }
    let quality = judged(text)
    if qualities.count < 20_000 { qualities[text] = quality }
    return quality
  }

  mutating func quality(_ option: Option) -> Double { option.isVouched ? 1 : quality(option.text) }

  /// "<em>Silt</em> is on Saturday at 7.30": what joins a film and its time.
  private static let joiningVerbs: Set<String> = [
    "is", "is on", "is showing", "is shown", "plays", "runs", "screens", "shows", "will be shown", "will screen",
    "läuft", "est projeté", "passe", "se proyecta", "viene proiettato", "draait", "visas", "vises",
  ]

  func judged(_ text: String) -> Double {
    let folded = text.foldedKey
    if folded.isEmpty || Self.joiningVerbs.contains(text) || PageWords.isLabel(text) || ScreenName.isOne(text)
      || PageWords.isLengthName(text)
    {
      return 0
    }
    let scalars = text.unicodeScalars
    if PageWords.isNumberedWeek(text) { return 0 }
    if text.utf8.count > 200 || scalars.count > 140 { return 0 }
    let letters = scalars.filter { $0.properties.isAlphabetic }.count
    let digits = scalars.filter { (0x30...0x39).contains($0.value) }.count
    // "03 / 12" is a day.
    if letters == 0, text.holds(" / ") { return 0 }
    if letters == 0 { return digits >= 3 && digits <= 4 ? 0.3 : 0 }
    if scalars.count == 1 { return letters == 1 && scalars.first!.value < 0x2E80 ? 0.05 : 0.4 }
    if isCode(scalars, letters: letters, digits: digits) { return Self.codeQuality }
    if isPrice(text) || PageWords.isField(text) || isFacts(text) || headsSection(folded)
      || PageWords.opensSection(text) || PageWords.opensArchive(text)
    {
      return 0.05
    }
    if PageWords.isDoors(text), digits > 0 { return 0 }
    if isRestOfText(text) || PageWords.isCredit(text) || PageWords.tellsMaker(text) { return 0.05 }
    if PageWords.isBookingStep(text) || PageWords.labelsShowings(text) { return 0 }
    // "Welcome to Moss Cinema" is no film; "Welcome to Sarajevo" is one.
    if PageWords.greets(text),
      CinemaWords.isCinema(text) || pageVenue.map({ folded.contains($0.foldedKey) }) ?? false
    {
      return 0.05
    }
    if PageWords.isVersion(text) { return Self.marksQuality }
    if PageWords.speaksOfShowing(text) { return 0.05 }
    if PageWords.isGenres(text) { return Self.genresQuality }
    if LineRest.tellsEnd(text) { return 0 }
    let months = clock.months(text)
    if months == .heading || isSpan(text) || clock.isProgrammeOfMonth(text) { return 0 }
    if PageWords.tellsPrices(text) { return 0.1 }
    if PrintedMarks(text).seats != nil && scalars.count <= 12
      || TitleVocabulary.isCertificate(text)
    {
      return 0
    }
    if PrintedTitle(text).isOnlyMarks || isOfKind(text) { return Self.marksQuality }
    // "Produktion:" names what stands behind it.
    if text.hasSuffix(":") || text.hasSuffix("：") || PageWords.isPartOfFilm(text) { return Self.labelQuality }
    if let pageVenue, folded == pageVenue.foldedKey || isHouseAtPlace(text, pageVenue) || isBranch(text, pageVenue) {
      return 0.1
    }
    // It may be the film's page all the same: "Silt – Showtimes".
    if siteNames.contains(folded) || months == .perhaps { return 0.45 }
    // "Moss Cinema showtimes"
    if CinemaWords.isName(text), PageWords.namesProgramme(text) { return 0.1 }
    // "Expat Cinema: The Tide" is a film of a series.
    let named = withoutBrackets(ofSeries(text) ?? text)
    if CinemaWords.isCinema(named), scalars.count <= 40 { return 0.55 }
    if scalars.count <= 40, PageWords.isOtherTime(text) { return 0.1 }
    // "poster.jpg": what an image is called that nobody described.
    if !text.utf8.contains(0x20), text.lowercased().endsAsPicture { return 0 }
    if text.hasPrefix("http") || text.utf8.contains(UInt8(ascii: "@")) && !text.utf8.contains(0x20) { return 0 }
    // Sentences end with full stops and are long.
    if scalars.count > 80 { return text.hasSuffix(".") ? 0.1 : 0.5 }
    return isSentence(text) ? 0.5 : 1
  }

  /// ", Krasickiego 18", "(1985, Japan, Shinji So)": what is said behind something else.
  private func isRestOfText(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first else { return false }
    if ",;)".unicodeScalars.contains(first) { return true }
    // "- freie Plätze" behind a title's own element.
    if "-–—|".unicodeScalars.contains(first), text.unicodeScalars.dropFirst().first?.isBlank == true { return true }
    // "(od": a bracket that nobody closes.
    if first == "(", !text.unicodeScalars.contains(")") || PageWords.opensWithYear(text) { return true }
    return first == "(" && text.hasSuffix(")") && text.utf8.contains(UInt8(ascii: ","))
      && text.utf8.count { $0 == UInt8(ascii: "(") } == 1
  }

  /// "in 2D", "General": of what kind a showing or a seat is.
  private func isOfKind(_ text: String) -> Bool {
    let marks = TitleMarks(text)
    return marks.isAll && marks.hasMark || PageWords.seatClasses.contains(text.foldedKey)
  }

  /// Of what ends in a colon: a title only where nothing else may be one.
  private static let labelQuality = 0.3

  /// "13 July 2026 – 11 Jan 2027": from when to when a film is shown.
  private func isSpan(_ text: String) -> Bool {
    guard text.utf8.count <= Self.spanBytesMax else { return false }
    for dash in [" – ", " - ", " — ", "–"] {
      guard let joint = text.firstPlace(of: dash) else { continue }
      let ends = [String(text[..<joint.lowerBound]), String(text[joint.upperBound...])]
      return ends.allSatisfy { end in
        PrintedLine(end.trimmedText, clock: clock, expecting: .dates).map {
          $0.days.count == 1 && $0.times.isEmpty && $0.rest.isEmpty
        } ?? false
      }
    }
    return false
  }

  private static let spanBytesMax = 60

  /// "Silt: Synopsis" below "Silt": what a page is about, and a part of what it says of it.
  private func headsSection(_ folded: String) -> Bool {
    pageHeadings.contains { name in
      folded.utf8.count > name.utf8.count && folded.hasPrefix(name)
        && PageWords.isSection(String(folded.dropFirst(name.count)))
    }
  }

  /// "A sergeant takes on the mob of a harbour town.": titles that end with a full stop are shorter.
  private func isSentence(_ text: String) -> Bool {
    text.hasSuffix(".") && !text.hasSuffix("..") && text.unicodeScalars.count(where: \.isBlank) >= Self.sentenceBlanks
  }

  static let sentenceBlanks = 5

  /// "HARBOUR FILM LOUNGE @ MOSS TOWN HALL", where the page is Harbour Film's.
  /// "Forum Cinemas Vingis" of "Forum Cinemas".
  private func isBranch(_ text: String, _ pageVenue: String) -> Bool {
    guard text.hasPrefix("\(pageVenue) "), CinemaWords.isCinema(pageVenue) else { return false }
    let words = text.dropFirst(pageVenue.count).split(separator: " ")
    return words.count <= Self.branchWordsMax && words.allSatisfy { $0.contains { $0.isLetter } }
      && !text.holds(": ") && !text.holds(" - ")
  }

  private static let branchWordsMax = 2

  private func isHouseAtPlace(_ text: String, _ pageVenue: String) -> Bool {
    guard let at = text.firstPlace(of: " @ "), case let house = pageVenue.foldedKey, house.utf8.count >= 4 else {
      return false
    }
    return String(text[..<at.lowerBound]).foldedKey.hasPrefix(house)
  }

  /// What stands behind the name of a series, unless that is the house's.
  private func ofSeries(_ text: String) -> String? {
    guard let colon = text.lastPlace(of: ": ") else { return nil }
    let (series, name) = (String(text[..<colon.lowerBound]).foldedKey, String(text[colon.upperBound...]))
    guard series != pageVenue?.foldedKey, !siteNames.contains(series), !PageWords.isLabel(name),
      !PageWords.isGeneric(name), !ScreenName.isOne(name)
    else { return nil }
    return name
  }

  /// "The Odyssey (IMAX 70mm)" says what it is shown in.
  private func withoutBrackets(_ text: String) -> String {
    guard text.hasSuffix(")"), let open = text.lastPlace(of: " (") else { return text }
    return String(text[..<open.lowerBound])
  }

  /// "S01", "F 12": a number of the programme's own, where a name stands beside it.
  private func isCode(_ scalars: String.UnicodeScalarView, letters: Int, digits: Int) -> Bool {
    (1...2).contains(letters) && (2...4).contains(digits)
      && scalars.allSatisfy { ("A"..."Z").contains($0) || ("0"..."9").contains($0) || $0 == " " || $0 == "-" }
      && scalars.first.map { ("A"..."Z").contains($0) } ?? false
  }

  private static let codeQuality = 0.4
  /// Of kinds of films: a title only where nothing else may be one.
  private static let genresQuality = 0.3

  /// "105 min", "12 seats left", "2024 | 98'", "USA 1979, 117 Min.": a number with what it counts, and little else.
  func isFacts(_ text: String) -> Bool {
    let scalars = Array((Self.beforeAge(text) ?? text).lowercased().unicodeScalars)
    var counted = false
    for (index, scalar) in scalars.enumerated()
    where (0x30...0x39).contains(scalar.value) && !counted {
      var next = index + 1
      if next < scalars.count, (0x30...0x39).contains(scalars[next].value) { continue }
      // "98m"; "Two 2 M" has a certificate.
      if next < scalars.count, scalars[next] == "m", next + 1 == scalars.count || scalars[next + 1].isBlank, index > 0 {
        counted = (0x30...0x39).contains(scalars[index - 1].value)
        if counted { continue }
      }
      while next < scalars.count, scalars[next].isBlank { next += 1 }
      let behind = String(String.UnicodeScalarView(scalars[next...].prefix(8)))
      counted = Self.counted.contains { unit in
        guard behind.hasPrefix(unit) else { return false }
        // "20세기 소녀" is of a century; 127 hours are no length.
        if unit == "세" { return Self.isAge(behind) }
        if Self.hours.contains(unit), Self.number(endingAt: index, in: scalars) > Self.hoursMax { return false }
        guard unit.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x27 }) else { return true }
        // A unit is a word of its own: "2 hours", not "2 hearts".
        return behind.unicodeScalars.dropFirst(unit.unicodeScalars.count).first.map {
          !$0.properties.isAlphabetic
        } ?? true
      }
    }
    guard counted else { return false }
    let words = scalars.split(whereSeparator: { !$0.properties.isAlphabetic }).count
    return words <= 4 || scalars.contains("|") || PageWords.tellsLength(text)
  }

  /// "90 Minutes", "10 Minuten": a number and what it counts, each written as a title is.
  func isNamedByCount(_ text: String) -> Bool {
    let words = text.unicodeScalars.split(whereSeparator: \.isBlank)
    guard (2...3).contains(words.count), isFacts(text), !isPrice(text) else { return false }
    return words.allSatisfy { word in
      word.allSatisfy { ("0"..."9").contains($0) }
        || word.count > 2 && word.first?.properties.isUppercase == true && word.allSatisfy(\.properties.isAlphabetic)
    }
  }

  /// "세", "세 이상", "세관람가", and nothing that goes on otherwise.
  private static func isAge(_ behind: String) -> Bool {
    guard let next = behind.unicodeScalars.dropFirst().first else { return true }
    return !next.properties.isAlphabetic || ["이", "관"].contains(next)
  }

  /// 괴물 of "괴물 (12세)" and "괴물 15세이상관람가": a name before who is let in; nil of what is none.
  private static func beforeAge(_ text: String) -> String? {
    guard let age = text.lastPlace(of: "세"), isAge(String(text[age.lowerBound...])) else { return nil }
    var name = text[..<age.lowerBound].unicodeScalars
    let digits = name.reversed().prefix { ("0"..."9").contains($0) }.count
    guard (1...2).contains(digits) else { return nil }
    name.removeLast(digits)
    let trimmed = String(String.UnicodeScalarView(name)).trimmedText
    let opened = trimmed.hasSuffix("(") || trimmed.hasSuffix("[") ? String(trimmed.dropLast()).trimmedText : trimmed
    guard opened.unicodeScalars.count(where: \.properties.isAlphabetic) >= 2,
      opened.unicodeScalars.allSatisfy({ !"|,·/".unicodeScalars.contains($0) })
    else { return nil }
    return opened
  }

  private static let hours: Set<String> = ["h", "hr", "hrs", "hour", "hours"]
  private static let hoursMax = 12

  private static func number(endingAt index: Int, in scalars: [Unicode.Scalar]) -> Int {
    let digits = scalars[...index].reversed().prefix { ("0"..."9").contains($0) }.prefix(6)
    return digits.reversed().reduce(0) { $0 * 10 + Int($1.value - 0x30) }
  }

  /// What is counted beside a film.
  static let counted = [
    "min", "mins", "minutes", "minuti", "minuten", "minutos", "mn", "'", "′", "’", "分", "분",
    "seats", "seat", "plätze", "ghế", "volných", "volná", "volné", "wolnych", "wolne", "platser", "pladser", "plasser",
    "lugares", "plazas", "asientos", "butacas", "posti", "screens", "salles", "säle", "salas", "zalen", "sale", "saler",
    "개관", "スクリーン",
    "석", "席", "h", "hr", "hrs", "hour", "hours", "세", "places", "left",
  ]
}
