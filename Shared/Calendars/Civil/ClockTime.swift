/// A time that a wall clock can show, 00:00:00 to 23:59:59, on no particular day.
package struct ClockTime: Hashable, Comparable, Sendable {
  package let secondOfDay: Int

  package init?(hour: Int, minute: Int, second: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
    secondOfDay = hour * 3_600 + minute * 60 + second
  }

  init(secondOfDay: Int) {
    precondition((0..<86_400).contains(secondOfDay), "a day has 86,400 seconds")
    self.secondOfDay = secondOfDay
  }

  package static let midnight = ClockTime(secondOfDay: 0)
  package static let noon = ClockTime(secondOfDay: 43_200)

  package var hour: Int { secondOfDay / 3_600 }
  package var minute: Int { secondOfDay / 60 % 60 }
  package var second: Int { secondOfDay % 60 }

  package static func < (left: ClockTime, right: ClockTime) -> Bool { left.secondOfDay < right.secondOfDay }
}

/// Written `19:30`, or `19:30:05` when there are seconds.
extension ClockTime: LosslessStringConvertible, Codable, WrittenAsText {
  package static let form = "a time like 19:30 or 19:30:05"

  package init?(_ text: String) {
    guard let time = text.scanned({ $0.clockTime() }) else { return nil }
    self = time
  }

  package var description: String {
    String(ascii: 8) {
      $0.put(self, withSeconds: second != 0)
    }
  }
}

/// A time as cinemas print it, 00:00 to 29:59: the evening goes on after midnight, so half past midnight is `24:30`.
package struct DisplayTime: Hashable, Comparable, Sendable {
  /// Minutes since the midnight that begins the date it is printed under.
  package let minutes: Int

  package init?(hour: Int, minute: Int) {
    guard (0...29).contains(hour), (0...59).contains(minute) else { return nil }
    minutes = hour * 60 + minute
  }

  /// Nil outside 0..<1800.
  package init?(minutes: Int) {
    guard (0..<DisplayTime.end).contains(minutes) else { return nil }
    self.minutes = minutes
  }

  /// Seconds are dropped: nobody prints them.
  package init(_ clock: ClockTime) { minutes = clock.secondOfDay / 60 }

  static let end = 30 * 60
  static let day = 24 * 60

  package var hour: Int { minutes / 60 }
  package var minute: Int { minutes % 60 }

  /// 24:00 and later: on the date after the one it is printed under.
  package var isAfterMidnight: Bool { minutes >= DisplayTime.day }

  /// What a clock on the wall shows then: 00:30 for 24:30.
  package var clock: ClockTime { ClockTime(secondOfDay: minutes % DisplayTime.day * 60) }

  /// The same clock one day later, nil if that is past 29:59.
  package var nextDay: DisplayTime? { DisplayTime(minutes: minutes + DisplayTime.day) }

  package static func < (left: DisplayTime, right: DisplayTime) -> Bool { left.minutes < right.minutes }
}

/// Written `24:30`, always with two digits each.
extension DisplayTime: LosslessStringConvertible, Codable, CodingKeyRepresentable, WrittenAsText {
  package static let form = "a time from 00:00 to 29:59, like 24:30"

  package init?(_ text: String) {
    guard let time = text.scanned({ $0.displayTime() }) else { return nil }
    self = time
  }

  package var description: String {
    String(ascii: 5) {
      $0.put(twoDigits: hour)
      $0.put(":")
      $0.put(twoDigits: minute)
    }
  }
}
