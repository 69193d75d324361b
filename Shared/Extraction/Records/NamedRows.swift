import JSON

/// Tables in data: the names of the columns once, then rows of values without names. As records they are read like any.
///
///     {"columns": ["name", "start"], "rows": [["Silt", "2026-11-21T19:30"]]}
enum NamedRows {
  private static let columnsMin = 3
  private static let columnsMax = 200
  private static let depthMax = 24

  /// The value with its tables as lists of records; nil if it has none.
  static func named(_ value: JSONValue, budget: WorkBudget, depth: Int = 0) throws(ExtractionError) -> JSONValue? {
    guard depth < depthMax else { return nil }
    switch value {
    case .array(let values):
      // Long lists of plain values hold nothing to name.
      guard let first = values.first, first.array != nil || first.object != nil else { return nil }
      try budget.spend(values.count)
      if let records = headed(values) { return records }
      var changed = values
      var hasChanged = false
      for (index, value) in values.enumerated() {
        guard let new = try named(value, budget: budget, depth: depth + 1) else { continue }
        changed[index] = new
        hasChanged = true
      }
      return hasChanged ? .array(changed) : nil
    case .object(let object):
      try budget.spend(object.count)
      var members: [(name: String, value: JSONValue)] = []
      var hasChanged = false
      let names = object.lazy.compactMap { columns($0.value) }.first
      for (name, value) in object {
        if let names, let records = records(value, names) {
          members.append((name, records))
          hasChanged = true
        } else if let new = try named(value, budget: budget, depth: depth + 1) {
          members.append((name, new))
          hasChanged = true
        } else {
          members.append((name, value))
        }
      }
      return hasChanged ? .object(JSONObject(members)) : nil
    case .null, .bool, .int, .double, .string: return nil
    }
  }

  /// Names of columns: words, none of them twice, or records that are called something.
  private static func columns(_ value: JSONValue) -> [String]? {
    guard let values = value.array, (columnsMin...columnsMax).contains(values.count) else { return nil }
    let names = values.compactMap { (value: JSONValue) -> String? in
      value.string ?? ["name", "label", "id"].lazy.compactMap { value[$0]?.string }.first { !$0.isEmpty }
    }
    guard names.count == values.count, Set(names).count == names.count,
      names.allSatisfy({ $0.utf8.count <= 40 && $0.hasLetters })
    else { return nil }
    return names
  }

  private static func records(_ value: JSONValue, _ columns: [String]) -> JSONValue? {
    guard let rows = value.array, !rows.isEmpty else { return nil }
    let cells = rows.compactMap(cells)
    // A sheet whose columns have only their letters says in its first row what they are.
    if columns.allSatisfy(isLetter), cells.count == rows.count, let named = headed(cells.map(JSONValue.array)) {
      return named
    }
    guard cells.count == rows.count, cells.allSatisfy({ $0.count == columns.count }) else { return nil }
    return .array(cells.map { record($0, columns) })
  }

  /// `A`, `AB`
  private static func isLetter(_ column: String) -> Bool {
    column.utf8.count <= 2 && column.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }

  private static func record(_ row: [JSONValue], _ columns: [String]) -> JSONValue {
    .object(JSONObject(zip(columns, row).map { (name: $0, value: $1) }))
  }

  /// A row of values, or of what a chart is made from: `{"c": [{"v": "Silt"}, {"v": "Date(2026,10,27)"}]}`.
  private static func cells(_ row: JSONValue) -> [JSONValue]? {
    if let values = row.array { return values }
    guard let object = row.object, object.count == 1 || object.count == 2 && object["p"] != nil else { return nil }
    return object["c"]?.array?.map { cell in
      guard let value = cell["v"] else { return cell.object == nil ? cell : .null }
      return clock(value) ?? value
    }
  }

  /// `[20, 15, 0, 0]` is a clock in a sheet: hours, minutes, seconds and their parts.
  private static func clock(_ value: JSONValue) -> JSONValue? {
    guard let parts = value.array, parts.count == 4, case let numbers = parts.compactMap(\.int), numbers.count == 4,
      (0..<24).contains(numbers[0]), (0..<60).contains(numbers[1])
    else { return nil }
    return .string("\(numbers[0]):\(numbers[1] < 10 ? "0" : "")\(numbers[1])")
  }

  /// The rows of a sheet, of which the first names the columns; rows may lack empty cells at their end.
  ///
  ///     [["Film", "Date", "Time"], ["Silt", "27/11/2026", "19:30"]]
  private static func headed(_ rows: [JSONValue]) -> JSONValue? {
    guard rows.count > 1, let head = rows[0].array, head.allSatisfy({ $0.string != nil }),
      let columns = columns(rows[0]), isHead(columns),
      rows.allSatisfy({ $0.array.map { $0.count <= columns.count } ?? false })
    else { return nil }
    return .array(rows.dropFirst().map { record($0.array ?? [], columns) })
  }

  /// Whether names of columns say that there are titles and starts below them.
  private static func isHead(_ columns: [String]) -> Bool {
    var hasTitle = false
    var hasStart = false
    for column in columns {
      switch RecordKey(column).role {
      case .title, .film: hasTitle = true
      case .start: hasStart = true
      default: break
      }
    }
    return hasTitle && hasStart
  }
}
