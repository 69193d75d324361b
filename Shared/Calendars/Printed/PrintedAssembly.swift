/// Puts items together: which dates are a run, which are exceptions, which times are under them, what is an end.
struct PrintedAssembly {
  let text: FoldedText
  let items: [PrintedItem]
  let dates: PrintedDateResolver
  let serviceDay: ServiceDay
  let runDaysMax: Int
  /// Some time of the text can only be of a 24-hour clock, so all of them are.
  private let isSurely24Hour: Bool

  private var result = PrintedListing()
  private var group = PrintedListing.Group()
  private var rawTimes: [RawTime] = []
  private var pendingDoors: Labelled?
  /// The last date that was read, for those that follow it in a list.
  private var lastDate: CivilDate?
  /// Whether a year was printed for it.
  private var hasStatedYear = false
  private var exception: Exception?
  /// Where the bracket ends that says the days of the times before it.
  private var bracketEnd: Int?
  /// The last run of days that times stand under.
  private var lastRun: PrintedDays?
  /// Weekdays that stand before a list of dates, and must be theirs.
  private var statedWeekdays: (days: WeekdaySet, range: Range<Int>)?

  /// `※11/24休映`: dates that may turn out to be no exception.
  private struct Exception {
    var isSure: Bool
    var days: [PrintedDays] = []
    /// `16:40の回`: of these days only what begins then.
    var times: [DisplayTime] = []
  }

  /// A time with the item it is, for its text and its neighbours.
  private struct Labelled {
    var time: PartialTime
    var item: Int
    var isPartInferred = false
  }

  private struct RawTime {
    var start: Labelled
    var end: Labelled?
    var doors: Labelled?
    var lastOrder: Labelled?
    var isOpenEnded = false
  }

  init(text: FoldedText, items: [PrintedItem], dates: PrintedDateResolver, serviceDay: ServiceDay, runDaysMax: Int) {
    self.text = text
    self.items = items
    self.dates = dates
    self.serviceDay = serviceDay
    self.runDaysMax = runDaysMax
    isSurely24Hour = items.contains { $0.time.map { $0.part == nil && ($0.hour >= 13 || $0.isPadded) } ?? false }
  }

  mutating func listing() -> PrintedListing {
    let parts = inferredParts()
    let roles = roles()
    var index = 0
    while index < items.count {
      switch items[index].kind {
      case .date(let date) where isInRun(index) && date == PartialDate(weekdays: date.weekdays):
        take(date.weekdays, of: items[index].range)
      case .date: index = takeDates(at: index)
      case .time(var time):
        let isInferred = parts[index] != nil
        if let part = parts[index] { time.part = part }
        take(Labelled(time: time, item: index, isPartInferred: isInferred), as: roles[index] ?? .start)
      case .dateOrTime: alarm(.ambiguousDateOrTime, items[index].range)
      case .weekdays(let days) where isInRun(index): take(days, of: items[index].range)
      case .open where !rawTimes.isEmpty && group.days.isEmpty && exception == nil:
        bracketEnd = bracketOfDays(at: index)
      case .close where index == bracketEnd: closeBracketOfDays(at: index)
      case .weekdays(let days) where confirm(days, exception?.days ?? group.days): break
      case .weekdays(let days) where headsDates(index):
        // "Friday & Saturday, November 27 & 28": the dates are checked by them.
        statedWeekdays = (days, items[index].range)
      case .weekdays(let days):
        // "매주 월요일 휴관"
        let isClosed = kind(index + 1) == .closed
        take(days, isException: isClosed, range: items[index].range)
        if isClosed { index += 1 }
      case .except: exception = Exception(isSure: true)
      case .remark:
        closeException()
        exception = Exception(isSure: false)
      // "19h (não haverá sessões nos dias 23 e 24)"
      case .closed where !rawTimes.isEmpty && exception == nil && (1...3).contains { date(index + $0) != nil }:
        exception = Exception(isSure: true)
      case .closed: takeClosed(at: index)
      case .endUndecided: result.isEndUndecided = true
      case .newline:
        closeException()
        statedWeekdays = nil
      default: break
      }
      index += 1
    }
    closeException()
    closeGroup()
    return result
  }

  private mutating func alarm(_ kind: PrintedAlarm.Kind, _ range: Range<Int>, _ candidates: [CivilDate] = []) {
    result.alarms.append(PrintedAlarm(kind, text.printed(range), candidates: candidates))
  }

  func kind(_ index: Int) -> PrintedItem.Kind? { items.indices.contains(index) ? items[index].kind : nil }

  /// Whether weekdays behind a run and its times are of that run: "11.02. – 17.02. 20.15, So. auch 17.00".
  private func isInRun(_ index: Int) -> Bool {
    lastRun != nil && !rawTimes.isEmpty && exception == nil && kind(index + 1) != .closed && date(index + 2) == nil
  }

  /// The days of the last run that are of these weekdays.
  private mutating func take(_ weekdays: WeekdaySet, of range: Range<Int>) {
    closeGroup()
    guard let run = lastRun, let first = run.first, let last = run.last else { return }
    let dates = (first...max(first, last)).filter { weekdays.contains($0.weekday) }
    if dates.isEmpty {
      alarm(.weekdayDisagrees, range, [first, last])
      group.hasUnreadDate = true
    }
    group.days = dates.map { PrintedDays(first: $0, last: $0, notes: run.notes, text: text.printed(range)) }
  }

  /// Whether a day of the month stands right behind weekdays.
  private func headsDates(_ index: Int) -> Bool {
    let next = kind(index + 1) == .separator ? index + 2 : index + 1
    guard let date = date(next) else { return false }
    return date.day != nil && date.weekdays == []
  }

  private func date(_ index: Int) -> PartialDate? { items.indices.contains(index) ? items[index].date : nil }

  func time(_ index: Int) -> PartialTime? { items.indices.contains(index) ? items[index].time : nil }

  func isJoin(_ index: Int) -> Bool { items.indices.contains(index) && items[index].isJoin }

  // MARK: Dates

  /// The date at `index`, and what it is joined to. Answers the last item it took.
  private mutating func takeDates(at index: Int) -> Int {
    guard let first = date(index) else { return index }
    // 11/21から11/27まで, 21–27 Nov
    let joint = kind(index + 1) == .from && date(index + 2) != nil || isJoin(index + 1) ? index + 1 : index
    if joint > index, let second = date(joint + 1) {
      take(run(first, second, range: items[index].range.lowerBound..<items[joint + 1].range.upperBound))
      return kind(joint + 2) == .untilSuffix ? joint + 2 : joint + 1
    }
    let isUntil = kind(index + 1) == .untilSuffix || isUntilPrefix(index - 1)
    let isFrom = kind(index - 1) == .from || kind(index + 1) == .from || kind(index + 1) == .join(.wave)
    take(single(first, at: index, isUntil: isUntil, isFrom: isFrom && !isUntil))
    return index
  }

  /// `~`, `until`, with nothing before it that it could join.
  private func isUntilPrefix(_ index: Int) -> Bool {
    guard kind(index) == .join(.wave) || kind(index) == .join(.until) else { return false }
    return date(index - 1) == nil && time(index - 1) == nil
  }

  /// The day before in the same list says which year, if it has one of its own; otherwise the capture does.
  private func anchor(_ partial: PartialDate) -> PrintedDateResolver.Anchor {
    // "11/26～30 ※28日休映": a day of the month that lies in the run is that one.
    if partial.isDayOnly, let first = lastRun?.first, let last = lastRun?.last, first <= last,
      (first...last).contains(where: { $0.day == partial.day })
    {
      return .onOrAfter(first)
    }
    guard let lastDate, partial.year == nil, hasStatedYear || partial.month == nil else { return .capture }
    return .onOrAfter(partial.isDayOnly || partial.day != nil ? lastDate : lastDate + 1)
  }

  private mutating func single(_ partial: PartialDate, at index: Int, isUntil: Bool, isFrom: Bool) -> PrintedDays? {
    let range = items[index].range
    do throws(PrintedDateResolver.Refusal) {
      let resolved = try resolve(partial, at: index)
      remember(resolved.date, partial)
      return PrintedDays(
        first: isUntil ? nil : resolved.date, last: isFrom ? nil : resolved.date, notes: resolved.notes,
        text: text.printed(range))
    } catch {
      alarm(error.kind, range, error.candidates)
      return nil
    }
  }

  /// A day alone before a date, as in "21, 22 & 23 Nov", is of that date's month.
  private func resolve(
    _ partial: PartialDate, at index: Int
  ) throws(PrintedDateResolver.Refusal) -> PrintedDateResolver.Resolved {
    if partial.isDayOnly, lastDate == nil, let next = monthAhead(of: index) {
      let end = try dates.resolve(next, near: .capture)
      return try dates.resolve(partial, near: .onOrBefore(end.date))
    }
    return try dates.resolve(partial, near: anchor(partial))
  }

  private func monthAhead(of index: Int) -> PartialDate? {
    for item in items[index...].dropFirst().prefix(16) {
      switch item.kind {
      case .date(let date): if date.month != nil { return date }
      case .separator, .join: continue
      default: return nil
      }
    }
    return nil
  }

  private mutating func run(_ first: PartialDate, _ last: PartialDate, range: Range<Int>) -> PrintedDays? {
    do throws(PrintedDateResolver.Refusal) {
      let (start, end) = try ends(first, last)
      guard start.date <= end.date else {
        throw PrintedDateResolver.Refusal(kind: .backwards, candidates: [start.date, end.date])
      }
      guard end.date - start.date < runDaysMax else {
        throw PrintedDateResolver.Refusal(kind: .tooLong, candidates: [start.date, end.date])
      }
      remember(end.date, first.year == nil ? last : first)
      return PrintedDays(
        first: start.date, last: end.date, notes: start.notes.union(end.notes), text: text.printed(range))
    } catch {
      alarm(error.kind, range, error.candidates)
      return nil
    }
  }

  /// The end that says more decides about the other.
  private func ends(
    _ first: PartialDate, _ last: PartialDate
  ) throws(PrintedDateResolver.Refusal) -> (PrintedDateResolver.Resolved, PrintedDateResolver.Resolved) {
    let lastSaysMore =
      (first.year == nil && last.year != nil) || (first.isDayOnly && last.month != nil && lastDate == nil)
    if !lastSaysMore {
      do throws(PrintedDateResolver.Refusal) {
        let start = try dates.resolve(first, near: anchor(first))
        return (start, try dates.resolve(last, near: last.year == nil ? .onOrAfter(start.date) : .capture))
      } catch {
        // A run that began before the window: its end is in it.
        guard error.kind == .outsideWindow, first.month != nil, last.month != nil else { throw error }
      }
    }
    let end = try dates.resolve(last, near: .capture)
    return (try dates.resolve(first, near: .onOrBefore(end.date)), end)
  }

  private mutating func remember(_ date: CivilDate, _ partial: PartialDate) {
    if partial.year != nil { hasStatedYear = true }
    lastDate = date
  }

  private mutating func take(_ days: PrintedDays?) {
    if let found = days, let each = repeated(in: found) {
      statedWeekdays = nil
      for day in each { take(day) }
      return
    }
    if let stated = statedWeekdays, let found = days, let first = found.first, let last = found.last,
      (first...max(first, last)).prefix(7).contains(where: { !stated.days.contains($0.weekday) })
    {
      statedWeekdays = nil
      alarm(.weekdayDisagrees, stated.range, [first])
      return take(nil)
    }
    if exception != nil {
      if let days { exception?.days.append(days) }
      return
    }
    // A date after times begins the next group.
    if bracketEnd == nil, !rawTimes.isEmpty || !group.times.isEmpty { closeGroup() }
    if let days { group.days.append(days) } else { group.hasUnreadDate = true }
    lastRun = days.flatMap { $0.first == nil || $0.last == nil || $0.day != nil ? nil : $0 }
  }

  /// "Every Thursday, 18 June – 30 July": of a run that is longer than a week, and begins or ends on such a day, these days.
  private func repeated(in run: PrintedDays) -> [PrintedDays]? {
    guard let stated = statedWeekdays, let first = run.first, let last = run.last, last - first > 6,
      last - first <= Self.repeatedDaysMax,
      stated.days.contains(first.weekday) || stated.days.contains(last.weekday)
    else { return nil }
    return (first...last).filter { stated.days.contains($0.weekday) }.map {
      PrintedDays(first: $0, last: $0, notes: run.notes, text: run.text)
    }
  }

  /// A series of a season.
  private static let repeatedDaysMax = 200

  /// Which dates "Mon–Fri" is depends on the week, and that is not printed.
  private mutating func take(_ weekdays: WeekdaySet, isException: Bool, range: Range<Int>) {
    if isException || exception?.isSure == true {
      group.exceptedWeekdays.formUnion(weekdays)
    } else {
      alarm(.weekdaysWithoutDates, range)
      take(nil)
      if exception == nil { group.undatedWeekdays.formUnion(weekdays) }
    }
  }

  /// All that the bracket says is which days these are, and no part of a title.
  private mutating func closeBracketOfDays(at end: Int) {
    bracketEnd = nil
    if let open = items[..<end].lastIndex(where: { $0.kind == .open }) {
      let whole = text.printed(items[open].range.lowerBound..<items[end].range.upperBound)
      for index in group.days.indices { group.days[index].text = whole }
    }
    closeGroup()
  }

  private mutating func takeClosed(at index: Int) {
    if exception == nil, let days = group.days.last, group.days.count == 1, isOfLastTime(index) {
      // 11/22は16:40の回休映
      var times: [DisplayTime] = []
      for raw in rawTimes {
        if let time = start(of: raw) { times.append(time) }
      }
      rawTimes = []
      group.days = []
      if !times.isEmpty { result.cancelled.append(.init(days: days, times: times)) }
    } else if var found = exception {
      found.isSure = true
      exception = found
      closeException()
    } else if group.days.count > 1, rawTimes.isEmpty, let last = group.days.popLast() {
      // 11/21〜11/27 11/24休映
      except(last)
    } else {
      group.isClosed = true
    }
  }

  /// Whether "cancelled" stands right behind the last time, or behind words of a text without spaces: "16:40の回休映", but
  /// neither "20:15, Mo. Ruhetag" nor "18:30 (bar closed)".
  private func isOfLastTime(_ index: Int) -> Bool {
    guard let last = rawTimes.last else { return false }
    let behind = max(last.start.item, last.end?.item ?? 0) + 1
    return behind <= index
      && items[behind..<index].allSatisfy { item in
        item.role != nil || item.kind == .text && text.scalars[item.range].allSatisfy(isUnspacedLetter)
      }
  }

  private mutating func closeException() {
    guard let found = exception else { return }
    exception = nil
    if found.isSure, !found.times.isEmpty {
      result.cancelled += found.days.map { .init(days: $0, times: found.times) }
    } else if found.isSure {
      found.days.forEach { except($0) }
    } else {
      for days in found.days {
        result.alarms.append(
          PrintedAlarm(.remarkWithDate, days.text, candidates: [days.first, days.last].compactMap(\.self)))
      }
    }
  }

  private mutating func except(_ days: PrintedDays) {
    if days.notes.contains(.inferredFromWeekday), let day = days.first {
      // "sauf lundi": every Monday of the run.
      group.exceptedWeekdays.formUnion(WeekdaySet(day.weekday))
    } else {
      group.exceptions.append(days)
    }
  }

  // MARK: Times

  private mutating func take(_ labelled: Labelled, as role: PrintedRole) {
    statedWeekdays = nil
    if exception?.days.isEmpty == false, role == .start, closes(behind: labelled.item),
      let time = start(of: RawTime(start: labelled))
    {
      exception?.times.append(time)
      return
    }
    closeException()
    let index = labelled.item
    switch role {
    case .doors:
      // "19:30 (開場19:00)" belongs to what stands before the bracket.
      let isInBracket = kind(index - 1) == .open || kind(index - 2) == .open
      if isInBracket, let last = rawTimes.last, last.doors == nil {
        rawTimes[rawTimes.count - 1].doors = labelled
      } else {
        pendingDoors = labelled
      }
    case .lastOrder: if !rawTimes.isEmpty { rawTimes[rawTimes.count - 1].lastOrder = labelled }
    case .end: takeEnd(labelled)
    case .start:
      if isEnd(index) { return takeEnd(labelled) }
      let isOpenEnded =
        kind(index - 1) == .from || kind(index + 1) == .from
        || (kind(index + 1) == .join(.wave) && time(index + 2) == nil)
      if isUntilPrefix(index - 1) { return alarm(.endWithoutStart, items[index].range) }
      rawTimes.append(RawTime(start: labelled, doors: pendingDoors, isOpenEnded: isOpenEnded))
      pendingDoors = nil
    }
  }

  private mutating func start(of raw: RawTime) -> DisplayTime? {
    var placer = PrintedTimePlacer(serviceDay: serviceDay, isSurely24Hour: isSurely24Hour)
    return place(raw, &placer)?.start
  }

  private mutating func takeEnd(_ labelled: Labelled) {
    guard let last = rawTimes.last, last.end == nil else { return alarm(.endWithoutStart, items[labelled.item].range) }
    rawTimes[rawTimes.count - 1].end = labelled
    rawTimes[rawTimes.count - 1].isOpenEnded = false
  }

  private mutating func closeGroup() {
    var placer = PrintedTimePlacer(serviceDay: serviceDay, isSurely24Hour: isSurely24Hour)
    if let doors = pendingDoors {
      pendingDoors = nil
      // "開演19:30 開場19:00"
      if let last = rawTimes.last, last.doors == nil {
        rawTimes[rawTimes.count - 1].doors = doors
      } else {
        alarm(.doorsWithoutStart, items[doors.item].range)
      }
    }
    var placedTimes: [PrintedTime] = []
    for raw in rawTimes {
      if let time = place(raw, &placer) { placedTimes.append(time) }
    }
    rawTimes = []
    group.times = PrintedAssembly.doubtingEarlyFirst(placedTimes)
    if group != PrintedListing.Group() { result.groups.append(group) }
    group = PrintedListing.Group()
  }

  private mutating func place(_ raw: RawTime, _ placer: inout PrintedTimePlacer) -> PrintedTime? {
    let range = items[raw.start.item].range
    do throws(PrintedTimePlacer.Refusal) {
      var placed = try placer.start(raw.start.time, isPartInferred: raw.start.isPartInferred)
      var minutes: Int?
      if let end = raw.end {
        let length = try placer.length(from: placed.time, to: end.time)
        minutes = length.minutes
        placed.notes.formUnion(length.notes)
      }
      let doors: DisplayTime?
      if let raw = raw.doors { doors = try placer.beside(raw.time, placed.time) } else { doors = nil }
      let lastOrder: DisplayTime?
      if let raw = raw.lastOrder { lastOrder = try placer.beside(raw.time, placed.time) } else { lastOrder = nil }
      return PrintedTime(
        start: placed.time, minutesLong: minutes, doors: doors, lastOrder: lastOrder, isOpenEnded: raw.isOpenEnded,
        notes: placed.notes, text: text.printed(range),
        doorsText: raw.doors.map { text.printed(items[$0.item].range) })
    } catch {
      alarm(error.kind, range.lowerBound..<max(range.upperBound, raw.end.map { items[$0.item].range.upperBound } ?? 0))
      return nil
    }
  }

  /// 00:30, 10:00, 14:00: the list goes up, so its first may be the small hours before, not those after.
  private static func doubtingEarlyFirst(_ times: [PrintedTime]) -> [PrintedTime] {
    guard times.count > 1, let first = times.first, first.notes.contains(.inferredServiceDay),
      !times[1].notes.contains(.inferredServiceDay)
    else { return times }
    var times = times
    times[0] = first.adding(.earlyTimeListedFirst)
    times[1] = times[1].removing(.outOfOrder)
    return times
  }
}

extension PrintedTime {
  fileprivate func adding(_ note: PrintedNote) -> PrintedTime { with(notes.union([note])) }
  fileprivate func removing(_ note: PrintedNote) -> PrintedTime { with(notes.subtracting([note])) }

  private func with(_ notes: Set<PrintedNote>) -> PrintedTime {
    PrintedTime(
      start: start, minutesLong: minutesLong, doors: doors, lastOrder: lastOrder, isOpenEnded: isOpenEnded,
      notes: notes, text: text, doorsText: doorsText)
  }
}
