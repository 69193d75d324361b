import Clocks
import Contracts
import ServiceStorage
import Storage

/// Tells which film a showing is of, inside the transaction that publishes it.
///
/// A film is found by keys, the strongest first: what an operator taught, the source's own code, title and year, title.
/// Keys and ids stay for ever, so that a bookmark never dangles; two films that turn out to be one keep both ids.
nonisolated struct FilmResolver {
  private let db: DatabaseConnection
  private let now: WallTime
  private let isDemo: Bool
  /// Films that are new or have changed.
  private(set) var touched: [FilmID: Film] = [:]
  /// Ids that mean another film from now on.
  private(set) var merged: [FilmID: FilmID] = [:]

  init(_ db: DatabaseConnection, now: WallTime, isDemo: Bool) {
    self.db = db
    self.now = now
    self.isDemo = isDemo
  }

  // MARK: Showings

  /// Nil if it is no film.
  mutating func film(of listing: Listing) throws -> FilmID? {
    if let taught = try find(FilmKey.taught(listing.title)) { return taught }
    guard let title = listing.filmTitle, let name = FilmKey.title(title) else { return nil }
    let dated = listing.filmYear.flatMap { FilmKey.title(title, year: $0) }
    if let code = listing.filmCode {
      if let film = try find(code) { return film }
      let film = try twin(name, dated, listing.filmYear, code) ?? make(key: code, listing, title)
      try teach(code, film)
      try teach(name, film)
      if let dated { try teach(dated, film) }
      return film
    }
    let others = listing.otherTitles.compactMap { FilmKey.title($0) }
    let film: FilmID
    if let dated, let known = try find(dated) {
      film = known
    } else if let known = try find(name), try fits(known, listing.filmYear) {
      film = known
    } else if let known = try known(by: others, listing.filmYear) {
      film = known
    } else {
      film = try make(key: dated ?? name, listing, title)
    }
    try teach(name, film)
    if let dated { try teach(dated, film) }
    // One film before its year is known, or the film that is known by another name alone would stay apart for good.
    let whole = try unite(film, with: others, listing.filmYear)
    try learn(year: listing.filmYear, of: whole)
    return whole
  }

  /// What was known by its name alone is of this year from now on, so that another year's is another film.
  private mutating func learn(year: Int?, of id: FilmID) throws {
    guard let year, var film = try read(id), film.year == nil else { return }
    film.year = year
    try save(film, detailed: false)
  }

  private func known(by names: [String], _ year: Int?) throws -> FilmID? {
    for name in names {
      if let film = try find(name), try fits(film, year) { return film }
    }
    return nil
  }

  /// One film with those that are known by another of its names alone.
  private mutating func unite(_ film: FilmID, with names: [String], _ year: Int?) throws -> FilmID {
    var film = film
    for name in names {
      guard let other = try find(name) else {
        try teach(name, film)
        continue
      }
      guard other != film, try fits(other, year), try isNameOnly(other) || isNameOnly(film) else { continue }
      try merge(film, other)
      film = try resolve(film) ?? film
    }
    return film
  }

  /// A film of that name that may be the same: of the same year, and without another code of the same platform.
  private func twin(_ name: String, _ dated: String?, _ year: Int?, _ code: String) throws -> FilmID? {
    guard let film = try dated.flatMap(find) ?? find(name), try fits(film, year) else { return nil }
    let platform = code.prefix { $0 != ":" }
    let codes = try db.value(
      "SELECT count(*) FROM film_key WHERE film = ? AND key LIKE ? || ':%'", [film, String(platform)], as: Int.self)
    return codes == 0 ? film : nil
  }

  private func fits(_ film: FilmID, _ year: Int?) throws -> Bool {
    guard let year, let known = try read(film)?.year else { return true }
    return year == known
  }

  private mutating func make(key: String, _ listing: Listing, _ title: String) throws -> FilmID {
    let id = Identity.film(key: key)
    // The id of a key is always the same: a film that lost its keys to another is still there.
    if let film = try resolve(id) { return film }
    var film = Film(id: id, title: title.beginning(ofBytes: FilmDetails.textBytes), year: listing.filmYear)
    film.posterURL = film.address(listing.posterURL)
    if let code = listing.filmCode { film.externalIDs = [code] }
    if isDemo { film.isDemo = true }
    try insert(film)
    return id
  }

  // MARK: Details

  /// Takes up what a film's own page tells; two films that have the same title and year become one.
  mutating func learn(_ details: FilmDetails) throws {
    let known = try find(details.code)
    var film: Film
    if let known, let read = try read(known) {
      film = read
    } else {
      film = Film(id: Identity.film(key: details.code), title: details.title)
      if isDemo { film.isDemo = true }
      try insert(film)
      try teach(details.code, film.id)
    }
    film.take(details)
    try save(film, detailed: true)
    guard let year = film.year, let dated = FilmKey.title(details.title, year: year) else { return }
    if let other = try find(dated), other != film.id { try merge(film.id, other) } else { try teach(dated, film.id) }
    for title in [details.title] + details.titles.map(\.text) {
      guard let name = FilmKey.title(title), let film = try resolve(film.id) else { continue }
      if let other = try find(name) {
        // Known by its name alone, until now.
        if other != film, try isNameOnly(other) { try merge(film, other) }
      } else {
        try teach(name, film)
      }
    }
  }

  /// Nothing is known of it but what it is called.
  func isNameOnly(_ film: FilmID) throws -> Bool {
    guard let known = try read(film), known.year == nil else { return false }
    return try db.value(
      "SELECT count(*) FROM film_key WHERE film = ? AND key NOT LIKE 'title:%'", [film], as: Int.self) == 0
  }

  /// The older stays; the other's id and keys lead to it.
  mutating func merge(_ left: FilmID, _ right: FilmID) throws {
    guard left != right, let (older, lost) = try older(left, right) else { return }
    var kept = older
    kept.fill(from: lost)
    try db.execute("UPDATE film_key SET film = ? WHERE film = ?", [kept.id, lost.id])
    try db.execute("UPDATE film_alias SET film = ? WHERE film = ?", [kept.id, lost.id])
    try db.execute("INSERT OR REPLACE INTO film_alias (id, film) VALUES (?, ?)", [lost.id, kept.id])
    try save(kept, detailed: false)
    touched[lost.id] = nil
    merged[lost.id] = kept.id
    for (id, film) in merged where film == lost.id { merged[id] = kept.id }
  }

  private func older(_ left: FilmID, _ right: FilmID) throws -> (kept: Film, lost: Film)? {
    let films = try db.rows(
      "SELECT body FROM film WHERE id IN (?, ?) ORDER BY first_seen, id", [left, right]
    ) { row in try WireColumn.value(row.read(0), as: Film.self) }
    return films.count == 2 ? (films[0], films[1]) : nil
  }

  // MARK: Rows

  func find(_ key: String) throws -> FilmID? {
    try db.value("SELECT film FROM film_key WHERE key = ?", [key])
  }

  /// The film that an id means now; nil if there never was one.
  func resolve(_ id: FilmID) throws -> FilmID? {
    if let film = try db.value("SELECT film FROM film_alias WHERE id = ?", [id], as: FilmID.self) { return film }
    return try db.value("SELECT id FROM film WHERE id = ?", [id])
  }

  private func read(_ id: FilmID) throws -> Film? {
    try db.row("SELECT body FROM film WHERE id = ?", [id]) { row in try WireColumn.value(row.read(0)) }
  }

  /// A key keeps its first film.
  func teach(_ key: String, _ film: FilmID) throws {
    try db.execute("INSERT OR IGNORE INTO film_key (key, film) VALUES (?, ?)", [key, film])
  }

  /// For a key that an operator gives to another film.
  func forget(_ key: String) throws { try db.execute("DELETE FROM film_key WHERE key = ?", [key]) }

  private mutating func insert(_ film: Film) throws {
    try db.execute(
      "INSERT INTO film (id, title, first_seen, body) VALUES (?, ?, ?, ?)",
      [film.id, film.title, now, WireColumn.bytes(film)])
    touched[film.id] = film
  }

  private mutating func save(_ film: Film, detailed: Bool) throws {
    try db.execute(
      "UPDATE film SET title = ?, body = ?, details_at = CASE WHEN ? THEN ? ELSE details_at END WHERE id = ?",
      [film.title, WireColumn.bytes(film), detailed, now, film.id])
    touched[film.id] = film
  }
}

/// What films are found by.
nonisolated package enum FilmKey {
  /// Nil if nothing of the title is left: it was punctuation.
  package static func title(_ title: String, year: Int? = nil) -> String? {
    let folded = PrintedName.folded(title)
    guard !folded.isEmpty else { return nil }
    return "title:\(folded)" + (year.map { "|\($0)" } ?? "")
  }

  /// What an operator said a printed title means.
  package static func taught(_ printed: String) -> String { "taught:\(PrintedName.folded(printed))" }
}

nonisolated extension Film {
  fileprivate mutating func take(_ details: FilmDetails) {
    title = details.title.beginning(ofBytes: FilmDetails.textBytes)
    for title in details.titles.prefix(FilmDetails.listMax)
    where titles?.contains(where: { $0.language == title.language }) != true {
      let text = title.text.beginning(ofBytes: FilmDetails.textBytes)
      titles = (titles ?? []) + [FilmTitle(language: title.language, text: text)]
    }
    year = details.year ?? year
    runtimeMinutes = details.runtimeMinutes ?? runtimeMinutes
    if !details.genres.isEmpty { genres = details.genres.kept }
    if !details.countries.isEmpty { countries = details.countries.kept }
    if !details.directors.isEmpty { directors = details.directors.kept }
    if !details.cast.isEmpty { cast = details.cast.kept }
    rating = details.rating ?? rating
    synopsis = details.synopsis?.beginning(ofBytes: FilmDetails.synopsisBytes) ?? synopsis
    posterURL = address(details.posterURL) ?? posterURL
    pageURL = address(details.pageURL) ?? pageURL
    if externalIDs?.contains(details.code) != true { externalIDs = (externalIDs ?? []) + [details.code] }
  }

  fileprivate func address(_ text: String?) -> String? {
    text.flatMap { $0.utf8.count <= FilmDetails.addressBytes ? $0 : nil }
  }

  /// What this film lacks and the other has.
  fileprivate mutating func fill(from other: Film) {
    originalTitle = originalTitle ?? other.originalTitle
    for title in other.titles ?? [] where titles?.contains(where: { $0.language == title.language }) != true {
      titles = (titles ?? []) + [title]
    }
    year = year ?? other.year
    runtimeMinutes = runtimeMinutes ?? other.runtimeMinutes
    countries = countries ?? other.countries
    genres = genres ?? other.genres
    directors = directors ?? other.directors
    cast = cast ?? other.cast
    rating = rating ?? other.rating
    synopsis = synopsis ?? other.synopsis
    posterURL = posterURL ?? other.posterURL
    pageURL = pageURL ?? other.pageURL
    for code in other.externalIDs ?? [] where externalIDs?.contains(code) != true {
      externalIDs = (externalIDs ?? []) + [code]
    }
  }
}
