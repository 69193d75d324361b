import Bookmarks
import Clocks
import Contracts
import JSON
import RPC
import TestKit
import Testing

@Suite("Bookmarks service")
@MainActor
struct BookmarksHandlersTests {
  @Test("what was saved is listed newest first, and what was removed is not", arguments: StoreKind.allCases)
  func saving(kind: StoreKind) async throws {
    let rig = try await Rig(kind)
    let user = try await rig.open()
    for id in ["film_1", "film_2", "film_3"] {
      let receipt = try await rig.save(id, user)
      #expect(receipt.didChange && receipt.item?.id == id)
      rig.time.advance(by: .milliseconds(5))
    }
    #expect(try await rig.saved(user) == ["film_3", "film_2", "film_1"])
    let removed = try await rig.remove("film_2", user)
    #expect(removed == ItemReceipt(revision: 4, didChange: true, isReplay: false))
    #expect(try await rig.saved(user) == ["film_3", "film_1"])
    let again = try await rig.remove("film_2", user)
    #expect(again == ItemReceipt(revision: 4, didChange: false, isReplay: false))
    let profile = try await rig.client.call(ProfileOf(user: user))
    #expect(profile.counts == [ItemCount(kind: .film, count: 2)] && profile.revision == 4)
    #expect(try await rig.client.call(ProfileOf(user: user, withCounts: false)).counts.isEmpty)
    await rig.close()
  }

  @Test("saving again keeps the note, an empty note takes it away, and what changes nothing has no new revision")
  func notes() async throws {
    let rig = try await Rig()
    let user = try await rig.open()
    _ = try await rig.save("film_1", user, note: "w/ Mina")
    let same = try await rig.save("film_1", user)
    #expect(same.item?.note == "w/ Mina" && same.revision == 1 && !same.didChange)
    rig.time.advance(by: .seconds(60))
    let edited = try await rig.save("film_1", user, note: "w/ Jun")
    #expect(edited.item?.note == "w/ Jun" && edited.revision == 2 && !edited.didChange)
    #expect(edited.item?.savedAt == .start)
    // Taken out by mistake: the same row comes back, with what was written on it.
    _ = try await rig.remove("film_1", user)
    let revived = try await rig.save("film_1", user)
    #expect(revived.item?.note == "w/ Jun" && revived.revision == 4 && revived.didChange)
    #expect(revived.item?.savedAt == rig.time.wall)
    #expect(try await rig.save("film_1", user, note: "").item?.note == nil)
    await rig.close()
  }

  @Test("changes tell of each item its last state, in order, page by page")
  func changes() async throws {
    let rig = try await Rig()
    let user = try await rig.open()
    for id in ["a", "b", "c", "d"] { _ = try await rig.save(id, user) }
    _ = try await rig.remove("b", user)
    _ = try await rig.save("a", user, note: "x")
    let all = try await rig.client.call(ItemChanges(user: user, since: 0, limit: 10))
    #expect(all.changes.map(\.id) == ["c", "d", "b", "a"] && all.changes.map(\.revision) == [3, 4, 5, 6])
    #expect(all.changes.map(\.isRemoved) == [false, false, true, false] && all.changes[2].item == nil)
    #expect(all.revision == 6 && !all.hasMore && !all.isReset)
    let since = try await rig.client.call(ItemChanges(user: user, since: 4, limit: 10))
    #expect(since.changes.map(\.id) == ["b", "a"])
    let first = try await rig.client.call(ItemChanges(user: user, since: 3, limit: 2))
    #expect(first.hasMore && first.revision == 5)
    #expect(try await rig.client.call(ItemChanges(user: user, since: 5, limit: 2)).changes.map(\.id) == ["a"])
    // From another life of the database: it never had so many.
    #expect(try await rig.client.call(ItemChanges(user: user, since: 99, limit: 10)).isReset)
    await rig.close()
  }

  @Test("tombstones last thirty days; who was away longer is told to begin anew, once")
  func tombstones() async throws {
    let rig = try await Rig()
    let user = try await rig.open()
    for id in ["a", "b", "c", "d"] { _ = try await rig.save(id, user) }
    _ = try await rig.remove("b", user)
    rig.time.advance(by: .days(29))
    try await rig.housekeeping.purge()
    let within = try await rig.client.call(ItemChanges(user: user, since: 4, limit: 10))
    #expect(within.changes.map(\.id) == ["b"] && !within.isReset)
    rig.time.advance(by: .days(2))
    try await rig.housekeeping.purge()
    let reset = try await rig.client.call(ItemChanges(user: user, since: 4, limit: 2))
    #expect(reset.isReset && reset.hasMore && reset.changes.map(\.id) == ["a", "c"])
    let rest = try await rig.client.call(ItemChanges(user: user, since: reset.revision, limit: 2))
    #expect(!rest.isReset && !rest.hasMore && rest.changes.map(\.id) == ["d"] && rest.revision == 5)
    #expect(try await !rig.client.call(ItemChanges(user: user, since: 5, limit: 2)).isReset)
    // The same row can be had again.
    #expect(try await rig.save("b", user).revision == 6)
    await rig.close()
  }

  @Test("the same key and body are answered as before, another body is refused, and keys are each user's own")
  func keys() async throws {
    let rig = try await Rig()
    let (user, other) = (try await rig.open(), try await rig.open())
    let options = CallOptions(key: .number(1))
    let request = SaveItem(user: user, kind: .film, id: "film_1", note: "a")
    let first = try await rig.client.call(request, options)
    _ = try await rig.remove("film_1", user)
    let again = try await rig.client.call(request, options)
    var expected = first
    expected.isReplay = true
    #expect(again == expected)
    #expect(try await rig.saved(user).isEmpty, "a replay changes nothing")
    var different = request
    different.note = "b"
    #expect(await code { try await rig.client.call(different, options) } == .alreadyExists)
    let removal = RemoveItem(user: user, kind: .film, id: "film_1")
    #expect(await code { try await rig.client.call(removal, options) } == .alreadyExists)
    let theirs = SaveItem(user: other, kind: .film, id: "film_1", note: "b")
    #expect(try await rig.client.call(theirs, options).isReplay == false)
    rig.time.advance(by: .days(8))
    try await rig.housekeeping.purge()
    #expect(try await rig.client.call(different, options).isReplay == false, "keys are kept for a week")
    await rig.close()
  }

  @Test("what is another thing by now is saved as that, with its note, and taken out as that if it is not there itself")
  func insteadOf() async throws {
    let rig = try await Rig()
    let user = try await rig.open()
    func saved() async throws -> [String] {
      try await rig.client.call(ListItems(user: user, limit: 10)).items.map { "\($0.id) \($0.note ?? "-")" }.sorted()
    }
    _ = try await rig.save("old", user, kind: .cinema, note: "row 5")
    let request = SaveItem(user: user, kind: .cinema, id: "new", insteadOf: "old")
    let first = try await rig.client.call(request, CallOptions(key: .number(1)))
    #expect(first.didChange && first.item?.note == "row 5" && first.revision == 3)
    #expect(try await saved() == ["new row 5"])
    // The same was asked for, whatever it is taken for by now.
    let asked = SaveItem(user: user, kind: .cinema, id: "old")
    let again = try await rig.client.call(asked, CallOptions(key: .number(1)))
    #expect(again.isReplay && again.item == first.item)
    // A note of its own stays.
    _ = try await rig.save("old", user, kind: .cinema, note: "row 9")
    #expect(try await rig.client.call(request).item?.note == "row 5")
    #expect(try await saved() == ["new row 5"])

    _ = try await rig.save("old", user, kind: .cinema)
    let removal = RemoveItem(user: user, kind: .cinema, id: "old", otherwise: "new")
    let removed = try await rig.client.call(removal, CallOptions(key: .number(2)))
    #expect(removed.didChange)
    #expect(try await saved() == ["new row 5"])
    #expect(try await rig.client.call(removal, CallOptions(key: .number(2))).isReplay)
    #expect(try await saved() == ["new row 5"])
    #expect(try await rig.client.call(removal).didChange)
    #expect(try await saved().isEmpty)
    await rig.close()
  }

  @Test("opening with the same key gives the same user, for ten minutes")
  func openingAgain() async throws {
    let rig = try await Rig()
    let first = try await rig.client.call(OpenUser(locale: "ko"), CallOptions(key: .number(1)))
    #expect(try await rig.client.call(OpenUser(locale: "ko"), CallOptions(key: .number(1))) == first)
    #expect(
      await code { try await rig.client.call(OpenUser(locale: "en"), CallOptions(key: .number(1))) } == .alreadyExists)
    rig.time.advance(by: .seconds(601))
    let later = try await rig.client.call(OpenUser(locale: "ko"), CallOptions(key: .number(1)))
    #expect(later.id != first.id)
    #expect(await code { try await rig.client.call(OpenUser()) } == .invalidArgument)
    await rig.close()
  }

  @Test("nobody sees, changes or hears anything of anybody else: 10,000 random pairs")
  func isolation() async throws {
    let rig = try await Rig()
    var random = SeededRandom(seed: 7)
    var users: [UserID] = []
    var expected: [UserID: Set<String>] = [:]
    for _ in 0..<200 {
      let user = try await rig.open()
      users.append(user)
      expected[user] = []
    }
    for _ in 0..<10_000 {
      let (one, other) = (users.randomElement(using: &random)!, users.randomElement(using: &random)!)
      let id = "film_\(Int.random(in: 0..<40, using: &random))"
      if Bool.random(using: &random) {
        _ = try await rig.save(id, one)
        expected[one]?.insert(id)
      } else {
        _ = try await rig.remove(id, one)
        expected[one]?.remove(id)
      }
      guard Set(try await rig.saved(other)) == expected[other] else {
        Issue.record("\(other) has what \(one) did")
        break
      }
    }
    // What ends with one of them ends with them alone.
    _ = try await rig.client.call(EraseUser(user: users[0]))
    #expect(await code { try await rig.client.call(ListItems(user: users[0], limit: 1)) } == .unauthenticated)
    for user in users.dropFirst() { #expect(Set(try await rig.saved(user)) == expected[user]) }
    await rig.close()
  }

  @Test("a user who was erased, or never was, is unauthenticated everywhere")
  func nobody() async throws {
    let rig = try await Rig()
    let nobody = UserID("u_nobody")!
    let client = rig.client
    let key = CallOptions(key: .number(1))
    #expect(await code { try await client.call(ProfileOf(user: nobody)) } == .unauthenticated)
    #expect(await code { try await client.call(SaveItem(user: nobody, kind: .film, id: "a"), key) } == .unauthenticated)
    #expect(await code { try await client.call(RemoveItem(user: nobody, kind: .film, id: "a")) } == .unauthenticated)
    #expect(await code { try await client.call(ImportItems(user: nobody, items: []), key) } == .unauthenticated)
    #expect(await code { try await client.call(ListItems(user: nobody, limit: 1)) } == .unauthenticated)
    #expect(await code { try await client.call(ItemChanges(user: nobody, since: 0, limit: 1)) } == .unauthenticated)
    #expect(await code { try await client.call(RecordViews(user: nobody, views: []), key) } == .unauthenticated)
    #expect(await code { try await client.call(ListViews(user: nobody, limit: 1)) } == .unauthenticated)
    #expect(await code { try await client.call(ForgetViews(user: nobody)) } == .unauthenticated)
    #expect(await code { try await client.call(SettingsOf(user: nobody)) } == .unauthenticated)
    #expect(await code { try await client.call(RotateFeedKey(user: nobody)) } == .unauthenticated)
    #expect(await code { try await client.call(BeginPairing(user: nobody)) } == .unauthenticated)
    #expect(await code { try await client.call(RevokeTokens(user: nobody)) } == .unauthenticated)
    #expect(await code { try await client.call(UserOfFeedKey(key: "x")) } == .notFound)
    #expect(try await client.call(EraseUser(user: nobody)).rows == 0)
    await rig.close()
  }

  @Test("a wrong request is refused with a sentence that says what to do")
  func rules() async throws {
    let rig = try await Rig()
    let user = try await rig.open()
    func refusal<Result>(_ body: () async throws -> Result) async -> String {
      do {
        _ = try await body()
        return "was taken"
      } catch {
        let error = error as? RPCError
        return error?.code == .invalidArgument ? error?.message ?? "" : "\(error.debugDescription)"
      }
    }
    let client = rig.client
    #expect(
      await refusal { try await client.call(SaveItem(user: user, kind: .unknown("flim"), id: "a")) }
        == "kind is “flim”; ask for one of film, cinema, station, person, restaurant, festival, session")
    #expect(await refusal { try await client.call(SaveItem(user: user, kind: .film, id: "a b")) }.contains("“a b”"))
    let note = String(repeating: "é", count: 2_001)
    #expect(
      await refusal { try await client.call(SaveItem(user: user, kind: .film, id: "a", note: note)) }
        == "note has 2001 characters; at most 2000 are kept")
    #expect(
      await refusal { try await client.call(ListItems(user: user, limit: 501)) } == "limit is 501; ask for 1...500")
    #expect(await refusal { try await client.call(ListItems(user: user, after: "xx", limit: 1)) }.contains("cursor"))
    #expect(await refusal { try await client.call(ForgetViews(user: user, id: "a")) }.contains("kind"))
    #expect(
      await refusal { try await client.call(ChangeSettings(user: user, settings: UserSettings(theme: "pink"))) }
        == "theme is “pink”; ask for one of light, dark, auto")
    let items = [NewItem(kind: .film, id: "a"), NewItem(kind: .film, id: "")]
    #expect(
      await refusal { try await client.call(ImportItems(user: user, items: items), CallOptions(key: .number(1))) }
        .hasPrefix("items[1].id is"))
    let long = String(repeating: "é", count: 2_000)
    #expect(try await rig.save("a", user, note: long).item?.note == long)
    await rig.close()
  }

  @Test("quotas hold, and what is refused leaves no trace")
  func quotas() async throws {
    var limits = BookmarkLimits()
    limits.items = 3
    let rig = try await Rig(limits: limits)
    let user = try await rig.open()
    let items = ["a", "b", "c", "d"].map { NewItem(kind: .film, id: $0) }
    let options = CallOptions(key: .number(1))
    #expect(
      await code { try await rig.client.call(ImportItems(user: user, items: items), options) } == .resourceExhausted)
    #expect(try await rig.saved(user).isEmpty, "all or none")
    #expect(try await rig.client.call(ItemChanges(user: user, since: 0, limit: 9)).revision == 0)
    // The key of what failed is still good.
    let fewer = ImportItems(user: user, items: Array(items.prefix(3)))
    let answer = try await rig.client.call(fewer, options)
    #expect(answer == ItemsImported(added: 3, unchanged: 0, revision: 3, isReplay: false, addedPlaces: [0, 1, 2]))
    #expect(try await rig.client.call(fewer, options).isReplay)
    // What is made of the same words may be other things by the time the answer is asked for again.
    let (words, others) = (CallOptions(key: .number(2)), [NewItem(kind: .film, id: "b", place: 7)])
    let made = try await rig.client.call(ImportItems(user: user, items: items.suffix(2).dropLast(), asked: [1]), words)
    let remade = try await rig.client.call(ImportItems(user: user, items: others, asked: [1]), words)
    #expect(!made.isReplay && remade.isReplay && remade.addedPlaces == made.addedPlaces)
    #expect(
      await code { try await rig.client.call(ImportItems(user: user, items: others, asked: [2]), words) }
        == .alreadyExists)
    #expect(await code { try await rig.save("d", user) } == .resourceExhausted)
    _ = try await rig.remove("a", user)
    #expect(try await rig.save("d", user).didChange)
    await rig.close()
  }

  @Test("history keeps the last look at each thing, unless its owner does not want one, and can be forgotten")
  func history() async throws {
    let rig = try await Rig()
    let user = try await rig.open()
    func look(_ ids: [String], _ key: Int) async throws -> Int {
      let views = ids.map { View(kind: .film, id: $0) }
      return try await rig.client.call(RecordViews(user: user, views: views), CallOptions(key: .number(key))).kept
    }
    #expect(try await look(["a", "b"], 1) == 2)
    // What was asked for makes it the same request, not what was left of that.
    func digested(_ ids: [String], _ asked: [UInt8]) -> RecordViews {
      RecordViews(user: user, views: ids.map { View(kind: .film, id: $0) }, asked: asked)
    }
    let key = CallOptions(key: .number(77))
    #expect(try await rig.client.call(digested(["a", "b"], [1]), key).kept == 2)
    let less = try await rig.client.call(digested([], [1]), key)
    #expect(less.kept == 2 && less.isReplay)
    #expect(await code { try await rig.client.call(digested(["a", "b"], [2]), key) } == .alreadyExists)
    rig.time.advance(by: .seconds(1))
    #expect(try await look(["a"], 2) == 1)
    let ahead = View(kind: .film, id: "c", at: rig.time.wall.after(.days(3)))
    _ = try await rig.client.call(RecordViews(user: user, views: [ahead]), CallOptions(key: .number(3)))
    let views = try await rig.client.call(ListViews(user: user, limit: 10))
    #expect(views.map(\.id) == ["a", "c", "b"] && views[1].at == rig.time.wall, "nobody looks in the future")
    #expect(try await rig.client.call(ForgetViews(user: user, kind: .film, id: "c")).rows == 1)
    _ = try await rig.client.call(ChangeSettings(user: user, settings: UserSettings(keepsHistory: false)))
    #expect(try await look(["d"], 4) == 0)
    #expect(try await rig.client.call(ForgetViews(user: user)).rows == 2)
    #expect(try await rig.client.call(ListViews(user: user, limit: 10)).isEmpty)
    await rig.close()
  }

  @Test("settings are changed only from what was read, and sending the same again is no conflict")
  func settings() async throws {
    let rig = try await Rig()
    let user = try await rig.open()
    #expect(try await rig.client.call(SettingsOf(user: user)) == UserSettings())
    let dark = UserSettings(language: "ko", theme: "dark", walkMetresPerMinute: 70)
    let change = ChangeSettings(user: user, settings: dark, ifRevision: 0)
    #expect(try await rig.client.call(change).revision == 1)
    #expect(try await rig.client.call(change).revision == 1, "the answer was lost, and it is asked again")
    var light = change
    light.settings.theme = "light"
    #expect(await code { try await rig.client.call(light) } == .failedPrecondition)
    light.ifRevision = 1
    #expect(try await rig.client.call(light).theme == "light")
    #expect(try await rig.client.call(SettingsOf(user: user)).revision == 2)
    await rig.close()
  }

  @Test("a feed's secret reads one user's feed until it is changed")
  func feeds() async throws {
    let rig = try await Rig()
    let user = try await rig.open()
    let first = try await rig.client.call(RotateFeedKey(user: user)).key
    #expect(first.utf8.count == 43)
    #expect(try await rig.client.call(UserOfFeedKey(key: first)).id == user)
    let second = try await rig.client.call(RotateFeedKey(user: user)).key
    #expect(await code { try await rig.client.call(UserOfFeedKey(key: first)) } == .notFound)
    #expect(try await rig.client.call(UserOfFeedKey(key: second)).id == user)
    await rig.close()
  }

  @Test("revoking makes tokens void from that moment, never from an earlier one")
  func revoking() async throws {
    let rig = try await Rig()
    let user = try await rig.open()
    #expect(try await rig.client.call(ProfileOf(user: user)).tokensValidFrom == nil)
    rig.time.advance(by: .seconds(60))
    let at = rig.time.wall
    #expect(try await rig.client.call(RevokeTokens(user: user)).tokensValidFrom == at)
    rig.time.wall = .start
    #expect(try await rig.client.call(RevokeTokens(user: user)).tokensValidFrom == at)
    await rig.close()
  }

  @Test("one device signs out, and the others stay; of very many, the oldest go with it")
  func revokingOne() async throws {
    let rig = try await Rig()
    let user = try await rig.open()
    let first = rig.time.wall
    let profile = try await rig.client.call(RevokeTokens(user: user, issuedAt: first))
    #expect(profile.endedTokens == [first] && profile.tokensValidFrom == nil)
    #expect(try await rig.client.call(RevokeTokens(user: user, issuedAt: first)).endedTokens == [first])
    let limit = BookmarkLimits().endedTokens
    for number in 1...limit {
      let issuedAt = WallTime(milliseconds: first.milliseconds + Int64(number))
      _ = try await rig.client.call(RevokeTokens(user: user, issuedAt: issuedAt))
    }
    let many = try await rig.client.call(ProfileOf(user: user))
    #expect(many.endedTokens?.count == limit)
    #expect(many.tokensValidFrom == WallTime(milliseconds: first.milliseconds + 1), "the first is void all the same")
    #expect(try await rig.client.call(RevokeTokens(user: user)).endedTokens == nil)
    await rig.close()
  }

  @Test("what most saved names only what five did")
  func popularity() async throws {
    let rig = try await Rig()
    for number in 0..<6 {
      let user = try await rig.open()
      _ = try await rig.save("film_many", user)
      if number < 5 { _ = try await rig.save("film_five", user) }
      if number < 4 { _ = try await rig.save("film_few", user) }
    }
    let request = MostSaved(kind: .film, limit: 10)
    #expect(
      try await rig.client.call(request)
        == [SavedCount(id: "film_many", users: 6), SavedCount(id: "film_five", users: 5)])
    let user = try await rig.open()
    _ = try await rig.save("film_few", user)
    #expect(try await rig.client.call(request).count == 2, "asked of the store once in ten seconds")
    rig.time.advance(by: .seconds(11))
    #expect(try await rig.client.call(request).count == 3)
    #expect(try await rig.client.call(MostSaved(kind: .film, since: rig.time.wall, limit: 10)).count == 3)
    rig.time.advance(by: .days(2))
    let sinceYesterday = MostSaved(kind: .film, since: rig.time.wall.after(.days(-1)), limit: 10)
    #expect(try await rig.client.call(sinceYesterday).isEmpty)
    await rig.close()
  }

  @Test("an export is one JSON document with everything, in small pieces")
  func export() async throws {
    let rig = try await Rig()
    let user = try await rig.open()
    for number in 0..<450 {
      _ = try await rig.save("film_\(number)", user, note: "“\(number)”\n" + String(repeating: "ノ", count: 100))
    }
    _ = try await rig.remove("film_7", user)
    _ = try await rig.client.call(
      RecordViews(user: user, views: [View(kind: .cinema, id: "emu")]), CallOptions(key: .number(1)))
    _ = try await rig.client.call(ChangeSettings(user: user, settings: UserSettings(language: "ko")))
    var bytes: [UInt8] = []
    var largest = 0
    for try await chunk in try await rig.client.stream(ExportUser(user: user)) {
      bytes += chunk.bytes
      largest = max(largest, chunk.bytes.count)
    }
    #expect(largest < 32 << 10)
    let document = try JSONValue(parsing: bytes)
    #expect(document["format"] == "odi-user-1" && document["user"]?["id"]?.string == user.text)
    #expect(document["settings"]?["language"] == "ko")
    let items = try #require(document["items"]?.array)
    #expect(items.count == 450 && Set(items.compactMap { $0["id"]?.string }).count == 450)
    #expect(items.count { $0["removed_at"] != nil } == 1)
    #expect(items.first { $0["id"] == "film_3" }?["note"]?.string?.hasPrefix("“3”\n") == true)
    #expect(document["views"]?[0]?["id"] == "emu")
    #expect(document["exported_at"]?.string == "2026-09-21T14:13:20Z")
    await rig.close()
  }

  @Test("an administrator's question is refused to anybody else")
  func administrators() async throws {
    // In this process everybody is one; over TCP nobody is: see the tests over sockets.
    let rig = try await Rig()
    let user = try await rig.open()
    _ = try await rig.open()
    _ = try await rig.save("a", user)
    let list = try await rig.client.call(ListUsers(limit: 1))
    #expect(list.hasMore && list.users.count == 1)
    rig.time.advance(by: .days(100))
    _ = try await rig.save("a", user)
    let before = rig.time.wall.after(.days(-90))
    #expect(try await rig.client.call(PruneUsers(notSeenSince: before, isDryRun: true)).users == 1)
    #expect(try await rig.client.call(PruneUsers(notSeenSince: before, isDryRun: false)).users == 1)
    let totals = try await rig.client.call(BookmarkStatistics())
    #expect(totals.users == 1 && totals.items == [ItemCount(kind: .film, count: 1)])
    await rig.close()
  }
}
