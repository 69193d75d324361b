import AudioStreams
import Contracts
import TextSearch

/// Stations out of a player's list, one for each address.
nonisolated package enum StationPlaylist {
  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> StationReading {
    guard case .playlist(_, let entries) = AudioDocument(bytes, mediaType: nil), !entries.isEmpty else {
      throw UnreadableFile("\(name) is no list of addresses; PLS, M3U and XSPF are read")
    }
    var reading = StationReading()
    for (index, entry) in entries.enumerated() {
      var draft = StationDraft("\(name):\(index + 1)")
      let title = entry.title ?? entry.address
      draft[.id] = Slug.numbered(
        entry.title ?? String(entry.address.split(separator: "/").dropFirst().joined(separator: "-")),
        otherwise: "station")
      draft[.name] = title
      draft[.address] = entry.address
      reading.drafts.append(draft)
    }
    return reading
  }
}
