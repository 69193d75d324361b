package import Drafts
import HTML
import ServiceKit

/// In which form cinemas can be read.
nonisolated package enum DirectoryFormat: String, CaseIterable, ArgumentValue {
  case csv, geojson, osm

  /// A million cinemas with all that is known of them.
  static let bytesMax = 512 << 20

  /// How much of a file tells what it is.
  private static let headBytes = 4_096

  /// What a file is, by its first bytes: JSON begins with a brace or a bracket, and only Overpass has `elements`.
  package init(of bytes: [UInt8], named name: String) {
    let start = bytes.prefix(Self.headBytes)
    let first = start.first { $0 > 0x20 && $0 < 0x80 }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      self = .csv
      return
    }
    let text = String(decoding: start, as: UTF8.self)
    let isOSM = text.contains("\"elements\"") || text.contains("Overpass")
    self = isOSM && !text.contains("\"FeatureCollection\"") ? .osm : .geojson
  }

  package func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> DraftReading {
    if String(decoding: bytes.prefix(Self.headBytes), as: UTF8.self).contains("<osm") {
      throw UnreadableFile("\(name) is OpenStreetMap's XML; ask Overpass for [out:json]")
    }
    return switch self {
    case .csv: try CinemaTable.read(Charset.utf8(bytes), named: name)
    case .geojson: try CinemaGeoJSON.read(bytes, named: name)
    case .osm: try CinemaOpenStreetMap.read(bytes, named: name)
    }
  }
}
