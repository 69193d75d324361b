/// Puts the tokens of printed opening hours together, left to right.
struct HoursAssembly {
  private(set) var unread: [String] = []
  private var spans: [OpenSpan] = []
  private var closures: [Closure] = []
  private var isIrregular = false
  private var isInferred = false

  /// What is being spoken of: the days, and whether their times have been told.
  private var group: DayKinds = []
  private var isGroupUsed = false
  /// They are said to be of one meal only.
  private var isGroupOfMeal = false
  /// What the next time is.
  private var role = Role.opening
  private var isOfDrinks = false
  /// Behind a heading such as 定休日: the days that follow are closed.
  private var isUnderClosed = false
  private var loneTime: Int?
  private var depth = 0
  /// Of what is spoken outside the brackets, and how many spans there were before them.
  private var outside: (group: DayKinds, isUsed: Bool, spans: Int)?
  /// Days whose own hours were told behind those of all days.
  private var exceptions: DayKinds = []
  /// A last order that is told before the hours that it belongs to.
  private var earlyLastOrder: Int?
  /// Days on which a part of the hours does not hold, told before or after these.
  private var mealRests: [MealRest] = []
  /// A meal as a heading of closed days: `ランチ：日曜`.
  private var headingMeals: [MealWord] = []

  private var tokens: [HoursToken] = []
  private var place = 0

  private enum Role {
    case opening, lastOrder, pause
    /// Of something else: what is told then is passed over.
    case other
  }

  /// A pause that was told last: behind it may stand on which days it is.
  private var lastPause: (place: Int, start: Int, end: Int, before: [OpenSpan])?
  /// Of the pause that is told next.
  private var pauseDays: DayKinds = []

  private typealias MealWord = (meal: Meal, printed: String)

  private struct MealRest {
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

  private static func naming(_ daysOff: DayKinds, in tokens: [HoursToken]) -> [HoursToken] {
    tokens.map { $0 == .daysOff ? .days(daysOff) : $0 }
  }

  // MARK: Steps

  private func token(_ ahead: Int = 0) -> HoursToken? {
    place + ahead < tokens.count ? tokens[place + ahead] : nil
  }

  private mutating func step() {
    let token = tokens[place]
    switch token {
    case .days, .nth: return days()
    case .exceptBehind where isDay(place + 1, past: true): return daysButThese()
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
    case .word(let word): unread.append(word)
    default: break
    }
  }

  private mutating func bracket(_ isOpening: Bool) {
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

  private mutating func line() {
    (role, isOfDrinks, depth, outside, headingMeals, pauseDays) = (.opening, false, 0, nil, [], [])
    isUnderClosed = false
  }

  /// Whether what is named now is closed: under a heading, or because the word follows.
  private var isClosing: Bool { isUnderClosed || isClosedAhead }

  private var isClosedAhead: Bool {
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
  private mutating func days() {
    let start = place
    var kinds: DayKinds = []
    var last: DayKinds = []
    var weeks: [Int] = []
    list: while let token = token() {
      switch token {
      case .days(let day):
        if case .range? = self.token(1), case .days(let end)? = self.token(2) {
          last = Self.run(from: day, to: end)
          place += 3
        } else {
          last = day
          place += 1
        }
        kinds.formUnion(last)
      case .nth(let week):
        // Mondays and the third Tuesday: the week is of the day behind it.
        if !kinds.isEmpty { break list }
        weeks.append(week)
        place += 1
      case .number(let week) where !weeks.isEmpty && kinds.isEmpty && (1...5).contains(week):
        weeks.append(week)
        place += 1
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

  /// "every day except Tuesday", `火曜日を除く毎日`, `월요일 제외`: the days without those that are left out.
  private mutating func withoutExcepted(_ kinds: DayKinds) -> DayKinds {
    guard !kinds.isEmpty else { return kinds }
    var ahead = place
    while ahead < tokens.count, tokens[ahead] == .noise { ahead += 1 }
    guard ahead < tokens.count else { return kinds }
    switch tokens[ahead] {
    case .exceptBehind where isDay(ahead + 1, past: true):
      place = ahead + 1
      let left = Self.days(kinds, without: listed())
      passComma()
      return left
    case .exceptBefore:
      place = ahead + 1
      let others = isDay(place, past: true) ? listed() : []
      passComma()
      return Self.days(others.isEmpty ? .everyDay : others, without: kinds)
    default: return kinds
    }
  }

  /// "17:00-23:00 except Mondays", "except Mondays 17:00-23:00"
  private mutating func daysButThese() {
    let start = place
    place += 1
    let kinds = Self.days(.everyDay, without: listed())
    passComma()
    tell(kinds, [], from: start)
  }

  /// Without Mondays a Monday before a holiday is left out too: what is left has no word of its own for such days.
  private static func days(_ all: DayKinds, without others: DayKinds) -> DayKinds {
    let left = all.subtracting(others)
    return others.isDisjoint(with: .week) ? left : left.subtracting([.holiday, .holidayEve])
  }

  /// "except Mondays, 5pm": between days and their times.
  private mutating func passComma() {
    if token() == .comma, place + 1 < tokens.count, Self.isTime(tokens[place + 1]) { place += 1 }
  }

  /// Days, their runs and lists, and nothing else.
  private mutating func listed() -> DayKinds {
    var kinds: DayKinds = []
    while let token = token() {
      switch token {
      case .days(let day):
        if case .range? = self.token(1), case .days(let end)? = self.token(2) {
          kinds.formUnion(Self.run(from: day, to: end))
          place += 3
        } else {
          kinds.formUnion(day)
          place += 1
        }
      case .noise where isDay(place + 1, past: true), .comma where isDay(place + 1, past: true): place += 1
      default: return kinds
      }
    }
    return kinds
  }

  private func isDay(_ place: Int, past noise: Bool) -> Bool {
    var place = place
    while noise, place < tokens.count, tokens[place] == .noise { place += 1 }
    guard place < tokens.count, case .days = tokens[place] else { return false }
    return true
  }

  /// `平日（祝日含む）11:00～`, "Sat (and holidays) 11-15": days of the list that stand in brackets before its times.
  private mutating func bracketedDays() -> DayKinds {
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
  private var isListGoingOn: Bool {
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

  private func isDay(_ place: Int) -> Bool {
    switch tokens[place] {
    case .days, .comma, .nth: true
    default: false
    }
  }

  private mutating func tell(_ kinds: DayKinds, _ weeks: [Int], from start: Int) {
    guard !kinds.isEmpty || !weeks.isEmpty else { return }
    let kinds = kinds.isEmpty ? .everyDay : kinds
    if rest(kinds, weeks, from: start) { return }
    var ahead = place
    while ahead < tokens.count, tokens[ahead].isNoise { ahead += 1 }
    let isFollowedByClosed = ahead < tokens.count && tokens[ahead] == .closed
    let isFollowedByOpen = ahead < tokens.count && (tokens[ahead] == .neverClosed || tokens[ahead] == .isOpen)
    let timeAt = isFollowedByOpen ? ahead + 1 : ahead
    let isFollowedByTime = timeAt < tokens.count && Self.isTime(tokens[timeAt])
    if tellOfPause(kinds, from: start, ahead, isFollowedByTime) { return }
    if isFollowedByOpen, !isFollowedByTime, isUnderClosed || depth > 0 { return }
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
    if depth > 0, exception(kinds, timeAt) { return }
    if !isFollowedByTime, restrict(to: kinds, from: start, ahead) { return }
    let isBehindMeal = start > 0 && tokens[..<start].last { $0 != .noise }.map(Self.isMeal) ?? false
    isGroupOfMeal = isBehindMeal && tokens[place..<min(ahead, tokens.count)].contains(.only)
    (group, isGroupUsed, role) = (kinds, false, .opening)
  }

  /// The days of a pause, before it or behind it, or of a happy hour: the hours have theirs.
  private mutating func tellOfPause(
    _ kinds: DayKinds, from start: Int, _ ahead: Int, _ isFollowedByTime: Bool
  ) -> Bool {
    if role == .other { return isFollowedByTime }
    if role == .pause, isFollowedByTime {
      pauseDays = kinds
      return true
    }
    guard let pause = lastPause, !isFollowedByTime else { return false }
    var before = start - 1
    while before >= pause.place, tokens[before].isNoise || tokens[before] == .bracket(isOpening: true) { before -= 1 }
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

  private func isRightBehindClosed(_ start: Int) -> Bool {
    var before = start - 1
    while before >= 0, tokens[before].isNoise { before -= 1 }
    return before >= 0 && tokens[before] == .closed
  }

  // MARK: Meals

  /// `日曜ランチ`, `水曜（夜）`, `日曜は夜のみ営業`, or days under `ランチ：`: a part of the hours rests on these days.
  private mutating func rest(_ kinds: DayKinds, _ weeks: [Int], from start: Int) -> Bool {
    var (meals, isOnly, isOpen, ahead, brackets): ([MealWord], Bool, Bool, Int, Int) = ([], false, false, place, 0)
    search: while ahead < tokens.count {
      switch tokens[ahead] {
      case .noise: break
      case .only: isOnly = true
      case .isOpen where !meals.isEmpty: isOpen = true
      case .meal(let meal, let printed): meals.append((meal, printed))
      case .bracket(isOpening: true) where meals.isEmpty && brackets == 0: brackets += 1
      case .bracket(isOpening: false) where brackets > 0: brackets -= 1
      case .comma where !meals.isEmpty && isMeal(ahead + 1): break
      default: break search
      }
      ahead += 1
    }
    let end = ahead < tokens.count ? tokens[ahead] : .line
    guard !Self.isTime(end), end != .irregular else { return false }
    if meals.isEmpty, isUnderClosed, end != .isOpen { meals = headingMeals }
    guard !meals.isEmpty else { return false }
    let isClosed = end == .closed || isUnderClosed && !isOpen
    guard isClosed || isOnly || isUnderClosed else { return false }
    place = end == .closed ? ahead + 1 : ahead
    guard isClosed || isOnly else {
      // That a meal is served on a day of rest does not say that the others are not.
      isInferred = true
      return true
    }
    // In a list of closed days it is said both of a day that has nothing else, and of what that day lacks.
    if isClosed, isOnly, end != .closed, brackets == 0, depth == 0 { isInferred = true }
    // Which of the days the meal is of, nobody says.
    if tokens[start..<place].first(where: { $0 == .comma || Self.isMeal($0) }) == .comma { isInferred = true }
    if Set(meals.map(\.meal)).isSuperset(of: [.lunch, .dinner]) {
      if isClosed { closures.append(Closure(days: kinds, weeks: weeks)) }
    } else if weeks.isEmpty {
      mealRests.append(MealRest(days: kinds, meals: meals, isOthers: !isClosed))
    } else {
      unread += meals.map(\.printed)
    }
    return true
  }

  private func isMeal(_ place: Int) -> Bool { place < tokens.count && Self.isMeal(tokens[place]) }

  private static func isMeal(_ token: HoursToken) -> Bool {
    if case .meal = token { true } else { false }
  }

  /// Takes the days out of the spans of the meals, or out of all others; unread if there are none of these meals.
  private mutating func take(_ rest: MealRest) {
    let isServed = spans.map { span in rest.meals.contains { $0.meal.isServed(in: span) } }
    guard isServed.contains(true) else { return unread += rest.meals.map(\.printed) }
    for (place, isServed) in isServed.enumerated() where isServed != rest.isOthers {
      spans[place].days.subtract(rest.days)
    }
    spans.removeAll { $0.days.isEmpty }
  }

  /// Whether a list that goes on with some week's day ends with 休: `月曜、第3火曜休み`.
  private var isListClosedAhead: Bool {
    var ahead = place
    guard case .nth? = token() else { return false }
    while ahead < tokens.count {
      switch tokens[ahead] {
      case .comma, .noise, .days, .nth, .number: ahead += 1
      default: return tokens[ahead] == .closed
      }
    }
    return false
  }

  /// Days behind the hours that they are of: `11:30～14:00（平日のみ）`, `17:00～22:00 月～土`.
  private mutating func restrict(to kinds: DayKinds, from start: Int, _ ahead: Int) -> Bool {
    guard let last = spans.indices.last, spans[last].days == .everyDay else { return false }
    let end = ahead < tokens.count ? tokens[ahead] : .line
    if depth > 0 {
      guard start >= 2, tokens[start - 1] == .bracket(isOpening: true), Self.isTime(tokens[start - 2]),
        end == .bracket(isOpening: false)
      else { return false }
    } else {
      guard start >= 1, Self.isTime(tokens[start - 1]), end == .comma || end == .line else { return false }
    }
    for place in spans.indices.suffix(depth > 0 ? 1 : rangesBefore(start)) where spans[place].days == .everyDay {
      spans[place].days = kinds
    }
    return true
  }

  /// "12-3pm & 6-11pm Tue-Sat": how many ranges stand before the days, with nothing between them that tells them apart.
  private func rangesBefore(_ start: Int) -> Int {
    var count = 0
    for token in tokens[..<start].reversed() {
      switch token {
      case .time, .comma, .noise, .openEnd, .until: continue
      case .range: count += 1
      default: return max(count, 1)
      }
    }
    return max(count, 1)
  }

  /// Inside brackets: `（金・土は翌1:00まで）`, hours that the days before them have in part.
  private mutating func exception(_ kinds: DayKinds, _ ahead: Int) -> Bool {
    guard ahead + 1 < tokens.count, case .time(let minutes, let isNextDay, _) = tokens[ahead],
      tokens[ahead + 1] == .until, let last = spans.last
    else { return false }
    var special = last
    special.days = kinds
    special.closes = Self.after(last.opens, minutes, isNextDay)
    special.lastOrder = nil
    spans[spans.count - 1].days.subtract(kinds)
    spans.append(special)
    place = ahead + 2
    isInferred = true
    return true
  }

  private static func isTime(_ token: HoursToken) -> Bool {
    switch token {
    case .time, .allDay: true
    default: false
    }
  }

  /// Monday to Friday, Friday to Monday.
  private static func run(from first: DayKinds, to last: DayKinds) -> DayKinds {
    guard let start = first.weekdays.first, let end = last.weekdays.first else { return first.union(last) }
    var (kinds, day) = (first.union(last), start)
    while day != end {
      kinds.formUnion(DayKinds(day))
      day = day.adding(days: 1)
    }
    return kinds
  }

  // MARK: Times

  private mutating func time(_ minutes: Int, _ isNextDay: Bool) {
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
      let behind = pauseAhead(minutes, last)
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
    case nil:
      if token() == .lastOrder { loneTime = minutes + (isNextDay ? 24 * 60 : 0) } else { note(minutes) }
    }
  }

  /// "11:00-21:30, 15:00-17:00 브레이크타임", "(15:00-17:00 closed)": where the words end that call a range a pause, if it lies
  /// within hours that are told already.
  private func pauseAhead(_ start: Int, _ end: Int) -> Int? {
    let isInside = spans.contains { span in
      (group.isEmpty || !span.days.isDisjoint(with: group)) && span.opens < start && end < span.closes ?? 0
    }
    guard isInside else { return nil }
    // "(closed 15:00-17:00)"
    if isUnderClosed, isRightBehindClosed(place - 3) { return place }
    var ahead = place
    while ahead < tokens.count, tokens[ahead].isNoise { ahead += 1 }
    guard ahead < tokens.count else { return nil }
    if tokens[ahead] == .breakTime { return ahead + 1 }
    let isAlone = ahead + 1 < tokens.count && tokens[ahead + 1] == .bracket(isOpening: false)
    return depth > 0 && tokens[ahead] == .closed && isAlone ? ahead + 1 : nil
  }

  private enum RangeEnd { case time(Int, isNextDay: Bool), open }

  /// What a range that begins at a time ends with; nil if there is no range.
  private mutating func endOfRange() -> RangeEnd? {
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
  private var isEndAhead: Bool {
    switch token(1) {
    case .openEnd: true
    case .time: token(2) != .range
    default: false
    }
  }

  /// An end that is not after its beginning is one of the next day.
  private static func after(_ opens: Int, _ minutes: Int, _ isNextDay: Bool) -> Int {
    let end = isNextDay && minutes < 24 * 60 ? minutes + 24 * 60 : minutes
    return end <= opens ? end + 24 * 60 : end
  }

  private mutating func add(opens: Int, closes: Int?) {
    var span = OpenSpan(days: group.isEmpty ? .everyDay : group, opens: opens, closes: closes)
    if let outside, depth > 0, !group.isEmpty, group != outside.group {
      takeOut(span, before: outside.spans)
    } else if depth == 0, span.days != .everyDay {
      takeOutOfEveryDay(span)
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
  private mutating func takeOut(_ span: OpenSpan, before count: Int) {
    guard let outer = spans.prefix(count).last else { return }
    for place in spans.indices.prefix(count) where spans[place].days == outer.days {
      let other = spans[place]
      guard span.opens < other.closes ?? .max, other.opens < span.closes ?? .max else { continue }
      spans[place].days.subtract(span.days)
    }
    spans.removeAll { $0.days.isEmpty }
  }

  /// `11:00～22:00、日曜は11:00～20:00`: what is said of a day is instead of what is said of all.
  private mutating func takeOutOfEveryDay(_ span: OpenSpan) {
    for place in spans.indices where DayKinds.everyDay.subtracting(spans[place].days).isSubset(of: exceptions) {
      let other = spans[place]
      guard span.opens < other.closes ?? .max, other.opens < span.closes ?? .max else { continue }
      spans[place].days.subtract(span.days)
    }
    exceptions.formUnion(span.days)
    spans.removeAll { $0.days.isEmpty }
  }

  private mutating func lastOrder() {
    if let time = loneTime {
      loneTime = nil
      setLastOrder(time, false)
    } else {
      role = .lastOrder
    }
  }

  private mutating func setLastOrder(_ minutes: Int, _ isNextDay: Bool) {
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
  private mutating func lastOrder(before minutes: Int) {
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
  private mutating func pause(_ start: Int, _ end: Int) {
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

  private mutating func note(_ minutes: Int) {
    unread.append("\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)")
  }

  private mutating func noteLoneTime() {
    if let time = loneTime { note(time) }
    loneTime = nil
  }

  private mutating func noteEarlyLastOrder() {
    if let time = earlyLastOrder { note(time) }
    earlyLastOrder = nil
  }

  // MARK: Closures

  private mutating func closed() {
    if !group.isEmpty, !isGroupUsed {
      closures.append(Closure(days: group))
      (group, isGroupUsed) = ([], true)
    } else {
      isUnderClosed = true
    }
  }

  private mutating func dates(from first: Int) {
    let isClosed = isClosing
    place += 1
    var last = first
    if token() == .range, case .date(let end)? = token(1) {
      last = end
      place += 2
    }
    if isClosed {
      closures.append(Closure(first: first, last: last))
    } else {
      unread.append("\(first / 100)/\(first % 100)")
    }
  }

  /// From New Year's Eve to the third, which nearly everybody means by it.
  private mutating func yearEnd() {
    guard isClosing, closures.last?.first.map(Self.isAroundNewYear) != true, !isDateAhead else { return }
    closures.append(Closure(first: 1231, last: 103))
    isInferred = true
  }

  /// `年末年始（12/31～1/3）` says itself when that is.
  private var isDateAhead: Bool {
    for token in tokens[place...].prefix(3) {
      switch token {
      case .date(let date): return Self.isAroundNewYear(date)
      case .noise, .meal, .only, .bracket(isOpening: true), .comma: continue
      default: return false
      }
    }
    return false
  }

  /// From the twenties of December to the middle of January, as 1231 and 103.
  private static func isAroundNewYear(_ date: Int) -> Bool { date >= 1220 || date <= 115 }

  /// Where words end that say that the next day is free instead.
  private var dayAfterAhead: Int? {
    var (ahead, isNextDay) = (place, false)
    while ahead < tokens.count {
      switch tokens[ahead] {
      case .noise, .comma, .isOpen: break
      case .nextDay: isNextDay = true
      case .days where isNextDay: break
      case .closed: return isNextDay ? ahead + 1 : nil
      case .bracket(isOpening: false): return isNextDay ? ahead : nil
      default: return nil
      }
      ahead += 1
    }
    return isNextDay ? ahead : nil
  }

  private mutating func qualify(_ token: HoursToken) {
    guard !closures.isEmpty else { return }
    if token == .movesAfterHoliday {
      closures[closures.count - 1].movesAfterHoliday = true
      // 翌火曜休み names the day after by its weekday.
      if case .days? = self.token() { place += 1 }
      if self.token() == .closed { place += 1 }
    }
    // `祝日は営業、翌日休み`, `祝日の場合は営業し、翌火曜日休業`
    if token == .openOnHolidays, let behind = dayAfterAhead {
      closures[closures.count - 1].movesAfterHoliday = true
      place = behind
    }
    closures[closures.count - 1].isOpenOnHolidays = true
  }
}
