import Clocks
import JSON

/// Entries of a news feed, or posts as a site's own program tells them: a house may print its programme in one.
///
/// Each is read as a page of its own, on the day that it was written.
struct Posts {
  struct Post {
    let title: String
    /// Markup.
    let text: String
    let writtenAt: WallTime?
    let url: String?

    /// As a page that is about what the post is about.
    var page: [UInt8] {
      let heading = title.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      return Array(
        "<!DOCTYPE html><html><head><title>\(heading)</title></head><body><h1>\(heading)</h1>\(text)</body></html>".utf8
      )
    }
  }

  let posts: [Post]

  /// The newest ones: what is older is over.
  private static let postsMax = 20
  /// A shorter text is no programme.
  private static let bytesMin = 120

  /// - Parameter root: what a feed in XML or JSON says.
  init(_ root: JSONValue, clock: PageClock, budget: WorkBudget) throws(ExtractionError) {
    var posts: [Post] = []
    for entry in Self.list(in: root).prefix(Self.postsMax) {
      guard let title = entry["title"].flatMap(RecordText.of) else { continue }
      let texts = ["encoded", "content", "content_html", "html", "description", "summary"].lazy
        .compactMap { entry[$0].flatMap(RecordText.of) }
      guard let text = texts.first(where: { $0.utf8.count >= Self.bytesMin }), Self.isMarkup(text) else { continue }
      try budget.spend(text.utf8.count / 16 + 1)
      posts.append(
        Post(
          title: PlainText.of(title), text: text, writtenAt: Self.writtenAt(entry, clock: clock),
          url: ["link", "url"].lazy.compactMap { entry[$0].flatMap(Self.address) }.first))
    }
    self.posts = posts
  }

  static func list(in root: JSONValue) -> [JSONValue] {
    root.array ?? ["item", "items", "entry", "entries", "posts", "data"].lazy.compactMap { name in
      (root["channel"]?[name] ?? root["feed"]?[name] ?? root[name]).map { $0.array ?? [$0] }
    }.first ?? []
  }

  /// Lines of a programme are elements, or broken.
  private static func isMarkup(_ text: String) -> Bool { text.holds("</") || text.holds("<br") }

  static func writtenAt(_ entry: JSONValue, clock: PageClock) -> WallTime? {
    for name in ["published", "pubDate", "date_published", "published_at", "date", "updated"] {
      guard let text = entry[name].flatMap(RecordText.of), let moment = clock.moment(text) else { continue }
      return clock.found(moment)?.instant
    }
    return nil
  }

  static func address(_ value: JSONValue) -> String? {
    if let text = RecordText.of(value), text.hasPrefix("http") { return text }
    let links = value.array ?? [value]
    let shown = links.first { $0["rel"] == "alternate" } ?? links.first
    return shown?["href"]?.string
  }
}
