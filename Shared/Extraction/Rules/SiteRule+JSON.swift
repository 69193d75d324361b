import Calendars
import HTML
package import JSON

extension SiteRule {
  /// Reads a rule file: JSON with comments and commas at the end. Everything that is wrong is told at once.
  package static func parse(_ bytes: [UInt8]) throws(SiteRuleError) -> SiteRule {
    let value: JSONValue
    do throws(JSONWithComments.Failure) { value = try JSONWithComments.parse(bytes) } catch {
      throw SiteRuleError(problems: [error.description])
    }
    return try SiteRule(parsing: value)
  }

  /// Reads a rule that stands in a larger file: members of the names `ignoring` are somebody else's.
  package init(parsing value: JSONValue, ignoring others: Set<String> = []) throws(SiteRuleError) {
    var value = value
    if !others.isEmpty, let object = value.object {
      value = .object(JSONObject(object.filter { !others.contains($0.name) }.map { ($0.name, $0.value) }))
    }
    var reader = JSONReader(value)
    let rule = SiteRule(&reader)
    do throws(JSONIssues) { try reader.finish() } catch {
      throw SiteRuleError(problems: error.issues.map(\.description))
    }
    guard let rule else { throw SiteRuleError(problems: ["the rule is not complete"]) }
    let problems = rule.problems
    guard problems.isEmpty else { throw SiteRuleError(problems: problems) }
    self = rule
  }

  private init?(_ json: inout JSONReader) {
    _ = json.optional("$schema", as: String.self)
    let site = json.required("site", as: String.self)
    let cinema = json.required("cinema", as: String.self)
    let zone = json.required("zone", as: String.self)
    self.init(site: site ?? "", cinema: cinema ?? "", zone: zone ?? "")
    adapter = json.optional("adapter", as: String.self)
    if let params = json.optional("params", as: JSONValue.self) {
      if let object = params.object {
        for (name, value) in object {
          if let text = value.string ?? value.int.map(String.init) {
            parameters[name] = text
          } else {
            json.note("params", "must be texts")
          }
        }
      } else {
        json.note("params", "must be an object of texts")
      }
    }
    start = json.optional("start", as: [String].self) ?? []
    for name in json.optional("prefer", as: [String].self) ?? [] {
      if let reader = EvidenceReader(rawValue: name) {
        prefer.append(reader)
      } else {
        let near = suggestion(for: name, among: EvidenceReader.allCases.map(\.rawValue))
        json.note("prefer", "there is no reader \(name)" + (near.map { "; did you mean \($0)?" } ?? ""))
      }
    }
    days = json.object("days") { Days(&$0) } ?? nil
    films = json.object("films") { Films(&$0) } ?? nil
    _ = json.object("schedule") { json in
      schedule.every = json.optional("every", as: String.self)
      schedule.todayEvery = json.optional("today_every", as: String.self)
      schedule.windowDays = json.optional("window_days", as: Int.self, in: 1...120)
      schedule.hours = json.optional("hours", as: String.self)
    }
    _ = json.object("expect") { json in
      _ = json.object("showtimes_per_open_day") {
        expect.showtimesPerOpenDayMin = $0.optional("min", as: Int.self, in: 0...1_000)
      }
      _ = json.object("match_ratio") { expect.matchRatioMin = $0.optional("min", as: Double.self, in: 0...1) }
      _ = json.object("showtimes") { expect.showtimesMin = $0.optional("min", as: Int.self, in: 0...1_000) }
      _ = json.object("screen_ratio") { expect.screenRatioMin = $0.optional("min", as: Double.self, in: 0...1) }
      _ = json.object("drop") { expect.dropMax = $0.optional("max", as: Double.self, in: 0...1) }
      expect.habits = json.optional("habits", as: Bool.self)
    }
    fixtures = json.optional("fixtures", as: [String].self) ?? []
    if site == nil || cinema == nil || zone == nil { return nil }
  }

  /// What no field is wrong with by itself: selectors, zones, addresses, and parts that need each other.
  package var problems: [String] {
    var problems: [String] = []
    if ZoneName(zone) == nil { problems.append("/zone: \(zone) is no name of a zone; write one like Asia/Seoul") }
    if adapter == nil, films == nil, prefer.isEmpty {
      problems.append("/films: a rule needs films, an adapter, or readers to prefer")
    }
    if adapter != nil, films != nil { problems.append("/adapter: a rule has an adapter or films, not both") }
    for (index, address) in start.enumerated() {
      if !address.hasPrefix("https://") && !address.hasPrefix("http://") {
        problems.append("/start/\(index): write a whole address, with https://")
      }
      if let unknown = Self.unknownPlaceholder(address) {
        problems.append("/start/\(index): there is no {\(unknown)}; use {date}, {date:yyyy-MM-dd} or {date:yyyyMMdd}")
      }
    }
    func check(_ selector: String, _ place: String) {
      guard !selector.isEmpty else { return }
      do throws(SelectorError) { _ = try Selector(parsing: selector) } catch {
        problems.append("\(place): the selector \(selector) cannot be read: \(error)")
      }
    }
    func check(_ field: Field?, _ place: String) {
      switch field?.source {
      case .text(let selector)?: check(selector, place)
      case .attribute(let selector, let name)?:
        check(selector, place)
        if name.isEmpty { problems.append("\(place): name the attribute behind @") }
      default: break
      }
    }
    if let days {
      if days.each.isEmpty { problems.append("/days/each: give a selector") }
      check(days.each, "/days/each")
      check(days.date, "/days/date")
    }
    if let films {
      if films.each.isEmpty { problems.append("/films/each: give a selector") }
      check(films.each, "/films/each")
      check(films.title, "/films/title")
      check(films.notes, "/films/notes")
      check(films.shows.each, "/films/shows/each")
      for (name, field) in [
        ("time", films.shows.time), ("date", films.shows.date), ("screen", films.shows.screen),
        ("booking", films.shows.booking), ("sold_out", films.shows.soldOut), ("notes", films.shows.notes),
      ] {
        check(field, "/films/shows/\(name)")
      }
      if days == nil, films.shows.date == nil, !start.isEmpty, !start.contains(where: { $0.contains("{date") }) {
        problems.append(
          "/days: without days, a date in the shows, or {date…} in the address nobody knows which day it is")
      }
    }
    return problems
  }

  private static func unknownPlaceholder(_ address: String) -> String? {
    var rest = address[...]
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}") else { return String(rest[open...].dropFirst()) }
      let name = rest[rest.index(after: open)..<close]
      if name != "date", name != "date:yyyy-MM-dd", name != "date:yyyyMMdd" { return String(name) }
      rest = rest[rest.index(after: close)...]
    }
    return nil
  }

  /// An address of `start` for one day.
  package static func address(_ template: String, on date: CivilDateText) -> String {
    template.replacing("{date}", with: date.text).replacing("{date:yyyy-MM-dd}", with: date.text).replacing(
      "{date:yyyyMMdd}", with: date.text.replacing("-", with: ""))
  }

  /// A day as it is written: `2026-11-23`.
  package struct CivilDateText: Sendable, Hashable {
    package let text: String
    package init?(_ text: String) {
      guard CivilDate(text) != nil else { return nil }
      self.text = text
    }
  }
}

extension SiteRule.Days {
  fileprivate init?(_ json: inout JSONReader) {
    let each = json.required("each", as: String.self)
    let date = json.object("date") { SiteRule.Field(&$0) } ?? nil
    if date == nil { json.note("date", "say where the date stands") }
    let closed = json.object("closed") { SiteRule.Field(&$0) } ?? nil
    let scope = json.optional("scope", as: String.self)
    guard let each, var date else { return nil }
    if date.parse == .plain { date.parse = .date }
    self.init(each: each, date: date, closed: closed)
    if let scope {
      if let known = Scope(rawValue: scope) { self.scope = known } else { json.note("scope", "is following or column") }
    }
  }
}

extension SiteRule.Films {
  fileprivate init?(_ json: inout JSONReader) {
    let each = json.required("each", as: String.self)
    let title = json.object("title") { SiteRule.Field(&$0) } ?? nil
    if title == nil { json.note("title", "say where the title stands") }
    let notes = json.object("notes") { SiteRule.Field(&$0) } ?? nil
    let scope = json.optional("scope", as: String.self)
    let shows = json.object("shows") { SiteRule.Shows(&$0) } ?? nil
    if shows == nil { json.note("shows", "say where the shows stand") }
    guard let each, let title, let shows else { return nil }
    self.init(each: each, title: title, notes: notes, shows: shows)
    if let scope {
      if let known = Scope(rawValue: scope) { self.scope = known } else { json.note("scope", "is inside or following") }
    }
  }
}

extension SiteRule.Shows {
  fileprivate init?(_ json: inout JSONReader) {
    let each = json.required("each", as: String.self)
    let time = json.object("time") { SiteRule.Field(&$0) } ?? nil
    if time == nil { json.note("time", "say where the time stands") }
    let date = json.object("date") { SiteRule.Field(&$0) } ?? nil
    let screen = json.object("screen") { SiteRule.Field(&$0) } ?? nil
    let booking = json.object("booking") { SiteRule.Field(&$0) } ?? nil
    let soldOut = json.object("sold_out") { SiteRule.Field(&$0) } ?? nil
    let notes = json.object("notes") { SiteRule.Field(&$0) } ?? nil
    guard let each, var time else { return nil }
    if time.parse == .plain { time.parse = .clock30 }
    self.init(
      each: each, time: time, date: date, screen: screen, booking: booking, soldOut: soldOut, notes: notes)
  }
}

extension SiteRule.Field {
  fileprivate init?(_ json: inout JSONReader) {
    let text = json.optional("text", as: String.self)
    let attribute = json.optional("attr", as: String.self)
    let hasClass = json.optional("has_class", as: String.self)
    let parse = json.optional("parse", as: String.self)
    isAll = json.optional("all", as: Bool.self) ?? false
    isResolved = json.optional("resolve", as: Bool.self) ?? false
    if [text, attribute, hasClass].compactMap(\.self).count != 1 {
      json.note("text", "give one of text, attr and has_class")
    }
    if let attribute {
      let at = attribute.lastIndex(of: "@")
      source = .attribute(
        selector: at.map { String(attribute[..<$0]) } ?? "",
        name: at.map { String(attribute[attribute.index(after: $0)...]) } ?? attribute)
    } else if let hasClass {
      source = .hasClass(hasClass)
    } else if let text {
      source = .text(text)
    } else {
      return nil
    }
    self.parse = .plain
    if let parse {
      if let known = Parse(rawValue: parse) {
        self.parse = known
      } else {
        json.note("parse", "is one of \(Parse.allCases.map(\.rawValue).joined(separator: ", "))")
      }
    }
  }
}

// MARK: Writing

extension SiteRule: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.field("$schema", "/schema/site-rule-1.json")
      json.field("site", site)
      json.field("cinema", cinema)
      json.field("zone", zone)
      if let adapter {
        json.field("adapter", adapter)
        json.object("params") { json in
          for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            json.name(name)
            json.value(value)
          }
        }
      }
      if !start.isEmpty { json.array("start", of: start) }
      if !prefer.isEmpty { json.array("prefer", of: prefer.map(\.rawValue)) }
      if let days {
        json.object("days") { json in
          json.field("each", days.each)
          json.field("date", days.date)
          json.field("closed", ifPresent: days.closed)
          if days.scope != .following { json.field("scope", days.scope.rawValue) }
        }
      }
      if let films {
        json.object("films") { json in
          json.field("each", films.each)
          json.field("title", films.title)
          json.field("notes", ifPresent: films.notes)
          if films.scope != .inside { json.field("scope", films.scope.rawValue) }
          json.object("shows") { json in
            json.field("each", films.shows.each)
            json.field("time", films.shows.time)
            json.field("date", ifPresent: films.shows.date)
            json.field("screen", ifPresent: films.shows.screen)
            json.field("booking", ifPresent: films.shows.booking)
            json.field("sold_out", ifPresent: films.shows.soldOut)
            json.field("notes", ifPresent: films.shows.notes)
          }
        }
      }
      if schedule != Schedule() {
        json.object("schedule") { json in
          json.field("every", ifPresent: schedule.every)
          json.field("today_every", ifPresent: schedule.todayEvery)
          json.field("window_days", ifPresent: schedule.windowDays)
          json.field("hours", ifPresent: schedule.hours)
        }
      }
      if expect != Expectations() {
        json.object("expect") { json in
          if let min = expect.showtimesPerOpenDayMin { json.object("showtimes_per_open_day") { $0.field("min", min) } }
          if let min = expect.matchRatioMin { json.object("match_ratio") { $0.field("min", min) } }
          if let min = expect.showtimesMin { json.object("showtimes") { $0.field("min", min) } }
          if let min = expect.screenRatioMin { json.object("screen_ratio") { $0.field("min", min) } }
          if let max = expect.dropMax { json.object("drop") { $0.field("max", max) } }
          json.field("habits", ifPresent: expect.habits)
        }
      }
      if !fixtures.isEmpty { json.array("fixtures", of: fixtures) }
    }
  }
}

extension SiteRule.Field: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      switch source {
      case .text(let selector): json.field("text", selector)
      case .attribute(let selector, let name): json.field("attr", selector + "@" + name)
      case .hasClass(let name): json.field("has_class", name)
      }
      if parse != .plain { json.field("parse", parse.rawValue) }
      if isAll { json.field("all", true) }
      if isResolved { json.field("resolve", true) }
    }
  }
}
