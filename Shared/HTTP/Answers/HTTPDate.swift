import Clocks

/// Times as HTTP writes them: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 5.6.7).
nonisolated enum HTTPDate {
  /// The twenty-nine characters.
  static func text(_ time: WallTime) -> String {
    let seconds = floorDivide(time.milliseconds, 1_000)
    let days = floorDivide(seconds, 86_400)
    let (year, month, day) = civil(days: days)
    let clock = Int(seconds - days * 86_400)
    let weekday = Int(floorModulo(days + 4, 7))
    return weekdays[weekday] + ", " + two(day) + " " + months[month - 1] + " " + four(year) + " " + two(clock / 3_600)
      + ":" + two(clock / 60 % 60) + ":" + two(clock % 60) + " GMT"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// The Gregorian date of a day since 1970-01-01, counted in eras of 400 years that begin in March.
  private static func civil(days: Int64) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = Int(shifted - era * 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

  private static func four(_ value: Int) -> String {
    String(repeating: "0", count: max(0, 4 - String(value).count)) + String(value)
  }

  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
  }

  private static func floorModulo(_ value: Int64, _ divisor: Int64) -> Int64 {
    value - floorDivide(value, divisor) * divisor
  }
}
