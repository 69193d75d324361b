/// Things with names, and the names found by any part of them.
///
///     let index = TextIndex([["씨네큐브", "Cinecube"], ["에무시네마"]])
///     index.search("ㅆㄴㅋ", limit: 10)          // document 0
///
/// A value that does not change: make another when the names have changed.
package struct TextIndex: Sendable {
  /// A document is a place in the list that the index was made of.
  package let documents: Int
  let texts: [String]
  /// How many texts can be found.
  package var textCount: Int { texts.count }
  /// Of each text: its document, and its place among the document's texts.
  let owners: [(document: Int32, rank: Int32)]
  private let entries: SearchEntries

  /// - Parameter documents: the texts of each, in order of importance.
  package init(_ documents: some Collection<[String]>) {
    self.documents = documents.count
    var texts: [String] = []
    var owners: [(document: Int32, rank: Int32)] = []
    var builder = SearchEntries.Builder()
    for (document, names) in documents.enumerated() {
      for (rank, name) in names.enumerated() {
        let folded = FoldedText(name, unitsMax: SearchEntries.unitsMax)
        guard !folded.units.isEmpty else { continue }
        for form in SearchForm.allCases {
          if let units = form.units(of: folded)?.units { builder.add(units, form, text: texts.count) }
        }
        texts.append(name)
        owners.append((Int32(document), Int32(rank)))
      }
    }
    self.texts = texts
    self.owners = owners
    entries = builder.finished()
  }

  /// The documents in which every word of the query is found, best first.
  ///
  /// - Parameters:
  ///   - toleratesTypos: forgives one slip in words of four letters, two in words of eight, where nothing else is found.
  ///   - precedes: which of two documents stands first among equals; without it the one that was listed first.
  package func search(
    _ text: String, limit: Int, toleratesTypos: Bool = true, precedes: (Int, Int) -> Bool = { $0 < $1 }
  ) -> [SearchHit] {
    let query = SearchQuery(text)
    var found = combined(query.terms.map { findings(of: $0, toleratesTypos) })
    if let whole = query.whole {
      // As one word it must be there as asked; slips are forgiven word by word.
      found.merge(findings(of: whole, false).mapValues { [$0] }) { Self.score($0) >= Self.score($1) ? $0 : $1 }
    }
    let best = found.sorted { left, right in
      let (one, other) = (Self.score(left.value), Self.score(right.value))
      return one == other ? precedes(Int(left.key), Int(right.key)) : one > other
    }
    return best.prefix(max(limit, 0)).map { hit(Int($0.key), $0.value) }
  }

  // MARK: Terms

  /// A term in its best place in a document.
  private struct Finding {
    let score: Double
    let text: Int
    let form: SearchForm
    let range: Range<Int>
  }

  private func findings(of term: SearchTerm, _ toleratesTypos: Bool) -> [Int32: Finding] {
    var found: [Int32: Finding] = [:]
    for (form, units) in term.forms {
      for entry in entries.containing(units, form) {
        note(Match(units, in: entries.units(of: entry), as: form), entry, form, &found)
      }
    }
    guard found.isEmpty, toleratesTypos else { return found }
    for (form, units) in term.forms {
      let typos = SearchTerm.typos(form, units.count)
      guard typos > 0 else { continue }
      for entry in entries.resembling(units, form, typos: typos) {
        note(Match(units, near: entries.units(of: entry), as: form, typos: typos), entry, form, &found)
      }
    }
    return found
  }

  private func note(_ match: Match?, _ entry: Int, _ form: SearchForm, _ found: inout [Int32: Finding]) {
    guard let match else { return }
    let text = entries.text(of: entry)
    let (document, rank) = owners[text]
    // The first name is what people mean.
    let score = match.score - Double(min(rank, 10)) * Self.laterName
    if score > found[document]?.score ?? -.infinity {
      found[document] = Finding(score: score, text: text, form: form, range: match.range)
    }
  }

  private static let laterName = 0.5

  /// The mean: a document is as good as the words that were found in it.
  private static func score(_ findings: [Finding]) -> Double {
    findings.reduce(0) { $0 + $1.score } / Double(max(findings.count, 1))
  }

  /// Documents that all the terms were found in.
  private func combined(_ terms: [[Int32: Finding]]) -> [Int32: [Finding]] {
    guard let first = terms.min(by: { $0.count < $1.count }) else { return [:] }
    var all: [Int32: [Finding]] = [:]
    for document in first.keys {
      let findings = terms.compactMap { $0[document] }
      if findings.count == terms.count { all[document] = findings }
    }
    return all
  }

  // MARK: Hits

  private func hit(_ document: Int, _ findings: [Finding]) -> SearchHit {
    // The most important text in which something was found is shown, with all that was found in it.
    let shown = findings.map(\.text).min() ?? 0
    let folded = FoldedText(texts[shown], unitsMax: SearchEntries.unitsMax)
    var ranges: [Range<Int>] = []
    for finding in findings where finding.text == shown {
      guard let sources = finding.form.units(of: folded)?.sources[finding.range],
        let first = sources.first, let last = sources.last
      else { continue }
      ranges.append(folded.origins[first].lowerBound..<folded.origins[last].upperBound)
    }
    return SearchHit(document: document, score: Self.score(findings), text: texts[shown], ranges: ranges.merged)
  }
}

/// A document that was found.
package struct SearchHit: Hashable, Sendable {
  package let document: Int
  /// Greater is better; 100 and more: spelt as asked.
  package let score: Double
  /// Which of its texts matched.
  package let text: String
  /// Where in it, as UTF-8 offsets, in order and apart from each other.
  package let ranges: [Range<Int>]
}

extension [Range<Int>] {
  fileprivate var merged: [Range<Int>] {
    sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { ranges, range in
      if let last = ranges.last, range.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
  }
}
