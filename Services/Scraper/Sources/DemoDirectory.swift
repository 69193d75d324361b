package import Contracts
import Extraction
import JSON

/// What the demo world says of itself: its cinemas, their formats and where to begin.
nonisolated package struct DemoDirectory: Sendable {
  package private(set) var sites: [Site] = []
  /// Entries that make no site, for the log.
  package private(set) var problems: [String] = []

  /// In the demo world schedules change before one's eyes, and nobody sleeps.
  private static let schedule: JSONValue = ["every": "10m", "today_every": "1m", "hours": "0-24"]

  /// - Parameter center: the cinemas nearest to it come first, so that the page that people see first fills first.
  package init(_ bytes: [UInt8], near center: Coordinate) throws {
    let directory = try JSONValue(parsing: bytes)
    guard let cinemas = directory["cinemas"]?.array else {
      throw ReadingError("the demo world's directory has no cinemas", role: "directory")
    }
    let venues = Dictionary(
      try ShippedSites.venues().map { ($0.id.text, $0) }, uniquingKeysWith: { first, _ in first })
    for cinema in cinemas {
      guard let id = cinema["id"]?.string, cinema["active"]?.bool != false else { continue }
      do throws(JSONIssues) {
        sites.append(try Self.site(id, cinema, venues[id]))
      } catch {
        problems.append("\(id): \(error)")
      }
    }
    func distance(_ site: Site) -> Double { site.place.map { $0.metres(to: center) } ?? .infinity }
    sites.sort { (distance($0), $0.id) < (distance($1), $1.id) }
  }

  private static func site(_ id: String, _ cinema: JSONValue, _ venue: ShippedSites.Venue?) throws(JSONIssues) -> Site {
    let format = cinema["format"]?.string ?? ""
    var members: [(String, JSONValue)] = []
    // A rule is a site's file already.
    if let rule = cinema["rule"]?.object { members = rule.map { ($0.name, $0.value) } }
    let own: Set = [
      "site", "cinema", "zone", "adapter", "params", "start", "schedule", "enabled", "credit", "place", "page",
    ]
    members.removeAll { own.contains($0.0) }
    members += [
      ("site", .string("demo-\(id)")), ("cinema", .string(id)), ("zone", cinema["zone"] ?? .null),
      ("adapter", .string(adapter(format))), ("params", cinema["params"] ?? .object(JSONObject())),
      ("start", cinema["start"] ?? .array([])), ("schedule", schedule), ("enabled", true),
      ("credit", .string("demo (\(format))")), ("page", cinema["start"]?[0] ?? .null),
    ]
    // A rule with more in it than ours know is left out: the page is then read as any page.
    let document = JSONValue.object(JSONObject(members))
    if document["films"] != nil,
      (try? SiteRule(parsing: document, ignoring: ListingAdapter.membersOfSites)) == nil
    {
      members.removeAll { $0.0 == "films" || $0.0 == "days" }
    }
    if let place = venue?.place {
      members.append(("place", ["lat": .double(place.latitude), "lon": .double(place.longitude)]))
    }
    var site = try Site(parsing: .object(JSONObject(members)))
    site.isDemo = true
    return site
  }

  private static func adapter(_ format: String) -> String {
    switch format {
    case "dtryx": "dtryx"
    case "ics": "ics"
    case "table": "rule"
    default: "structured"
    }
  }
}
