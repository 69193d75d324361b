/// What each time is by where it stands: of which half of the day, a start or the doors', an end, a remark's.
extension PrintedAssembly {
  /// "7:30 & 9:30pm": what stands behind the last one is meant for those before it.
  func inferredParts() -> [Int: PartOfDay] {
    var parts: [Int: PartOfDay] = [:]
    var next: (time: PartialTime, part: PartOfDay)?
    for index in items.indices.reversed() {
      switch items[index].kind {
      case .time(let time):
        if let part = time.part {
          next = time.isPartBehind && (part == .am || part == .pm) ? (time, part) : nil
        } else if let following = next, time.canBeTwelveHour, !time.isNextDay {
          let isBefore = (time.hour % 12, time.minute) <= (following.time.hour % 12, following.time.minute)
          let part: PartOfDay = isBefore ? following.part : following.part == .pm ? .am : .pm
          parts[index] = part
          next = (time, part)
        } else {
          next = nil
        }
      case .separator, .join: break
      default: next = nil
      }
    }
    return parts
  }

  /// Which label belongs to which time: the one it touches, the one it is nearer to, and in between the one behind it.
  func roles() -> [Int: PrintedRole] {
    var roles: [Int: PrintedRole] = [:]
    for index in items.indices {
      // "14.00 (Kaffee ab 13.15 Uhr)": what opens before.
      if kind(index) == .open, kind(index + 1) == .text, items[..<index].contains(where: { $0.time != nil }),
        let time = timeInBracket(behind: index), kind(time - 1) == .from
      {
        roles[time] = .doors
      }
      // "7pm for 7.30pm"
      if time(index - 1) != nil, time(index + 1) != nil, says(index, ["for"]) {
        roles[index - 1] = .doors
        continue
      }
      // "Film 19:45, Close 22:45", in a line that says what each of its times is; alone "Close" is a film.
      if time(index + 1) != nil, kind(index - 1) == .separator, says(index, Self.closing),
        roles.contains(where: { $0.value == .start || $0.value == .doors })
      {
        roles[index + 1] = .end
        continue
      }
      guard let role = items[index].role else { continue }
      // "Doors: Open 19:00"
      if role == .doors, let time = timeOfOpening(behind: index) {
        roles[time] = role
        continue
      }
      // "(doors and bar 7pm)"
      if role == .doors, kind(index - 1) == .open, let time = timeInBracket(behind: index) {
        roles[time] = role
        continue
      }
      let before = time(index - 1) != nil && roles[index - 1] == nil ? index - 1 : nil
      let after = time(index + 1) != nil ? index + 1 : nil
      switch (before, after) {
      case (nil, nil): break
      case (let before?, nil): if role != .end || !endsRun(index, behind: before) { roles[before] = role }
      case (nil, let after?): roles[after] = role
      case (let before?, let after?):
        let hasGapBefore = items[index].hasSpaceBefore
        let hasGapAfter = items[after].hasSpaceBefore
        let isSuffixStyle =
          hasGapBefore == hasGapAfter
          ? items.indices.contains(after + 1) && items[after + 1].role != nil : !hasGapBefore
        // An end stands behind its time: "19:30 21:36終".
        roles[isSuffixStyle || role == .end ? before : after] = role
      }
    }
    return roles
  }

  /// "20:00 종영", "20:00 終映": behind the only time before it, which nothing begins, it says that the film is shown for the last
  /// time.
  private func endsRun(_ word: Int, behind time: Int) -> Bool {
    guard Self.endings.contains(text.printed(items[word].range)), items[word].hasSpaceBefore else { return false }
    return !items[..<time].contains { $0.time != nil } && !isJoin(time - 1)
  }

  private static let endings: Set<String> = ["종영", "終映"]

  /// The time right behind "Open", where that stands right behind a label, or behind its colon.
  private func timeOfOpening(behind label: Int) -> Int? {
    let word = kind(label + 1) == .separator ? label + 2 : label + 1
    return says(word, Self.opening) && time(word + 1) != nil ? word + 1 : nil
  }

  /// The time that one word that means "and" joins to a time.
  private func timeBehindAnd(_ index: Int) -> Int? {
    guard let next = [index + 1, index + 2].first(where: { time($0) != nil }),
      case let from = items[index].range.upperBound, from < items[next].range.lowerBound
    else { return nil }
    let between = text.printed(from..<items[next].range.lowerBound).filter { $0 != " " }.lowercased()
    return Self.ands.contains(between) ? next : nil
  }

  private static let ands: Set<String> = ["and", "et", "und", "y", "e", "ed", "en", "&", "och", "og", "i", "a"]

  private func says(_ index: Int, _ words: Set<String>) -> Bool {
    kind(index) == .text && words.contains(text.printed(items[index].range).lowercased())
  }

  private static let opening: Set<String> = ["open", "opens", "opening", "from"]
  private static let closing: Set<String> = ["close", "closes", "closing", "finish", "finishes"]

  /// The time that ends a bracket of a few words.
  private func timeInBracket(behind index: Int) -> Int? {
    for next in index + 1..<index + 1 + Self.bracketItems {
      switch kind(next) {
      case .time: return kind(next + 1) == .close ? next : nil
      case .text, .separator, .from, .join: continue
      default: return nil
      }
    }
    return nil
  }

  /// Words of a remark in a bracket, and its time.
  private static let bracketItems = 6

  /// Whether behind a remark's time the remark says that it is closed: between them stand other times, and a word.
  func closes(behind index: Int) -> Bool {
    var words = 0
    for item in items[index...].dropFirst().prefix(Self.remarkItems) {
      switch item.kind {
      case .closed: return true
      case .time, .separator, .role: continue
      case .text:
        words += 1
        if words > Self.remarkWords { return false }
      default: return false
      }
    }
    return false
  }

  /// A remark's times, with what stands between them.
  private static let remarkItems = 16
  /// "の回は": its letters are items of their own.
  private static let remarkWords = 6

  /// `19:30-21:36`, `19:30(～21:36)`, `19:30부터 21:36까지`
  func isEnd(_ index: Int) -> Bool {
    // "16:30 - 18:45 - 21:00": three in a row are a list, not an end and something more.
    if isJoin(index - 1), time(index - 2) != nil {
      if isJoin(index + 1), time(index + 2) != nil { return false }
      if isJoin(index - 3), time(index - 4) != nil { return false }
      // "18,30 - 20,30 e 22,30": and one more, which has no end either.
      if let next = timeBehindAnd(index), !isJoin(next + 1), kind(next + 1) != .from { return false }
    }
    guard isJoin(index - 1) || (kind(index - 1) == .from && time(index - 2) != nil) else { return false }
    return time(index - 2) != nil || (kind(index - 2) == .open && time(index - 3) != nil)
  }
}
