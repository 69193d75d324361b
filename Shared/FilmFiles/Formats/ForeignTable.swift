import CSV
import Drafts
import JSON

/// What tables that others export have besides our columns: IMDb's lists and datasets, TMDb's, Letterboxd's.
///
/// Their names for our columns stand in ``FilmField/otherNames``; here is what only looks like one of ours.
struct ForeignTable {
  /// Columns that are read here, and are no field.
  enum Column: String, CaseIterable {
    case imdb = "imdb_id"
    case tmdb = "tmdb_id"
    case kind = "title_type"
    case letterboxd = "letterboxd_uri"
  }

  /// Whether the table is not one that we wrote: ours have every field.
  private let isForeign: Bool
  /// Half stars instead of who may see it.
  private let rates: Bool
  /// The number of TMDb instead of an id.
  private let numbers: Bool
  /// Lists with commas between their values.
  private(set) var commas: Set<FilmField> = []
  /// Rows that are series, episodes and games.
  private(set) var others = 0

  init(_ table: CSVTable) {
    isForeign = !FilmField.allCases.allSatisfy { table.has($0.rawValue) }
    rates = table.has(Column.letterboxd.rawValue)
    numbers = [FilmField.language, .popularity, .votes].allSatisfy { table.has($0.rawValue) }
  }

  /// - Returns: whether it is a film at all.
  mutating func take(_ row: CSVRow, into draft: inout FilmDraft) -> Bool {
    guard isForeign else { return true }
    if let kind = row[Column.kind.rawValue], !Self.isFilm(kind) {
      others += 1
      return false
    }
    for field in FilmField.allCases { draft[field] = draft[field].flatMap { Self.plain($0, field) } }
    if rates { draft[.rating] = nil }
    if let page = row[Column.letterboxd.rawValue], draft[.page] == nil { draft[.page] = page }
    var ids = draft[.externalIDs].map { [$0] } ?? []
    if numbers, let number = draft[.id], number.utf8.allSatisfy({ (48...57).contains($0) }) {
      draft[.id] = nil
      ids.append("tmdb:\(number)")
    }
    for column in [Column.tmdb, .imdb] {
      guard let id = row[column.rawValue], id != Self.nothing else { continue }
      ids.append("\(column.rawValue.prefix { $0 != "_" }):\(id)")
    }
    draft.set(.externalIDs, to: ids)
    for field in [FilmField.genres, .countries, .directors, .writers, .cast] {
      guard let text = draft[field], text.contains(","), !text.contains(FilmField.separator) else { continue }
      if field == .genres || field == .countries || text.contains(", ") { commas.insert(field) }
    }
    return true
  }

  /// A list of the rows whose columns part their values with commas.
  func parted(_ drafts: [FilmDraft]) -> [FilmDraft] {
    // One that parts them with strokes elsewhere has commas in its names.
    let commas = commas.filter { field in !drafts.contains { $0[field]?.contains(FilmField.separator) == true } }
    guard !commas.isEmpty else { return drafts }
    return drafts.map { draft in
      var draft = draft
      for field in commas {
        guard let text = draft[field] else { continue }
        var names: [String] = []
        for part in text.split(separator: ",").map(\.trimmed) where !part.isEmpty {
          if let last = names.last, Self.endings.contains(part) {
            names[names.count - 1] = "\(last), \(part)"
          } else {
            names.append(part)
          }
        }
        draft.set(field, to: names)
      }
      return draft
    }
  }

  /// Behind a comma they are of the name before it.
  private static let endings: Set<String> = ["Jr.", "Jr", "Sr.", "Sr", "II", "III"]

  private static let nothing = #"\N"#

  private static func isFilm(_ kind: String) -> Bool {
    let letters = kind.lowercased().filter { $0.isLetter }
    return !["series", "episode", "game", "podcast"].contains { letters.contains($0) } && letters != "musicvideo"
  }

  /// Without what a database or a spreadsheet adds: `\N`, `148.0`, `[{"id": 18, "name": "Drama"}]`.
  private static func plain(_ text: String, _ field: FilmField) -> String? {
    guard text != nothing else { return nil }
    switch field {
    case .year, .runtime, .votes, .budget, .revenue:
      guard let point = text.firstIndex(of: "."), text[text.index(after: point)...].allSatisfy({ $0 == "0" }) else {
        return text
      }
      return String(text[..<point])
    case .countries, .genres, .directors, .writers, .cast:
      guard text.hasPrefix("[{"), let list = (try? JSONValue(parsing: text))?.array else {
        return text == "[]" ? nil : text
      }
      let names = list.compactMap { $0["iso_3166_1"]?.string ?? $0["name"]?.string }
      return names.map { String($0.map { $0 == FilmField.separator ? "/" : $0 }) }.joined(separator: "|")
    default: return text
    }
  }
}
