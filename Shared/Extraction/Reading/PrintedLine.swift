import Calendars

/// A line of a page taken apart: dates, times, and the words around them.
struct PrintedLine {
  let days: [PrintedDays]
  let times: [PrintedTime]
  let alarms: [PrintedAlarm]
  /// Days that a run of days leaves out.
  let exceptions: [PrintedDays]
  /// Weekdays that it leaves out: "18:00, 20:30 (not Wed)".
  let exceptedWeekdays: WeekdaySet
  /// Single showings of other lines that do not take place: "※11/22は16:40の回休映".
  let cancelled: [PrintedListing.Cancelled]
  let isClosed: Bool
  /// What stands before the first time and is no date.
  let lead: String
  /// What stands behind each time, up to the next.
  let tails: [String]
  /// Which of them stand in brackets: "14h (DUB)". They are said of the showing.
  let bracketed: Set<Int>
  /// All words that are neither date nor time.
  let rest: String
  private let clock: PageClock
  private let listing: PrintedListing

  struct Start {
    var found: FoundTime
    var printed: ServiceTime?
    /// 1 where the text says so, less where a rule does.
    var trust: Double
  }

  private static let exceptionMax = 12
  /// A line longer than this is prose.
  static let bytesMax = 400

  /// Nil if there is neither a date nor a time, nor anything that wants to be one.
  init?(_ text: String, clock: PageClock, expecting expectation: PrintedExpectation = .listing) {
    guard text.utf8.count <= Self.bytesMax, !Self.isMark(text) else { return nil }
    let listing = clock.printed.read(text, expecting: expectation)
    guard !listing.groups.isEmpty || !listing.alarms.isEmpty || !listing.cancelled.isEmpty else { return nil }
    if listing.alarms.isEmpty, listing.cancelled.isEmpty,
      listing.groups.allSatisfy({
        $0.days.isEmpty && $0.exceptions.isEmpty && $0.exceptedWeekdays == [] && !$0.isClosed
          && $0.times.allSatisfy { Self.isCertificate($0.text) }
      })
    {
      return nil
    }
    self.listing = listing
    self.clock = clock
    days = listing.groups.flatMap(\.days)
    times = listing.times.filter { !$0.notes.contains(.mayBeDuration) && !Self.isCertificate($0.text) }
    alarms = listing.alarms
    exceptions = listing.groups.flatMap(\.exceptions)
    exceptedWeekdays = listing.groups.reduce(into: []) { $0.formUnion($1.exceptedWeekdays) }
    cancelled = listing.cancelled
    isClosed = listing.groups.contains(where: \.isClosed)
    var cutter = LineCutter(text)
    for group in listing.groups {
      for day in group.days + group.exceptions { cutter.cut(day.text, isTime: false) }
    }
    for alarm in listing.alarms { cutter.cut(alarm.text, isTime: false) }
    // "Doors 19:00, film 19:30"
    let doors = times.compactMap(\.doorsText)
    for time in doors { cutter.cut(time, isTime: false) }
    for time in times { cutter.cut(time.text, isTime: true) }
    var (lead, tails, bracketed) = cutter.parts()
    if !doors.isEmpty {
      lead = LineRest.withoutDoors(lead)
      tails = tails.map(LineRest.withoutDoors)
    }
    // "※11/24は休映": the words that say so are no title.
    if !exceptions.isEmpty || exceptedWeekdays != [] || !cancelled.isEmpty {
      if lead.unicodeScalars.count <= Self.exceptionMax { lead = "" }
      tails = tails.map { $0.unicodeScalars.count <= Self.exceptionMax ? "" : $0 }
    }
    self.lead = lead
    self.tails = tails
    self.bracketed = bracketed
    rest = ([lead] + tails).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// "7.2/10", "4,5/5": how good a film is, and no two days.
  private static func isMark(_ text: String) -> Bool {
    guard text.utf8.count <= markBytesMax else { return false }
    let parts = text.trimmedText.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2, let most = Int(Substring(parts[1])), [5, 10, 100].contains(most) else { return false }
    let mark = parts[0].split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
    return mark.count == 2 && mark.allSatisfy { !$0.isEmpty && $0.count <= 2 && $0.allSatisfy(isDigitByte) }
  }

  private static let markBytesMax = 12

  /// "12A" is a film for children with their parents, not midnight.
  private static func isCertificate(_ text: String) -> Bool {
    let bare = text.utf8.filter { $0 != 0x20 }
    return bare.count <= 3
      && (bare.last == UInt8(ascii: "a") || bare.last == UInt8(ascii: "A") || bare.last == UInt8(ascii: "p")
        || bare.last == UInt8(ascii: "P"))
  }

  /// Whether it says of other lines what is not shown.
  var leavesOut: Bool { !exceptions.isEmpty || exceptedWeekdays != [] || !cancelled.isEmpty }

  /// One day and nothing that contradicts it.
  var day: CivilDate? { days.count == 1 && alarms.isEmpty ? days[0].day : nil }

  /// Every showing the line tells by itself.
  var showings: [PrintedShowing] {
    clock.printed.showings(in: listing).showings.filter {
      !Self.isCertificate($0.text) && !$0.notes.contains(.mayBeDuration)
    }
  }

  /// Times under weekdays of a week that is told elsewhere.
  var timesOfWeekdays: [(weekdays: Set<Weekday>, times: [PrintedTime])] {
    listing.groups.compactMap { group in
      guard group.days.isEmpty, group.undatedWeekdays != [], !group.isClosed else { return nil }
      return (Set(group.undatedWeekdays.weekdays), group.times.filter { !$0.notes.contains(.mayBeDuration) })
    }
  }

  /// "täglich 20:15, Sa + So auch 17:30": times of all days of a week and of some; nil if the line says anything else.
  var weekGroups: [(weekdays: Set<Weekday>?, times: [PrintedTime])]? {
    guard exceptions.isEmpty, !isClosed, alarms.allSatisfy({ $0.kind == .weekdaysWithoutDates }),
      times.allSatisfy({ $0.minutesLong == nil }),
      listing.groups.count(where: \.hasUnreadDate) <= alarms.count
    else { return nil }
    let words = rest.lowercased().unicodeScalars.split { !$0.properties.isAlphabetic }.map { String(Substring($0)) }
    let isDaily = words.contains(where: Self.daily.contains)
    guard
      words.allSatisfy({ Self.daily.contains($0) || Self.also.contains($0) })
        || !isDaily && (PrintedTitle(rest).isOnlyMarks || ScreenName.isOne(rest) || isAside(rest))
    else { return nil }
    var found: [(weekdays: Set<Weekday>?, times: [PrintedTime])] = []
    var place = 0
    for group in listing.groups where !group.times.isEmpty || group.hasUnreadDate {
      guard !group.times.isEmpty else { return nil }
      // "Fr + Sa 22:30, täglich 20:15"
      let daily = group.times.indices.dropFirst().first { index in
        tails.indices.contains(place + index - 1) && Self.isDaily(tails[place + index - 1])
      }
      if let daily, times.count == listing.times.count, !group.days.isEmpty || group.hasUnreadDate {
        let weekdays = PageClock.weekdays(of: group.days).union(group.undatedWeekdays.weekdays)
        guard group.days.allSatisfy({ $0.notes.contains(.inferredFromWeekday) }), !weekdays.isEmpty else { return nil }
        found.append((weekdays, Array(group.times[..<daily])))
        found.append((nil, Array(group.times[daily...])))
        place += group.times.count
        continue
      }
      place += group.times.count
      if group.hasUnreadDate {
        // "Thu, Fri, Mon-Wed: 20:10"
        guard group.days.allSatisfy({ $0.notes.contains(.inferredFromWeekday) }), group.undatedWeekdays != [] else {
          return nil
        }
        found.append((PageClock.weekdays(of: group.days).union(group.undatedWeekdays.weekdays), group.times))
      } else if group.days.isEmpty {
        guard isDaily else { return nil }
        found.append((nil, group.times))
      } else {
        guard group.days.allSatisfy({ $0.notes.contains(.inferredFromWeekday) }) else { return nil }
        found.append((PageClock.weekdays(of: group.days), group.times))
      }
    }
    return found
  }

  /// "(today) Thu 5 August": whether a short word at most stands beside its dates.
  var isHardlyMore: Bool {
    rest.utf8.count <= Self.asideBytesMax && !rest.utf8.contains(where: isDigitByte)
      && rest.unicodeScalars.split(whereSeparator: \.isBlank).count <= 1
  }

  /// "(dubbed)"
  private func isAside(_ text: String) -> Bool {
    text.hasPrefix("(") && text.hasSuffix(")") && text.utf8.count <= Self.asideBytesMax
      && !text.utf8.contains(where: isDigitByte)
  }

  private static let asideBytesMax = 32

  /// The weekdays of no week that a text names, if it names nothing else: "Viernes y sábado:", "Sun–Thu".
  var weekdaysAlone: Set<Weekday>? {
    guard times.isEmpty, rest.isEmpty, exceptions.isEmpty, !isClosed, !days.isEmpty || !alarms.isEmpty,
      alarms.allSatisfy({ $0.kind == .weekdaysWithoutDates }),
      days.allSatisfy({ $0.notes.contains(.inferredFromWeekday) })
    else { return nil }
    let undated = listing.groups.flatMap(\.undatedWeekdays.weekdays)
    let found = PageClock.weekdays(of: days).union(undated)
    return found.isEmpty ? nil : found
  }

  /// "Todos los días:", "täglich"
  static func isDaily(_ text: String) -> Bool {
    guard text.utf8.count <= 32 else { return false }
    let words = text.lowercased().unicodeScalars.split { !$0.properties.isAlphabetic }.map { String(Substring($0)) }
    return !words.isEmpty && words.allSatisfy(daily.contains)
  }

  private static let daily: Set<String> = [
    "täglich", "daily", "nightly", "tgl", "quotidien", "quotidiennement", "diario", "diariamente", "tutti", "giorni",
    "dagelijks", "매일", "連日", "毎日", "codziennie", "denně", "todos", "días", "tous", "jours", "every", "day", "los",
    "les", "i", "tägl", "giornalmente", "ogni", "giorno", "cada", "día", "dia", "os", "dias", "dagligen", "dagligt",
    "tlj", "päivittäin", "naponta", "zilnic", "ежедневно", "щодня", "καθημερινά", "每日", "每天",
  ]
  private static let also: Set<String> = [
    "auch", "also", "aussi", "anche", "también", "também", "ook", "także", "również", "też", "taky", "također", "tudi",
    "även", "också", "også", "myös", "is", "w", "we", "v", "ve",
    "às", "as", "à", "at", "alle", "ore", "kl", "klo", "kello", "ob", "u", "o", "las", "os", "og", "och", "y", "e",
    "et",
    "en", "ja", "i", "les", "le", "only", "nur", "jeweils", "matinee", "matinees", "mat", "matinée", "festivos",
    "festivi", "fest", "feiertage", "feiertags", "fériés",
    "zusätzlich", "uhr", "h", "plus", "and", "und", "um",
  ]

  /// The one showing of a line with one date and one time.
  var only: Start? {
    guard alarms.isEmpty, times.count == 1, days.count == 1, let showing = showings.first, showings.count == 1 else {
      return nil
    }
    return Start(
      found: clock.found(showing.startsAt), printed: showing.time.time.isAfterMidnight ? showing.time : nil,
      trust: showing.confidence.trust)
  }
}

extension PrintedConfidence {
  var trust: Double {
    switch self {
    case .stated: 1
    case .inferred: 0.97
    case .doubtful: 0.5
    }
  }
}

/// Takes dates and times out of a line, and cleans what is left of what only joined them.
private struct LineCutter {
  private let bytes: [UInt8]
  private var cuts: [(range: Range<Int>, isTime: Bool)] = []

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func cut(_ text: String, isTime: Bool) {
    let wanted = Array(text.utf8)
    guard !wanted.isEmpty, wanted.count <= bytes.count else { return }
    var start = 0
    while start + wanted.count <= bytes.count {
      let range = start..<start + wanted.count
      if bytes[start] == wanted[0], bytes[range].elementsEqual(wanted),
        !cuts.contains(where: { $0.range.overlaps(range) })
      {
        cuts.append((range, isTime))
        return
      }
      start += 1
    }
  }

  func parts() -> (lead: String, tails: [String], bracketed: Set<Int>) {
    let ordered = cuts.sorted { $0.range.lowerBound < $1.range.lowerBound }
    var lead: [UInt8] = []
    var tails: [[UInt8]] = []
    var position = 0
    var isBehindDay = false
    for cut in ordered {
      let between = bytes[position..<max(position, cut.range.lowerBound)]
      if !isBehindDay || !cut.isTime || !LineRest.joinsDayAndTime(between) { put(between, &lead, &tails) }
      isBehindDay = !cut.isTime
      if cut.isTime { tails.append([]) } else { put([0x20], &lead, &tails) }
      position = max(position, cut.range.upperBound)
    }
    put(bytes[position...], &lead, &tails)
    return (
      LineRest.cleaned(lead, isBehind: false), tails.map { LineRest.cleaned($0, isBehind: true) },
      Set(tails.indices.filter { LineRest.isBracketed(tails[$0]) })
    )
  }

  private func put(_ part: some Sequence<UInt8>, _ lead: inout [UInt8], _ tails: inout [[UInt8]]) {
    if tails.isEmpty { lead += part } else { tails[tails.count - 1] += part }
  }
}

/// The words of a line without what only stands between dates and times.
enum LineRest {
  /// Behind a time, they belong to it.
  private static let units: Set<String> = [
    "uhr", "h", "hs", "hrs", "uur", "am", "pm", "heures", "horas", "o'clock", "clock", "ca", "approx", "から", "부터", "시작",
    "開始", "start", "starts", "time", "times", "hours",
    "gmt", "bst", "utc", "cet", "cest", "est", "edt", "cst", "cdt", "mst", "mdt", "pst", "pdt",
    "aest", "aedt", "acst",
    "awst", "nzst", "nzdt", "jst", "kst", "ist",
  ]
  /// Before a time or a date, they belong to it.
  private static let joints: Set<String> = [
    "at", "um", "à", "alle", "ore", "las", "om", "from", "ab", "von", "bis", "to", "until", "till", "kl", "klo",
    "kello", "godz", "godz.", "saat", "às", "στις", "ב", "בשעה",
    "on", "am", "le", "il", "el", "op", "dal", "du", "des", "des", "vom", "time", "times",
    "date", "dates", "beginn", "begin", "start", "and", "&", "und", "et", "y", "e", "en", "+", "@",
  ]
  /// "13. 3. ob 19:00": between a day and its time, in small letters. Elsewhere some of them are words like any other.
  private static let betweenDayAndTime: Set<String> = [
    "ob", "u", "o", "v", "ve", "w", "à", "a", "às", "as", "kl", "kl.", "klo", "kell", "um", "om", "at", "ore", "ora",
    "alle",
    "la", "las", "from", "dès", "ab", "godz.", "г.", "в", "о", "у",
  ]

  static func joinsDayAndTime(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count <= joiningBytesMax else { return false }
    let words = String(decoding: bytes, as: UTF8.self).unicodeScalars.split { $0.isBlank || $0 == "," }
    return words.count == 1 && betweenDayAndTime.contains(String(Substring(words[0])))
  }

  /// A short word, blanks and a comma.
  private static let joiningBytesMax = 12

  private static let ends: Set<String> = ["fin", "fine", "ende", "end", "ends", "終", "終了", "종료"]
  private static let empty: Set<String> = units.union(joints).union(ends).union([
    "the", "of", "de", "der", "den", "dem", "a", "la", "del", "di", "till", "showtimes", "showtime",
  ])

  /// - Parameter isBehind: whether the words stand behind a time, so that their first ones may be its unit.
  static func cleaned(_ bytes: [UInt8], isBehind: Bool) -> String {
    var words = String(decoding: bytes, as: UTF8.self).unicodeScalars.split(whereSeparator: \.isBlank).map {
      String(Substring($0))
    }
    if isBehind {
      dropEnd(&words)
      dropEndBehind(&words)
    }
    if words.allSatisfy({ isMark($0) || empty.contains(bare($0)) || isEnd($0) }) { return "" }
    while let first = words.first,
      isMark(first) || isEnd(first) || isBehind && units.contains(bare(first)) || ends.contains(bare(first))
    { words.removeFirst() }
    while let last = words.last, isMark(last) || isEnd(last) || !isBehind && joints.contains(bare(last)) {
      words.removeLast()
    }
    return trimmed(words.joined(separator: " "))
  }

  /// "to 9pm Silt", "9 pm Silt" behind a start: its end, in words of its own.
  private static func dropEnd(_ words: inout [String]) {
    var end = words.prefix { isMark($0) }.count
    if end < words.count, ranges.contains(bare(words[end])) { end += 1 }
    guard end < words.count else { return }
    let isParted =
      end + 1 < words.count && (1...2).contains(words[end].utf8.count) && words[end].utf8.allSatisfy(isDigitByte)
      && halves.contains(bare(words[end + 1]))
    if isEnd(words[end]) || isParted { words.removeFirst(isParted ? end + 2 : end + 1) }
  }

  /// "subtitled, ends 9:04 pm"
  private static func dropEndBehind(_ words: inout [String]) {
    guard let end = words.lastIndex(where: { ends.contains(bare($0)) }), case let behind = words[(end + 1)...],
      behind.contains(where: isEnd),
      behind.allSatisfy({ isMark($0) || isEnd($0) || halves.contains(bare($0)) || joints.contains(bare($0)) })
    else { return }
    words.removeSubrange(end...)
  }

  private static let ranges: Set<String> = ["to", "until", "till", "bis", "à", "al", "a", "tot", "til"]
  private static let halves: Set<String> = ["am", "pm", "a.m", "p.m", "a.m.", "p.m."]

  /// "종료 15:21", "ends 21:40": when it is over, and nothing else.
  static func tellsEnd(_ text: String) -> Bool {
    guard text.utf8.count <= endBytesMax else { return false }
    let words = text.unicodeScalars.split { $0.isBlank || $0 == "(" || $0 == ")" }.map { String(Substring($0)) }
    return words.count >= 2 && words.contains(where: isEnd)
      && words.contains { ends.contains(bare($0)) }
      && words.allSatisfy { isEnd($0) || empty.contains(bare($0)) || isMark($0) }
  }

  private static let endBytesMax = 40

  /// "(OmU)", " (DUB) ": one bracket and nothing beside it.
  static func isBracketed(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self).trimmedText
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else { return false }
    return brackets[first] == last && text.unicodeScalars.count { $0 == last } == 1
  }

  /// "Stolica" of "( Stolica )".
  static func withoutBrackets(_ text: String) -> String {
    guard isBracketed(Array(text.utf8)) else { return text }
    return String(text.trimmedText.dropFirst().dropLast()).trimmedText
  }

  /// "Silt (Limon)" of "Silt (Limon", whose bracket another part of the page closes.
  static func closed(_ text: String) -> String {
    guard let open = text.lastPlace(of: "("), open.lowerBound > text.startIndex,
      !text[open.upperBound...].utf8.contains(UInt8(ascii: ")")), String(text[open.upperBound...]).hasLetters
    else { return text }
    return text + ")"
  }

  private static let brackets: [Unicode.Scalar: Unicode.Scalar] = ["(": ")", "[": "]", "（": "）", "【": "】"]

  private static let doorWords: Set<String> = [
    "doors", "door", "time", "open", "opens", "opening", "film", "movie", "screening", "show", "starts", "start", "at",
    "for", "a", "from", "gates", "einlass", "beginn", "filmstart", "filmbeginn", "ouverture", "portes", "des", "séance",
    "puertas", "apertura",
    "porte", "proyección", "inizio", "deuren", "aanvang", "開場", "開演", "開映", "上映", "입장", "상영",
  ]

  /// What is left beside a start and its doors, if it is more than the words that tell them apart.
  static func withoutDoors(_ text: String) -> String {
    if areOfDoors(text[...]) { return "" }
    // "Silent film with live piano. Doors open at": the sentence before tells of the film.
    guard let end = text.lastPlace(of: ". "), areOfDoors(text[end.upperBound...]),
      text[..<end.lowerBound].utf8.count(where: { $0 == 0x20 }) >= sentenceBlanksMin
    else { return text }
    return ""
  }

  private static func areOfDoors(_ text: Substring) -> Bool {
    text.unicodeScalars.split { $0.isBlank || $0 == "," || $0 == "/" || $0 == "／" || $0 == ":" || $0 == "." }
      .allSatisfy { doorWords.contains(bare(String(Substring($0)))) || bare(String(Substring($0))).isEmpty }
  }

  /// Of four words.
  private static let sentenceBlanksMin = 3

  private static func bare(_ word: String) -> String { trimmed(word).lowercased() }

  private static func isMark(_ word: String) -> Bool { trimmed(word).isEmpty }

  /// "21:36", "(~21:36)", "～２１：３６終": the end of what began at the time.
  private static func isEnd(_ word: String) -> Bool {
    var digits = 0
    var marks = 0
    var text = bare(word)
    var hasHalf = false
    for half in ["am", "pm"] where text.hasSuffix(half) && text.utf8.count > 2 {
      text.removeLast(2)
      hasHalf = true
    }
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x30...0x39, 0xFF10...0xFF19: digits += 1
      case 0x3A, 0xFF1A, 0x2E, 0x68: marks += 1
      case 0x2D, 0x2013, 0x7E, 0xFF5E, 0x301C, 0x28, 0x29, 0xFF08, 0xFF09, 0x7D42: break
      default: return false
      }
    }
    return (3...4).contains(digits) && marks >= 1 || hasHalf && marks == 0 && (1...2).contains(digits)
  }

  private static let marks: Set<UInt32> = [
    0x20, 0x2D, 0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x7C, 0x2C, 0x3A, 0x3B, 0x2F, 0xB7, 0x2022, 0x7E, 0x301C,
    0xFF5E, 0x3001, 0x3002, 0xFF1A, 0xFF0F,
    0xFF0C, 0x2192, 0x25B6, 0x25BA, 0x203A, 0xBB, 0x2E, 0x3D, 0x40, 0x2023, 0x25AA, 0x25CF, 0x2605, 0x5F, 0x30FB,
    0xFF65, 0xFF64,
    0x3000,
  ]

  /// Whether a text may begin or end with it: not with marks and brackets.
  private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x28, 0x29, 0x5B, 0x5D, 0xFF08, 0xFF09, 0x3010, 0x3011: false
    default: !marks.contains(scalar.value)
    }
  }

  static func trimmed(_ text: String) -> String {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last, !isKept(first) || !isKept(last)
    else { return text }
    let scalars = Array(text.unicodeScalars)
    var start = 0
    var end = scalars.count
    func isBracketPair() -> Bool {
      end - start >= 2 && [0x28, 0xFF08, 0x5B, 0x3010].contains(scalars[start].value)
        && [0x29, 0xFF09, 0x5D, 0x3011].contains(scalars[end - 1].value)
        && !scalars[(start + 1)..<(end - 1)].contains { [0x28, 0xFF08, 0x29, 0xFF09].contains($0.value) }
    }
    while start < end {
      if marks.contains(scalars[start].value) {
        start += 1
      } else if marks.contains(scalars[end - 1].value), !(scalars[end - 1].value == 0x2E && end - start > 4) {
        end -= 1
      } else if isBracketPair() {
        start += 1
        end -= 1
      } else if [0x29, 0xFF09, 0x5D].contains(scalars[start].value) {
        start += 1
      } else if [0x28, 0xFF08, 0x5B].contains(scalars[end - 1].value) {
        end -= 1
      } else {
        break
      }
    }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[start..<end])
    return String(view)
  }
}
