import Drafts
import JSON

/// Films as a plain list of objects whose members are called as our columns are, or as others call these: OMDb's, Trakt's.
enum FilmObjects {
  /// Nil where nothing has a title.
  static func read(_ json: JSONValue, named name: String) -> FilmReading? {
    guard let list = lists(in: json).first(where: { $0.contains(where: isFilm) }) else { return nil }
    var reading = FilmReading()
    let rows = list.map { columns(of: film($0)) }
    let known = Set(rows.flatMap(\.keys))
    var foreign = ForeignTable(has: known.contains)
    for (index, row) in rows.enumerated() {
      guard isFilm(list[index]) else {
        foreign.passOver()
        continue
      }
      var draft = FilmDraft("\(name) film \(index + 1)")
      for field in FilmField.allCases { draft[field] = row[field.rawValue] }
      if foreign.take({ row[$0] }, into: &draft) { reading.drafts.append(draft) }
    }
    reading.drafts = foreign.settled(reading.drafts)
    reading.remark = foreign.remark.map { "\(name): \($0)" }
    return reading
  }

  /// Why OMDb answers nothing.
  static func refusal(_ json: JSONValue) -> String? { json["Response"] == "False" ? json["Error"]?.string : nil }

  /// Answers have their lists some objects deep, or are one film.
  private static func lists(in json: JSONValue, depth: Int = 0) -> [[JSONValue]] {
    if let list = json.array { return [list] }
    guard depth < depthMax else { return [] }
    let members = json.object ?? JSONObject()
    func inside(_ isTaken: (String) -> Bool) -> [[JSONValue]] {
      members.filter { isTaken($0.name.lowercased()) }.flatMap { lists(in: $0.value, depth: depth + 1) }
    }
    // A list has a name as a film has one; a film has lists of people and of other films.
    return inside(ofFilms.contains) + [[json]] + inside { !ofFilms.contains($0) }
  }

  /// What lists of films are called.
  private static let ofFilms: Set<String> = [
    "films", "movies", "items", "results", "entries", "list", "data", "search", "watchlist", "favorites", "favourites",
  ]

  private static let depthMax = 6

  /// A list's entry may hold its film beside what is said of the entry.
  private static func film(_ entry: JSONValue) -> JSONValue {
    entry["movie"]?.object == nil ? entry : entry["movie"] ?? entry
  }

  private static func isFilm(_ entry: JSONValue) -> Bool {
    let columns = columns(of: film(entry))
    return FilmTable.titles.contains { columns[$0] != nil }
  }

  private static func columns(of film: JSONValue) -> [String: String] {
    var columns: [String: String] = [:]
    for (name, value) in film.object ?? JSONObject() {
      if name == "ids" {
        for id in [ForeignTable.Column.imdb, .tmdb] {
          columns[id.rawValue] = value[String(id.rawValue.prefix { $0 != "_" })]?.told
        }
      } else if let text = text(value) {
        let column = FilmField.column(name)
        if columns[column] == nil || name == column { columns[column] = text }
      }
    }
    return columns
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .array(let values):
      let names = values.compactMap { $0.told ?? $0["name"]?.told ?? $0["title"]?.told }
      return names.map { String($0.map { $0 == FilmField.separator ? "/" : $0 }) }
        .joined(separator: String(FilmField.separator))
    case .double(let number): return "\(number)"
    default: return value.told
    }
  }
}
