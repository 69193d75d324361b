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
  static let page = Parameter<String>.argument(
    "PAGE", "a saved page or an address; - is the standard input", completion: .files)
  static let at = Parameter<String?>.optionalOption("at", "when the page was fetched, RFC 3339")

  private var checkRule: Command {
    let files = Parameter<[String]>.arguments("FILE", "site files", completion: .files)
    return Command("check", "tell what is wrong in site files", takes: [files]) { call, output in
      guard !call[files].isEmpty else {
        throw CommandError(.usage, "name the files", try: "odi-scraper rule check sites/*.jsonc")
      }
      let zones = ZoneDirectory()
      var failed = 0
      var rows: [[Report.Cell]] = []
      for file in call[files] {
        let findings = Self.findings(in: file, zones)
        if findings.contains(where: \.isWrong) { failed += 1 }
        rows += findings.map { finding in
          [
            "\(file)", Report.Cell(finding.isWrong ? "wrong" : "ok", finding.isWrong ? .bad : .good),
            .number(finding.line), "\(finding.text)",
          ]
        }
      }
      try output.write(
        Report(
          [
            Report.Column("file"), Report.Column("verdict"), Report.Column("line", alignment: .right),
            Report.Column("finding"),
          ], rows: rows))
      if failed > 0 { output.note("\(failed) of \(call[files].count) files are wrong") }
      return failed == 0 ? .done : .degraded
    }
  }

  /// What is told of a site file: one thing that is wrong in it, or that nothing is.
  private struct Finding {
    var line: Int?
    var text: String
    var isWrong = true
  }

  private static func findings(in file: String, _ zones: ZoneDirectory) -> [Finding] {
    let bytes: [UInt8]
    let document: JSONValue
    do throws(FileError) { bytes = try SiteFolder.contents(of: file) } catch { return [Finding(text: "\(error)")] }
    do throws(JSONWithComments.Failure) { document = try JSONWithComments.parse(bytes) } catch {
      return [Finding(line: error.line, text: "column \(error.column): \(error.reason)")]
    }
    let places = JSONPlaces(bytes)
    let site: Site
    do throws(JSONIssues) { site = try Site(parsing: document) } catch {
      return error.issues.map { Finding(line: places.line(of: $0.pointer), text: $0.description) }
        .sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    }
    do throws(ZoneError) { _ = try zones.rules(for: site.zone) } catch {
      return [Finding(line: places.line(of: "/zone"), text: "/zone: \(error)")]
    }
    return [Finding(text: "\(site.id): \(site.adapter.rawValue)", isWrong: false)]
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
    } catch let error as FileError {
      throw CommandError(error)
    } catch let error as JSONIssues {
      throw CommandError(
        .usage, "\(file) is no site file", details: error.issues.map(\.description),
        try: "odi-scraper rule check \(file)")
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
}
