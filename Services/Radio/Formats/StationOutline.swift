import Contracts
import HTML

/// Stations out of OPML, as directories of internet radio export them: `<outline type="audio" text="…" URL="…">`.
nonisolated package enum StationOutline {
  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> StationReading {
    let document: HTMLDocument
    do throws(HTMLError) {
      document = try HTMLDocument.parse(bytes, contentCharset: "utf-8", url: "file:///")
    } catch {
      throw UnreadableFile("\(name): \(error)")
    }
    var reading = StationReading()
    for (index, outline) in document.select("outline").enumerated() {
      guard let address = outline["url"] ?? outline["xmlurl"] else { continue }
      var draft = StationDraft("\(name):\(index + 1)")
      let title = outline["text"] ?? outline["title"]
      draft[.name] = title
      draft[.id] = title.map(Slug.of)
      draft[.address] = address
      draft[.website] = outline["htmlurl"]
      reading.drafts.append(draft)
    }
    guard !reading.drafts.isEmpty else {
      throw UnreadableFile("\(name) has no outline with a URL; OPML is read")
    }
    return reading
  }
}
