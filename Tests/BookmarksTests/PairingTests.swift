import Bookmarks
import Clocks
import Contracts
import RPC
import TestKit
import Testing

@Suite("Pairing")
@MainActor
struct PairingTests {
  private let user = UserID("u_1")!
  private let now = Instant(nanoseconds: 1_000_000_000)
  private let phone = PairingDesk.Taker(asking: UserID("u_2")!, origin: "192.0.2.1")

  private func error(_ body: () throws(BookmarkError) -> Void) -> BookmarkError? {
    do throws(BookmarkError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test("a code has eight characters, none of which looks like another, and is read however it is typed")
  func form() throws {
    var random = SeededRandom(seed: 1)
    for _ in 0..<200 {
      var desk = PairingDesk()
      let code = try desk.begin(user, now: now, random: &random)
      #expect(code.utf8.count == 8 && !code.contains { "01258BILOSZ".contains($0) }, "\(code)")
      let typed = " \(code.prefix(4).lowercased())-\(code.suffix(4)) "
      #expect(try desk.redeem(typed, by: phone, now: now).user == user)
    }
  }

  @Test("a code holds for five minutes, for one taker, and until there is a newer one")
  func life() throws {
    var random = SeededRandom(seed: 2)
    var desk = PairingDesk()
    let old = try desk.begin(user, now: now, random: &random)
    let new = try desk.begin(user, now: now, random: &random)
    #expect(error { () throws(BookmarkError) in _ = try desk.redeem(old, by: phone, now: now) } == .noSuchCode)
    let late = now + .seconds(300)
    #expect(error { () throws(BookmarkError) in _ = try desk.redeem(new, by: phone, now: late) } == .noSuchCode)
    let inTime = now + .seconds(299)
    #expect(try !desk.redeem(new, by: phone, now: inTime).isAgain)
    #expect(try desk.redeem(new, by: phone, now: inTime).isAgain, "an answer can be lost")
    let other = PairingDesk.Taker(asking: UserID("u_3")!, origin: "192.0.2.3")
    #expect(error { () throws(BookmarkError) in _ = try desk.redeem(new, by: other, now: inTime) } == .noSuchCode)
    // Devices without a session behind one address are not told apart.
    let code = try desk.begin(user, now: now, random: &random)
    let stranger = PairingDesk.Taker(asking: nil, origin: "192.0.2.4")
    #expect(try desk.redeem(code, by: stranger, now: inTime).user == user)
    #expect(error { () throws(BookmarkError) in _ = try desk.redeem(code, by: stranger, now: inTime) } == .noSuchCode)
  }

  @Test("after five wrong tries at a code it holds no more, wherever they came from")
  func triesPerCode() throws {
    var random = SeededRandom(seed: 3)
    var desk = PairingDesk()
    let code = try desk.begin(user, now: now, random: &random)
    let other = try desk.begin(UserID("u_9")!, now: now, random: &random)
    for number in 0..<5 {
      let taker = PairingDesk.Taker(asking: nil, origin: "192.0.2.\(number)")
      let guess = code.prefix(3) + "XXXXX"
      #expect(
        error { () throws(BookmarkError) in _ = try desk.redeem(String(guess), by: taker, now: now) } == .noSuchCode)
    }
    #expect(error { () throws(BookmarkError) in _ = try desk.redeem(code, by: phone, now: now) } == .noSuchCode)
    #expect(try desk.redeem(other, by: phone, now: now).user == UserID("u_9")!, "other codes are as good as before")
  }

  @Test("from one place five wrong tries are taken in five minutes, whatever they were meant for")
  func triesPerOrigin() throws {
    var random = SeededRandom(seed: 4)
    var desk = PairingDesk()
    let code = try desk.begin(user, now: now, random: &random)
    for guess in ["AAAAAAAA", "CCCCCCCC", "", "DDDDDDDDDDDD", "EEEEEEEE"] {
      #expect(error { () throws(BookmarkError) in _ = try desk.redeem(guess, by: phone, now: now) } == .noSuchCode)
    }
    #expect(
      error { () throws(BookmarkError) in _ = try desk.redeem(code, by: phone, now: now + .seconds(60)) }
        == .tooManyTries(limit: 5, wait: .seconds(240)))
    let elsewhere = PairingDesk.Taker(asking: nil, origin: "198.51.100.1")
    #expect(try desk.redeem(code, by: elsewhere, now: now + .seconds(61)).user == user)
    let fresh = try desk.begin(user, now: now + .seconds(290), random: &random)
    #expect(try desk.redeem(fresh, by: phone, now: now + .seconds(300)).user == user)
  }

  @Test("codes have a bound, and those that are over make room")
  func bound() throws {
    var random = SeededRandom(seed: 5)
    var limits = PairingDesk.Limits()
    limits.codes = 3
    var desk = PairingDesk(limits: limits)
    for number in 0..<3 { _ = try desk.begin(UserID("u_\(number)")!, now: now, random: &random) }
    #expect(
      error { () throws(BookmarkError) in _ = try desk.begin(UserID("u_9")!, now: now, random: &random) }
        == .tooManyCodes)
    let later = now + .seconds(301)
    _ = try desk.begin(UserID("u_9")!, now: later, random: &random)
    #expect(desk.count(at: later) == 1)
  }

  @Test("the asking device becomes the other's user and brings what it had", arguments: StoreKind.allCases)
  func merging(kind: StoreKind) async throws {
    let rig = try await Rig(kind)
    let (home, phone) = (try await rig.open(), try await rig.open())
    _ = try await rig.save("both", home, note: "mine")
    _ = try await rig.save("gone", home)
    _ = try await rig.remove("gone", home)
    rig.time.advance(by: .seconds(1))
    _ = try await rig.save("both", phone, note: "theirs")
    _ = try await rig.save("gone", phone, note: "n")
    _ = try await rig.save("new", phone)
    _ = try await rig.client.call(
      RecordViews(user: phone, views: [View(kind: .film, id: "seen")]), CallOptions(key: .number(5)))
    let pairing = try await rig.client.call(BeginPairing(user: home))
    #expect(pairing.expiresAt == rig.time.wall.after(.seconds(300)))
    let request = FinishPairing(code: pairing.code, asking: phone, origin: "192.0.2.1")
    let profile = try await rig.client.call(request)
    #expect(profile.id == home && profile.counts == [ItemCount(kind: .film, count: 3)])
    let items = try await rig.client.call(ListItems(user: home, limit: 10)).items
    #expect(
      Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0.note) }) == ["both": "mine", "gone": "n", "new": nil])
    #expect(try await rig.client.call(ListViews(user: home, limit: 10)).map(\.id) == ["seen"])
    #expect(await code { try await rig.client.call(ProfileOf(user: phone)) } == .unauthenticated)
    #expect(try await rig.client.call(request) == profile, "the answer was lost, and it is asked again")
    await rig.close()
  }

  @Test("what does not fit together stays apart, and the code can be used again")
  func tooMuch() async throws {
    var limits = BookmarkLimits()
    limits.items = 3
    let rig = try await Rig(limits: limits)
    let (home, phone) = (try await rig.open(), try await rig.open())
    for id in ["a", "b"] { _ = try await rig.save(id, home) }
    for id in ["c", "d"] { _ = try await rig.save(id, phone) }
    let pairing = try await rig.client.call(BeginPairing(user: home))
    let request = FinishPairing(code: pairing.code, asking: phone, origin: "192.0.2.1")
    #expect(await code { try await rig.client.call(request) } == .resourceExhausted)
    #expect(try await rig.saved(home).count == 2)
    #expect(try await rig.saved(phone).count == 2)
    _ = try await rig.remove("c", phone)
    #expect(try await rig.client.call(request).id == home)
    #expect(try await rig.saved(home).count == 3)
    await rig.close()
  }

  @Test("a device that was nobody yet takes nothing along; one's own code changes nothing")
  func plain() async throws {
    let rig = try await Rig()
    let home = try await rig.open()
    _ = try await rig.save("a", home)
    let code = try await rig.client.call(BeginPairing(user: home)).code
    #expect(try await rig.client.call(FinishPairing(code: code, origin: "192.0.2.1")).id == home)
    let own = try await rig.client.call(BeginPairing(user: home)).code
    #expect(try await rig.client.call(FinishPairing(code: own, asking: home, origin: "192.0.2.1")).id == home)
    #expect(try await rig.saved(home) == ["a"])
    await rig.close()
  }
}
