import Clocks
import Contracts
import Glibc
import JSON
import RPC
import ServiceKit

/// `snapshot …`, `robots`, `host …`: pages and whom they come from.
extension ScraperCommands {
  var snapshots: Command {
    Command(
      "snapshot", "look at stored pages", subcommands: [listSnapshots, showSnapshot, exportSnapshot, pruneSnapshots])
  }

  private static let id = Parameter<String>.argument("ID", "the first six or more of the snapshot's digits")

  private var listSnapshots: Command {
    let limit = Parameter<Int>.option("visits", short: "n", "of how many of the last visits", default: 1, in: 1...100)
    return Command("list", "list the pages of a site's visits", takes: [Self.site, limit] + access.parameters) {
      call, output in
      let visits = try await access.ask(ListVisits(site: call[Self.site], limit: call[limit]), call, output)
      try output.write(
        Report(
          [
            Report.Column("snapshot"), Report.Column("visit", alignment: .right), Report.Column("role"),
            Report.Column("outcome"), Report.Column("bytes", alignment: .right), Report.Column("fetched_at"),
            Report.Column("url", shrinks: true), Report.Column("problem", shrinks: true),
          ],
          rows: visits.flatMap { visit in
            visit.pages.map { page in
              [
                Report.Cell(
                  String((page.snapshot ?? "–").prefix(12)), json: page.snapshot.map { .string($0) } ?? .null),
                .number(Int(visit.number)), "\(page.role)", "\(page.outcome)", .bytes(page.bytes),
                cell(page.fetchedAt), "\(page.url)", .text(page.problem),
              ]
            }
          }))
      return .done
    }
  }

  private func bytes(_ call: Invocation, _ output: Output) async throws -> [UInt8] {
    let client: any RPCClient<ScraperAPI> = try access.client(call, output)
    var bytes: [UInt8] = []
    do {
      for try await piece in try await client.stream(
        ReadSnapshot(snapshot: call[Self.id]), CallOptions(mayRetry: false))
      {
        bytes += piece.bytes
      }
    } catch {
      throw access.explain(error, try access.address(call, output))
    }
    return bytes
  }

  private var showSnapshot: Command {
    Command("show", "write a stored page's text", takes: [Self.id] + access.parameters) { call, output in
      output.write(String(decoding: try await bytes(call, output), as: UTF8.self))
      return .done
    }
  }

  private var exportSnapshot: Command {
    let file = Parameter<String>.argument("FILE", "where to", completion: .files)
    return Command("export", "write a stored page's bytes to a new file", takes: [Self.id, file] + access.parameters) {
      call, output in
      let page = try await bytes(call, output)
      let descriptor = open(call[file], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else {
        throw CommandError(.failed, "cannot make \(call[file])", why: String(cString: strerror(errno)))
      }
      defer { Glibc.close(descriptor) }
      var rest = page[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          throw CommandError(.failed, "cannot write \(call[file])", why: String(cString: strerror(errno)))
        }
        rest = rest.dropFirst(count)
      }
      output.note("\(page.count) bytes")
      return .done
    }
  }

  private var pruneSnapshots: Command {
    let keep = Parameter<Duration>.option(
      "keep", "pages of visits younger than this stay", default: .seconds(30 * 86_400),
      in: .zero ... .seconds(3_650 * 86_400))
    return Command(
      "prune", "remove stored pages that no rule keeps",
      discussion: """
        Kept are the pages of younger visits, of the broken ones and of each site's last good one. By itself the service \
        keeps the last 500 visits of each site.
        """,
      takes: [keep, Confirmation.yes, Confirmation.dryRun] + access.parameters
    ) { call, output in
      let days = Int(call[keep].inSeconds / 86_400)
      guard call[keep] == .seconds(days * 86_400) else {
        throw CommandError(
          .usage, "pages are kept for whole days", why: "--keep has a part of one", try: "--keep \(days + 1)d")
      }
      let plan = try await access.ask(PruneSnapshots(keepDays: days, isTrial: true), call, output)
      guard !call[Confirmation.dryRun], plan.removed > 0 else {
        output.note("\(plan.removed) pages could go, \(plan.left) would stay")
        return .done
      }
      try Confirmation(call, output.terminal).require("remove \(plan.removed) stored pages")
      let done = try await access.ask(PruneSnapshots(keepDays: days, isTrial: false), call, output)
      try output.write(
        Report(item: [
          (Report.Column("removed"), .number(done.removed)), (Report.Column("bytes"), .bytes(done.bytes)),
          (Report.Column("left"), .number(done.left)),
        ]))
      return .done
    }
  }

  var robots: Command {
    let url = Parameter<String>.argument("URL", "the address in question")
    return Command(
      "robots", "tell what a site's robots.txt says to us about an address", takes: [url] + access.parameters
    ) { call, output in
      let verdict = try await access.ask(RobotsVerdict(url: call[url]), call, output, timeout: .seconds(30))
      if let problem = verdict.problem { throw CommandError(.failed, problem) }
      try output.write(
        Report(item: [
          (Report.Column("allowed"), .flag(verdict.isAllowed, verdict.isAllowed ? .good : .bad)),
          (Report.Column("rule"), .text(verdict.rule)), (Report.Column("line"), .number(verdict.line)),
          (Report.Column("crawl_delay"), .duration(verdict.crawlDelaySeconds.map { .seconds($0) })),
          (Report.Column("read_at"), cell(verdict.readAt)), (Report.Column("kept_until"), cell(verdict.keptUntil)),
        ]))
      return verdict.isAllowed ? .done : .degraded
    }
  }

  var hosts: Command {
    let host = Parameter<String>.argument("HOST", "the site's domain, as in host list")
    let period = Parameter<Duration>.option(
      "for", "for how long", default: .seconds(86_400), in: .seconds(1) ... .seconds(30 * 86_400))
    return Command(
      "host", "look after the hosts that are left alone",
      subcommands: [
        Command("list", "list the hosts that are left alone", takes: access.parameters) { call, output in
          try output.write(report(try await access.ask(ListHosts(), call, output)))
          return .done
        },
        Command("pause", "leave a host alone for a while", takes: [host, period] + access.parameters) { call, output in
          let request = PauseHost(host: call[host], seconds: Int(call[period].inSeconds))
          try output.write(report(try await access.ask(request, call, output)))
          return .done
        },
        Command("resume", "end an operator's pause", takes: [host] + access.parameters) { call, output in
          try output.write(report(try await access.ask(PauseHost(host: call[host]), call, output)))
          output.note("\(call[host]) is asked again")
          return .done
        },
      ])
  }

  private func report(_ hosts: [HostReport]) -> Report {
    Report(
      [
        Report.Column("host"), Report.Column("until"), Report.Column("refusals", alignment: .right),
        Report.Column("by"),
      ],
      rows: hosts.map { host in
        ["\(host.host)", cell(host.until), .number(host.throttles), "\(host.isByOperator ? "operator" : "the host")"]
      })
  }
}
