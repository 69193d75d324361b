import Calendars
import Clocks

/// Makes one list of what several readers found: each screening once, told by whoever is trusted most.
struct Joiner {
  let pageVenue: String?
  let isCinema: Bool
  let titles: TitleReadings
  let resolve: (String) -> String?

  /// Below this a find is told as unread, not as a screening.
  static let confidenceMin = 0.5
  /// What lasts longer is an exhibition, or somebody's membership. A festival told as one event does not.
  static let daysMax = 31

  private struct Merged {
    var candidate: Candidate
    var readers: [EvidenceReader]
    var titleKey: String
    var filmKey: String
    var doubt: Double
  }

  func join(_ candidates: [Candidate], into extraction: inout Extraction) {
    var merged: [Merged] = []
    var places: [FoundTime: [Int]] = [:]
    var order = Array(candidates.indices)
    order.sort { (candidates[$1].reader.trust, $0) < (candidates[$0].reader.trust, $1) }
    let venues = Set(candidates.compactMap { $0.reader == .html ? nil : $0.venue })
    for index in order {
      var candidate = candidates[index]
      // A heading of the layout names no venue where the page's data names others.
      if candidate.reader == .html, !venues.isEmpty, !venues.contains(where: { agree($0, candidate.venue) }) {
        candidate.venue = nil
      }
      extraction.trace.seen[candidate.reader, default: 0] += 1
      let titleKey = candidate.title.foldedKey
      // A picture's or a heading's words are the film's, wherever they stand.
      if candidate.reader == .html, candidate.venue?.foldedKey == titleKey { candidate.venue = nil }
      let filmKey = filmKey(candidate)
      let others = places[startKey(candidate.start)] ?? []
      let same =
        others.first { isSame(merged[$0], candidate, titleKey: titleKey, filmKey: filmKey) }
        ?? others.first { isSubtitled(candidate, of: merged[$0]) }
      if let same {
        merge(candidate, into: &merged[same])
        extraction.trace.add(candidate.reader, at: candidate.place, .joined, "\(candidate.title), \(candidate.start)")
      } else {
        places[startKey(candidate.start), default: []].append(merged.count)
        merged.append(
          Merged(
            candidate: candidate, readers: [candidate.reader], titleKey: titleKey, filmKey: filmKey,
            doubt: 1 - candidate.confidence))
      }
    }
    for (place, item) in merged.enumerated()
    where !isShortened(item, of: places, in: merged, at: place) && !isMidnight(item, of: places, in: merged) {
      tell(item, into: &extraction)
    }
    extraction.screenings.sort { ($0.start, $0.title, $0.screen ?? "") < ($1.start, $1.title, $1.screen ?? "") }
    extraction.confidence = confidence(of: extraction)
  }

  /// The same instant in two offsets is one start.
  private func startKey(_ time: FoundTime) -> FoundTime {
    if case .moment(let stamp) = time { .moment(Timestamp(stamp.instant)) } else { time }
  }

  private func filmKey(_ candidate: Candidate) -> String {
    let film = titles[candidate.work ?? candidate.title].filmKey
    return film.isEmpty ? candidate.title.foldedKey : film
  }

  private func isSame(_ item: Merged, _ candidate: Candidate, titleKey: String, filmKey: String) -> Bool {
    let other = item.candidate
    if let left = other.bookingID, let right = candidate.bookingID, left == right, other.reader == candidate.reader,
      item.titleKey == titleKey || item.filmKey == filmKey
    {
      return true
    }
    // One reader writes one title one way.
    guard
      item.titleKey == titleKey || (other.reader != candidate.reader && !filmKey.isEmpty && item.filmKey == filmKey)
        || tellsMore(other.title, candidate.title) || tellsMore(candidate.title, other.title)
    else { return false }
    guard agree(other.venue, candidate.venue), agree(other.screen, candidate.screen) else { return false }
    // One reader that tells two numbers for one time tells two screenings.
    if other.reader == candidate.reader, let left = other.bookingID, let right = candidate.bookingID, left != right,
      other.screen == nil || candidate.screen == nil
    {
      return other.url == candidate.url && other.url != nil
    }
    return true
  }

  /// "The Long Ti…" at the time of "The Long Tide".
  private func isShortened(_ item: Merged, of places: [FoundTime: [Int]], in merged: [Merged], at place: Int) -> Bool {
    let title = item.candidate.title
    guard title.hasSuffix("…") || title.hasSuffix("..."), item.titleKey.utf8.count >= Self.shortenedBytesMin else {
      return false
    }
    return places[startKey(item.candidate.start)]?.contains { other in
      other != place && merged[other].titleKey.utf8.count > item.titleKey.utf8.count
        && merged[other].titleKey.hasPrefix(item.titleKey)
    } ?? false
  }

  private static let shortenedBytesMin = 5

  /// "Midnight" of what another view of the page tells for 23:59.
  private func isMidnight(_ item: Merged, of places: [FoundTime: [Int]], in merged: [Merged]) -> Bool {
    guard case .moment(let stamp) = item.candidate.start, stamp.local.time == .midnight,
      let before = places[.moment(Timestamp(WallTime(milliseconds: stamp.instant.milliseconds - 60_000)))]
    else { return false }
    return before.contains { merged[$0].titleKey == item.titleKey }
  }

  /// "Silt – The Long Tide" in the layout, where the page's data calls the same showing "Silt".
  private func isSubtitled(_ candidate: Candidate, of item: Merged) -> Bool {
    guard candidate.reader == .html, item.readers.allSatisfy({ $0 != .html }), candidate.title.utf8.count > 3,
      agree(item.candidate.venue, candidate.venue), agree(item.candidate.screen, candidate.screen)
    else { return false }
    return Self.subtitleMarks.contains { mark in
      guard let place = candidate.title.firstPlace(of: mark) else { return false }
      return String(candidate.title[..<place.lowerBound]).foldedKey == item.titleKey
    }
  }

  private static let subtitleMarks = [" – ", " - ", " — ", ": "]

  /// "Silt Q&A with Ana Berg and Ida Holm" at the time of "Silt" tells more of the same showing.
  private func tellsMore(_ longer: String, _ title: String) -> Bool {
    guard longer.utf8.count > title.utf8.count + Self.moreBytesMin, longer.hasPrefix(title) else { return false }
    let more = String(longer.dropFirst(title.count))
    return more.unicodeScalars.first?.isBlank == true
      && more.unicodeScalars.split(whereSeparator: \.isBlank).count >= Self.moreWordsMin
      && !TitleMarks(more).attributes.isEmpty
  }

  /// What is said of guests, not "Part Two".
  private static let moreWordsMin = 4
  private static let moreBytesMin = 12

  /// Two names of one place: one of them unknown, the same, or one inside the other.
  private func agree(_ left: String?, _ right: String?) -> Bool {
    guard let left = left?.foldedKey, let right = right?.foldedKey, !left.isEmpty, !right.isEmpty else { return true }
    if left == right { return true }
    return min(left.utf8.count, right.utf8.count) >= 4
      && (left.hasSuffix(right) || right.hasSuffix(left) || left.hasPrefix(right) || right.hasPrefix(left))
      && !isDigitByte(left.utf8.last ?? 0) && !isDigitByte(right.utf8.last ?? 0)
  }

  private func merge(_ candidate: Candidate, into item: inout Merged) {
    if isSubtitled(candidate, of: item) {
      item.candidate.title = candidate.title
      item.titleKey = candidate.title.foldedKey
      item.filmKey = filmKey(candidate)
    }
    if !item.readers.contains(candidate.reader) {
      item.readers.append(candidate.reader)
      item.doubt *= 1 - candidate.confidence
    } else {
      item.doubt = min(item.doubt, 1 - candidate.confidence)
    }
    if tellsMore(item.candidate.title, candidate.title) {
      item.candidate.attributes.formUnion(TitleMarks(item.candidate.title).attributes)
      item.candidate.title = candidate.title
      item.titleKey = candidate.title.foldedKey
      item.filmKey = filmKey(candidate)
    } else if tellsMore(candidate.title, item.candidate.title) {
      item.candidate.attributes.formUnion(TitleMarks(candidate.title).attributes)
    }
    item.candidate.work = item.candidate.work ?? candidate.work
    if item.candidate.otherTitles.isEmpty { item.candidate.otherTitles = candidate.otherTitles }
    // A publisher's end may be that of the film's whole run.
    if let end = candidate.end { item.candidate.end = min(item.candidate.end ?? end, end) }
    item.candidate.printedTime = item.candidate.printedTime ?? candidate.printedTime
    item.candidate.venue = item.candidate.venue ?? candidate.venue
    item.candidate.screen = item.candidate.screen ?? candidate.screen
    item.candidate.url = item.candidate.url ?? candidate.url
    item.candidate.bookingID = item.candidate.bookingID ?? candidate.bookingID
    item.candidate.attributes.formUnion(candidate.attributes)
    item.candidate.isScreening = item.candidate.isScreening ?? candidate.isScreening
    if item.candidate.seats == nil { item.candidate.seats = candidate.seats }
    for note in candidate.notes where !item.candidate.notes.contains(note) { item.candidate.notes.append(note) }
  }

  private func tell(_ item: Merged, into extraction: inout Extraction) {
    var candidate = item.candidate
    let confidence = 1 - item.doubt
    let readers = item.readers.sorted { $0.trust > $1.trust }
    if PageWords.isPrivate(candidate.title) {
      extraction.trace.add(
        candidate.reader, at: candidate.place, .refused, "\(candidate.title), \(candidate.start): for invited guests")
      return
    }
    guard confidence >= Self.confidenceMin else {
      extraction.unread.append(
        Unread(what: "\(candidate.title), \(candidate.start)", why: "it is too doubtful to be told as a screening"))
      return
    }
    if let end = candidate.end, end.date - candidate.start.date > Self.daysMax, item.readers.count > 1 {
      // What several readers tell is shown then, whatever one says of its end.
      candidate.end = nil
    } else if let end = candidate.end, end.date - candidate.start.date > Self.daysMax {
      extraction.unread.append(
        Unread(what: "\(candidate.title), \(candidate.start)", why: "it lasts for weeks: no screening does"))
      return
    }
    if candidate.work == nil, TicketName.isPass(candidate.title) {
      extraction.unread.append(
        Unread(what: "\(candidate.title), \(candidate.start)", why: "it is a pass, which admits to what is shown"))
      return
    }
    if let end = candidate.end, lastsAllDay(candidate.start, end), PageWords.namesExhibition(candidate.title) {
      extraction.unread.append(
        Unread(what: "\(candidate.title), \(candidate.start)", why: "it is when an exhibition is open"))
      return
    }
    let title = titles[candidate.title].title
    if title.isCancelled {
      extraction.unread.append(
        Unread(what: "\(candidate.title), \(candidate.start)", why: "its title says that it is cancelled"))
      return
    }
    var film = title.film
    if let work = candidate.work {
      let cleaned = titles[work].title.film
      if !cleaned.isEmpty { film = cleaned }
    }
    var attributes = candidate.attributes.union(title.attributes)
    var seats = title.isSoldOut ? .soldOut : candidate.seats
    var notes: [String] = []
    for note in candidate.notes where !note.isEmpty {
      let marks = TitleMarks(note)
      attributes.formUnion(marks.attributes)
      let printed = PrintedMarks(note)
      attributes.formUnion(printed.attributes.map { ScreeningAttribute($0) })
      if let found = printed.seats, seats != .soldOut { seats = found }
      if !notes.contains(note) { notes.append(note) }
    }
    // "BFI Southbank, Screen 2"
    if candidate.screen == nil, let told = candidate.venue, let comma = told.lastPlace(of: ", "),
      case let room = String(told[comma.upperBound...]), ScreenName.isOne(room)
    {
      candidate.screen = room
    }
    if candidate.reader == .html, let room = candidate.screen, let told = candidate.venue, told.hasSuffix(", \(room)"),
      ScreenName.isOne(room)
    {
      candidate.venue = String(told.dropLast(room.count + 2))
    }
    var venue = candidate.venue ?? pageVenue
    let isScreening =
      candidate.isScreening
      ?? (isCinema || venue.map(CinemaWords.isCinema) ?? false || candidate.screen.map(ScreenName.isOfCinema) ?? false)
    // Where a festival tells rooms alone, the room is where it takes place.
    if venue == nil, !isScreening, candidate.reader != .html || !(candidate.screen.map(ScreenName.isOne) ?? false),
      !(candidate.screen.map(ScreenName.isNumberedHall) ?? false)
    {
      venue = candidate.screen
    }
    extraction.screenings.append(
      FoundScreening(
        title: candidate.title, filmTitle: film, otherTitles: candidate.otherTitles, start: candidate.start,
        end: candidate.end,
        printedTime: candidate.printedTime, isInferred: candidate.isInferred, venue: venue, screen: candidate.screen,
        url: candidate.url.flatMap(resolve), bookingID: candidate.bookingID, attributes: attributes, notes: notes,
        seats: seats, kind: isScreening ? .screening : .event, foundBy: readers, confidence: confidence))
    extraction.trace.add(candidate.reader, at: candidate.place, .found, "\(candidate.title), \(candidate.start)")
  }

  private func lastsAllDay(_ start: FoundTime, _ end: FoundTime) -> Bool {
    guard case .moment(let start) = start, case .moment(let end) = end else { return false }
    return end.instant.milliseconds - start.instant.milliseconds >= Self.openingMin
  }

  /// Milliseconds.
  private static let openingMin = 5 * 3_600_000

  private func confidence(of extraction: Extraction) -> Double {
    guard !extraction.screenings.isEmpty else { return 0 }
    let mean = extraction.screenings.reduce(0) { $0 + $1.confidence } / Double(extraction.screenings.count)
    // What could not be read counts against the page, the more the fewer were read.
    let unread = Double(min(extraction.unread.count, extraction.screenings.count))
    return mean * (1 - 0.5 * unread / Double(extraction.screenings.count + extraction.unread.count))
  }
}
