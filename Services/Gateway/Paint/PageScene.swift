import Calendars
import Clocks
import Contracts
import HTTP

/// What one request says about how the page should look.
struct PageScene {
  let parts: PageParts
  let place: PagePlace
  let view: Viewpoint
  let theme: PageShell.Theme
  let textSize: PageShell.TextSize
  /// What somebody looks for, as they wrote it.
  let search: String?
  /// Whether listings are invented: those that are shown, or those of the suite.
  var isDemo: Bool

  /// Parameters that the page reads, and that its links carry on: `Web/js/app.js` has the same.
  private static let known: Set<String> = [
    "cinema", "date", "at", "lang", "list", "genre", "day", "view", "mine", "mode", "walk", "budget", "person",
    "within", "with", "free", "cinemas", "until", "after", "before", "screen",
  ]
  /// Lists of which an empty one means none, and a missing one all.
  private static let lists: Set<String> = ["genre", "cinemas"]
  /// Of a list: as many ids as somebody can choose of the cinemas around them.
  private static let listMax = 20
  nonisolated private static let plainBytesMax = 80
  /// A search has a hundred characters at most.
  private static let searchBytesMax = 400

  init(_ asking: Asking, files: WebFiles, home: HomePlace) {
    let asked = asking.request.query.parameters
    let query = Self.read(asked)
    func named(_ name: String) -> String? { query.first { $0.name == name }?.value }
    // What somebody chose comes before what their browser says.
    let language =
      named("lang").flatMap { Language(rawValue: $0) } ?? asking.request.cookie("lang").flatMap {
        Language(rawValue: $0)
      }
      ?? asking.language ?? .en
    view = asking.view(in: language)
    let words = files.words(language)
    parts = PageParts(words: words, times: PageTimes(words: words, now: asking.now))
    theme = asking.request.cookie("theme").flatMap { PageShell.Theme(rawValue: $0) } ?? .auto
    textSize = asking.request.cookie("text").flatMap { PageShell.TextSize(rawValue: $0) } ?? .usual
    let chosen = (named("at") ?? asking.request.cookie("at")).flatMap(Self.point)
    place = PagePlace(
      position: chosen ?? home.place.position, isDefault: chosen == nil, homeName: home.place.name(words), query: query)
    isDemo = home.isDemo
    search = asked.first { $0.name == "q" && $0.value.utf8.count <= Self.searchBytesMax }?.value
  }

  var language: Language { parts.words.language }

  subscript(name: String) -> String? { place.query.first { $0.name == name }?.value }

  /// What was asked for but the language, as it stands in an address before the name of another one.
  var asked: String {
    let kept = place.query.filter { $0.name != "lang" } + (search.map { [("q", PercentEncoding.encode($0))] } ?? [])
    return kept.map { "\($0.name)=\($0.value)&" }.joined()
  }

  /// What of an address the page knows, each name once, and of lists what can stand in an address as it is.
  private static func read(_ query: [(name: String, value: String)]) -> [(name: String, value: String)] {
    var left = known
    return query.compactMap { name, value in
      guard left.contains(name) else { return nil }
      let plain = value.split(separator: ",").filter(isPlain).prefix(listMax).joined(separator: ",")
      guard !plain.isEmpty || value.isEmpty && lists.contains(name) else { return nil }
      left.remove(name)
      return (name, plain)
    }
  }

  /// `37.571,126.976`; anything else is no place.
  private static func point(_ text: String) -> Coordinate? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) else { return nil }
    return try? Coordinate(latitude: latitude, longitude: longitude)
  }

  nonisolated static func isPlain(_ text: Substring) -> Bool {
    text.utf8.count <= plainBytesMax
      && text.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45 || byte == 46
          || byte == 95 || byte == 58
      }
  }
}
