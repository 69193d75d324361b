/// What printed prices say: `2001～3000円`, `～500円`, `ディナー2300円`, `15,000원~`, `£20-30`, `1만5천원`.
nonisolated package struct BudgetText: Hashable, Sendable {
  /// In the currency's smallest unit.
  package var least: Int?
  package var most: Int?
  package var currency: String?

  /// - Parameters:
  ///   - name: the range that a guide names.
  ///   - average: what the restaurant writes; only where the guide has no range.
  ///   - country: whose currency is meant where none is printed.
  package init(name: String?, average: String?, country: String) {
    for text in [name, average].compactMap(\.self) {
      let reading = Self.read(text, country)
      guard reading.least != nil || reading.most != nil else { continue }
      self = reading
      return
    }
  }

  private init() {}

  private static func read(_ text: String, _ country: String) -> BudgetText {
    var budget = BudgetText()
    let currency = currency(in: text) ?? ofCountry[country]
    let unit = currency == "JPY" || currency == "KRW" ? 1 : 100
    var (amounts, isOpenBefore, isOpenAfter, hasRange) = ([Int](), false, false, false)
    var (people, isAbout) = (1, false)
    var scalars = Array(dinner(text).unicodeScalars)[...]
    while let scalar = scalars.first {
      if let amount = amount(&scalars) {
        if isOfPeople(scalars) {
          people = (1...peopleMax).contains(amount) ? amount : 1
        } else if !isOfTime(scalars), amounts.count < 2 {
          amounts.append(amount)
          isAbout = isAbout || isRound(scalars)
        }
        continue
      }
      scalars.removeFirst()
      switch scalar {
      case "~", "～", "〜", "-", "–", "−":
        hasRange = true
        if amounts.isEmpty { isOpenBefore = true } else { isOpenAfter = true }
      case "下", "하": if !amounts.isEmpty { isOpenBefore = true }  // 以下 이하
      case "上", "상": if !amounts.isEmpty { isOpenAfter = true }  // 以上 이상
      default: break
      }
    }
    amounts = amounts.map { $0 / people }
    guard let first = amounts.first, first <= amountMax else { return budget }
    budget.currency = currency
    if amounts.count == 2, hasRange, amounts[1] >= first, amounts[1] <= amountMax {
      (budget.least, budget.most) = (first * unit, amounts[1] * unit)
    } else if isAbout {
      (budget.least, budget.most) = (first * unit, (first + power(of: first) - 1) * unit)
    } else if isOpenBefore {
      budget.most = first * unit
    } else if isOpenAfter {
      budget.least = first * unit
    } else {
      (budget.least, budget.most) = (first * unit, first * unit)
    }
    return budget
  }

  /// "2人で5000円", "1인당 15000원": for how many.
  private static func isOfPeople(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
    rest.first.map { ["人", "名", "인"].contains($0) } ?? false
  }

  /// "90分 3000円", "2시간 25,000원": how long one may stay.
  private static func isOfTime(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
    rest.first.map { ["分", "분"].contains($0) } ?? false
      || ["時間", "시간"].contains { rest.starts(with: $0.unicodeScalars) }
  }

  /// "1000円台", "2만원대": from that on, up to the next round one.
  private static func isRound(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
    let rest = rest.first.map { ["円", "원"].contains($0) } ?? false ? rest.dropFirst() : rest
    return rest.first.map { ["台", "대"].contains($0) } ?? false
  }

  /// 1,000 of 3,000.
  private static func power(of amount: Int) -> Int {
    var power = 1
    while power <= amount / 10 { power *= 10 }
    return power
  }

  private static let peopleMax = 20

  /// Nobody eats for more; what is larger is a telephone number.
  private static let amountMax = 10_000_000

  /// Behind the word for a dinner, where a lunch has a price of its own.
  private static func dinner(_ text: String) -> Substring {
    for word in ["ディナー", "（夜）", "(夜)", "夜：", "夜:", "夜", "저녁", "dinner", "Dinner"] {
      if let range = text.firstRange(of: word) { return text[range.upperBound...] }
    }
    return text[...]
  }

  /// `15,000`, `2500`, `１０００`, `1만5천`.
  private static func amount(_ scalars: inout ArraySlice<Unicode.Scalar>) -> Int? {
    guard let first = scalars.first, digit(first) != nil else { return nil }
    var (total, value) = (0, 0)
    while let scalar = scalars.first {
      if let digit = digit(scalar) {
        value = min(value * 10 + digit, amountMax * 100)
      } else if scalar == "만" || scalar == "万" || scalar == "천" || scalar == "千" {
        total += value * (scalar == "만" || scalar == "万" ? 10_000 : 1_000)
        value = 0
      } else if scalar == "," || scalar == "，" || scalar == ".", scalars.dropFirst().first.flatMap(digit) != nil {
        // A point before two digits begins pence, which nobody needs to know; "3.000" are thousands.
        if scalar == ".", scalars.dropFirst().prefix(4).prefix(while: { digit($0) != nil }).count != 3 { break }
      } else {
        break
      }
      scalars.removeFirst()
    }
    if scalars.first == "." {
      scalars.removeFirst()
      while let scalar = scalars.first, digit(scalar) != nil { scalars.removeFirst() }
    }
    return min(total + value, amountMax * 100)
  }

  private static func digit(_ scalar: Unicode.Scalar) -> Int? {
    switch scalar {
    case "0"..."9": Int(scalar.value - 0x30)
    case "０"..."９": Int(scalar.value - 0xFF10)
    default: nil
    }
  }

  private static func currency(in text: String) -> String? {
    for (mark, currency) in dollars where text.firstRange(of: mark) != nil { return currency }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "円", "¥", "￥": return "JPY"
      case "원", "₩": return "KRW"
      case "£": return "GBP"
      case "€": return "EUR"
      case "$": return "USD"
      default: continue
      }
    }
    return nil
  }

  /// In this order: "US$" ends as Singapore's does, and "CA$" as Australia's.
  private static let dollars: KeyValuePairs = [
    "US$": "USD", "CA$": "CAD", "NT$": "TWD", "HK$": "HKD", "S$": "SGD", "A$": "AUD", "C$": "CAD",
  ]

  package static let ofCountry = [
    "JP": "JPY", "KR": "KRW", "GB": "GBP", "US": "USD", "FR": "EUR", "DE": "EUR", "NL": "EUR",
  ]
}
