package import Drafts
import JSON

/// In which form films can be read.
package enum FilmFormat: String, CaseIterable, Sendable {
  case csv, tmdb, kobis

  /// A million films with their synopses.
  package static let bytesMax = 512 << 20

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
    let (json, broken) = try parse(bytes.withoutByteOrderMark, name)
    var reading: FilmReading
    switch format {
    case .tmdb: reading = TMDbDocument.read(json, named: name)
    case .kobis: reading = KOBISDocument.read(json, named: name)
    case .csv, nil:
      if KOBISDocument.isOne(json) {
        reading = KOBISDocument.read(json, named: name)
      } else if TMDbDocument.isOne(json) {
        reading = TMDbDocument.read(json, named: name)
      } else if let told = TMDbDocument.refusal(json) ?? KOBISDocument.refusal(json) ?? FilmObjects.refusal(json) {
        throw UnreadableFile("\(name): it is an error that was answered, and no film: \(told)")
      } else if let objects = FilmObjects.read(json, named: name) {
        reading = objects
      } else {
        throw UnreadableFile("\(name) holds no films as TMDb or KOBIS write them; say --source")
      }
    }
    reading.problems = broken + reading.problems
    return reading
  }

  /// One JSON text, or one a line; a line that is none is told, and the others are read.
  private static func parse(
    _ bytes: ArraySlice<UInt8>, _ name: String
  ) throws(UnreadableFile) -> (json: JSONValue, broken: [DraftProblems]) {
    let whole: JSONError
    do throws(JSONError) {
      return (try JSONValue(parsing: bytes, limits: limits), [])
    } catch {
      whole = error
    }
    guard let lines = JSONLines(bytes, limits: limits) else { throw UnreadableFile("\(name): \(whole)") }
    return (.array(lines.values), DraftProblems.ofLines(lines.broken, in: name))
  }
}
