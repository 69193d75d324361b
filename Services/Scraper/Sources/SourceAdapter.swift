package import Contracts

/// How one kind of site is read: which pages to ask for, and what they say. Pure, so that a visit can be repeated from
/// stored pages and gives the same again.
nonisolated package protocol SourceAdapter: Sendable {
  /// The pages to fetch next, given those that came; none when there is nothing more to ask for.
  func wanted(having pages: [Page], in visit: Visit) -> [PageRequest]
  func read(_ pages: [Page], in visit: Visit) throws(ReadingError) -> SourceReading
  /// What was looked for on a page and what was seen: for whoever mends it.
  func trace(_ page: Page, in visit: Visit) -> [TracedFind]
  /// What was found on an older page and is not any more, and what looks like it: a sentence each.
  func lost(on page: Page, since old: Page, in visit: Visit) -> [String]
}

nonisolated extension Site {
  package var reader: any SourceAdapter {
    switch adapter {
    case .dtryx: DtryxAdapter()
    case .structured, .ics, .rule: ListingAdapter()
    }
  }
}
