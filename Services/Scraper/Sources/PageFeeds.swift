import Extraction
import HTML

/// Calendars and feeds that a page leads to: often they tell a programme better than the page itself.
nonisolated struct PageFeeds {
  /// A few: a page with a link for each show has hundreds.
  private static let addressesMax = 3

  private(set) var addresses: [String] = []

  init(_ bytes: [UInt8], as source: PageSource) {
    guard let page = try? HTMLDocument.parse(bytes, contentCharset: source.charset, url: source.url) else { return }
    let told = page.select("link[rel~=alternate]").filter { Self.isFeed($0["type"] ?? "") }
    let calendars = page.select("a[href]").filter { Self.isCalendar($0["href"] ?? "") }
    for address in (calendars + told).compactMap({ $0["href"].flatMap { Self.address($0, on: page) } })
    where !addresses.contains(address) && addresses.count < Self.addressesMax {
      addresses.append(address)
    }
  }

  private static func isFeed(_ type: String) -> Bool {
    ["text/calendar", "application/rss+xml", "application/atom+xml"].contains(type.lowercased())
  }

  private static func isCalendar(_ reference: String) -> Bool {
    let reference = reference.lowercased()
    let path = reference.prefix { $0 != "?" && $0 != "#" }
    return reference.hasPrefix("webcal:") || path.hasSuffix(".ics") || reference.hasSuffix("ical=1")
  }

  /// What a calendar program is asked to subscribe to is fetched as any page.
  private static func address(_ reference: String, on page: HTMLDocument) -> String? {
    guard reference.lowercased().hasPrefix("webcal:") else { return page.link(reference) }
    return "https:" + reference.dropFirst("webcal:".count)
  }
}
