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
  private let query: [(name: String, value: String)]

  /// Parameters that links of the page carry on.
  private static let kept: Set<String> = [
    "cinema", "date", "at", "lang", "list", "genre", "day", "view", "mine", "mode", "walk", "person",
    "within", "with", "free", "cinemas", "until", "after", "before",
  ]
  /// Lists of which an empty one means none, and a missing one all.
  private static let lists: Set<String> = ["genre", "cinemas"]

  /// A search has a hundred characters at most.
  private static let valueBytesMax = 400

  init(_ asking: Asking, files: WebFiles) {
    let query = asking.request.query.parameters
    func named(_ name: String) -> String? { query.first { $0.name == name }?.value }
    self.query = query
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
      position: chosen ?? Self.home, isDefault: chosen == nil,
      query: query.filter { name, value in
        Self.kept.contains(name) && (Self.isPlain(value) || value.isEmpty && Self.lists.contains(name))
      })
  }

  /// Where the page looks from while nobody has said where they are: Gwanghwamun, Seoul.
  private static let home: Coordinate = {
    do { return try Coordinate(latitude: 37.571, longitude: 126.976) } catch {
      preconditionFailure("it is on the globe")
    }
  }()

  subscript(name: String) -> String? { query.first { $0.name == name }?.value }

  /// What was asked for but the language, as it stands in an address before the name of another one; each once, as it is read.
  var asked: String {
    var left = Self.kept.union(["q"]).subtracting(["lang"])
    return
      query
      .filter { name, value in
        left.remove(name) != nil && value.utf8.count <= (name == "q" ? Self.valueBytesMax : Self.keptBytesMax)
      }
      .map { "\($0.name)=\(Self.isPlain($0.value) ? $0.value : PercentEncoding.encode($0.value))&" }.joined()
  }

  /// `37.571,126.976`; anything else is no place.
  private static func point(_ text: String) -> Coordinate? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) else { return nil }
    return try? Coordinate(latitude: latitude, longitude: longitude)
  }

  /// As many ids as somebody can choose of the cinemas around them.
  private static let keptBytesMax = 20 * 81

  /// Values that stand in an address as they are.
  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= keptBytesMax
      && text.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45 || byte == 46
          || byte == 95 || byte == 44 || byte == 58
      }
  }
}
