import AudioStreams
package import Contracts
package import Drafts
import HTML
import JSON
import ServiceKit
import TextSearch

/// What a file held: drafts of stations, and the rows that could not be read at all.
nonisolated package struct StationReading: Sendable {
  package var drafts: [StationDraft] = []
  package var problems: [DraftProblems] = []
  /// What was not taken, though nothing is wrong.
  package var remarks: [DraftProblems] = []
  private var madeIDs: Set<String> = []

  package init() {}

  /// Adds a station that its file gives no id: one is made of its name. Two stations may be called the same, so those after
  /// the first have a number of their address, which is the same wherever in the file they stand.
  mutating func add(_ draft: StationDraft, called name: String) {
    var draft = draft
    var id = Slug.numbered(name, otherwise: "station")
    if !madeIDs.insert(id).inserted {
      // Of a text of which no letter is kept the number alone is left.
      id += Slug.numbered("\(draft[.address] ?? "")　", otherwise: "", bytesMax: 0)
      madeIDs.insert(id)
    }
    draft[.id] = id
    drafts.append(draft)
  }

  /// Leaves what its drafts do not say of stations that are kept as it is: most forms have no place for rights.
  package mutating func complete(from kept: [StationID: StationRecord]) {
    for place in drafts.indices {
      guard let id = drafts[place][.id].flatMap({ StationID($0.trimmed) }), let record = kept[id] else { continue }
      drafts[place].complete(from: record)
    }
  }

  /// The stations of the rows that are right; the others are told in `problems`.
  package func checked() -> (records: [StationRecord], problems: [DraftProblems]) {
    var records: [StationRecord] = []
    var problems = problems
    var places: [StationID: String] = [:]
    for draft in drafts {
      do throws(DraftProblems) {
        let record = try draft.record()
        if let other = places[record.id] {
          throw DraftProblems(place: draft.place, problems: ["\(record.id) is the id of \(other) too; give it another"])
        }
        places[record.id] = draft.place
        records.append(record)
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

/// In which form stations can be read.
nonisolated package enum StationFormat: String, CaseIterable, ArgumentValue {
  case csv, json, opml
  /// A player's list: PLS, M3U, XSPF or ASX.
  case playlist

  /// Ten thousand stations with all that is known of them.
  static let bytesMax = 16 << 20

  /// What a file is, by its name's end and its first bytes.
  package init(of bytes: [UInt8], named name: String) {
    let letters = Array(bytes.lazy.filter { $0 > 0x20 && $0 < 0x80 }.prefix(2))
    let (start, ending) = (letters.first, name.lowercased())
    if start == UInt8(ascii: "{") || letters == Array("[{".utf8) || letters == Array("[]".utf8) {
      self = .json
    } else if ["pls", "m3u", "m3u8", "xspf", "asx", "wax"].contains(where: { ending.hasSuffix(".\($0)") }) {
      self = .playlist
    } else if case .playlist = AudioDocument(bytes, mediaType: nil) {
      self = .playlist
    } else if start == UInt8(ascii: "<") {
      self = .opml
    } else {
      self = .csv
    }
  }

  package func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> StationReading {
    switch self {
    case .csv: try StationTable.read(Charset.utf8(bytes), named: name)
    case .json: try StationJSON.read(bytes, named: name)
    case .opml: try StationOutline.read(bytes, named: name)
    case .playlist: try StationPlaylist.read(bytes, named: name)
    }
  }
}
