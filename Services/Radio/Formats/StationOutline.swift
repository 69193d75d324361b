import Contracts
package import Drafts
import XML

/// Stations out of OPML, as directories of internet radio export them: `<outline type="audio" text="…" URL="…">`.
nonisolated package enum StationOutline {
  package static func read(_ bytes: [UInt8], named name: String) throws(UnreadableFile) -> StationReading {
    let document: XMLElement
    do throws(XMLError) {
      document = try XMLElement(parsing: bytes)
    } catch {
      throw UnreadableFile("\(name) is no OPML: \(error)")
    }
    var reading = StationReading()
    var count = 0
    read(document, &reading, &count, name)
    guard !reading.drafts.isEmpty else {
      throw UnreadableFile("\(name) has no outline with a URL; OPML is read")
    }
    return reading
  }

  /// Outlines stand in outlines, which are sections then; the parser bounds how deep.
  private static func read(
    _ element: XMLElement, _ reading: inout StationReading, _ count: inout Int, _ name: String
  ) {
    if element.name.lowercased() == "outline" {
      count += 1
      // A link leads to more of the directory.
      let isLink = element[anyCase: "type"]?.lowercased() == "link"
      if !isLink, let address = element[anyCase: "url"] ?? element[anyCase: "xmlurl"] {
        var draft = StationDraft("\(name):\(count)")
        let title = element[anyCase: "text"] ?? element[anyCase: "title"]
        draft[.name] = title
        draft[.address] = address
        draft[.website] = element[anyCase: "htmlurl"]
        if let title { reading.add(draft, called: title) } else { reading.drafts.append(draft) }
      }
    }
    for child in element.elements { read(child, &reading, &count, name) }
  }
}

nonisolated extension XMLElement {
  /// Those who write OPML do not agree on `URL` and `url`.
  fileprivate subscript(anyCase name: String) -> String? {
    attributes.first { $0.name.lowercased() == name }?.value
  }
}
