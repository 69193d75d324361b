import Calendars
import Clocks
import Contracts
import HTML
import JSON

/// A day's showings as the platform's JSON tells them.
nonisolated struct DtryxDay {
  private(set) var listings: [Listing] = []
  private(set) var unread: [UnreadPiece] = []

  private let platform: DtryxPlatform
  private let zone: TimeZoneRules
  private let date: CivilDate

  /// Fewer seats than this share of the house are few.
  private static let fewShare = 0.15
  /// A day of a large house has a hundred rows of some forty members.
  private static let bytesMax = 4 << 20

  init(_ page: Page, _ platform: DtryxPlatform, _ zone: TimeZoneRules) throws(ReadingError) {
    guard let date = page.subject.flatMap({ CivilDate($0) }) else {
      throw ReadingError("a day's page without its date", role: page.role)
    }
    self.platform = platform
    self.zone = zone
    self.date = date
    let value = try Self.json(page)
    guard let rows = value["Showseqlist"]?.array else {
      throw ReadingError("the answer has no array Showseqlist", role: page.role)
    }
    for row in rows { add(row) }
  }

  private static func json(_ page: Page) throws(ReadingError) -> JSONValue {
    do {
      let text = try Charset.decode(page.body, declared: page.charset, hint: nil)
      return try JSONValue(parsing: text.bytes, limits: JSONLimits(bytes: bytesMax))
    } catch {
      throw ReadingError("the answer is no JSON: \(error)", role: page.role)
    }
  }

  private mutating func add(_ row: JSONValue) {
    guard let title = row.text("MovieNm"), !title.isEmpty else {
      return unread.append(UnreadPiece(what: "a row of \(date)", why: "it has no MovieNm"))
    }
    let printed = row.text("StartTime") ?? ""
    guard let (time, isInferred) = Self.time(printed) else {
      return unread.append(UnreadPiece(what: "\(title) \(printed)", why: "StartTime is no time of the day"))
    }
    let service = ServiceTime(date, time)
    let name = PrintedName(title)
    var listing = Listing(
      title: title, filmTitle: name.filmTitle, startsAt: zone.instant(of: service), serviceTime: service)
    listing.attributes = name.attributes
    listing.isInferred = isInferred
    let code = row.text("MovieCd")
    listing.filmCode = code.map { "dtryx:\($0)" }
    listing.screen = row.text("ScreenNm")
    listing.posterURL = row.text("Url")
    if let text = row.text("EndTime"), let end = Self.time(text)?.time {
      let instant = zone.instant(of: ServiceTime(date, end))
      // An end that is printed as 01:10 for a film from 23:30 is the next day's.
      listing.endsAt = instant > listing.startsAt ? instant : instant.adding(.seconds(86_400))
    } else if let minutes = row.number("RunningTime"), (1...1_440).contains(minutes) {
      listing.endsAt = listing.startsAt.adding(.seconds(minutes * 60))
    }
    listing.seats = Self.seats(row)
    if let screen = row.text("ScreenCd"), let sequence = row.text("ShowSeq") {
      listing.bookingID = "\(platform.cinema)/\(date)/\(screen)/\(sequence)"
      if row.text("NextSkipYn") != "N", let code {
        listing.bookingURL = platform.booking(film: code, date: date, screen: screen, sequence: sequence)
      }
    }
    listings.append(listing)
  }

  /// `19:30`, `24:30`, `0930`; a bare 00:30 is the night's.
  private static func time(_ text: String) -> (time: DisplayTime, isInferred: Bool)? {
    var text = text
    if text.utf8.count == 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      text = "\(text.prefix(2)):\(text.suffix(2))"
    } else if text.utf8.count == 4, text.utf8.dropFirst().first == UInt8(ascii: ":") {
      text = "0\(text)"
    }
    guard let printed = DisplayTime(text) else { return nil }
    guard let placed = ServiceDay.standard.placing(printed) else { return (printed, false) }
    return (placed, placed != printed)
  }

  private static func seats(_ row: JSONValue) -> Seats? {
    guard let left = row.number("RemainSeatCnt"), left >= 0 else { return nil }
    let total = row.number("TotalSeatCnt").flatMap { $0 > 0 ? $0 : nil }
    let isFew = total.map { Double(left) < Double($0) * fewShare } ?? false
    return Seats(state: left == 0 ? .soldOut : isFew ? .few : .available, left: left, total: total)
  }
}

nonisolated extension JSONValue {
  /// The platform writes numbers as texts and codes as numbers; either will do.
  fileprivate func text(_ name: String) -> String? {
    switch self[name] {
    case .string(let text): text.isEmpty ? nil : text
    case .int(let number): "\(number)"
    case .null, .bool, .double, .array, .object, nil: nil
    }
  }

  fileprivate func number(_ name: String) -> Int? { text(name).flatMap { Int($0) } }
}
