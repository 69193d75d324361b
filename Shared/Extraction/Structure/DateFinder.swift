import Calendars
import Clocks
import HTML

/// Finds the date that a time stands under.
struct DateFinder {
  struct Start {
    var found: FoundTime
    var end: FoundTime?
    var printed: ServiceTime?
    var trust: Double
    var isInferred = false
    /// The page says a weekday and no date.
    var isOfWeekday = false
    /// The atom that tells the date, where it stands apart from the time.
    var source: Int?
  }

  struct Failure: Error { var why: String }

  let context: PageContext
  let clock: PageClock
  let addressDate: CivilDate?
  /// The house is closed: no run of days goes through them.
  let closedDays: Set<CivilDate>
  /// Of a page that says weekdays alone.
  let programmeWeek: ClosedRange<CivilDate>?
  /// What marks behind its times mean.
  let footMarks: FootMarks
  var tree: PageTree { context.tree }

  /// How far from a time its date may stand, in atoms.
  static let reach = 400
  /// A weekend and the day before it.
  static let headedDaysMax = 3
  /// A cinema's week, twice.
  static let runMax = 15
  /// Of a day whose hour is said elsewhere for all.
  static let commonHourTrust = 0.75
  /// Behind a run its times stand, then what it leaves out.
  static let closingReach = 24

  init(
    context: PageContext, clock: PageClock, addressDate: CivilDate?, closedDays: Set<CivilDate>,
    programmeWeek: ClosedRange<CivilDate>?, footMarks: FootMarks
  ) {
    self.context = context
    self.clock = clock
    self.addressDate = addressDate
    self.closedDays = closedDays
    self.programmeWeek = programmeWeek
    self.footMarks = footMarks
  }

  /// All starts that a time stands for: one as a rule, more under a run of days.
  mutating func starts(
    of place: TimePlace, titleLevel: Int, bare: BareClock, budget: WorkBudget
  ) throws(ExtractionError) -> Result<[Start], Failure> {
    let atom = context.atoms[place.atom]
    switch atom.kind {
    case .moment(let moment):
      guard let found = clock.found(moment) else { return .failure(Failure(why: "it has no date")) }
      return .success([Start(found: found, trust: 1)])
    case .both:
      let found = both(atom, place.atom, bare).map { starts in
        guard atom.hasCommonHour else { return starts }
        return starts.map { start in
          var start = start
          start.trust *= Self.commonHourTrust
          return start
        }
      }
      guard atom.line?.days.contains(where: { $0.day == nil }) ?? false else { return found }
      let left = leftOut(beside: place, titleLevel: titleLevel)
      return found.map { starts in starts.filter { !left.has($0) } }
    case .times(let times):
      guard times.indices.contains(place.index) else { return .success([]) }
      let meant = linkClock(of: times[place.index], at: place) ?? bare.meant(place.atom, place.index)
      let weekdays = weekdays(before: place)
      switch try days(of: place, titleLevel: titleLevel, budget: budget) {
      case .failure(let failure):
        guard let own = weekdays.flatMap({ ofWeek($0, before: place.atom) }) else { return .failure(failure) }
        return .success(own.map { start(times[place.index], on: $0, trust: 0.85, meant: meant) })
      case .success(let dates):
        let left = leftOut(beside: place, titleLevel: titleLevel)
        let isRun = dates.count > 1
        let ofHouse = dates.count > 1 ? closedDays : []
        let marked = footMarks.rule(of: place.index, in: place.atom)
        if isRun, context.atoms[place.atom].line.map({ Self.isInitials($0.lead) }) ?? false {
          return .failure(Failure(why: "which of the days above it is meant, a letter says"))
        }
        if let weekdays, !dates.contains(where: { weekdays.contains($0.date.weekday) }) {
          return .failure(Failure(why: "no day above it is of the weekday that it says"))
        }
        return .success(
          dates.filter {
            !left.has($0.date, times[place.index].start, isRun: isRun) && !ofHouse.contains($0.date)
              && weekdays?.contains($0.date.weekday) != false && marked?.allows($0.date) != false
          }.map { day in
            var start = start(times[place.index], on: day.date, trust: day.trust, meant: meant)
            start.source = day.source
            start.isOfWeekday = day.source.map(isWeekdayAlone) ?? false
            return start
          })
      }
    default: return .success([])
    }
  }

  /// "V 20h30", "V-S-D: 17:00", "V, S y D: 17:00": weekdays by one letter each, of which two may be alike.
  static func isInitials(_ lead: String) -> Bool {
    guard lead.utf8.count <= initialsBytesMax else { return false }
    let words = lead.unicodeScalars.split { !$0.properties.isAlphabetic }
    let letters = words.filter { $0.count == 1 && $0.first?.properties.isUppercase == true }
    return !letters.isEmpty && letters.allSatisfy { "LMXJVSDG".unicodeScalars.contains($0[$0.startIndex]) }
      && words.allSatisfy { $0.count == 1 }
  }

  private static let initialsBytesMax = 24

  /// The same under a date that is known.
  func starts(of place: TimePlace, under date: Int, bare: BareClock) -> Result<[Start], Failure> {
    guard case .times(let times) = context.atoms[place.atom].kind,
      times.indices.contains(place.index),
      let told = told(date, level: 0, titleLevel: 0)
    else { return .failure(Failure(why: "it stands under no date")) }
    return told.map { days in
      days.map { day in
        var start = start(
          times[place.index], on: day.date, trust: day.trust,
          meant: bare.meant(place.atom, place.index))
        start.source = day.source
        return start
      }
    }
  }

  func both(_ atom: PageAtom, _ index: Int, _ bare: BareClock) -> Result<[Start], Failure> {
    guard let line = atom.line else { return .success([]) }
    if let found = within(line, index, bare) { return .success(found) }
    // "Mi 20:15 (OmU)" below a week: its Wednesday, not the next one.
    if let week = weekBefore(index), !line.isClosed, let day = line.day,
      line.days[0].notes.contains(.inferredFromWeekday),
      let own = week.first(where: { $0.weekday == day.weekday })
    {
      return .success(
        line.times.enumerated().map { place, time in
          start(time, on: own, trust: 0.9, meant: bare.meant(index, place))
        })
    }
    if let alarm = line.alarms.first { return .failure(Failure(why: alarm.description)) }
    // "Monday to Friday 10:00" are the hours of every week.
    if line.days.contains(where: { $0.day == nil && $0.notes.contains(.inferredFromWeekday) }) {
      return .failure(Failure(why: "its weekdays are of no week in particular"))
    }
    if let found = timesFirst(line, in: atom.text, index, bare) { return .success(found) }
    let showings = line.showings
    // "18:30 Fri, 20 Nov 2026": one date, which stands behind its times.
    if showings.isEmpty, !line.isClosed, let day = line.day {
      let found = line.times.enumerated().map { place, time in
        var start = start(time, on: day, trust: 0.97, meant: bare.meant(index, place))
        start.isOfWeekday = isWeekdayAlone(index)
        return start
      }
      if !found.isEmpty { return .success(found) }
    }
    if line.times.count == 1, !line.isClosed, let day = line.day, let meant = afternoon(line.times[0], in: atom.text) {
      return .success([start(line.times[0], on: day, trust: 1, meant: meant)])
    }
    // "Fri 11/20: 4:15, 7:00"
    if bare.isTwelveHour, !line.isClosed, let day = line.day, showings.count == line.times.count {
      return .success(
        line.times.enumerated().map { place, time in
          start(time, on: day, trust: 1, meant: bare.meant(index, place))
        })
    }
    if showings.isEmpty { return .failure(Failure(why: "no time stands under a date in it")) }
    return .success(
      showings.map { showing in
        Start(
          found: clock.found(showing.startsAt), end: showing.endsAt.map { clock.found($0) },
          printed: showing.time.time.isAfterMidnight ? showing.time : nil,
          trust: showing.confidence.trust, isInferred: showing.notes.contains(.inferredServiceDay),
          isOfWeekday: showing.notes.contains(.inferredFromWeekday) && weekBefore(index) == nil)
      })
  }

  /// "6:00PM Thursday, May 4th; 4:00PM Sunday, May 7th": each time stands before its day.
  private func timesFirst(_ line: PrintedLine, in text: String, _ index: Int, _ bare: BareClock) -> [Start]? {
    guard line.times.count >= 2, line.times.count == line.days.count, !line.isClosed, line.alarms.isEmpty,
      line.days.allSatisfy({ $0.day != nil })
    else { return nil }
    var rest = text
    for (time, day) in zip(line.times, line.days) {
      for part in [time.text, day.text] {
        guard let place = rest.firstPlace(of: part), rest[..<place.lowerBound].utf8.count <= Self.jointBytesMax else {
          return nil
        }
        rest = String(rest[place.upperBound...])
      }
    }
    return zip(line.times, line.days).enumerated().map { place, both in
      start(both.0, on: both.1.day!, trust: 0.95, meant: bare.meant(index, place))
    }
  }

  /// Between a time and its day, and before the next time, stand a mark and a word.
  private static let jointBytesMax = 8

  /// "Mon–Thu: 7:00" under a heading that says which week is meant.
  func within(_ line: PrintedLine, _ index: Int, _ bare: BareClock) -> [Start]? {
    guard let groups = line.weekGroups, !groups.isEmpty, let week = weekBefore(index) else { return nil }
    var place = 0
    var found: [Start] = []
    for group in groups {
      for time in group.times {
        for day in week.days(where: {
          (group.weekdays?.contains($0) ?? true) && !line.exceptedWeekdays.contains($0)
        }) {
          found.append(start(time, on: day, trust: 0.85, meant: bare.meant(index, place)))
        }
        place += 1
      }
    }
    return found
  }

  /// "Sun: 1:30, 4:15": what stands before the times is a weekday, which is too short to be a date by itself.
  func weekdays(before place: TimePlace) -> Set<Weekday>? {
    guard let lead = context.atoms[place.atom].line?.lead, !lead.isEmpty, lead.utf8.count <= PageClock.weekdayBytesMax,
      PageWords.isLabel(lead) || lead.utf8.count <= 4
    else { return nil }
    let listing = clock.printed.read(lead, expecting: .dates)
    let days = listing.groups.flatMap(\.days)
    guard listing.alarms.isEmpty, !days.isEmpty,
      days.allSatisfy({ $0.notes.contains(.inferredFromWeekday) })
    else { return nil }
    return PageClock.weekdays(of: days)
  }

  /// Of a day in a week that the page does not name, however it came to it.
  private static let programmeTrust = 0.65

  /// - Parameter meant: the time of the afternoon, where a clock of twelve hours prints one of the morning.
  func start(_ time: PrintedTime, on date: CivilDate, trust: Double, meant: DisplayTime?) -> Start {
    let start = meant ?? time.start
    let ofDate = programmeWeek?.contains(date) ?? false ? min(trust, Self.programmeTrust) : trust
    let trust = ofDate * (meant == nil ? time.confidence.trust : 0.8)
    let place = ServiceTime(date, start)
    let found = clock.found(place.civil)
    var end: FoundTime?
    if let minutes = time.minutesLong, let instant = found.instant {
      end = clock.found(WallTime(milliseconds: instant.milliseconds + Int64(minutes) * 60_000))
    }
    return Start(
      found: found, end: end, printed: start.isAfterMidnight ? place : nil, trust: trust,
      isInferred: meant == nil && time.notes.contains(.inferredServiceDay))
  }

  /// 15:00 of "3 o'clock": nobody says so of the early morning.
  private func afternoon(_ time: PrintedTime, in text: String) -> DisplayTime? {
    let hour = time.start.clock.hour
    guard text.utf8.count <= PrintedLine.bytesMax, text.holds("clock"), (1...8).contains(hour),
      time.text.utf8.allSatisfy({ $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ".") }),
      !time.notes.contains(.inferredMeridiem)
    else { return nil }
    return DisplayTime(hour: hour + 12, minute: time.start.minute)
  }

  /// 15:05 of "3:05" in a link to `…?date=2026-11-21+15:05`: an address has a clock of 24 hours.
  private func linkClock(of time: PrintedTime, at place: TimePlace) -> DisplayTime? {
    let printed = time.start.clock
    guard (1...11).contains(printed.hour), !time.text.unicodeScalars.contains(where: \.properties.isAlphabetic),
      let evening = DisplayTime(hour: printed.hour + 12, minute: printed.minute),
      let href = place.path.prefix(Self.linkLevels).lazy.compactMap({ tree[$0].node["href"] }).first,
      href.utf8.count <= Self.hrefBytesMax
    else { return nil }
    let minute = (printed.minute < 10 ? "0" : "") + "\(printed.minute)"
    for joint in [":", "%3A", "%3a"] {
      let clock = "\(evening.hour)\(joint)\(minute)"
      guard let found = href.firstPlace(of: clock) else { continue }
      // "%2B15:05" has a digit before it that is none: a plus sign's.
      let before = href[..<found.lowerBound]
      let isApart = before.hasSuffix("%2B") || before.hasSuffix("%20") || before.utf8.last.map(isDigitByte) != true
      if isApart, href[found.upperBound...].utf8.first.map(isDigitByte) != true { return evening }
    }
    return nil
  }

  private static let linkLevels = 4
  private static let hrefBytesMax = 2_048

  /// What is known of parts of the page: where those end that runs of days head, by the atom of the run.
  final class Sections {
    var ends: [Int: Int] = [:]
    /// By the atoms of a part: whether dates follow their times in it.
    var timesFirst: [Range<Int>: Bool] = [:]
    /// By cell: whether its column is headed by words that are of no calendar.
    var underWords: [Int: Bool] = [:]
    /// By table: whether no day stands in it.
    var withoutDays: [Int: Bool] = [:]
    /// By part of the page: whether a day stands in it.
    var withDays: [Int: Bool] = [:]
  }
  let sections = Sections()
}
