package import Clocks
package import Drafts
package import Storage

/// A change of one record of a list, as an `EditLog` keeps it.
nonisolated package protocol LoggedEdit {
  associatedtype Subject: LosslessStringConvertible
  /// The log's, which gives it; 0 for one that was not made.
  var revision: Int64 { get set }
  var at: WallTime { get }
  var editor: String { get }
  /// The record.
  var subject: Subject { get }
  var kind: EditKind { get }
  var fields: [FieldEdit] { get set }

  init(revision: Int64, at: WallTime, editor: String, subject: Subject, kind: EditKind, fields: [FieldEdit])
}

/// Every change that was made to the records of a list, and by whom.
///
/// Its two tables stand in the migrations of whoever has one: `edit (revision, at, editor, …, kind)`, where … is the column
/// of the record's id, and `edited_field (revision, place, name, before, after)`.
nonisolated package struct EditLog<Edit: LoggedEdit>: Sendable {
  /// The column of the record's id: `cinema`.
  private let subject: SQL

  package init(of subject: SQL) { self.subject = subject }

  /// The last edit's; 0 before the first.
  package func revision(_ db: DatabaseConnection) throws -> Int64 {
    try db.value("SELECT max(revision) FROM edit") ?? 0
  }

  /// - Returns: the edit's revision.
  package func remember(_ edit: Edit, _ db: DatabaseConnection) throws -> Int64 {
    try db.execute(
      "INSERT INTO edit (at, editor, \(subject), kind) VALUES (?, ?, ?, ?)",
      [edit.at, edit.editor, edit.subject.description, edit.kind.rawValue])
    let revision = try revision(db)
    for (place, field) in edit.fields.enumerated() {
      try db.execute(
        "INSERT INTO edited_field (revision, place, name, before, after) VALUES (?, ?, ?, ?, ?)",
        [revision, place, field.name, field.before, field.after])
    }
    return revision
  }

  /// The newest edits of one record or of all, newest first.
  package func history(
    of record: Edit.Subject?, before revision: Int64?, limit: Int, _ db: DatabaseConnection
  ) throws -> [Edit] {
    let edits = try db.rows(
      """
      SELECT revision, at, editor, \(subject), kind FROM edit
      WHERE (?1 IS NULL OR \(subject) = ?1) AND revision < ?2 ORDER BY revision DESC LIMIT ?3
      """, [record?.description, revision ?? .max, limit]
    ) { row in
      Edit(
        revision: try row.read(0), at: try row.read(1), editor: try row.read(2), subject: try row.parsed(3),
        kind: try row.parsed(4), fields: [])
    }
    return try edits.map { edit in
      var edit = edit
      edit.fields = try db.rows(
        "SELECT name, before, after FROM edited_field WHERE revision = ? ORDER BY place", [edit.revision]
      ) { row in FieldEdit(name: try row.read(0), before: try row.read(1), after: try row.read(2)) }
      return edit
    }
  }
}
