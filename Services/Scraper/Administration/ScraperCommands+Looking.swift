import Calendars
import Clocks
import Contracts
import JSON
import ServiceKit

/// `test`, `explain`, `diff`, `visits`: why a site is as it is.
extension ScraperCommands {
  var test: Command {
    let snapshot = Parameter<String?>.optionalOption("snapshot", "this stored page, by the first of its digits")
    let visit = Parameter<Int?>.optionalOption("visit", "the pages of this visit; the last by default")
    let traces = Parameter<Bool>.flag("trace", "what was looked for, what was seen, and what became of it")
    return Command(
      "test", "read a site's stored pages again and show what is found", takes: [Self.site, snapshot, visit, traces] + access.parameters
    ) { call, output in
      let test = try await access.ask(
        TestSite(site: call[Self.site], visit: call[visit].map { Int64($0) }, snapshot: call[snapshot]), call, output)
      output.note("visit \(test.visit): \(test.listings.count) showings, \(test.unread.count) pieces unread")
      if let problem = test.problem { output.note("✗ \(problem)") }
      for piece in test.unread.prefix(20) { output.note("  unread: \(piece.what): \(piece.why)") }
      try output.write(call[traces] ? Self.trace(test) : Self.listings(test))
      return test.problem == nil ? .done : .degraded
    }
  }

  private static func listings(_ test: SiteTest) -> Report {
    Report(
      [
        Report.Column("printed"), Report.Column("film"), Report.Column("title", shrinks: true), Report.Column("screen"),
        Report.Column("seats"), Report.Column("attributes", shrinks: true), Report.Column("starts_at", visible: false),
      ],
      rows: test.listings.map { listing in
        [
          "\(listing.printed)", .text(listing.film), "\(listing.title)", .text(listing.screen), .text(listing.seats),
          "\(listing.attributes.joined(separator: " "))", "\(listing.startsAt.spoken)",
        ]
      })
  }

  private static func trace(_ test: SiteTest) -> Report {
    Report(
      [
        Report.Column("reader"), Report.Column("place", shrinks: true), Report.Column("outcome"),
        Report.Column("what", shrinks: true),
      ],
      rows: test.trace.map { find in
        ["\(find.reader)", "\(find.place)", "\(find.outcome)", "\(find.what)"]
      })
  }

  var explain: Command {
    Command(
      "explain", "tell why a site is as it is, and what can be done", takes: [Self.site] + access.parameters
    ) { call, output in
      let found = try await access.ask(ExplainSite(site: call[Self.site]), call, output)
      let source = found.report.source
      var fields: [(Report.Column, Report.Cell)] = [
        (Report.Column("site"), "\(source.id)"),
        (Report.Column("state"), Report.Cell(source.state.rawValue, Self.tone(source.state))),
        (Report.Column("problem"), .text(source.problem)), (Report.Column("as_of"), cell(source.asOf)),
        (Report.Column("last_visit"), .text(found.last.map(Self.line))),
        (Report.Column("last_good_visit"), .text(found.lastGood.map(Self.line))),
        (
          Report.Column("differences"),
          Report.Cell(
            found.differences.joined(separator: " · "), json: .array(found.differences.map { .string($0) }))
        ),
      ]
      fields.append(
        (
          Report.Column("remedies", title: "try"),
          Report.Cell(found.remedies.joined(separator: " · "), json: .array(found.remedies.map { .string($0) }))
        ))
      try output.write(Report(item: fields))
      return source.state == .ok ? .done : .degraded
    }
  }

  private static func line(_ visit: VisitReport) -> String {
    let errors = visit.pages.filter { $0.problem != nil }.prefix(2).map { "\($0.role): \($0.problem ?? "")" }
    return "\(visit.number) at \(visit.began.spoken): \(visit.outcome), \(visit.pages.count) pages, "
      + "\(visit.showtimes) showings" + errors.map { "; \($0)" }.joined()
  }

  var visits: Command {
    let limit = Parameter<Int>.option("limit", short: "n", "how many of the last", default: 20, in: 1...100)
    return Command("visits", "list the last visits of a site", takes: [Self.site, limit] + access.parameters) {
      call, output in
      let visits = try await access.ask(ListVisits(site: call[Self.site], limit: call[limit]), call, output)
      try output.write(
        Report(
          [
            Report.Column("visit", alignment: .right), Report.Column("began"), Report.Column("scope"),
            Report.Column("outcome"), Report.Column("pages", alignment: .right),
            Report.Column("showtimes", alignment: .right), Report.Column("added", alignment: .right),
            Report.Column("removed", alignment: .right), Report.Column("changed", alignment: .right),
            Report.Column("problem", shrinks: true),
          ],
          rows: visits.map { visit in
            [
              .number(Int(visit.number)), cell(visit.began), "\(visit.scope)", "\(visit.outcome)",
              .number(visit.pages.count), .number(visit.showtimes), .number(visit.added), .number(visit.removed),
              .number(visit.changed), .text(visit.problem),
            ]
          }))
      return .done
    }
  }

  var diff: Command {
    let first = Parameter<Int?>.optionalArgument("A", "a visit; the one before the last by default")
    let second = Parameter<Int?>.optionalArgument("B", "another; the last by default")
    return Command(
      "diff", "tell what two visits found differently", takes: [Self.site, first, second] + access.parameters
    ) { call, output in
      let visits = try await access.ask(ListVisits(site: call[Self.site], limit: 100), call, output)
        .filter { $0.pages.contains { $0.snapshot != nil } }
      let newer = call[second].map { Int64($0) } ?? visits.first?.number
      let older = call[first].map { Int64($0) } ?? visits.dropFirst().first?.number
      guard let newer, let older else {
        throw CommandError(.notFound, "there are no two stored visits of \(call[Self.site])", try: "odi-scraper run \(call[Self.site])")
      }
      let one = try await access.ask(TestSite(site: call[Self.site], visit: older), call, output)
      let other = try await access.ask(TestSite(site: call[Self.site], visit: newer), call, output)
      let (before, after) = (Set(one.listings), Set(other.listings))
      let rows =
        before.subtracting(after).map { ("−", $0) } + after.subtracting(before).map { ("+", $0) }
      output.note("visit \(older) and visit \(newer): \(rows.count) lines differ")
      try output.write(
        Report(
          [
            Report.Column("change", title: ""), Report.Column("printed"), Report.Column("title", shrinks: true),
            Report.Column("screen"), Report.Column("seats"),
          ],
          rows: rows.sorted { ($0.1.printed, $0.1.title, $0.0) < ($1.1.printed, $1.1.title, $1.0) }.map { mark, listing in
            [
              Report.Cell(mark, mark == "+" ? .good : .bad), "\(listing.printed)", "\(listing.title)",
              .text(listing.screen), .text(listing.seats),
            ]
          }))
      return .done
    }
  }
}

nonisolated extension WallTime {
  /// `2026-11-22T03:12:00Z`.
  var spoken: String { "\(Timestamp(WallTime(milliseconds: milliseconds / 1_000 * 1_000)))" }
}
