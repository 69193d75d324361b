import Clocks
import Contracts
import Directories
import Drafts
import FilmFiles
import JSON
import RPC
import ServiceKit

/// `search`, `list`, `get`, `match`, `unmatched`, `similar`, `recommend`, `genres`, `person`, `reindex`.
extension FilmsCommands {
  private var count: Parameter<Int> { .option("count", short: "n", "how many at most", default: 10, in: 1...100) }

  var search: Command {
    let text = Parameter<[String]>.arguments("TEXT", "any part of a title or a name; ㄱㅅㅊ finds 기생충")
    let count = count
    let language = Parameter<String?>.optionalOption(
      "lang", "films by their titles in this language, if they have one: ko")
    return Command(
      "search", "list the films and people that a text names", takes: [text, language, count] + films.parameters
    ) { call, output in
      let request = SearchCatalogue(
        text: call[text].joined(separator: " "), limit: call[count], includesPeople: true)
      let columns = [
        Report.Column("id"), Report.Column("title", shrinks: true), Report.Column("year", alignment: .right),
        Report.Column("matched", shrinks: true), Report.Column("score", alignment: .right),
        Report.Column("highlights", visible: false),
      ]
      let hits = try await films.ask(request, call, output)
      let rows = hits.compactMap { hit -> [Report.Cell]? in
        let found: (id: String, title: String, year: Int?)
        if let film = hit.film?.film {
          let told = call[language].flatMap { language in film.titles?.first { $0.language == language }?.text }
          found = (film.id.text, told ?? film.title, film.year)
        } else if let person = hit.person {
          found = (person.id.text, person.name, nil)
        } else {
          return nil
        }
        return [
          "\(found.id)", "\(found.title)", .number(found.year), "\(hit.matched)", .number(hit.score, digits: 1),
          Report.Cell("", json: .array(hit.highlights.map { .int(Int64($0)) })),
        ]
      }
      try output.write(Report(columns, rows: rows))
      if let person = hits.lazy.compactMap(\.person).first {
        output.note("odi-films person \(person.id) lists the films of one")
      }
      return .done
    }
  }

  var list: Command {
    let genre = Parameter<String?>.optionalOption("genre", "only of this genre: drama")
    let country = Parameter<String?>.optionalOption("country", "only of this country: KR")
    let from = Parameter<Int?>.optionalOption("from", "not older than this year")
    let to = Parameter<Int?>.optionalOption("to", "not newer than this year")
    let list = Parameter<FilmList?>.optionalOption(
      "list", "only those that play, will play, play no more soon …; asks the scraper, unless for classics")
    let order = Parameter<ListOrder?>.optionalOption(
      "order", "which first; otherwise the most wanted, or as the list is")
    let limit = Parameter<Int?>.optionalOption("count", short: "n", "how many at most; all if not said")
    return Command(
      "list", "list the films",
      examples: [
        .init("odi-films list --list now_playing", "what plays, the most shown first"),
        .init("odi-films list --genre horror --country JP", "two conditions"),
      ], takes: [list, genre, country, from, to, order, limit] + films.parameters
    ) { call, output in
      var request = ListCatalogue(
        genres: call[genre].map { [FilmGenre.named($0)?.rawValue ?? $0] },
        countries: call[country].map { [CountryName.code(of: $0) ?? $0] }, yearFrom: call[from], yearTo: call[to],
        order: call[order]?.order, limit: 500)
      var showing: [FilmShowing]?
      if let list = call[list] {
        if list.isOfProgrammes {
          showing = try await films.ask(neighbour: FilmsShowing(limit: Self.showingMax), call, output)
        }
        request = list.narrow(request, showing, now: time.wall)
      }
      var found: [CatalogueFilm] = []
      repeat {
        let page = try await films.ask(request, call, output)
        found += page.films
        request.after = page.next
      } while request.after != nil && found.count < call[limit] ?? .max
      try output.write(Report(films: Array(found.prefix(max(call[limit] ?? .max, 0))), showing: showing))
      if showing?.count == Self.showingMax {
        output.note("more films play; only the \(Self.showingMax) that are shown most were looked at")
      }
      return .done
    }
  }

  /// The contract's limit.
  private static let showingMax = 500

  var get: Command {
    Command("get", "show one film", takes: [id] + films.parameters) { call, output in
      try output.write(Report(film: try await film(call[id], call, output)))
      return .done
    }
  }

  var match: Command {
    let title = Parameter<String>.argument("TITLE", "as a cinema prints it")
    let year = Parameter<Int?>.optionalOption("year", "when it came out, if the cinema tells")
    let director = Parameter<String?>.optionalOption("director", "who made it, if the cinema tells")
    let minutes = Parameter<Int?>.optionalOption("runtime", "its minutes, if the cinema tells")
    let count = count
    return Command(
      "match", "tell which film a printed title means, with the parts of each candidate's score",
      discussion: "Exit code 3 if none is sure.",
      examples: [.init("odi-films match '괴물【字幕】4K' --year 2006", "what is printed around a title becomes attributes")],
      takes: [title, year, director, minutes, count] + films.parameters
    ) { call, output in
      let printed = PrintedFilm(
        title: call[title], year: call[year], directors: call[director].map { [$0] }, runtimeMinutes: call[minutes])
      let request = MatchTitles(titles: [printed], limit: min(call[count], 20))
      guard let match = try await films.ask(request, call, output).first else { return .failed }
      try output.write(Report(match: match))
      output.note("the title is '\(match.name)'" + match.seenAround)
      guard let film = match.film else {
        output.note("none is sure; odi-films alias add teaches it")
        return .notFound
      }
      output.note("it means \(film)")
      return .done
    }
  }

  var unmatched: Command {
    let top = Parameter<Int>.option("top", "how many at most", default: 50, in: 1...500)
    return Command(
      "unmatched", "list films of programmes of which nothing is known but what the programme says",
      discussion: """
        Behind `try` stands the command that settles a film: merge where another one is likely to be the same, else \
        the one that looks for it. odi-films edit adds what is known.
        """,
      takes: [top] + films.parameters
    ) { call, output in
      let unmatched = try await films.ask(UnmatchedFilms(limit: call[top]), call, output)
      try output.write(Report(films: unmatched, settledBy: try await remedies(unmatched, call, output)))
      return .done
    }
  }

  /// What the contract takes at once.
  private static let titlesMax = 200
  /// One of them is the film itself.
  private static let candidates = 5

  /// For each film the command that says, or finds out, which one it is.
  private func remedies(
    _ unmatched: [CatalogueFilm], _ call: Invocation, _ output: Output
  ) async throws(CommandError) -> [String] {
    let known = Set(unmatched.flatMap(\.ids))
    var remedies: [String] = []
    var rest = unmatched[...]
    while !rest.isEmpty {
      let some = Array(rest.prefix(Self.titlesMax))
      rest = rest.dropFirst(some.count)
      let titles = some.map { entry in
        PrintedFilm(title: entry.film.title, year: entry.film.year, runtimeMinutes: entry.film.runtimeMinutes)
      }
      let matches = try await films.ask(MatchTitles(titles: titles, limit: Self.candidates), call, output)
      remedies += zip(some, matches).map { entry, match in
        let other = match.candidates.first { !known.contains($0.film.id) }
        guard let other, other.score >= TitleMatcher.Score.enough else {
          return "odi-films search \(entry.film.title.shellWord)"
        }
        return "odi-films merge \(other.film.id) \(entry.film.id)"
      }
    }
    return remedies
  }

  var similar: Command {
    let count = count
    return Command(
      "similar", "list the films most like one, and why", takes: [id, count] + films.parameters
    ) { call, output in
      let found = try await films.ask(SimilarFilms(film: call[id], limit: call[count]), call, output)
      try output.write(Report(recommended: found))
      return .done
    }
  }

  var recommend: Command {
    let liked = Parameter<[TasteArgument]>.arguments(
      "SESSION|ID", "a session as `odi-bookmarks sessions list` shows it, or films that somebody liked")
    let explain = Parameter<Bool>.flag("explain", "tell what was gone by, and how much each reason weighs")
    let count = count
    return Command(
      "recommend", "list what somebody may like who liked these, and why",
      discussion: """
        Of a session, what it saved and, for less, what it looked at: as the gateway asks. Without any, the films that \
        most people want.
        """,
      examples: [
        .init("odi-films recommend film_parasite-2019 film_burning-2018", "two films are enough"),
        .init("odi-films recommend u_g2VFhslA_Zqscocoq6M-mg --explain", "what one session is shown, and why"),
      ], takes: [liked, explain, count] + films.parameters
    ) { call, output in
      var history: [LikedFilm] = []
      let known = try await known(call[liked], call, output)
      for one in call[liked] {
        switch one {
        case .film(let id): if known.contains(id) { history.append(LikedFilm(id: id, weight: 1)) }
        case .session(let user): history += try await taste(of: user, call, output)
        }
      }
      let found = try await films.ask(RecommendFilms(history: history, limit: call[count]), call, output)
      try output.write(Report(recommended: found, weighs: call[explain]))
      if call[explain] {
        for one in history { output.note("gone by \(one.id), weight \(one.weight)") }
        if history.isEmpty { output.note("nothing was saved or looked at: these are what most people want") }
      }
      return .done
    }
  }

  /// Those of the films that there are; each of the others is told.
  private func known(
    _ liked: [TasteArgument], _ call: Invocation, _ output: Output
  ) async throws(CommandError) -> Set<FilmID> {
    let ids = liked.compactMap { one -> FilmID? in if case .film(let id) = one { id } else { nil } }
    guard !ids.isEmpty else { return [] }
    let known = Set(try await films.ask(CatalogueFilms(ids: ids), call, output).map(\.asked))
    let unknown = ids.filter { !known.contains($0) }
    guard unknown.count < liked.count else {
      throw CommandError(
        .notFound, "there is no film \(unknown.map(\.text).joined(separator: ", "))", try: "odi-films search TITLE")
    }
    for id in unknown { output.note("there is no film \(id); it is left out") }
    return known
  }

  /// What a session saved, and for less what it looked at: as the gateway asks.
  private func taste(of user: UserID, _ call: Invocation, _ output: Output) async throws(CommandError) -> [LikedFilm] {
    let saved = try await films.ask(neighbour: ListItems(user: user, kind: .film, limit: 500), call, output).items
      .compactMap { FilmID($0.id) }
    let wanted = Set(saved)
    // Who opted out is not told by what they looked at before.
    let isKept = try await films.ask(neighbour: SettingsOf(user: user), call, output).keepsHistory != false
    let views =
      isKept ? try await films.ask(neighbour: ListViews(user: user, kind: .film, limit: 200), call, output) : []
    let looks = views.compactMap { FilmID($0.id) }
    return saved.map { LikedFilm(id: $0, weight: 1) }
      + looks.filter { !wanted.contains($0) }.map { LikedFilm(id: $0, weight: Self.lookWeight) }
  }

  /// What a look counts beside a film that was saved.
  private static let lookWeight = 0.3

  var genres: Command {
    Command("genres", "list the genres, with how many films each has", takes: films.parameters) { call, output in
      let columns = [
        Report.Column("id"), Report.Column("name"), Report.Column("films", alignment: .right),
      ]
      let rows = try await films.ask(Genres(), call, output).map { genre -> [Report.Cell] in
        ["\(genre.id)", .text(FilmGenre(rawValue: genre.id)?.name(in: "en")), .number(genre.films)]
      }
      try output.write(Report(columns, rows: rows))
      return .done
    }
  }

  var person: Command {
    let person = Parameter<PersonID>.argument("ID", "a slug of the name: bong-joon-ho")
    return Command("person", "show somebody's films", takes: [person] + films.parameters) { call, output in
      let page = try await films.ask(PersonByID(id: call[person]), call, output)
      try output.write(Report(person: page))
      return .done
    }
  }

  var reindex: Command {
    Command("reindex", "make the catalogue in memory anew, and show how large it is", takes: films.parameters) {
      call, output in
      let statistics = try await films.ask(DescribeCatalogue(isRebuilt: true), call, output, timeout: Self.patience)
      try output.write(
        Report(item: [
          (Report.Column("revision"), .number(Int(statistics.revision))),
          (Report.Column("films"), .number(statistics.films)), (Report.Column("ids"), .number(statistics.ids)),
          (Report.Column("titles"), .number(statistics.titles)), (Report.Column("people"), .number(statistics.people)),
          (Report.Column("lessons"), .number(statistics.lessons)),
        ]))
      return .done
    }
  }
}

/// A film that somebody liked, or a session that liked some.
nonisolated enum TasteArgument: ArgumentValue {
  case film(FilmID)
  case session(UserID)

  static var wanted: String {
    "a film's id, such as film_ran-1985, or a session's as odi-bookmarks sessions list shows it"
  }
  static var valueName: String { "SESSION|ID" }

  init?(argument: String) {
    if argument.hasPrefix("film_"), let id = FilmID(argument) {
      self = .film(id)
    } else if argument.hasPrefix("u_"), let id = UserID(argument) {
      self = .session(id)
    } else {
      return nil
    }
  }

  var argument: String {
    switch self {
    case .film(let id): id.text
    case .session(let id): id.text
    }
  }
}

nonisolated extension FilmList: ArgumentValue {}

/// In which order a list is wanted.
nonisolated enum ListOrder: String, CaseIterable, ArgumentValue {
  case popularity, title, newest, oldest, id

  var order: CatalogueOrder {
    switch self {
    case .popularity: .popularity
    case .title: .title
    case .newest: .newest
    case .oldest: .oldest
    case .id: .id
    }
  }
}

nonisolated extension TitleMatch {
  fileprivate var seenAround: String {
    attributes.isEmpty && removed.isEmpty
      ? "" : "; around it: \(removed.joined(separator: ", ")) → \(attributes.joined(separator: ", "))"
  }
}
