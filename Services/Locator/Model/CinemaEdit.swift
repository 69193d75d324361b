package import Clocks
package import Contracts
package import Drafts
import ServiceStorage

/// One change of the directory: which cinema, by whom, and each field before and after.
nonisolated package struct CinemaEdit: Codable, Hashable, Sendable {
  /// 0 for one that was not made.
  package var revision: Int64
  package var at: WallTime
  package var editor: String
  package var cinema: CinemaID
  package var kind: EditKind
  package var fields: [FieldEdit]

  /// What a removal calls the cinema that is to be looked at instead.
  static let replacementField = "replaced_by"
}

nonisolated extension CinemaEdit {
  /// What makes one state of a cinema out of another; nil if they are the same.
  init?(of old: Cinema?, to new: Cinema?, by editor: String, at time: WallTime) {
    guard old != new, let id = new?.id ?? old?.id else { return nil }
    fields = FieldEdit.between(old, new) { (field: CinemaField, cinema) in field.text(of: cinema) }
    revision = 0
    at = time
    self.editor = editor
    cinema = id
    kind = EditKind(of: old, to: new)
  }
}

nonisolated extension CinemaEdit: LoggedEdit {
  package var subject: CinemaID { cinema }

  package init(
    revision: Int64, at: WallTime, editor: String, subject: CinemaID, kind: EditKind, fields: [FieldEdit]
  ) {
    self.init(revision: revision, at: at, editor: editor, cinema: subject, kind: kind, fields: fields)
  }
}
