import Calendars
import Clocks
import Contracts
package import Drafts
import Wire

/// A station as somebody wrote it: texts by field, before anybody has looked whether they make sense.
///
/// Every way in is this one: files, options, the built-in list, the demo world. ``record()`` says all that is wrong at once.
nonisolated package struct StationDraft: Sendable {
  /// Where it was written, for messages: `line 7`.
  package var place: String
  /// What it is called where its source gives it no name and it is not kept under one.
  var nameOtherwise: String?
  private var texts = DraftTexts()

  package init(_ place: String) { self.place = place }

  /// A station that is there, to be changed.
  package init(_ record: StationRecord) {
    place = record.id.text
    for field in StationField.allCases { self[field] = field.text(of: record) }
  }

  /// An empty text is no text. To set one says that there is none; nil says nothing of it.
  package subscript(field: StationField) -> String? {
    get { texts[field] }
    set { texts[field] = newValue }
  }

  /// Leaves as it is kept whatever is not said of a station. Active or not it always is, so nothing clears that.
  mutating func complete(from kept: StationRecord) {
    texts.complete(lasting: StationField.active) { $0.text(of: kept) }
  }

  /// Longer than any name; what is longer is a broken file.
  private static let bytesMax = 500

  /// The station, if everything is as it has to be.
  package func record() throws(DraftProblems) -> StationRecord {
    var texts = texts
    texts[StationField.name] = self[.name] ?? nameOtherwise
    var check = DraftCheck<StationField>(texts, bytesMax: Self.bytesMax)
    let id: StationID? = check.required(.id, StationID.form)
    let name = check.text(.name, isRequired: true)
    let section = check.text(.section).map { KnownSection.slug($0) } ?? KnownSection.other
    let (address, schedule) = (check.link(.address, isRequired: true), check.link(.schedule))
    let tags = (check.text(.tags) ?? "").split { $0 == StationField.tagSeparator || $0 == "," }.map(\.trimmed)
    let (english, website) = (check.text(.nameEnglish), check.link(.website))
    let language = check.language()
    let rights = check.rights()
    let (isDemo, isActive) = (check.flag(.demo), check.flag(.active) ?? true)
    guard check.problems.isEmpty, let id, let name, let address else {
      throw DraftProblems(place: place, problems: check.problems)
    }
    let station = Station(
      id: id, name: name, nameEnglish: english, section: section, tags: tags.filter { !$0.isEmpty },
      language: language, website: website, rights: rights, isDemo: isDemo == true ? true : nil)
    return StationRecord(station: station, address: address, schedule: schedule, isActive: isActive)
  }
}

nonisolated extension DraftCheck<StationField> {
  /// Addresses carry keys and whole queries.
  private static var linkBytesMax: Int { 2_000 }

  fileprivate mutating func link(_ field: StationField, isRequired: Bool = false) -> String? {
    guard let text = text(field, isRequired: isRequired, bytesMax: Self.linkBytesMax) else { return nil }
    guard !text.contains(" ") else {
      note("\(field.rawValue) holds a blank, or more than one address")
      return nil
    }
    guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
      // As people write them: radio.example:8000/live
      if text.isHostFirst { return (field == .address ? "http://" : "https://") + text }
      note("\(field.rawValue) is \(text); begin it with https://")
      return nil
    }
    return text
  }

  fileprivate mutating func language() -> String? {
    guard let text = text(.language) else { return nil }
    guard let code = LanguageName.code(of: text) else {
      note("language is \(text); write two letters such as ko")
      return nil
    }
    return code
  }

  /// Rights are told whole, or there are none: half a record is no proof of anything.
  fileprivate mutating func rights() -> StationRights? {
    guard StationField.rights.contains(where: { texts[$0] != nil }) else { return nil }
    let owner = text(.owner, isRequired: true)
    let licence = text(.licence, isRequired: true)
    let word = text(.use, isRequired: true)
    let use = word.map { StationUse.named($0) }
    if let word, let use, !StationUse.known.contains(use) {
      note("rights_use is \(word); write link, play or relay")
    }
    let until = text(.until).flatMap { instant($0) }
    guard let owner, let licence, let use else { return nil }
    return StationRights(owner: owner, licence: licence, proof: text(.proof), use: use, until: until)
  }

  /// A date is its end in UTC; the difference to any zone's is within what such a paper is meant to say.
  private mutating func instant(_ text: String) -> WallTime? {
    if let date = CivilDate(text) { return Timestamp("\(date + 1)T00:00:00Z")?.instant }
    if let stamp = Timestamp(text) { return stamp.instant }
    note("rights_until is \(text); write 2027-12-31")
    return nil
  }
}

nonisolated extension String {
  /// Whether it begins with the name of a host, and perhaps a port.
  fileprivate var isHostFirst: Bool {
    let parts = prefix { $0 != "/" && $0 != "?" }.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let host = parts.first, host.utf8.contains(UInt8(ascii: ".")), host.utf8.first != UInt8(ascii: ".") else {
      return false
    }
    return host.utf8.allSatisfy(\.isOfHost) && (parts.count == 1 || UInt16(parts[1]) != nil)
  }
}

nonisolated extension UInt8 {
  fileprivate var isOfHost: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
