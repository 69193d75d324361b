import Calendars
import Clocks
import JSON

/// What is shown, and where: by the record itself, by those around it, by names in a map.
extension RecordWalk {
  func title(_ own: RecordFacts) -> (text: String, isOwn: Bool, isFilm: Bool)? {
    if let film = own.filmTitle, let title = own.title, isNumber(title.text) || PrintedTitle(title.text).isOnlyMarks {
      return (film, true, true)
    }
    // What a record calls itself is what is printed, unless that is a label: "Q&A", "Screen 2".
    if let name = own.described, let title = own.title, isAddress(title.text, of: name), isTitle(name, own) {
      return (name, true, false)
    }
    if let title = own.title, title.rank <= 2, isTitle(title.text, own) {
      if let name = nameBehindTime(title.text) { return (name, false, false) }
      if title.rank == 0 || own.filmTitle == nil && titleAround() == nil || !isLabel(title.text) {
        return (title.text, true, false)
      }
    }
    if let film = own.filmTitle ?? own.bill { return (film, true, true) }
    if let around = titleAround(), around.isFilm || own.joined == nil { return (around.text, false, around.isFilm) }
    if let film = own.joined { return (film, false, true) }
    if let title = own.title, isTitle(title.text, own) { return (title.text, true, false) }
    if let film = filmInMap() ?? filmNamingMap() { return (film, false, true) }
    if let title = mapTitle() { return (title, false, false) }
    return own.described.flatMap { isTitle($0, own) ? ($0, true, false) : nil }
  }

  /// "003-400834": what programs count by. Films are called by fewer digits.
  private func isNumber(_ text: String) -> Bool {
    text.utf8.count(where: isDigitByte) >= Self.numberDigitsMin
      && text.utf8.allSatisfy { isDigitByte($0) || [0x20, 0x2D, 0x2E, 0x2F, 0x5F].contains($0) }
  }

  private static let numberDigitsMin = 6

  /// "harbour-song-2" of "Harbour Song": a name as addresses have it.
  private func isAddress(_ text: String, of name: String) -> Bool {
    text != name && text.utf8.contains(UInt8(ascii: "-"))
      && text.utf8.allSatisfy { isDigitByte($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }
      && !name.foldedKey.isEmpty && text.foldedKey.hasPrefix(name.foldedKey)
  }

  /// The name of what it is among the showings of.
  private func nameBehindTime(_ text: String) -> String? {
    scopes.dropLast().reversed().lazy.compactMap { $0.facts?.title?.text }.first { facts.isNamedByTime(text, $0) }
  }

  private func isTitle(_ text: String, _ own: RecordFacts) -> Bool {
    !text.isEmpty && text != own.screen && text != own.venue
      && (clock.moment(text) == nil || own.filmTitle == nil && titleAround() == nil)
  }

  /// "Q&A", "Screen 2", "35mm": nothing that has a name of its own.
  private func isLabel(_ text: String) -> Bool {
    PrintedTitle(text).isOnlyMarks || ScreenName.isOne(text) || isNumbered(text)
  }

  /// "Vorstellung 11", "Séance 3".
  private func isNumbered(_ text: String) -> Bool {
    let words = text.split(separator: " ")
    guard words.count == 2, words[1].utf8.allSatisfy(isDigitByte) else { return false }
    return RecordKey(words[0].lowercased().foldedKey).thing == .shows
  }

  func titleAround() -> (text: String, isFilm: Bool)? {
    // A name of some special kind is one where nothing around it has a title.
    titleAround(rankMax: 3) ?? titleAround(rankMax: .max)
  }

  private func titleAround(rankMax: Int) -> (text: String, isFilm: Bool)? {
    for place in scopes.indices.reversed() {
      let scope = scopes[place]
      guard let facts = scope.facts, !scope.key.isOfTickets else { continue }
      switch scope.thing {
      // Between a film and its times stand formats, too, each with a name; Strapi calls a record's own fields attributes.
      case .venue, .screen: continue
      case .attributes where scope.key.words.last == "formats": continue
      default: break
      }
      if scope.key.thing == nil, facts.hasAddress, isInFilm(at: place) { continue }
      // `{"title": "Moss Cinema", "additionalData": {"venueName": "Moss Cinema"}, "showtimes": […]}`
      if scope.thing != .film, let title = facts.title, title.text == facts.venue, facts.filmTitle == nil { continue }
      // "September 5" is a film where films stand, and a day elsewhere.
      if let title = facts.title, title.rank > rankMax, facts.filmTitle == nil { continue }
      if scope.thing == .film, let title = facts.title { return (title.text, true) }
      let title = facts.title.flatMap { clock.moment($0.text) == nil && !TicketName.isOne($0.text) ? $0 : nil }
      if let film = facts.filmTitle { return (film, true) }
      // A zone is a city's, or a house's; or that of an event whose days these are, or of what has a length.
      if let title, facts.zone == nil || title.rank == 0 || isInDates(of: place) || facts.minutes != nil {
        return (title.text, scope.key.thing == .film)
      }
    }
    return nil
  }

  /// What has a name and an address among what a film holds is a house: `"film": {"title": …, "programme": {"31": …}}`.
  private func isInFilm(at place: Int) -> Bool {
    scopes[..<place].contains { $0.thing == .film && $0.facts?.title != nil }
  }

  /// Whether what is being read is one of the record's dates: `{"name": …, "dates": [{"startDate": …}]}`.
  private func isInDates(of place: Int) -> Bool {
    guard scopes.indices.contains(place + 1), case .start = scopes[place + 1].key.role else { return false }
    return true
  }

  /// `{"276001": {"2026-11-23": [{"startsAt": …}]}}`, where 276001 is a film's id.
  private func filmInMap() -> String? {
    for scope in scopes.reversed() where scope.key.role == nil && scope.name.utf8.contains(where: isDigitByte) {
      if let film = facts.index.record(named: scope.name, Self.filmID), let name = facts.name(of: film) { return name }
    }
    return nil
  }

  private static let filmID = RecordKey("filmId")

  /// `"showtimes": {"silt": [{"startsAt": …}]}`, where something elsewhere is called "silt" and has a title, and so it is
  /// with most of the map's names.
  private func filmNamingMap() -> String? {
    for place in scopes.indices.dropFirst().reversed() {
      let (name, names) = (scopes[place].name, scopes[place - 1].names)
      guard names.count == Self.namesMax || names.contains(name), let title = facts.title(keyed: Self.id(in: name))
      else { continue }
      let known = names.count { facts.title(keyed: Self.id(in: $0)) != nil }
      if known == names.count || known > 1 && known * 2 >= names.count { return title }
    }
    return nil
  }

  private static func id(in name: String) -> String { dayBehindID(name)?.id ?? name }

  /// `{"Film A": ["19:30"]}`, and `{"2026-11-27": {"Silt": ["19:30"]}}`
  private func mapTitle() -> String? {
    for place in scopes.indices.reversed() {
      let scope = scopes[place]
      let name = scope.name
      guard scope.date == nil, scope.key.role == nil, scope.key.thing == nil, name.utf8.count > 3, name.hasLetters,
        name.utf8.contains(0x20) || name.utf8.contains(where: { $0 >= 0x80 })
          || place > 0 && scopes[place - 1].date != nil && isName(name)
      else { continue }
      return PlainText.of(name)
    }
    return nil
  }

  /// One word of its own, not that of a part of the data.
  private func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, (0x41...0x5A).contains(first) else { return false }
    return text.utf8.dropFirst().allSatisfy { (0x61...0x7A).contains($0) } && !isLabel(text) && !TicketName.isOne(text)
  }

  func venueAround(_ title: String) -> String? {
    for place in scopes.indices.reversed() {
      let scope = scopes[place]
      guard let name = scope.facts?.title?.text else { continue }
      if scope.key.thing == nil, scope.facts?.hasAddress == true, isInFilm(at: place) { return name }
      // A list of nothing in particular, of what is called as cinemas are.
      let isOfHouses = scope.key.thing == nil || scope.key.thing == .organizer
      if scope.key.thing == .venue || isOfHouses && name != title && CinemaWords.isName(name) {
        return name
      }
    }
    return nameInMap(of: .venue)
  }

  func screenAround() -> String? {
    for scope in scopes.reversed() where scope.key.thing == .screen {
      if let title = scope.facts?.title { return title.text }
    }
    return nameInMap(of: .screen)
  }

  /// `{"rooms": {"Janson": […]}}`
  private func nameInMap(of thing: RecordKey.Thing) -> String? {
    for place in scopes.indices.dropFirst().reversed() where scopes[place - 1].key.thing == thing {
      let name = scopes[place].name
      if name.hasLetters, scopes[place].key.thing == nil || name.utf8.contains(0x20) { return PlainText.of(name) }
    }
    return nil
  }
}
