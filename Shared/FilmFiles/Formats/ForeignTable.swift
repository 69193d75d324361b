import Contracts
import Drafts
import JSON

/// What tables and lists that others export have besides our columns: IMDb's lists and datasets, TMDb's, Letterboxd's,
/// OMDb's, Wikidata's.
///
/// Their names for our columns stand in ``FilmField/otherNames``; here is what only looks like one of ours.
struct ForeignTable {
  /// Columns that are read here, and are no field.
  enum Column: String, CaseIterable {
    case imdb = "imdb_id"
    case tmdb = "tmdb_id"
    case kind = "title_type"
    case letterboxd = "letterboxd_uri"
    case label = "filmlabel"
    case itemLabel = "itemlabel"
    case directorLabel = "directorlabel"
    case date
  }

  /// What else files call them.
  static let others: [(Column, String)] = [
    (.imdb, "const tconst imdbid"), (.tmdb, "tmdbid"), (.kind, "titletype type"),
  ]

  /// Called nearly as ours are, and something else: TMDb's mark of what went straight to video, what one thought of it.
  static let ignored = ["video", "rating10"]

  /// Those that are read where there are these; a day alone may be of anything.
  static func columns(where has: (String) -> Bool) -> [String] {
    let hasLabels = has(Column.label.rawValue) || has(Column.itemLabel.rawValue)
    return Column.allCases.filter { $0 != .date || hasLabels }.map(\.rawValue) + ignored
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
  /// Ratings whose system nobody says.
  private(set) var ratings = 0
  /// Languages by names that nobody knows.
  private(set) var languages = 0

  /// - Parameter has: whether there is such a column.
  init(has: (String) -> Bool) {
    isForeign = !FilmField.allCases.allSatisfy { has($0.rawValue) }
    rates = has(Column.letterboxd.rawValue)
    numbers = [FilmField.language, .popularity, .votes].allSatisfy { has($0.rawValue) }
  }

  /// What of all rows was not taken.
  var remark: String? {
    var parts: [String] = []
    if others > 0 { parts.append("\(others) of its rows, which are no films but series, episodes or games") }
    if ratings > 0 { parts.append("\(ratings) of its ratings, which do not say their system as in KMRB:15") }
    if languages > 0 { parts.append("\(languages) of its languages, which nobody knows by that name") }
    return parts.isEmpty ? nil : "not taken: " + parts.joined(separator: "; ")
  }

  /// Takes a row that is no film, and is told as such.
  mutating func passOver() { others += 1 }

  /// - Parameter row: what stands in a column.
  /// - Returns: whether it is a film at all.
  mutating func take(_ row: (String) -> String?, into draft: inout FilmDraft) -> Bool {
    guard isForeign else { return true }
    if let kind = row(Column.kind.rawValue), !Self.isFilm(kind) {
      others += 1
      return false
    }
    if let text = draft[.language].flatMap(Self.said), LanguageName.code(of: text) == nil { languages += 1 }
    for field in FilmField.allCases { draft[field] = draft[field].flatMap { Self.plain($0, field) } }
    if rates { draft[.rating] = nil }
    if let page = row(Column.letterboxd.rawValue), draft[.page] == nil { draft[.page] = page }
    var ids = draft[.externalIDs].map { [$0] } ?? []
    if numbers, let number = draft[.id], number.utf8.allSatisfy({ (48...57).contains($0) }) {
      draft[.id] = nil
      ids.append("tmdb:\(number)")
    }
    for column in [Column.tmdb, .imdb] {
      guard let id = row(column.rawValue).flatMap(Self.said) else { continue }
      ids.append("\(column.rawValue.prefix { $0 != "_" }):\(id)")
    }
    ids += takeLabels(row, into: &draft)
    draft.set(.externalIDs, to: ids)
    takeYear(into: &draft)
    for field in [FilmField.title, .titleEnglish, .originalTitle] {
      draft[field] = draft[field].map(Self.withArticleBefore)
    }
    rate(&draft)
    for field in [FilmField.genres, .countries, .directors, .writers, .cast] {
      guard let text = draft[field], text.contains(","), !text.contains(FilmField.separator) else { continue }
      if field == .genres || field == .countries || text.contains(", ") { commas.insert(field) }
    }
    return true
  }

  /// What is true of a column only if one looks at all of its rows: what parts lists, and which number of a date is the
  /// day's.
  func settled(_ drafts: [FilmDraft]) -> [FilmDraft] {
    guard isForeign else { return drafts }
    let order = PrintedDay.Order(of: drafts.compactMap { $0[.releasedOn] })
    return parted(drafts).map { draft in
      var draft = draft
      if let text = draft[.releasedOn], let day = PrintedDay(text) { draft[.releasedOn] = day.text(order) }
      return draft
    }
  }

  // MARK: Lists

  private func parted(_ drafts: [FilmDraft]) -> [FilmDraft] {
    // One that parts them with strokes elsewhere has commas in its names.
    let commas = commas.filter { field in !drafts.contains { $0[field]?.contains(FilmField.separator) == true } }
    return drafts.map { draft in
      var draft = draft
      for (field, marks) in Self.marks {
        guard let text = draft[field], !text.contains(FilmField.separator) else { continue }
        var parts = [text]
        for mark in commas.contains(field) ? [","] + marks : marks {
          parts = parts.flatMap { Self.parts(of: $0, mark) }
        }
        if parts.count > 1 { draft.set(field, to: parts) }
      }
      return draft
    }
  }

  /// What stands between two values; a country has an "and" in its name.
  private static let marks: [(FilmField, [String])] = {
    let people = [";", "、", "，", " / ", "／", " & ", " and ", " et ", " und "]
    return [
      (.directors, people), (.writers, people), (.cast, people), (.genres, [";", "、", "・", "/", " & "]),
      (.countries, [";", "、", "・", "/"]),
    ]
  }()

  private static func parts(of text: String, _ mark: String) -> [String] {
    var names: [String] = []
    for part in text.split(separator: mark).map(\.trimmed) where !part.isEmpty {
      if mark == ",", let last = names.last, endings.contains(part) {
        names[names.count - 1] = "\(last), \(part)"
      } else {
        names.append(part)
      }
    }
    return names
  }

  /// Behind a comma they are of the name before it.
  private static let endings: Set<String> = ["Jr.", "Jr", "Sr.", "Sr", "II", "III"]

  // MARK: Fields

  /// Of Wikidata: a film and its director are addresses, their names stand beside them.
  private func takeLabels(_ row: (String) -> String?, into draft: inout FilmDraft) -> [String] {
    let label = row(Column.label.rawValue) ?? row(Column.itemLabel.rawValue)
    guard let label else { return [] }
    let entity = draft[.title].flatMap { title in
      Self.entities.first(where: title.hasPrefix).map { String(title.dropFirst($0.utf8.count)) }
    }
    if entity != nil || draft[.title] == nil { draft[.title] = label }
    if let name = row(Column.directorLabel.rawValue) { draft[.directors] = name }
    if draft[.releasedOn] == nil { draft[.releasedOn] = row(Column.date.rawValue) }
    return entity.map { ["wikidata:\($0)"] } ?? []
  }

  private static let entities = ["http://www.wikidata.org/entity/", "https://www.wikidata.org/entity/"]

  /// "Rashomon (1950)", where no column says the year, or says the same.
  private func takeYear(into draft: inout FilmDraft) {
    guard let title = draft[.title], title.hasSuffix(")"), let open = title.lastIndex(of: "(") else { return }
    let digits = title[title.index(after: open)...].dropLast()
    let name = title[..<open].trimmed
    guard digits.utf8.count == 4, let year = Int(digits), Film.years.contains(year), !name.isEmpty,
      draft[.year] == nil || draft[.year] == String(digits)
    else { return }
    if draft[.year] == nil, draft[.releasedOn] != nil { return }
    (draft[.title], draft[.year]) = (name, String(year))
  }

  /// "American President, The" as it is called.
  private static func withArticleBefore(_ title: String) -> String {
    guard let comma = title.lastIndex(of: ","), case let article = title[title.index(after: comma)...].trimmed,
      articles.contains(article.lowercased())
    else { return title }
    return article + (article.hasSuffix("'") ? "" : " ") + title[..<comma].trimmed
  }

  private static let articles: Set<String> = [
    "the", "a", "an", "le", "la", "les", "l'", "un", "une", "der", "die", "das", "ein", "eine", "el", "los", "las",
    "il", "lo", "gli", "de", "het", "o", "os",
  ]

  /// "PG-13" is one of the only system that has it; "15" is nobody's.
  private mutating func rate(_ draft: inout FilmDraft) {
    guard let text = draft[.rating], !text.contains(":") else { return }
    let word = text.filter { $0 != " " }.uppercased()
    if Self.american.contains(word) {
      draft[.rating] = "MPA:\(word)"
    } else if let grade = KOBISDocument.grade(of: text) {
      draft[.rating] = "KMRB:\(grade)"
    } else if word.hasPrefix("FSK") {
      draft[.rating] = "FSK:" + word.dropFirst(3)
    } else {
      draft[.rating] = nil
      ratings += 1
    }
  }

  private static let american: Set<String> = ["G", "PG", "PG-13", "R", "NC-17"]

  private static func said(_ text: String) -> String? {
    [#"\N"#, "N/A", "n/a", "NaN", "nan", "null", "NULL", "(no genres listed)"].contains(text) ? nil : text
  }

  private static func isFilm(_ kind: String) -> Bool {
    let letters = kind.lowercased().filter { $0.isLetter }
    return !["series", "episode", "game", "podcast", "show"].contains { letters.contains($0) }
      && letters != "musicvideo"
  }

  /// Without what a database or a spreadsheet adds: `\N`, `148.0`, `[{"id": 18, "name": "Drama"}]`.
  private static func plain(_ text: String, _ field: FilmField) -> String? {
    guard field == .title || said(text) != nil else { return nil }
    switch field {
    case .year, .runtime, .votes, .budget, .revenue:
      guard let point = text.firstIndex(of: "."), text[text.index(after: point)...].allSatisfy({ $0 == "0" }) else {
        return text
      }
      return String(text[..<point])
    case .language:
      let code = LanguageName.code(of: text)
      // A tag tells more than its language: "zh-TW", "pt-BR".
      return code != nil && text.contains("-") && FilmCheck.isLanguage(text.lowercased()) ? text : code
    case .countries, .genres, .directors, .writers, .cast:
      guard text.hasPrefix("[{"), let list = objects(text) else { return text == "[]" ? nil : text }
      let names = list.compactMap { $0["iso_3166_1"]?.string ?? $0["name"]?.string }
      return names.map { String($0.map { $0 == FilmField.separator ? "/" : $0 }) }.joined(separator: "|")
    default: return text
    }
  }

  /// JSON, or the same as Python prints it: with quotes of one stroke, and of two around a text that has one of these.
  private static func objects(_ text: String) -> [JSONValue]? {
    if let list = (try? JSONValue(parsing: text))?.array { return list }
    var (json, quote): (String, Character?) = ("", nil)
    for letter in text {
      switch letter {
      case quote: (quote, json) = (nil, json + "\"")
      case "'" where quote == nil, "\"" where quote == nil: (quote, json) = (letter, json + "\"")
      case "\"": json += "\\\""
      default: json.append(letter)
      }
    }
    let words = json.replacing(": None", with: ": null")
    return (try? JSONValue(parsing: words))?.array
  }
}
