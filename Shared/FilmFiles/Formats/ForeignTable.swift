import CSV
import Contracts
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

  static let others: [(Column, String)] = [(.imdb, "const tconst"), (.kind, "titletype")]

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
    for field in [FilmField.title, .titleEnglish, .originalTitle] {
      draft[field] = draft[field].map(Self.withArticleBefore)
    }
    if draft[.year] == nil, let title = draft[.title], let (name, year) = Self.parted(title) {
      (draft[.title], draft[.year]) = (Self.withArticleBefore(name), year)
    }
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

  /// "Tokyo Story (1953)" in a table without years.
  private static func parted(_ title: String) -> (name: String, year: String)? {
    guard title.hasSuffix(")"), let open = title.lastIndex(of: "("),
      case let year = title[title.index(after: open)...].dropLast(), year.count == 4, let number = Int(year),
      Film.years.contains(number), case let name = title[..<open].trimmed, !name.isEmpty
    else { return nil }
    return (name, String(year))
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
    "il", "lo",
    "gli", "de", "het", "o", "os",
  ]

  /// "2h 12m", "161 min", "1h39", "136分", "2:12", "PT2H16M", in minutes; nil of anything else.
  private static func minutes(_ text: String) -> String? {
    let isClock = text.contains(":")
    let lower = text.lowercased()
    let numbers = lower.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
    guard let first = numbers.first, numbers.count <= 2, first <= FilmCheck.minutes.upperBound else { return nil }
    let hasHours = isClock || lower.contains { "h時시".contains($0) }
    let words = lower.filter { $0.isLetter }
    guard isClock || unitWords.contains(words) else { return nil }
    let minutes = hasHours ? first * 60 + (numbers.count == 2 ? numbers[1] : 0) : numbers.count == 1 ? first : nil
    return minutes.map(String.init)
  }

  /// The letters of a length.
  private static let unitWords: Set<String> = [
    "m", "min", "mins", "minutes", "minuten", "minutos", "minuti", "mn", "分", "分間", "분", "h", "hm", "hmin", "hmins",
    "hmn",
    "hr", "hrs", "hrmin", "hrmins", "hrsmin", "hrsmins", "hour", "hours", "hourminutes", "hoursminutes", "pthm", "pth",
    "ptm",
    "時間", "時間分", "시간", "시간분", "hstd", "stdmin",
  ]

  /// Without what a database or a spreadsheet adds: `\N`, `148.0`, `[{"id": 18, "name": "Drama"}]`.
  private static func plain(_ text: String, _ field: FilmField) -> String? {
    guard text != nothing else { return nil }
    switch field {
    case .runtime where minutes(text) != nil: return minutes(text)
    // "1953年"
    case .year where text.count > 4 && Int(text.prefix(4)) != nil && text.dropFirst(4).allSatisfy(\.isLetter):
      return String(text.prefix(4))
    case .year, .runtime, .votes, .budget, .revenue:
      guard let point = text.firstIndex(of: "."), text[text.index(after: point)...].allSatisfy({ $0 == "0" }) else {
        return text
      }
      return String(text[..<point])
    case .countries, .genres, .directors, .writers, .cast:
      guard text.hasPrefix("[{"), let list = (try? JSONValue(parsing: text))?.array else {
        if text == "[]" { return nil }
        // "Thriller / Drama"; a name may have a stroke or a point in it.
        let joints = field == .genres || field == .countries ? "/;、・" : ";、"
        return String(text.map { joints.contains($0) ? FilmField.separator : $0 })
      }
      let names = list.compactMap { $0["iso_3166_1"]?.string ?? $0["name"]?.string }
      return names.map { String($0.map { $0 == FilmField.separator ? "/" : $0 }) }.joined(separator: "|")
    default: return text
    }
  }
}
