/// What was done to one field of a record.
package struct FieldEdit: Codable, Hashable, Sendable {
  package var name: String
  package var before: String?
  package var after: String?

  package init(name: String, before: String?, after: String?) {
    self.name = name
    self.before = before
    self.after = after
  }

  /// The fields in which two states of a record differ.
  package static func between<Record, Field: RawRepresentable<String> & CaseIterable>(
    _ old: Record?, _ new: Record?, text: (Field, Record) -> String?
  ) -> [FieldEdit] {
    Field.allCases.compactMap { field in
      let (before, after) = (old.flatMap { text(field, $0) }, new.flatMap { text(field, $0) })
      return before == after ? nil : FieldEdit(name: field.rawValue, before: before, after: after)
    }
  }
}

/// What was done to a record.
package enum EditKind: String, Codable, CaseIterable, Sendable, LosslessStringConvertible {
  case added, changed, removed

  /// What makes one state of a record out of another.
  package init<Record>(of old: Record?, to new: Record?) {
    self = old == nil ? .added : new == nil ? .removed : .changed
  }

  package init?(_ text: String) { self.init(rawValue: text) }
  package var description: String { rawValue }
}
