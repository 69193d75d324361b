import Calendars
import Clocks
import Contracts
import HTTP
import RPC

/// Which films stand in which row, and why.
nonisolated struct HomePage {
  /// One thing that rows are made of, or why it could not be had.
  typealias Part<Value> = Result<Value, RPCError>

  /// Films of one genre.
  struct GenreRow {
    var genre: String
    var films: Part<[CatalogueFilm]>
  }

  /// All that rows are made of. Each part may have failed alone.
  struct Material {
    var all: Part<[FilmShowing]> = .success([])
    var near: Part<[FilmShowing]> = .success([])
    var classics: Part<[CatalogueFilm]> = .success([])
    var genres: Part<[GenreRow]> = .success([])

    var showings: [FilmShowing] { ((try? all.get()) ?? []) + ((try? near.get()) ?? []) }

    var firstFailure: RPCError? {
      for part in [all.map { _ in }, near.map { _ in }, classics.map { _ in }, genres.map { _ in }] {
        if case .failure(let error) = part { return error }
      }
      return nil
    }
  }

  private(set) var rows: [HomeRow] = []
  /// Ids of rows that could not be made.
  private(set) var missing: [String] = []
  private let playing: [FilmID: FilmShowing]
  private let card: (Film, FilmShowing) -> FilmCard
  private let ofCatalogue: (CatalogueFilm, FilmShowing?) -> FilmCard

  private static let rowMax = 20
  /// A row of one or two films looks like a mistake.
  private static let rowMin = 3

  init(_ material: Material, cinemas: [CinemaID: Cinema], origin: Coordinate?, view: Viewpoint) {
    card = { FilmCard($0, $1, cinemas: cinemas, origin: origin, view: view) }
    ofCatalogue = { FilmCard($0, $1, cinemas: cinemas, origin: origin, view: view) }
    playing = Dictionary(material.showings.map { ($0.film.id, $0) }) { first, _ in first }
    let words = Words(view.language)
    addProgrammes(material, words, view)
    switch material.classics {
    case .success(let films): add(.classics, films, words, more: "/v1/films?list=classics")
    case .failure: missing.append(HomeRow.Kind.classics.rawValue)
    }
    switch material.genres {
    case .success(let genres):
      for row in genres {
        let name = FilmGenre(rawValue: row.genre)?.name(in: view.language?.rawValue) ?? row.genre
        switch row.films {
        case .success(let films): add(row.genre, name, films, words)
        case .failure: missing.append("genre:\(row.genre)")
        }
      }
    case .failure: missing.append("genres")
    }
  }

  private mutating func addProgrammes(_ material: Material, _ words: Words, _ view: Viewpoint) {
    if case .success(let near) = material.near {
      add(.nearYou, near, words, least: 1)
    } else {
      missing.append(HomeRow.Kind.nearYou.rawValue)
    }
    guard case .success(let all) = material.all else {
      missing += [HomeRow.Kind.nowPlaying, .lastChance, .new, .comingSoon].map(\.rawValue)
      return
    }
    func films(_ list: FilmList) -> [FilmShowing] { all.filter { list.takes($0, now: view.now) } }
    add(.nowPlaying, all, words, more: "/v1/films?list=now_playing")
    add(.lastChance, films(.lastChance).sorted { $0.last < $1.last }, words, more: "/v1/films?list=last_chance")
    add(.new, films(.newThisWeek), words, more: "/v1/films?list=new_this_week")
    let coming = films(.comingSoon).sorted { $0.next.startsAt < $1.next.startsAt }
    add(.comingSoon, coming, words, more: "/v1/films?list=coming_soon")
  }

  private mutating func add(
    _ kind: HomeRow.Kind, _ showings: [FilmShowing], _ words: Words, least: Int = rowMin, more: String? = nil
  ) {
    guard showings.count >= least else { return }
    rows.append(
      HomeRow(
        id: kind.rawValue, title: words.title(kind), reason: words.reason(kind),
        items: showings.prefix(Self.rowMax).map { card($0.film, $0) }, more: more))
  }

  private mutating func add(_ kind: HomeRow.Kind, _ films: [CatalogueFilm], _ words: Words, more: String) {
    guard films.count >= Self.rowMin else { return }
    rows.append(
      HomeRow(
        id: kind.rawValue, title: words.title(kind), reason: words.reason(kind), items: cards(films), more: more))
  }

  private mutating func add(_ genre: String, _ name: String, _ films: [CatalogueFilm], _ words: Words) {
    guard films.count >= Self.rowMin else { return }
    rows.append(
      HomeRow(
        id: "genre:\(genre)", title: name, reason: words.genreReason, items: cards(films),
        more: "/v1/films?genre=\(PercentEncoding.encode(genre))"))
  }

  private func cards(_ films: [CatalogueFilm]) -> [FilmCard] {
    films.prefix(Self.rowMax).map { entry in
      ofCatalogue(entry, entry.ids.lazy.compactMap { playing[$0] }.first)
    }
  }

  /// What the rows are called. The page has words of its own; this is for apps that have none.
  private struct Words {
    let language: Language?

    init(_ language: Language?) { self.language = language }

    func title(_ kind: HomeRow.Kind) -> String {
      switch (kind, language) {
      case (.nearYou, .ko): "내 근처"
      case (.nearYou, .ja): "近くで上映中"
      case (.nearYou, _): "Near you"
      case (.nowPlaying, .ko): "상영 중"
      case (.nowPlaying, .ja): "上映中"
      case (.nowPlaying, _): "Now playing"
      case (.lastChance, .ko): "곧 종영"
      case (.lastChance, .ja): "まもなく終了"
      case (.lastChance, _): "Last chance"
      case (.new, .ko): "새로 시작"
      case (.new, .ja): "今週から"
      case (.new, _): "New this week"
      case (.comingSoon, .ko): "상영 예정"
      case (.comingSoon, .ja): "近日上映"
      case (.comingSoon, _): "Coming soon"
      case (.classics, .ko): "고전"
      case (.classics, .ja): "名作"
      case (.classics, _): "Classics"
      }
    }

    func reason(_ kind: HomeRow.Kind) -> String {
      switch (kind, language) {
      case (.nearYou, .ko): "10 km 안에서 상영해요"
      case (.nearYou, .ja): "10 km 以内で上映しています"
      case (.nearYou, _): "plays within 10 km of you"
      case (.nowPlaying, .ko): "남은 상영이 가장 많아요"
      case (.nowPlaying, .ja): "これからの上映がもっとも多い作品です"
      case (.nowPlaying, _): "has the most showings to come"
      case (.lastChance, .ko): "공개된 마지막 상영이 사흘 안에 있어요"
      case (.lastChance, .ja): "公開されている最後の上映が3日以内です"
      case (.lastChance, _): "its last published showing is within three days"
      case (.new, .ko): "이번 주에 시간표가 처음 나왔어요"
      case (.new, .ja): "この1週間に初めて上映時間が出ました"
      case (.new, _): "was first published within the last week"
      case (.comingSoon, .ko): "첫 상영까지 사흘 이상 남았어요"
      case (.comingSoon, .ja): "最初の上映は3日以上先です"
      case (.comingSoon, _): "its first showing is three days away or more"
      case (.classics, .ko): "\(FilmList.classicsTo)년이나 그 전에 만들어졌어요"
      case (.classics, .ja): "\(FilmList.classicsTo)年以前の作品です"
      case (.classics, _): "was made in \(FilmList.classicsTo) or earlier"
      }
    }

    var genreReason: String {
      switch language {
      case .ko: "이 장르의 영화예요"
      case .ja: "このジャンルの作品です"
      case .en, nil: "is of this genre"
      }
    }
  }
}
