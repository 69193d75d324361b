import Calendars
import Clocks
import Extraction
import JSON
import ServiceKit

/// `rule …`: site files and their selectors, without a service.
extension ScraperCommands {
  var rule: Command {
    Command("rule", "write and check site files", subcommands: [newRule, checkRule, formatRule, testRule])
  }

  private static let file = Parameter<String>.argument("FILE", "a site file", completion: .files)
  private static let page = Parameter<String>.argument(
    "PAGE", "a saved page or an address; - is the standard input", completion: .files)
  private static let at = Parameter<String?>.optionalOption("at", "when the page was fetched, RFC 3339")

  private var checkRule: Command {
    let files = Parameter<[String]>.arguments("FILE", "site files", completion: .files)
    return Command("check", "tell what is wrong in site files", takes: [files]) { call, output in
      guard !call[files].isEmpty else {
        throw CommandError(.usage, "name the files", try: "odi-scraper rule check sites/*.jsonc")
      }
      let zones = ZoneDirectory()
      var failed = 0
      let rows = call[files].map { file -> [Report.Cell] in
        do {
          let site = try SiteFolder.site(at: file)
          _ = try zones.rules(for: site.zone)
          return ["\(file)", Report.Cell("ok", .good), "\(site.id): \(site.adapter.rawValue)"]
        } catch {
          failed += 1
          return ["\(file)", Report.Cell("wrong", .bad), "\(error)"]
        }
      }
      try output.write(
        Report([Report.Column("file"), Report.Column("verdict"), Report.Column("finding", shrinks: true)], rows: rows))
      return failed == 0 ? .done : .degraded
    }
  }

  private var formatRule: Command {
    Command(
      "fmt", "write a site file in the order and form of all site files",
      discussion: "Comments are not kept.", takes: [Self.file]
    ) { call, output in
      output.write(SiteDocument(try Self.site(at: call[Self.file]).document).text)
      return .done
    }
  }

  private static func site(at file: String) throws -> Site {
    do {
      return try SiteFolder.site(at: file)
    } catch {
      throw CommandError(
        .usage, "\(file) is no site file", why: "\(error)", try: "odi-scraper rule check \(file)")
    }
  }

  private var testRule: Command {
    Command(
      "test", "read a page by a rule and show what each selector finds",
      takes: [Self.file, Self.page, Self.at, Self.privateHosts]
    ) { call, output in
      let run = try Self.run(of: call[Self.file], at: call[Self.at], time)
      let (bytes, source) = try await Self.page(call[Self.page], base: nil, own: call[Self.privateHosts], time)
      let report = try run(bytes, source)
      for line in report.lines {
        output.note(
          "\(line.matches > 0 ? "✔" : "✗") \(line.field)  \(line.selector) → \(line.matches) nodes"
            + (line.nearest.map { "; nearest: \($0)" } ?? ""))
      }
      try output.write(ExtractedPage(report.extraction).report)
      return report.extraction.screenings.isEmpty ? .degraded : .done
    }
  }

  /// What reads a page by the rule of a site file. Apart, because the rule is large and its reader waits for nothing.
  private static func run(
    of file: String, at instant: String?, _ time: any TimeSource
  ) throws -> ([UInt8], PageSource) throws -> SiteRuleReport {
    let site = try site(at: file)
    let rule: SiteRule
    do throws(SiteRuleError) {
      rule = try SiteRule(parsing: site.document, ignoring: ListingAdapter.membersOfSites)
    } catch {
      throw CommandError(.usage, "\(file) is no rule", details: error.problems)
    }
    let reader = PageReader(
      zone: try rules(site.zone.text), capturedAt: try Self.instant(instant) ?? time.wall, zones: ZoneDirectory())
    return { bytes, source in try reader.run(rule, on: bytes, as: source) }
  }

  private var newRule: Command {
    let site = Parameter<String>.option("site", "what the site is to be called", default: "new-site")
    let cinema = Parameter<String>.option("cinema", "the cinema's id", default: "new-cinema")
    let base = Parameter<String?>.optionalOption("url", "the address that a saved page was fetched from")
    return Command(
      "new", "propose a rule for a page",
      examples: [
        .init("odi-scraper rule new https://cinema.example/whats-on --zone Europe/London", "fetched politely, once")
      ],
      takes: [Self.page, base, site, cinema, Self.zone, Self.at, Self.privateHosts]
    ) { call, output in
      let (bytes, source) = try await Self.page(
        call[Self.page], base: call[base], own: call[Self.privateHosts], time)
      let reader = PageReader(
        zone: try Self.rules(call[Self.zone], output), capturedAt: try Self.instant(call[Self.at]) ?? time.wall,
        zones: ZoneDirectory())
      let found = try reader.read(bytes, as: source)
      guard var proposal = try reader.propose(for: bytes, as: source, site: call[site], cinema: call[cinema]) else {
        let readers = Set(found.screenings.flatMap(\.foundBy)).map(\.rawValue).sorted().joined(separator: ", ")
        throw CommandError(
          .notFound, "no rule is needed or possible",
          why: found.screenings.isEmpty
            ? found.reason ?? "nothing on the page says what is shown when"
            : "\(found.screenings.count) screenings are found without one, by \(readers)")
      }
      proposal.rule.zone = call[Self.zone] ?? "UTC"
      if let url = source.url { proposal.rule.start = [url] }
      output.note("gives \(proposal.reproduced) of \(proposal.expected) screenings again, and \(proposal.extra) others")
      let rule = try JSONValue(parsing: String(decoding: proposal.rule.json, as: UTF8.self))
      output.write(SiteDocument(rule).with("adapter", "rule").text)
      return .done
    }
  }
}
