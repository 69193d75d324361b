/// Which part of the hours rests on some days, and of which hours the days behind them are.
extension HoursAssembly {
  /// `日曜ランチ`, `水曜（夜）`, `日曜は夜のみ営業`, or days under `ランチ：`: a part of the hours rests on these days.
  mutating func rest(_ kinds: DayKinds, _ weeks: [Int], from start: Int) -> Bool {
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

  func isMeal(_ place: Int) -> Bool { place < tokens.count && Self.isMeal(tokens[place]) }

  static func isMeal(_ token: HoursToken) -> Bool {
    if case .meal = token { true } else { false }
  }

  /// Takes the days out of the spans of the meals, or out of all others; unread if there are none of these meals.
  mutating func take(_ rest: MealRest) {
    let isServed = spans.map { span in rest.meals.contains { $0.meal.isServed(in: span) } }
    guard isServed.contains(true) else { return unread += rest.meals.map(\.printed) }
    for (place, isServed) in isServed.enumerated() where isServed != rest.isOthers {
      spans[place].days.subtract(rest.days)
    }
    spans.removeAll { $0.days.isEmpty }
  }

  /// Whether a list that goes on with some week's day ends with 休: `月曜、第3火曜休み`.
  var isListClosedAhead: Bool {
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
  mutating func restrict(to kinds: DayKinds, from start: Int, _ ahead: Int) -> Bool {
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
  func rangesBefore(_ start: Int) -> Int {
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
  mutating func exception(_ kinds: DayKinds, _ ahead: Int) -> Bool {
    guard var special = spans.last, !tokens[ahead...].isEmpty else { return false }
    special.days = kinds
    special.lastOrder = nil
    switch (tokens[ahead], ahead + 1 < tokens.count ? tokens[ahead + 1] : .line) {
    case (.time(let minutes, let isNextDay, _), .until), (.time(let minutes, let isNextDay, _), .openEnd),
      (.range, .time(let minutes, let isNextDay, _)):
      special.closes = Self.after(special.opens, minutes, isNextDay)
    case (.time(let minutes, false, _), .range) where isBracketEnd(ahead + 2) && minutes < special.closes ?? .max:
      special.opens = minutes
    default: return false
    }
    spans[spans.count - 1].days.subtract(kinds)
    spans.append(special)
    spans.removeAll { $0.days.isEmpty }
    place = ahead + 2
    isInferred = true
    return true
  }

  private func isBracketEnd(_ place: Int) -> Bool {
    place < tokens.count && tokens[place] == .bracket(isOpening: false)
  }

  /// `土日祝は通し営業`: on these days it makes no pause.
  mutating func joins(_ kinds: DayKinds) -> Bool {
    var ahead = place
    while ahead < tokens.count, tokens[ahead].isNoise { ahead += 1 }
    guard ahead < tokens.count, tokens[ahead] == .throughout else { return false }
    place = ahead + 1
    let parts = spans.filter { $0.days.isSuperset(of: kinds) }
    guard parts.count > 1, var whole = parts.last, let opens = parts.map(\.opens).min() else { return true }
    (whole.days, whole.opens) = (kinds, opens)
    for place in spans.indices { spans[place].days.subtract(kinds) }
    spans.append(whole)
    spans.removeAll { $0.days.isEmpty }
    isInferred = true
    return true
  }

  static func isTime(_ token: HoursToken) -> Bool {
    switch token {
    case .time, .allDay: true
    default: false
    }
  }

  /// Monday to Friday, Friday to Monday.
  static func run(from first: DayKinds, to last: DayKinds) -> DayKinds {
    guard let start = first.weekdays.first, let end = last.weekdays.first else { return first.union(last) }
    var (kinds, day) = (first.union(last), start)
    while day != end {
      kinds.formUnion(DayKinds(day))
      day = day.adding(days: 1)
    }
    return kinds
  }
}
