package import Clocks
package import Contracts

/// One change of the directory: which station, by whom, and each field before and after.
nonisolated package struct StationEdit: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, CaseIterable, Sendable, LosslessStringConvertible {
    case added, changed, removed

    package init?(_ text: String) { self.init(rawValue: text) }
    package var description: String { rawValue }
  }

  /// What was done to one field.
  package struct Field: Codable, Hashable, Sendable {
    package var name: String
    package var before: String?
    package var after: String?
  }

  /// 0 for one that was not made.
  package var revision: Int64
  package var at: WallTime
  package var editor: String
  package var station: StationID
  package var kind: Kind
  package var fields: [Field]
}

nonisolated extension StationEdit {
  /// What makes one state of a station out of another; nil if they are the same.
  init?(of old: StationRecord?, to new: StationRecord?, by editor: String, at time: WallTime) {
    guard old != new, let id = new?.id ?? old?.id else { return nil }
    fields = StationField.allCases.compactMap { field in
      let (before, after) = (old.flatMap(field.text), new.flatMap(field.text))
      return before == after ? nil : Field(name: field.rawValue, before: before, after: after)
    }
    revision = 0
    at = time
    self.editor = editor
    station = id
    kind = old == nil ? .added : new == nil ? .removed : .changed
  }
}
