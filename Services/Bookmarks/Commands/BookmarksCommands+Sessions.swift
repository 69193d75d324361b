import Calendars
import Clocks
import Contracts
import Glibc
import RPC
import ServiceKit

extension BookmarksCommands {
  var sessions: Command {
    Command(
      "sessions", "look after the users: anonymous devices", subcommands: [listSessions, session, revoke, prune])
  }

  private var listSessions: Command {
    let after = Parameter<UserArgument?>.optionalOption("after", "only users whose ids follow this one")
    let unused = Parameter<Duration?>.optionalOption("unused-for", "only users not seen for so long: 90d")
    let limit = Parameter<Int>.option("limit", short: "n", "how many", default: 50, in: 1...500)
    return Command(
      "list", "list users, without anything that they saved", takes: [after, unused, limit] + access.parameters
    ) { call, output in
      let request = ListUsers(
        after: call[after]?.id, notSeenSince: call[unused].map(time(before:)), limit: call[limit])
      let list = try await access.ask(request, call, output)
      let columns = [
        Report.Column("id"), Report.Column("created_at"), Report.Column("seen_at"),
        Report.Column("items", alignment: .right), Report.Column("revision", alignment: .right),
      ]
      try output.write(
        Report(
          columns,
          rows: list.users.map { user in
            [
              "\(user.id)", Self.cell(user.createdAt), Self.cell(user.seenAt), .number(user.items),
              .number(Int(user.revision)),
            ]
          }))
      if list.hasMore, let last = list.users.last { output.note("there are more: --after \(last.id)") }
      return .done
    }
  }

  private var session: Command {
    Command("get", "show one user", takes: [Self.user] + access.parameters) { call, output in
      try output.write(Self.report(try await access.ask(ProfileOf(user: call[Self.user].id), call, output)))
      return .done
    }
  }

  private var revoke: Command {
    Command(
      "revoke", "make all tokens of a user void; what they saved stays",
      discussion: "Their devices have to be paired anew, and only a device that still has a token can do that.",
      takes: [Self.user, Confirmation.yes] + access.parameters
    ) { call, output in
      let user = call[Self.user].id
      let profile = try await access.ask(ProfileOf(user: user), call, output)
      let items = profile.counts.reduce(0) { $0 + $1.count }
      try Confirmation(call, output.terminal).require("end every session of \(user), who has \(items) things saved")
      try output.write(Self.report(try await access.ask(RevokeTokens(user: user), call, output)))
      return .done
    }
  }

  private var prune: Command {
    let unused = Parameter<Duration>.option(
      "unused-for", "not seen for so long", default: .seconds(90 * 86_400),
      in: .seconds(86_400) ... .seconds(3_650 * 86_400))
    return Command(
      "prune", "end users who have nothing saved and have not been here for long",
      discussion: "Who has a plan, a feed's address or chose something in the settings has something saved.",
      takes: [unused, Confirmation.yes, Confirmation.dryRun] + access.parameters
    ) { call, output in
      let before = time(before: call[unused])
      let plan = try await access.ask(PruneUsers(notSeenSince: before, isDryRun: true), call, output)
      let count = "\(plan.users)\(plan.hasMore ? " or more" : "")"
      guard !call[Confirmation.dryRun], plan.users > 0 else {
        output.note("\(count) users have nothing saved and were not seen for \(call[unused].spoken)")
        return .done
      }
      try Confirmation(call, output.terminal).require("end \(count) users")
      var ended = 0
      var hasMore = true
      while hasMore {
        let pruned = try await access.ask(PruneUsers(notSeenSince: before, isDryRun: false), call, output)
        ended += pruned.users
        hasMore = pruned.hasMore
      }
      try output.write(Report(item: [(Report.Column("ended"), .number(ended))]))
      return .done
    }
  }

  private static func report(_ profile: UserProfile) -> Report {
    let counts = profile.counts.map { (Report.Column("\($0.kind.rawValue)s"), Report.Cell.number($0.count)) }
    return Report(
      item: [
        (Report.Column("id"), "\(profile.id)"), (Report.Column("created_at"), cell(profile.createdAt)),
        (Report.Column("locale"), .text(profile.locale)), (Report.Column("revision"), .number(Int(profile.revision))),
        (Report.Column("tokens_valid_from"), cell(profile.tokensValidFrom)),
      ] + counts)
  }

  // MARK: Ending a user

  var erase: Command {
    Command(
      "erase", "erase a user and everything of them, for good",
      discussion: "Backups made before still have it, until they are deleted.",
      takes: [Self.user, Confirmation.yes] + access.parameters
    ) { call, output in
      let user = call[Self.user].id
      let profile = try await access.ask(ProfileOf(user: user), call, output)
      let items = profile.counts.reduce(0) { $0 + $1.count }
      try Confirmation(call, output.terminal).require("erase \(user) with \(items) saved things, for good")
      let erased = try await access.ask(EraseUser(user: user), call, output)
      try output.write(Report(item: [(Report.Column("rows"), .number(erased.rows))]))
      return .done
    }
  }

  // MARK: Feeds

  var feed: Command {
    Command("feed", "look after calendar feeds", subcommands: [rotateFeed])
  }

  private var rotateFeed: Command {
    let file = Parameter<String?>.optionalOption(
      "to", "a new file, for its owner alone, that gets the new secret", completion: .files)
    return Command(
      "rotate", "make the address of a user's feed void",
      discussion: """
        The new secret is never shown. Without --to it is dropped, and the user's app asks for another when it needs one.
        """,
      takes: [Self.user, file, Confirmation.yes] + access.parameters
    ) { call, output in
      let user = call[Self.user].id
      try Confirmation(call, output.terminal).require("make the feed address of \(user) void")
      // The file first: a secret that cannot be kept would be lost, and the old one with it.
      let descriptor = try call[file].map { try Self.newPrivateFile($0) }
      defer { if let descriptor { close(descriptor) } }
      let feed = try await access.ask(RotateFeedKey(user: user), call, output)
      if let descriptor {
        let line = Array((feed.key + "\n").utf8)
        guard write(descriptor, line, line.count) == line.count else {
          throw CommandError(.failed, "the new secret could not be written", try: "odi-bookmarks feed rotate \(user)")
        }
      }
      try output.write(Report(item: [(Report.Column("id"), "\(user)"), (Report.Column("rotated"), .flag(true))]))
      output.note("the old address is void")
      return .done
    }
  }

  private static func newPrivateFile(_ path: String) throws(CommandError) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandError(.failed, "cannot make \(path)", why: String(cString: strerror(errno)))
    }
    return descriptor
  }
}

nonisolated extension WallTime {
  /// As people and programs read it.
  var shown: String { Timestamp(self).description }
}
