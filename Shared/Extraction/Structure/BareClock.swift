import Calendars

/// What `7:30` is on a page: of the evening where no time of the page can only be of a 24-hour clock.
///
/// In a list the hours go up: behind 10:00 and 11:30 a 1:45 is of the afternoon and they are of the morning; behind 7:00
/// a 10:00 is of the night.
struct BareClock {
  let isTwelveHour: Bool
  /// By atom: its times, with those moved that mean the afternoon.
  private var starts: [Int: [DisplayTime?]] = [:]

  /// - Parameter kind: how a time stands in the page; nil of one that is none of the programme.
  init(_ atoms: [PageAtom], kind: (Int) -> String?) {
    var (late, early) = (0, 0)
    var (lateKinds, earlyKinds): (Set<String>, Set<String>) = ([], [])
    for (index, atom) in atoms.enumerated() {
      guard let kind = kind(index) else { continue }
      for time in Self.times(of: atom) {
        var isSurely24Hour = false
        if let hour = Self.bareHour(time) {
          isSurely24Hour = hour >= 13 || hour == 0 || Self.isPadded(time)
          // Nobody shows films at six in the morning, and children see them at nine.
          if (1...8).contains(hour) {
            early += 1
            earlyKinds.insert(kind)
          }
        } else if Self.saysHalf(time) || time.notes.contains(.inferredMeridiem) {
          continue
        } else {
          isSurely24Hour =
            time.start.hour >= 13 || time.start.hour < 10 && !time.notes.contains(.hourWithoutMeridiem)
        }
        if isSurely24Hour {
          late += 1
          lateKinds.insert(kind)
        }
      }
    }
    // "18:00" of a price or a post, beside a programme that is printed otherwise.
    let isAstray = late * Self.astrayMin <= early && lateKinds.isDisjoint(with: earlyKinds)
    isTwelveHour = early > 0 && (late == 0 || isAstray)
    if isTwelveHour {
      moveRuns(atoms)
      moveEvenings(atoms)
    }
  }

  /// So many times of a programme stand against one elsewhere.
  private static let astrayMin = 5

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

  /// "at 7:30": what only says that a time follows.
  private static let hints = ["at ", "um ", "om ", "alle ", "ore ", "à ", "a las "]

  /// The hour of a time that is digits alone.
  private static func bareHour(_ time: PrintedTime) -> Int? {
    let text = hints.first(where: time.text.lowercased().hasPrefix).map { time.text.utf8.dropFirst($0.utf8.count) }
    let printed = text ?? time.text.utf8[...]
    let digits = printed.prefix(while: isDigitByte)
    guard (1...2).contains(digits.count), !time.notes.contains(.inferredMeridiem),
      printed.allSatisfy({ isDigitByte($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
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

  /// Under one day, each film with one time, and they go up: what follows an evening's 7:30 at 10:00 is of the night.
  private mutating func moveEvenings(_ atoms: [PageAtom]) {
    var day: [(atom: Int, minutes: Int)] = []
    var evenings: [[(atom: Int, minutes: Int)]] = []
    var isOrdered = true
    func settle() {
      guard day.count > 1 else { return }
      let isRising = zip(day, day.dropFirst()).allSatisfy { $0.minutes < $1.minutes }
      if isRising, day[0].minutes < Self.evening { evenings.append(day) }
      isOrdered = isOrdered && isRising
    }
    var isSingle = true
    for (index, atom) in atoms.enumerated() {
      if atom.isDate {
        if isSingle { settle() }
        (day, isSingle) = ([], true)
      }
      let times = Self.times(of: atom)
      guard let time = times.first else { continue }
      let isBare = times.count == 1 && Self.bareHour(time).map { (1...11).contains($0) } ?? false
      // Of two times side by side the second is the same film's.
      if !isBare || day.last.map({ $0.atom + 1 == index }) ?? false { isSingle = false }
      day.append((index, time.start.minutes))
    }
    if isSingle { settle() }
    // One alone may be a list of films.
    guard isOrdered, evenings.count >= Self.eveningsMin else { return }
    for member in evenings.flatMap({ $0.dropFirst() }) {
      starts[member.atom] = [DisplayTime(minutes: member.minutes + 720)]
    }
  }

  private static let eveningsMin = 2
  /// Nobody begins a day's programme at a bare 8:59 in the morning.
  private static let evening = 9 * 60

  private static func isBeside(_ text: String) -> Bool {
    text.utf8.count <= 3 || PageWords.isLabel(text) || ScreenName.isOne(text) || PrintedTitle(text).isOnlyMarks
  }

  private mutating func move(_ run: inout [Member]) {
    // The least that comes after each place: looking for it from each would take forever on a page of nothing but times.
    var least = Int.max
    var following = [Int](repeating: .max, count: run.count)
    // "10:15 | 11:30pm": the next time that says its half says that of those before it, from which the hours go up.
    var isBeforeNight = [Bool](repeating: false, count: run.count)
    var isNight = false
    for place in run.indices.reversed() {
      following[place] = least
      let time = run[place].time
      if Self.bareHour(time) != nil { isBeforeNight[place] = isNight } else { isNight = time.start.hour >= 12 }
      if Self.bareHour(time) != nil || isNight { least = min(least, time.start.minutes % 720) }
    }
    var isAfternoon = false
    for (place, member) in run.enumerated() {
      var meant: DisplayTime?
      if let hour = Self.bareHour(member.time), (1...11).contains(hour) {
        let minutes = hour * 60 + member.time.start.minute
        let goesBack = following[place] < minutes
        if hour <= 8 || isAfternoon || (hour == 9 || isBeforeNight[place]) && !goesBack {
          meant = DisplayTime(minutes: minutes + 720)
        }
        if meant != nil { isAfternoon = true }
      } else if Self.bareHour(member.time) == nil {
        isAfternoon = member.time.start.hour >= 12
      }
      starts[member.atom, default: []].append(meant)
    }
    run = []
  }
}
