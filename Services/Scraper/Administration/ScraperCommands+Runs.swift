import Calendars
import Clocks
import Contracts
import RPC
import ServiceKit

/// `run` and `watch`: what is being done.
extension ScraperCommands {
  var run: Command {
    let sites = Parameter<[String]>.arguments("SITE", "these sites", completion: Self.siteNames)
    let all = Parameter<Bool>.flag("all", "every enabled site")
    let force = Parameter<Bool>.flag("force", "also those that are disabled")
    let offline = Parameter<Bool>.flag("offline", "read the pages of the last visit again, without the network")
    let dates = Parameter<String?>.optionalOption(
      "date-range", "only these service dates: 2026-11-22 or 2026-11-22..2026-11-28")
    return Command(
      "run", "visit sites now",
      discussion: """
        Politeness holds as ever. A run takes nothing away that it cannot account for: a site that does not answer, or \
        whose pages no longer make a programme, keeps what was published, also with --offline; approve SITE says that \
        it really is so. Exit code 8 tells that some failed; they are listed.
        """,
      examples: [
        .init("odi-scraper run --all", "everything"), .init("odi-scraper run emu --dry-run", "what would change"),
        .init("odi-scraper run emu --date-range 2026-12-24..2026-12-26", "three days"),
      ],
      takes: [sites, all, force, offline, dates, Confirmation.dryRun] + access.parameters
    ) { call, output in
      guard call[all] != !call[sites].isEmpty else {
        throw CommandError(.usage, "name the sites, or say --all", try: "odi-scraper site list")
      }
      var request = RunSites(
        sites: call[all] ? nil : call[sites], isTrial: call[Confirmation.dryRun], isForced: call[force],
        isOffline: call[offline])
      if let text = call[dates] { (request.from, request.to) = try Self.range(text) }
      let runs = try await follow(request, call, output)
      try output.write(Self.report(runs))
      output.note(Self.summary(runs))
      return runs.allSatisfy(Self.isWell) ? .done : runs.contains(where: Self.isWell) ? .partial : .failed
    }
  }

  private static func range(_ text: String) throws(CommandError) -> (CivilDate, CivilDate) {
    let ends = text.split(separator: "..", omittingEmptySubsequences: false).map { CivilDate(String($0)) }
    guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else {
      throw CommandError(.usage, "“\(text)” is no range of dates", try: "--date-range 2026-11-22..2026-11-28")
    }
    return (first, last)
  }

  private func follow(_ request: RunSites, _ call: Invocation, _ output: Output) async throws -> [SiteRun] {
    let client: any RPCClient<ScraperAPI> = try access.client(call, output)
    var runs: [SiteRun] = []
    var progress: Progress?
    do {
      for try await run in try await client.stream(request, CallOptions(mayRetry: false)) {
        let bar = progress ?? Progress("sites", total: run.total, to: output, time: time)
        progress = bar
        guard run.site != nil else { continue }
        runs.append(run)
        if Self.isWell(run) { bar.advance() } else { warn(run, request, bar) }
      }
    } catch {
      throw access.explain(error, try access.address(call, output))
    }
    progress?.finish()
    return runs
  }

  private func warn(_ run: SiteRun, _ request: RunSites, _ bar: Progress) {
    bar.advance()
    let site = run.site ?? ""
    // What was wrong with stored pages no visit has found wrong: only reading them shows it.
    let isReadAgain = request.isOffline && run.outcome == Publication.Verdict.broken.rawValue
    let remedy = "odi-scraper \(isReadAgain ? "test" : "explain") \(site)"
    bar.warn("✗ \(site)  \(run.outcome ?? ""): \(run.problem ?? "")  try: \(remedy)")
  }

  private static func isWell(_ run: SiteRun) -> Bool {
    ["published", "same", "partial"].contains(run.outcome ?? "")
  }

  private static func report(_ runs: [SiteRun]) -> Report {
    let columns = [
      Report.Column("site"), Report.Column("outcome"), Report.Column("showtimes", alignment: .right),
      Report.Column("added", alignment: .right), Report.Column("removed", alignment: .right),
      Report.Column("changed", alignment: .right), Report.Column("pages"), Report.Column("took", alignment: .right),
      Report.Column("problem", shrinks: true),
    ]
    return Report(
      columns,
      rows: runs.map { run in
        let pages = (run.pages ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)×\($0.value)" }
        return [
          "\(run.site ?? "")", Report.Cell(run.outcome ?? "", isWell(run) ? .good : .bad), .number(run.showtimes),
          .number(run.added), .number(run.removed), .number(run.changed), "\(pages.joined(separator: " "))",
          .duration(run.milliseconds.map { .milliseconds($0) }), .text(run.problem),
        ]
      })
  }

  private static func summary(_ runs: [SiteRun]) -> String {
    func sum(_ count: (SiteRun) -> Int?) -> Int { runs.reduce(0) { $0 + (count($1) ?? 0) } }
    let outcomes = Dictionary(runs.map { ($0.outcome ?? "", 1) }, uniquingKeysWith: +).sorted { $0.key < $1.key }
    return outcomes.map { "\($0.value) \($0.key)" }.joined(separator: " · ")
      + " · +\(sum(\.added)) −\(sum(\.removed)) ~\(sum(\.changed)) showtimes"
  }

  var watch: Command {
    let count = Parameter<Int?>.optionalOption("count", short: "n", "so many times, then end")
    let every = Parameter<Duration>.option(
      "every", "how often", default: .seconds(1), in: .milliseconds(100) ... .seconds(3_600))
    return Command(
      "watch", "show what the scraper is doing, again and again", takes: [count, every] + access.parameters
    ) { call, output in
      var left = call[count] ?? .max
      while left > 0 {
        let status = try await access.ask(ScrapingStatus(), call, output)
        if output.terminal.outputIsTerminal, output.format == .table { output.write("\u{1b}[H\u{1b}[2J") }
        try output.write(report(status))
        left -= 1
        if left > 0 { try await time.sleep(for: call[every]) }
      }
      return .done
    }
  }

  private func report(_ status: ScrapingReport) -> Report {
    let states = status.states.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    let hosts = status.hosts.map { "\($0.host) \($0.isByOperator ? "paused" : "asked for a pause")" }
    return Report(item: [
      (Report.Column("sites"), "\(states.joined(separator: " · "))"),
      (Report.Column("visiting"), "\(status.visiting.joined(separator: " "))"),
      (Report.Column("transfers"), "\(status.transfers) running, \(status.waiting) waiting"),
      (Report.Column("hosts"), "\(hosts.joined(separator: " · "))"),
      (Report.Column("due"), "\(status.due.prefix(5).map { $0.id }.joined(separator: " · "))"),
      (Report.Column("showtimes"), .number(status.showtimes)), (Report.Column("films"), .number(status.films)),
      (Report.Column("revision"), .number(Int(status.revision))),
    ])
  }
}
