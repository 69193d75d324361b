import Clocks
import Contracts
import EventLoops
import Foundation
import RPC
import RPCTransport
import ServiceKit
import ServiceTestKit
import TestKit
import Testing
import Timetable

@Suite("Death at the door", .timeLimit(.minutes(30)))
@MainActor
struct DoorKillTests {
  /// How often the service is killed: a long run sets `ODI_KILLS=300`.
  static let kills = ProcessInfo.processInfo.environment["ODI_KILLS"].flatMap(Int.init) ?? 20
  private static let doors = 8
  private static let festival = FestivalID("mine")!

  private typealias Service = ServiceProcess<TimetableAPI>

  /// A ticket that a door shows, with the key under which it sends it again.
  private struct Showing {
    var code: String
    var key: IdempotencyKey
  }

  /// What the doors have heard, all of them together.
  @MainActor
  private final class Doors {
    var tokens: [String] = []
    /// What a door has sent and heard nothing of.
    var pending: [Showing?] = []
    var turns = 0
    /// By ticket: the showings that let somebody in, and when that was said to be.
    var admitted: [String: Set<IdempotencyKey>] = [:]
    var times: [String: WallTime] = [:]
    var acknowledged = 0
    var inFlight = 0
    /// At so many acknowledgements the service is killed.
    var goal = 0
    var inFlightAtKill = 0
    /// What was promised and not kept.
    var broken: [String] = []
    private var random = SeededRandom(seed: 7)

    /// Each ticket is shown twice, most often at two doors at once.
    func next() -> Showing {
      defer { turns += 1 }
      return Showing(code: "T-\(turns / 2)", key: .random(using: &random))
    }

    func hear(_ receipt: CheckInReceipt, of showing: Showing, at door: Int) {
      if receipt.isFirst { admitted[showing.code, default: []].insert(showing.key) }
      let time = times[showing.code] ?? receipt.checkedInAt
      if receipt.checkedInAt != time { broken.append("\(showing.code) was let in at two times") }
      times[showing.code] = time
      pending[door] = nil
    }
  }

  @Test("whoever was let in stays let in, and nobody is twice, however often the service is killed")
  func kill() async throws {
    let doors = Doors()
    try await kill(Self.kills, doors)
    #expect(doors.broken.isEmpty)
  }

  @Test("control: where what was acknowledged is lost with the service, that is noticed")
  func control() async throws {
    let doors = Doors()
    try await kill(2, doors, forgets: true)
    let lost = doors.broken.count { $0.hasSuffix("is not let in any more") }
    #expect(lost >= 10, "at least so many had been let in before the first kill")
    print("control: \(doors.broken.count) broken promises, \(lost) of them lost")
  }

  /// - Parameter forgets: after the first kill everything is as it was before that life of the service, as if it had
  ///   answered before it wrote.
  private func kill(_ kills: Int, _ doors: Doors, forgets: Bool = false) async throws {
    let folder = try TemporaryFolder()
    try await prepare(folder, doors, kills)
    let before = try Self.databases(folder)
    var random = SeededRandom(seed: 5)
    var (inFlight, replays): ([Int], Int) = ([], 0)
    for cycle in 0...kills {
      let service = try Service("odi-timetable", in: folder)
      try await service.started()
      let told = doors.times
      // What no door was told about is shown again under its key; what was told holds.
      for door in 0..<Self.doors {
        guard let showing = doors.pending[door] else { continue }
        let receipt = try await Self.show(showing, doors.tokens[door], service.client)
        if receipt.isReplay { replays += 1 }
        doors.hear(receipt, of: showing, at: door)
      }
      for (code, time) in told {
        let request = CheckInTicket(festival: Self.festival, code: code, staff: doors.tokens[0])
        let later = try await service.client.call(request)
        if later.isFirst || later.checkedInAt != time { doors.broken.append("\(code) is not let in any more") }
      }
      guard cycle < kills else {
        await service.kill()
        break
      }
      inFlight.append(await show(doors, service, until: Int.random(in: 10...60, using: &random)))
      if forgets, cycle == 0 { try Self.restore(before, to: folder) }
    }
    let twice = doors.times.keys.filter { doors.admitted[$0]?.count != 1 }
    doors.broken += twice.sorted().map { "\($0) lets in \(doors.admitted[$0]?.count ?? 0) times" }
    #expect(inFlight.allSatisfy { $0 >= 1 } && doors.acknowledged > kills * 8)
    print(
      "killed \(kills) times, \(doors.times.count) tickets let in, \(inFlight.min() ?? 0) to"
        + " \(inFlight.max() ?? 0) in flight at each kill, \(replays) of them had been stored")
  }

  /// A festival with tickets, and a token for each door.
  private func prepare(_ folder: TemporaryFolder, _ doors: Doors, _ kills: Int) async throws {
    try await ServiceRig.run(TimetableService.program, folder: folder) { rig in
      let words = ["--name", "Mine", "--zone", "Asia/Seoul", "--starts", "2026-12-04"]
      #expect(await rig.command(["festival", "create", "mine"] + words).code == .done)
      let codes = (0..<kills * 64).map { "T-\($0)\n" }.joined()
      let file = try folder.write("code\n" + codes, to: "tickets.csv")
      #expect(await rig.command("ticket", "import", "mine", file).code == .done)
      for door in 0..<Self.doors {
        let told = await rig.command("staff", "add", "mine", "door-\(door)").output
        doors.tokens.append(told.trimmingCharacters(in: .whitespacesAndNewlines))
        doors.pending.append(nil)
      }
    }
  }

  /// The database's files, by name.
  private static func databases(_ folder: TemporaryFolder) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasPrefix("timetable.sqlite") {
      files[name] = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
    }
    return files
  }

  private static func restore(_ files: [String: Data], to folder: TemporaryFolder) throws {
    for name in try databases(folder).keys {
      try FileManager.default.removeItem(atPath: folder.path + "/" + name)
    }
    for (name, bytes) in files { try bytes.write(to: URL(fileURLWithPath: folder.path + "/" + name)) }
  }

  private static func show(
    _ showing: Showing, _ token: String, _ client: ServiceClient<TimetableAPI>
  ) async throws -> CheckInReceipt {
    let request = CheckInTicket(festival: festival, code: showing.code, staff: token)
    return try await client.call(request, CallOptions(key: showing.key, mayRetry: false))
  }

  /// Lets all doors show tickets, and kills the service at the n-th answer; returns how many had been sent and not
  /// answered then.
  private func show(_ doors: Doors, _ service: Service, until count: Int) async -> Int {
    doors.goal = doors.acknowledged + count
    doors.inFlightAtKill = 0
    let all = (0..<Self.doors).map { door in Task { await show(doors, door, service) } }
    for door in all { await door.value }
    await service.kill()
    return doors.inFlightAtKill
  }

  private func show(_ doors: Doors, _ door: Int, _ service: Service) async {
    while service.process.exit == nil {
      let showing = doors.next()
      doors.pending[door] = showing
      doors.inFlight += 1
      defer { doors.inFlight -= 1 }
      do {
        doors.hear(try await Self.show(showing, doors.tokens[door], service.client), of: showing, at: door)
      } catch {
        return
      }
      doors.acknowledged += 1
      guard doors.acknowledged == doors.goal else { continue }
      // This one is answered; the others' requests left in earlier turns of the loop.
      doors.inFlightAtKill = doors.inFlight - 1
      service.process.send(.kill)
    }
  }
}
