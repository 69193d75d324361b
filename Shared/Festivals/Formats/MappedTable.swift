import CSV
import Calendars
import Clocks
import Contracts
import JSON

/// Sessions as rows: CSV, or JSON in a form of its own, by a mapping that says what is what.
enum MappedTable {
  typealias Field = ColumnMapping.Field

  /// One row, whatever it was written in: a field has any number of values.
  private struct TableRow {
    let place: String
    let values: [Field: [String]]
    /// What it has a place for, though nothing may stand there.
    let fields: Set<Field>

    subscript(_ field: Field) -> String? { values[field]?.first }
  }

  static func read(csv bytes: [UInt8], _ options: ReadingOptions) throws(ProgrammeError) -> FestivalProgramme {
    var mapping = options.mapping ?? .standard
    var rows: [TableRow] = []
    var problems: [String] = []
    var absent: [Field: String] = [:]
    var columns: [String] = []
    do {
      var table = try CSVTable(bytes)
      let exported = options.mapping == nil ? ColumnMapping.exported(Set(table.columns), key: CSVTable.key) : nil
      mapping = exported ?? mapping
      let known = Dictionary(mapping.columns.map { (CSVTable.key($0.value), $0.key) }) { first, _ in first }
      let fields = Set(known.filter { table.has($0.key) }.values)
      if options.mapping != nil { absent = mapping.columns.filter { !fields.contains($0.key) } }
      columns = table.columns
      // Our own tables are held to their columns; a foreign one may have more.
      if options.mapping == nil, exported == nil {
        do {
          try table.check(known: Array(known.keys), required: ["title", "start"])
        } catch {
          throw ProgrammeError("\(error); in a table with other columns --mapping says which of them is what")
        }
      }
      while true {
        do {
          guard let row = try table.next() else { break }
          var values: [Field: [String]] = [:]
          for (column, field) in known {
            if let text = row[column] { values[field] = parts(of: text, field, mapping) }
          }
          rows.append(TableRow(place: "line \(row.line)", values: values, fields: fields))
          guard rows.count <= ProgrammeDraft.sessionsMax else { break }
        } catch {
          problems.append("\(error)")
          guard problems.count < 100 else { break }
        }
      }
    } catch {
      throw ProgrammeError("\(error)")
    }
    try check(absent, among: columns)
    return try programme(rows, problems, absent, mapping, options)
  }

  static func read(json bytes: [UInt8], _ options: ReadingOptions) throws(ProgrammeError) -> FestivalProgramme {
    let mapping = options.mapping ?? .standard
    let tree = try ScheduleJSON.tree(bytes)
    let list = try rows(of: tree, mapping)
    var nameless: [Field: String] = [:]
    let rows = list.enumerated().map { place, value in
      var values: [Field: [String]] = [:]
      for (field, path) in mapping.columns {
        let found = found(JSONPath(path), field, in: value)
        let texts = texts(of: found, field, mapping)
        if !texts.isEmpty { values[field] = texts }
        if texts.isEmpty, let object = found.values.lazy.compactMap(\.object).first, !object.isEmpty {
          nameless[field] = "\(path) has \(object.prefix(membersTold).map(\.name).joined(separator: ", "))"
        }
      }
      return TableRow(place: "row \(place + 1)", values: values, fields: Set(values.keys))
    }
    let problems = nameless.sorted { $0.key.rawValue < $1.key.rawValue }.map { field, members in
      "\(field.rawValue): \(members), and nothing that is a name; say which of them it is, as in who.name"
    }
    let told = rows.reduce(into: Set<Field>()) { $0.formUnion($1.fields) }
    // A member that no row has may well be one that rows have at times.
    let absent = options.mapping == nil || rows.isEmpty ? [:] : mapping.columns.filter { !told.contains($0.key) }
    try check(absent, among: list.first?.value.object?.map(\.name) ?? [])
    return try programme(rows, [], notes: problems, absent, mapping, options)
  }

  private static func rows(of tree: JSONValue, _ mapping: ColumnMapping) throws(ProgrammeError) -> [JSONPath.Place] {
    let path = JSONPath(mapping.rows ?? "")
    let found = path.places(in: tree)
    guard found.isList, !found.places.isEmpty else {
      guard let rows = mapping.rows else {
        throw ProgrammeError(
          "there is no list of rows; say where it is with \"rows\" in the mapping: \(path.end(in: tree))")
      }
      throw ProgrammeError(
        "the mapping's rows are \(rows), and there are none: \(path.end(in: tree)); a * goes through an object that is "
          + "used as a list")
    }
    return found.places
  }

  /// What a column is in a row, and else in what encloses the row.
  private static func found(
    _ path: JSONPath, _ field: Field, in place: JSONPath.Place
  ) -> (values: [JSONValue], isList: Bool) {
    let own = path.values(in: place.value)
    // An empty list says that there is none.
    guard own.values.isEmpty, !own.isList, shared.contains(field) else { return own }
    // A list that encloses it is of its neighbours too, as that of all speakers is.
    let outer = place.enclosing.lazy.filter { $0.object != nil }.map(path.values)
      .first { !$0.values.isEmpty && !$0.isList }
    return outer ?? own
  }

  /// What rows in rows may have in common; a festival's title is no session's.
  private static let shared: Set<Field> = [.day, .rooms, .track, .speakers, .kind, .language, .level, .film, .flags]

  /// Of a message.
  private static let membersTold = 8

  private static func texts(
    of found: (values: [JSONValue], isList: Bool), _ field: Field, _ mapping: ColumnMapping
  ) -> [String] {
    if found.isList { return found.values.compactMap(\.words) }
    switch found.values.first {
    case .bool(let flag)?: return [flag ? "yes" : "no"]
    case let one?: return one.words.map { parts(of: $0, field, mapping) } ?? []
    case nil: return []
    }
  }

  static func parts(of text: String, _ field: Field, _ mapping: ColumnMapping) -> [String] {
    guard lists.contains(field) else { return [text] }
    if mapping == .standard { return list(text) }
    var parts = text.components(separatedBy: mapping.separator)
    if field == .speakers, let mark = mapping.speakersSeparator {
      parts = parts.flatMap { $0.components(separatedBy: mark) }
    }
    return parts.map(\.withoutBlanks).filter { !$0.isEmpty }
  }

  // MARK: Lists in our own tables

  /// Between names stands `|`; in a name it is `\|`, and a backslash there is `\\`.
  private static func list(_ text: String) -> [String] {
    var names: [String] = []
    var name: [UInt8] = []
    var isEscaped = false
    func isMark(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "|") }
    for byte in text.utf8 {
      if isEscaped {
        // Behind anything else a backslash is one: somebody wrote it by hand.
        if !isMark(byte) { name.append(UInt8(ascii: "\\")) }
        name.append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "|") {
        names.append(String(decoding: name, as: UTF8.self))
        name = []
      } else {
        name.append(byte)
      }
    }
    if isEscaped { name.append(UInt8(ascii: "\\")) }
    names.append(String(decoding: name, as: UTF8.self))
    return names.map(\.withoutBlanks).filter { !$0.isEmpty }
  }

  // MARK: Rows to sessions

  /// Without titles and starts there are no sessions.
  private static func check(_ absent: [Field: String], among columns: [String]) throws(ProgrammeError) {
    guard let field = [Field.title, .start].first(where: { absent[$0] != nil }), let column = absent[field] else {
      return
    }
    throw ProgrammeError(
      "the mapping takes \(field.rawValue) from \(column), and there is no such column; there are "
        + columns.filter { !$0.isEmpty }.joined(separator: ", "))
  }

  private static func programme(
    _ rows: [TableRow], _ problems: [String], notes: [String] = [], _ absent: [Field: String],
    _ mapping: ColumnMapping, _ options: ReadingOptions
  ) throws(ProgrammeError) -> FestivalProgramme {
    var options = options
    options.zone = options.zone ?? mapping.zone
    options.id = options.id ?? mapping.id
    options.name = options.name ?? mapping.name
    let (slug, name) = (try one(.festival, of: rows), try one(.festival_name, of: rows))
    let zone = try ProgrammeTimes.zone(
      named: try one(.time_zone, of: rows), offsets: rows.compactMap { ProgrammeTimes.offset(of: $0[.start]) }, options)
    var draft = try ProgrammeDraft(slug: slug, name: name, zone: zone, options)
    for problem in problems { draft.leaveOut("\(problem); the row is left out") }
    for text in notes { draft.note(text) }
    for (field, column) in absent.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      draft.note("the mapping takes \(field.rawValue) from \(column), and nothing is called so")
    }
    var mapping = mapping
    if mapping.order == nil {
      let days = rows.compactMap { row in row[.day] ?? row[.start].map { ProgrammeTimes.dayAndClock($0).day } }
      mapping.order = ProgrammeTimes.order(of: days)
    }
    // Where all starts are whole numbers, they are hours.
    if !rows.isEmpty, rows.allSatisfy({ $0[.start].map(isHour) ?? true }) { mapping.hasHours = true }
    var nights = SmallHours(mapping.isNightOfDay)
    if mapping.isNightOfDay == nil {
      nights.readOrder(of: rows.map { clock(of: $0, mapping, draft.zone) }, dayEnds: draft.dayEnds)
    }
    for (place, row) in rows.enumerated() { try add(row, place, mapping, &nights, to: &draft) }
    for note in nights.notes { draft.note(note) }
    return try draft.finished()
  }

  /// What all rows say of the festival.
  private static func one(_ field: Field, of rows: [TableRow]) throws(ProgrammeError) -> String? {
    let values = Set(rows.compactMap { $0[field] })
    guard values.count < 2 else {
      throw ProgrammeError(
        "the rows are of several festivals: \(field.rawValue) is "
          + "\(values.sorted().prefix(4).joined(separator: ", ")); import them one at a time")
    }
    return values.first
  }

  private static func add(
    _ row: TableRow, _ place: Int, _ mapping: ColumnMapping, _ nights: inout SmallHours, to draft: inout ProgrammeDraft
  ) throws(ProgrammeError) {
    guard let title = row[.title], let startText = row[.start] else {
      draft.leaveOut("\(row.place) has no title or no start; it is left out")
      return
    }
    if let state = row[.state]?.lowercased(), withheld.contains(state) {
      draft.leaveOut("\(title) (\(row.place)) is \(state); it is left out")
      return
    }
    let instant = ProgrammeTimes.instant(startText, in: draft.zone)
    // A whole instant says no more than itself: which day it is of depends on when days end.
    let (dayText, clockText) =
      row[.day].map { ($0, startText) } ?? (instant == nil ? ProgrammeTimes.dayAndClock(startText) : ("", startText))
    let said = date(dayText, mapping, draft.zone)
    if row[.day] != nil, said == nil {
      draft.leaveOut(
        "\(row.place): \(dayText) is no day; \(help(for: mapping)); it is left out")
      return
    }
    let start: WallTime
    var secondsLong: Int64?
    if let instant {
      start = instant
    } else if let printed = printedClock(clockText, mapping, draft.zone), let said {
      guard printed.unread.isEmpty else {
        draft.leaveOut(
          "\(row.place): \(startText) is no start, as \(printed.unread.joined(separator: " ")) is not understood; it is left out"
        )
        return
      }
      let clock = printed.start
      secondsLong = printed.secondsLong
      let dayEnds = nights.dayEnds(ofRow: place, clock, draft.dayEnds)
      start = ProgrammeTimes.instant(said, clock, dayEnds: dayEnds, in: draft.zone)
    } else {
      draft.leaveOut(
        "\(row.place): \(startText) is no start; write 19:30 beside a day, or 2026-11-23T19:30; it is left out")
      return
    }
    var session = FestivalSession(
      id: SessionID("x")!, guid: row[.guid], code: row[.code], title: title, subtitle: row[.subtitle],
      day: said ?? draft.festival.day(of: start, in: draft.zone), startsAt: start,
      rooms: (row.values[.rooms] ?? []).compactMap { draft.room($0) }, track: draft.track(row[.track]),
      speakers: (row.values[.speakers] ?? []).map { FestivalSpeaker(name: $0) }, kind: row[.kind],
      language: row[.language], level: row[.level], abstract: row[.abstract], details: row[.details],
      url: row[.url].flatMap(PentabarfXML.webAddress), film: row[.film].flatMap { FilmID($0) },
      runtimeMinutes: row[.runtime_min].flatMap { Int($0) }, flags: row.values[.flags] ?? [])
    session.endsAt = end(row, session, mapping, draft.zone)
    // A range in the column of starts, where nothing else says when it ends.
    if row[.end] ?? row[.duration] == nil { session.endsAt = secondsLong.map { start.adding(seconds: $0) } }
    if session.endsAt == nil, row[.end] ?? row[.duration] != nil {
      draft.note("\(row.place): the end of \(title) cannot be read; it has none")
    }
    if let end = session.endsAt, row[.duration] == nil,
      row[.end].flatMap({ ProgrammeTimes.clock($0, in: draft.zone) }) != nil,
      case let seconds = start.seconds(until: end), seconds > secondsUsual
    {
      draft.note(
        "\(row.place): \(title) lasts \(seconds / 3_600) hours, until \(draft.zone.timestamp(at: end)); if that is "
          + "wrong, write its end with the day, as 2026-11-23T21:30")
    }
    try draft.add(
      session, named: row[.id], isCancelled: flag(.cancelled, of: row), isSoldOut: flag(.sold_out, of: row),
      tellsFlags: row.fields.contains(.flags))
  }

  private static func isHour(_ text: String) -> Bool {
    text.utf8.count <= 2 && Int(text).map { (0...29).contains($0) } ?? false
  }

  private static func printedClock(_ text: String, _ mapping: ColumnMapping, _ zone: TimeZoneRules) -> PrintedClock? {
    PrintedClock(mapping.hasHours ? "\(text):00" : text, in: zone)
  }

  /// A bare clock under a day of its own column.
  private static func clock(
    of row: TableRow, _ mapping: ColumnMapping, _ zone: TimeZoneRules
  ) -> (day: CivilDate, clock: DisplayTime)? {
    guard let day = row[.day].flatMap({ date($0, mapping, zone) }), let text = row[.start],
      let clock = printedClock(text, mapping, zone)
    else { return nil }
    return (day, clock.start)
  }

  /// Hardly anything that ends at a clock lasts longer.
  private static let secondsUsual: Int64 = 12 * 3_600

  private static func end(
    _ row: TableRow, _ session: FestivalSession, _ mapping: ColumnMapping, _ zone: TimeZoneRules
  ) -> WallTime? {
    if let text = row[.duration], let seconds = ProgrammeTimes.seconds(ofLength: text) {
      return session.startsAt.adding(seconds: seconds)
    }
    guard let text = row[.end] else { return nil }
    if let instant = ProgrammeTimes.instant(text, in: zone) {
      return instant >= session.startsAt ? instant : nil
    }
    // "10/12/2025 9:00 PM", as the start has it.
    if case let (dayText, clockText) = ProgrammeTimes.dayAndClock(text), let day = date(dayText, mapping, zone),
      let clock = ProgrammeTimes.clock(clockText, in: zone)
    {
      let instant = zone.instant(of: ServiceTime(day, clock))
      return instant >= session.startsAt ? instant : nil
    }
    guard let clock = ProgrammeTimes.clock(text, in: zone) else { return nil }
    // The first after the start: 26:00 behind 24:30 counts on from the same evening, 01:30 behind 23:30 is of the day
    // after.
    let date = zone.local(at: session.startsAt).date
    return [date - 1, date, date + 1].lazy.map { zone.instant(of: ServiceTime($0, clock)) }
      .first { $0 >= session.startsAt }
  }

  private static func date(_ text: String, _ mapping: ColumnMapping, _ zone: TimeZoneRules) -> CivilDate? {
    if let date = ProgrammeTimes.date(text, mapping.order) { return isMeant(date, text, mapping, zone) ? date : nil }
    if let year = mapping.year, let date = ProgrammeTimes.shortDate(text, year: year, mapping.order) { return date }
    if let day = Int(text), let year = mapping.year, let month = mapping.month {
      return CivilDate(year: year, month: month, day: day)
    }
    return text.isEmpty ? nil : ProgrammeTimes.printedDate(text, year: mapping.year, in: zone)
  }

  /// Whether a year of two digits can be one: it is the mapping's where that says one, and in East Asia it comes first, so
  /// that somebody has to say the order.
  private static func isMeant(
    _ date: CivilDate, _ text: String, _ mapping: ColumnMapping, _ zone: TimeZoneRules
  ) -> Bool {
    guard !text.split(whereSeparator: { !$0.isNumber }).contains(where: { $0.utf8.count >= 4 }) else { return true }
    guard mapping.year == nil || mapping.year == date.year else { return false }
    return !zone.name.hasPrefix("Asia/") || mapping.isOrderSaid
  }

  /// What would make a day of a text, beside what the mapping says already.
  private static func help(for mapping: ColumnMapping) -> String {
    let parts = [mapping.year == nil ? "a year" : nil, mapping.month == nil ? "a month" : nil].compactMap(\.self)
    let orders = mapping.order == nil ? ["the order day_first or month_first"] : []
    let missing = [parts.joined(separator: " and ")].filter { !$0.isEmpty } + orders
    return missing.isEmpty
      ? "write 2026-11-23" : "write 2026-11-23, or give the mapping's date \(missing.joined(separator: ", or "))"
  }

  /// What becomes of a proposal that is in no programme.
  private static let withheld: Set<String> = ["submitted", "rejected", "withdrawn", "draft", "deleted"]

  /// Nil where the row has no place for it.
  private static func flag(_ field: Field, of row: TableRow) -> Bool? {
    row.fields.contains(field) ? ["yes", "true", "1", "y"].contains(row[field]?.lowercased() ?? "") : nil
  }
}

extension String {
  fileprivate var withoutBlanks: String {
    guard let start = utf8.firstIndex(where: { $0 > 0x20 }), let end = utf8.lastIndex(where: { $0 > 0x20 }) else {
      return ""
    }
    return String(self[start...end])
  }
}
