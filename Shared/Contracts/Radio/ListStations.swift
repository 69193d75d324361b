package import RPC
import Wire

/// The stations that may be shown to the public, section by section.
package struct ListStations: RPCRequest, Hashable, WireLayout {
  package typealias Service = RadioAPI
  package typealias Response = StationList
  package static let method: MethodID = 0x0701
  package static let safety: Safety = .read

  /// Only of this section.
  package var section: String?
  /// Only those that the text names or tags: any part of a name, initial consonants, romanised.
  package var text: String?

  package init(section: String? = nil, text: String? = nil) {
    self.section = section
    self.text = text
  }
}

/// Sections in their fixed order, without those that are empty.
package struct StationList: Codable, Hashable, Sendable, WireLayout {
  package var sections: [StationSection]
  package var revision: Int64

  package init(sections: [StationSection], revision: Int64) {
    self.sections = sections
    self.revision = revision
  }
}

/// Stations that belong together, in the order of the directory; of a search, the best first.
package struct StationSection: Codable, Hashable, Sendable, WireLayout {
  package var id: String
  package var name: String
  package var nameEnglish: String?
  package var stations: [Station]

  package init(id: String, name: String, nameEnglish: String? = nil, stations: [Station]) {
    self.id = id
    self.name = name
    self.nameEnglish = nameEnglish
    self.stations = stations
  }
}
