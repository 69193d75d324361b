/// A list of addresses, one a line, with or without `#EXTM3U` and `#EXTINF` lines.
enum M3UPlaylist {
  /// - Returns: nil if a line is neither a comment nor an address, so that no other text is taken for a list.
  static func entries(of text: DocumentText) -> [PlaylistEntry]? {
    var entries: [PlaylistEntry] = []
    var title: String?
    for line in text.lines {
      if line.first == UInt8(ascii: "#") {
        if line.beginsIgnoringCase("#EXTINF:"), let comma = line.firstIndex(of: UInt8(ascii: ",")) {
          title = line[(comma + 1)...].asTitle
        }
        continue
      }
      let isWhole = line.beginsIgnoringCase("http://") || line.beginsIgnoringCase("https://")
      guard let address = line.asAddress, isWhole || text.begins(with: "#EXTM3U") else { return nil }
      entries.append(PlaylistEntry(address: address, title: title))
      title = nil
      if entries.count == AudioDocument.Limits.entries { break }
    }
    return entries.isEmpty && !text.begins(with: "#EXTM3U") ? nil : entries
  }
}
