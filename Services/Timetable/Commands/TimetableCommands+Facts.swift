import Contracts
import Festivals
import RPC
import ServiceKit

/// What hardly any schedule says: `festival edit`, `sponsor add|rm`, `room set`. Imports leave it as it is where their file
/// says nothing of it.
extension TimetableCommands {
  var edit: Command {
    let id = festivalID
    let at = Parameter<Coordinate?>.optionalOption(
      "at", "where it is: LAT,LON; maps lead there, and it is found nearby")
    let texts: [(Parameter<String?>, WritableKeyPath<ChangeFestival, String?>)] = [
      (.optionalOption("name", "what it is called"), \.name),
      (.optionalOption("subtitle", "a second line under its name"), \.subtitle),
      (.optionalOption("summary", "what it is, in a few sentences"), \.summary),
      (.optionalOption("venue", "the house it takes place in"), \.venue),
      (.optionalOption("city", "the city"), \.city),
      (.optionalOption("address", "as letters have it"), \.address),
      (.optionalOption("website", "https://…"), \.website),
    ]
    return Command(
      "edit", "change what no schedule says: where it is, what it is called",
      discussion: "An empty text takes away: --subtitle ''. A file that says otherwise counts at the next import.",
      examples: [.init("odi-timetable festival edit mine --venue Lantern --at 37.5704,126.9921", "")],
      takes: [id, at] + texts.map(\.0) + service.parameters
    ) { call, output in
      var change = ChangeFestival(festival: call[id], editor: editor(output))
      change.position = call[at]
      for (parameter, path) in texts { change[keyPath: path] = call[parameter] }
      guard change != ChangeFestival(festival: call[id], editor: editor(output)) else {
        throw CommandError(.usage, "say what to change: --venue, --city, --at …")
      }
      return try await apply(change, call, output)
    }
  }

  var sponsor: Command {
    let (id, name) = (festivalID, Parameter<String>.argument("NAME", "the sponsor's name"))
    let url = Parameter<String?>.optionalOption("url", "where its name leads: https://…")
    let logo = Parameter<String?>.optionalOption("logo", "a picture's address: https://…")
    let tier = Parameter<String?>.optionalOption("tier", "tier-1, or any word: those of one word stand together")
    return Command(
      "sponsor", "who pays for a festival",
      subcommands: [
        Command(
          "add", "add a sponsor, or change the one of that name",
          takes: [id, name, url, logo, tier] + service.parameters
        ) { call, output in
          var change = ChangeFestival(festival: call[id], editor: editor(output))
          change.sponsor = FestivalSponsor(name: call[name], url: call[url], logo: call[logo], tier: call[tier])
          return try await apply(change, call, output)
        },
        Command("rm", "take a sponsor out", takes: [id, name] + service.parameters) { call, output in
          var change = ChangeFestival(festival: call[id], editor: editor(output))
          change.removedSponsor = call[name]
          return try await apply(change, call, output)
        },
      ])
  }

  var room: Command {
    let (id, room) = (festivalID, Parameter<String>.argument("ROOM", "its id or its name"))
    let name = Parameter<String?>.optionalOption("name", "what it is called")
    let floor = Parameter<String?>.optionalOption("floor", "as signs say it: 2F; '' takes it away")
    let capacity = Parameter<Int?>.optionalOption("capacity", "how many it holds")
    return Command(
      "room", "the rooms of a festival",
      subcommands: [
        Command(
          "set", "say on which floor a room is, how many it holds, what it is called",
          takes: [id, room, name, floor, capacity] + service.parameters
        ) { call, output in
          var change = ChangeFestival(festival: call[id], editor: editor(output))
          change.room = try self.room(call[room], of: try await festival(call[id], call, output))
          (change.roomName, change.floor, change.capacity) = (call[name], call[floor], call[capacity])
          return try await apply(change, call, output)
        }
      ])
  }

  private func apply(_ change: ChangeFestival, _ call: Invocation, _ output: Output) async throws -> ExitCode {
    let festival = try await service.ask(change, call, output, timeout: Self.patience)
    try output.write(
      Report(item: [
        (Report.Column("id"), "\(festival.id.text)"), (Report.Column("name"), "\(festival.name)"),
        (Report.Column("venue"), .text(festival.venue)), (Report.Column("city"), .text(festival.city)),
        (Report.Column("address"), .text(festival.address)), (Report.Column("website"), .text(festival.website)),
        (Report.Column("position"), .text(festival.position.map { "\($0.latitude),\($0.longitude)" })),
        (Report.Column("sponsors"), cell(festival.sponsors.map(\.name))),
        (
          Report.Column("rooms"),
          cell(festival.rooms.map { "\($0.id): \($0.name)" + ($0.floor.map { " (\($0))" } ?? "") })
        ),
      ]))
    return .done
  }
}
