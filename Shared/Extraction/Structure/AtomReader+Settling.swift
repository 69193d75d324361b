import Calendars

/// What only the whole page decides of a part: whether 20.10 is a time, "Mar" a month, two times a start and its end.
extension AtomReader {
  mutating func settleDoubtful() {
    guard !doubtful.isEmpty else { return }
    let sure = Set(atoms.indices).subtracting(doubtful)
    var dotted = 0
    var other = 0
    for index in sure {
      let times: [PrintedTime]
      switch atoms[index].kind {
      case .times(let found): times = found
      // "Fri 20  6.00  Film": below it the day is left out.
      case .both: times = atoms[index].line?.times ?? []
      default: continue
      }
      for time in times {
        if time.isDotted { dotted += 1 } else if time.text.utf8.contains(UInt8(ascii: ":")) { other += 1 }
      }
    }
    if dotted > other || doubtful.count(where: isPlainly) > other * Self.plainlyMin { return }
    for index in doubtful { atoms[index].kind = other > 0 ? date(of: index) ?? .words : .words }
  }

  /// "20.15", "18.00" of an evening.
  private func isPlainly(_ index: Int) -> Bool {
    guard case .times(let times) = atoms[index].kind, let time = times.first else { return false }
    return time.isPlainlyDotted && !PageWords.tellsPrices(atoms[index].text)
  }

  /// A time with a colon may be of a till: so many of an evening stand against one.
  static let plainlyMin = 4

  /// `28.11` where the page's times have colons, and a time or a weekday stands right beside it: a day.
  private func date(of index: Int) -> PageAtom.Kind? {
    let isBeside = [index - 1, index + 1].contains {
      guard atoms.indices.contains($0) else { return false }
      return atoms[$0].isTime && !doubtful.contains($0) || clock.isWeekday(atoms[$0].text)
    }
    guard isBeside, let days = try? clock.printed.date(atoms[index].text), days.day != nil else { return nil }
    return .date([days])
  }

  /// "Mar" in a row of "Lun Mar Mié" is a Tuesday, and so is "Mar 9" behind "Lun 8".
  mutating func settleMonths() {
    for index in atoms.indices {
      if let days = tuesday(index) {
        atoms[index].kind = .date([days])
        atoms[index].line = nil
        continue
      }
      guard case .month(nil, 3) = atoms[index].kind, atoms[index].text.foldedKey == "mar",
        [index - 1, index + 1].contains(where: { atoms.indices.contains($0) && clock.isWeekday(atoms[$0].text) })
      else { continue }
      atoms[index].kind = .words
    }
  }

  /// `<b>Fri</b> 4:15, 7:00`: a short weekday right before its times, which alone is a label. Where others like it are no
  /// weekdays, as in a column of "FR", "EN" and "NL", none is.
  mutating func settleWeekdays() {
    let thursdayOrSunday = self.thursdayOrSunday
    var labels: [String: (others: Int, days: Set<String>, found: [(index: Int, line: PrintedLine)])] = [:]
    for index in atoms.indices.dropLast() where atoms[index].isWords {
      let text = atoms[index].text
      guard text.utf8.count <= PageClock.weekdayBytesMax, case .times = atoms[index + 1].kind,
        atoms[index + 1].line?.lead.isEmpty ?? false, block(index) == block(index + 1)
      else { continue }
      var bare = LineRest.trimmed(text)
      let kind = tree.signature(atoms[index].place)
      let word = bare.lowercased()
      if word == "do", let name = thursdayOrSunday { bare = name }
      if clock.isWeekday(bare), let line = PrintedLine(bare, clock: clock, expecting: .dates), line.days.count == 1 {
        labels[kind, default: (0, [], [])].days.insert(word)
        // Alone it may be a language.
        if !(bare.utf8.count == 2 && bare == bare.uppercased()) { labels[kind]?.days.insert("") }
        labels[kind]?.found.append((index, line))
      } else if text.utf8.count <= Self.shortMax {
        labels[kind, default: (0, [], [])].others += 1
      }
    }
    for label in labels.values where label.others == 0 && label.days.count >= 2 {
      for (index, line) in label.found {
        atoms[index].kind = .date(line.days)
        atoms[index].line = line
      }
    }
  }

  /// What "Do" is beside the page's other short weekdays: German and Dutch, or Spanish.
  private var thursdayOrSunday: String? {
    var found: Set<String> = []
    for atom in atoms where atom.text.utf8.count <= Self.shortMax {
      let word = LineRest.trimmed(atom.text).lowercased()
      if Self.besideThursday.contains(word) { found.insert("Donnerstag") }
      if Self.besideSunday.contains(word) { found.insert("domingo") }
    }
    return found.count == 1 ? found.first : nil
  }

  private static let shortMax = 4
  private static let besideThursday: Set<String> = ["mo", "di", "fr", "so", "vr", "zo", "wo"]
  private static let besideSunday: Set<String> = ["lu", "ju", "vi", "lun", "jue", "vie"]

  private func block(_ index: Int) -> Int? { tree.path(atoms[index].place).first { !tree.isInline($0) } }

  /// "12/10" or "10/12" beside each film of a Swiss page: who is let in, and for whom it is meant. It is no date where a class
  /// says so, or where all dates written like it could be ages and the page has others.
  mutating func settleAges() {
    var ages: [Int] = []
    var others = 0
    var marked: Set<Int> = []
    for (index, atom) in atoms.enumerated() where atom.isDate {
      guard let (from, accompanied) = Self.slashed(atom.text) else {
        others += 1
        continue
      }
      if tree.path(atom.place).prefix(2).contains(where: {
        tree[$0].words.contains(where: PageWords.ageClasses.contains)
      }) {
        marked.insert(index)
      } else if isBeforeTime(index) {
        // Right before its times stands a day.
        others = .min / 2
      } else if Self.ages.contains(from), Self.ages.contains(accompanied), abs(from - accompanied) <= 2 {
        ages.append(index)
      } else {
        others = .min / 2
      }
    }
    let texts = Set(ages.map { atoms[$0].text })
    let areApart = ages.count >= Self.agesMin && texts.allSatisfy { Self.slashed($0).map { $0 != $1 } ?? false }
    let areAges = others > 0 && ages.count >= 2 && (areApart || texts.count * 2 <= ages.count + 1)
    for index in marked.union(areAges ? ages : []) {
      atoms[index].kind = .words
      atoms[index].line = nil
    }
  }

  /// Whether a time stands next, in the same line or the same row.
  private func isBeforeTime(_ index: Int) -> Bool {
    guard atoms.indices.contains(index + 1), atoms[index + 1].isTime, let own = block(index),
      let next = block(index + 1)
    else { return false }
    return own == next || tree[own].parent == tree[next].parent
  }

  /// So many dates, each two apart, are none.
  private static let agesMin = 3
  private static let ages: Set<Int> = [0, 4, 6, 8, 10, 12, 14, 16, 18]

  /// The numbers of "12/10".
  private static func slashed(_ text: String) -> (Int, Int)? {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(isDigitByte) }),
      let first = Int(Substring(parts[0])), let second = Int(Substring(parts[1]))
    else { return nil }
    return (first, second)
  }

  /// A film called "August": a month's name over a date of another month, or marked as the titles beside it are over
  /// a date that says its own.
  mutating func settleMonthTitles() {
    let alone = atoms.indices.filter { if case .month(nil, _) = atoms[$0].kind { true } else { false } }
    guard !alone.isEmpty else { return }
    var titles: [String: Int] = [:]
    for atom in atoms where atom.isWords { titles[tree.signature(atom.place, levels: 2), default: 0] += 1 }
    for index in alone {
      guard case .month(_, let month) = atoms[index].kind, let day = datedBelow(index) else { continue }
      let among = titles[tree.signature(atoms[index].place, levels: 2)] ?? 0
      if day.month != month || among >= 2 && isMarked(atoms[index].place) { atoms[index].kind = .words }
    }
  }

  /// "Mar | April 2022 | May": beside a month with its year, links to the one before it and the one behind it lead away.
  mutating func settleLeafing() {
    for index in atoms.indices {
      guard case .month(.some, let shown) = atoms[index].kind else { continue }
      for other in max(0, index - Self.leafingReach)..<min(atoms.count, index + Self.leafingReach + 1) {
        guard case .month(nil, let month) = atoms[other].kind, [1, 11].contains((month - shown + 12) % 12),
          tree.path(atoms[other].place).prefix(3).contains(where: { ["a", "button"].contains(tree[$0].tag) })
        else { continue }
        atoms[other].kind = .words
      }
    }
  }

  private static let leafingReach = 4

  private func isMarked(_ place: Int) -> Bool {
    tree.path(place).prefix(3).contains { at in
      ["h2", "h3", "h4"].contains(tree[at].tag) || tree[at].words.contains(where: PageWords.title.contains)
    }
  }

  /// The next date behind a month's name, if it says a month of its own, before any day without one.
  private func datedBelow(_ index: Int) -> CivilDate? {
    for other in atoms[(index + 1)...].prefix(Self.datedReach) {
      let day: PrintedDays?
      switch other.kind {
      case .date(let days): day = days.first
      case .both: day = other.line?.days.first
      case .dayNumber, .month: return nil
      default: continue
      }
      guard let day, day.notes.isDisjoint(with: [.inferredMonth, .inferredFromWeekday]) else { return nil }
      return day.first
    }
    return nil
  }

  /// Between a film's title and its date stand some words about it.
  private static let datedReach = 8

  /// The Tuesday that "Mar 9" is beside a weekday and a day of a month that is not said.
  private func tuesday(_ index: Int) -> PrintedDays? {
    guard case .date(let days) = atoms[index].kind, days.count == 1, let day = days[0].day, day.month == 3,
      case let parts = atoms[index].text.lowercased().split(whereSeparator: { $0 == " " || $0 == "." }),
      parts.count == 2, parts[0] == "mar", Int(parts[1]) == day.day,
      [index - 1, index + 1].contains(where: { isDayOfMonth($0, beside: day.day) })
    else { return nil }
    return try? clock.printed.date("mardi \(day.day)")
  }

  private func isDayOfMonth(_ index: Int, beside day: Int) -> Bool {
    guard atoms.indices.contains(index), case .date(let days) = atoms[index].kind, days.count == 1,
      days[0].notes.contains(.inferredMonth), let other = days[0].day
    else { return false }
    return abs(other.day - day) == 1 || day == 1 || other.day == 1
  }

  /// "18h - 20h30" is a screening and its end, or two: where lines of the same kind have one time, or three, it is two.
  mutating func settleLists() {
    var kinds: [String: (lines: Int, longer: Int, spans: Int, pairs: [Int], tight: [Int])] = [:]
    for (index, atom) in atoms.enumerated() where atom.isTime {
      guard let line = atom.line, !line.times.isEmpty, !PageWords.isDoorsLabel(line.lead) else { continue }
      let kind = tree.signature(atom.place)
      kinds[kind, default: (0, 0, 0, [], [])].lines += 1
      if line.times.count >= 3, line.times.contains(where: { Self.asList(atom.text, $0) != nil }) {
        kinds[kind]?.longer += 1
      }
      // "8:00 PM – 10:00 PM" says both ends in full: a list says "8:00, 10:00 PM".
      if line.times.count == 1, let minutes = line.times[0].minutesLong, minutes >= Self.apartMin,
        Self.asList(atom.text, line.times[0]) != nil
      {
        if Self.saysHalves(atom.text) {
          kinds[kind]?.spans += 1
        } else if Self.hasLooseDash(atom.text) {
          kinds[kind]?.pairs.append(index)
        } else {
          kinds[kind]?.tight.append(index)
        }
      }
    }
    for kind in kinds.values where kind.longer > 0 || kind.spans == 0 && kind.pairs.count * 2 <= kind.lines {
      // "18:45-21:00" is a start and its end but beside "16:30-18:45-21:00".
      for index in kind.pairs + (kind.longer > 0 ? kind.tight : []) {
        guard let time = atoms[index].line?.times.first,
          let text = Self.asList(atoms[index].text, time),
          let line = PrintedLine(text, clock: clock), line.times.count == 2,
          line.times.allSatisfy({ $0.minutesLong == nil })
        else { continue }
        atoms[index].line = line
        if case .times = atoms[index].kind { atoms[index].kind = .times(line.times) }
      }
    }
  }

  private static func saysHalves(_ text: String) -> Bool {
    let words = text.lowercased().unicodeScalars.split { !$0.properties.isAlphabetic && $0 != "." }
    return words.count { word in
      ["am", "pm"].contains(String(String.UnicodeScalarView(word.filter { $0 != "." })))
    } >= 2
  }

  /// Two screenings of one film are at least so many minutes apart.
  static let apartMin = 75
  static let looseDashes = [" - ", " – ", " — "]
  static let dashes = looseDashes + ["-", "–", "—"]

  static func hasLooseDash(_ text: String) -> Bool { looseDashes.contains { text.holds($0) } }

  /// The text with the dash behind its first time as a stroke; nil if none stands there.
  static func asList(_ text: String, _ time: PrintedTime) -> String? {
    guard let place = text.firstPlace(of: time.text) else { return nil }
    for dash in dashes {
      // The time may be printed with its end, or without.
      if let inside = time.text.firstPlace(of: dash) {
        return String(text[..<place.lowerBound]) + String(time.text[..<inside.lowerBound]) + " / "
          + String(time.text[inside.upperBound...]) + String(text[place.upperBound...])
      }
      let behind = text[place.upperBound...]
      if behind.hasPrefix(dash) {
        return String(text[..<place.upperBound]) + " / " + String(behind.dropFirst(dash.count))
      }
    }
    return nil
  }
}
