import Clocks
import JSON

/// Posts of a site's own program whose titles begin with when they are: `{"title": {"rendered": "3.10 14:00 | Silt"}}`.
///
/// A day without a year is the first behind the day on which the post was written.
struct DatedPosts {
  let clock: PageClock
  let limits: ExtractionLimits

  /// - Parameter root: what a feed in JSON says.
  func read(_ root: JSONValue, budget: WorkBudget) throws(ExtractionError) -> Evidence {
    var evidence = Evidence()
    var speaksOfFilms = false
    for post in Posts.list(in: root).prefix(limits.candidates) {
      guard let raw = post["title"].flatMap(RecordText.of), raw.utf8.count <= Self.titleBytesMax else { continue }
      let text = PlainText.of(raw)
      try budget.spend(text.utf8.count * 4 + 1)
      guard let (title, start) = told(text, Posts.writtenAt(post, clock: clock)) else { continue }
      var candidate = Candidate(
        title: title, start: start.found, reader: .api, place: "posts", confidence: Self.trust * start.trust)
      candidate.printedTime = start.printed
      candidate.url = ["link", "url"].lazy.compactMap { post[$0].flatMap(Posts.address) }.first
      evidence.candidates.append(candidate)
      let said = ["content", "excerpt", "description", "summary"].lazy.compactMap { post[$0].flatMap(RecordText.of) }
      speaksOfFilms =
        speaksOfFilms
        || (said + [candidate.url, text].compactMap(\.self)).contains {
          CinemaWords.isCinema($0.shortened(to: Self.saidMax))
        }
    }
    // One may be an announcement of anything, and a town's are.
    return evidence.candidates.count >= Self.postsMin && speaksOfFilms ? evidence : Evidence()
  }

  /// What stands before a joint says when, and no more; "3.10 14:00 - 16:00 | Silt" does so up to its second.
  private func told(_ text: String, _ writtenAt: WallTime?) -> (title: String, start: PrintedLine.Start)? {
    var told: (title: String, start: PrintedLine.Start)?
    var (head, tail) = ("", text)
    for _ in 0..<Self.jointsMax {
      guard
        let joint = Self.joints.lazy.compactMap({ tail.firstPlace(of: $0) })
          .min(by: { $0.lowerBound < $1.lowerBound })
      else { break }
      head += tail[..<joint.lowerBound]
      let title = String(tail[joint.upperBound...])
      if head.utf8.contains(where: isDigitByte), title.hasLetters,
        let line = PrintedLine(head, clock: writtenAt.map(clock.captured) ?? clock), line.rest.isEmpty,
        let start = line.only
      {
        told = (title.trimmedText, start)
      }
      head += tail[joint]
      tail = title
    }
    return told
  }

  private static let jointsMax = 3
  private static let joints = [" | ", " – ", " — ", " - ", ": ", " · "]
  private static let titleBytesMax = 400
  private static let postsMin = 2
  private static let saidMax = 400
  /// That of entries of a feed that are titled so.
  private static let trust = 0.85
}
