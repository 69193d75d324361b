import HTTP
import JSON

/// What somebody writes beside a thing that they save.
nonisolated enum UserNote {
  /// A page of text, as Bookmarks keeps it. Counted in code points, as JSON Schema and every database do.
  static let charactersMax = 2_000

  static let schema = Schema.string("Your own.", length: 0...charactersMax)

  /// A body of nothing but a note, which may be left out.
  static let form = BodyForm(isRequired: false, schema: .object([("note", schema, false)]))

  /// Why this is no note; nil if it is one.
  static func problem(with note: String?) -> String? {
    note?.unicodeScalars.count ?? 0 > charactersMax ? "must have at most \(charactersMax) characters" : nil
  }

  /// The note in the body of a save; nil without a body.
  @MainActor
  static func body(of asking: Asking) throws -> String? {
    guard !asking.request.body.isEmpty else { return nil }
    var body = try asking.body()
    let note = body.userNote()
    try body.finish()
    return note
  }
}

nonisolated extension JSONReader {
  /// The member `note`, if there is one.
  mutating func userNote() -> String? {
    let note = optional("note", as: String.self)
    if let problem = UserNote.problem(with: note) { self.note("note", problem) }
    return note
  }
}
