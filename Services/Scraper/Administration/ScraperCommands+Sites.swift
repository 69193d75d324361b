import Contracts
import Extraction
import JSON
import ServiceKit

/// `site …`, `approve`, `quarantine`: what is configured.
extension ScraperCommands {
  var sites: Command {
    Command(
      "site", "look after the sites that are read",
      subcommands: [
        listSites, getSite, addSite, deed("enable", .enable, "let it be visited"),
        deed("disable", .disable, "visit it no more; what is published stays until it has passed"),
      ])
  }

  var approve: Command {
    deed("approve", .approve, "believe what the next visit finds, however unlike the last ones it is")
  }
  var quarantine: Command { deed("quarantine", .quarantine, "publish nothing of a site until it is approved") }

  private var listSites: Command {
    let state = Parameter<String?>.optionalOption(
      "state", "only those in this state", completion: .choices(SourceState.known.map(\.rawValue)))
    let stale = Parameter<Bool>.flag(
      "stale", "only enabled ones whose programme is older than it should be, for whatever reason")
    return Command(
      "list", "list the sites and how they are",
      examples: [
        .init("odi-scraper site list --state broken", "what needs somebody"),
        .init("odi-scraper site list --stale --exit-status", "exit code 3 if all is fresh"),
      ],
      takes: [state, stale] + access.parameters
    ) { call, output in
      let sites = try await access.ask(ListSites(), call, output)
        .filter { site in call[state].map { $0 == site.source.state.rawValue } ?? true }
        .filter { site in !call[stale] || site.isEnabled && site.source.state != .ok }
      let columns = [
        Report.Column("site"), Report.Column("adapter"), Report.Column("cinema"), Report.Column("state"),
        Report.Column("as_of"), Report.Column("next"), Report.Column("showtimes", alignment: .right),
        Report.Column("problem", shrinks: true), Report.Column("origin", visible: false),
      ]
      try output.write(
        Report(
          columns,
          rows: sites.map { site in
            [
              "\(site.source.id)", "\(site.adapter)", "\(site.source.cinema)",
              Report.Cell(site.source.state.rawValue, Self.tone(site.source.state)), cell(site.source.asOf),
              cell(site.source.next), .number(site.source.showtimes), .text(site.source.problem), "\(site.origin)",
            ]
          }))
      return .done
    }
  }

  private var getSite: Command {
    Command("get", "show a site and its file", takes: [Self.site] + access.parameters) { call, output in
      let sites = try await access.ask(ListSites(site: call[Self.site]), call, output)
      guard let site = sites.first else { throw CommandError(.notFound, "there is no site \(call[Self.site])") }
      try output.write(report(site))
      return .done
    }
  }

  private var addSite: Command {
    let file = Parameter<String>.argument(
      "FILE", "a site file, comments allowed; - is the standard input", completion: .files)
    return Command(
      "add", "add a site, or change one that was added",
      discussion: "It is disabled unless the file says \"enabled\": true. Read the site's terms before.",
      takes: [file] + access.parameters
    ) { call, output in
      let document: JSONValue
      do {
        document = try JSONWithComments.parse(try SiteFolder.contents(of: call[file]))
        _ = try Site(parsing: document)
      } catch {
        throw CommandError(
          .usage, "\(call[file]) is no site file", why: "\(error)", try: "odi-scraper rule check \(call[file])")
      }
      let text = String(decoding: document.json, as: UTF8.self)
      try output.write(report(try await access.ask(AddSite(document: text), call, output)))
      return .done
    }
  }

  private func deed(_ name: String, _ deed: SiteDeed, _ summary: String) -> Command {
    Command(name, summary, takes: [Self.site] + access.parameters) { call, output in
      try output.write(report(try await access.ask(ChangeSite(site: call[Self.site], deed: deed), call, output)))
      return .done
    }
  }

  private func report(_ site: SiteReport) -> Report {
    Report(item: [
      (Report.Column("site"), "\(site.source.id)"), (Report.Column("cinema"), "\(site.source.cinema)"),
      (Report.Column("adapter"), "\(site.adapter)"), (Report.Column("origin"), "\(site.origin)"),
      (Report.Column("enabled"), .flag(site.isEnabled)),
      (Report.Column("state"), Report.Cell(site.source.state.rawValue, Self.tone(site.source.state))),
      (Report.Column("problem"), .text(site.source.problem)), (Report.Column("as_of"), cell(site.source.asOf)),
      (Report.Column("tried_at"), cell(site.triedAt)), (Report.Column("next"), cell(site.source.next)),
      (Report.Column("showtimes"), .number(site.source.showtimes)), (Report.Column("failures"), .number(site.failures)),
      (Report.Column("approved"), .flag(site.isApproved)), (Report.Column("quarantined"), .flag(site.isQuarantined)),
      (Report.Column("url"), .text(site.source.url)),
      (Report.Column("file"), Report.Cell(site.document, json: (try? JSONValue(parsing: site.document)) ?? .null)),
    ])
  }
}
