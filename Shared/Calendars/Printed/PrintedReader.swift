package import Clocks

/// Reads dates and times as cinemas print them, in Korean, Japanese, English, French, German, Spanish, Italian, Dutch and
/// Hebrew.
///
///     let reader = PrintedReader(capturedAt: now, zone: seoul)
///     reader.read("11/21(金)〜11/27(木) 10:00/13:20/24:30 ※11/24休映")
///
/// Takes bounded text, in time linear in it, and never traps.
package struct PrintedReader: Sendable {
  package struct Limits: Sendable {
    /// A month's programme of one film, with room; a whole page is not one text.
    package var bytesMax = 8_192
    /// A daily run announced for a season.
    package var runDaysMax = 120
    /// What one listing can come to.
    package var showingsMax = 1_000

    package init() {}
  }

  let captured: CivilDateTime
  let today: CivilDate?
  let zone: TimeZoneRules
  let serviceDay: ServiceDay
  package let dateOrder: DateOrder?
  let limits: Limits

  /// `dateOrder` says what 11/12 is where the text does not: American sites have the month first, British ones the day.
  /// `today` is the day that the text calls so, where it is known to be another one than that of the capture.
  package init(
    capturedAt instant: WallTime, zone: TimeZoneRules, serviceDay: ServiceDay = .standard, today: CivilDate? = nil,
    dateOrder: DateOrder? = nil, limits: Limits = Limits()
  ) {
    captured = zone.local(at: instant)
    self.today = today
    self.zone = zone
    self.serviceDay = serviceDay
    self.dateOrder = dateOrder
    self.limits = limits
  }

  package func read(_ text: some StringProtocol, expecting expectation: PrintedExpectation = .listing) -> PrintedListing
  {
    guard text.utf8.count <= limits.bytesMax else {
      var listing = PrintedListing()
      listing.alarms = [PrintedAlarm(.textTooLong, String(decoding: text.utf8.prefix(80), as: UTF8.self))]
      return listing
    }
    let folded = FoldedText(text)
    let items = PrintedItems(
      folded, expectation: expectation, order: dateOrder, captureYear: captured.date.year,
      region: PrintedRegion(zone: zone.name)
    ).items
    var assembly = PrintedAssembly(
      text: folded, items: items,
      dates: PrintedDateResolver(
        captured: captured.date, today: today ?? captured.date,
        isAfterMidnight: today == nil && captured.time < serviceDay.endsAt),
      serviceDay: serviceDay, runDaysMax: limits.runDaysMax)
    return assembly.listing()
  }

  /// The one date of a text that should hold one: a heading, a table's cell. Nil if there is none.
  package func date(_ text: some StringProtocol) throws(PrintedAlarm) -> PrintedDays? {
    let listing = read(text, expecting: .dates)
    if let alarm = listing.alarms.first { throw alarm }
    let days = listing.groups.flatMap(\.days)
    guard days.count <= 1 else {
      throw PrintedAlarm(.moreThanOneDate, String(text), candidates: days.compactMap(\.first))
    }
    return days.first
  }

  /// The times of a text that holds nothing else.
  package func times(_ text: some StringProtocol) -> PrintedListing { read(text, expecting: .times) }

  /// Every showing of a listing, in order, and what was wrong with it. Times without a date are no showings.
  package func showings(in listing: PrintedListing) -> (showings: [PrintedShowing], alarms: [PrintedAlarm]) {
    var showings: [PrintedShowing] = []
    var alarms = listing.alarms
    for group in listing.groups where !group.isClosed && !group.hasUnreadDate {
      let closed = Set(group.exceptions.flatMap { Array($0.dates(from: captured.date)) })
      for days in group.days {
        let inferred: Set<PrintedNote> = days.first == nil ? [.inferredStart] : []
        for date in days.dates(from: captured.date)
        where !closed.contains(date) && !group.exceptedWeekdays.contains(date.weekday) {
          for time in group.times {
            guard showings.count < limits.showingsMax else {
              alarms.append(PrintedAlarm(.tooManyShowings, days.text))
              return (showings, alarms)
            }
            showings.append(showing(time, on: date, notes: days.notes.union(inferred)))
          }
        }
      }
    }
    return (showings, alarms)
  }

  /// The showings of one date whose times are printed in one text, or in several in order.
  package func showings(
    on date: CivilDate, printed texts: String...
  ) -> (showings: [PrintedShowing], alarms: [PrintedAlarm]) {
    let listing = times(texts.joined(separator: "\n"))
    return (listing.times.map { showing($0, on: date, notes: []) }, listing.alarms)
  }

  private func showing(_ time: PrintedTime, on date: CivilDate, notes: Set<PrintedNote>) -> PrintedShowing {
    let place = ServiceTime(date, time.start)
    var notes = notes.union(time.notes)
    switch zone.resolve(place.civil) {
    case .exact: break
    case .gap: notes.insert(.skippedLocalTime)
    case .overlap: notes.insert(.repeatedLocalTime)
    }
    let startsAt = zone.instant(of: place)
    return PrintedShowing(
      time: place, startsAt: startsAt, endsAt: time.minutesLong.map { startsAt.adding(seconds: Int64($0) * 60) },
      notes: notes, text: time.text)
  }
}

extension PrintedDays {
  /// The dates of a run; one without a start runs from the capture on, one without an end is its first day.
  fileprivate func dates(from captured: CivilDate) -> ClosedRange<CivilDate> {
    let start = first ?? min(captured, last ?? captured)
    return start...max(last ?? start, start)
  }
}
