package import Clocks
package import Contracts
package import Drafts
import ServiceStorage

/// One change of the directory: which station, by whom, and each field before and after.
nonisolated package struct StationEdit: Codable, Hashable, Sendable {
  /// 0 for one that was not made.
  package var revision: Int64
  package var at: WallTime
  package var editor: String
  package var station: StationID
  package var kind: EditKind
  package var fields: [FieldEdit]
}

nonisolated extension StationEdit {
  /// What makes one state of a station out of another; nil if they are the same.
  init?(of old: StationRecord?, to new: StationRecord?, by editor: String, at time: WallTime) {
    guard old != new, let id = new?.id ?? old?.id else { return nil }
    fields = FieldEdit.between(old, new) { (field: StationField, record) in field.text(of: record) }
    revision = 0
    at = time
    self.editor = editor
    station = id
    kind = EditKind(of: old, to: new)
  }
}

nonisolated extension StationEdit: LoggedEdit {
  package var subject: StationID { station }

  package init(
    revision: Int64, at: WallTime, editor: String, subject: StationID, kind: EditKind, fields: [FieldEdit]
  ) {
    self.init(revision: revision, at: at, editor: editor, station: subject, kind: kind, fields: fields)
  }
}
