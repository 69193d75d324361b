import Calendars
import JSON

/// All demo sites for the scraper: one request, and it knows where to look and how to read.
nonisolated enum SiteDirectory {
  static func json(_ cinemas: [DemoCinema], base: String) -> [UInt8] {
    var json = JSONWriter(capacity: 32 << 10)
    json.object { json in
      json.field("Demo", true)
      json.field("base", base)
      json.field("days_ahead", Programme.daysAhead)
      json.array("cinemas") { json in
        for cinema in cinemas {
          json.object { json in write(cinema, base, to: &json) }
        }
      }
    }
    return json.bytes
  }

  private static func write(_ cinema: DemoCinema, _ base: String, to json: inout JSONWriter) {
    json.field("id", cinema.id)
    json.field("name", cinema.name)
    json.field("zone", cinema.zone.name)
    json.field("active", cinema.isActive)
    json.field("format", cinema.format.rawValue)
    json.array("start", of: [start(of: cinema, base)])
    json.object("params") { json in
      guard let platform = cinema.platform else { return }
      json.field("base", base)
      json.field("cgid", TicketingPlatform.clientID)
      json.field("brand", platform.brand)
      json.field("cinema", platform.cinema)
    }
    if cinema.format == .table {
      json.object("rule") { json in OwnSite.writeRule(for: cinema, start: start(of: cinema, base), to: &json) }
    } else {
      json.name("rule")
      json.null()
    }
  }

  static func start(of cinema: DemoCinema, _ base: String) -> String {
    guard let platform = cinema.platform else { return base + OwnSite.path(of: cinema) }
    return "\(base)/cinema/main.do?cgid=\(TicketingPlatform.clientID)&BrandCd=\(platform.brand)"
      + "&CinemaCd=\(platform.cinema)"
  }
}

/// All demo sites for people who look what there is.
nonisolated enum FrontPage {
  static func page(_ cinemas: [DemoCinema], base: String) -> DemoDocument {
    let items = cinemas.map { cinema -> Markup in
      "<li><a href=\"\(SiteDirectory.start(of: cinema, base))\">\(cinema.name)</a> (\(cinema.format.rawValue))</li>\n"
    }
    return .page(
      lang: "en", title: "Odi’s demo world",
      "<h1>Odi’s demo world</h1>\n<p>Real cinemas, invented programmes.</p>\n<ul>\n\(items)</ul>")
  }
}
