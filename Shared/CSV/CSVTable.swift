import JSON

/// Reads a CSV text whose first record names the columns.
///
///     var table = try CSVTable(bytes)
///     try table.check(known: ["id", "name", "lat", "lon"], required: ["id", "name"])
///     while let row = try table.next() { let name = try row.required("name") … }
///
/// Names are compared without case, and `Name EN`, `name-en` and `name_en` are one name.
package struct CSVTable {
  /// As they are looked up: `name_en`. An empty one has no name and is not read.
  package let columns: [String]
  private let places: [String: Int]
  private let headerLine: Int
  private var reader: CSVReader

  /// Other names of columns, told as `("lat", "latitude breitengrad")`.
  package static func aliases(_ others: some Sequence<(String, String)>) -> [String: String] {
    var names: [String: String] = [:]
    for (column, others) in others {
      for other in others.split(separator: " ") { names[String(other)] = column }
    }
    return names
  }

  /// - Parameter aliases: other names that a column may have: `["latitude": "lat"]`.
  package init(
    _ bytes: some Sequence<UInt8>, aliases: [String: String] = [:], limits: CSVLimits = CSVLimits()
  ) throws(CSVError) {
    reader = try CSVReader(bytes, limits: limits)
    guard let header = try reader.next() else {
      throw CSVError(line: 1, "the file is empty; begin with a line of names")
    }
    let keys = header.fields.map(Self.key)
    var taken: Set<String> = []
    for key in keys where !key.isEmpty && !taken.insert(key).inserted {
      throw CSVError(line: header.line, "the column \(key) is there twice; remove or rename one")
    }
    var names = keys
    // Beside `address`, `street` is a column of its own; of two other names for one thing the first is meant, and one that
    // stands there as it is before one with a remark in brackets.
    for name in [{ $0 }, Self.withoutBrackets] as [(String) -> String] {
      for (place, key) in keys.enumerated() where names[place] == key {
        if let meant = aliases[name(key)], taken.insert(meant).inserted { names[place] = meant }
      }
    }
    var places: [String: Int] = [:]
    for (place, name) in names.enumerated() where !name.isEmpty { places[name] = place }
    columns = names
    self.places = places
    headerLine = header.line
  }

  package func has(_ column: String) -> Bool { places[column] != nil }

  /// Throws if a required column is missing or one is there that nobody would read.
  package func check(known: [String], required: [String] = []) throws(CSVError) {
    guard let name = try columns(otherThan: known, required: required).first else { return }
    throw CSVError(line: headerLine, "unknown column \(name); known are \(known.joined(separator: ", "))")
  }

  /// Those that nobody would read: tell of them. Throws if a required column is missing, or one is there that is called
  /// nearly as a known one.
  package func columns(otherThan known: [String], required: [String] = []) throws(CSVError) -> [String] {
    for name in required where !has(name) {
      let near = suggestion(for: name, among: columns.filter { !known.contains($0) })
      let meant = near.map { "; is it \($0)?" } ?? "; there are \(columns.joined(separator: ", "))"
      throw CSVError(line: headerLine, "there is no column \(name)\(meant)")
    }
    let others = columns.filter { !$0.isEmpty && !known.contains($0) }
    for name in others where name.last?.isNumber != true {
      guard let near = suggestion(for: name, among: known.filter { !has($0) }) else { continue }
      throw CSVError(line: headerLine, "unknown column \(name); did you mean \(near)?")
    }
    return others
  }

  /// What to tell of columns that are not read; nil of none.
  package static func remark(onUnread columns: [String]) -> String? {
    guard !columns.isEmpty else { return nil }
    return "not taken: the column\(columns.count == 1 ? "" : "s") \(columns.joined(separator: ", "))"
  }

  /// The next row, or nil at the end. After an error, reading goes on with the row that follows.
  package mutating func next() throws(CSVError) -> CSVRow? {
    guard let record = try reader.next() else { return nil }
    // Spreadsheets leave empty fields at the end out, or add some.
    guard record.fields.count <= columns.count || record.fields[columns.count...].allSatisfy(\.isEmpty) else {
      throw CSVError(
        line: record.line,
        "\(record.fields.count) fields for \(columns.count) columns; put a field that holds a separator in quotes")
    }
    return CSVRow(record, places)
  }

  /// `위도(wgs84)`: brackets tell in which unit or system a column is.
  private static func withoutBrackets(_ name: String) -> String {
    var name = name.prefix { $0 != "(" }
    while name.last == "_" { name.removeLast() }
    return String(name)
  }

  /// A name as it is looked up.
  package static func key(_ name: String) -> String {
    let words = name.lowercased().split { $0 == " " || $0 == "-" || $0 == "_" || $0 == "\u{a0}" }
    return words.joined(separator: "_")
  }
}

/// A row whose fields have names. Blanks around a field are not part of it, and an empty field is none.
package struct CSVRow: Sendable {
  private let record: CSVRecord
  private let places: [String: Int]

  init(_ record: CSVRecord, _ places: [String: Int]) {
    self.record = record
    self.places = places
  }

  /// The line that it begins on, from 1.
  package var line: Int { record.line }

  /// The field; nil if it is empty, left out or has no column.
  package subscript(_ column: String) -> String? {
    guard let place = places[column], place < record.fields.count else { return nil }
    let field = record.fields[place]
    // Nearly every field has no blanks around it.
    guard field.utf8.first?.isBlank == true || field.utf8.last?.isBlank == true else {
      return field.isEmpty ? nil : field
    }
    let trimmed = field.utf8.drop(while: \.isBlank)
    guard let last = trimmed.lastIndex(where: { !$0.isBlank }) else { return nil }
    return String(field[trimmed.startIndex...last])
  }

  package func required(_ column: String) throws(CSVError) -> String {
    guard let field = self[column] else { throw CSVError(line: line, "\(column) is empty") }
    return field
  }

  package func double(_ column: String) throws(CSVError) -> Double? {
    guard let field = self[column] else { return nil }
    guard let value = Double(field), value.isFinite else {
      throw CSVError(line: line, "\(column) is \(field); write a number such as 37.5")
    }
    return value
  }

  package func int(_ column: String) throws(CSVError) -> Int? {
    guard let field = self[column] else { return nil }
    guard let value = Int(field) else { throw CSVError(line: line, "\(column) is \(field); write a whole number") }
    return value
  }

  /// `true`, `yes`, `1` and their opposites.
  package func bool(_ column: String) throws(CSVError) -> Bool? {
    guard let field = self[column]?.lowercased() else { return nil }
    switch field {
    case "true", "yes", "y", "1": return true
    case "false", "no", "n", "0": return false
    default: throw CSVError(line: line, "\(column) is \(field); write yes or no")
    }
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == .space || self == .tab || endsLine }
}
