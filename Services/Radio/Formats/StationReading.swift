import JSON
import ServiceKit

/// What a file held: drafts of stations, and the rows that could not be read at all.
nonisolated package struct StationReading: Sendable {
  package var drafts: [StationDraft] = []
  package var problems: [DraftProblems] = []

  package init() {}

  /// The stations of the rows that are right; the others are told in `problems`.
  package func checked() -> (records: [StationRecord], problems: [DraftProblems]) {
    var records: [StationRecord] = []
    var problems = problems
    for draft in drafts {
      do throws(DraftProblems) {
        records.append(try draft.record())
      } catch {
        problems.append(error)
      }
    }
    return (records, problems)
  }

  /// The stations of a file in which every row has to be right.
  package func records() throws(DraftProblems) -> [StationRecord] {
    let (records, problems) = checked()
    if let first = problems.first { throw first }
    return records
  }
}

/// A file that could not be read at all.
nonisolated package struct UnreadableFile: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// In which form stations can be read.
nonisolated package enum StationFormat: String, CaseIterable, ArgumentValue {
  case csv, json, opml
  /// A player's list: PLS, M3U or XSPF.
  case playlist

  /// Ten thousand stations with all that is known of them.
  static let bytesMax = 16 << 20

  /// What a file is, by its name's end and its first bytes.
  package init(of bytes: [UInt8], named name: String) {
    let start = bytes.first { $0 > 0x20 && $0 < 0x80 }
    let ending = name.lowercased()
    if start == UInt8(ascii: "{") || start == UInt8(ascii: "[") && ending.hasSuffix(".json") {
      self = .json
    } else if ["pls", "m3u", "m3u8", "xspf"].contains(where: { ending.hasSuffix(".\($0)") }) {
      self = .playlist
    } else if start == UInt8(ascii: "<") {
      self = .opml
    } else {
      self = .csv
    }
  }

  package func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> StationReading {
    switch self {
    case .csv: try StationTable.read(bytes, named: name)
    case .json: try StationJSON.read(bytes, named: name)
    case .opml: try StationOutline.read(bytes, named: name)
    case .playlist: try StationPlaylist.read(bytes, named: name)
    }
  }
}
