import Clocks
import Contracts
import Drafts
import RPC
import ServiceStorage
import Storage
import Wire

/// Pictures: those that operators gave, for ever, and those that were fetched, for a while and within a limit.
nonisolated extension FilmStore {
  nonisolated enum PosterLimits {
    /// Some 700 posters of the width that pages show; older ones go first.
    static let fetchedBytes = 64 << 20
    /// TMDb lets its pictures be kept for months, and a poster is seldom replaced.
    static let fetchedFor: Duration = .seconds(90 * 86_400)
    /// Of operators' own, together: a database that is still copied within seconds.
    static let ownBytes = 512 << 20
    /// Their places fit in a message.
    static let sweptAtOnce = 10_000
  }

  /// Of the pictures behind a place, as many as `bytesMax` allows, and what is wrong with each.
  ///
  /// - Parameter place: where a page before ended; nil for the first.
  func checkedPosters(after place: PosterPlace?, bytesMax: Int) async throws -> PosterCheck {
    try await database.opened.read { db in
      var check = PosterCheck(checked: 0, bytes: 0, faults: [], next: nil)
      for shelf in PosterShelf.known where shelf.order >= (place?.shelf.order ?? 0) {
        var after = place.flatMap { $0.shelf == shelf ? $0.key : nil }
        while true {
          guard check.bytes < bytesMax else {
            check.next = PosterPlace(shelf: shelf, key: after ?? "")
            return check
          }
          guard let (key, picture) = try db.poster(on: shelf, after: after) else { break }
          after = key
          check.checked += 1
          check.bytes += picture.bytes.count
          let film = shelf == .own ? try db.isFilm(key) : nil
          if let fault = picture.fault ?? (film == false ? "there is no film \(key)" : nil) {
            check.faults.append(PosterFault(place: PosterPlace(shelf: shelf, key: key), fault: fault))
          }
        }
      }
      return check
    }
  }

  /// Takes away the pictures that no film leads to: own ones of films that are gone, fetched ones that no film names, or
  /// tells what that would be.
  ///
  /// - Parameter base: where posters are fetched from now; what came from elsewhere is not asked for any more.
  func sweepPosters(base: String, isDryRun: Bool) async throws -> PosterSweep {
    @Sendable func sweep(_ db: DatabaseConnection) throws -> PosterSweep {
      var kept: Set<String> = []
      try db.forEach("SELECT body FROM film") { row in
        guard let address = PosterAddress(try row.film(0).film.posterURL) else { return }
        for width in PosterAddress.widths { kept.insert(address.url(width: width, at: base)) }
      }
      var sweep = PosterSweep(swept: [], bytes: 0, hasMore: false)
      for shelf in PosterShelf.known {
        try db.forEach(shelf.sizes) { row in
          let key: String = try row.read(0)
          guard try shelf == .own ? !db.isFilm(key) : !kept.contains(key) else { return }
          guard sweep.swept.count < PosterLimits.sweptAtOnce else {
            sweep.hasMore = true
            return
          }
          let bytes: Int = try row.read(1)
          sweep.swept.append(SweptPoster(place: PosterPlace(shelf: shelf, key: key), bytes: bytes))
          sweep.bytes += bytes
        }
      }
      return sweep
    }
    guard !isDryRun else { return try await database.opened.read { db in try sweep(db) } }
    return try await database.opened.write { db in
      let swept = try sweep(db)
      for one in swept.swept { try db.execute(one.place.shelf.removal, [one.place.key]) }
      return swept
    }
  }

  /// Whose pictures lie here: ids of the films that operators gave some, and the addresses of those that were fetched with
  /// the milliseconds of then.
  func keptPosters() async throws -> (own: Set<String>, fetched: [String: Int64]) {
    try await database.opened.read { db in
      var (own, fetched): (Set<String>, [String: Int64]) = ([], [:])
      try db.forEach("SELECT id FROM own_poster") { row in own.insert(try row.read(0)) }
      try db.forEach("SELECT address, since FROM fetched_poster") { row in fetched[try row.read(0)] = try row.read(1) }
      return (own, fetched)
    }
  }

  /// Of the pictures that were fetched after this many milliseconds.
  func fetchedBytes(since: Int64) async throws -> Int {
    try await database.opened.read { db in try db.fetchedBytes(since: since) }
  }

  /// A picture that lies here, and since when.
  nonisolated struct KeptPoster: Sendable {
    var picture: PosterPicture
    var since: WallTime
  }

  /// The picture that an operator gave, under whichever id of the film.
  func ownPoster(of ids: [FilmID]) async throws -> PosterPicture? {
    try await database.opened.read { db in
      for id in ids {
        let found = try db.row("SELECT form, tag, bytes FROM own_poster WHERE id = ?", [id.text]) { row in
          try row.picture()
        }
        if let found { return found }
      }
      return nil
    }
  }

  func fetchedPoster(at address: String) async throws -> KeptPoster? {
    try await database.opened.read { db in
      try db.row("SELECT form, tag, bytes, since FROM fetched_poster WHERE address = ?", [address]) { row in
        KeptPoster(picture: try row.picture(), since: WallTime(milliseconds: try row.read(3)))
      }
    }
  }

  /// Keeps what was fetched. The ones that were fetched first make room.
  func keep(_ picture: PosterPicture, from address: String, at time: WallTime, bytesMax: Int) async throws {
    try await database.opened.write { db in
      try db.execute(
        "INSERT OR REPLACE INTO fetched_poster (address, form, tag, bytes, since) VALUES (?, ?, ?, ?, ?)",
        [address, picture.form.rawValue, picture.tag, picture.bytes, time.milliseconds])
      var bytes = try db.fetchedBytes()
      while bytes > bytesMax {
        let eldest = try db.row(
          "SELECT address, length(bytes) FROM fetched_poster WHERE address <> ? ORDER BY since, address LIMIT 1",
          [address]
        ) { row in (address: try row.read(0, as: String.self), bytes: try row.read(1, as: Int.self)) }
        guard let eldest else { break }
        try db.execute("DELETE FROM fetched_poster WHERE address = ?", [eldest.address])
        bytes -= eldest.bytes
      }
    }
  }

  /// Notes where a film's picture is, in a record that still says what it said when that was asked.
  ///
  /// - Returns: where its record says that the picture is; nil if there is no such film.
  func addPosterAddress(
    _ address: String, insteadOf known: String?, credit: String, to id: FilmID, by editor: String, at time: WallTime
  ) async throws -> String? {
    try await database.opened.write { db in
      guard let number = try db.number(of: id), var film = try db.film(number) else { return nil }
      guard film.film.posterURL == known else { return film.film.posterURL ?? "" }
      film.film.posterURL = address
      film.credit = film.credit ?? credit
      _ = try db.replace(number, with: film, by: editor, at: time)
      return address
    }
  }

  /// Takes an operator's picture for a film; nil if there is no such film.
  ///
  /// - Parameter mayReplace: whether it may take the place of another one.
  func putPoster(
    _ picture: PosterPicture, of id: FilmID, mayReplace: Bool = true, by editor: String, at time: WallTime
  ) async throws -> FilmEdit? {
    try await database.opened.write { db in
      guard let number = try db.number(of: id), let film = try db.film(number) else { return nil }
      let before = try db.ownPosterTag(of: film.ids)
      guard mayReplace || before == nil else {
        throw RPCError(.alreadyExists, "\(id) has a picture of its own by now", executed: .no)
      }
      let others = try db.value("SELECT coalesce(sum(length(bytes)), 0) FROM own_poster", as: Int.self) ?? 0
      guard others + picture.bytes.count <= PosterLimits.ownBytes else {
        throw RPCError(
          .resourceExhausted,
          "own posters take \(PosterLimits.ownBytes >> 20) MiB; remove some: odi-films poster rm ID",
          executed: .no)
      }
      for id in film.ids { try db.execute("DELETE FROM own_poster WHERE id = ?", [id.text]) }
      try db.execute(
        "INSERT INTO own_poster (id, form, tag, bytes) VALUES (?, ?, ?, ?)",
        [film.film.id.text, picture.form.rawValue, picture.tag, picture.bytes])
      return try db.rememberPoster(of: film, before: before, after: picture.tag, by: editor, at: time)
    }
  }

  /// Nil if no operator gave one.
  func removePoster(of id: FilmID, by editor: String, at time: WallTime) async throws -> FilmEdit? {
    try await database.opened.write { db in
      guard let number = try db.number(of: id), let film = try db.film(number),
        let before = try db.ownPosterTag(of: film.ids)
      else { return nil }
      for id in film.ids { try db.execute("DELETE FROM own_poster WHERE id = ?", [id.text]) }
      return try db.rememberPoster(of: film, before: before, after: nil, by: editor, at: time)
    }
  }
}

nonisolated extension PosterShelf {
  /// Which comes first when they are gone through.
  fileprivate var order: Int { self == .own ? 0 : 1 }

  fileprivate var next: SQL {
    self == .own
      ? "SELECT form, tag, bytes, id FROM own_poster WHERE id > ? ORDER BY id LIMIT 1"
      : "SELECT form, tag, bytes, address FROM fetched_poster WHERE address > ? ORDER BY address LIMIT 1"
  }

  fileprivate var sizes: SQL {
    self == .own
      ? "SELECT id, length(bytes) FROM own_poster ORDER BY id"
      : "SELECT address, length(bytes) FROM fetched_poster ORDER BY address"
  }

  fileprivate var removal: SQL {
    self == .own ? "DELETE FROM own_poster WHERE id = ?" : "DELETE FROM fetched_poster WHERE address = ?"
  }
}

nonisolated extension PosterPicture {
  /// What is wrong with it; nil if browsers can show it and it is what was stored.
  fileprivate var fault: String? {
    if bytes.isEmpty { return "it is empty" }
    if bytes.count > Self.bytesMax { return "it has \(bytes.count) bytes, more than \(Self.bytesMax)" }
    if PosterTag.of(bytes) != tag { return "its bytes are not those that were stored" }
    guard let sniffed = PictureForm(sniffing: bytes) else { return "it is no JPEG, PNG or WebP" }
    if sniffed != form { return "it is \(sniffed.rawValue), not \(form.rawValue)" }
    return PictureHead(bytes, as: form) == nil ? "its head says no size: it cannot be shown" : nil
  }
}

nonisolated extension DatabaseConnection {
  fileprivate func poster(on shelf: PosterShelf, after key: String?) throws -> (key: String, picture: PosterPicture)? {
    // No id and no address is empty, so that all come after "".
    try row(shelf.next, [key ?? ""]) { row in (key: try row.read(3), picture: try row.picture()) }
  }

  /// - Parameter since: in milliseconds; what was fetched then or before does not count.
  fileprivate func fetchedBytes(since: Int64 = .min) throws -> Int {
    try value("SELECT coalesce(sum(length(bytes)), 0) FROM fetched_poster WHERE since > ?", [since], as: Int.self) ?? 0
  }

  fileprivate func isFilm(_ id: String) throws -> Bool {
    try value("SELECT 1 FROM film_id WHERE id = ?", [id], as: Int.self) != nil
  }

  fileprivate func ownPosterTag(of ids: [FilmID]) throws -> String? {
    for id in ids {
      if let tag = try value("SELECT tag FROM own_poster WHERE id = ?", [id.text], as: String.self) { return tag }
    }
    return nil
  }

  fileprivate func rememberPoster(
    of film: CatalogueFilm, before: String?, after: String?, by editor: String, at time: WallTime
  ) throws -> FilmEdit {
    var edit = FilmEdit(
      revision: 0, at: time, editor: editor, film: film.film.id, title: film.film.title, kind: .pictured,
      fields: [FieldEdit(name: "poster", before: before, after: after)])
    edit.revision = try remember(edit)
    return edit
  }

  /// The films with the names of their pictures.
  func namePosters(_ films: inout [CatalogueFilm]) throws {
    var own: [FilmID: String] = [:]
    try forEach("SELECT id, tag FROM own_poster") { row in
      if let id = FilmID(try row.read(0, as: String.self)) { own[id] = try row.read(1) }
    }
    for index in films.indices {
      films[index].film.poster =
        films[index].ids.lazy.compactMap { own[$0] }.first ?? PosterAddress(films[index].film.posterURL)?.name
    }
  }
}

nonisolated extension Row {
  /// Its form, its tag and its bytes, in the first columns.
  fileprivate borrowing func picture() throws -> PosterPicture {
    let form: String = try read(0)
    return PosterPicture(
      form: PictureForm(rawValue: form) ?? .unknown(form), bytes: try read(2), tag: try read(1))
  }
}
