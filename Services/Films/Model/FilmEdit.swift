package import Clocks
package import Contracts
import FilmFiles

/// One change of the catalogue: which film, by whom, and each field before and after.
nonisolated package struct FilmEdit: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, CaseIterable, Sendable, LosslessStringConvertible {
    case added, changed, removed, merged, taught, forgotten
    /// An operator gave it a picture, or took that away.
    case pictured

    package init?(_ text: String) { self.init(rawValue: text) }
    package var description: String { rawValue }
  }

  /// 0 for one that was not made.
  package var revision: Int64
  package var at: WallTime
  package var editor: String
  package var film: FilmID
  package var title: String
  package var kind: Kind
  package var fields: [FieldEdit]
  /// Of a film that came without an id and was added: those of the same title that it was not taken for.
  package var namesakes: [FilmID]?
}

/// What was done to one field.
nonisolated package struct FieldEdit: Codable, Hashable, Sendable {
  package var name: String
  package var before: String?
  package var after: String?
}

nonisolated extension FilmEdit {
  /// What makes one state of a film out of another; nil if they are the same.
  init?(of old: CatalogueFilm?, to new: CatalogueFilm?, kind: Kind? = nil, by editor: String, at time: WallTime) {
    guard old != new, let film = (new ?? old)?.film else { return nil }
    fields = FilmField.allCases.compactMap { field in
      let (before, after) = (old.flatMap(field.text), new.flatMap(field.text))
      return before == after ? nil : FieldEdit(name: field.rawValue, before: before, after: after)
    }
    revision = 0
    at = time
    self.editor = editor
    self.film = film.id
    title = film.title
    self.kind = kind ?? (old == nil ? .added : new == nil ? .removed : .changed)
  }
}
