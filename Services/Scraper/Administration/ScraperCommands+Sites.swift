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
        deed("disable", .disable, "visit it no more; what is published stays until it has passed"), removeSite,
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
      } catch let error as FileError {
        throw CommandError(error)
      } catch let error as JSONIssues {
        throw CommandError(
          .usage, "\(call[file]) is no site file", details: error.issues.map(\.description),
          try: "odi-scraper rule check \(call[file])")
      } catch {
        throw CommandError(
          .usage, "\(call[file]) is no site file", why: "\(error)", try: "odi-scraper rule check \(call[file])")
      }
      let text = String(decoding: document.json, as: UTF8.self)
      let added = try await access.ask(AddSite(document: text), call, output)
      try output.write(report(added))
      await warn(of: added, call, output)
      return .done
    }
  }

  private var removeSite: Command {
    Command(
      "rm", "forget a site that was added, with all that was read from it",
      takes: [Self.site, Confirmation.yes] + access.parameters
    ) { call, output in
      let sites = try await access.ask(ListSites(site: call[Self.site]), call, output)
      guard let site = sites.first else { throw CommandError(.notFound, "there is no site \(call[Self.site])") }
      try Confirmation(call, output.terminal).require(
        "forget \(site.source.id) and \(site.source.showtimes ?? 0) published showtimes of \(site.source.cinema)")
      _ = try await access.ask(ChangeSite(site: site.source.id, deed: .remove), call, output)
      output.note("\(site.source.id) is removed")
      return .done
    }
  }

  /// What is shown of a cinema that nobody knows has no name, no place and no zone.
  private func warn(of site: SiteReport, _ call: Invocation, _ output: Output) async {
    let cinema = site.source.cinema
    guard let known = try? await access.ask(neighbour: CinemasByID(ids: [cinema]), call, output) else {
      return output.note("warning: odi-locator does not answer; whether it knows the cinema \(cinema) is not checked")
    }
    if let known = known.first {
      if let said = site.zone, said != "\(known.zone)" {
        output.note(
          "warning: the file reads times in \(said), and the directory shows \(cinema) in \(known.zone): change \"zone\", or "
            + "odi-locator edit \(cinema) --time-zone \(said)")
      }
      return
    }
    output.note(
      "warning: no cinema \(cinema) is in the directory: until it is, its showings have no name and no place; "
        + "odi-locator add \(cinema) …")
  }

  /// Enabled sites whose cinemas the directory does not know.
  static let cinemasCheck = Check("cinemas") { data in
    guard let sites = try await ServiceAccess(to: "scraper").ask(ifRunning: ListSites(), in: data) else {
      return .init(.ok, "odi-scraper does not run; its sites' cinemas are looked for when it does")
    }
    let wanted = Set(sites.lazy.filter(\.isEnabled).map(\.source.cinema)).sorted()
    let zones = Dictionary(sites.filter(\.isEnabled).map { ($0.source.cinema, $0.zone) }) { first, _ in first }
    var elsewhere: [String] = []
    var unknown: [CinemaID] = []
    var rest = wanted[...]
    while !rest.isEmpty {
      let some = Array(rest.prefix(1_000))
      rest = rest.dropFirst(some.count)
      guard let known = try await ServiceAccess(to: "locator").ask(ifRunning: CinemasByID(ids: some), in: data) else {
        return .init(.ok, "odi-locator does not run; the sites' cinemas are looked for when it does")
      }
      let ids = Set(known.map(\.id))
      unknown += some.filter { !ids.contains($0) }
      elsewhere += known.compactMap { cinema in
        guard let said = zones[cinema.id] ?? nil, said != "\(cinema.zone)" else { return nil }
        return "\(cinema.id) in \(said), and not \(cinema.zone)"
      }
    }
    guard let first = unknown.first else {
      guard !elsewhere.isEmpty else { return .init(.ok, "\(wanted.count) in the directory") }
      return .init(
        .warning,
        "sites read times in another zone than the directory's: \(elsewhere.prefix(namedSites).joined(separator: "; "))",
        try: "change \"zone\" in the site's file, or odi-locator edit CINEMA --time-zone ZONE")
    }
    let shown = unknown.prefix(10).map(\.text).joined(separator: ", ")
    return .init(
      .warning, "not in the directory: \(shown)" + (unknown.count > 10 ? " and \(unknown.count - 10) more" : ""),
      try: "odi-locator add \(first) …")
  }

  /// Whether each file in the folder of sites is one: a broken one is left out when the service starts.
  static let siteFilesCheck = Check("site files") { data in
    let path = data.file("sites")
    let folder = SiteFolder(path, isNamed: false)
    guard let first = folder.problems.first else {
      return .init(.ok, folder.sites.isEmpty ? "none in \(path)" : "\(folder.sites.count) in \(path)")
    }
    let more = folder.problems.count > 1 ? "; and \(folder.problems.count - 1) more" : ""
    return .init(.problem, "\(path): \(first)\(more)", try: "odi-scraper rule check \(path)/*")
  }

  /// Whether the sites that are to be read are read, and what is found on them.
  static let sitesCheck = Check("sites") { data in
    guard let sites = try await ServiceAccess(to: "scraper").ask(ifRunning: ListSites(), in: data) else {
      return .init(.ok, "odi-scraper does not run; its sites are looked at when it does")
    }
    let enabled = sites.filter(\.isEnabled)
    let troubled = enabled.compactMap { site in site.trouble.map { (id: site.source.id, trouble: $0) } }
    guard let worst = troubled.max(by: { $0.trouble.weight < $1.trouble.weight }) else {
      return .init(.ok, enabled.isEmpty ? "none is enabled" : "\(enabled.count) are enabled, and are read")
    }
    let groups = SiteReport.Trouble.allCases.reversed().compactMap { trouble -> String? in
      let ids = troubled.filter { $0.trouble == trouble }.map(\.id)
      guard !ids.isEmpty else { return nil }
      let more = ids.count > namedSites ? " and \(ids.count - namedSites) more" : ""
      return "\(trouble.rawValue): \(ids.prefix(namedSites).joined(separator: ", "))\(more)"
    }
    let isProblem = enabled.contains { $0.source.state == .broken || $0.failures >= failuresTolerated }
    return .init(
      isProblem ? .problem : .warning, groups.joined(separator: "; "), try: "odi-scraper explain \(worst.id)")
  }

  /// Visits in a row: a site that is down for an hour is a warning.
  private static let failuresTolerated = 3
  /// In a sentence for each kind of trouble; site list has them all.
  private static let namedSites = 10

  private func deed(_ name: String, _ deed: SiteDeed, _ summary: String) -> Command {
    Command(name, summary, takes: [Self.site] + access.parameters) { call, output in
      let changed = try await access.ask(ChangeSite(site: call[Self.site], deed: deed), call, output)
      try output.write(report(changed))
      if deed == .enable { await warn(of: changed, call, output) }
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

extension SiteReport {
  /// In which its times are read.
  fileprivate var zone: String? { (try? JSONValue(parsing: document))?["zone"]?.string }

  /// What an operator should look at, the lightest first.
  fileprivate enum Trouble: String, CaseIterable {
    case readsNothing = "nothing is found on"
    case isQuarantined = "held back"
    case fails = "cannot be reached"
    case isBroken = "broken"

    var weight: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  fileprivate var trouble: Trouble? {
    switch source.state {
    case .broken: .isBroken
    case .quarantined: .isQuarantined
    case .stale: .fails
    case .pending: failures > 0 ? .fails : nil
    // A rule that finds nothing where nothing was published is believed; whether nothing plays, a person must see.
    case .ok: source.showtimes ?? 0 == 0 ? .readsNothing : nil
    case .disabled, .unknown: nil
    }
  }
}
