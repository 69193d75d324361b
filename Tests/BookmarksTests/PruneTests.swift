import Bookmarks
import Clocks
import Contracts
import RPC
import Testing

@Suite("Pruning", .timeLimit(.minutes(5)))
@MainActor
struct PruneTests {
  private func prune(_ rig: Rig, isDryRun: Bool = false) async throws -> Int {
    let before = rig.time.wall.after(.days(-90))
    return try await rig.client.call(PruneUsers(notSeenSince: before, isDryRun: isDryRun)).users
  }

  @Test("takes whoever has nothing at all, and nobody who has anything", arguments: StoreKind.allCases)
  func something(kind: StoreKind) async throws {
    let rig = try await Rig(kind)
    func open(_ keep: (UserID) async throws -> Void) async throws -> UserID {
      let user = try await rig.open()
      try await keep(user)
      return user
    }
    let kept = [
      try await open { user in _ = try await rig.save("film_1", user) },
      try await open { user in
        let plan = SavePlan(user: user, content: try PlanContent.evening("Friday"))
        _ = try await rig.client.call(plan, CallOptions(key: rig.newKey()))
      },
      try await open { user in
        _ = try await rig.client.call(ChangeSettings(user: user, settings: UserSettings(keepsHistory: false)))
      },
      try await open { user in _ = try await rig.client.call(RotateFeedKey(user: user)) },
    ]
    let gone = [
      try await open { _ in },
      try await open { user in
        _ = try await rig.save("film_1", user)
        _ = try await rig.remove("film_1", user)
      },
      // Chosen, and taken back.
      try await open { user in
        for theme in ["dark", nil] {
          _ = try await rig.client.call(ChangeSettings(user: user, settings: UserSettings(theme: theme)))
        }
      },
    ]
    try await rig.presence.flush()
    rig.time.advance(by: .days(100))
    #expect(try await prune(rig, isDryRun: true) == gone.count)
    #expect(try await prune(rig) == gone.count)
    for user in kept { #expect(try await rig.client.call(ProfileOf(user: user)).id == user) }
    for user in gone { #expect(await code { try await rig.client.call(ProfileOf(user: user)) } == .unauthenticated) }
    await rig.close()
  }

  @Test("whoever was here is seen, however many were here before them that day")
  func presence() async throws {
    let memory = MemoryBookmarks()
    let rig = Rig(OpenStore(memory))
    let late = try await rig.open()
    rig.time.advance(by: .days(100))
    for number in 0..<20_000 {
      rig.presence.saw(try #require(UserID("u_\(number)")))
      if number % 5_000 == 4_999 { try await rig.presence.flush() }
    }
    _ = try await rig.client.call(ProfileOf(user: late))
    #expect(try await prune(rig) == 0)
    #expect(try await rig.client.call(ProfileOf(user: late)).id == late)
  }
}
