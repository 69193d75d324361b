/// Puts the tokens of printed opening hours together, left to right.
struct HoursAssembly {
  var unread: [String] = []
  var spans: [OpenSpan] = []
  var closures: [Closure] = []
  var isIrregular = false
  var isInferred = false

  /// What is being spoken of: the days, and whether their times have been told.
  var group: DayKinds = []
  var isGroupUsed = false
  /// They are said to be of one meal only.
  var isGroupOfMeal = false
  /// What the next time is.
  var role = Role.opening
  var isOfDrinks = false
  /// Behind a heading such as 定休日: the days that follow are closed.
  var isUnderClosed = false
  var loneTime: Int?
  var depth = 0
  /// Of what is spoken outside the brackets, and how many spans there were before them.
  var outside: (group: DayKinds, isUsed: Bool, spans: Int)?
  /// Days whose own hours were told behind those of all days.
  var exceptions: DayKinds = []
  /// A last order that is told before the hours that it belongs to.
  var earlyLastOrder: Int?
  /// Days on which a part of the hours does not hold, told before or after these.
  var mealRests: [MealRest] = []
  /// A meal as a heading of closed days: `ランチ：日曜`.
  var headingMeals: [MealWord] = []

  var tokens: [HoursToken] = []
  var place = 0

  enum Role {
    case opening, lastOrder, pause
    /// Of something else: what is told then is passed over.
    case other
  }

  /// A pause that was told last: behind it may stand on which days it is.
  var lastPause: (place: Int, start: Int, end: Int, before: [OpenSpan])?
  /// Of the pause that is told next.
  var pauseDays: DayKinds = []

  typealias MealWord = (meal: Meal, printed: String)

  struct MealRest {
    var days: DayKinds
    var meals: [MealWord]
    /// These meals alone are served, instead of these alone not.
    var isOthers: Bool
  }

  var hours: OpeningHours {
    guard !spans.isEmpty else {
      return OpeningHours(closures: closures, isIrregular: isIrregular, confidence: .unknown)
    }
    let isOpenEnded = spans.contains { $0.closes == nil }
    let isClear = unread.isEmpty && !isInferred && !isIrregular && !isOpenEnded
    return OpeningHours(
      spans: spans, closures: closures, isIrregular: isIrregular, confidence: isClear ? .parsed : .inferred)
  }

  mutating func take(_ tokens: [HoursToken]) {
    let namesWeekend = tokens.contains { token in
      if case .days(let days) = token { days != .everyDay && !days.isDisjoint(with: .weekend) } else { false }
    }
    self.tokens = Self.naming(namesWeekend ? .holiday : .weekend.union(.holiday), in: tokens)
    place = 0
    while place < tokens.count { step() }
    noteLoneTime()
    noteEarlyLastOrder()
  }

  /// A text that only says when it is closed.
  mutating func takeClosures(_ tokens: [HoursToken]) {
    self.tokens = Self.naming(.holiday, in: tokens)
    place = 0
    (depth, group, role, outside, headingMeals, lastPause) = (0, [], .opening, nil, [], nil)
    while place < tokens.count {
      isUnderClosed = true
      step()
    }
    isUnderClosed = false
    noteLoneTime()
    noteEarlyLastOrder()
    for rest in mealRests { take(rest) }
  }

  static func naming(_ daysOff: DayKinds, in tokens: [HoursToken]) -> [HoursToken] {
    tokens.map { $0 == .daysOff ? .days(daysOff) : $0 }
  }

  // MARK: Steps

  func token(_ ahead: Int = 0) -> HoursToken? {
    place + ahead < tokens.count ? tokens[place + ahead] : nil
  }

  mutating func step() {
    let token = tokens[place]
    switch token {
    case .days, .nth: return days()
    case .exceptBehind where isDayBehindNoise(place + 1): return daysButThese()
    case .exceptBehind where isDateBehindNoise(place + 1): return datesLeftOut()
    case .time(let minutes, let isNextDay, _): return time(minutes, isNextDay)
    case .date(let date): return dates(from: date)
    default: place += 1
    }
    switch token {
    case .lastOrder: lastOrder()
    case .beforeClosing(let minutes): lastOrder(before: minutes)
    case .drinks: isOfDrinks = true
    case .breakTime: role = .pause
    case .otherHours: role = .other
    // What is left out is not understood.
    case .exceptBehind, .exceptBefore: isInferred = true
    case .closed: closed()
    case .irregular: isIrregular = true
    case .allDay: add(opens: 0, closes: 24 * 60)
    case .yearEnd: yearEnd()
    case .lunarFeast: if isClosing { closures.append(Closure(isLunarFeast: true)) }
    case .movesAfterHoliday, .openOnHolidays: qualify(token)
    case .bracket(let isOpening): bracket(isOpening)
    case .line: line()
    case .meal(let meal, let printed):
      if isUnderClosed { headingMeals = [(meal, printed)] }
      // `ランチは平日のみ11:30～14:00、ディナー17:00～23:00`: of the other meal nothing is said.
      if isGroupOfMeal, isGroupUsed, depth == 0 { (group, isGroupOfMeal) = ([], false) }
    case .number(let number): unread.append(String(number))
    case .word(let word):
      unread.append(word)
      if word == Self.holidayEves, depth > 0, isUnderClosed { _ = passOver() }
    default: break
    }
  }

  mutating func bracket(_ isOpening: Bool) {
    depth = max(0, depth + (isOpening ? 1 : -1))
    guard !isOpening else {
      if depth == 1 { outside = (group, isGroupUsed, spans.count) }
      return
    }
    role = .opening
    // What follows is again of the days before the brackets, unless these were only a heading.
    if depth == 0, let outside, spans.count > outside.spans, outside.spans > 0 {
      (group, isGroupUsed) = (outside.group, outside.isUsed)
    }
    if depth == 0 { outside = nil }
  }

  mutating func line() {
    (role, isOfDrinks, depth, outside, headingMeals, pauseDays) = (.opening, false, 0, nil, [], [])
    isUnderClosed = false
  }

  /// Whether what is named now is closed: under a heading, or because the word follows.
  var isClosing: Bool { isUnderClosed || isClosedAhead }

  var isClosedAhead: Bool {
    var ahead = place
    while ahead < tokens.count {
      switch tokens[ahead] {
      case .closed: return true
      case .noise, .meal, .only, .comma, .date, .lunarFeast, .yearEnd, .range: ahead += 1
      default: return false
      }
    }
    return false
  }

  // MARK: Days

  /// A list of days, and what is said of them.
  mutating func days() {
    let start = place
    var kinds: DayKinds = []
    var last: DayKinds = []
    var weeks: [Int] = []
    list: while let token = token() {
      switch token {
      case .days(let day):
        if !kinds.isDisjoint(with: .week), tokens[place - 1] != .noise, !isBehindBracket(start), isConditionAhead(place)
        {
          break list
        }
        last = dayOrRun(from: day)
        kinds.formUnion(last)
      case .nth(let week):
        // Mondays and the third Tuesday: the week is of the day behind it.
        if !kinds.isEmpty { break list }
        weeks.append(week)
        place += 1
      case .number(let week) where !weeks.isEmpty && kinds.isEmpty && (1...5).contains(week):
        weeks.append(week)
        place += 1
      // "daily, bank holidays 12-8pm"
      case .comma where kinds == .everyDay: break list
      case .comma, .noise:
        guard isListGoingOn else { break list }
        place += 1
      default: break list
      }
    }
    kinds = withoutExcepted(kinds)
    kinds.formUnion(bracketedDays())
    // Tuesdays, and some Wednesdays that nobody says.
    var ahead = place
    while ahead < tokens.count, tokens[ahead].isNoise { ahead += 1 }
    if ahead < tokens.count, tokens[ahead] == .irregular { kinds.subtract(last) }
    tell(kinds, weeks, from: start)
  }

  private func isBehindBracket(_ place: Int) -> Bool {
    place > 0 && tokens[place - 1] == .bracket(isOpening: true)
  }

  /// "every day except Tuesday", `火曜日を除く毎日`, `월요일 제외`: the days without those that are left out.
  mutating func withoutExcepted(_ kinds: DayKinds) -> DayKinds {
    guard !kinds.isEmpty else { return kinds }
    var ahead = place
    while ahead < tokens.count, tokens[ahead] == .noise { ahead += 1 }
    guard ahead < tokens.count else { return kinds }
    switch tokens[ahead] {
    case .exceptBehind where isDayBehindNoise(ahead + 1):
      place = ahead + 1
      let left = Self.days(kinds, without: listed())
      passComma()
      return left
    case .exceptBefore:
      place = ahead + 1
      // `月曜日（祝日・祝前日を除く）`
      if depth > 0, isUnderClosed, kinds.isSubset(of: [.holiday, .holidayEve]), !closures.isEmpty {
        closures[closures.count - 1].isOpenOnHolidays = true
        isInferred = isInferred || kinds.contains(.holidayEve)
        return []
      }
      let others = isDayBehindNoise(place) ? listed() : []
      passComma()
      return Self.days(others.isEmpty ? .everyDay : others, without: kinds)
    default: return kinds
    }
  }

  /// "17:00-23:00 except Mondays", "except Mondays 17:00-23:00"
  mutating func daysButThese() {
    let start = place
    place += 1
    let kinds = Self.days(.everyDay, without: listed())
    passComma()
    tell(kinds, [], from: start)
  }

  /// Without Mondays a Monday before a holiday is left out too: what is left has no word of its own for such days.
  static func days(_ all: DayKinds, without others: DayKinds) -> DayKinds {
    let left = all.subtracting(others)
    return others.isDisjoint(with: .week) ? left : left.subtracting([.holiday, .holidayEve])
  }

  /// "except Mondays, 5pm": between days and their times.
  mutating func passComma() {
    if token() == .comma, place + 1 < tokens.count, Self.isTime(tokens[place + 1]) { place += 1 }
  }

  /// Days, their runs and lists, and nothing else.
  mutating func listed() -> DayKinds {
    var kinds: DayKinds = []
    while let token = token() {
      switch token {
      case .days(let day): kinds.formUnion(dayOrRun(from: day))
      case .noise where isDayBehindNoise(place + 1), .comma where isDayBehindNoise(place + 1): place += 1
      default: return kinds
      }
    }
    return kinds
  }

  /// The day that stands here, or the run that it begins.
  mutating func dayOrRun(from day: DayKinds) -> DayKinds {
    guard case .range? = token(1), case .days(let end)? = token(2) else {
      place += 1
      return day
    }
    place += 3
    return Self.run(from: day, to: end)
  }

  func isDayBehindNoise(_ place: Int) -> Bool {
    guard case .days? = tokens[min(place, tokens.count)...].first(where: { $0 != .noise }) else { return false }
    return true
  }

  /// `平日（祝日含む）11:00～`, "Sat (and holidays) 11-15": days of the list that stand in brackets before its times.
  mutating func bracketedDays() -> DayKinds {
    guard depth == 0, token() == .bracket(isOpening: true),
      let end = tokens[place...].firstIndex(of: .bracket(isOpening: false))
    else { return [] }
    var (kinds, behind): (DayKinds, Int) = ([], end + 1)
    for inside in tokens[(place + 1)..<end] {
      switch inside {
      case .days(let days): kinds.formUnion(days)
      case .comma, .noise: break
      default: return []
      }
    }
    while behind < tokens.count, tokens[behind].isNoise { behind += 1 }
    guard !kinds.isEmpty, behind < tokens.count, Self.isTime(tokens[behind]) else { return [] }
    place = end + 1
    return kinds
  }

  /// Whether after commas and particles another day follows.
  var isListGoingOn: Bool {
    var ahead = place
    while ahead < tokens.count {
      switch tokens[ahead] {
      case .comma, .noise: ahead += 1
      case .days, .nth: return true
      case .number: return ahead + 1 < tokens.count && tokens[ahead - 1] == .comma && isDay(ahead + 1)
      default: return false
      }
    }
    return false
  }

  func isDay(_ place: Int) -> Bool {
    switch tokens[place] {
    case .days, .comma, .nth: true
    default: false
    }
  }

  mutating func tell(_ kinds: DayKinds, _ weeks: [Int], from start: Int) {
    guard !kinds.isEmpty || !weeks.isEmpty else { return }
    let kinds = kinds.isEmpty ? .everyDay : kinds
    if onHolidays(kinds, weeks, from: start) || joins(kinds) || rest(kinds, weeks, from: start) { return }
    var ahead = place
    while ahead < tokens.count, tokens[ahead].isNoise { ahead += 1 }
    let isFollowedByClosed = ahead < tokens.count && tokens[ahead] == .closed
    let isFollowedByOpen = ahead < tokens.count && (tokens[ahead] == .neverClosed || tokens[ahead] == .isOpen)
    let timeAt = isFollowedByOpen ? ahead + 1 : ahead
    let isFollowedByTime = timeAt < tokens.count && Self.isTime(tokens[timeAt])
    if tellOfPause(kinds, from: start, ahead, isFollowedByTime) { return }
    if isFollowedByOpen, !isFollowedByTime, isUnderClosed || depth > 0 {
      // `祝前の日曜日は営業、月曜休み`: some days of these, and what is then free instead.
      if kinds.contains(.holidayEve), !kinds.isDisjoint(with: .week) { _ = passOver() }
      return
    }
    // "Closed Monday 17:00-22:00": the days right behind the word are closed, and the times of the others.
    let isNamedClosed = isUnderClosed && isFollowedByTime && isRightBehindClosed(start)
    if isFollowedByClosed || isUnderClosed && !isFollowedByTime || isListClosedAhead || isNamedClosed {
      if isNamedClosed { (isInferred, isUnderClosed, group, isGroupUsed) = (true, false, [], false) }
      closures.append(Closure(days: kinds, weeks: weeks))
      if isFollowedByClosed { place = ahead + 1 }
      return
    }
    if !weeks.isEmpty { isInferred = true }
    isUnderClosed = false
    let isAside = depth > 0 || start > 0 && tokens[start - 1] == .remark
    if isAside || timeAt < tokens.count && tokens[timeAt] == .range, exception(kinds, timeAt) { return }
    if !isFollowedByTime, restrict(to: kinds, from: start, ahead) { return }
    let isBehindMeal = start > 0 && tokens[..<start].last { $0 != .noise }.map(Self.isMeal) ?? false
    isGroupOfMeal = isBehindMeal && tokens[place..<min(ahead, tokens.count)].contains(.only)
    (group, isGroupUsed, role) = (kinds, false, .opening)
  }

  /// The days of a pause, before it or behind it, or of a happy hour: the hours have theirs.
  mutating func tellOfPause(
    _ kinds: DayKinds, from start: Int, _ ahead: Int, _ isFollowedByTime: Bool
  ) -> Bool {
    if role == .other { return isFollowedByTime }
    if role == .pause, isFollowedByTime {
      pauseDays = kinds
      return true
    }
    guard let pause = lastPause, !isFollowedByTime else { return false }
    var before = start - 1
    while before >= pause.place, isBetween(tokens[before]) { before -= 1 }
    guard before < pause.place else { return false }
    switch ahead < tokens.count ? tokens[ahead] : .line {
    // "15:00-17:00 (주말 없음)"
    case .neverClosed:
      pauseDays = DayKinds.everyDay.subtracting(kinds)
      place = ahead + 1
    // "break 15:00-17:00 on weekdays"
    case .line, .comma, .bracket(isOpening: false): pauseDays = kinds
    default: return false
    }
    spans = pause.before
    self.pause(pause.start, pause.end)
    return true
  }

  /// Blank as to the days of a pause: `15:00～17:00 ※平日のみ`.
  private func isBetween(_ token: HoursToken) -> Bool {
    token.isNoise || token == .bracket(isOpening: true) || token == .remark
  }

  func isRightBehindClosed(_ start: Int) -> Bool {
    var before = start - 1
    while before >= 0, tokens[before].isNoise { before -= 1 }
    return before >= 0 && tokens[before] == .closed
  }
}
