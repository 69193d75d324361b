package import Clocks
package import Contracts
package import Drafts
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
  /// What it was changed with: the first revision of that. Nil for what is none of an import or an edit.
  package var job: Int64?
}

nonisolated extension FilmEdit {
  /// What makes one state of a film out of another; nil if they are the same.
  init?(of old: CatalogueFilm?, to new: CatalogueFilm?, kind: Kind? = nil, by editor: String, at time: WallTime) {
    guard old != new, let film = (new ?? old)?.film else { return nil }
    fields = FieldEdit.between(old, new) { (field: FilmField, film) in field.text(of: film) }
    revision = 0
    at = time
    self.editor = editor
    self.film = film.id
    title = film.title
    self.kind = kind ?? (old == nil ? .added : new == nil ? .removed : .changed)
  }
}
