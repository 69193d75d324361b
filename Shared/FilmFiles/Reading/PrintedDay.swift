import Calendars
import Contracts
import Drafts

/// The day that a film was released, as tables of many hands write one.
enum PrintedDay: Hashable {
  case day(CivilDate)
  /// Nothing but its year.
  case year(Int)
  /// `02/06/2023`: day and month, in an order that only the other rows can tell.
  case either(Int, Int, year: Int)

  enum Order { case dayFirst, monthFirst, unknown }

  /// Longer texts are no dates.
  private static let bytesMax = 60

  init?(_ text: String) {
    guard text.utf8.count <= Self.bytesMax else { return nil }
    // "25 December 1999 (USA)", "1999-12-25T00:00:00Z"
    let whole = text.prefix { $0 != "(" && $0 != "T" || $0 == "T" && !text.contains(":") }.trimmed
    if let date = CivilDate(whole) {
      self = .day(date)
      return
    }
    let words = whole.split { !$0.isLetter && !$0.isNumber }.flatMap(Self.pieces)
    let numbers = words.compactMap { Int($0) ?? Self.ordinal($0) }
    let months = words.compactMap(Self.month)
    guard numbers.count + months.count == words.count, months.count <= 1 else { return nil }
    switch (numbers.count, months.first) {
    case (1, nil) where whole.utf8.count == 8:
      self.init(year: numbers[0] / 10_000, numbers[0] / 100 % 100, numbers[0] % 100)
    case (1, _): self.init(year: numbers[0])
    case (2, nil): self.init(year: numbers[0] > 31 ? numbers[0] : numbers[1])
    case (2, let month?): self.init(year: max(numbers[0], numbers[1]), month, min(numbers[0], numbers[1]))
    case (3, nil) where numbers[0] > 31: self.init(year: numbers[0], numbers[1], numbers[2])
    case (3, nil):
      guard Film.years.contains(numbers[2]), numbers[..<2].allSatisfy({ (1...31).contains($0) }) else { return nil }
      self = .either(numbers[0], numbers[1], year: numbers[2])
    default: return nil
    }
  }

  private init?(year: Int) {
    guard Film.years.contains(year) else { return nil }
    self = .year(year)
  }

  private init?(year: Int, _ month: Int, _ day: Int) {
    guard Film.years.contains(year), let date = CivilDate(year: year, month: month, day: day) else { return nil }
    self = .day(date)
  }

  /// "3rd"
  private static func ordinal(_ word: Substring) -> Int? {
    ["st", "nd", "rd", "th"].contains(word.suffix(2).lowercased()) ? Int(word.dropLast(2)) : nil
  }

  /// `2023年6月2日` has three.
  private static func pieces(_ word: Substring) -> [Substring] {
    word.split { "年月日년월일".contains($0) }
  }

  private static func month(_ word: Substring) -> Int? {
    let start = word.lowercased().prefix(3)
    guard word.count >= 3, let month = months.firstIndex(of: String(start)) else { return nil }
    return month + 1
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// As we write it; of a day that two orders read differently its year.
  func text(_ order: Order) -> String {
    switch self {
    case .day(let date): return date.description
    case .year(let year): return String(year)
    case .either(let first, let second, let year):
      let date =
        switch order {
        case .dayFirst: CivilDate(year: year, month: second, day: first)
        case .monthFirst: CivilDate(year: year, month: first, day: second)
        case .unknown:
          first == second || second > 12
            ? CivilDate(year: year, month: first, day: second)
            : first > 12 ? CivilDate(year: year, month: second, day: first) : nil
        }
      return date?.description ?? String(year)
    }
  }
}

extension PrintedDay.Order {
  /// Which order the days of a column have, by those that can be read in one alone.
  init(of texts: [String]) {
    var (days, months) = (0, 0)
    for case .either(let first, let second, _)? in texts.lazy.map({ PrintedDay($0) }) {
      if first > 12, second <= 12 { days += 1 }
      if second > 12, first <= 12 { months += 1 }
    }
    self = days > 0 && months == 0 ? .dayFirst : months > 0 && days == 0 ? .monthFirst : .unknown
  }
}
