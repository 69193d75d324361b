/// What each reader saw: for `explain`, and for whoever wonders why something is missing.
package struct ExtractionTrace: Sendable {
  package struct Entry: Hashable, Sendable {
    package var reader: EvidenceReader
    /// Where in the source: a path in JSON, a selector in HTML, a line in a feed.
    package var place: String
    package var outcome: Outcome
    /// What was seen, in few words.
    package var what: String
  }

  package enum Outcome: String, Hashable, Sendable {
    /// It became a screening, or part of one.
    case found
    /// It says the same as another that is trusted more.
    case joined
    /// It was near enough to be looked at, and is none: `what` says why.
    case refused
  }

  /// Of the entries: pages may carry ten thousand shows.
  package static let entriesMax = 2_000

  package private(set) var entries: [Entry] = []
  /// How many there were without the bound.
  package private(set) var count = 0
  /// Candidates by reader, before joining.
  package internal(set) var seen: [EvidenceReader: Int] = [:]
  /// Which structure of the page the HTML reader settled on, in words.
  package internal(set) var structure: [String] = []
  /// Steps of work that the page took.
  package internal(set) var steps = 0

  package init() {}

  mutating func add(_ reader: EvidenceReader, at place: String, _ outcome: Outcome, _ what: String) {
    count += 1
    guard entries.count < Self.entriesMax else { return }
    entries.append(
      Entry(reader: reader, place: place.shortened(to: 160), outcome: outcome, what: what.shortened(to: 200)))
  }

  mutating func append(_ other: ExtractionTrace) {
    for entry in other.entries { add(entry.reader, at: entry.place, entry.outcome, entry.what) }
    structure += other.structure
  }
}
