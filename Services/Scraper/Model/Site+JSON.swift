import Calendars
import Contracts
import Extraction
package import JSON

/// A site as its file says it. What a rule adds (`films`, `days`, `prefer`) is its adapter's to read.
nonisolated extension Site {
  package init(parsing document: JSONValue) throws(JSONIssues) {
    var reader = JSONReader(document)
    let id = reader.required("site", as: SiteName.self)?.text ?? ""
    let cinema = reader.required("cinema", as: CinemaID.self)
    let zone = reader.required("zone", as: ZoneName.self)
    let adapter = reader.required("adapter", as: AdapterKind.self) ?? .structured
    let credit = reader.optional("credit", as: String.self)
    let pageURL = reader.optional("page", as: String.self)
    let start = reader.optional("start", as: [String].self) ?? []
    let isEnabled = reader.optional("enabled", as: Bool.self) ?? false
    var parameters: [String: String] = [:]
    if case .object(let members)? = document["params"] {
      for (name, value) in members { if let text = value.string { parameters[name] = text } }
    }
    _ = reader.optional("params", as: JSONValue.self)
    let place = reader.object("place") { reader -> Coordinate? in
      guard let lat = reader.required("lat", as: Double.self), let lon = reader.required("lon", as: Double.self) else {
        return nil
      }
      return try? Coordinate(latitude: lat, longitude: lon)
    }
    let rhythm = reader.object("schedule") { VisitRhythm(&$0) } ?? VisitRhythm()
    let expectations = reader.object("expect") { Expectations(&$0) } ?? Expectations()
    for name in Self.ruleMembers { _ = reader.optional(name, as: JSONValue.self) }
    if adapter == .dtryx {
      for name in ["brand", "cinema"] where parameters[name]?.isEmpty ?? true {
        reader.note("params", "needs \(name): the platform's code of the venue")
      }
    } else if start.isEmpty {
      reader.note("start", "names no address to begin with")
    }
    for (place, address) in start.enumerated() {
      if let problem = Self.problem(ofStart: address) { reader.note(at: "/start/\(place)", problem) }
    }
    if adapter == .rule, Self.rulesOwn.contains(where: { document[$0] != nil }) {
      do throws(SiteRuleError) {
        _ = try SiteRule(parsing: document, ignoring: ListingAdapter.membersOfSites)
      } catch {
        let told = Set(reader.issues.map(\.pointer))
        for problem in error.problems.map(Self.placed) where !told.contains(problem.pointer) {
          reader.note(at: problem.pointer, problem.detail)
        }
      }
    }
    try reader.finish()
    self.init(
      id: id, cinema: cinema!, zone: zone!, adapter: adapter,
      credit: credit ?? (adapter == .dtryx ? "dtryx" : Self.host(of: start.first ?? "")))
    self.parameters = parameters
    self.start = start
    self.document = document
    self.pageURL = pageURL ?? start.first { !$0.utf8.contains(UInt8(ascii: "{")) }
    self.rhythm = rhythm
    self.expectations = expectations
    self.place = place ?? nil
    self.isEnabled = isEnabled
  }

  /// Whether its document decides about it, and no operator's word beside it.
  package var saysWhetherEnabled: Bool { document["enabled"] != nil }

  /// What the extraction of pages has its own words for.
  private static let ruleMembers = [
    "$schema", "prefer", "days", "films", "follow", "fixtures", "venue", "date_order", "charset",
  ]

  /// What makes a site's file a rule: without any of it the pages are read as any page.
  private static let rulesOwn = ["films", "days", "prefer"]

  /// `/films/title: say where the title stands`, as its two parts.
  private static func placed(_ problem: String) -> (pointer: String, detail: String) {
    guard problem.hasPrefix("/"), let colon = problem.firstRange(of: ": ") else { return ("/films", problem) }
    return (String(problem[..<colon.lowerBound]), String(problem[colon.upperBound...]))
  }

  private static func problem(ofStart address: String) -> String? {
    guard address.hasPrefix("https://") || address.hasPrefix("http://") else {
      return "must be a whole address with https://, not “\(address)”"
    }
    guard address.utf8.contains(UInt8(ascii: "{")), DateTemplate(address) == nil else { return nil }
    return "has a part in braces that stands for nothing; {date} and {date:yyyyMMdd} stand for a day"
  }

  private static func host(of url: String) -> String {
    let rest = url.split(separator: "/", omittingEmptySubsequences: true).dropFirst()
    return rest.first.map(String.init) ?? "the cinema's site"
  }
}

nonisolated extension VisitRhythm {
  fileprivate init(_ reader: inout JSONReader) {
    self.init()
    if let text = reader.optional("every", as: Period.self) { every = text.duration }
    if let text = reader.optional("today_every", as: Period.self) { todayEvery = text.duration }
    if let days = reader.optional("window_days", as: Int.self, in: Self.windowRange) { windowDays = days }
    if let text = reader.optional("hours", as: Hours.self) { wakingHours = text.range }
  }
}

nonisolated extension Expectations {
  fileprivate init(_ reader: inout JSONReader) {
    self.init()
    showtimesPerOpenDay = Self.count("showtimes_per_open_day", "min", &reader) ?? showtimesPerOpenDay
    showtimes = Self.count("showtimes", "min", &reader) ?? showtimes
    matchRatio = Self.share("match_ratio", "min", &reader) ?? matchRatio
    screenRatio = Self.share("screen_ratio", "min", &reader) ?? screenRatio
    dropMax = Self.share("drop", "max", &reader) ?? dropMax
    learnsHabits = reader.optional("habits", as: Bool.self) ?? learnsHabits
  }

  private static func count(_ object: String, _ bound: String, _ reader: inout JSONReader) -> Int? {
    reader.object(object) { $0.optional(bound, as: Int.self, in: 0...countMax) } ?? nil
  }

  private static func share(_ object: String, _ bound: String, _ reader: inout JSONReader) -> Double? {
    let share = reader.object(object) { reader -> Double? in
      guard let share = reader.optional(bound, as: Double.self) else { return nil }
      if 0...1 ~= share { return share }
      // Who counts to a hundred means per cent.
      var advice = ""
      if 1...100 ~= share {
        advice = "; \(share.spoken) means \((share * 100).spoken) %; write \((share / 100).spoken)"
      }
      reader.note(bound, "must be a share of 0...1\(advice)")
      return nil
    }
    return share ?? nil
  }
}

nonisolated extension Double {
  /// `80` and `0.8`.
  fileprivate var spoken: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}

/// `emu`: what a site's configuration is called.
nonisolated private struct SiteName: JSONReadable {
  let text: String
  static var wanted: String { "a name of letters, digits, dots and hyphens" }
  static var isText: Bool { true }

  init?(json: JSONValue) {
    guard let text = json.string, CinemaID(text) != nil else { return nil }
    self.text = text
  }
}

/// `6h`, `90m`.
nonisolated private struct Period: JSONReadable {
  let duration: Duration
  static var wanted: String { "a period such as 60m, 6h or 1d, of a minute to a week" }
  static var isText: Bool { true }

  init?(json: JSONValue) {
    guard let text = json.string, let unit = text.utf8.last, let count = Int(text.dropLast()), count > 0,
      let seconds = [UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3_600, UInt8(ascii: "d"): 86_400][unit],
      count <= 10_080
    else { return nil }
    duration = .seconds(count * seconds)
    guard VisitRhythm.everyRange.contains(duration) else { return nil }
  }
}

/// `8-22`: from eight in the morning until ten in the evening.
nonisolated private struct Hours: JSONReadable {
  let range: Range<Int>
  static var wanted: String { "the hours in which the site may be visited, such as 8-22, or 0-24 for all of them" }
  static var isText: Bool { true }

  init?(json: JSONValue) {
    let parts = json.string?.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) } ?? []
    guard parts.count == 2, let from = parts[0], let until = parts[1], 0 <= from, from < until, until <= 24 else {
      return nil
    }
    range = from..<until
  }
}

nonisolated extension ID: JSONReadable {
  package static var wanted: String { ID.form }
  package static var isText: Bool { true }
  package init?(json: JSONValue) {
    guard let text = json.string else { return nil }
    self.init(text)
  }
}

nonisolated extension ZoneName: JSONReadable {
  package static var wanted: String { ZoneName.form }
  package static var isText: Bool { true }
  package init?(json: JSONValue) {
    guard let text = json.string else { return nil }
    self.init(text)
  }
}

nonisolated extension AdapterKind: JSONReadable {
  package static var wanted: String { "one of " + allCases.map(\.rawValue).joined(separator: ", ") }
  package static var isText: Bool { true }
  package init?(json: JSONValue) {
    guard let text = json.string else { return nil }
    self.init(rawValue: text)
  }
}
