import Calendars
import Clocks
import Contracts

/// Times as a cinema prints them. They come with the cinema's own offset, so no zone is asked: `Web/js/time.js` does the same.
nonisolated struct PageTimes {
  let words: Words
  let now: WallTime

  /// What a clock at the cinema shows.
  struct Clock {
    let date: CivilDate
    let hour: Int
    let minute: Int

    init(_ timestamp: Timestamp) { self.init("\(timestamp)") }

    /// `2026-11-24T00:30:00+09:00`; anything else is midnight of no day.
    init(_ text: String) {
      let text = Array(text.utf8)
      func number(_ range: Range<Int>) -> Int {
        guard range.upperBound <= text.count else { return 0 }
        return text[range].reduce(0) { $0 &* 10 &+ Int($1) &- 48 }
      }
      date = CivilDate(year: number(0..<4), month: number(5..<7), day: number(8..<10)) ?? .first
      hour = number(11..<13)
      minute = number(14..<16)
    }
  }

  private var isEnglish: Bool { words.language == .en }

  private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private func twelve(_ clock: Clock) -> String {
    "\(clock.hour % 12 == 0 ? 12 : clock.hour % 12):\(twoDigits(clock.minute))\u{A0}\(clock.hour < 12 ? "am" : "pm")"
  }

  /// "24:30" as printed; in English the clock of the real day.
  func chip(_ show: ShowtimeItem) -> String {
    isEnglish ? twelve(Clock(show.startsAt)) : "\(show.showtime.displayTime)"
  }

  /// The same of a showing that the API tells of.
  func chip(startsAt: String, printed: String?) -> String {
    isEnglish ? twelve(Clock(startsAt)) : printed ?? clock(startsAt)
  }

  /// A time of day as cinemas print it, "25:00"; in English the clock's.
  func printed(_ time: DisplayTime) -> String {
    isEnglish ? twelve(Clock("0000-00-00T\(time.clock)")) : "\(time)"
  }

  func clock(_ instant: Timestamp) -> String { clock("\(instant)") }

  func clock(_ text: String) -> String {
    let clock = Clock(text)
    return isEnglish ? twelve(clock) : "\(twoDigits(clock.hour)):\(twoDigits(clock.minute))"
  }

  /// When something begins that is told by its instant alone: with its day, unless that is today's.
  func next(_ text: String) -> String {
    guard let instant = Timestamp(text) else { return "" }
    let clock = Clock(text)
    /// The service day where it is so late there.
    func day(_ time: WallTime) -> CivilDate {
      let early = WallTime(milliseconds: time.milliseconds - Self.dayEnds * 3_600_000)
      return Timestamp(early, offset: instant.offset).local.date
    }
    let isNight = !isEnglish && clock.hour < Self.dayEnds
    let shown = isNight ? "\(clock.hour + 24):\(twoDigits(clock.minute))" : self.clock(text)
    let (date, today) = (day(instant.instant), day(now))
    return date == today ? shown : "\(dayName(date, today: today)) \(shown)"
  }

  /// The hour at which a service day ends.
  private static let dayEnds: Int64 = 5

  /// So many minutes after an instant, in the instant's own offset.
  func later(_ text: String, by minutes: Int) -> String {
    guard let from = Timestamp(text) else { return "" }
    let instant = WallTime(milliseconds: from.instant.milliseconds + Int64(minutes) * 60_000)
    return "\(Timestamp(instant, offset: from.offset))"
  }

  /// Whole minutes between two instants that the API tells; less than none if they are the other way round.
  func minutes(from: String, to: String) -> Int {
    guard let from = Timestamp(from)?.instant, let to = Timestamp(to)?.instant else { return 0 }
    return Int((Double(to.milliseconds - from.milliseconds) / 60_000).rounded())
  }

  /// Whether an instant that the API tells is over.
  func isOver(_ text: String?) -> Bool {
    guard let instant = text.flatMap({ Timestamp($0) })?.instant else { return false }
    return instant < now
  }

  func isLate(_ show: ShowtimeItem) -> Bool { Clock(show.startsAt).date != show.showtime.serviceDate }

  func isPast(_ show: ShowtimeItem) -> Bool { show.showtime.startsAt < now }

  /// The real day and clock of a late show; in English the night that it belongs to.
  func lateNote(_ show: ShowtimeItem) -> String {
    let clock = Clock(show.startsAt)
    return isEnglish
      ? words("late.night", ["day": weekday(show.showtime.serviceDate)])
      : words("late.real", ["day": weekday(clock.date), "time": "\(clock.hour):\(twoDigits(clock.minute))"])
  }

  func weekday(_ date: CivilDate) -> String { words.list("weekdays")[Self.number(date)] }

  /// Sunday is 0, as scripts count.
  static func number(_ date: CivilDate) -> Int { date.weekday.rawValue % 7 }

  func long(_ date: CivilDate) -> String { told(date, by: "date.long") }

  /// The same with its year.
  func whole(_ date: CivilDate) -> String { told(date, by: "date.year") }

  /// The same, with its year where that is more than half a year away.
  func any(_ date: CivilDate) -> String {
    abs(date.daysSince1970 - today(in: .utc).daysSince1970) > 183 ? whole(date) : long(date)
  }

  /// The first day of a month: where only numbers stand, it says of which.
  func firstDay(_ date: CivilDate) -> String { told(date, by: "date.first") }

  private func told(_ date: CivilDate, by key: String) -> String {
    words(
      key,
      [
        "m": "\(date.month)", "d": "\(date.day)", "w": weekday(date), "month": words.list("months")[date.month - 1],
        "y": "\(date.year)",
      ])
  }

  func dayName(_ date: CivilDate, today: CivilDate) -> String {
    date == today ? words("today") : date == today + 1 ? words("tomorrow") : weekday(date)
  }

  func full(_ show: ShowtimeItem) -> String { full("\(show.startsAt)") }

  /// The day and the clock of an instant, for ears, for tooltips, and where the day is not clear.
  func full(_ instant: String) -> String {
    words("time.full", ["date": long(Clock(instant).date), "time": clock(instant)])
  }

  func ago(_ instant: Timestamp) -> String {
    let minutes = (now.milliseconds - instant.instant.milliseconds) / 60_000
    if minutes < 1 { return words("ago.now") }
    if minutes < 60 { return words("ago.min", ["n": "\(minutes)"]) }
    if minutes < 48 * 60 { return words("ago.hours", ["n": "\(minutes / 60)"]) }
    return words("ago.days", ["n": "\(minutes / 1_440)"])
  }

  /// Today where a cinema is; its service day ends at five, as the script has it.
  func today(in zone: TimeZoneRules) -> CivilDate { ServiceDay.standard.date(of: now, in: zone) }
}
