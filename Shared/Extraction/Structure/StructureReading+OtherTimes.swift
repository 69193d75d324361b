import Calendars
import HTML

/// Times that are none of screenings: opening hours, posts, sentences, lists of something else.
extension StructureReading {
  /// Opening hours, the time of a post, how long a film is.
  func isOther(_ index: Int, _ path: [Int]) -> Bool {
    let atom = atoms[index]
    // The reader of print knows which of two times is the doors'.
    let hasDoors = atom.line?.times.contains { $0.doors != nil } ?? false
    if !hasDoors,
      PageWords.isOtherTime(atom.text) || isProse(atom) || isBehindDoors(index) || isInSentence(index, path)
    {
      return true
    }
    if atom.line.map(PageWords.boundsPrice) ?? false || isBesideExhibition(index) || isOfTelevision(path) {
      return true
    }
    // `<label><input type=checkbox> 9am - 12pm</label>`: from when to when somebody may come.
    if let line = atom.line, line.rest.isEmpty, line.times.count == 1, line.times[0].minutesLong != nil,
      path.prefix(Self.labelLevels).contains(where: { tree[$0].tag == "label" })
    {
      return true
    }
    if isWritten(atom, path) || isLength(atom) || isDeadline(atom) || isPeriod(atom) || isSaidAgain(index)
      || isBesideStarts(path)
    {
      return true
    }
    // "mit Apéro ab 19.45" beside the film's own time.
    if let line = atom.line, !line.lead.isEmpty, line.days.isEmpty,
      path.prefix(2).contains(where: { tree[$0].words.contains(where: PageWords.remarkClasses.contains) }),
      let card = path.first(where: { context.times(in: $0) > 1 }), tree[card].length <= Self.cardLengthMax
    {
      return true
    }
    let isLink = path.prefix(3).contains { tree[$0].node["href"] != nil }
    let isOfShows = path.prefix(6).contains { !tree[$0].words.allSatisfy { !PageWords.showClasses.contains($0) } }
    for place in path.prefix(4) where isOtherByClass(place) {
      // What leads on to a ticket is no hour of opening.
      if isLink || isOfShows, tree[place].words.contains("hours"), !tree[place].words.contains("opening") { continue }
      // `<div class=post-content><h2>Silt 9:50</h2>`: a heading with a time names what is listed.
      if isListing(place), atom.line?.rest.hasLetters ?? false,
        path.prefix(2).contains(where: { $0 != place && Self.headingTags.contains(tree[$0].tag) })
      {
        continue
      }
      // What is to come was not posted.
      if isToCome(atom), isDateOfWriting(place) || isListing(place) { continue }
      // `id="doors-opening-times"` over a table of showings.
      if tree[place].words.contains(Self.doorsClass),
        isDoorsAlone(path) || tree[place].words.contains("opening") && context.times(in: place) > 1
      {
        continue
      }
      // "entry" and "post" are also what lists of films are made of: they say nothing of a time that stands alone in a part
      // of its own.
      if place == path[0]
        || place == path.dropFirst().first
          && (tree[path[0]].isText || !(atom.line.map { $0.rest.isEmpty || PageWords.numbersShowings($0.rest) } ?? true)
            || !isListed(place, at: atom))
      {
        return true
      }
      if tree[place].words.contains(where: {
        [
          "opening", "openinghours", "comment", "comments", "cookie", "tweet", "byline", "pubdate", "reviews", "notice",
          "notices",
        ].contains($0)
      }) {
        return true
      }
    }
    // The line it stands in.
    if !hasDoors, let block = path.first(where: { !tree.isInline($0) }), tree[block].length <= 160,
      PageWords.isOtherTime(tree.text(block)), context.times(in: block) <= 2,
      !context.range(in: block).contains(where: { atoms[$0].isTitle })
    {
      return true
    }
    for (level, at) in path.enumerated() {
      // The head of a page says what is on next, where nothing else does.
      if tree[at].tag == "header", tree[at].depth <= 3, hasTimesBesideAsides { return true }
      // Beside a film's description its showings may stand; else there is what is not of the page.
      if tree[at].tag == "aside", hasTimesBesideAsides || !isLink && !isOfItem(at),
        !path[...level].contains(where: { tree[$0].words.contains(where: PageWords.booking.contains) })
      {
        return true
      }
    }
    return false
  }

  /// An aside beside the heading of its own card: `<article><h3>Silt</h3><aside>28 April 10:30</aside></article>`.
  private func isOfItem(_ aside: Int) -> Bool {
    tree.path(aside).dropFirst().prefix(Self.itemLevels).contains { item in
      ["article", "li"].contains(tree[item].tag) && tree[item].length <= Self.cardLengthMax
        && tree.children(item).contains { child in
          child != aside
            && (child..<tree[child].end).prefix(Self.cardNodesMax)
              .contains { DateFinder.headings.contains(tree[$0].tag) }
        }
    }
  }

  /// `<div class=article-meta>30 Aug 2018 05:00</div>`, "16:05 yesterday": when something was written.
  private func isWritten(_ atom: PageAtom, _ path: [Int]) -> Bool {
    guard let line = atom.line, line.alarms.isEmpty, line.days.count == 1, let day = line.day,
      let time = line.times.first
    else { return false }
    if line.days[0].notes.contains(.relativeDay) { return day < clock.captured }
    return line.rest.isEmpty && !line.days[0].notes.contains(.inferredYear)
      && clock.zone.instant(of: ServiceTime(day, time.start)) <= clock.capturedAt
      && path.prefix(2).contains { place in
        let words = tree[place].words
        return !Self.writtenWords.isDisjoint(with: words)
          || words.contains("meta") && !Self.articleWords.isDisjoint(with: words)
      }
  }

  private static let writtenWords: Set<String> = ["byline", "published", "dateline", "pubdate"]
  private static let articleWords: Set<String> = ["article", "post", "entry", "blog", "news"]
  private static let labelLevels = 3
  private static let itemLevels = 3
  private static let cardNodesMax = 40

  /// "Thu 2 May 20:00 to Thu 9 May 20:00": from when to when a programme goes.
  private func isPeriod(_ atom: PageAtom) -> Bool {
    guard case .both = atom.kind, let line = atom.line, line.times.count == 2, line.days.count == 2,
      let first = line.days[0].day, let last = line.days[1].day, last - first > 1
    else { return false }
    guard let time = atom.text.firstPlace(of: line.times[0].text),
      case let behind = String(atom.text[time.upperBound...]), let day = behind.firstPlace(of: line.days[1].text)
    else { return false }
    return Self.untilWords.contains(String(behind[..<day.lowerBound]).trimmedText.lowercased())
  }

  private static let untilWords: Set<String> = [
    "to", "until", "till", "bis", "tot", "t/m", "au", "jusqu'au", "al", "hasta el", "até", "do", "till och med", "–",
    "-", "—", "~", "～", "から", "부터",
  ]

  /// `<h4>10:30</h4>` over films of which each says it again: it is told there.
  private func isSaidAgain(_ index: Int) -> Bool {
    let atom = atoms[index]
    guard case .times(let times) = atom.kind, times.count == 1, atom.line?.rest.isEmpty ?? false,
      let heading = tree.path(atom.place).prefix(3).first(where: { DateFinder.headings.contains(tree[$0].tag) }),
      tree[heading].parent >= 0
    else { return false }
    let whole = tree[tree[heading].parent].end
    var hasWords = false
    for other in atoms[(index + 1)...].prefix(Self.saidAgainReach) {
      guard other.place < whole, !other.isDate else { return false }
      if other.isWords { hasWords = true }
      guard other.isTime else { continue }
      guard hasWords, case .times(let again) = other.kind, again.count == 1, again[0].start == times[0].start else {
        return false
      }
      return !tree.path(other.place).prefix(3).contains { DateFinder.headings.contains(tree[$0].tag) }
    }
    return false
  }

  /// What a film says of itself before its time.
  private static let saidAgainReach = 24

  /// Times stand elsewhere, too: what an aside tells is not all that the page has to tell.
  func findTimesBesideAsides() -> Bool {
    atoms.indices.contains { index in
      guard atoms[index].isTime, case let place = atoms[index].place, !tree[place].isChrome else { return false }
      let path = tree.path(place)
      return !path.contains { tree[$0].tag == "aside" || tree[$0].tag == "header" && tree[$0].depth <= 3 }
        && !isOther(index, path)
    }
  }

  /// A film with all its times is no longer.
  private static let cardLengthMax = 600

  /// "Running time 1:45", "M | 1:58 | In cinemas 19 November"
  private func isLength(_ atom: PageAtom) -> Bool {
    guard let line = atom.line, line.times.count == 1, case let time = line.times[0],
      let place = atom.text.firstPlace(of: time.text)
    else { return false }
    guard
      PageWords.endsWithLength(String(atom.text[..<place.lowerBound]))
        || !line.days.isEmpty && PageWords.tellsRelease(line.rest)
    else { return false }
    // Few films last five hours.
    return time.text.utf8.first.map { (0x30...0x34).contains($0) } ?? false
      && time.text.utf8.prefix(while: isDigitByte).count == 1
  }

  /// "Early deadline: Friday, December 4, 11:59 PM"
  private func isDeadline(_ atom: PageAtom) -> Bool {
    atom.line.map { $0.lead.lowercased().hasSuffix("deadline") } ?? false && atom.text.lowercased().holds("deadline:")
  }

  /// `<b>Doors</b> 19:00 <b>Film</b> 19:30`, "Gates: 19:00". What tells the doors' own time says nothing of the next.
  func isBehindDoors(_ index: Int) -> Bool {
    if let line = atoms[index].line, line.times.count == 1, PageWords.isDoorsLabel(line.lead) { return true }
    guard index > 0, atoms[index - 1].isWords, case let before = atoms[index - 1].text else { return false }
    return before.utf8.count <= 40 && !LineRest.trimmed(before).isEmpty && !before.utf8.contains(where: isDigitByte)
      && (PageWords.isDoors(before) || PageWords.isDoorsLabel(LineRest.trimmed(before)))
  }

  /// In a column that is headed "Doors" or "End" beside one that is headed "Start".
  private func isBesideStarts(_ path: [Int]) -> Bool {
    guard let (table, cell) = context.grid(around: path[0], of: path[0]), cell.rows.lowerBound > 0,
      let column = table.columns[cell.columns.lowerBound], column == .doors || column == .end
    else { return false }
    return table.columns.values.contains(.start)
  }

  /// The one time of a row that says its day is the doors' by its class: when it starts, nobody says.
  func isDoorsAlone(_ path: [Int]) -> Bool {
    guard path.prefix(2).contains(where: { tree[$0].words.contains(Self.doorsClass) }) else { return false }
    let rows = path.lazy.map { (place: $0, range: context.range(in: $0)) }.prefix { $0.range.count <= Self.rowAtomsMax }
    return rows.first { $0.range.contains { atoms[$0].isDate } }.map { context.times(in: $0.place) == 1 } ?? false
  }

  private static let doorsClass = "doors"
  /// What a row says of one showing.
  private static let rowAtomsMax = 24

  /// "hours" of a film are its showings.
  func isOtherByClass(_ place: Int) -> Bool {
    let words = tree[place].words
    return words.contains { PageWords.otherTimeClasses.contains($0) }
      && !(words.contains("hours")
        && words.contains { PageWords.film.contains($0) || $0 == "screening" || $0 == "session" || $0 == "cinema" })
  }

  /// "Tonight on TV" over a list, as guides to cinemas have it beside them.
  private func isOfTelevision(_ path: [Int]) -> Bool {
    path.prefix(Self.boxLevels).contains { at in
      if tree[at].words == ["tv"] { return true }
      let range = context.range(in: at)
      return [range.lowerBound, range.lowerBound - 1].contains { index in
        // "Stasera" is a day.
        guard atoms.indices.contains(index), !atoms[index].isTime, PageWords.headsTelevision(atoms[index].text) else {
          return false
        }
        let path = tree.path(atoms[index].place).prefix(Self.headingLevels)
        return !tree[atoms[index].place].isChrome && path.contains { Self.headingTags.contains(tree[$0].tag) }
      }
    }
  }

  private static let boxLevels = 4
  private static let headingLevels = 2
  private static let headingTags: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6", "b", "strong"]

  private func isToCome(_ atom: PageAtom) -> Bool {
    switch atom.kind {
    case .both: atom.line?.days.contains { $0.last.map { $0 > clock.captured } ?? false } ?? false
    case .moment(let moment): clock.found(moment).map { $0.date > clock.captured } ?? false
    default: false
    }
  }

  /// `class="article-date"`: the date of what is written, or of what it is about.
  private func isDateOfWriting(_ place: Int) -> Bool {
    tree[place].words.contains("date")
      && tree[place].words.allSatisfy {
        !PageWords.otherTimeClasses.contains($0) || PageWords.listedClasses.contains($0)
      }
  }

  /// Of a page that gives nothing: what seems to tell a showing all the same.
  mutating func tellDropped() throws(ExtractionError) {
    guard evidence.candidates.isEmpty else { return }
    for atom in atoms where !tree[atom.place].isChrome && evidence.dropped.count < Self.droppedMax {
      let why: String
      switch (atom.kind, atom.line) {
      case (.both, let line?):
        guard let day = line.days.first, let first = day.first, first >= clock.captured,
          !day.notes.contains(.inferredFromWeekday)
        else { continue }
        why = "it does not seem to be when something is shown"
      case (.words, _):
        guard PageWords.isDoors(atom.text), atom.text.utf8.contains(where: isDigitByte) else { continue }
        try budget.spend(atom.text.utf8.count * 4)
        guard
          let alarm = PrintedLine(atom.text, clock: clock)?.alarms.first(where: { $0.kind == .doorsWithoutStart })
        else { continue }
        why = alarm.description
      default: continue
      }
      evidence.dropped.append(Unread(what: atom.text.shortened(to: 160), why: why))
    }
    if evidence.dropped.isEmpty { tellDays() }
  }

  /// A list that says of each thing on which day it is, and not at what time.
  private mutating func tellDays() {
    let days = atoms.filter { atom in
      guard case .date(let days) = atom.kind, days.count == 1, let day = days[0].day, day >= clock.captured,
        atom.line?.rest.isEmpty ?? true, !tree[atom.place].isChrome
      else { return false }
      return days[0].notes.isDisjoint(with: [.inferredFromWeekday, .inferredMonth, .relativeDay])
    }
    guard days.count > 1 else { return }
    evidence.dropped.append(
      Unread(what: "\(days[0].text.shortened(to: 60)) and \(days.count - 1) more", why: "they are days without a time"))
  }

  /// Enough to look at the page.
  private static let droppedMax = 5

  /// Nothing but its being one of a list says that it has other times: it has several, or one that is of a day above.
  private func isListed(_ place: Int, at time: PageAtom) -> Bool {
    isListing(place)
      && (context.times(in: place) > 1
        || !context.range(in: place).contains { atoms[$0].isDate && !isDayToCome($0, at: time) })
  }

  /// What is to come was not posted.
  private func isDayToCome(_ index: Int, at time: PageAtom) -> Bool {
    guard case .date(let days) = atoms[index].kind else { return false }
    var first = clock.captured + 1
    if case .times(let times) = time.kind, let start = times.first?.start,
      clock.zone.instant(of: ServiceTime(clock.captured, start)) > clock.capturedAt
    {
      first = clock.captured
    }
    return days.allSatisfy { $0.first.map { $0 >= first } ?? false }
  }

  /// `class="entry"`: of what is written, or one of a list.
  private func isListing(_ place: Int) -> Bool {
    tree[place].words.allSatisfy { !PageWords.otherTimeClasses.contains($0) || PageWords.listedClasses.contains($0) }
  }

  /// A line of a programme, however much it says of a film.
  static let lineMax = 70

  /// "Order by 21 November, 18:00, for delivery.": a sentence that has a time in passing.
  func isProse(_ atom: PageAtom) -> Bool {
    guard let rest = atom.line?.rest, endsSentence(atom.text) || atom.text.utf8.count > 160 else { return false }
    // "14.00 Pippa and the Bear, D, from 6 y." begins with its time.
    if atom.text.utf8.count <= Self.lineMax, atom.text.utf8.first.map(isDigitByte) ?? false,
      atom.line?.lead.isEmpty ?? false
    {
      return false
    }
    if isSentenceOfItsOwn(atom) { return false }
    if let before = beforeBracket(atom) { return before.utf8.split(separator: 0x20).count >= Self.proseWords }
    return rest.utf8.split(separator: 0x20).count >= Self.proseWords
      || rest.unicodeScalars.count > 24 && rest.unicodeScalars.contains(where: TitleVocabulary.isUnspaced)
  }

  private static let proseWords = 4

  /// "A dog finds its way home. $12. 9:15 p.m. More here.": a time between two full stops, behind what is said of the film.
  private func isSentenceOfItsOwn(_ atom: PageAtom) -> Bool {
    guard let line = atom.line, line.days.isEmpty, line.times.count == 1, !line.lead.isEmpty,
      let place = atom.text.lastPlace(of: line.times[0].text)
    else { return false }
    let before = String(atom.text[..<place.lowerBound]).trimmedText
    let behind = String(atom.text[place.upperBound...]).trimmedText
    return before.hasSuffix(".")
      && (behind.isEmpty || behind.hasPrefix(".")
        || line.times[0].text.hasSuffix(".") && behind.unicodeScalars.first?.properties.isUppercase == true)
  }

  /// "Friday 27 November at 19:00 (Hall 1. A season of the sea.)": what a line says beside its day and its one time, but
  /// for the bracket that ends it.
  private func beforeBracket(_ atom: PageAtom) -> String? {
    guard atom.text.utf8.count <= PrintedLine.bytesMax, let line = atom.line, line.times.count == 1,
      atom.text.hasSuffix(")") || atom.text.hasSuffix(")."), let bracket = atom.text.firstPlace(of: " (")
    else { return nil }
    let before = String(atom.text[..<bracket.lowerBound])
    guard let own = PrintedLine(before, clock: clock), own.times.count == 1, own.days.count == line.days.count else {
      return nil
    }
    return own.rest
  }

  /// "V.O.S." ends none.
  private func endsSentence(_ text: String) -> Bool {
    if text.hasSuffix("。") { return true }
    guard text.hasSuffix(".") else { return false }
    let pieces = (text.split(separator: " ").last ?? "").split(separator: ".")
    // "CALLE MALAGA di M. T."
    if pieces.count == 1, pieces[0].count == 1, pieces[0].allSatisfy(\.isUppercase) { return false }
    let isShort =
      pieces.count > 1 && pieces.allSatisfy { $0.count <= 2 && $0.allSatisfy(\.isLetter) }
      && pieces.contains { $0.contains(where: \.isUppercase) }
    return !isShort || pieces.count == 2 && pieces[1].lowercased() == "m"
  }

  /// "The Moss opened on Saturday 21 November at 2.30pm with …, to a full house.": the time stands within a sentence
  /// of a paragraph, behind words that no title has.
  func isInSentence(_ index: Int, _ path: [Int]) -> Bool {
    guard let block = path.first(where: { !tree.isInline($0) }), tree[block].tag == "p",
      (Self.sentenceBytesMin...PageTree.lengthAsked).contains(tree[block].length), let line = atoms[index].line
    else { return false }
    let text = tree.text(block)
    guard text.hasSuffix("."), !line.lead.isEmpty, atoms[index].text.hasPrefix(line.lead) else { return false }
    let words = line.lead.unicodeScalars.split(whereSeparator: \.isBlank)
    guard words.count >= 3, let last = words.last, last.count >= 3 else { return false }
    return last.allSatisfy { ("a"..."z").contains($0) || $0.value >= 0xDF && $0.properties.isLowercase }
      && !line.lead.unicodeScalars.contains(":")
  }

  /// Shorter paragraphs are lines of a programme.
  static let sentenceBytesMin = 90
}
