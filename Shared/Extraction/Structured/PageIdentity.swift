import HTML

/// What a page says of itself: its title, its site's name, the venue it is of.
struct PageIdentity {
  let title: String?
  let siteName: String?
  let venue: String?
  let isCinema: Bool
  /// What the page is about: its one first heading, with which its title begins.
  let subject: String?
  /// On a page without a first heading, its one second heading.
  let heading: String?
  /// On a page without a first heading, what its title says beside the house's name.
  let film: String?

  /// - Parameter address: the page's own, as far as it is known.
  init(_ page: HTMLDocument, at address: String? = nil) {
    let windowTitle = page.title?.trimmedText
    title = windowTitle
    siteName = page.first("meta[property='og:site_name']")?["content"]?.trimmedText
    let ogTitle = page.first("meta[property='og:title']")?["content"]?.trimmedText
    let parts = [title, ogTitle].compactMap(\.self).flatMap { HeadlineOfFilm($0)?.houses ?? PageIdentity.parts($0) }
    var venue = PageIdentity.houseOfGuide(page, parts)
    if venue == nil, let address {
      venue =
        (page.select("h1").prefix(2).map(\.text.trimmedText) + parts).lazy
        .compactMap { PageIdentity.house(in: $0, named: address) }.first
    }
    if venue == nil, let siteName, CinemaWords.isCinema(siteName), siteName.utf8.count <= 80 { venue = siteName }
    let headings = page.select("h1").prefix(4).map(\.text)
    // "The Lexi Cinema | WhatsOn"
    if venue == nil {
      venue = parts.map(CinemaWords.house).first {
        CinemaWords.isCinema($0) && !PageWords.isLabel($0) && PageIdentity.isName($0)
          && !PageIdentity.isSeries($0, of: headings, windowTitle)
      }
    }
    if venue == nil {
      let logo = page.select("header img[alt], .logo img[alt], #logo img[alt], .logo, #logo, .site-title").prefix(6).map
      { ($0["alt"] ?? $0.text).trimmedText }
      venue = logo.first { CinemaWords.isCinema($0) && $0.utf8.count <= 60 && !PageWords.isLabel($0) }
    }
    if venue == nil {
      // "Film: Silt" is no house.
      venue = headings.prefix(2).map(CinemaWords.house).first {
        CinemaWords.isCinema($0) && $0.utf8.count <= 60 && PageIdentity.isName($0)
          && ![": ", " | "].contains(where: $0.holds)
      }
    }
    // A site whose page lists screenings is the venue, unless the page says otherwise.
    if venue == nil, let siteName, siteName.utf8.count <= 60, !PageWords.isLabel(siteName) { venue = siteName }
    // "上映スケジュール｜みなと座": what is beside the kind of page is whose page it is.
    if venue == nil {
      let titleParts = PageIdentity.parts(title ?? "")
      let rest = titleParts.filter { !PageWords.isLabel($0) }
      // "Kino: Filme vom 15. bis 21. Januar" tells days.
      if titleParts.count >= 2, rest.count == 1, rest[0] == titleParts.last,
        rest[0].utf8.split(whereSeparator: { !isDigitByte($0) }).count < 2
      {
        venue = rest[0]
      }
    }
    let second = page.select("h1, h2").prefix(Self.headingsMax).map(\.text.trimmedText)
    venue = venue.flatMap { PageIdentity.heading(in: $0, of: second) } ?? venue
    venue = venue.flatMap { BranchName(of: $0, in: second)?.name } ?? venue
    self.venue = venue
    subject = PageIdentity.subject(headings, in: [ogTitle, title], venue: venue ?? siteName)
    heading = headings.isEmpty ? PageIdentity.heading(page, venue: venue ?? siteName) : nil
    film = headings.isEmpty ? PageIdentity.film(in: ogTitle ?? title ?? "", beside: [venue, siteName]) : nil
    let words = [
      title ?? "", siteName ?? "", page.first("meta[name=description]")?["content"] ?? "", page.first("h1")?.text ?? "",
    ]
    isCinema =
      venue.map(CinemaWords.isCinema) ?? false || words.contains { CinemaWords.isCinema($0.shortened(to: 300)) }
  }

  static func parts(_ text: String) -> [String] {
    var parts = [text]
    for separator in ["|", " – ", " - ", " — ", " :: ", " · ", "｜", " » ", " ← ", " « ", " / ", ": ", " • "] {
      parts = parts.flatMap { part in
        part.holds(separator) ? part.split(separator: separator).map { String($0).trimmedText } : [part.trimmedText]
      }
    }
    return parts.filter { $0.utf8.count <= 80 && !$0.isEmpty }
  }

  private static func subject(_ headings: [String], in titles: [String?], venue: String?) -> String? {
    guard headings.count == 1, case let heading = headings[0].trimmedText, !heading.isEmpty,
      heading.utf8.count <= subjectBytesMax, !PageWords.isLabel(heading), heading.foldedKey != venue?.foldedKey,
      titles.contains(where: { $0?.hasPrefix(heading) == true })
    else { return nil }
    return heading
  }

  /// "Moss Cinema" of "Silt at Moss Cinema in Moss" and of "Moss Cinema Films and Times", where a heading says no more.
  private static func heading(in part: String, of headings: [String]) -> String? {
    headings.first { heading in
      guard heading.utf8.count < part.utf8.count, heading.utf8.contains(0x20), CinemaWords.isCinema(heading),
        isName(heading), !PageWords.isLabel(heading), let place = part.firstPlace(of: heading)
      else { return false }
      return part[..<place.lowerBound].unicodeScalars.last.map { !$0.properties.isAlphabetic } ?? true
        && part[place.upperBound...].unicodeScalars.first.map { !$0.properties.isAlphabetic } ?? true
    }
  }

  /// "Moss Mall" over its address, in a guide whose page is called "Moss Mall Movie Schedule".
  private static func houseOfGuide(_ page: HTMLDocument, _ parts: [String]) -> String? {
    let headings = page.select("h1")
    guard headings.count == 1, case let name = headings[0].text.trimmedText, !name.isEmpty, name.utf8.count <= 60,
      let address = headings[0].next, address.text.utf8.count <= addressBytesMax,
      address.classes.contains(where: PageWords.address.contains) || address["itemprop"] == "address"
    else { return nil }
    return parts.contains { $0.hasPrefix("\(name) ") && PageWords.namesProgramme($0) } ? name : nil
  }

  /// "Moss Proyecciones" of "Cartelera Moss Proyecciones Madrid" at "/cartelera/madrid/moss-proyecciones": behind words of a
  /// programme what the address ends with.
  private static func house(in heading: String, named address: String) -> String? {
    guard heading.utf8.count <= subjectBytesMax, address.utf8.count <= urlBytesMax,
      let path = address.utf8.split(whereSeparator: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }).first,
      let last = path.split(separator: UInt8(ascii: "/")).last,
      let stem = last.split(separator: UInt8(ascii: ".")).first
    else { return nil }
    let name = stem.split { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
      .map { String(Substring($0)).foldedKey }
    let words = heading.unicodeScalars.split(whereSeparator: \.isBlank)
    let folded = words.map { String(Substring($0)).foldedKey }
    guard name.count >= 2, name.joined().utf8.count >= nameBytesMin, folded.count > name.count,
      let start = folded.indices.dropFirst().first(where: { folded[$0...].starts(with: name) }),
      folded.count - start - name.count <= cityWords,
      PageWords.saysProgramme(words[..<start].map { String(Substring($0)) }.joined(separator: " "))
    else { return nil }
    return words[start..<start + name.count].map { String(Substring($0)) }.joined(separator: " ")
  }

  private static let urlBytesMax = 2_048
  private static let nameBytesMin = 6
  /// Behind a house's name: its city, and "showtimes".
  private static let cityWords = 3

  private static let addressBytesMax = 300

  private static let subjectBytesMax = 120
  private static let headingsMax = 8

  private static func heading(_ page: HTMLDocument, venue: String?) -> String? {
    let headings = page.select("h2")
    guard headings.count == 1, case let heading = headings[0].text.trimmedText, !heading.isEmpty,
      heading.utf8.count <= subjectBytesMax, !PageWords.isLabel(heading), !CinemaWords.isCinema(heading),
      heading.foldedKey != venue?.foldedKey
    else { return nil }
    return heading
  }

  /// "Silt" of "Silt - Moss Cinema".
  private static func film(in title: String, beside houses: [String?]) -> String? {
    let houses = Set(houses.compactMap { $0?.foldedKey })
    let parts = parts(title)
    let rest = parts.filter { !houses.contains($0.foldedKey) }
    guard rest.count == 1, parts.count == 2, !PageWords.isLabel(rest[0]), !CinemaWords.isCinema(rest[0]),
      !PageWords.isOtherPage(rest[0], namesFilm: false)
    else { return nil }
    return rest[0]
  }

  /// "Moss Film Club" over "Moss Film Club: Silt"; "Expat Cinema" of "Silt | Expat Cinema" on "Silt | Expat Cinema - Moss".
  private static func isSeries(_ part: String, of headings: [String], _ title: String?) -> Bool {
    headings.contains { heading in
      heading.hasPrefix(part + ":")
        || heading.hasSuffix("| " + part) && title.map { $0.hasPrefix(heading) && !$0.hasSuffix(part) } ?? false
    }
  }

  /// "Film | Museum of Moss": what a part of a house's site is of.
  private static let kinds: Set<String> = ["film", "movie", "movies", "filme", "filmy", "filmer", "pictures"]

  /// "Kinoprogramm" and "Now in cinemas" speak of cinemas and name none.
  private static func isName(_ text: String) -> Bool {
    // "Rainy weekend? Go and see a film."
    if text.hasSuffix(".") || text.holds("? ") || text.holds("! ") { return false }
    let lower = text.lowercased()
    if kinds.contains(lower) { return false }
    let generic = [
      "programm", "schedule", "showtimes", "what's on", "상영시간", "시간표", "スケジュール", "上映", "horaires", "séances",
      "cartelera", "orari", "spielplan", "now showing", "in cinemas", "agenda", "films", "listings", "times",
      "horários", "horarios", "program ", "műsor", "repertuar", "tickets for", "buy tickets", "book tickets",
      "tickets kaufen",
    ]
    return !generic.contains { lower.holds($0) }
  }
}
