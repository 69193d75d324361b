import Clocks
import Contracts
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
      var bytes = try db.value("SELECT coalesce(sum(length(bytes)), 0) FROM fetched_poster", as: Int.self) ?? 0
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

  /// Takes an operator's picture for a film; nil if there is no such film.
  func putPoster(
    _ picture: PosterPicture, of id: FilmID, by editor: String, at time: WallTime
  ) async throws -> FilmEdit? {
    try await database.opened.write { db in
      guard let number = try db.number(of: id), let film = try db.film(number) else { return nil }
      let before = try db.ownPosterTag(of: film.ids)
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

nonisolated extension DatabaseConnection {
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
