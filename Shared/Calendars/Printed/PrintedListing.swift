package import Clocks

/// What a printed text says about when: dates, times under them, exceptions; and what is wrong with it.
///
/// Nothing in it is a silent guess. A value carries the notes of how it was come by; where the text contradicts itself
/// there is no value but an alarm.
package struct PrintedListing: Hashable, Sendable {
  package internal(set) var groups: [Group] = []
  package internal(set) var alarms: [PrintedAlarm] = []
  /// `上映終了未定`: nobody knows yet when it ends.
  package internal(set) var isEndUndecided = false
  /// `※11/22は16:40の回休映`: single showings that do not take place.
  package internal(set) var cancelled: [Cancelled] = []

  /// Dates, and the times that stand under them.
  package struct Group: Hashable, Sendable {
    package internal(set) var days: [PrintedDays] = []
    package internal(set) var times: [PrintedTime] = []
    package internal(set) var exceptions: [PrintedDays] = []
    package internal(set) var exceptedWeekdays: WeekdaySet = []
    /// `휴관`, `休館` beside the dates: nothing is shown on them.
    package internal(set) var isClosed = false
    /// A date stood here that raised an alarm, so the times are under no date we know.
    package internal(set) var hasUnreadDate = false
    /// Weekdays without dates that its times stand under: "Mon–Fri 19:30".
    package internal(set) var undatedWeekdays: WeekdaySet = []
  }

  /// `~12/4까지`, `12/4(木)まで`: the run ends, and the text says so.
  package var isLastChance: Bool { groups.contains { $0.days.contains { $0.first == nil && $0.last != nil } } }

  package var times: [PrintedTime] { groups.flatMap(\.times) }

  /// Times of a day, or of each day of a run, at which nothing is shown.
  package struct Cancelled: Hashable, Sendable {
    package let days: PrintedDays
    package let times: [DisplayTime]
  }
}

/// A day or a run of days, as printed.
package struct PrintedDays: Hashable, Sendable {
  /// Nil: since before.
  package let first: CivilDate?
  /// Nil: until nobody says when.
  package let last: CivilDate?
  package let notes: Set<PrintedNote>
  /// What was printed.
  package internal(set) var text: String

  /// If it is one day.
  package var day: CivilDate? { first == last ? first : nil }

  package var confidence: PrintedConfidence { PrintedConfidence(notes) }

  package init(first: CivilDate?, last: CivilDate?, notes: Set<PrintedNote> = [], text: String) {
    self.first = first
    self.last = last
    self.notes = notes
    self.text = text
  }
}

/// A time with what belongs to it, as printed.
package struct PrintedTime: Hashable, Sendable {
  package let start: DisplayTime
  /// From the start, so that an all-nighter's end at six is not lost.
  package let minutesLong: Int?
  package let doors: DisplayTime?
  package let lastOrder: DisplayTime?
  /// `19:30~`
  package let isOpenEnded: Bool
  package let notes: Set<PrintedNote>
  /// What was printed.
  package let text: String
  /// What was printed for the doors.
  package let doorsText: String?

  /// Nil if it has none, or one past 29:59.
  package var end: DisplayTime? { minutesLong.flatMap { DisplayTime(minutes: start.minutes + $0) } }

  package var confidence: PrintedConfidence { PrintedConfidence(notes) }
}

/// One showing of a listing.
package struct PrintedShowing: Hashable, Sendable {
  package let time: ServiceTime
  package let startsAt: WallTime
  package let endsAt: WallTime?
  package let notes: Set<PrintedNote>
  package let text: String

  package var confidence: PrintedConfidence { PrintedConfidence(notes) }
}

/// How a value was come by, where the text did not say it.
package enum PrintedNote: String, Hashable, Sendable, Codable, CaseIterable {
  /// The year is the one in which the date lies near the capture, and has the printed weekday if one is printed.
  case inferredYear
  /// A day of the month alone: the nearest one.
  case inferredMonth
  /// A weekday alone: the next one.
  case inferredFromWeekday
  /// A weekday's short form that means different days in different languages; the date decided.
  case ambiguousWeekday
  /// `오늘`, `tomorrow`: counted from the capture.
  case relativeDay
  /// The capture was after midnight and before the end of the service day, so "today" may be either.
  case capturedAfterMidnight
  /// A run that ends, from the day of the capture on.
  case inferredStart
  /// A bare 00:30, or a time that goes back: after midnight of the date it stands under.
  case inferredServiceDay
  /// A bare 00:30 before all later times: it may be the small hours before.
  case earlyTimeListedFirst
  /// "pm" was taken from a neighbour in the list.
  case inferredMeridiem
  /// `7:30` alone: read on a 24-hour clock, and it may be evening.
  case hourWithoutMeridiem
  /// `1h46`: it may be a film's length.
  case mayBeDuration
  /// Earlier than the one before it, and not after midnight.
  case outOfOrder
  /// The end's clock is before the start's: it is on the next day.
  case endIsNextDay
  /// The clocks jump over this time: the offset before the jump was taken (RFC 5545).
  case skippedLocalTime
  /// The clocks show this time twice: the first was taken (RFC 5545).
  case repeatedLocalTime
}

/// How far to trust a value.
package enum PrintedConfidence: Int, Hashable, Comparable, Sendable, Codable {
  /// Somebody should look.
  case doubtful
  /// By a rule that is right as a rule.
  case inferred
  /// The text says so.
  case stated

  package init(_ notes: Set<PrintedNote>) {
    let doubts: Set<PrintedNote> = [.earlyTimeListedFirst, .mayBeDuration, .capturedAfterMidnight]
    self = notes.isEmpty ? .stated : notes.isDisjoint(with: doubts) ? .inferred : .doubtful
  }

  package static func < (left: PrintedConfidence, right: PrintedConfidence) -> Bool { left.rawValue < right.rawValue }
}

/// Something printed that contradicts itself or could be two things: there is no value.
package struct PrintedAlarm: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, Hashable, Sendable, Codable {
    /// `11/23(일)` where 11/23 is a Monday.
    case weekdayDisagrees = "the weekday is not that of the date"
    case ambiguousDayMonth = "day and month may be the other way round; set the site's date order"
    case ambiguousDateOrTime = "this may be a date or a time; say which is expected"
    /// `Mon–Fri 19:30`.
    case weekdaysWithoutDates = "weekdays without dates say when, but not in which week"
    /// Further from the capture than a programme reaches.
    case outsideWindow = "no year brings this date near the capture"
    case noSuchDay = "there is no such day"
    case contradictoryMeridiem = "the part of the day does not fit the hour"
    /// 翌10:00.
    case beyondServiceDay = "the time is past 29:59 of its date"
    case backwards = "the end is before the start"
    case tooLong = "it lasts longer than a programme does"
    case endWithoutStart = "an end has no start"
    case doorsWithoutStart = "doors open for nothing that starts"
    /// `※11/24` without a word that says it is an exception.
    case remarkWithDate = "a remark has a date, and does not say what happens"
    case moreThanOneDate = "one date is expected"
    case textTooLong = "the text is longer than any listing; give it in parts"
    case tooManyShowings = "more showings than any listing has"
  }

  package let kind: Kind
  /// What was printed.
  package let text: String
  /// The dates it could be, if it were not contradicted.
  package let candidates: [CivilDate]

  init(_ kind: Kind, _ text: String, candidates: [CivilDate] = []) {
    self.kind = kind
    self.text = text
    self.candidates = candidates
  }

  package var description: String {
    let dates = candidates.isEmpty ? "" : " (" + candidates.map(\.description).joined(separator: ", ") + ")"
    return "\"\(text)\": \(kind.rawValue)\(dates)"
  }
}
