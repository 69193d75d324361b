import Bookmarks
import Clocks
import Contracts
import EventLoops
import Foundation
import RPC
import RPCTransport
import ServiceTestKit
import TestKit
import Testing

@Suite("Death under load", .timeLimit(.minutes(30)))
@MainActor
struct KillTests {
  /// How often the service is killed: a long run sets `ODI_KILLS=300`.
  static let kills = ProcessInfo.processInfo.environment["ODI_KILLS"].flatMap(Int.init) ?? 20
  private static let clients = 8

  private typealias Service = ServiceProcess<BookmarksAPI>

  /// What all clients of one life of the service have in common.
  @MainActor
  private final class Load {
    var histories: [WriteHistory]
    var acknowledged = 0
    var inFlight = 0
    /// At so many acknowledgements the service is killed.
    var goal = 0
    var inFlightAtKill = 0
    init(_ histories: [WriteHistory]) { self.histories = histories }
  }

  @Test("nothing acknowledged is lost and nothing is done twice, however often the service is killed")
  func kill() async throws {
    let folder = try TemporaryFolder()
    let load = Load((0..<Self.clients).map { WriteHistory(client: $0 + 1, seed: 1) })
    var random = SeededRandom(seed: 5)
    var (inFlight, found, replays, starts): ([Int], Int, Int, [Duration]) = ([], 0, 0, [])
    for cycle in 0...Self.kills {
      let start = EventLoop.time.now
      let service = try Service("odi-bookmarks", in: folder)
      try await service.started()
      starts.append(EventLoop.time.now - start)
      for client in 0..<Self.clients {
        var history = load.histories[client]
        let outcome = try await settle(&history, service)
        load.histories[client] = history
        if outcome == .whole(withPending: true) { found += 1 }
        if outcome != nil { replays += 1 }
      }
      guard cycle < Self.kills else {
        await service.kill()
        break
      }
      inFlight.append(await write(load, service, until: Int.random(in: 20...120, using: &random)))
    }
    starts.sort()
    print(
      "killed \(Self.kills) times, \(load.acknowledged) changes acknowledged, \(inFlight.min() ?? 0) to"
        + " \(inFlight.max() ?? 0) in flight at each kill; of \(replays) unacknowledged ones \(found) had been stored;"
        + " ready again after \(starts[starts.count / 2]), at most \(starts.last!)")
    #expect(inFlight.allSatisfy { $0 >= 1 })
    #expect(load.acknowledged > Self.kills * 15)
  }

  /// Compares a client's history with what is there, then sends what it never heard of again, with the same key.
  private func settle(_ history: inout WriteHistory, _ service: Service) async throws -> WriteHistory.Verdict? {
    guard let user = history.user else {
      history.user = try await service.client.call(OpenUser(), CallOptions(key: history.key)).id
      return nil
    }
    let verdict = try await judge(history, user, service)
    guard case .whole(let withPending) = verdict else {
      Issue.record("\(user): \(verdict)")
      return verdict
    }
    guard let pending = history.pending else { return nil }
    let receipt = try await Self.send(pending, user, history.key, service.client)
    #expect(receipt.isReplay == withPending, "done once, and only once")
    history.acknowledge()
    #expect(try await judge(history, user, service) == .whole(withPending: false))
    return verdict
  }

  private func judge(
    _ history: WriteHistory, _ user: UserID, _ service: Service
  ) async throws -> WriteHistory.Verdict {
    var (items, after): ([SavedItem], String?) = ([], nil)
    var revision: Int64 = 0
    repeat {
      let page = try await service.client.call(ListItems(user: user, after: after, limit: 500))
      items += page.items
      (after, revision) = (page.next, page.revision)
    } while after != nil
    return history.judge(revision: revision, items: items)
  }

  private static func send(
    _ change: WriteHistory.Change, _ user: UserID, _ key: IdempotencyKey, _ client: ServiceClient<BookmarksAPI>
  ) async throws -> ItemReceipt {
    let options = CallOptions(key: key, mayRetry: false)
    switch change {
    case .save(let id, let note):
      return try await client.call(SaveItem(user: user, kind: .film, id: id, note: note), options)
    case .remove(let id): return try await client.call(RemoveItem(user: user, kind: .film, id: id), options)
    }
  }

  /// Lets all clients write, and kills the service at the n-th acknowledgement; returns how many writes had been sent
  /// and not answered then.
  private func write(_ load: Load, _ service: Service, until count: Int) async -> Int {
    load.goal = load.acknowledged + count
    load.inFlightAtKill = 0
    let clients = (0..<Self.clients).map { client in Task { await write(load, client, service) } }
    for client in clients { await client.value }
    await service.kill()
    return load.inFlightAtKill
  }

  private func write(_ load: Load, _ client: Int, _ service: Service) async {
    while let user = load.histories[client].user, service.process.exit == nil {
      let change = load.histories[client].next()
      let key = load.histories[client].key
      load.inFlight += 1
      defer { load.inFlight -= 1 }
      do {
        _ = try await Self.send(change, user, key, service.client)
      } catch {
        return
      }
      load.histories[client].acknowledge()
      load.acknowledged += 1
      guard load.acknowledged == load.goal else { continue }
      // This one is answered; the others' requests left in earlier turns of the loop.
      load.inFlightAtKill = load.inFlight - 1
      service.process.send(.kill)
    }
  }
}
