/// Days in a bracket behind times: "20:15 (21.11. und 22.11.)", "19h (dias 23 e 24 – segunda e terça)".
extension PrintedAssembly {
  /// Where a bracket ends that says nothing but the days of the times before it; nil if it says more.
  func bracketOfDays(at open: Int) -> Int? {
    guard kind(open) == .open else { return nil }
    var hasDay = false
    var words = 0
    for index in open + 1..<open + 1 + Self.bracketMax {
      guard items.indices.contains(index) else { return nil }
      switch items[index].kind {
      case .close: return hasDay ? index : nil
      case .date(let date):
        // "(premiered 21 Nov 1946)"
        guard date.year == nil, date.day != nil else { return nil }
        hasDay = true
      case .text: words += 1
      case .weekdays, .separator, .join, .from, .untilSuffix: break
      default: return nil
      }
      guard words <= Self.bracketWordsMax else { return nil }
    }
    return nil
  }

  /// Days of two weeks, with what joins them.
  private static let bracketMax = 32
  private static let bracketWordsMax = 3

  /// Whether weekdays only say again which ones the days before them are: "23 e 24 – segunda e terça".
  func confirm(_ weekdays: WeekdaySet, _ days: [PrintedDays]) -> Bool {
    !days.isEmpty && days.allSatisfy { $0.day.map { weekdays.contains($0.weekday) } ?? false }
  }
}
