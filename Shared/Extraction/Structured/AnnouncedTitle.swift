import HTML

/// "The Harbour Club presents:" as a title in a page's data: what is shown stands below the heading that says so.
struct AnnouncedTitle {
  let page: HTMLDocument

  func completed(_ evidence: Evidence) -> Evidence {
    guard evidence.candidates.contains(where: { PageWords.announces($0.title) }) else { return evidence }
    let headings = page.select("h1, h2, h3").prefix(Self.headingsMax)
    var evidence = evidence
    for index in evidence.candidates.indices where PageWords.announces(evidence.candidates[index].title) {
      let key = evidence.candidates[index].title.foldedKey
      guard let heading = headings.first(where: { $0.text.foldedKey == key }), let title = title(below: heading) else {
        continue
      }
      evidence.candidates[index].title = title
    }
    return evidence
  }

  private func title(below heading: HTMLNode) -> String? {
    guard let text = heading.next?.text.trimmedText, !text.isEmpty, text.utf8.count <= Self.titleBytesMax,
      !PageWords.isLabel(text), !PageWords.announces(text)
    else { return nil }
    // A day and an hour are no title.
    let isTime = text.utf8.count(where: isDigitByte) > 2 && text.holds(":")
    return isTime ? nil : text
  }

  private static let headingsMax = 40
  private static let titleBytesMax = 160
}
