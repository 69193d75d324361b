import Clocks
import Contracts
import EventLoops
import RPC
import ServiceKit

/// What an operator can do: each command asks the running service over its administrators' socket.
struct BookmarksCommands {
  let access = ServiceAccess(to: BookmarksAPI.name) { error in
    // To who is one their session is over; to an operator there is nobody of that id. A connection that is refused is
    // nobody's answer.
    guard error.code == .unauthenticated, error.origin == BookmarksAPI.name else { return nil }
    return CommandError(.notFound, "there is no such user", try: "odi-bookmarks sessions list")
  }
  let time: any TimeSource = EventLoop.time

  var all: [Command] { [sessions, list, add, remove, export, importing, erase, topFilms, feed, stats] }

  static let user = Parameter<UserArgument>.argument("SESSION", "a user's id, as `sessions list` shows it")

  /// `ago` before now.
  func time(before ago: Duration) -> WallTime {
    WallTime(milliseconds: time.wall.milliseconds - ago.wholeMilliseconds)
  }

  static func cell(_ time: WallTime?) -> Report.Cell { time.map { "\($0.shown)" } ?? .none }

  // MARK: All users

  private var topFilms: Command {
    let since = Parameter<Duration?>.optionalOption("since", "only what was saved in this time: 7d")
    let limit = Parameter<Int>.option("limit", short: "n", "how many", default: 20, in: 1...100)
    return Command(
      "top-films", "show the films that most users saved, of those that at least five did",
      examples: [.init("odi-bookmarks top-films --since 7d", "this week's")], takes: [since, limit] + access.parameters
    ) { call, output in
      let request = MostSaved(kind: .film, since: call[since].map(time(before:)), limit: call[limit])
      let films = try await access.ask(request, call, output)
      let columns = [Report.Column("film_id", title: "film"), Report.Column("users", alignment: .right)]
      try output.write(Report(columns, rows: films.map { ["\($0.id)", .number($0.users)] }))
      return .done
    }
  }

  private var stats: Command {
    Command("stats", "show how much is kept", takes: access.parameters) { call, output in
      let totals = try await access.ask(BookmarkStatistics(), call, output)
      let items = totals.items.map { (Report.Column("\($0.kind.rawValue)s"), Report.Cell.number($0.count)) }
      try output.write(
        Report(
          item: [(Report.Column("users"), .number(totals.users))] + items + [
            (Report.Column("tombstones"), .number(totals.tombstones)), (Report.Column("views"), .number(totals.views)),
            (Report.Column("receipts"), .number(totals.receipts)), (Report.Column("feeds"), .number(totals.feeds)),
            (Report.Column("watchers"), .number(totals.watchers)),
            (Report.Column("pairings"), .number(totals.pairings)),
          ]))
      return .done
    }
  }
}

/// A user's id on a command line.
nonisolated struct UserArgument: ArgumentValue {
  let id: UserID

  static var wanted: String { "the id of a user" }
  static var valueName: String { "SESSION" }
  init?(argument: String) {
    guard let id = UserID(argument) else { return nil }
    self.id = id
  }
  var argument: String { id.text }
}

/// A kind of thing on a command line.
nonisolated struct KindArgument: ArgumentValue {
  let kind: ItemKind

  static let film = KindArgument(.film)
  private static var names: [String] { ItemKind.known.map(\.rawValue) }
  static var wanted: String { "one of " + names.joined(separator: ", ") }
  static var valueName: String { "KIND" }
  static var completion: Completion { .choices(names) }

  private init(_ kind: ItemKind) { self.kind = kind }

  init?(argument: String) {
    guard let kind = ItemKind.known.first(where: { $0.rawValue == argument }) else { return nil }
    self.kind = kind
  }
  var argument: String { kind.rawValue }
}
