import Calendars

/// What `7:30` is on a page: of the evening where no time of the page can only be of a 24-hour clock.
///
/// In a list the hours go up: behind 10:00 and 11:30 a 1:45 is of the afternoon and they are of the morning; behind 7:00
/// a 10:00 is of the night.
struct BareClock {
  let isTwelveHour: Bool
  /// By atom: its times, with those moved that mean the afternoon.
  private var starts: [Int: [DisplayTime?]] = [:]

  init(_ atoms: [PageAtom], isCounted: (Int) -> Bool) {
    var isSurely24Hour = false
    var early = 0
    for (index, atom) in atoms.enumerated() where isCounted(index) {
      for time in Self.times(of: atom) {
        if let hour = Self.bareHour(time) {
          if hour >= 13 || hour == 0 || Self.isPadded(time) { isSurely24Hour = true }
          // Nobody shows films at six in the morning, and children see them at nine.
          if (1...8).contains(hour) { early += 1 }
        } else if Self.saysHalf(time) {
          continue
        } else if time.start.hour >= 13 || time.start.hour < 10 && !time.notes.contains(.hourWithoutMeridiem) {
          isSurely24Hour = true
        }
      }
    }
    isTwelveHour = !isSurely24Hour && early > 0
    if isTwelveHour { moveRuns(atoms) }
  }

  /// The time that is meant, if it is another than the one printed.
  func meant(_ atom: Int, _ index: Int) -> DisplayTime? {
    guard let starts = starts[atom], starts.indices.contains(index) else { return nil }
    return starts[index]
  }

  private static func times(of atom: PageAtom) -> [PrintedTime] {
    switch atom.kind {
    case .times(let times): times
    case .both: atom.line?.times ?? []
    default: []
    }
  }

  /// The hour of a time that is digits alone.
  private static func bareHour(_ time: PrintedTime) -> Int? {
    let digits = time.text.utf8.prefix(while: isDigitByte)
    guard (1...2).contains(digits.count), !time.notes.contains(.inferredMeridiem),
      time.text.utf8.allSatisfy({ isDigitByte($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
    else { return nil }
    return Int(Substring(digits))
  }

  /// "11:30 PM" says nothing of the page's other times but that its clock may have twelve hours.
  private static func saysHalf(_ time: PrintedTime) -> Bool {
    let letters = time.text.lowercased().unicodeScalars.filter(\.properties.isAlphabetic)
    return ["am", "pm", "a", "p", "오전", "오후", "午前", "午後"].contains(String(String.UnicodeScalarView(letters)))
  }

  private static func isPadded(_ time: PrintedTime) -> Bool { time.text.utf8.first == UInt8(ascii: "0") }

  // MARK: Lists

  private struct Member {
    var atom: Int
    var index: Int
    var time: PrintedTime
  }

  /// Times with nothing between them that could be another film are one list.
  private mutating func moveRuns(_ atoms: [PageAtom]) {
    var run: [Member] = []
    for (index, atom) in atoms.enumerated() {
      let times = Self.times(of: atom)
      if times.isEmpty {
        if !(atom.isWords && Self.isBeside(atom.text)) { move(&run) }
        continue
      }
      if case .both = atom.kind { move(&run) }
      for (place, time) in times.enumerated() { run.append(Member(atom: index, index: place, time: time)) }
    }
    move(&run)
  }

  private static func isBeside(_ text: String) -> Bool {
    text.utf8.count <= 3 || PageWords.isLabel(text) || ScreenName.isOne(text) || PrintedTitle(text).isOnlyMarks
  }

  private mutating func move(_ run: inout [Member]) {
    // The least that comes after each place: looking for it from each would take forever on a page of nothing but times.
    var least = Int.max
    var following = [Int](repeating: .max, count: run.count)
    for place in run.indices.reversed() {
      following[place] = least
      let time = run[place].time
      if let hour = Self.bareHour(time) { least = min(least, hour % 12 * 60 + time.start.minute) }
    }
    var isAfternoon = false
    for (place, member) in run.enumerated() {
      var meant: DisplayTime?
      if let hour = Self.bareHour(member.time), (1...11).contains(hour) {
        let minutes = hour * 60 + member.time.start.minute
        let goesBack = following[place] < minutes
        if hour <= 8 || isAfternoon || hour == 9 && !goesBack { meant = DisplayTime(minutes: minutes + 720) }
      }
      if meant != nil { isAfternoon = true }
      starts[member.atom, default: []].append(meant)
    }
    run = []
  }
}
