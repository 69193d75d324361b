import Calendars
import Contracts
import JSON

/// A radio station.
nonisolated struct StationItem: Shaped, Equatable {
  var station: Station
  var tags: [String]

  init(_ station: Station, in language: Language?) {
    self.station = station
    tags = station.tags.map { StationTag.told($0, in: language) }
  }

  static let shape = Shape<StationItem>(
    "Station", "A radio station that somebody has allowed us to show.",
    [
      .required("id", "Its slug.") { $0.station.id },
      .required("name", "In its own language.") { $0.station.name },
      .optional("name_en", "In English.") { $0.station.nameEnglish },
      .required("section", "The section that it is listed in.") { $0.station.section },
      .required("tags", "What it is about, in the language asked for if that is known.") { $0.tags },
      .optional("language", "Two letters.") { $0.station.language },
      .optional("website", "Its own.") { $0.station.website },
      .required(
        "state", "Whether its stream was heard when it was last tried; unknown if it has not been.",
        as: .words(["alive", "down", "unknown"])
      ) { item in
        switch item.station.health?.state {
        case .alive: "alive"
        case .down: "down"
        case .unknown, nil: "unknown"
        }
      },
      .optional("checked_at", "When that was.") { $0.station.health?.checkedAt.stamp },
      .optional("codec", "Of its sound: mp3, aac, opus …") { $0.station.health?.codec },
      .optional("bitrate_kbps", "How much of it comes, in kbit/s.") { $0.station.health?.kilobits },
      .optional("rights", "By whose leave it is shown.") { $0.station.rights.map { RightsItem(rights: $0) } },
      .mark("demo", "Invented, to try the software with.") { $0.station.isDemo == true },
    ])
}

/// What stations are about, as directories say it: the commonest words, in three languages.
nonisolated enum StationTag {
  /// In Korean, Japanese and English.
  private static let words: [(ko: String, ja: String, en: String)] = [
    ("영화", "映画", "film"), ("음악", "音楽", "music"), ("클래식", "クラシック", "classical"), ("재즈", "ジャズ", "jazz"),
    ("케이팝", "K-POP", "K-pop"), ("국악", "韓国伝統音楽", "Korean traditional"), ("뉴스", "ニュース", "news"),
    ("토크", "トーク", "talk"), ("지상파", "地上波", "terrestrial"), ("지역", "地域", "regional"),
    ("지역방송", "地域放送", "regional"), ("외국어방송", "外国語放送", "foreign languages"), ("외국어", "外国語", "foreign languages"),
    ("영어", "英語", "English"), ("미군방송", "米軍放送", "US forces"), ("특별방송", "特別放送", "special"),
    ("전문방송", "専門放送", "speciality"), ("음악방송", "音楽放送", "music"), ("교통", "交通", "traffic"), ("도로", "道路", "roads"),
    ("종교", "宗教", "religion"), ("기독교", "キリスト教", "Christian"), ("불교", "仏教", "Buddhist"), ("데모", "デモ", "demo"),
    ("서울", "ソウル", "Seoul"), ("부산", "釜山", "Busan"), ("대구", "大邱", "Daegu"), ("인천", "仁川", "Incheon"),
    ("광주", "光州", "Gwangju"), ("대전", "大田", "Daejeon"), ("울산", "蔚山", "Ulsan"), ("제주", "済州", "Jeju"),
  ]

  private static let places: [String: Int] = {
    var places: [String: Int] = [:]
    for (place, word) in words.enumerated() {
      for text in [word.ko, word.ja, word.en].map({ $0.lowercased() }) where places[text] == nil {
        places[text] = place
      }
    }
    return places
  }()

  /// As it is written, if it is none of them.
  static func told(_ tag: String, in language: Language?) -> String {
    guard let language, let word = places[tag.lowercased()].map({ words[$0] }) else { return tag }
    switch language {
    case .ko: return word.ko
    case .ja: return word.ja
    case .en: return word.en
    }
  }
}

/// By whose leave a station is shown.
nonisolated struct RightsItem: Shaped, Equatable {
  var rights: StationRights

  static let shape = Shape<RightsItem>(
    "StationRights", "By whose leave a station is shown.",
    [
      .required("owner", "Who holds the rights.") { $0.rights.owner },
      .required("licence", "Under what.") { $0.rights.licence },
      .optional("proof", "Where that stands.") { $0.rights.proof },
      .required(
        "use", "link: only its website. play: its stream is told. relay: its sound is passed on here.",
        as: .words(StationUse.known.map(\.rawValue))
      ) { $0.rights.use.rawValue },
    ])
}

/// Stations that belong together.
nonisolated struct SectionItem: Shaped, Equatable {
  var section: StationSection
  var language: Language?

  static let shape = Shape<SectionItem>(
    "StationSection", "Stations that belong together.",
    [
      .required("id", "Its slug; favourites for your own.") { $0.section.id },
      .required("name", "In Korean.") { $0.section.name },
      .optional("name_en", "In English.") { $0.section.nameEnglish },
      .required("stations", "In the order of the directory, or the best first.") { item in
        item.section.stations.map { StationItem($0, in: item.language) }
      },
    ])
}

/// Where a station's sound is just now.
nonisolated struct StreamPage: Shaped, Equatable {
  var stream: ResolvedStream

  static let shape = Shape<StreamPage>(
    "StationStream", "Where a station's sound is just now.",
    [
      .required("station_id", "") { $0.stream.station },
      .required("url", "What a player opens; a path of this server if the sound is passed on here.") { page in
        page.stream.isRelayed ? "/v1/stations/\(page.stream.station)/audio" : page.stream.url
      },
      .required("mime", "Of what kind it is.") { $0.stream.mediaType },
      .required("kind", "progressive: one answer without end. hls: RFC 8216.", as: .words(["progressive", "hls"])) {
        $0.stream.kind == .hls ? "hls" : "progressive"
      },
      .optional("codec", "mp3, aac, opus …") { $0.stream.codec },
      .optional("bitrate_kbps", "In kbit/s.") { $0.stream.kilobits },
      .required("relayed", "Whether the sound is passed on here.") { $0.stream.isRelayed },
      .required("expires_at", "Ask again after this.") { $0.stream.expiresAt.stamp },
      .mark("demo", "Invented, to try the software with.") { $0.stream.isDemo == true },
    ])
}

/// What a station says that it plays.
nonisolated struct StationTitlePage: Shaped, Equatable {
  var title: StationTitle

  static let shape = Shape<StationTitlePage>(
    "StationTitle", "What a station says that it plays.",
    [
      .required("station_id", "") { $0.title.station },
      .nullable("title", "Null if the station tells nothing.") { $0.title.title },
      .optional("artist", "What stands before the dash.") { $0.title.artist },
      .optional("text", "As it was sent.") { $0.title.text },
      .optional("programme", "What its programme says is on: a broadcast, with many titles in it.") {
        $0.title.programme
      },
      .optional("ends_at", "When that broadcast ends, by the programme.") { $0.title.endsAt?.stamp },
      .required("as_of", "") { $0.title.asOf.stamp },
      .required("expires_at", "Ask again after this.") { $0.title.expiresAt.stamp },
    ])
}
