import Calendars
import JSON

/// Records inside a record, and those elsewhere that it names.
extension RecordFactsReader {
  func take(
    _ inner: JSONObject, _ name: String, _ own: RecordKey, into facts: inout RecordFacts, nesting: Int
  ) {
    switch own.role {
    case .title(let rank):
      if let text = RecordText.of(.object(inner), in: clock.languages) { setTitle(text, rank: rank, &facts) }
      return
    case .start(let rank):
      if own.isOfStart, let moment = ClockFields(inner, keys: keys, before: []).moment {
        facts.starts.append(.init(rank: rank, moment: moment))
        return
      }
    case .soldOut, .id, .zone: return
    case .status:
      for name in ["code", "value", "name", "id", "slug", "key"] {
        if let text = inner[name]?.string { takeStatus(text, into: &facts) }
      }
    default: break
    }
    switch own.thing {
    case .film: setFilm(named(inner, own), &facts)
    case .venue: facts.venue = facts.venue ?? self.name(of: named(inner, own)) ?? shortAddress(of: inner)
    case .screen: facts.screen = facts.screen ?? self.name(of: named(inner, own))
    case .unrelated, .attributes, .organizer: break
    case .shows, nil:
      if facts.venue == nil, own.words.contains("address") { facts.venue = placeName(of: inner) }
      if own.isOfPlainAddress { facts.addressName = facts.addressName ?? nameBesideStreet(in: inner) }
      // An event that a record names is its title; a part of it that tells times is part of it.
      guard nesting < Self.nestingMax, inner.count <= 40 else { return }
      if own.words == ["event"] || own.words == ["show"] || own.words == ["superevent"] {
        if facts.filmTitle == nil, let title = self.name(of: named(inner, own)) { setTitle(title, rank: 1, &facts) }
        return
      }
      if own.isOfMore { takePlaces(of: inner, into: &facts) }
      // HAL keeps a record's venues and films there.
      if own.words == ["embedded"] { take(inner, into: &facts, prefix: "", nesting: nesting + 1) }
      if Self.holdsTimes(own) { take(inner, into: &facts, prefix: name, nesting: nesting + 1) }
    }
  }

  /// The title of what is called so elsewhere, if there is one and it is no day.
  func title(keyed id: String) -> String? { title(among: index.records(keyed: id)) }

  func title(among records: [JSONObject]) -> String? {
    var title: String?
    for record in records {
      guard !record.contains(where: { keys[$0.name].isOfStart && $0.value.string != nil }), let name = name(of: record),
        clock.moment(name) == nil
      else { continue }
      if let title, title != name { return nil }
      title = name
    }
    return title
  }

  /// `{"address": "Town Hall", "full_address": "Town Hall, 1 High Street"}`: a name, and no street.
  private func placeName(of address: JSONObject) -> String? {
    guard let name = address["address"]?.string, !name.utf8.contains(where: isDigitByte),
      let whole = (address["full_address"] ?? address["formatted_address"])?.string, whole != name,
      whole.hasPrefix(name)
    else { return nil }
    return named(name)
  }

  /// `"addressObject": {"description": "Town Hall", "street": "1 High Street"}`: what the place is called.
  private func nameBesideStreet(in address: JSONObject) -> String? {
    guard ["street", "streetAddress", "street_address"].contains(where: { address[$0]?.string?.isEmpty == false })
    else { return nil }
    let name = ["name", "title", "label"].lazy.compactMap { address[$0]?.string }.first
    guard let text = name ?? address["description"]?.string.flatMap({ isShort($0) ? $0 : nil }),
      text.hasLetters, !text.utf8.contains(where: isDigitByte), !text.hasSuffix("."),
      text.utf8.count <= Self.placeBytesMax, !Self.placeKinds.contains(text.foldedKey),
      address.count(where: { $0.value.string == text }) == 1
    else { return nil }
    return named(text)
  }

  /// "Town Hall", not "Ring at the door behind the church".
  private func isShort(_ text: String) -> Bool {
    text.split(separator: " ").count <= Self.placeWordsMax
      && (VenueLines.isPlace(text) || CinemaWords.isCinema(text) || ScreenName.isOne(text))
      && text.unicodeScalars.first.map { !$0.properties.isLowercase } ?? false
  }

  private static let placeWordsMax = 3
  /// A longer text describes.
  private static let placeBytesMax = 60
  /// What kind of address it is.
  private static let placeKinds: Set<String> = ["venue", "home", "main", "work", "office", "default", "address"]

  /// `"venue": {"short_address": "Town Hall, Moss", "address": "1 High Street, …"}`: a place without a name, and no street.
  private func shortAddress(of place: JSONObject) -> String? {
    guard let text = place["short_address"]?.string ?? place["shortAddress"]?.string,
      !text.utf8.contains(where: isDigitByte), text != place["address"]?.string
    else { return nil }
    return named(text)
  }

  /// `{"id": "201"}` and `{"corporateId": "HO1"}` stand for the record of that name.
  func named(_ inner: JSONObject, _ own: RecordKey) -> JSONObject {
    guard inner.count <= 3, name(of: inner) == nil else { return inner }
    for (name, value) in inner where keys[name].role == .id || keys[name].isReference || keys[name].words == ["ref"] {
      guard let id = value.string ?? value.int.map(String.init) else { continue }
      if let found = index.record(named: id, own) { return found }
      if keys[name].words == ["ref"], let found = index.record(referenced: id) { return found }
    }
    return inner
  }

  /// What is only named where it stands: `{"__ref": "Showing:1019"}`.
  func referenced(by object: JSONObject) -> JSONObject? {
    guard object.count <= 2, let id = (object["__ref"] ?? object["_ref"])?.string else { return nil }
    return index.record(referenced: id)
  }

  /// Where it is, as more of the record says.
  private func takePlaces(of inner: JSONObject, into facts: inout RecordFacts) {
    for (name, value) in inner {
      guard let text = value.string else { continue }
      switch keys[name].role {
      case .venue: facts.venue = facts.venue ?? named(text)
      case .screen: facts.screen = facts.screen ?? named(text)
      default: break
      }
    }
  }

  private static func holdsTimes(_ key: RecordKey) -> Bool {
    // Of several it is told again: `nextTiming` beside `timings`.
    guard Set(key.words).isDisjoint(with: ["next", "previous", "prev", "last"]) else { return false }
    if case .start = key.role { return true }
    if case .end = key.role { return true }
    return key.thing == .shows
      || !Set(key.words).isDisjoint(with: ["acf", "fields", "attributes", "properties", "timing"])
  }

  func take(_ values: [JSONValue], _ name: String, _ own: RecordKey, into facts: inout RecordFacts) {
    guard let first = values.first, values.count <= 40 else { return }
    if case .title(let rank) = own.role, first.object != nil,
      let text = RecordText.of(.array(values), in: clock.languages)
    {
      setTitle(text, rank: rank, &facts)
      return
    }
    switch own.thing {
    case .film:
      // "features": ["vf", "3d"]
      if own.words == ["features"], values.allSatisfy({ $0.string.map(Self.isMark) ?? false }) {
        facts.notes += values.compactMap { $0.string.map(PlainText.of) }
        return
      }
      // A double bill is several films under one start.
      let names = values.prefix(6).compactMap { value in
        value.object.flatMap(self.name(of:))
          ?? value.string.flatMap { text in
            index.record(named: text, own).flatMap(self.name(of:)) ?? (own.isReference ? nil : PlainText.of(text))
          }
      }
      if facts.bill == nil, !names.isEmpty, values.count <= 6 { facts.bill = names.joined(separator: " + ") }
      if !names.isEmpty { facts.isOfFilm = true }
    case .venue where values.count > 1, .screen where values.count > 1: break
    case .venue: facts.venue = facts.venue ?? first.object.flatMap(self.name(of:)) ?? first.string.flatMap(named)
    case .screen: facts.screen = facts.screen ?? first.object.flatMap(self.name(of:)) ?? first.string.flatMap(named)
    case .attributes:
      for value in values {
        if let text = value.string {
          facts.notes.append(index.record(named: text, own).flatMap(self.name(of:)) ?? PlainText.of(text))
        } else if let object = value.object, let name = self.name(of: object) {
          facts.notes.append(name)
        }
      }
    default:
      if own.words == ["dates"] {
        let dates = values.compactMap { value in
          value.string.flatMap { clock.moment($0) }.flatMap { if case .date(let date) = $0 { date } else { nil } }
        }
        if dates.count == values.count, dates.count <= Self.datesMax { facts.dates = Set(dates).sorted() }
      }
    }
  }

  /// A year of what is shown each day.
  private static let datesMax = 366

  func follow(_ key: RecordKey, _ id: String, into facts: inout RecordFacts) {
    guard let record = index.record(named: id, key) else {
      if key.thing == .screen, Self.isRoom(id) { facts.screenCode = facts.screenCode ?? id }
      return
    }
    switch key.thing {
    case .film: setFilm(record, &facts)
    case .venue: facts.venue = facts.venue ?? name(of: record)
    case .screen: facts.screen = facts.screen ?? name(of: record) ?? id
    case .shows: if facts.filmTitle == nil, let name = name(of: record) { setTitle(name, rank: 1, &facts) }
    case .organizer: facts.organizer = facts.organizer ?? house(record)
    default: break
    }
  }

  /// Who shows films and says where it lies is a house; a club may show them anywhere.
  private func house(_ organizer: JSONObject) -> String? {
    guard let name = name(of: organizer) else { return nil }
    let lies = organizer.contains { keys[$0.name].isOfAddress && $0.value.string?.isEmpty == false }
    return lies || CinemaWords.isName(name) ? name : nil
  }

  /// A word of a programme's own, and no name.
  private static func isMark(_ text: String) -> Bool {
    PrintedTitle(text).isOnlyMarks || text.utf8.count <= 24 && text == text.lowercased() && text != text.uppercased()
  }

  /// 3 may be printed on a door; 115 is the key of a record that is not there.
  static func isRoom(_ id: String) -> Bool { Int(id).map { $0 <= roomsMax } ?? (id.utf8.count <= roomBytesMax) }

  private static let roomsMax = 40
  private static let roomBytesMax = 24

  private static let wrappers = [
    "fields", "attributes", "node", "data", "show", "film", "movie", "info", "details", "content", "feature", "basic",
    "general", "common",
  ]

  /// The title or name of a record, whatever it is of; one level down where the record is wrapped: `{"fields": {…}}`.
  func name(of object: JSONObject) -> String? {
    if let name = ownName(of: object) { return name }
    return Self.wrappers.lazy.compactMap { object[$0]?.object.flatMap(ownName(of:)) }.first
  }

  /// A record that is of something else may say where it is: that is its name before those of a special kind.
  private static let placeRank = 3.0

  private func ownName(of object: JSONObject) -> String? {
    var best: (rank: Double, text: String)?
    for (name, value) in object {
      let key = keys[name]
      let rank: Double
      switch key.role {
      // "MovieNameUS" is a name of the film, "CinemaName" of where it is shown.
      case .title(let found): rank = key.isOfFilm ? min(Double(found), Self.placeRank - 0.5) : Double(found)
      case .venue, .screen: rank = Self.placeRank
      default: continue
      }
      guard best.map({ rank < $0.rank }) ?? true, let text = RecordText.of(value, in: clock.languages)
      else { continue }
      let plain = PlainText.of(text)
      if !plain.isEmpty, plain.utf8.count <= 400 { best = (rank, plain) }
    }
    return best?.text
  }
}
