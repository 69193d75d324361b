import AudioStreams
import Contracts
package import Drafts
import HTML

/// Stations out of a player's list, one for each address.
nonisolated package enum StationPlaylist {
  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> StationReading {
    let entries: [PlaylistEntry]
    switch AudioDocument(Charset.utf8(bytes), mediaType: nil, limits: .directory) {
    case .playlist(_, let found) where !found.isEmpty: entries = found
    case .master, .media:
      throw UnreadableFile("\(name) is the stream of one station; odi-radio add takes the address that it came from")
    default: throw UnreadableFile("\(name) is no list of addresses; PLS, M3U, XSPF and ASX are read")
    }
    var reading = StationReading()
    for (index, entry) in entries.enumerated() {
      var draft = StationDraft("\(name):\(index + 1)")
      draft[.name] = entry.title
      draft.nameOtherwise = entry.address
      draft[.address] = entry.address
      draft[.section] = entry.group.flatMap { $0.split(separator: ";").first }.map(String.init)
      let address = entry.address.split(separator: "/").dropFirst().joined(separator: "-")
      reading.add(draft, called: entry.title ?? address)
    }
    if entries.count == AudioDocument.Limits.directory.entries {
      reading.problems.append(
        DraftProblems(place: name, problems: ["only the first \(entries.count) are read; import it in parts"]))
    }
    return reading
  }
}
