/// How text gets into a line: appended as bytes, with nothing in it that could end the line or move a cursor.
extension [UInt8] {
  mutating func append(ascii text: String) { append(contentsOf: text.utf8) }

  mutating func append(jsonString text: String) {
    append(escaped: text, quote: UInt8(ascii: "\""))
  }

  /// Escapes as JSON does, and more: control characters of both ranges, line separators and the marks that reverse the
  /// direction of writing, with which a hostile name could forge what an operator reads.
  mutating func append(escaped text: String, quote: UInt8?) {
    // Nearly every text is plain: one pass to see it, one copy.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "\"") }) {
      if let quote { append(quote) }
      append(contentsOf: text.utf8)
      if let quote { append(quote) }
      return
    }
    if let quote { append(quote) }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": append(ascii: "\\n")
      case "\r": append(ascii: "\\r")
      case "\t": append(ascii: "\\t")
      case "\"" where quote != nil: append(ascii: "\\\"")
      case "\\": append(ascii: "\\\\")
      case _ where scalar.isUnsafeInLine: append(unicodeEscape: scalar.value)
      default: append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
      }
    }
    if let quote { append(quote) }
  }

  /// `2026-11-20T05:02:31.123456Z`
  mutating func append(timestamp microseconds: Int64, fractionDigits: Int) {
    let seconds = microseconds.flooredDivision(by: 1_000_000)
    let days = seconds.flooredDivision(by: 86_400)
    let date = CivilDate(daysSince1970: days)
    let clock = Int(seconds - days * 86_400)
    append(decimal: Int(clamping: date.year), digits: 4)
    append(ascii: "-")
    append(decimal: date.month, digits: 2)
    append(ascii: "-")
    append(decimal: date.day, digits: 2)
    append(ascii: "T")
    append(decimal: clock / 3_600, digits: 2)
    append(ascii: ":")
    append(decimal: clock / 60 % 60, digits: 2)
    append(ascii: ":")
    append(decimal: clock % 60, digits: 2)
    append(ascii: ".")
    let fraction = Int(microseconds - seconds * 1_000_000)
    append(decimal: fractionDigits == 6 ? fraction : fraction / 1_000, digits: fractionDigits)
    append(ascii: "Z")
  }

  /// Milliseconds with three decimals: what a log's reader compares.
  mutating func append(milliseconds duration: Duration) {
    let microseconds = duration / .microseconds(1)
    if microseconds < 0 { append(ascii: "-") }
    let whole = UInt64(exactly: microseconds.magnitude.rounded()) ?? .max
    append(ascii: String(whole / 1_000))
    append(ascii: ".")
    append(decimal: Int(whole % 1_000), digits: 3)
  }

  private mutating func append(decimal number: Int, digits: Int) {
    let text = String(number)
    for _ in 0..<Swift.max(0, digits - text.utf8.count) { append(UInt8(ascii: "0")) }
    append(ascii: text)
  }

  private mutating func append(unicodeEscape value: UInt32) {
    append(ascii: "\\u")
    let text = String(value, radix: 16)
    for _ in 0..<Swift.max(0, 4 - text.utf8.count) { append(UInt8(ascii: "0")) }
    append(ascii: text)
  }
}

extension Unicode.Scalar {
  /// Every value listed lies in the basic plane, so four hexadecimal digits always hold it.
  package var isUnsafeInLine: Bool {
    switch value {
    case 0...0x1f, 0x7f...0x9f, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: true
    default: false
    }
  }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

/// The day of the Gregorian calendar, counted in eras of 400 years that begin on the first of March.
private struct CivilDate {
  let year: Int64
  let month: Int
  let day: Int

  init(daysSince1970 days: Int64) {
    let shifted = days + 719_468
    let era = shifted.flooredDivision(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }
}
