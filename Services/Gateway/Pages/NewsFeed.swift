import Calendars
import Clocks
import Contracts
import XML

/// Films that cinemas have begun to list, as Atom (RFC 4287).
nonisolated struct NewsFeed {
  var entries: [Entry]
  /// Nil: titles as printed.
  var language: Language?
  /// Where this server is.
  var base: String
  var now: WallTime

  struct Entry {
    var film: Film
    /// When it was first seen in a programme.
    var since: WallTime
    var next: Showtime
    /// Nil while the directory does not answer.
    var cinema: Cinema?
    /// In how many it plays.
    var cinemas: Int

    /// When and where it can be seen next; numbers and names, which need no translation.
    fileprivate var summary: String {
      let place = cinema?.name ?? next.cinema.text
      let others = cinemas > 1 ? " +\(cinemas - 1)" : ""
      return "\(next.serviceDate) \(next.displayTime) · \(place)\(others)"
    }
  }

  var xml: [UInt8] {
    var xml = XMLWriter()
    let attributes = [("xmlns", "http://www.w3.org/2005/Atom"), ("xml:lang", language?.rawValue)]
    xml.element("feed", attributes) { xml in
      xml.element("id", [], base + "/feeds/new.atom")
      xml.element("title", [], isDemo ? "Odi (demo)" : "Odi")
      xml.element("updated", [], (entries.first?.since ?? now).stamp.description)
      xml.element("author") { xml in xml.element("name", [], "Odi") }
      xml.empty("link", [("rel", "self"), ("type", "application/atom+xml"), ("href", base + "/feeds/new.atom")])
      xml.empty("link", [("rel", "alternate"), ("type", "text/html"), ("href", base + "/discover")])
      for entry in entries { write(entry, to: &xml) }
    }
    return xml.bytes
  }

  private var isDemo: Bool { entries.contains { $0.film.isDemo == true } }

  private func write(_ entry: Entry, to xml: inout XMLWriter) {
    let page = "\(base)/films/\(entry.film.id)"
    let title = FilmItem.title(of: entry.film, in: language)
    xml.element("entry") { xml in
      xml.element("id", [], page)
      xml.element("title", [], entry.film.year.map { "\(title) (\($0))" } ?? title)
      xml.element("updated", [], entry.since.stamp.description)
      xml.empty("link", [("rel", "alternate"), ("type", "text/html"), ("href", page)])
      for genre in entry.film.genres ?? [] { xml.empty("category", [("term", genre)]) }
      if entry.film.isDemo == true { xml.empty("category", [("term", "demo")]) }
      xml.element("summary", [], entry.summary)
    }
  }
}

/// The pages that there are, for crawlers (sitemaps.org, 0.9).
nonisolated enum SiteMap {
  static func xml(_ paths: [String], base: String) -> [UInt8] {
    var xml = XMLWriter()
    xml.element("urlset", [("xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9")]) { xml in
      for path in paths {
        xml.element("url") { xml in xml.element("loc", [], base + path) }
      }
    }
    return xml.bytes
  }
}
