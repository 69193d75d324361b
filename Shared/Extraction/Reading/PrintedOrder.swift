import Calendars

/// Whether a page writes the month or the day first: `11/24/2026` is the 24th of November, and so is `12/3/2026` beside
/// it the 3rd of December, whatever the custom of the country.
struct PrintedOrder {
  private let years: ClosedRange<Int>

  /// Dates that can be read in one way only; one alone may be a mistake, or somebody else's.
  private static let datesMin = 2

  init(around year: Int) { years = year - 1...year + 1 }

  /// Nil where no dates tell, or they disagree.
  func order(of bytes: [UInt8], budget: WorkBudget) throws(ExtractionError) -> DateOrder? {
    try budget.spend(bytes.count / 16)
    var monthFirst: Set<Int> = []
    var dayFirst: Set<Int> = []
    for slash in bytes.indices where bytes[slash] == UInt8(ascii: "/") {
      guard let (first, second) = numbers(around: slash, in: bytes) else { continue }
      let date = first * 100 + second
      if first <= 12, (13...31).contains(second) { monthFirst.insert(date) }
      if second <= 12, (13...31).contains(first) { dayFirst.insert(date) }
    }
    if monthFirst.count >= Self.datesMin, dayFirst.isEmpty { return .monthFirst }
    return dayFirst.count >= Self.datesMin && monthFirst.isEmpty ? .dayFirst : nil
  }

  /// The two numbers beside the first stroke of `11/24/2026`, which is no part of an address.
  private func numbers(around slash: Int, in bytes: [UInt8]) -> (Int, Int)? {
    var start = slash
    while start > 0, slash - start < 3, isDigitByte(bytes[start - 1]) { start -= 1 }
    guard (1...2).contains(slash - start), start == 0 || bytes[start - 1] != UInt8(ascii: "/") else { return nil }
    var end = slash + 1
    while end < bytes.count, end - slash < 4, isDigitByte(bytes[end]) { end += 1 }
    guard (2...3).contains(end - slash), end + 5 <= bytes.count, bytes[end] == UInt8(ascii: "/") else { return nil }
    let year = bytes[end + 1..<end + 5]
    guard year.allSatisfy(isDigitByte), end + 5 == bytes.count || !isNext(bytes[end + 5]),
      years.contains(number(year))
    else { return nil }
    return (number(bytes[start..<slash]), number(bytes[slash + 1..<end]))
  }

  private func isNext(_ byte: UInt8) -> Bool { isDigitByte(byte) || byte == UInt8(ascii: "/") }

  private func number(_ digits: ArraySlice<UInt8>) -> Int { digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
}
