import CSV
import Contracts
import HTTP
import JSON

/// Things to save as a client sent them: a list of films, the document that a user exported, or a table from elsewhere.
struct ImportList {
  var rows: [ImportRow] = []
  var ignoredColumns: [String] = []

  /// Throws if what was sent cannot be read at all. What is wrong with a row of a table is told with that row.
  init(_ asking: Asking) throws {
    let type = (asking.request["content-type"] ?? "").prefix { $0 != ";" }.lowercased()
    if type == "text/csv" {
      try readTable(asking.request.body)
    } else if type == "application/json" || type.hasSuffix("+json") {
      try readJSON(asking)
    } else {
      throw Problem(.unsupportedMediaType, "send the body as application/json or text/csv")
    }
  }

  // MARK: Tables

  /// Columns that are read. Others are told of: a film's rating on another site is nothing that is kept here.
  private static let columns = ["film_id", "kind", "name", "year", "note"]
  /// As other programs and our own commands call them.
  private static let aliases = ["id": "film_id", "title": "name", "description": "note"]

  private mutating func readTable(_ bytes: [UInt8]) throws {
    var limits = CSVLimits()
    limits.bytes = BookmarkImport.bytesMax
    limits.fieldBytes = 4 * UserNote.charactersMax
    limits.fields = 64
    do throws(CSVError) {
      var table = try CSVTable(bytes, aliases: Self.aliases, limits: limits)
      guard table.has("film_id") || table.has("name") else {
        let columns = table.columns.joined(separator: ", ")
        throw CSVError(line: 1, "there is no column name, title or film_id; there are \(columns)")
      }
      ignoredColumns = table.columns.filter { !$0.isEmpty && !Self.columns.contains($0) }
      try read(&table)
    } catch {
      throw Self.problem("\(error)")
    }
    if rows.isEmpty { throw Self.problem("the table has no rows; below the names of its columns stands a film a line") }
  }

  private mutating func read(_ table: inout CSVTable) throws(CSVError) {
    while true {
      var entry: ImportRow
      do throws(CSVError) {
        guard let row = try table.next() else { return }
        entry = ImportRow(at: .line(row.line))
        entry.take(row)
      } catch {
        entry = ImportRow(at: .line(error.line))
        entry.refuse(.unreadable, error.reason)
      }
      guard rows.count < BookmarkImport.rowsMax else {
        throw CSVError(line: 1, "the table has more than \(BookmarkImport.rowsMax) rows; split it")
      }
      rows.append(entry)
    }
  }

  private static func problem(_ detail: String) -> Problem {
    Problem(.validation, status: .unprocessableContent, errors: [.init(pointer: "", detail: detail)])
  }

  // MARK: JSON

  private mutating func readJSON(_ asking: Asking) throws {
    let value = try asking.request.json(limits: JSONLimits(bytes: BookmarkImport.bytesMax))
    let isExport = value.object?["items"] != nil
    // Of an export, what is saved is all that can be brought in.
    var body = try Asking.body(value, ignoring: isExport ? BookmarkImport.otherMembersOfExports : [])
    let member = isExport ? "items" : "films"
    var place = -1
    rows = body.objects(member) { item in
      place += 1
      return isExport ? Self.exported(&item, "/items/\(place)") : Self.listed(&item, "/films/\(place)")
    }.compactMap(\.self)
    if rows.count > BookmarkImport.rowsMax {
      body.note(member, "has \(rows.count) to save; send at most \(BookmarkImport.rowsMax) at a time")
    }
    // Of somebody who saved nothing the export is as whole as any.
    if place < 0, !isExport { body.note(member, "must have 1 to \(BookmarkImport.rowsMax) elements") }
    try body.finish()
  }

  private static func listed(_ item: inout JSONReader, _ pointer: String) -> ImportRow {
    var row = ImportRow(at: .pointer(pointer))
    row.id = id("film_id", &item)
    row.note = item.userNote()
    return row
  }

  /// Nil for what was removed before the export: it is told there, and nothing to save.
  private static func exported(_ item: inout JSONReader, _ pointer: String) -> ImportRow? {
    var row = ImportRow(at: .pointer(pointer))
    row.kind = item.optional("kind", as: String.self).map { ItemKind(called: $0) } ?? .film
    if case .unknown(let name) = row.kind {
      item.note("kind", "is “\(name)”; it must be one of \(ItemKind.known.map(\.rawValue).joined(separator: ", "))")
    }
    row.id = id("id", &item)
    row.note = item.userNote()
    _ = item.optional("saved_at", as: String.self)
    _ = item.optional("revision", as: Int.self, in: BookmarkImport.revisions)
    return item.optional("removed_at", as: String.self) == nil ? row : nil
  }

  private static func id(_ name: String, _ item: inout JSONReader) -> String? {
    guard let text = item.required(name, as: String.self) else { return nil }
    if FilmID(text) == nil { item.note(name, "must be \(FilmID.form)") }
    return text
  }
}

nonisolated extension ImportRow {
  /// Takes what a table says of it, or says why it cannot be taken.
  fileprivate mutating func take(_ row: CSVRow) {
    title = row["name"]
    if let text = row["kind"] {
      kind = ItemKind(called: text.lowercased())
      if case .unknown = kind {
        let known = ItemKind.known.map(\.rawValue).joined(separator: ", ")
        return refuse(.unknownKind, "kind is \(text); write one of \(known)")
      }
    }
    if let text = row["film_id"] {
      id = text
      guard FilmID(text) != nil else { return refuse(.badID, "the id is \(text); it must be \(FilmID.form)") }
    }
    do throws(CSVError) { year = try row.int("year") } catch { return refuse(.badYear, error.reason) }
    if let year, !Film.years.contains(year) {
      return refuse(.badYear, "year is \(year); films are from \(Film.years.lowerBound) on")
    }
    note = row["note"]
    if let problem = UserNote.problem(with: note) { return refuse(.longNote, "the note \(problem)") }
    if id != nil { return }
    guard kind == .film else { return refuse(.noID, "a \(kind.rawValue) is saved by its id; give film_id") }
    guard let title else { return refuse(.noName, "it has neither a name nor a film_id") }
    let bytes = title.utf8.count
    guard bytes <= BookmarkImport.titleBytesMax else {
      return refuse(.longName, "the name has \(bytes) bytes; at most \(BookmarkImport.titleBytesMax) are read")
    }
  }
}

nonisolated extension ItemKind {
  fileprivate init(called name: String) { self = Self.known.first { $0.rawValue == name } ?? .unknown(name) }
}
