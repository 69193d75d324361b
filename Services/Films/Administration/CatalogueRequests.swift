package import Contracts
package import RPC
import Wire

/// What the catalogue's administrators may ask. Only `odi-films` itself asks, so these are no contracts between services.

/// Stores films, each in the record that it is. The response is what that changed, or with `isDryRun` would change.
nonisolated package struct PutFilms: RPCRequest {
  package typealias Service = FilmsAPI
  package typealias Response = [FilmEdit]
  package static let method: MethodID = 0x0440
  package static let safety: Safety = .idempotent

  /// At most 500.
  package var films: [CatalogueFilm]
  /// Who it was, for the history.
  package var editor: String
  package var isDryRun: Bool
  /// Refused if one of them is there already.
  package var mustBeNew: Bool
  /// The records become exactly these; otherwise what a film does not say stays.
  package var isWhole: Bool
  /// More will follow at once: the catalogue in memory can wait for the last.
  package var hasMore: Bool
  /// Places of those in `films` whose ids were made of title and year, as nobody gave any. Each is joined with a record
  /// only if it is surely the same film, and is a new one otherwise.
  package var unnamed: [Int]?
  /// What went before, of which these are more: the job of its edits.
  package var job: Int64?

  package init(
    films: [CatalogueFilm], unnamed: [Int]? = nil, editor: String, isDryRun: Bool = false, mustBeNew: Bool = false,
    isWhole: Bool = false, hasMore: Bool = false, job: Int64? = nil
  ) {
    self.films = films
    self.unnamed = unnamed
    self.editor = editor
    self.isDryRun = isDryRun
    self.mustBeNew = mustBeNew
    self.isWhole = isWhole
    self.hasMore = hasMore
    self.job = job
  }
}

/// Takes a film out of the catalogue, with all its ids.
nonisolated package struct RemoveFilm: RPCRequest {
  package typealias Service = FilmsAPI
  package typealias Response = FilmEdit
  package static let method: MethodID = 0x0441
  package static let safety: Safety = .idempotent

  package var id: FilmID
  package var editor: String
}

/// Makes one film of two; every id of both leads to it from now on.
nonisolated package struct MergeRecords: RPCRequest {
  package typealias Service = FilmsAPI
  package typealias Response = FilmEdit
  package static let method: MethodID = 0x0442
  package static let safety: Safety = .idempotent

  package var first: FilmID
  package var second: FilmID
  package var editor: String
}

/// Takes a change back: that of a revision, or the one that merged a film into another.
nonisolated package struct UndoEdit: RPCRequest {
  package typealias Service = FilmsAPI
  package typealias Response = FilmEdit
  package static let method: MethodID = 0x0443
  package static let safety: Safety = .idempotent

  package var revision: Int64?
  package var merged: FilmID?
  package var editor: String
}

/// Takes back a part of what an import changed, the newest first; the next part is asked for with `next`.
nonisolated package struct UndoJob: RPCRequest {
  package typealias Service = FilmsAPI
  package typealias Response = UndoneJob
  package static let method: MethodID = 0x0452
  package static let safety: Safety = .idempotent

  package var job: Int64
  /// `next` of the part before.
  package var before: Int64?
  package var editor: String
}

/// A part of a job that was taken back.
nonisolated package struct UndoneJob: Codable, Hashable, Sendable {
  package var edits: [FilmEdit]
  /// Films that were changed since, and stay as they are.
  package var kept: [FilmID]
  /// Nil at the end.
  package var next: Int64?
}

/// Teaches that a printed title means a film.
nonisolated package struct TeachTitle: RPCRequest {
  package typealias Service = FilmsAPI
  package typealias Response = FilmEdit
  package static let method: MethodID = 0x0444
  package static let safety: Safety = .idempotent

  package var title: String
  package var film: FilmID
  package var editor: String
}

/// Forgets what a printed title was taught to mean.
nonisolated package struct ForgetTitle: RPCRequest {
  package typealias Service = FilmsAPI
  package typealias Response = FilmEdit
  package static let method: MethodID = 0x044b
  package static let safety: Safety = .idempotent

  package var title: String
  package var editor: String
}

/// The titles that were taught, as they are compared, in their order.
nonisolated package struct TaughtTitles: RPCRequest {
  package typealias Service = FilmsAPI
  package typealias Response = [TaughtTitle]
  package static let method: MethodID = 0x044c
  package static let safety: Safety = .read

  /// Only those after this one.
  package var after: String?
  /// 1...500.
  package var limit: Int
}

/// A printed title, and the film that it means.
nonisolated package struct TaughtTitle: Codable, Hashable, Sendable {
  package var title: String
  package var film: FilmID
}

/// The newest edits, newest first.
nonisolated package struct FilmHistory: RPCRequest {
  package typealias Service = FilmsAPI
  package typealias Response = [FilmEdit]
  package static let method: MethodID = 0x0445
  package static let safety: Safety = .read

  package var film: FilmID?
  /// Only older ones.
  package var before: Int64?
  /// 1...1000.
  package var limit: Int
}

/// How large the catalogue is. With `isRebuilt` it is first made anew from what is stored.
nonisolated package struct DescribeCatalogue: RPCRequest {
  package typealias Service = FilmsAPI
  package typealias Response = CatalogueStatistics
  package static let method: MethodID = 0x0446
  package static let safety: Safety = .idempotent

  package var isRebuilt: Bool
}

/// Adds the known films that are not there yet.
nonisolated package struct SeedCatalogue: RPCRequest {
  package typealias Service = FilmsAPI
  package typealias Response = [FilmEdit]
  package static let method: MethodID = 0x0447
  package static let safety: Safety = .idempotent
}

/// Takes up what programmes show now, without waiting for the next minute.
nonisolated package struct AdoptProgrammes: RPCRequest {
  package typealias Service = FilmsAPI
  package typealias Response = [FilmEdit]
  package static let method: MethodID = 0x0448
  package static let safety: Safety = .idempotent
}

/// Films of programmes that are no film of the catalogue's but what the programme says of them.
nonisolated package struct UnmatchedFilms: RPCRequest {
  package typealias Service = FilmsAPI
  package typealias Response = [CatalogueFilm]
  package static let method: MethodID = 0x0449
  package static let safety: Safety = .read

  /// 1...500.
  package var limit: Int
}

/// Fetches films from TMDb and stores them: by their numbers there, or those that a text finds.
nonisolated package struct FetchFromTMDb: RPCRequest {
  package typealias Service = FilmsAPI
  package typealias Response = FetchedFilms
  package static let method: MethodID = 0x044a
  package static let safety: Safety = .idempotent

  /// At most 40.
  package var numbers: [Int]
  package var search: String?
  package var year: Int?
  package var editor: String
}

/// What was fetched and stored, and what of it could not be read.
nonisolated package struct FetchedFilms: Codable, Hashable, Sendable {
  package var edits: [FilmEdit]
  package var problems: [String]
}

/// Gives a film an operator's own picture, or takes that away.
nonisolated package struct PutPoster: RPCRequest {
  package typealias Service = FilmsAPI
  package typealias Response = FilmEdit
  package static let method: MethodID = 0x044d
  package static let safety: Safety = .idempotent

  package var film: FilmID
  /// JPEG, PNG or WebP, at most 1 MiB; nil takes it away.
  package var picture: [UInt8]?
  package var editor: String
}

/// Looks at a part of the pictures that are stored: whether each is what was stored, and can be shown.
nonisolated package struct CheckPosters: RPCRequest {
  package typealias Service = FilmsAPI
  package typealias Response = PosterCheck
  package static let method: MethodID = 0x044f
  package static let safety: Safety = .read

  /// `next` of the part before.
  package var after: PosterPlace?
}

/// A part of the pictures, and what is wrong with them.
nonisolated package struct PosterCheck: Codable, Hashable, Sendable {
  package var checked: Int
  package var bytes: Int
  package var faults: [PosterFault]
  /// Nil at the end.
  package var next: PosterPlace?
}

nonisolated package struct PosterFault: Codable, Hashable, Sendable {
  package var place: PosterPlace
  package var fault: String
}

/// Fetches the pictures that films have elsewhere and none of which is stored, or with `isDryRun` tells which.
nonisolated package struct FetchPosters: RPCStreamRequest {
  package typealias Service = FilmsAPI
  package typealias Element = PosterNews
  package static let method: MethodID = 0x0451

  /// Of TMDb's, in pixels.
  package var width: Int
  /// At most 50, beside TMDb: those whose pictures the operator may show.
  package var hosts: [String]
  package var isDryRun: Bool
  package var editor: String
}

/// What became of one film's picture. The first has no film and says what there is to do; those behind all films have none
/// either and say what was left and why.
nonisolated package struct PosterNews: Codable, Hashable, Sendable {
  package var total: Int
  /// Hosts that films name and that were not asked for, those of most films first.
  package var elsewhere: [PosterHost]?
  /// Films that TMDb would have to be asked about, for which there is no key.
  package var withoutKey: Int?
  package var film: FilmID?
  package var title: String?
  package var address: String?
  /// Of the picture that came.
  package var bytes: Int?
  package var problem: String?
  /// Hosts that were asked for and that no film names, as they were written.
  package var nowhere: [String]?
}

/// Films whose pictures are at one host.
nonisolated package struct PosterHost: Codable, Hashable, Sendable {
  package var host: String
  package var films: Int
}

/// Takes away the pictures that no film leads to, or with `isDryRun` tells them.
nonisolated package struct SweepPosters: RPCRequest {
  package typealias Service = FilmsAPI
  package typealias Response = PosterSweep
  package static let method: MethodID = 0x0450
  package static let safety: Safety = .idempotent

  package var isDryRun: Bool
}

/// What was taken away.
nonisolated package struct PosterSweep: Codable, Hashable, Sendable {
  /// At most 10,000.
  package var swept: [SweptPoster]
  package var bytes: Int
  package var hasMore: Bool
}

nonisolated package struct SweptPoster: Codable, Hashable, Sendable {
  package var place: PosterPlace
  package var bytes: Int
}

/// Where a picture is stored.
nonisolated package struct PosterPlace: Codable, Hashable, Sendable {
  package var shelf: PosterShelf
  /// The film's id of an operator's own, the address of a fetched one.
  package var key: String
}

/// Whose pictures.
nonisolated package enum PosterShelf: GrowingEnum {
  case own
  case fetched
  case unknown(String)

  package static let known: [PosterShelf] = [.own, .fetched]

  package var rawValue: String {
    switch self {
    case .own: "own"
    case .fetched: "fetched"
    case .unknown(let name): name
    }
  }
}

/// Fetches films from KOBIS and stores them: by their codes there, or those that a text finds.
nonisolated package struct FetchFromKOBIS: RPCRequest {
  package typealias Service = FilmsAPI
  package typealias Response = FetchedFilms
  package static let method: MethodID = 0x044e
  package static let safety: Safety = .idempotent

  /// At most 40.
  package var codes: [String]
  package var search: String?
  package var year: Int?
  package var editor: String
}
