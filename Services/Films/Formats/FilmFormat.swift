import JSON
import ServiceKit

/// In which form films can be read.
nonisolated package enum FilmFormat: String, CaseIterable, ArgumentValue {
  case csv, tmdb, kobis

  /// A million films with their synopses.
  static let bytesMax = 512 << 20

  static let limits: JSONLimits = {
    var limits = JSONLimits(bytes: bytesMax)
    limits.values = 50_000_000
    return limits
  }()

  /// - Parameter format: nil: found from the content.
  package static func read(
    _ bytes: [UInt8], named name: String, as format: FilmFormat?
  ) throws(UnreadableFile) -> FilmReading {
    let first = bytes.first { $0 > 0x20 && $0 < 0x80 }
    let looksLikeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    guard format != .csv, format != nil || looksLikeJSON else { return try FilmTable.read(bytes, named: name) }
    let json = try parse(bytes, name)
    switch format {
    case .tmdb: return TMDbDocument.read(json, named: name)
    case .kobis: return KOBISDocument.read(json, named: name)
    case .csv, nil:
      if KOBISDocument.isOne(json) { return KOBISDocument.read(json, named: name) }
      guard TMDbDocument.isOne(json) else {
        throw UnreadableFile("\(name) holds no films as TMDb or KOBIS write them; say --format")
      }
      return TMDbDocument.read(json, named: name)
    }
  }

  /// One JSON text, or one a line.
  private static func parse(_ bytes: [UInt8], _ name: String) throws(UnreadableFile) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: bytes, limits: limits)
    } catch {
      let lines = bytes.split(separator: UInt8(ascii: "\n")).filter { $0.contains { $0 > 0x20 } }
      guard lines.count > 1 else { throw UnreadableFile("\(name): \(error)") }
      var values: [JSONValue] = []
      for (index, line) in lines.enumerated() {
        guard let value = try? JSONValue(parsing: Array(line), limits: limits) else {
          throw UnreadableFile(index == 0 ? "\(name): \(error)" : "\(name): line \(index + 1) is no JSON text")
        }
        values.append(value)
      }
      return .array(values)
    }
  }
}
