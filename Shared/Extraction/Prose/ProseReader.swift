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

  func read(_ page: HTMLDocument, budget: WorkBudget) throws(ExtractionError) -> Evidence {
    let tree = try PageTree(page, budget: budget)
    let article = try ArticleDate(page, tree, title: title, clock: clock, budget: budget)
    var evidence = Evidence()
    guard let written = article.clock else { return evidence }
    for paragraph in try paragraphs(of: tree, budget) {
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

  // MARK: Paragraphs

  private struct Paragraph {
    var place: Int
    var text: [Unicode.Scalar] = []
    var house: String?
  }

  private static let emphasised: Set<String> = ["em", "i", "cite"]
  private static let bold: Set<String> = ["b", "strong"]
  /// What is shorter tells no film, day and hour; what is longer is no paragraph.
  private static let (lengthMin, lengthMax) = (24, 6_000)
  private static let bodyWords = 8

  private func paragraphs(of tree: PageTree, _ budget: WorkBudget) throws(ExtractionError) -> [Paragraph] {
    var found: [Paragraph] = []
    var current = Paragraph(place: -1)
    func settle() {
      if current.text.count >= Self.lengthMin, current.text.count <= Self.lengthMax { found.append(current) }
    }
    for place in tree.nodes.indices {
      let node = tree[place]
      if node.isChrome || node.isMenu { continue }
      if node.tag == "br" {
        if !current.text.isEmpty { current.text.append(ProseText.lineEnd) }
        continue
      }
      guard node.isText else { continue }
      try budget.spend()
      var above = node.parent
      var (isEmphasised, isBold) = (false, false)
      while above >= 0, tree.isInline(above) {
        isEmphasised = isEmphasised || Self.emphasised.contains(tree[above].tag)
        isBold = isBold || Self.bold.contains(tree[above].tag)
        above = tree[above].parent
        try budget.spend()
      }
      if above != current.place {
        settle()
        current = Paragraph(place: above)
      }
      let words = tree.text(place)
      // "**Larch, Moss Palace** (Mill Road 1, tel. 20010)": what is told is told of that house.
      if current.text.isEmpty, isBold, !words.utf8.contains(where: isDigitByte) {
        current.house = words
      } else if current.text.count <= (current.house?.unicodeScalars.count ?? 0) + 1, !words.hasPrefix("(") {
        current.house = nil
      }
      if !current.text.isEmpty, current.text.last != ProseText.lineEnd { current.text.append(" ") }
      if isEmphasised { current.text.append(ProseText.emphasis) }
      current.text += words.unicodeScalars.filter {
        $0 != ProseText.emphasis && $0 != ProseText.emphasisEnd && $0 != ProseText.hole
      }
      if isEmphasised { current.text.append(ProseText.emphasisEnd) }
      if found.count >= Self.paragraphsMax { break }
    }
    settle()
    return found.map { paragraph in
      var paragraph = paragraph
      // "Town, house"
      paragraph.house = paragraph.house.map { name in
        name.split(separator: ",").last.map { String($0).trimmedText } ?? name
      }
      return paragraph
    }
  }

  private static let paragraphsMax = 2_000

  // MARK: Films

  /// Somebody speaks at seven, too, and books have names in quotation marks.
  private func isOfFilms(_ paragraph: Paragraph, _ heading: String) -> Bool {
    Self.speaksOfFilms(heading) || Self.speaksOfFilms(String(String.UnicodeScalarView(paragraph.text)))
  }

  static func speaksOfFilms(_ text: String) -> Bool {
    let lower = text.lowercased()
    return lower.unicodeScalars.split(whereSeparator: { !$0.properties.isAlphabetic }).contains { word in
      let folded = String(Substring(word)).foldedKey
      return stems.contains { folded.hasPrefix($0) }
    } || unspacedWords.contains { lower.holds($0) }
  }

  /// As keys: without accents, in small letters.
  private static let stems = [
    "film", "kino", "kina", "kinu", "cine", "movie", "screening", "bioskop", "bioscop", "biograf", "projekc", "projekt",
    "proiez", "proyec", "projecao", "projection", "vorfuhr", "lichtspiel", "elokuv", "mozi", "vetit", "pelicula",
    "кино", "фильм", "филм", "фільм", "ταινι", "σινεμα", "προβολ", "sinema",
  ].map(\.foldedKey)
  private static let unspacedWords = ["映画", "上映", "電影", "电影", "放映", "영화", "상영", "סרט", "קולנוע", "הקרנ"]
}

/// What the sentences of one paragraph tell, one behind the other.
private struct ProseTelling {
  let clock: PageClock
  let period: ClosedRange<CivilDate>?
  /// The film that the headline names: what a sentence tells of "the film" before any is named.
  private var headline: String?
  /// The film that was named last, if it was one alone.
  private var subject: String?
  private(set) var told: [(name: String, start: FoundTime)] = []
  private(set) var unread: [String] = []

  init(clock: PageClock, period: ClosedRange<CivilDate>?, headline: String?) {
    (self.clock, self.period, self.headline) = (clock, period, headline)
  }

  mutating func take(_ sentence: ProseText.Sentence) {
    if let name = sentence.name {
      (subject, headline) = (name, nil)
      tell(starts(of: sentence.words), name)
      return
    }
    if sentence.names.isEmpty {
      if let subject {
        tell(starts(of: sentence.words), subject)
      } else if let headline, ProseReader.speaksOfFilms(sentence.words) {
        tell(starts(of: sentence.words), headline)
      }
      return
    }
    headline = nil
    subject = nil
    let parts = sentence.words.unicodeScalars.split(
      separator: ProseText.hole, omittingEmptySubsequences: false
    ).map { starts(of: String(Substring($0))) }
    guard parts.contains(where: { !$0.isEmpty }) else { return }
    // »Silt« am Freitag um 20 Uhr, »Marram« am Samstag um 18 Uhr; or the other way round.
    if parts[0].isEmpty, parts.dropFirst().allSatisfy({ !$0.isEmpty }) {
      for (name, starts) in zip(sentence.names, parts.dropFirst()) { tell(starts, name) }
    } else if parts[parts.count - 1].isEmpty, parts.dropLast().allSatisfy({ !$0.isEmpty }) {
      for (name, starts) in zip(sentence.names, parts) { tell(starts, name) }
    } else {
      unread.append(sentence.words.replacing(String(ProseText.hole), with: "…").trimmedText)
    }
  }

  private mutating func tell(_ starts: [FoundTime], _ name: String) {
    for start in starts where !told.contains(where: { $0.start == start && $0.name.foldedKey == name.foldedKey }) {
      told.append((name, start))
    }
  }

  /// Nothing if the text contradicts itself anywhere.
  private func starts(of words: String) -> [FoundTime] {
    guard words.utf8.contains(where: isDigitByte),
      let line = PrintedLine(
        words.replacing(String(ProseText.hole), with: "…"), clock: clock, expecting: .listing)
    else { return [] }
    guard line.alarms.isEmpty else { return startsInPeriod(line) }
    return line.showings.compactMap { showing -> FoundTime? in
      guard !showing.notes.contains(.mayBeDuration) else { return nil }
      let day = showing.time.date
      // Of a weekday it is known that it is the next one only where the text has a date of its own.
      if let period, !period.contains(day), showing.notes.contains(.inferredFromWeekday) { return nil }
      guard abs(day - clock.captured) <= Self.daysMax else { return nil }
      // Nobody shows films at seven in the morning.
      let isEvening = showing.notes.contains(.hourWithoutMeridiem) && (1...8).contains(showing.time.time.hour)
      return clock.found(
        isEvening ? WallTime(milliseconds: showing.startsAt.milliseconds + 43_200_000) : showing.startsAt)
    }
  }

  /// "petak, subotu i nedelju od 17 časova" in the programme "od 08.02 do 11.02.2024".
  private func startsInPeriod(_ line: PrintedLine) -> [FoundTime] {
    guard let period, period.upperBound - period.lowerBound < 7,
      line.alarms.allSatisfy({ $0.kind == .weekdaysWithoutDates }), line.days.isEmpty
    else { return [] }
    let days = (0...(period.upperBound - period.lowerBound)).map { period.lowerBound + $0 }
    var starts: [FoundTime] = []
    for (weekdays, times) in line.timesOfWeekdays {
      for day in days where weekdays.contains(day.weekday) {
        starts += times.map { clock.found(ServiceTime(day, $0.start).civil) }
      }
    }
    return starts
  }

  private static let daysMax = 200
}
