package import Clocks
package import Contracts

/// One change of the directory: which cinema, by whom, and each field before and after.
nonisolated package struct CinemaEdit: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, CaseIterable, Sendable, LosslessStringConvertible {
    case added, changed, removed

    package init?(_ text: String) { self.init(rawValue: text) }
    package var description: String { rawValue }
  }

  /// 0 for one that was not made.
  package var revision: Int64
  package var at: WallTime
  package var editor: String
  package var cinema: CinemaID
  package var kind: Kind
  package var fields: [FieldEdit]

  /// What a removal calls the cinema that is to be looked at instead.
  static let replacementField = "replaced_by"
}

nonisolated extension CinemaEdit {
  /// What makes one state of a cinema out of another; nil if they are the same.
  init?(of old: Cinema?, to new: Cinema?, by editor: String, at time: WallTime) {
    guard old != new, let id = new?.id ?? old?.id else { return nil }
    fields = CinemaField.allCases.compactMap { field in
      let (before, after) = (old.flatMap(field.text), new.flatMap(field.text))
      return before == after ? nil : FieldEdit(name: field.rawValue, before: before, after: after)
    }
    revision = 0
    at = time
    self.editor = editor
    cinema = id
    kind = old == nil ? .added : new == nil ? .removed : .changed
  }
}
