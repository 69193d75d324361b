import Clocks
import Contracts
import Drafts
import FilmFiles
import RPC

/// Answers the catalogue's administrators: what changes it, and what tells about it.
struct AdministratorHandlers {
  let catalogue: LiveCatalogue
  let store: FilmStore
  let adoption: Adoption
  let tmdb: TMDbSource
  let kobis: KOBISSource
  let posters: PosterSource
  let harvest: PosterHarvest
  let time: any TimeSource

  private enum Limits {
    /// With synopses as long as they may be, a batch still fits in a message.
    static let batch = 500
    static let history = 1...1_000
    static let unmatched = 1...500
    static let taught = 1...500
    static let editorBytes = 100
    static let titleBytes = 500
    /// Of pictures, at one call: less than a second's work.
    static let checkedBytes = 16 << 20
    /// What TMDb lets one address ask within a second, and little of the 3,000 a day that KOBIS allows.
    static let fetched = 40
  }

  func register(on router: RPCRouter) {
    router.on(PutFilms.self) { (request: PutFilms, _: CallContext) in try await put(request) }
    router.on(RemoveFilm.self) { (request: RemoveFilm, _: CallContext) in
      let edit = try await store.remove(request.id, by: editor(request.editor), at: time.wall)
      return try await served(edit, otherwise: "there is no film \(request.id)")
    }
    router.on(MergeRecords.self) { (request: MergeRecords, _: CallContext) in
      let edit = try await store.merge(request.first, request.second, by: editor(request.editor), at: time.wall)
      return try await served(
        edit, otherwise: "\(request.first) and \(request.second) are not two films; odi-films get tells which they are")
    }
    router.on(UndoEdit.self) { (request: UndoEdit, _: CallContext) in try await undo(request) }
    router.on(UndoJob.self) { (request: UndoJob, _: CallContext) in try await undo(request) }
    router.on(PutPoster.self) { (request: PutPoster, _: CallContext) in try await put(request) }
    router.on(CheckPosters.self) { (request: CheckPosters, _: CallContext) in
      try await store.checkedPosters(after: request.after, bytesMax: Limits.checkedBytes)
    }
    router.on(SweepPosters.self) { (request: SweepPosters, _: CallContext) in
      try await store.sweepPosters(base: posters.base, isDryRun: request.isDryRun)
    }
    router.on(FetchPosters.self) { (request: FetchPosters, _: CallContext, writer: StreamWriter<PosterNews>) in
      var request = request
      request.editor = editor(request.editor)
      try await harvest.run(request) { try await writer.send($0) }
    }
    router.on(TeachTitle.self) { (request: TeachTitle, _: CallContext) in
      guard (1...Limits.titleBytes).contains(request.title.utf8.count), let key = Catalogue.lessonKey(request.title)
      else {
        throw RPCError(.invalidArgument, "the title must have 1 to \(Limits.titleBytes) bytes and a letter in it")
      }
      let edit = try await store.teach(key, means: request.film, by: editor(request.editor), at: time.wall)
      return try await served(edit, otherwise: "there is no film \(request.film)")
    }
    router.on(ForgetTitle.self) { (request: ForgetTitle, _: CallContext) in
      let key = Catalogue.lessonKey(request.title) ?? request.title
      let edit = try await store.forget(key, by: editor(request.editor), at: time.wall)
      return try await served(
        edit, otherwise: "nobody taught what \(request.title) means; odi-films alias list tells what was")
    }
    router.on(TaughtTitles.self) { (request: TaughtTitles, _: CallContext) in
      guard Limits.taught.contains(request.limit) else {
        throw RPCError(.invalidArgument, "limit is \(request.limit); ask for 1...\(Limits.taught.upperBound)")
      }
      let lessons = catalogue.current.lessons.filter { lesson in request.after.map { $0 < lesson.title } ?? true }
      return Array(lessons.prefix(request.limit))
    }
    router.on(FilmHistory.self) { (request: FilmHistory, _: CallContext) in
      guard Limits.history.contains(request.limit) else {
        throw RPCError(.invalidArgument, "limit is \(request.limit); ask for 1...\(Limits.history.upperBound)")
      }
      return try await store.history(of: request.film, before: request.before, limit: request.limit)
    }
    router.on(DescribeCatalogue.self) { (request: DescribeCatalogue, _: CallContext) in
      if request.isRebuilt { try await catalogue.reload() }
      return catalogue.current.statistics
    }
    router.on(SeedCatalogue.self) { (_: SeedCatalogue, _: CallContext) in try await catalogue.seed() }
    router.on(AdoptProgrammes.self) { (_: AdoptProgrammes, _: CallContext) in try await adoption.adopt() }
    router.on(UnmatchedFilms.self) { (request: UnmatchedFilms, _: CallContext) in
      guard Limits.unmatched.contains(request.limit) else {
        throw RPCError(.invalidArgument, "limit is \(request.limit); ask for 1...\(Limits.unmatched.upperBound)")
      }
      let programme = Set(try await store.programmeIDs())
      let all = catalogue.current.films.filter { $0.ids.allSatisfy(programme.contains) }
      return Array(all.prefix(request.limit))
    }
    router.on(FetchFromTMDb.self) { (request: FetchFromTMDb, _: CallContext) in
      try checkFetched(request.numbers.count)
      return try await put(
        try await tmdb.films(request.numbers, search: request.search, year: request.year), by: request.editor)
    }
    router.on(FetchFromKOBIS.self) { (request: FetchFromKOBIS, _: CallContext) in
      try checkFetched(request.codes.count)
      return try await put(
        try await kobis.films(request.codes, search: request.search, year: request.year), by: request.editor)
    }
  }

  private func checkFetched(_ count: Int) throws(RPCError) {
    guard count <= Limits.fetched else {
      throw RPCError(.invalidArgument, "\(count) films; ask for at most \(Limits.fetched) at once")
    }
  }

  private func put(_ read: CheckedFilms, by editor: String) async throws -> FetchedFilms {
    let edits = try await put(PutFilms(films: read.films, unnamed: read.unnamed, editor: editor))
    return FetchedFilms(
      edits: edits, problems: read.problems.map(\.line) + read.remarks.map { "left out: \($0.line)" })
  }

  private func put(_ request: PutFilms) async throws -> [FilmEdit] {
    guard request.films.count <= Limits.batch else {
      throw RPCError(.invalidArgument, "\(request.films.count) films; send at most \(Limits.batch) at once")
    }
    let current = catalogue.current
    let unnamed = Set(request.unnamed ?? [])
    let arrivals = request.films.enumerated().map { place, film in
      let isNamed = !unnamed.contains(place)
      let known = isNamed ? current[film.film.id]?.film.id : nil
      return FilmStore.Arrival(
        film: film, into: known ?? (request.isWhole ? nil : current.record(of: film, isNamed: isNamed)),
        isWhole: request.isWhole, isUnnamed: !isNamed, mustBeNew: request.mustBeNew,
        // It tells of releases in Korea: titles in capitals there, few kinds, and names in its own letters.
        onlyCompletes: film.credit == KOBISDocument.credit)
    }
    let editor = editor(request.editor)
    if request.isDryRun {
      return toldApart(try await store.plan(arrivals, by: editor, at: time.wall), unnamed, request.films)
    }
    let edits = toldApart(
      try await store.put(arrivals, of: request.job, by: editor, at: time.wall), unnamed, request.films)
    if request.hasMore {
      catalogue.reloadSoon()
    } else {
      try await catalogue.reload()
    }
    return edits
  }

  private func put(_ request: PutPoster) async throws -> FilmEdit {
    let editor = editor(request.editor)
    guard let bytes = request.picture else {
      let edit = try await store.removePoster(of: request.film, by: editor, at: time.wall)
      return try await served(edit, otherwise: "nobody gave \(request.film) a poster of its own")
    }
    guard bytes.count <= PosterPicture.bytesMax else {
      throw RPCError(
        .invalidArgument, "the picture has \(bytes.count) bytes; make it smaller than \(PosterPicture.bytesMax)")
    }
    guard let form = PictureForm(sniffing: bytes) else {
      throw RPCError(.invalidArgument, "the picture is no JPEG, PNG or WebP; convert it")
    }
    let picture = PosterPicture(form: form, bytes: bytes, tag: PosterTag.of(bytes))
    let edit = try await store.putPoster(picture, of: request.film, by: editor, at: time.wall)
    return try await served(edit, otherwise: "there is no film \(request.film)")
  }

  /// With what else is called as the films are that came without ids and were added.
  private func toldApart(_ edits: [FilmEdit], _ unnamed: Set<Int>, _ films: [CatalogueFilm]) -> [FilmEdit] {
    let titles = Set(unnamed.compactMap { films.indices.contains($0) ? films[$0].film.title : nil })
    let current = catalogue.current
    return edits.map { edit in
      guard edit.kind == .added, titles.contains(edit.title) else { return edit }
      var edit = edit
      var namesakes = edit.namesakes ?? []
      for id in current.places(titled: edit.title).map({ current.films[$0].film.id })
      where id != edit.film && !namesakes.contains(id) { namesakes.append(id) }
      if !namesakes.isEmpty { edit.namesakes = namesakes }
      return edit
    }
  }

  private func undo(_ request: UndoEdit) async throws -> FilmEdit {
    var revision = request.revision
    if let merged = request.merged { revision = try await store.mergeOf(merged) }
    guard let revision else {
      throw RPCError(.notFound, "\(request.merged?.text ?? "it") was never merged into another")
    }
    let edit = try await store.undo(revision, by: editor(request.editor), at: time.wall)
    return try await served(edit, otherwise: "revision \(revision) is no change that can be taken back")
  }

  private func undo(_ request: UndoJob) async throws -> UndoneJob {
    let undone = try await store.undo(
      job: request.job, before: request.before, limit: Limits.batch, by: editor(request.editor), at: time.wall)
    guard request.before != nil || !undone.edits.isEmpty || !undone.kept.isEmpty || undone.next != nil else {
      throw RPCError(.notFound, "there is nothing of a job \(request.job) that can be taken back")
    }
    if undone.next == nil { try await catalogue.reload() } else { catalogue.reloadSoon() }
    return undone
  }

  /// A change is answered when it is served.
  private func served(_ edit: FilmEdit?, otherwise reason: String) async throws -> FilmEdit {
    guard let edit else { throw RPCError(.notFound, reason) }
    try await catalogue.reload()
    return edit
  }

  private func editor(_ text: String) -> String {
    text.prefix(bytes: Limits.editorBytes)
  }
}
