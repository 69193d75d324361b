package import Drafts
import ServiceKit

/// In which form cinemas can be read.
nonisolated package enum DirectoryFormat: String, CaseIterable, ArgumentValue {
  case csv, geojson, osm

  /// A million cinemas with all that is known of them.
  static let bytesMax = 512 << 20

  /// What a file is, by its first bytes: JSON begins with a brace or a bracket, and only Overpass has `elements`.
  package init(of bytes: [UInt8], named name: String) {
    let start = bytes.prefix(4_096)
    switch start.first(where: { $0 > 0x20 && $0 < 0x80 }) {
    case UInt8(ascii: "{"): break
    case UInt8(ascii: "["):
      self = .geojson
      return
    default:
      self = .csv
      return
    }
    let text = String(decoding: start, as: UTF8.self)
    let isOSM = text.contains("\"elements\"") || text.contains("Overpass")
    self = isOSM && !text.contains("\"FeatureCollection\"") ? .osm : .geojson
  }

  package func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> DraftReading {
    switch self {
    case .csv: try CinemaTable.read(bytes, named: name)
    case .geojson: try CinemaGeoJSON.read(bytes, named: name)
    case .osm: try CinemaOpenStreetMap.read(bytes, named: name)
    }
  }
}
