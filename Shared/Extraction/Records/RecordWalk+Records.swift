import Calendars
import Clocks
import JSON

/// What becomes of a record: a find, or something that is lost.
extension RecordWalk {
  mutating func record(
    _ own: RecordFacts, path: String, holding inner: Range<Int>? = nil, isOfList: Bool = false, isOfDay: Bool = false
  ) {
    var own = own
    let isTicket = own.title.map { TicketName.isOne($0.text) } ?? false
    let isOfTickets = scopes.last?.key.isOfTickets == true
    // A film may be called "Admission", and a list of showings "rates"; "Adult" among rates is neither.
    let isSurelyTicket = isTicket && (isOfTickets || own.title?.text.contains(" ") == true)
    if isSurelyTicket || (isTicket || isOfTickets) && (reader.pageTitle != nil || titleAround() != nil) {
      // What is told of each kind of ticket is told of what it admits to.
      own.title = nil
      own.described = nil
      own.id = nil
    }
    guard !own.starts.isEmpty || !own.ends.isEmpty, finds.count < reader.limits.candidates,
      scopes.last?.key.isOfDoors != true
    else {
      if let raw = own.unreadStart, let title = title(own) {
        lose(at: path, "\(title.text), \(raw)", "its start cannot be read")
      }
      return
    }
    guard let (start, printed, isDay, rank) = start(own) else { return }
    // A day on which a house says that it is closed.
    if isDay, let title = own.title, PageWords.isClosed(title.text) {
      closedDays.insert(start.date)
      return
    }
    // A field that is only called after what it is of needs more to be believed.
    let named = title(own)
    let ofPage = reader.pageTitle ?? (isOfDay ? reader.pageHeading : nil)
    guard let title = named ?? ofPage.map({ ($0, false, false) }), !title.text.isEmpty else {
      if own.clues > 1 { trace.add(reader.reader, at: path, .refused, "\(start): no title") }
      if rank <= 2, start.date >= clock.captured {
        lose(at: path, start.description, "nothing beside it says what is shown")
      }
      return
    }
    var candidate = Candidate(
      title: title.text, start: start, reader: reader.reader, place: path, confidence: reader.reader.trust)
    candidate.work = own.filmTitle ?? own.bill
    candidate.printedTime = printed
    candidate.isMarkedUTC = own.starts.contains {
      if case .instant(let stamp) = $0.moment { stamp.offset == .zero && stamp.instant == start.instant } else { false }
    }
    candidate.end = end(own, after: start)
    candidate.venue = own.venue ?? around { $0.venue } ?? venueAround(title.text) ?? own.organizer
    candidate.screen = own.screen ?? around { $0.screen } ?? screenAround()
    if let hall = candidate.venue, ScreenName.isNumberedHall(hall) {
      candidate.screen = candidate.screen ?? hall
      candidate.venue = nil
    }
    candidate.url = own.url ?? around { $0.url }
    candidate.bookingID = own.id
    candidate.notes = own.notes
    if own.isSoldOut || own.seatsLeft.map({ $0 <= 0 }) == true { candidate.seats = .soldOut }
    let isOfFilm = own.isOfFilm || scopes.contains { $0.key.thing == .film || $0.facts?.isOfFilm == true }
    if isOfFilm || path.contains("creening") || path.contains("eance") { candidate.isScreening = true }
    if own.isCancelled || scopes.contains(where: { $0.facts?.isCancelled == true }) {
      unread.append(Unread(what: "\(title.text), \(start)", why: "the source says that it is cancelled"))
      return
    }
    // A part of a page that is hidden for now says nothing of what is in it; a film or an event does.
    if let why = own.withheld ?? around({ $0.title == nil ? nil : $0.withheld }) {
      unread.append(Unread(what: "\(title.text), \(start)", why: why))
      return
    }
    if own.isVirtual || scopes.contains(where: { $0.facts?.isVirtual == true }) {
      unread.append(Unread(what: "\(title.text), \(start)", why: "it is shown online, and in no house"))
      return
    }
    // Times in a row say by themselves that something is shown at them.
    let clues =
      (isOfList ? 2 : 0) + own.clues + (rank <= 1 ? 1 : 0) + (title.isFilm ? 1 : 0)
      + (scopes.contains { $0.key.thing == .shows } ? 2 : 0)
      + (isTimetabled(own, start) ? own.isOfFilm || reader.isOfCinema ? 2 : 1 : 0)
      + (title.isFilm && isClock(own, start) ? 1 : 0)
    let inside = inner ?? finds.count..<finds.count
    // Among screenings with a time stand festivals that are told by their days.
    let shape = isDay ? path + " of days" : path
    let isMidnight = isMidnight(candidate)
    for candidate in [candidate] + onFurtherDays(candidate, own) + last(candidate, own)
    where finds.count < reader.limits.candidates {
      finds.append(
        Find(
          candidate: candidate, shape: shape, clues: clues, isDay: isDay, isMidnight: isMidnight,
          isOfPage: named == nil, isOfSeveral: own.isOfSeveral, inner: inside))
    }
  }

  /// A day and a clock in fields of their own, or a place, of what is still to come: posts have none of these.
  private func isTimetabled(_ own: RecordFacts, _ start: FoundTime) -> Bool {
    guard case .moment(let stamp) = start, start.date >= clock.captured, stamp.local.time.minute % 5 == 0,
      own.title.map({ $0.rank <= (own.isOfFilm ? 3 : 2) }) ?? false
    else { return false }
    if own.venue != nil || own.screen != nil { return true }
    return own.starts.contains { if case .time = $0.moment { true } else { false } } && own.date != nil
  }

  /// A clock of a film on a day around it, at an hour at which a house is open: a length has no such one.
  private func isClock(_ own: RecordFacts, _ start: FoundTime) -> Bool {
    guard case .moment(let stamp) = start, start.date >= clock.captured, stamp.local.time.hour >= Self.morning else {
      return false
    }
    return own.starts.allSatisfy { if case .time = $0.moment { true } else { false } }
  }

  /// Midnight here, and nothing says that it ends before the day does; or UTC's at an hour when nobody shows anything.
  func isMidnight(_ candidate: Candidate) -> Bool {
    guard case .moment(let stamp) = candidate.start, candidate.printedTime == nil else { return false }
    if stamp.local.time != .midnight {
      return Timestamp(stamp.instant).local.time == .midnight && stamp.local.time.hour < Self.firstHour
    }
    guard case .moment(let end)? = candidate.end else { return true }
    return Self.endsDay(end.local)
  }

  /// What starts before is rare, and never all that a programme has.
  private static let firstHour = 10

  static func endsDay(_ local: CivilDateTime) -> Bool {
    local.time == .midnight || local.time.hour == 23 && local.time.minute == 59
  }

  /// The same start on the other days that the record lists: `"dates": ["2026-06-12", "2026-06-19"]`.
  private func onFurtherDays(_ first: Candidate, _ own: RecordFacts) -> [Candidate] {
    guard case .moment(let stamp) = first.start, own.dates.contains(stamp.local.date) else { return [] }
    return own.dates.filter { $0 != stamp.local.date }.map { date in
      var candidate = first
      candidate.start = clock.found(CivilDateTime(date, stamp.local.time), in: zone(own))
      candidate.end = nil
      return candidate
    }
  }

  /// The last showing of several, of which the first has been told.
  private func last(_ first: Candidate, _ own: RecordFacts) -> [Candidate] {
    guard let moment = own.lastStart, let found = clock.found(moment, in: zone(own)), found != first.start else {
      return []
    }
    var candidate = first
    (candidate.start, candidate.end) = (found, nil)
    return [candidate]
  }

  func zone(_ own: RecordFacts) -> TimeZoneRules? {
    (own.zone ?? around { $0.zone }).flatMap { clock.rules(named: $0) }
  }

  func around<Value>(_ read: (RecordFacts) -> Value?) -> Value? {
    for scope in scopes.reversed() {
      if let value = scope.facts.flatMap(read) { return value }
    }
    return nil
  }
}
