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
  /// Which documents have a text, and at which place among its texts each has it. A thousand cinemas are in Seoul.
  struct Owner {
    let document: Int32
    let rank: Int32
  }

  private let owners: [[Owner]]
  private let entries: SearchEntries

  /// - Parameter documents: the texts of each, in order of importance.
  package init(_ documents: some Collection<[String]>) {
    self.documents = documents.count
    var places: [String: Int] = [:]
    var texts: [String] = []
    var owners: [[Owner]] = []
    for (document, names) in documents.enumerated() {
      for (rank, name) in names.enumerated() {
        let place = places[name] ?? texts.count
        if place == texts.count {
          places[name] = place
          texts.append(name)
          owners.append([])
        }
        owners[place].append(Owner(document: Int32(document), rank: Int32(rank)))
      }
    }
    self.texts = texts
    self.owners = owners
    entries = SearchEntries(texts)
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
    let terms = query.terms.map { findings(of: $0, toleratesTypos) }
    // As one word it must be there as asked; slips are forgiven word by word.
    let whole = query.whole.map { findings(of: $0, false) } ?? [:]
    var scores = Self.meanScores(of: terms)
    for (document, finding) in whole { scores[document] = max(scores[document] ?? 0, finding.score) }
    let best = scores.sorted { left, right in
      left.value == right.value ? precedes(Int(left.key), Int(right.key)) : left.value > right.value
    }
    return best.prefix(max(limit, 0)).map { document, score in
      let asOne = whole[document].flatMap { $0.score == score ? [$0] : nil }
      return hit(Int(document), score, asOne ?? terms.compactMap { $0[document] })
    }
  }

  // MARK: Terms

  /// A term in its best place in a document.
  private struct Finding {
    let score: Double
    let text: Int
    let rank: Int
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
    for owner in owners[text] {
      // The first name is what people mean.
      let score = match.score - Double(min(owner.rank, 10)) * Self.laterName
      if score > found[owner.document]?.score ?? -.infinity {
        let rank = Int(owner.rank)
        found[owner.document] = Finding(score: score, text: text, rank: rank, form: form, range: match.range)
      }
    }
  }

  private static let laterName = 0.5

  /// Documents that all the terms were found in: each is as good as the terms are on the average.
  private static func meanScores(of terms: [[Int32: Finding]]) -> [Int32: Double] {
    guard let fewest = terms.min(by: { $0.count < $1.count }) else { return [:] }
    if terms.count == 1 { return fewest.mapValues(\.score) }
    var scores: [Int32: Double] = [:]
    for document in fewest.keys {
      var sum = 0.0
      let isInAll = terms.allSatisfy { term in
        guard let finding = term[document] else { return false }
        sum += finding.score
        return true
      }
      if isInAll { scores[document] = sum / Double(terms.count) }
    }
    return scores
  }

  // MARK: Hits

  private func hit(_ document: Int, _ score: Double, _ findings: [Finding]) -> SearchHit {
    // The most important text in which something was found is shown, with all that was found in it.
    let shown = findings.min { $0.rank < $1.rank }?.text ?? 0
    let folded = FoldedText(texts[shown], unitsMax: SearchEntries.unitsMax)
    var ranges: [Range<Int>] = []
    for finding in findings where finding.text == shown {
      guard let sources = finding.form.units(of: folded)?.sources[finding.range],
        let first = sources.first, let last = sources.last
      else { continue }
      ranges.append(folded.origins[first].lowerBound..<folded.origins[last].upperBound)
    }
    return SearchHit(document: document, score: score, text: texts[shown], ranges: ranges.merged)
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
