import Calendars
import JSON

/// A date or a clock whose parts are fields: `{"year": 2026, "month": 11, "day": 27}`, `"hour": 7, "ampm": "pm"`.
struct ClockFields {
  static let hours: Set<String> = ["hour", "hours", "hh", "h"]
  private static let meridians: Set<String> = ["ampm", "am", "pm", "meridian", "meridiem", "period"]
  /// Seven fields and an offset.
  private static let fieldsMax = 40

  /// By the last word of their names.
  private var fields: [String: JSONValue] = [:]

  /// The fields whose names are the words and one more.
  init(_ object: JSONObject, keys: RecordKeys, before words: [String]) {
    guard object.count <= Self.fieldsMax else { return }
    for (name, value) in object {
      // "am_pm" is one word of two.
      let own = keys[name].words.filter { $0 != "am" || !keys[name].words.contains("pm") }
      guard own.count == words.count + 1, own.starts(with: words), let last = own.last else { continue }
      fields[last] = value
    }
  }

  /// The day, the clock, or both.
  var moment: PartialMoment? {
    let year = number(["year", "yyyy", "y"])
    let date = year.flatMap { PageClock.years.contains($0) ? $0 : nil }.flatMap { year in
      number(["month", "mm", "m"]).flatMap { month in
        number(["day", "dd", "d"]).flatMap { CivilDate(year: year, month: month, day: $0) }
      }
    }
    let hour = Self.hours.lazy.compactMap { fields[$0] }.first
    guard let date else {
      guard year == nil else { return nil }
      return hour.flatMap { time(hour: $0, minutes: ["m", "mm"]) }.map(PartialMoment.time)
    }
    guard let hour else { return .date(date) }
    return time(hour: hour).map { .local(ServiceTime(date, $0).civil) }
  }

  /// Of an hour with its minutes, or with a half of the day; an hour alone may be a length.
  func time(hour: JSONValue, minutes others: [String] = []) -> DisplayTime? {
    let minute = number(["minute", "minutes", "min", "mins", "i"] + others)
    let half = Self.meridians.lazy.compactMap { fields[$0]?.string?.lowercased() }.first
    guard var value = Self.number(hour), minute != nil || half != nil else { return nil }
    if let half {
      guard (1...12).contains(value), half.hasPrefix("a") || half.hasPrefix("p") else { return nil }
      value = value % 12 + (half.hasPrefix("p") ? 12 : 0)
    }
    return DisplayTime(hour: value, minute: minute ?? 0)
  }

  private func number(_ names: [String]) -> Int? {
    names.lazy.compactMap { fields[$0].flatMap(Self.number) }.first
  }

  private static func number(_ value: JSONValue) -> Int? {
    value.int ?? value.string.flatMap { $0.utf8.count <= 4 ? Int($0) : nil }
  }
}
