package import Calendars
package import Contracts
import RPC

/// A cinema as somebody wrote it: texts by field, before anybody has looked whether they make sense.
///
/// Every way in is this one: files, options, the built-in list. ``cinema(known:)`` says all that is wrong at once.
nonisolated package struct CinemaDraft: Sendable {
  /// Where it was written, for messages: `line 7`.
  package var place: String
  /// What its id is made of, where its source gives it none.
  package var naming: Naming?
  private var texts: [CinemaField: String] = [:]

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
    get { texts[field].flatMap { $0.isEmpty ? nil : $0 } }
    set { texts[field] = newValue }
  }

  /// Leaves as it is kept whatever is not said of a cinema. Open or closed it is always, so nothing clears that.
  mutating func complete(from kept: Cinema) {
    for field in CinemaField.allCases where texts[field] == nil || field == .active && self[field] == nil {
      self[field] = field.text(of: kept)
    }
  }

  /// Where it is, if that can be read.
  var position: Coordinate? {
    guard let latitude = self[.latitude].flatMap({ Double($0.trimmed) }),
      let longitude = self[.longitude].flatMap({ Double($0.trimmed) })
    else { return nil }
    return try? Coordinate(latitude: latitude, longitude: longitude)
  }

  /// The cinema, if everything is as it has to be.
  package func cinema(zones: ZoneDirectory) throws(DraftProblems) -> Cinema {
    var check = Check(draft: self)
    let id: CinemaID? = check.required(.id, CinemaID.form)
    let name = check.text(.name, isRequired: true)
    let position = check.position()
    let country = check.country()
    let region = check.text(.region, isRequired: true).map(KnownRegion.slug)
    let zone = check.zone(country, zones)
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

/// All that is wrong with one draft.
nonisolated package struct DraftProblems: Error, Hashable, Sendable {
  package var place: String
  package var problems: [String]

  package init(place: String, problems: [String]) {
    self.place = place
    self.problems = problems
  }

  package var line: String { "\(place): \(problems.joined(separator: "; "))" }
}

/// Reads the fields of a draft one by one and remembers what is wrong.
nonisolated private struct Check {
  let draft: CinemaDraft
  private(set) var problems: [String] = []

  /// Longer than any name or address; what is longer is a broken file.
  private static let bytesMax = 500

  init(draft: CinemaDraft) { self.draft = draft }

  mutating func text(_ field: CinemaField, isRequired: Bool = false) -> String? {
    guard let text = draft[field]?.oneLine, !text.isEmpty else {
      if isRequired { problems.append("\(field.rawValue) is missing") }
      return nil
    }
    guard text.utf8.count <= Self.bytesMax else {
      problems.append("\(field.rawValue) has \(text.utf8.count) bytes; at most \(Self.bytesMax) are kept")
      return nil
    }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      problems.append("\(field.rawValue) holds a control character")
      return nil
    }
    return text
  }

  mutating func optional<Value: LosslessStringConvertible>(_ field: CinemaField, _ form: String) -> Value? {
    guard let text = text(field) else { return nil }
    guard let value = Value(text) else {
      problems.append("\(field.rawValue) is \(text), not \(form)")
      return nil
    }
    return value
  }

  mutating func required<Value: LosslessStringConvertible>(_ field: CinemaField, _ form: String) -> Value? {
    guard text(field, isRequired: true) != nil else { return nil }
    return optional(field, form)
  }

  mutating func number(_ field: CinemaField, in range: ClosedRange<Int>) -> Int? {
    guard let text = text(field) else { return nil }
    // Map programs and tables of Python's write 3.0.
    guard let number = Int(text) ?? Double(text).flatMap({ Int(exactly: $0) }) else {
      problems.append("\(field.rawValue) is \(text), not a whole number")
      return nil
    }
    guard range.contains(number) else {
      problems.append("\(field.rawValue) is \(number); give one of \(range.lowerBound)...\(range.upperBound)")
      return nil
    }
    return number
  }

  mutating func flag(_ field: CinemaField) -> Bool? {
    guard let text = text(field)?.lowercased() else { return nil }
    if ["1", "yes", "y", "true"].contains(text) { return true }
    if ["0", "no", "n", "false"].contains(text) { return false }
    problems.append("\(field.rawValue) is \(text); write 1 or 0")
    return nil
  }

  mutating func position() -> Coordinate? {
    let latitude: Double? = required(.latitude, "degrees such as 37.5663")
    let longitude: Double? = required(.longitude, "degrees such as 126.9779")
    guard let latitude, let longitude else { return nil }
    if abs(latitude) > 90, abs(longitude) <= 90, abs(latitude) <= 180 {
      problems.append("lat is \(latitude) and lon is \(longitude); they are probably swapped")
      return nil
    }
    do throws(RPCError) {
      return try Coordinate(latitude: latitude, longitude: longitude)
    } catch {
      problems.append(error.message)
      return nil
    }
  }

  mutating func country() -> String? {
    guard let text = text(.country, isRequired: true)?.uppercased() else { return nil }
    guard text.utf8.count == 2, text.utf8.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains) else {
      problems.append("country is \(text); write two letters such as KR")
      return nil
    }
    return text
  }

  mutating func zone(_ country: String?, _ zones: ZoneDirectory) -> ZoneName? {
    if draft[.zone] == nil, let only = country.flatMap({ KnownRegion.onlyZone[$0] }) { return ZoneName(only) }
    guard let zone: ZoneName = required(.zone, ZoneName.form) else { return nil }
    guard (try? zones.rules(for: zone)) != nil else {
      problems.append("time_zone is \(zone), which this machine does not know")
      return nil
    }
    return zone
  }

  mutating func link(_ field: CinemaField) -> String? {
    guard let text = text(field) else { return nil }
    if text.hasPrefix("https://") || text.hasPrefix("http://") { return text }
    // As people write them: www.emu.kr/now
    let host = text.prefix { $0 != "/" }.utf8
    guard host.contains(UInt8(ascii: ".")), host.allSatisfy({ $0.isSlugByte || $0 == UInt8(ascii: ".") }) else {
      problems.append("\(field.rawValue) is \(text); begin it with https://")
      return nil
    }
    return "https://\(text)"
  }

  /// A link, or the name alone with or without @.
  mutating func instagram() -> String? {
    guard let text = text(.instagram), !text.contains("/") else { return link(.instagram) }
    let name = text.hasPrefix("@") ? String(text.dropFirst()) : text
    guard name.utf8.allSatisfy({ $0.isSlugByte || $0 == UInt8(ascii: ".") }) else {
      problems.append("instagram is \(text); write the name or a link")
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

nonisolated extension StringProtocol {
  /// Lines and tabs are how a spreadsheet's cell is laid out, and no part of a name or an address.
  var oneLine: String {
    split { $0.isNewline || $0 == "\t" }.map { String($0).trimmed }.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Without blanks at its ends.
  var trimmed: String {
    var view = self.unicodeScalars[...]
    while let first = view.first, first.properties.isWhitespace { view.removeFirst() }
    while let last = view.last, last.properties.isWhitespace { view.removeLast() }
    return String(String.UnicodeScalarView(view))
  }
}
