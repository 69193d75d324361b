/// Times: openings, pauses, last orders, and what is instead of what.
extension HoursAssembly {
  mutating func time(_ minutes: Int, _ isNextDay: Bool) {
    let from = place
    place += 1
    let end = endOfRange()
    switch role {
    case .lastOrder:
      guard end == nil else { break }
      setLastOrder(minutes, isNextDay)
      role = .opening
      return
    case .pause:
      if case .time(let closing, let isLate)? = end { pause(minutes, Self.after(minutes, closing, isLate)) }
      (role, pauseDays) = (.opening, [])
      return
    case .other:
      (role, isInferred) = (.opening, true)
      return
    case .opening:
      // L.O. 21:00, drinks 21:30
      if isOfDrinks, end == nil, spans.last?.lastOrder != nil, token() != .lastOrder {
        return setLastOrder(minutes, isNextDay)
      }
    }
    noteLoneTime()
    if case .time(let closing, let isLate)? = end, case let last = Self.after(minutes, closing, isLate),
      let behind = pauseAhead(minutes, last, from: from)
    {
      place = behind
      return pause(minutes, last)
    }
    isUnderClosed = false
    switch end {
    case .time(let closing, let isLate)?:
      // Nobody opens on the day after; what ends then is counted from there, too.
      let late = minutes >= 24 * 60 ? 24 * 60 : 0
      add(
        opens: minutes - late, closes: Self.after(minutes - late, closing >= minutes ? closing - late : closing, isLate)
      )
    case .open?: add(opens: minutes, closes: nil)
    case nil where from > 0 && tokens[from - 1] == .from: add(opens: minutes, closes: nil)
    case nil:
      if token() == .lastOrder { loneTime = minutes + (isNextDay ? 24 * 60 : 0) } else { note(minutes) }
    }
  }

  /// "11:00-21:30, 15:00-17:00 브레이크타임", "(15:00-17:00 closed)": where the words end that call a range a pause, if it lies
  /// within hours that are told already.
  func pauseAhead(_ start: Int, _ end: Int, from: Int) -> Int? {
    let isInside = spans.contains { span in
      (group.isEmpty || !span.days.isDisjoint(with: group)) && span.opens < start && end < span.closes ?? 0
    }
    guard isInside else { return nil }
    // "(closed 15:00-17:00)"
    if isUnderClosed, isRightBehindClosed(from) { return place }
    var ahead = place
    while ahead < tokens.count, tokens[ahead].isNoise { ahead += 1 }
    guard ahead < tokens.count else { return nil }
    if tokens[ahead] == .breakTime { return ahead + 1 }
    let isAlone = ahead + 1 < tokens.count && tokens[ahead + 1] == .bracket(isOpening: false)
    return depth > 0 && (tokens[ahead] == .closed || tokens[ahead] == .openEnd) && isAlone ? ahead + 1 : nil
  }

  enum RangeEnd { case time(Int, isNextDay: Bool), open }

  /// What a range that begins at a time ends with; nil if there is no range.
  mutating func endOfRange() -> RangeEnd? {
    // `11:00 OPEN ～ 21:00`
    if token() == .noise, token(1) == .range, case .time? = token(2) { place += 1 }
    guard token() == .range || token() == .until && isEndAhead else { return nil }
    place += 1
    while token()?.isNoise == true { place += 1 }
    if case .time(let minutes, let isNextDay, _)? = token() {
      place += 1
      if token() == .until { place += 1 }
      return .time(minutes, isNextDay: isNextDay)
    }
    if token() == .openEnd { place += 1 }
    return .open
  }

  /// "10am till late", "6pm until 2am"; `21:00まで` ends what stands before.
  var isEndAhead: Bool {
    switch token(1) {
    case .openEnd: true
    case .time: token(2) != .range
    default: false
    }
  }

  /// An end that is not after its beginning is one of the next day.
  static func after(_ opens: Int, _ minutes: Int, _ isNextDay: Bool) -> Int {
    let end = isNextDay && minutes < 24 * 60 ? minutes + 24 * 60 : minutes
    return end <= opens ? end + 24 * 60 : end
  }

  mutating func add(opens: Int, closes: Int?) {
    var span = OpenSpan(days: group.isEmpty ? .everyDay : group, opens: opens, closes: closes)
    if let outside, depth > 0, !group.isEmpty, group != outside.group {
      takeOut(span, before: outside.spans)
    } else if depth == 0, span.days != .everyDay {
      takeOutOfEveryDay(span)
      takeOutOfLonger(span)
    }
    if let early = earlyLastOrder {
      let time = Self.after(opens, early, false)
      if time <= closes ?? .max { span.lastOrder = time } else { note(early) }
      earlyLastOrder = nil
    }
    spans.append(span)
    (isGroupUsed, isUnderClosed) = (true, false)
  }

  /// `17:00～23:00（日・祝は16:00～22:00）`: on these days the hours in brackets are instead of those before, unless both
  /// can be: a lunch beside a dinner.
  mutating func takeOut(_ span: OpenSpan, before count: Int) {
    guard let outer = spans.prefix(count).last else { return }
    for place in spans.indices.prefix(count) where spans[place].days == outer.days {
      let other = spans[place]
      guard span.opens < other.closes ?? .max, other.opens < span.closes ?? .max else { continue }
      spans[place].days.subtract(span.days)
    }
    spans.removeAll { $0.days.isEmpty }
  }

  /// `11:00～22:00、日曜は11:00～20:00`: what is said of a day is instead of what is said of all.
  mutating func takeOutOfEveryDay(_ span: OpenSpan) {
    for place in spans.indices where DayKinds.everyDay.subtracting(spans[place].days).isSubset(of: exceptions) {
      let other = spans[place]
      guard span.opens < other.closes ?? .max, other.opens < span.closes ?? .max else { continue }
      spans[place].days.subtract(span.days)
    }
    exceptions.formUnion(span.days)
    spans.removeAll { $0.days.isEmpty }
  }

  /// `平日 17:00～24:00 金・祝前 17:00～27:00`: of two lists the shorter one knows better.
  mutating func takeOutOfLonger(_ span: OpenSpan) {
    for place in spans.indices where spans[place].days != .everyDay {
      let (other, shared) = (spans[place], spans[place].days.intersection(span.days))
      guard !shared.isEmpty, other.days != span.days, other.days.weekdays.count > span.days.weekdays.count,
        span.opens < other.closes ?? .max, other.opens < span.closes ?? .max
      else { continue }
      spans[place].days.subtract(shared)
    }
    spans.removeAll { $0.days.isEmpty }
  }

  mutating func lastOrder() {
    // `11:30～14:00（L.O.）`
    if depth > 0, loneTime == nil, place >= 2, tokens[place - 2] == .bracket(isOpening: true),
      token() == .bracket(isOpening: false), let closes = spans.last?.closes
    {
      spans[spans.count - 1].lastOrder = closes
      isInferred = true
      return
    }
    if let time = loneTime {
      loneTime = nil
      setLastOrder(time, false)
    } else {
      role = .lastOrder
    }
  }

  mutating func setLastOrder(_ minutes: Int, _ isNextDay: Bool) {
    defer { isOfDrinks = false }
    guard let last = spans.last else {
      if earlyLastOrder == nil, !isOfDrinks { earlyLastOrder = minutes } else { note(minutes) }
      return
    }
    // Of two parts of a day the one in which it lies.
    let place = spans.lastIndex { span in
      span.days == last.days && Self.after(span.opens, minutes, isNextDay) <= span.closes ?? .max
    }
    // Half an hour before the beginning, or a day after the end: it is of something else.
    guard let place else {
      isInferred = true
      return
    }
    let time = Self.after(spans[place].opens, minutes, isNextDay)
    if isOfDrinks { spans[place].lastDrink = time } else { spans[place].lastOrder = time }
  }

  /// `閉店30分前ラストオーダー`, `L.O. 閉店の30分前`: of all hours that say no other.
  mutating func lastOrder(before minutes: Int) {
    var ahead = place
    while ahead < tokens.count, tokens[ahead].isNoise { ahead += 1 }
    let isNamedBehind = ahead < tokens.count && tokens[ahead] == .lastOrder
    guard role == .lastOrder || isNamedBehind, (1...180).contains(minutes) else {
      unread.append("\(minutes)分前")
      return
    }
    if isNamedBehind { place = ahead + 1 }
    for place in spans.indices where spans[place].lastOrder == nil {
      guard let closes = spans[place].closes, closes - minutes > spans[place].opens else { continue }
      spans[place].lastOrder = closes - minutes
    }
    role = .opening
  }

  /// Takes a pause out of the spans that it lies in.
  mutating func pause(_ start: Int, _ end: Int) {
    var result: [OpenSpan] = []
    var isFound = false
    lastPause = (place, start, end, spans)
    let days = pauseDays.isEmpty ? group : pauseDays
    for span in spans {
      let meant = days.isEmpty ? span.days : span.days.intersection(days)
      guard !meant.isEmpty, span.opens < start, let closes = span.closes, end < closes else {
        result.append(span)
        continue
      }
      isFound = true
      var others = span
      others.days.subtract(meant)
      if !others.days.isEmpty { result.append(others) }
      result.append(OpenSpan(days: meant, opens: span.opens, closes: start))
      result.append(
        OpenSpan(days: meant, opens: end, closes: closes, lastOrder: span.lastOrder, lastDrink: span.lastDrink))
    }
    spans = result
    pauseDays = []
    if !isFound { isInferred = true }
  }

  mutating func note(_ minutes: Int) {
    unread.append("\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)")
  }

  mutating func noteLoneTime() {
    if let time = loneTime { note(time) }
    loneTime = nil
  }

  mutating func noteEarlyLastOrder() {
    if let time = earlyLastOrder { note(time) }
    earlyLastOrder = nil
  }
}
