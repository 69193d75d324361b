import Calendars

/// Weekdays as they are printed, by themselves and beside other words.
extension PageClock {
  static func weekdays(of days: [PrintedDays]) -> Set<Weekday> {
    var found: Set<Weekday> = []
    for days in days {
      guard let first = days.first, let last = days.last, first <= last else { continue }
      for date in (first...last).prefix(7) { found.insert(date.weekday) }
    }
    return found
  }

  func hasWeekday(_ text: String) -> Bool {
    let withoutDigits = String(
      String.UnicodeScalarView(text.unicodeScalars.filter { !(0x30...0x39).contains($0.value) })
    ).trimmedText
    return PrintedLine(withoutDigits, clock: self)?.days.first?.notes.contains(.inferredFromWeekday) ?? false
  }

  /// Whether a day is printed with its weekday, also a short one: on the day beside it, "Sa. 01.08." were a contradiction.
  func saysWeekday(_ days: PrintedDays) -> Bool {
    guard let day = days.day else { return false }
    if hasWeekday(days.text) { return true }
    var number = ""
    var start: String.Index?
    for index in days.text.utf8.indices + [days.text.endIndex] {
      if index < days.text.endIndex, isDigitByte(days.text.utf8[index]) {
        start = start ?? index
        number.append(Character(Unicode.Scalar(days.text.utf8[index])))
        continue
      }
      if let start, Int(number) == day.day {
        let other = day.day < 28 ? day.day + 1 : day.day - 1
        let shifted = days.text[..<start] + "\(other)" + days.text[index...]
        return printed.read(String(shifted), expecting: .dates).alarms.contains { $0.kind == .weekdayDisagrees }
      }
      (number, start) = ("", nil)
    }
    return false
  }

  /// Whether a text is the name of a weekday, also a short one.
  func isWeekday(_ text: String) -> Bool {
    guard text.utf8.count <= Self.weekdayBytesMax else { return false }
    let days = printed.read(text, expecting: .dates).groups.flatMap(\.days)
    return days.count == 1 && days[0].notes.contains(.inferredFromWeekday)
  }

  enum Months { case heading, perhaps }

  /// "November / Dezember 2026": months, a year, and what joins them. Without a year or a joint, as "May December" and
  /// "August", they may be a film's.
  func months(_ text: String) -> Months? {
    guard text.utf8.count <= Self.monthsBytesMax else { return nil }
    var months = 0
    var isSure = text.unicodeScalars.contains { "/–-&+".unicodeScalars.contains($0) }
    for word in text.unicodeScalars.split(whereSeparator: { !$0.properties.isAlphabetic && !("0"..."9").contains($0) })
    {
      let word = String(Substring(word))
      if word.utf8.allSatisfy(isDigitByte) {
        guard word.utf8.count == 4 else { return nil }
        isSure = true
      } else if Self.monthJoints.contains(word.lowercased()) {
        isSure = true
      } else {
        guard isMonth(word) else { return nil }
        months += 1
      }
    }
    return months == 0 ? nil : isSure ? .heading : .perhaps
  }

  /// Whether a word is the name of a month, also a short one.
  func isMonth(_ word: String) -> Bool {
    guard word.unicodeScalars.count >= 3,
      let days = PrintedLine("1 \(word) \(captured.year)", clock: self)?.days, days.count == 1
    else { return false }
    return days[0].day?.day == 1
      && days[0].notes.isDisjoint(with: [.inferredMonth, .inferredFromWeekday, .relativeDay])
  }

  /// "Programma dicembre 2026": what says that it is a programme, and of which month.
  func isProgrammeOfMonth(_ text: String) -> Bool {
    guard text.utf8.count <= Self.monthsBytesMax, PageWords.saysProgrammeAmongOthers(text) else { return false }
    let rest = text.unicodeScalars.split { !$0.properties.isAlphabetic && !("0"..."9").contains($0) }
      .map { String(Substring($0)) }.filter { !isMonth($0) }
    return PageWords.isGeneric(rest.joined(separator: " "))
  }

  /// Two months' names and a year.
  private static let monthsBytesMax = 40
  private static let monthJoints: Set<String> = ["and", "und", "et", "y", "e", "en", "to", "bis", "à", "a", "de", "di"]

  /// A weekday's name, in any language.
  static let weekdayBytesMax = 24
}
