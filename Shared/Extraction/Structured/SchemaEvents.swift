import Calendars
import Clocks
import JSON

/// What schema.org's words say in a tree of nodes, however the nodes were written: JSON-LD, microdata, RDFa.
///
/// References by `@id` are followed to wherever on the page the node stands. Series give their dates by their parts and
/// schedules, never by the span from their first to their last.
struct SchemaEvents {
  let clock: PageClock
  let reader: EvidenceReader
  let budget: WorkBudget
  let limits: ExtractionLimits

  private var nodes: [String: JSONObject] = [:]
  private var evidence = Evidence()
  private(set) var theatres: [String] = []
  private var touring = TouringHouse()
  /// An offset that is no local time's can be told from one that is: the offset of a page's other events.
  private static let referencesMax = 6

  init(clock: PageClock, reader: EvidenceReader, budget: WorkBudget, limits: ExtractionLimits) {
    self.clock = clock
    self.reader = reader
    self.budget = budget
    self.limits = limits
  }

  /// Reads roots that may refer to each other.
  mutating func read(_ roots: [(value: JSONValue, place: String)]) throws(ExtractionError) -> Evidence {
    for root in roots { try collect(root.value) }
    for root in roots { try visit(root.value, around: Around(), place: root.place, depth: 0) }
    tellMidnightsAsDays()
    touring.tell(in: &evidence.candidates)
    return evidence
  }

  /// Where all that is told begins with a day, days are meant, written as their midnights.
  private mutating func tellMidnightsAsDays() {
    guard evidence.candidates.allSatisfy({ isWholeDay($0) }) else { return }
    for index in evidence.candidates.indices {
      evidence.candidates[index].start = .day(evidence.candidates[index].start.date)
      evidence.candidates[index].end = evidence.candidates[index].end.map { .day($0.date) }
    }
  }

  private func isWholeDay(_ candidate: Candidate) -> Bool {
    guard case .moment(let start) = candidate.start, start.local.time == .midnight else { return false }
    guard case .moment(let end)? = candidate.end else { return true }
    return end.local.time == .midnight || end.local.time.hour == 23 && end.local.time.minute == 59
  }

  /// What an event takes from the node that it stands in: a theatre's events, a film's screenings.
  private struct Around {
    var venue: JSONObject?
    var film: JSONObject?
    var title: String?
    var location: JSONValue?
    var isScreening = false
  }

  // MARK: Nodes

  private mutating func collect(_ value: JSONValue) throws(ExtractionError) {
    switch value {
    case .array(let values): for value in values { try collect(value) }
    case .object(let object):
      try budget.spend(object.count + 1)
      if let id = object["@id"]?.string, object.count > 1 {
        // The node that says most of itself is the one that others mean.
        if (nodes[id]?.count ?? 0) < object.count { nodes[id] = object }
      }
      for (_, value) in object { try collect(value) }
    case .null, .bool, .int, .double, .string: break
    }
  }

  private func node(_ value: JSONValue?) -> JSONObject? {
    var value = value
    for _ in 0..<Self.referencesMax {
      switch value {
      case .object(let object):
        if object.count <= 2, let id = object["@id"]?.string, let found = nodes[id], found != object {
          value = .object(found)
          if found.count > 2 { return found }
          continue
        }
        return object
      case .array(let values): value = values.first
      case .string(let text):
        guard let found = nodes[text] else { return nil }
        return found
      default: return nil
      }
    }
    return nil
  }

  private func types(_ object: JSONObject) -> [String] {
    let raw = object["@type"] ?? object["type"]
    let all = raw?.array?.compactMap(\.string) ?? raw?.string.map { [$0] } ?? []
    return all.map { type in
      let mark = type.utf8.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: ":") }
      return mark.map { String(type[type.utf8.index(after: $0)...]) } ?? type
    }
  }

  /// When a film comes out, or tickets are sold.
  private static let otherEvents: Set<String> = [
    "PublicationEvent", "BroadcastEvent", "OnDemandEvent", "SaleEvent", "DeliveryEvent",
  ]

  private static let otherParts: Set<String> = ["superEvent", "offers", "releasedEvent", "publication"]

  private func isEvent(_ type: String) -> Bool {
    type.hasSuffix("Event") || type == "Festival" || type == "EventSeries" || type == "Hackathon"
  }

  private func text(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let raw):
      let plain = PlainText.of(raw)
      return plain.isEmpty ? nil : plain
    case .int(let number): return String(number)
    case .array(let values): return values.lazy.compactMap { text($0) }.first
    case .object(let object): return text(object["@value"] ?? object["name"])
    default: return nil
    }
  }

  // MARK: Walking

  private mutating func visit(
    _ value: JSONValue, around: Around, place: String, depth: Int
  ) throws(ExtractionError) {
    guard depth <= limits.depth else { return }
    switch value {
    case .array(let values):
      for value in values { try visit(value, around: around, place: place, depth: depth + 1) }
    case .object(let object):
      try budget.spend(object.count + 1)
      let types = types(object)
      var inner = around
      if types.contains(where: { $0 == "MovieTheater" || $0 == "Cinema" }), let name = text(object["name"]) {
        if !theatres.contains(name) { theatres.append(name) }
        inner.venue = object
      }
      for value in object["specialOpeningHoursSpecification"].map({ $0.array ?? [$0] })?.prefix(400) ?? [] {
        closed(value)
      }
      if types.contains("Movie") { inner.film = object }
      if types.contains(where: Self.otherEvents.contains) { return }
      if types.contains(where: isEvent) {
        try event(object, types, around: around, place: place, depth: depth)
        return
      }
      for (name, value) in object where !Self.otherParts.contains(name) {
        try visit(value, around: inner, place: place, depth: depth + 1)
      }
    default: break
    }
  }

  /// A day whose special hours have no opening is one on which nothing is shown.
  private mutating func closed(_ value: JSONValue) {
    guard let hours = node(value), let raw = text(hours["validFrom"]),
      let first = clock.moment(raw).flatMap({ clock.found($0)?.date })
    else { return }
    let opens = text(hours["opens"])
    guard opens == nil || opens == text(hours["closes"]) else { return }
    let last = text(hours["validThrough"]).flatMap { clock.moment($0) }.flatMap { clock.found($0)?.date } ?? first
    if last >= first, last - first < 60 { evidence.closedDays.formUnion(first...last) }
  }

  private mutating func event(
    _ object: JSONObject, _ types: [String], around: Around, place: String, depth: Int
  ) throws(ExtractionError) {
    var inner = around
    inner.title = title(object, around: around)
    inner.location = object["location"] ?? around.location
    inner.isScreening = around.isScreening || types.contains("ScreeningEvent")
    if let film = node(object["workPresented"] ?? object["workFeatured"]) { inner.film = film }
    let before = evidence.candidates.count
    for name in ["subEvent", "subEvents", "event", "events"] {
      guard let value = object[name] else { continue }
      try visit(value, around: inner, place: place, depth: depth + 1)
    }
    // A series is told by its parts.
    if evidence.candidates.count > before { return }
    try tell(object, types, around: inner, place: place)
  }

  private func title(_ object: JSONObject, around: Around) -> String? {
    // A work may be its title alone; an address is none.
    let work = object["workPresented"] ?? object["workFeatured"]
    let named = text(work).flatMap { $0.utf8.contains(UInt8(ascii: "/")) ? nil : $0 }
    let (own, ofWork) = (text(object["name"]), text(node(work)?["name"]) ?? named)
    // "Silt - 11/21/26 @ 4:30 pm" of "Silt"
    if let own, let ofWork, own.hasPrefix(ofWork), tellsOnlyWhen(String(own.dropFirst(ofWork.count))) { return ofWork }
    return own ?? ofWork
      ?? text(object["headline"]) ?? text(object["summary"]) ?? text(around.film?["name"]) ?? around.title
  }

  private func tellsOnlyWhen(_ text: String) -> Bool {
    guard text.utf8.count <= Self.whenBytesMax, text.unicodeScalars.first.map({ !$0.properties.isAlphabetic }) ?? false,
      let line = PrintedLine(text, clock: clock)
    else { return false }
    return (!line.days.isEmpty || !line.times.isEmpty) && !line.rest.hasLetters
  }

  private static let whenBytesMax = 60

  // MARK: Telling

  private mutating func tell(
    _ object: JSONObject, _ types: [String], around: Around, place: String
  ) throws(ExtractionError) {
    guard let title = around.title else {
      evidence.trace.add(reader, at: place, .refused, "\(types.joined(separator: ", ")) without a name")
      return
    }
    if let status = text(object["eventStatus"]) ?? object["eventStatus"]?["@id"]?.string,
      let word = ["Cancelled", "Postponed"].first(where: { status.hasSuffix("Event" + $0) })
    {
      evidence.unread.append(Unread(what: title, why: "the page says that it is \(word.lowercased())"))
      return
    }
    let starts = try starts(object)
    if starts.isEmpty {
      evidence.trace.add(reader, at: place, .refused, "\(title): \(types.joined(separator: ", ")) without a start")
      if let raw = text(object["startDate"] ?? object["dtstart"]) {
        evidence.unread.append(Unread(what: "\(title), \(raw)", why: "its start cannot be read"))
      }
      return
    }
    let location = location(object["location"] ?? around.location, around: around)
    let isMarkedUTC = isMarkedUTC(object)
    let withoutStart = StartInTitle(clock: clock, budget: budget)
    for (start, end) in starts {
      guard evidence.candidates.count < limits.candidates else { return }
      var candidate = Candidate(
        title: try withoutStart.cut(from: title, start), start: start, reader: reader, place: place,
        confidence: reader.trust)
      candidate.work = text(around.film?["name"])
      candidate.otherTitles = otherTitles(of: around.film)
      candidate.end = end ?? self.end(object, after: start)
      candidate.isMarkedUTC = isMarkedUTC
      candidate.venue = location.venue
      candidate.screen = location.screen
      candidate.url = text(object["url"]) ?? offerURL(object["offers"]) ?? address(object["@id"])
      candidate.isScreening =
        types.contains("ScreeningEvent") || around.isScreening || around.film != nil || isTheatre(object["location"])
      if types.contains(where: {
        $0 != "Event" && $0 != "ScreeningEvent" && $0 != "VisualArtsEvent" && $0 != "Festival"
      }) {
        candidate.isScreening = around.film != nil
      }
      candidate.notes = ["videoFormat", "subtitleLanguage", "accessibilityFeature"].compactMap { text(object[$0]) }
      if object["subtitleLanguage"] != nil { candidate.attributes.insert(.subtitled) }
      candidate.seats = seats(object["offers"])
      evidence.candidates.append(candidate)
      touring.add(location.venue, address: node(object["location"] ?? around.location)?["address"]?.string)
    }
  }

  /// More than a few are no titles.
  private static let otherTitlesMax = 3

  private func otherTitles(of film: JSONObject?) -> [String] {
    guard let value = film?["alternateName"] else { return [] }
    return (value.array ?? [value]).prefix(Self.otherTitlesMax).compactMap { text($0) }
  }

  private func address(_ value: JSONValue?) -> String? {
    value?.string.flatMap { $0.hasPrefix("http") && !$0.utf8.contains(UInt8(ascii: "#")) ? $0 : nil }
  }

  private func offerURL(_ value: JSONValue?) -> String? { text(node(value)?["url"]) }

  private func seats(_ value: JSONValue?) -> PrintedMarks.Seats? {
    guard let availability = text(node(value)?["availability"]) else { return nil }
    if availability.hasSuffix("SoldOut") { return .soldOut }
    if availability.hasSuffix("LimitedAvailability") { return .few }
    return availability.hasSuffix("InStock") ? .available : nil
  }

  private func isTheatre(_ value: JSONValue?) -> Bool {
    node(value).map { types($0).contains("MovieTheater") } ?? false
  }

  private func location(_ value: JSONValue?, around: Around) -> (venue: String?, screen: String?) {
    guard let value else { return (text(around.venue?["name"]), nil) }
    guard let place = node(value) else { return (text(value), nil) }
    var name = text(place["name"])
    var screen: String?
    // A screen inside a theatre.
    if let outer = node(place["containedInPlace"] ?? place["containedIn"]), let outerName = text(outer["name"]) {
      (screen, name) = (name, outerName)
    } else if let inner = name, ScreenName.isOne(inner), let theatre = text(around.venue?["name"]) {
      (screen, name) = (inner, theatre)
    }
    return (name ?? text(around.venue?["name"]), screen)
  }

  // MARK: Times

  private func starts(_ object: JSONObject) throws(ExtractionError) -> [(FoundTime, FoundTime?)] {
    if let schedule = object["eventSchedule"] {
      let found = try scheduled(schedule)
      if !found.isEmpty { return found }
    }
    let offered = try offered(object["offers"])
    guard let raw = object["startDate"] ?? object["dtstart"] ?? object["startTime"] else { return offered }
    let values = raw.array ?? [raw]
    var found: [(FoundTime, FoundTime?)] = []
    for value in values.prefix(1_000) {
      guard let printed = text(value), let moment = clock.moment(printed, expectsTime: true) else { continue }
      switch moment {
      case .time: continue
      case .date(let date):
        // A time in a field of its own.
        if let time = text(object["startTime"]), case .time(let clockTime)? = clock.moment(time) {
          found.append((clock.found(ServiceTime(date, clockTime).civil), nil))
        } else if let time = text(object["doorTime"]), case .local(let local)? = clock.moment(time), local.date == date
        {
          found.append((clock.found(local), nil))
        } else {
          found.append((.day(date), nil))
        }
      case .local, .instant: if let time = clock.found(moment) { found.append((time, nil)) }
      }
    }
    // The event begins with the first of them.
    let isOneOfOffered = found.count == 1 && offered.contains { $0.0 == found[0].0 || $0.0.date == found[0].0.date }
    return offered.count > 1 && isOneOfOffered ? offered : found
  }

  /// `"offers": [{"name": "Sat 21 Nov, 19:30"}, …]`: showings that stand only in what their tickets are called.
  private func offered(_ value: JSONValue?) throws(ExtractionError) -> [(FoundTime, FoundTime?)] {
    var found: [(FoundTime, FoundTime?)] = []
    for offer in (value?.array ?? []).prefix(1_000) {
      guard let name = text(node(offer)?["name"]), name.utf8.contains(where: isDigitByte) else { continue }
      try budget.spend(name.utf8.count * 4)
      guard let moment = clock.moment(name, expectsTime: false), moment.isFull, let start = clock.found(moment),
        !found.contains(where: { $0.0 == start })
      else { continue }
      found.append((start, nil))
    }
    return found
  }

  private func isMarkedUTC(_ object: JSONObject) -> Bool {
    guard object["eventSchedule"] == nil, let raw = text(object["startDate"] ?? object["dtstart"]),
      case .instant(let stamp)? = clock.moment(raw)
    else { return false }
    return stamp.offset == .zero
  }

  private func end(_ object: JSONObject, after start: FoundTime) -> FoundTime? {
    if let raw = text(object["endDate"]), let moment = clock.moment(raw), let end = clock.found(moment) {
      switch (start, end) {
      case (.moment(let begin), .moment(let finish)) where finish.instant > begin.instant: return end
      case (.day(let begin), .day(let finish)) where finish >= begin: return end
      default: break
      }
    }
    guard case .moment(let begin) = start, let raw = text(object["duration"]), let minutes = ISODuration.minutes(raw),
      minutes <= 24 * 60
    else { return nil }
    return .moment(
      Timestamp(.init(milliseconds: begin.instant.milliseconds + Int64(minutes) * 60_000), offset: begin.offset))
  }

  /// `Schedule`: dates by weekdays from one to another, at one time.
  private func scheduled(_ value: JSONValue) throws(ExtractionError) -> [(FoundTime, FoundTime?)] {
    var found: [(FoundTime, FoundTime?)] = []
    for value in (value.array ?? [value]).prefix(100) {
      guard let schedule = node(value), let firstText = text(schedule["startDate"]), let first = clock.moment(firstText)
      else { continue }
      let startDate: CivilDate
      var time: DisplayTime?
      switch first {
      case .date(let date): startDate = date
      case .local(let local): (startDate, time) = (local.date, DisplayTime(local.time))
      case .instant(let stamp): (startDate, time) = (stamp.local.date, DisplayTime(stamp.local.time))
      case .time: continue
      }
      if let raw = text(schedule["startTime"]), case .time(let clockTime)? = clock.moment(raw) { time = clockTime }
      guard let time else { continue }
      var rules = clock.zone
      if let name = text(schedule["scheduleTimezone"]), let other = clock.rules(named: name) { rules = other }
      var last: CivilDate?
      if let raw = text(schedule["endDate"]) {
        switch clock.moment(raw) {
        case .date(let date)?: last = date
        case .local(let local)?: last = local.date
        case .instant(let stamp)?: last = stamp.local.date
        // The end of the calendar is none; one that cannot be read is no leave to go on.
        default: last = CivilDate(String(raw.prefix(10))) == nil ? startDate : nil
        }
      }
      let exceptions = Set(
        (schedule["exceptDate"]?.array ?? schedule["exceptDate"].map { [$0] } ?? []).compactMap { value -> CivilDate? in
          guard let raw = text(value), let moment = clock.moment(raw), let day = clock.found(moment) else { return nil }
          return day.date
        })
      let repetition = ScheduleRepetition(
        frequency: text(schedule["repeatFrequency"]), days: weekdays(schedule["byDay"]),
        hasOtherRules: schedule["byMonth"] ?? schedule["byMonthDay"] ?? schedule["byMonthWeek"] != nil,
        count: schedule["repeatCount"].flatMap { text($0) }.flatMap { Int($0) })
      for date in try repetition.dates(from: startDate, to: last, around: clock.today, budget: budget) {
        if !exceptions.contains(date) { found.append((clock.found(ServiceTime(date, time).civil, in: rules), nil)) }
      }
    }
    return found
  }

  /// - Returns: nil for what is more than weekdays.
  private func weekdays(_ value: JSONValue?) -> WeekdaySet? {
    let names = (value?.array ?? value.map { [$0] } ?? []).compactMap { text($0) }
      .flatMap { $0.split { $0 == "," || $0 == " " } }
    let all: [(String, Weekday)] = [
      ("mo", .monday), ("tu", .tuesday), ("we", .wednesday), ("th", .thursday), ("fr", .friday), ("sa", .saturday),
      ("su", .sunday),
    ]
    var days: WeekdaySet = []
    for name in names {
      let start = name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex
      let word = name[start...].lowercased()
      guard word != "publicholidays" else { continue }
      guard let day = all.first(where: { $0.0 == word.prefix(2) }) else { return nil }
      days.formUnion(WeekdaySet(day.1))
    }
    return days
  }
}
