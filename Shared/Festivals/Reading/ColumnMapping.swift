import Calendars
import Contracts
package import JSON

/// Which column of a table, or which member of a JSON row, is what: declared once in a small file.
///
///     { "festival": {"id": "sitges-2025", "name": "Sitges 2025", "time_zone": "Europe/Madrid"},
///       "columns": {"title": "event", "day": "date", "start": "time", "duration": "duration", "rooms": "venue"},
///       "date": {"year": 2025, "month": 10}, "after_midnight": "evening_before" }
package struct ColumnMapping: Hashable, Sendable {
  /// What a row can say.
  enum Field: String, CaseIterable, Sendable {
    case id, code, title, subtitle, day, start, end, duration, rooms, track, speakers, kind, language, level, abstract
    case details, url, film, runtime_min, flags, sold_out, cancelled, guid, state
    /// Of the festival, the same in each row: a table has no place above its rows.
    case festival, festival_name, time_zone
  }

  var id: FestivalID?
  var name: String?
  var zone: ZoneName?
  /// The member that has the rows, with dots between names; nil: the whole text is the list.
  var rows: String?
  var columns: [Field: String] = [:]
  /// Of days that are only a number.
  var year: Int?
  var month: Int?
  /// Of days such as 1/5/2026.
  var order: DayOrder?
  /// Somebody said the order; it was not found from the days.
  var isOrderSaid = false
  /// Starts are whole hours; found from the rows.
  var hasHours = false
  /// Between several values in one field.
  var separator = "|"
  /// Between people, beside that.
  var speakersSeparator: String?
  /// Whether what starts between midnight and the day's end belongs to the evening before; nil: the order of the rows may
  /// say it, and else it does.
  var isNightOfDay: Bool?

  /// What comes first in a day that ends with its year.
  enum DayOrder: String, Sendable {
    case dayFirst = "day_first"
    case monthFirst = "month_first"
  }

  /// Our own tables: each field under its own name.
  static let standard: ColumnMapping = {
    var mapping = ColumnMapping()
    for field in Field.allCases { mapping.columns[field] = field.rawValue }
    return mapping
  }()

  /// The tables that pretalx's organisers export, by the names that it gives its columns in English; nil if this is none.
  ///
  /// - Parameters:
  ///   - names: those of the file.
  ///   - key: how a name is written there.
  static func exported(_ names: Set<String>, key: (String) -> String = { $0 }) -> ColumnMapping? {
    let columns: [(Field, [String])] = [
      (.id, ["ID"]), (.title, ["Title", "Proposal title", "Session title"]), (.start, ["Start"]), (.end, ["End"]),
      (.duration, ["Duration"]), (.rooms, ["Room"]), (.track, ["Track"]), (.speakers, ["Speaker names"]),
      (.kind, ["Session type"]), (.language, ["Language"]), (.abstract, ["Abstract"]), (.details, ["Description"]),
      (.state, ["State", "Proposal state", "Session state", "Submission state"]),
    ]
    var mapping = ColumnMapping()
    for (field, words) in columns { mapping.columns[field] = words.first { names.contains(key($0)) } }
    guard mapping.columns[.title] != nil, mapping.columns[.start] != nil, mapping.columns[.speakers] != nil else {
      return nil
    }
    (mapping.separator, mapping.speakersSeparator) = ("\n", ", ")
    return mapping
  }

  private init() {}

  package init(_ value: JSONValue) throws(ProgrammeError) {
    var reader = JSONReader(value)
    _ = reader.object("festival") { festival in
      id = festival.optional("id", as: String.self).flatMap { FestivalID($0) }
      name = festival.optional("name", as: String.self)
      let text = festival.optional("time_zone", as: String.self)
      zone = text.flatMap { ZoneName($0) }
      if text != nil, zone == nil { festival.note("time_zone", "must be \(ZoneName.form)") }
    }
    rows = reader.optional("rows", as: String.self)
    separator = reader.optional("separator", as: String.self) ?? separator
    _ = reader.object("date") { date in
      year = date.optional("year", as: Int.self, in: 1...9_999)
      month = date.optional("month", as: Int.self, in: 1...12)
      let text = date.optional("order", as: String.self)
      order = text.flatMap(DayOrder.init)
      isOrderSaid = order != nil
      if text != nil, order == nil { date.note("order", "must be day_first or month_first") }
    }
    switch reader.optional("after_midnight", as: String.self) {
    case nil: break
    case "evening_before"?: isNightOfDay = true
    case "same_day"?: isNightOfDay = false
    case _?: reader.note("after_midnight", "must be evening_before or same_day")
    }
    let named = reader.required("columns", as: JSONValue.self)
    for (name, column) in named?.object ?? JSONObject() {
      guard let field = Field(rawValue: name), let column = column.string else {
        let near = suggestion(for: name, among: Field.allCases.map(\.rawValue)).map { "; did you mean \($0)?" } ?? ""
        reader.note("columns", "\(name) is no field, or its column is no text\(near)")
        continue
      }
      columns[field] = column
    }
    for field in [Field.title, .start] where columns[field] == nil && named != nil {
      reader.note("columns", "\(field.rawValue) is missing; name its column")
    }
    if separator.isEmpty { reader.note("separator", "must not be empty") }
    do {
      try reader.finish()
    } catch {
      throw ProgrammeError("the mapping is wrong: \(error)")
    }
  }
}
