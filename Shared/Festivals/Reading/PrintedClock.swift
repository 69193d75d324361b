import Calendars
import Clocks

/// What a cell of a column of starts says: `19:30`, `6:00|PM`, `오후 7시 30분`, `20:15 GV`, `19:30-21:00`.
struct PrintedClock {
  /// As it is written: a small hour that is printed bare stays one, and whose it is the table decides.
  let start: DisplayTime
  /// How long it lasts, of a range or of a length in brackets.
  let secondsLong: Int64?
  /// Words that were not understood. With some it may be no start at all.
  let unread: [String]

  /// Longer cells are texts.
  private static let bytesMax = 80

  init?(_ text: String, in zone: TimeZoneRules) {
    if let clock = ProgrammeTimes.clock(text) {
      (start, secondsLong, unread) = (clock, nil, [])
      return
    }
    guard text.utf8.count <= Self.bytesMax else { return nil }
    let listing = PrintedReader(capturedAt: WallTime(milliseconds: 0), zone: zone).times(text)
    guard listing.alarms.isEmpty, listing.groups.allSatisfy({ $0.days.isEmpty }), listing.times.count == 1,
      case let time = listing.times[0], time.notes.isDisjoint(with: [.mayBeDuration])
    else { return nil }
    let isMoved = time.notes.contains(.inferredServiceDay) && time.start.isAfterMidnight
    start = isMoved ? DisplayTime(time.start.clock) : time.start
    secondsLong = time.minutesLong.map { Int64($0) * 60 } ?? Self.lengthInBrackets(of: text)
    unread = Self.words(of: text.replacing(time.text, with: " ", maxReplacements: 1))
  }

  /// `19:30 (120')`; a number alone may count anything.
  private static func lengthInBrackets(of text: String) -> Int64? {
    guard let open = text.lastIndex(where: { "(（[".contains($0) }) else { return nil }
    let aside = text[text.index(after: open)...].prefix { !")）]".contains($0) }
    guard aside.contains(where: { !$0.isNumber && $0 != " " && $0 != ":" }) else { return nil }
    return PrintedLength(String(aside))?.seconds
  }

  /// What stands outside brackets and is no word that goes with clocks.
  private static func words(of text: String) -> [String] {
    var depth = 0
    let outside = text.map { letter -> Character in
      if "(（[".contains(letter) { depth += 1 }
      if ")）]".contains(letter) { depth = max(0, depth - 1) }
      return depth == 0 ? letter : " "
    }
    let words = String(outside).split { !$0.isLetter }.map(String.init)
    return words.filter { !known.contains($0.lowercased()) }
  }

  /// Units and halves of the day, zones that do not move a clock of the place, and marks of cinemas.
  private static let known = Set(
    """
    a p m am pm h u hr hrs hs hour hours uhr uur heure heures hora horas ora ore noon midnight om um ab kl klo alle a la las \
    at from de o clock sharp start starts begin beginn gv q et est edt ct cst cdt mt mst mdt pt pst pdt gmt bst utc cet cest \
    kst jst ist hkt sgt 시 분 반 부터 오전 오후 時 分 半 点 點 午前 午後 上午 下午 から 開映 開演 開始 시작 上映
    """.split(separator: " ").map(String.init))
}
