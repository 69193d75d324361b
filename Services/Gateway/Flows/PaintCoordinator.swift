import Calendars
import Contracts
import HTTP
import JSON
import RPC

/// The page's first paint: the same answers as the API gives, as HTML that can be read without a script.
///
/// It is no part of the API: its addresses are for people, unknown parameters are let pass, and what goes wrong is said
/// in words of the page.
final class PaintCoordinator: Coordinator {
  let locator: any RPCClient<LocatorAPI>
  let scraper: any RPCClient<ScraperAPI>
  let shelf: CinemaShelf
  let titles: TitleShelf
  let files: WebFiles
  let api: OwnAPI
  private let home: HomePlace
  let lookup: FilmLookup

  static let cinemasShown = 3
  static let daysShown = 14
  static let showtimesMax = 200
  static let similarMax = 6

  init(
    locator: any RPCClient<LocatorAPI>, scraper: any RPCClient<ScraperAPI>, films: any RPCClient<FilmsAPI>,
    shelf: CinemaShelf, titles: TitleShelf, files: WebFiles, api: OwnAPI, home: HomePlace
  ) {
    lookup = FilmLookup(scraper: scraper, films: films)
    self.locator = locator
    self.scraper = scraper
    self.shelf = shelf
    self.titles = titles
    self.files = files
    self.api = api
    self.home = home
  }

  // A query that is never finished lets unknown names pass; one field must be named, or none would be taken.
  private static let query: [any AnyQueryField] = [QueryField<String?>.text("lang", "ko, ja or en.", length: 0...100)]
  private static let html = [AnswerForm.other(.html, "The page.")]

  var endpoints: [Endpoint] {
    [
      page("/", "nearbyPage") { [self] in try await nearby($0) },
      page("/cinemas/{id}", "cinemaPage", [CinemasCoordinator.id]) { [self] in try await cinema($0) },
      page("/films/{id}", "filmPage", [PathField("id", "The film's id.", schema: FilmID.schema)]) { [self] in
        try await film($0)
      },
      page("/tonight", "tonightPage") { [self] in try await tonight($0) },
      page("/discover", "discoverPage") { [self] in try await discover($0) },
      page("/radio", "radioPage") { [self] in try await radio($0) },
      page("/festivals", "festivalsPage") { [self] in try await festivals($0) },
      page("/festivals/{id}", "festivalPage", [Self.festivalField]) { [self] in try await festival($0) },
      page("/festivals/{id}/sessions/{session}", "sessionPage", [Self.festivalField, Self.sessionField]) { [self] in
        try await session($0)
      },
      page("/festivals/{id}/door", "doorPage", [Self.festivalField]) { [self] in try await door($0) },
      page("/dinner/{id}", "dinnerPage", [PathField("id", "The showing's id.", schema: ShowtimeID.schema)]) { [self] in
        try await dinner($0)
      },
      page("/plans/{share}", "planPage", [PathField("share", "The link's own part.", schema: .string())]) { [self] in
        try await plan($0)
      },
      page("/map", "mapPage") { [self] in try await map($0) },
      page("/search", "searchPage") { [self] in try await search($0) },
      page("/status", "statusPage") { [self] in try await status($0) },
      page("/bookmarks", "bookmarksPage") { [self] in bookmarks($0) },
      page("/settings", "settingsPage") { [self] in settings($0) },
      page("/shell", "shellPage") { [self] in answer($0, scene($0), PageAnswer(isListed: false)) },
    ]
  }

  /// What says to people that there is nothing where they went.
  var nowhere: Endpoint {
    page("/", "nowherePage") { _ in throw Problem(.notFound, "there is nothing at this path") }
  }

  private func page(
    _ path: String, _ name: String, _ parameters: [PathField] = [],
    flow: @escaping @MainActor (Asking) async throws -> Answer
  ) -> Endpoint {
    Endpoint(
      .get, path, name, "A page for people.", .service, parameters: parameters, query: Self.query, answers: Self.html
    ) { [self] asking in
      do {
        return try await flow(asking)
      } catch let problem as Problem {
        return apology(asking, problem)
      } catch let error as RPCError {
        return apology(asking, Problem(error))
      }
    }
  }

  // MARK: Answers

  func scene(_ asking: Asking) -> PageScene { PageScene(asking, files: files, home: home) }

  func linked(_ asking: Asking, _ scene: PageScene) -> LinkedData {
    LinkedData(base: asking.base, words: scene.parts.words)
  }

  func answer(
    _ asking: Asking, _ scene: PageScene, _ page: PageAnswer, main: (inout HTMLWriter) -> Void = { _ in }
  ) -> Answer {
    var body = HTMLWriter()
    main(&body)
    var head = HTMLWriter(capacity: 8_192)
    let words = scene.parts.words
    PageAbout(
      words: words, title: page.title ?? words("name.long"), text: page.about ?? words("about.page"),
      address: asking.base + asking.request.path, picture: "\(asking.base)\(files.base)/icons/icon-512.png",
      isListed: page.isListed && !scene.isDemo && page.status == .ok
    ).write(to: &head)
    page.linked?.write(to: &head)
    let html = files.shell.page(
      .init(
        words: words, theme: scene.theme, textSize: scene.textSize, title: page.title, isDemo: scene.isDemo,
        place: scene.place, asked: scene.asked, tab: page.tab, head: head.bytes, main: body.bytes))
    var response = HTTPResponse(page.status, .html, html)
    response.tag = .ofBody
    response.fields += [
      // Place, language and looks are in it: for this browser only, and asked again each time.
      HTTPField("Cache-Control", "private, no-cache"), HTTPField("Vary", "Accept-Language, Cookie"),
      HTTPField("Content-Language", words.language.rawValue),
    ]
    return Answer(response)
  }

  /// What went wrong, in the page's words and with the status that programs expect.
  private func apology(_ asking: Asking, _ problem: Problem) -> Answer {
    let scene = scene(asking)
    let words = scene.parts.words
    let isGone = problem.status == .notFound || problem.status == .gone
    let page = PageAnswer(title: isGone ? words("error.gone") : nil, status: problem.status)
    var answer = answer(asking, scene, page) { html in
      html.element("h1.vh") { $0.text(words("name")) }
      scene.parts.notice(
        "error", words(isGone ? "error.gone" : "error.server"), isGone ? nil : words("error.server.text"),
        link: ("/", words("tab.nearby")), to: &html)
    }
    answer.response.fields += problem.fields
    return answer
  }

  // MARK: What the API tells

  func get(
    _ pattern: String, _ path: [String], _ parameters: KeyValuePairs<String, String?>, _ scene: inout PageScene,
    _ asking: Asking
  ) async throws -> JSONValue {
    let told = try await api.get(pattern, path, parameters, for: asking, in: scene.language)
    if Self.tellsOfDemo(told) { scene.isDemo = true }
    return told
  }

  /// An answer or anything in its list says that it is invented.
  private static func tellsOfDemo(_ told: JSONValue) -> Bool {
    told["demo"]?.bool == true || told["data"]?.array?.contains(where: tellsOfDemo) == true
  }

  /// What a view can do without.
  func extra(_ pattern: String, _ path: [String], in language: Language, _ asking: Asking) async -> JSONValue? {
    try? await api.get(pattern, path, for: asking, in: language)
  }
}

/// What a page says of itself, besides what stands on it.
struct PageAnswer {
  /// The suite's own without one.
  var title: String?
  /// What it says of itself to who links to it; without it, what Odi says.
  var about: String?
  /// Search engines may tell of it.
  var isListed = true
  var tab: String?
  var linked: LinkedData?
  var status = HTTPStatus.ok
}
