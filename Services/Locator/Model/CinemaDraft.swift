package import Calendars
package import Contracts
package import Drafts

/// A cinema as somebody wrote it: texts by field, before anybody has looked whether they make sense.
///
/// Every way in is this one: files, options, the built-in list. ``cinema(zones:)`` says all that is wrong at once.
nonisolated package struct CinemaDraft: Sendable {
  /// Where it was written, for messages: `line 7`.
  package var place: String
  /// What its id is made of, where its source gives it none.
  package var naming: Naming?
  private var texts = DraftTexts()

  /// How a source that numbers its places tells one from the others.
  package struct Naming: Hashable, Sendable {
    /// The cinema's name as an id, if it can be one.
    package var name: String?
    /// `node-55`: its own, whatever it is called.
    package var number: String

    package init(name: String?, number: String) {
      self.name = name
      self.number = number
    }

    var short: String { name ?? long }
    var long: String { "\(name ?? "osm")-\(number)" }
  }

  package init(_ place: String) { self.place = place }

  /// A cinema that is there, to be changed.
  package init(_ cinema: Cinema) {
    place = cinema.id.text
    for field in CinemaField.allCases { self[field] = field.text(of: cinema) }
  }

  /// An empty text is no text. To set one says that there is none; nil says nothing of it.
  package subscript(field: CinemaField) -> String? {
    get { texts[field] }
    set { texts[field] = newValue }
  }

  /// Leaves as it is kept whatever is not said of a cinema. Open or closed it is always, so nothing clears that.
  mutating func complete(from kept: Cinema) {
    texts.complete(lasting: CinemaField.active) { $0.text(of: kept) }
  }

  /// Where it is, if that can be read.
  var position: Coordinate? {
    guard let latitude = self[.latitude].flatMap({ Degrees($0) }),
      let longitude = self[.longitude].flatMap({ Degrees($0) })
    else { return nil }
    return try? Coordinate(latitude: latitude.value, longitude: longitude.value)
  }

  /// Longer than any name or address; what is longer is a broken file.
  private static let bytesMax = 500

  /// The cinema, if everything is as it has to be.
  package func cinema(zones: ZoneDirectory) throws(DraftProblems) -> Cinema {
    var check = DraftCheck<CinemaField>(texts, bytesMax: Self.bytesMax)
    let id: CinemaID? = check.required(.id, CinemaID.form)
    let name = check.text(.name, isRequired: true)
    let position = check.position(.latitude, .longitude)
    let country = check.country(.country)
    let region = check.text(.region, isRequired: true).map(KnownRegion.slug)
    let zone = check.zone(.zone, only: country.flatMap { KnownRegion.onlyZone[$0] }, in: zones)
    let dayEnds: ClockTime? = check.optional(.dayEnds, ClockTime.form)
    let screens = check.number(.screens, in: 1...100)
    let isActive = check.flag(.active) ?? true
    let links = (check.link(.website), check.instagram(), check.link(.mapPlace))
    let (nameEnglish, city, address) = (check.text(.nameEnglish), check.text(.city), check.text(.address))
    let aliases = check.text(.aliases)?.split(separator: CinemaField.aliasSeparator).map { $0.trimmed }.filter {
      !$0.isEmpty
    }
    guard check.problems.isEmpty, let id, let name, let position, let country, let region, let zone else {
      throw DraftProblems(place: place, problems: check.problems)
    }
    return Cinema(
      id: id, name: name, nameEnglish: nameEnglish, aliases: aliases, country: country, region: region, city: city,
      address: address, position: position, zone: zone, dayEnds: dayEnds, screens: screens, website: links.0,
      instagram: links.1, mapPlace: links.2, isActive: isActive)
  }
}

nonisolated extension DraftCheck<CinemaField> {
  fileprivate mutating func link(_ field: CinemaField) -> String? {
    guard let text = text(field) else { return nil }
    if text.hasPrefix("https://") || text.hasPrefix("http://") {
      guard text.contains(" ") else { return text }
      note("\(field.rawValue) holds a blank, or more than one address")
      return nil
    }
    // As people write them: www.emu.kr/now
    let host = text.prefix { $0 != "/" }.utf8
    guard host.contains(UInt8(ascii: ".")), host.allSatisfy({ $0.isSlugByte || $0 == UInt8(ascii: ".") }) else {
      note("\(field.rawValue) is \(text); begin it with https://")
      return nil
    }
    return "https://\(text)"
  }

  /// A link, or the name alone with or without @.
  fileprivate mutating func instagram() -> String? {
    guard let text = text(.instagram), !text.contains("/") else { return link(.instagram) }
    let name = text.hasPrefix("@") ? String(text.dropFirst()) : text
    guard name.utf8.allSatisfy({ $0.isSlugByte || $0 == UInt8(ascii: ".") }) else {
      note("instagram is \(text); write the name or a link")
      return nil
    }
    return "https://instagram.com/\(name)"
  }
}

nonisolated extension UInt8 {
  fileprivate var isSlugByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
