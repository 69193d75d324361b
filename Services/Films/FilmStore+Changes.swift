import Clocks
import Contracts
import Drafts
import FilmFiles
import RPC
import ServiceStorage
import Storage

nonisolated extension FilmStore {
  /// Films without ids that share a title and a year and are told apart; that many are one broken file.
  static let namesakesMax = 50

  /// A record before and after.
  nonisolated struct Plan {
    var old: CatalogueFilm?
    var new: CatalogueFilm
    /// Nil for a new record.
    var number: Int64?
    /// Films of its title and year that it was not taken for.
    var namesakes: [FilmID] = []

    func edit(by editor: String, at time: WallTime) -> FilmEdit? {
      var edit = FilmEdit(of: old, to: new, by: editor, at: time)
      if !namesakes.isEmpty { edit?.namesakes = namesakes }
      return edit
    }
  }
}

/// What a change does, inside its transaction.
nonisolated extension DatabaseConnection {
  func revision() throws -> Int64 { try value("SELECT max(revision) FROM edit") ?? 0 }

  func number(of id: FilmID) throws -> Int64? { try value("SELECT film FROM film_id WHERE id = ?", [id.text]) }

  func film(_ number: Int64) throws -> CatalogueFilm? {
    try row("SELECT body FROM film WHERE number = ?", [number]) { row in try row.film(0) }
  }

  // MARK: Arrivals

  /// What an arrival makes of its record; nil if nothing.
  func plan(_ arrival: FilmStore.Arrival) throws -> FilmStore.Plan? {
    let place = try place(of: arrival)
    guard let number = place.number, let old = try film(number) else {
      var new = arrival.film
      new.film.id = place.id
      return FilmStore.Plan(new: new, namesakes: place.namesakes)
    }
    guard !arrival.mustBeNew else {
      throw RPCError(.alreadyExists, "\(old.film.id) is there already; edit it, or give another id")
    }
    var new = old
    if arrival.isWhole {
      new = arrival.film
      // An id is never taken away, and which one is shown is not the editor's to say.
      new.otherIDs = old.otherIDs
      new.film.id = old.film.id
      // Nor is the order of titles, which no editor sees.
      if Set(new.film.titles ?? []) == Set(old.film.titles ?? []) { new.film.titles = old.film.titles }
    } else {
      new.take(arrival.film, replacing: try !arrival.onlyCompletes || isKnown(number, by: arrival.film.film.id))
    }
    try keepOwnIDs(&new, number)
    return new == old ? nil : FilmStore.Plan(old: old, new: new, number: number)
  }

  /// Whether nobody told of it but who calls it by this id, and programmes.
  private func isKnown(_ number: Int64, by id: FilmID) throws -> Bool {
    try value("SELECT count(*) FROM film_id WHERE film = ? AND NOT is_programme AND id <> ?", [number, id.text]) == 0
  }

  /// Which record an arrival is of, if there is one; the id of a new one; and whom that was not taken for.
  private func place(
    of arrival: FilmStore.Arrival
  ) throws -> (number: Int64?, id: FilmID, namesakes: [FilmID]) {
    let made = arrival.film.film.id
    let sure = [arrival.into].compactMap(\.self) + (arrival.isUnnamed ? arrival.film.otherIDs ?? [] : arrival.film.ids)
    for id in sure { if let number = try number(of: id) { return (number, made, []) } }
    guard arrival.isUnnamed else { return (nil, made, []) }
    var namesakes: [FilmID] = []
    for count in 1...FilmStore.namesakesMax {
      guard let id = count == 1 ? made : FilmID("\(made)-\(count)") else { break }
      guard let number = try number(of: id), let known = try film(number) else { return (nil, id, namesakes) }
      if known.isSurely(arrival.film) { return (number, made, []) }
      if !namesakes.contains(known.film.id) { namesakes.append(known.film.id) }
    }
    throw RPCError(
      .invalidArgument, "\(namesakes.count) films are called \(arrival.film.film.title); give it an id", executed: .no)
  }

  func put(
    _ arrivals: [FilmStore.Arrival], of job: Int64?, by editor: String, at time: WallTime
  ) throws -> [FilmEdit] {
    let job = try job ?? revision() + 1
    return try arrivals.compactMap { arrival in
      guard let plan = try plan(arrival), var edit = plan.edit(by: editor, at: time) else { return nil }
      if let number = plan.number { try save(plan.new, number) } else { try insert(plan.new) }
      edit.job = job
      edit.revision = try remember(edit, before: plan.old, job: job)
      return edit
    }
  }

  /// Adds what is not told of a film, of fields in which nobody else had a say; nil if there is nothing to add.
  func complete(_ arrival: FilmStore.Arrival, by editor: String, at time: WallTime) throws -> FilmEdit? {
    let id = arrival.into ?? arrival.film.film.id
    guard let number = try number(of: id), let old = try film(number) else { return nil }
    var known = FilmDraft(arrival.film)
    // A title is what a film is called, and every one has its own.
    for field in try fieldsEdited(of: number, otherThanBy: editor) where field != .id && field != .title {
      known[field] = nil
    }
    var new = old
    new.take(try known.film(), replacing: false)
    // Ids lead where they led.
    new.otherIDs = old.otherIDs
    guard var edit = FilmEdit(of: old, to: new, by: editor, at: time) else { return nil }
    try save(new, number)
    edit.revision = try remember(edit, before: old)
    return edit
  }

  /// Where somebody set something, changed it or took it away.
  private func fieldsEdited(of number: Int64, otherThanBy editor: String) throws -> Set<FilmField> {
    let edits = try rows(
      "SELECT body FROM edit WHERE film IN (SELECT id FROM film_id WHERE film = ?)", [number]
    ) { row in try WireColumn.value(row.read(0), as: FilmEdit.self) }
    return edits.filter { $0.editor != editor }.reduce(into: []) { fields, edit in
      fields.formUnion(edit.fields.compactMap { FilmField(rawValue: $0.name) })
    }
  }

  /// Writes what a record is from now on; nil if it was so already.
  func replace(_ number: Int64, with new: CatalogueFilm, by editor: String, at time: WallTime) throws -> FilmEdit? {
    guard let old = try film(number), var edit = FilmEdit(of: old, to: new, by: editor, at: time) else { return nil }
    try save(new, number)
    edit.revision = try remember(edit, before: old)
    return edit
  }

  /// An id that leads to another film already goes on doing so.
  private func keepOwnIDs(_ film: inout CatalogueFilm, _ record: Int64?) throws {
    let others = try (film.otherIDs ?? []).filter { try number(of: $0).map { $0 == record } ?? true }
    film.otherIDs = others.isEmpty ? nil : others
  }

  // MARK: Programmes

  /// Takes up what programmes tell of a film that they have not told before: all of it comes again whenever one of the
  /// two services starts, and what operators changed, removed or split since then stays.
  func adopt(_ arrival: FilmStore.Programmed, by editor: String, at time: WallTime) throws -> [FilmEdit] {
    let id = arrival.film.id
    let isNew = try keep(WireColumn.bytes(arrival.film), toldOf: id)
    // That an id leads to this film is no news because the film has changed.
    let others = try arrival.others.filter { try keep(Array(id.text.utf8), toldOf: $0) }
    guard isNew || !others.isEmpty else {
      // A record that was removed and brought back since has to be known for one that plays.
      if let number = try number(of: id) { try mark([id] + arrival.others, of: number) }
      return []
    }
    let adopted = try take(arrival, isNew: isNew, others: others, by: editor, at: time)
    // Two films that turned out to be one are one here too.
    return try [adopted].compactMap(\.self) + others.compactMap { try merge(id, $0, by: editor, at: time) }
  }

  /// - Returns: whether it differs from what was told of this id last.
  private func keep(_ body: [UInt8], toldOf id: FilmID) throws -> Bool {
    let last = try value("SELECT body FROM told WHERE id = ?", [id.text], as: [UInt8].self)
    guard last != body else { return false }
    try execute("INSERT OR REPLACE INTO told (id, body) VALUES (?, ?)", [id.text, body])
    return true
  }

  /// - Parameters:
  ///   - isNew: whether the film's own facts are.
  ///   - others: the ids that have not led to it before.
  private func take(
    _ arrival: FilmStore.Programmed, isNew: Bool, others newIDs: [FilmID], by editor: String, at time: WallTime
  ) throws -> FilmEdit? {
    let film = arrival.film
    guard let number = try number(of: film.id) ?? arrival.into.flatMap({ try number(of: $0) }),
      let old = try self.film(number)
    else {
      // Told before and gone: somebody removed it.
      guard isNew else { return nil }
      var told = CatalogueFilm(film: film.inCatalogueWords, otherIDs: arrival.others.isEmpty ? nil : arrival.others)
      try keepOwnIDs(&told, nil)
      guard var edit = FilmEdit(of: nil, to: told, by: editor, at: time) else { return nil }
      try insert(told, isProgramme: true)
      edit.revision = try remember(edit)
      return edit
    }
    let others = try value("SELECT count(*) FROM film_id WHERE film = ? AND is_programme", [number], as: Int.self) ?? 0
    let imported = try value(
      "SELECT count(*) FROM film_id WHERE film = ? AND NOT is_programme", [number], as: Int.self)
    var told = CatalogueFilm(film: film.inCatalogueWords, otherIDs: newIDs.isEmpty ? nil : newIDs)
    // Nothing but the ids: the facts were taken up when they were new.
    if !isNew { told.film = Film(id: film.id, title: old.film.title) }
    var new = old
    // A record that only programmes know follows what they say; any other is only added to.
    new.take(told, replacing: imported == 0)
    if others == 0 { new.go(by: film.id) }
    try keepOwnIDs(&new, number)
    // Showings carry them, even if they say nothing new of the film.
    try mark(told.ids, of: number)
    guard var edit = FilmEdit(of: old, to: new, by: editor, at: time) else { return nil }
    try save(new, number)
    // Once more: what was not known before is only since it was saved.
    try mark(told.ids, of: number)
    edit.revision = try remember(edit, before: old)
    return edit
  }

  /// As ids that showings carry or carried.
  private func mark(_ ids: [FilmID], of number: Int64) throws {
    for id in ids { try execute("UPDATE film_id SET is_programme = 1 WHERE id = ? AND film = ?", [id.text, number]) }
  }

  // MARK: Merging and undoing

  func merge(_ first: FilmID, _ second: FilmID, by editor: String, at time: WallTime) throws -> FilmEdit? {
    guard let kept = try number(of: first), let gone = try number(of: second), kept != gone,
      let old = try film(kept), let lost = try film(gone)
    else { return nil }
    var new = old
    new.take(lost, replacing: false)
    // What showings carry is shown: if only the second has played, its id is the one.
    let programmes = try rows("SELECT id FROM film_id WHERE film = ? AND is_programme ORDER BY id", [gone]) { row in
      try row.read(0, as: String.self)
    }
    let hasPlayed = try value("SELECT count(*) FROM film_id WHERE film = ? AND is_programme", [kept], as: Int.self) ?? 0
    if hasPlayed == 0, let id = programmes.first.flatMap({ FilmID($0) }) { new.go(by: id) }
    guard var edit = FilmEdit(of: old, to: new, kind: .merged, by: editor, at: time) else { return nil }
    try execute("UPDATE film_id SET film = ?, is_current = 0 WHERE film = ?", [kept, gone])
    try execute("UPDATE OR REPLACE lesson SET film = ? WHERE film = ?", [kept, gone])
    try execute("DELETE FROM film WHERE number = ?", [gone])
    try save(new, kept)
    edit.revision = try remember(edit, before: old, lost: lost, programme: programmes)
    return edit
  }

  /// Films that somebody changed since stay as they are.
  func undo(
    job: Int64, before revision: Int64?, limit: Int, by editor: String, at time: WallTime
  ) throws -> UndoneJob {
    let edits = try rows(
      "SELECT revision, film FROM edit WHERE job = ? AND revision < ? ORDER BY revision DESC LIMIT ?",
      [job, revision ?? .max, limit]
    ) { row in (revision: try row.read(0, as: Int64.self), film: try row.read(1, as: String.self)) }
    var undone = UndoneJob(edits: [], kept: [], next: edits.count == limit ? edits.last?.revision : nil)
    for edit in edits {
      let others = try value(
        """
        SELECT count(*) FROM edit WHERE revision > ?1 AND coalesce(abs(job), 0) <> ?2 AND (film = ?3
          OR film IN (SELECT id FROM film_id WHERE film = (SELECT film FROM film_id WHERE id = ?3)))
        """, [edit.revision, job, edit.film], as: Int.self)
      if others != 0, let film = FilmID(edit.film) {
        undone.kept.append(film)
      } else if let back = try undo(edit.revision, by: editor, at: time, job: -job) {
        undone.edits.append(back)
      }
    }
    return undone
  }

  func undo(_ revision: Int64, by editor: String, at time: WallTime, job: Int64? = nil) throws -> FilmEdit? {
    let found = try row(
      "SELECT body, before, lost, programme FROM edit WHERE revision = ? AND kind NOT IN ('taught', 'forgotten', 'pictured')",
      [revision]
    ) { row in
      (
        edit: try WireColumn.value(row.read(0), as: FilmEdit.self), before: try row.read(1, as: [UInt8]?.self),
        lost: try row.read(2, as: [UInt8]?.self), programme: try row.read(3, as: String?.self)
      )
    }
    guard let found else { return nil }
    let before = try found.before.map { try WireColumn.value($0, as: CatalogueFilm.self) }
    let number = try number(of: found.edit.film)
    let now = try number.flatMap { try film($0) }
    guard var restored = before else {
      // It was added: it goes again.
      guard let number, let now, var edit = FilmEdit(of: now, to: nil, by: editor, at: time) else { return nil }
      try execute("DELETE FROM film WHERE number = ?", [number])
      edit.revision = try remember(edit, before: now, job: job)
      return edit
    }
    let lost = try found.lost.map { try WireColumn.value($0, as: CatalogueFilm.self) }
    if let lost {
      // Taken apart already, or the film that was kept is gone: nothing was written yet, and nothing is.
      guard let number, try lost.ids.allSatisfy({ try self.number(of: $0) == number }) else { return nil }
      for id in lost.ids { try execute("DELETE FROM film_id WHERE id = ? AND film = ?", [id.text, number]) }
      try insert(lost)
      for id in (found.programme ?? "").split(separator: " ") {
        try execute("UPDATE film_id SET is_programme = 1 WHERE id = ?", [String(id)])
      }
    }
    if let now { restored.keepIDs(of: now, except: Set(lost?.ids ?? [])) }
    if let number { try keepOwnIDs(&restored, number) }
    guard var edit = FilmEdit(of: now, to: restored, by: editor, at: time) else {
      guard lost == nil else {
        // What is thrown undoes what was written.
        throw RPCError(.failedPrecondition, "revision \(revision) would leave the film as it is; edit it instead")
      }
      return nil
    }
    if let number { try save(restored, number) } else { try insert(restored) }
    edit.revision = try remember(edit, before: now, job: job)
    return edit
  }

  // MARK: Rows

  private func insert(_ film: CatalogueFilm, isProgramme: Bool = false) throws {
    try execute("INSERT INTO film (body) VALUES (?)", [WireColumn.bytes(film)])
    let number = try value("SELECT last_insert_rowid()", as: Int64.self) ?? 0
    for id in film.ids {
      try execute(
        "INSERT OR IGNORE INTO film_id (id, film, is_current, is_programme) VALUES (?, ?, ?, ?)",
        [id.text, number, id == film.film.id, isProgramme])
    }
  }

  private func save(_ film: CatalogueFilm, _ number: Int64) throws {
    try execute("UPDATE film SET body = ? WHERE number = ?", [WireColumn.bytes(film), number])
    for id in film.ids {
      try execute(
        "INSERT OR IGNORE INTO film_id (id, film, is_current, is_programme) VALUES (?, ?, 0, 0)", [id.text, number])
    }
    try execute("UPDATE film_id SET is_current = (id = ?) WHERE film = ?", [film.film.id.text, number])
  }

  /// - Returns: the edit's revision.
  func remember(
    _ edit: FilmEdit, before: CatalogueFilm? = nil, lost: CatalogueFilm? = nil, programme: [String] = [],
    job: Int64? = nil
  ) throws -> Int64 {
    try execute(
      "INSERT INTO edit (kind, film, body, before, lost, programme, job) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        edit.kind.rawValue, edit.film.text, WireColumn.bytes(edit), before.map { try WireColumn.bytes($0) },
        lost.map { try WireColumn.bytes($0) }, programme.isEmpty ? nil : programme.joined(separator: " "), job,
      ])
    return try revision()
  }
}
