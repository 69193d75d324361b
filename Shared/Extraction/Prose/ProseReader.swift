import Calendars
import Clocks
import HTML

/// Reads what an article tells: "Am Freitag, 8. Oktober, um 20 Uhr zeigt das Kino »Silt«". It is asked only where nothing
/// on the page is laid out as a programme.
///
/// A sentence that names one film and says when tells a screening; one that names none goes on about the film before it,
/// and one that names several tells some only if each of them has times of its own. Nothing else does.
struct ProseReader {
  let clock: PageClock
  /// What the document calls itself.
  let title: String?

  func read(_ page: HTMLDocument, _ tree: PageTree, budget: WorkBudget) throws(ExtractionError) -> Evidence {
    let article = try ArticleDate(page, tree, title: title, clock: clock, budget: budget)
    var evidence = Evidence()
    guard let written = article.clock else { return evidence }
    for paragraph in try ArticleParagraph.all(in: tree, budget: budget) {
      try budget.spend(paragraph.text.count * 8)
      let text = ProseText(paragraph.text)
      guard !text.sentences.isEmpty, isOfFilms(paragraph, article.heading) else { continue }
      var telling = ProseTelling(clock: written, period: article.period, headline: article.subject)
      for sentence in text.sentences { telling.take(sentence) }
      for told in telling.told {
        var candidate = Candidate(
          title: told.name, start: told.start, reader: .html, place: tree.name(paragraph.place),
          confidence: Self.trust)
        candidate.venue = paragraph.house
        candidate.isInferred = true
        evidence.candidates.append(candidate)
      }
      for sentence in telling.unread {
        evidence.unread.append(
          Unread(what: sentence.shortened(to: 120), why: "which of the films it names is shown when is not clear"))
      }
    }
    return evidence
  }

  private static let trust = 0.75

  /// Somebody speaks at seven, too, and books have names in quotation marks.
  private func isOfFilms(_ paragraph: ArticleParagraph, _ heading: String) -> Bool {
    ProseWords.speakOfFilms(heading) || ProseWords.speakOfFilms(String(String.UnicodeScalarView(paragraph.text)))
  }
}
