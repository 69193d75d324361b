import Calendars
import Clocks
import Contracts

/// A field of a station as people write it: a column of a file, an option of a command, a line of the history.
///
/// Everything that is text about a station goes through here, so a column, an option and a change have one name.
nonisolated package enum StationField: String, CaseIterable, Sendable {
  case id, name
  case nameEnglish = "name_en"
  case section, tags, language, website, address, schedule
  case owner = "rights_owner"
  case licence = "rights_licence"
  case proof = "rights_proof"
  case use = "rights_use"
  case until = "rights_until"
  case demo, active

  /// Between several tags of one station.
  static let tagSeparator: Character = "|"

  static let rights: [StationField] = [.owner, .licence, .proof, .use, .until]

  func text(of record: StationRecord) -> String? {
    let (station, rights) = (record.station, record.station.rights)
    return switch self {
    case .id: station.id.text
    case .name: station.name
    case .nameEnglish: station.nameEnglish
    case .section: station.section
    case .tags: station.tags.isEmpty ? nil : station.tags.joined(separator: String(Self.tagSeparator))
    case .language: station.language
    case .website: station.website
    case .address: record.address
    case .schedule: record.schedule
    case .owner: rights?.owner
    case .licence: rights?.licence
    case .proof: rights?.proof
    case .use: rights?.use.rawValue
    case .until: rights?.until.map { Timestamp($0).description }
    case .demo: station.isDemo == true ? "1" : nil
    case .active: record.isActive ? "1" : "0"
    }
  }

  /// What else files call it.
  static let otherNames = [
    "group": "section", "url": "address", "stream": "address", "streamurl": "address", "homepage": "website",
    "title": "name", "subtitle": "tags", "english_name": "name_en", "lang": "language", "is_active": "active",
    "owner": "rights_owner", "licence": "rights_licence", "license": "rights_licence", "proof": "rights_proof",
    "use": "rights_use", "until": "rights_until", "programme": "schedule", "ics": "schedule", "station": "name",
    "station_name": "name", "radio": "name", "stream_url": "address", "streaming_url": "address",
    "stream_link": "address",
    "listen_url": "address", "link": "address", "web": "website", "site": "website", "genre": "tags", "genres": "tags",
    "category": "section", "languages": "language", "방송국": "name", "방송국명": "name", "채널명": "name", "이름": "name",
    "스트림": "address", "스트림주소": "address", "주소": "address", "언어": "language", "홈페이지": "website", "장르": "tags",
    "放送局": "name", "局名": "name", "名称": "name", "言語": "language", "ジャンル": "tags",
  ]

  /// Columns that tell better what another of theirs tells, too.
  static let better = ["url_resolved", "languagecodes"]

  /// Columns of known lists that say how an address is to be read. We look at what it answers instead.
  static let elsewhere = ["resolver_type", "resolver", "url_kind", "stationtype", "imageurl", "imagecolor", "detail"]

  var help: String {
    switch self {
    case .id: "its slug, which never changes"
    case .name: "its name in its own language"
    case .nameEnglish: "its name in Latin letters"
    case .section: "where it is listed: \(KnownSection.all.map(\.id).joined(separator: ", ")), or one of your own"
    case .tags: "what it is about, with | between them"
    case .language: "two letters, such as ko"
    case .website: "https://…"
    case .address: "where its stream is, or a playlist that tells"
    case .schedule: "where its programme is, as iCalendar: when each broadcast ends"
    case .owner: "who holds the rights"
    case .licence: "under what we may use it"
    case .proof: "where that stands"
    case .use: "what we may do: link, play or relay"
    case .until: "when that ends: 2027-12-31, or with a time"
    case .demo: "1 for an invented one"
    case .active: "1, or 0 for one that is no longer there"
    }
  }
}
