import Contracts
import ServiceKit

/// `unmatched`, `match`, `merge`, `reports`: what people know better.
extension ScraperCommands {
  var unmatched: Command {
    let top = Parameter<Int>.option("top", "how many", default: 50, in: 1...500)
    return Command(
      "unmatched", "list titles on programmes whose film nobody knows, or knows by this name alone",
      discussion: """
        `likely` is a film that may well be the same; behind `try` stands the command that says so. Where none is \
        likely, it is the one that looks for the film.
        """,
      takes: [top] + access.parameters
    ) { call, output in
      let titles = try await access.ask(UnmatchedTitles(limit: call[top]), call, output)
      try output.write(
        Report(
          [
            Report.Column("title", shrinks: true), Report.Column("showtimes", alignment: .right),
            Report.Column("cinemas", ids: true), Report.Column("film"), Report.Column("likely"),
            Report.Column("likely_title", shrinks: true), Report.Column("remedy", title: "try"),
          ],
          rows: titles.map { title in
            [
              "\(title.title)", .number(title.showtimes), "\(title.cinemas.map(\.text).joined(separator: " "))",
              .text(title.film?.text), .text(title.likely?.text), .text(title.likelyTitle),
              "\(Self.remedy(title))",
            ]
          }))
      return .done
    }
  }

  /// The command that settles who is meant, as it can be typed.
  private static func remedy(_ title: UnmatchedTitle) -> String {
    guard let likely = title.likely else { return "odi-films match \(title.title.shellWord)" }
    guard let film = title.film else { return "odi-scraper match \(title.title.shellWord) \(likely)" }
    return "odi-scraper merge \(film) \(likely)"
  }

  private static let film = Parameter<String>.argument("FILM", "the film's id, film_…")

  var match: Command {
    let title = Parameter<String>.argument("TITLE", "as it is printed")
    return Command(
      "match", "teach that a printed title means a film, from now on",
      examples: [.init("odi-scraper match '시네마톡: 괴물' film_8k2q…", "")], takes: [title, Self.film] + access.parameters
    ) { call, output in
      let request = MatchTitle(title: call[title], film: try Self.id(call[Self.film]))
      try output.write(Self.report(try await access.ask(request, call, output)))
      return .done
    }
  }

  var merge: Command {
    let other = Parameter<String>.argument("OTHER", "the same film's other id")
    return Command(
      "merge", "say that two films are one; both ids lead to it from now on",
      takes: [Self.film, other, Confirmation.yes] + access.parameters
    ) { call, output in
      let (first, second) = (try Self.id(call[Self.film]), try Self.id(call[other]))
      try Confirmation(call, output.terminal).require("make \(first) and \(second) one film for ever")
      try output.write(Self.report(try await access.ask(MergeFilms(first: first, second: second), call, output)))
      return .done
    }
  }

  private static func id(_ text: String) throws(CommandError) -> FilmID {
    guard let id = FilmID(text) else {
      throw CommandError(.usage, "\(text) is no film's id", why: "they begin with film_")
    }
    return id
  }

  private static func report(_ matched: MatchedTitle) -> Report {
    Report(item: [
      (Report.Column("film"), "\(matched.film.id)"), (Report.Column("title"), "\(matched.film.title)"),
      (Report.Column("year"), .number(matched.film.year)), (Report.Column("showtimes"), .number(matched.showtimes)),
    ])
  }

  var reports: Command {
    let done = Parameter<Bool>.flag("done", "also those that were looked at")
    let limit = Parameter<Int>.option("limit", short: "n", "how many", default: 50, in: 1...500)
    let id = Parameter<String>.argument("REPORT", "the report's id")
    return Command(
      "reports", "look at what people say is wrong",
      subcommands: [
        Command("list", "list reports, newest first", takes: [done, limit] + access.parameters) { call, output in
          let request = ListReports(includesDone: call[done], limit: call[limit])
          try output.write(report(try await access.ask(request, call, output)))
          return .done
        },
        Command("close", "mark a report as looked at", takes: [id] + access.parameters) { call, output in
          try output.write(report([try await access.ask(CloseReport(id: call[id]), call, output)]))
          return .done
        },
      ])
  }

  private func report(_ reports: [FiledReport]) -> Report {
    Report(
      [
        Report.Column("id"), Report.Column("at"), Report.Column("kind"), Report.Column("cinema"),
        Report.Column("showtime"), Report.Column("film"), Report.Column("comment", shrinks: true),
        Report.Column("done_at"),
      ],
      rows: reports.map { report in
        [
          "\(report.id)", cell(report.at), "\(report.kind.rawValue)", .text(report.cinema?.text),
          .text(report.showtime?.text), .text(report.film?.text), .text(report.comment), cell(report.doneAt),
        ]
      })
  }
}
