import Calendars
import Contracts
import JSON

/// A radio station.
nonisolated struct StationItem: Shaped, Equatable {
  var station: Station
  var tags: [String] = []
  /// What they are besides.
  var otherTags: [String] = []

  init(_ station: Station, in language: Language?) {
    self.station = station
    for tag in station.tags {
      let known = StationTag.named(tag)
      // Two of one language may be one in another. As it is written, if it is none that is known.
      let told = language.flatMap { known?.name(in: $0) } ?? tag
      if !tags.contains(told) { tags.append(told) }
      for name in known?.names ?? [] where !otherTags.contains(name) { otherTags.append(name) }
    }
    otherTags.removeAll(where: tags.contains)
  }

  static let shape = Shape<StationItem>(
    "Station", "A radio station that somebody has allowed us to show.",
    [
      .required("id", "Its slug.") { $0.station.id },
      .required("name", "In its own language.") { $0.station.name },
      .optional("name_en", "In English.") { $0.station.nameEnglish },
      .required("section", "The section that it is listed in.") { $0.station.section },
      .required("tags", "What it is about, in the language asked for if that is known.") { $0.tags },
      .required("other_tags", "The same in the other languages in which it is known, to find it by.") { $0.otherTags },
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

nonisolated extension StationTag {
  fileprivate func name(in language: Language) -> String { language.of((ko, ja, en)) }
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
