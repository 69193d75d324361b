import Calendars
import Clocks

/// Any text is a date, a time, a timestamp or none; what is one is written so that it reads as the same.
func fuzzTimes(_ input: UnsafeBufferPointer<UInt8>) {
  let text = String(decoding: input, as: UTF8.self)
  check(CivilDate(text))
  check(CivilDateTime(text))
  check(ClockTime(text))
  check(DisplayTime(text))
  check(Timestamp(text))
  _ = ISO8601Time(text)?.instant(in: .utc)
  let now = WallTime(milliseconds: 1_800_000_000_000)
  if let instant = WallTime(httpDate: text, now: now) {
    precondition(WallTime(httpDate: instant.httpDate, now: now) == instant, "\(text) is written \(instant.httpDate)")
  }
}

private func check<Value: LosslessStringConvertible & Equatable>(_ value: Value?) {
  guard let value else { return }
  precondition(Value(value.description) == value, "\(value) reads as something else")
}
