import Calendars

/// An address with a date in it: `{date}`, `{date:yyyyMMdd}`, `{date:yyyy/MM/dd}`.
nonisolated struct DateTemplate {
  private let before: String
  private let after: String
  private let pattern: String

  init?(_ text: String) {
    guard let open = text.utf8.firstIndex(of: UInt8(ascii: "{")),
      let close = text.utf8[open...].firstIndex(of: UInt8(ascii: "}"))
    else { return nil }
    let inside = text[text.utf8.index(after: open)..<close]
    guard inside == "date" || inside.hasPrefix("date:") else { return nil }
    before = String(text[..<open])
    after = String(text[text.utf8.index(after: close)...])
    pattern = inside == "date" ? "yyyy-MM-dd" : String(inside.dropFirst("date:".count))
  }

  func filled(with date: CivilDate) -> String {
    func digits(_ number: Int, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    var rest = pattern[...]
    var text = ""
    while let first = rest.first {
      let run = rest.prefix { $0 == first }
      rest = rest.dropFirst(run.count)
      switch first {
      case "y": text += run.count == 2 ? digits(date.year % 100, 2) : digits(date.year, 4)
      case "M": text += digits(date.month, run.count)
      case "d": text += digits(date.day, run.count)
      default: text += run
      }
    }
    return before + text + after
  }
}
