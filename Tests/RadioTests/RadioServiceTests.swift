import Clocks
import Contracts
import Demo
import EventLoops
import Fetch
import JSON
import RPC
import RPCTransport
import Radio
import ServiceKit
import ServiceTestKit
import TestKit
import Testing

/// The whole service over its unix socket, with the demo world's stations behind real sockets.
@Suite("Radio", .serialized, .timeLimit(.minutes(2)))
@MainActor
struct RadioServiceTests {
  private func running(
    isDemo: Bool = true, folder: TemporaryFolder? = nil, at known: SocketAddress? = nil,
    _ body: (ServiceRig, any RPCClient<RadioAPI>) async throws -> Void
  ) async throws {
    let server = DemoServer(try DemoWorld(time: EventLoop.time), time: EventLoop.time)
    let address = try known ?? server.listen(on: .loopback())
    let flags = ["demo": isDemo ? "true" : "false", "demo-url": "http://\(address)"]
    try await ServiceRig.run(RadioService.program, flags: flags, folder: folder) { rig in
      let socket = try rig.environment.data.adminSocket(of: "radio")
      let client = ServiceClient(of: RadioAPI.self, at: [.address(socket)])
      // The demo world is found in the background; its stations come all at once.
      while isDemo, try await client.call(ListStations()).sections.isEmpty {
        try await EventLoop.time.sleep(for: .milliseconds(10))
      }
      try await body(rig, client)
    }
    await server.drain()
  }

  private func refusal<Request: RPCRequest>(
    _ request: Request, _ client: any RPCClient<RadioAPI>
  ) async -> RPCError.Code? where Request.Service == RadioAPI {
    do throws(RPCError) {
      _ = try await client.call(request)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("the demo's stations are found by every way that stations have, and the one that is gone is not")
  func ways() async throws {
    try await running { _, client in
      let stations = try await client.call(ListStations()).sections.flatMap(\.stations)
      #expect(stations.count == 6 && stations.allSatisfy { $0.isDemo == true && $0.rights?.use == .relay })
      for station in stations where station.id.text != "demo-ghost" {
        let stream = try await client.call(ResolveStation(station: station.id))
        #expect(stream.url.hasSuffix("/radio/\(station.id).wav") && stream.isRelayed)
        #expect(stream.codec == "pcm" && stream.kilobits == 256 && stream.mediaType == "audio/wav")
      }
      #expect(await refusal(ResolveStation(station: StationID("demo-ghost")!), client) == .unavailable)
    }
  }

  @Test("what scripts read of its answers is there, by its name and of its kind")
  func golden() async throws {
    try await running { rig, _ in
      let broken = try await rig.broken(
        "radio",
        [
          ("status", ["status"]), ("list", ["list"]), ("get", ["get", "demo-projector"]), ("sections", ["sections"]),
          ("search", ["search", "reel"]), ("history", ["history"]), ("rights", ["rights", "show", "demo-projector"]),
          ("report", ["rights", "report"]), ("resolve", ["resolve", "demo-projector"]),
          ("probe", ["probe", "demo-projector"]), ("play", ["play", "demo-projector"]),
        ])
      #expect(broken == [])
    }
  }

  @Test("what plays is told from the stream itself")
  func titles() async throws {
    try await running { _, client in
      let title = try await client.call(NowPlaying(station: StationID("demo-sakura")!))
      #expect(title.artist == "日本古謡" && title.title == "さくらさくら")
      #expect(title.expiresAt > title.asOf)
      #expect(try await client.call(NowPlaying(station: StationID("demo-ghost")!)).text == nil)
    }
  }

  @Test("a station's programme tells what is on and until when, one without a programme tells neither")
  func programme() async throws {
    try await running { rig, client in
      let now = EventLoop.time.wall
      let told = try await client.call(NowPlaying(station: StationID("demo-projector")!))
      #expect(["The Reel Hour", "Between Features"].contains(told.programme ?? ""))
      let end = try #require(told.endsAt)
      #expect(end > now && end.milliseconds - now.milliseconds <= 3_600_000 && end.milliseconds % 3_600_000 == 0)
      #expect(told.expiresAt <= end && told.title != nil)
      let without = try await client.call(NowPlaying(station: StationID("demo-harbour")!))
      #expect(without.endsAt == nil && without.programme == nil)
      #expect(await rig.command("get", "demo-projector").output.contains("/radio/demo-projector.ics"))
    }
  }

  @Test("sound is passed on from its beginning, and the listener's end is the stream's")
  func relay() async throws {
    try await running { rig, client in
      let stream = try await client.stream(StationAudio(station: StationID("demo-harbour")!))
      var pieces = stream.makeAsyncIterator()
      let first = try #require(try await pieces.next())
      #expect(first.mediaType == "audio/wav" && first.bytes.starts(with: "RIFF".utf8))
      var heard = first.bytes.count
      while heard < 32_000, let piece = try await pieces.next() {
        #expect(piece.mediaType == nil)
        heard += piece.bytes.count
      }
      #expect(heard >= 32_000)
      #expect(await rig.command("metrics").output.contains("odi_radio_listeners"))
    }
  }

  @Test("what nobody has allowed is not there for the public, and is there at once when somebody has")
  func rights() async throws {
    try await running(isDemo: false) { rig, client in
      func shown() async throws -> [StationID] {
        try await client.call(ListStations()).sections.flatMap(\.stations).map(\.id)
      }
      #expect(await rig.command("seed", "--json").output == #"{"added":129}"# + "\n")
      let before = try await shown()
      #expect(before.isEmpty)
      let id = StationID("fred-korean")!
      let byID = try await client.call(StationsByID(ids: [id]))
      #expect(byID.isEmpty)
      #expect(await refusal(ResolveStation(station: id), client) == .notFound)
      #expect(await refusal(NowPlaying(station: id), client) == .notFound)
      let half = await rig.command("rights", "set", "fred-korean", "--owner", "FRED", "--use", "link")
      #expect(half.code == .usage && half.errors.contains("rights_licence is missing"))
      let set = await rig.command(
        "rights", "set", "fred-korean", "--owner", "FRED", "--licence", "mail", "--use", "link")
      #expect(set.code == .done, "\(set.errors)")
      let allowed = try await shown()
      #expect(allowed == [id])
      #expect(await refusal(ResolveStation(station: id), client) == .permissionDenied)
      let told = await rig.command("rights", "show", "fred-korean", "--json").output
      let toldShort = await rig.command("rights", "fred-korean", "--json").output
      #expect(told.contains("FRED") && told == toldShort)
      let forgotten = await rig.command("rights", "fred-korean", "--owner", "BBC")
      #expect(forgotten.code == .usage && forgotten.errors.contains("say --set"))
      #expect(await rig.command("rights", "fred-korean", "--set", "--proof", "mail/17").code == .done)
      #expect(await rig.command("rights", "fred-korean").output.contains("mail/17"))
      let report = await rig.command("rights", "report", "--json").output
      #expect(report.contains("nobody has allowed it") && report.contains("128"))
      #expect(await rig.command("rights", "revoke", "fred-korean").code == .done)
      let after = try await shown()
      #expect(after.isEmpty)
      let history = await rig.command("history", "fred-korean", "-n", "2", "--tsv").output
      #expect(history.split(separator: "\n").count == 3 && history.contains("rights_use"))
    }
  }

  @Test("only an administrator sees what is hidden")
  func administrators() async throws {
    try await running { rig, _ in
      let server = try #require(rig.parts.compactMap { $0 as? CallServer }.first)
      let client = ServiceClient(of: RadioAPI.self, at: [.address(try #require(server.address))])
      #expect(await refusal(AllStations(), client) == .permissionDenied)
      #expect(await refusal(TraceStream(address: "http://10.0.0.1/"), client) == .permissionDenied)
      #expect(try await client.call(ListStations()).sections.isEmpty == false)
    }
  }

  @Test("a station that fails twice is down; each step of the way there is told")
  func probing() async throws {
    try await running { rig, client in
      let first = await rig.command("probe", "demo-ghost", "demo-lantern", "--json")
      #expect(first.code == .partial && first.errors.contains("1 of 2 can be heard"))
      let heard = try JSONValue(parsing: first.output)["data"]?.array?.first { $0["id"] == "demo-lantern" }
      #expect(heard?["title"]?.string?.isEmpty == false, "\(first.output)")
      _ = await rig.command("probe", "demo-ghost")
      let entry = try JSONValue(parsing: await rig.command("get", "demo-ghost", "--json").output)
      #expect(entry["state"] == "down" && entry["problem"]?.string?.contains("404") == true)
      let lantern = try JSONValue(parsing: await rig.command("get", "demo-lantern", "--json").output)
      #expect(lantern["state"] == "alive" && lantern["codec"] == "pcm" && lantern["kbps"] == 256)
      let station = try await client.call(StationsByID(ids: [StationID("demo-ghost")!])).first
      #expect(station?.health?.state == .down)
      let way = await rig.command("resolve", "demo-projector", "--json")
      let steps = try JSONValue(parsing: way.output)["data"]?.array
      #expect(steps?.count == 2 && steps?[0]["finding"]?.string?.contains("xspf, 1 address") == true)
      #expect(await rig.command("resolve", "http://192.168.0.1/").code == .partial)
      #expect(await rig.command("play", "demo-sakura").output.contains("mpv"))
      #expect(await rig.command("play", "demo-ghost").code == .failed)
    }
  }

  @Test("two who look at once are one look, which counts once")
  func oneLook() async throws {
    try await running { rig, client in
      let ghost = StationID("demo-ghost")!
      func failures() async throws -> Int {
        try await client.call(StationsByID(ids: [ghost])).first?.health?.failures ?? 0
      }
      let before = try await failures()
      async let first = rig.command("probe", "demo-ghost")
      async let second = rig.command("probe", "demo-ghost")
      #expect(await first.code == .partial)
      #expect(await second.code == .partial)
      let after = try await failures()
      #expect(after == before + 1)
    }
  }

  @Test("of an address that is new, and of a station that came again, nothing is known yet")
  func forgottenHealth() async throws {
    let folder = try TemporaryFolder()
    let id = StationID("own")!
    try await running(folder: folder) { rig, client in
      let lantern = try JSONValue(parsing: await rig.command("get", "demo-lantern", "--json").output)
      let address = try #require(lantern["address"]?.string)
      let rights = ["--rights-owner", "me", "--rights-licence", "mine", "--rights-use", "play"]
      func add() async { _ = await rig.command(["add", "own", "--name", "Own", "--address", address] + rights) }
      func state() async throws -> StationHealth? {
        try await client.call(StationsByID(ids: [id])).first?.health
      }
      await add()
      #expect(await rig.command("probe", "own").code == .done)
      let known = try await state()
      #expect(known?.state == .alive)
      _ = await rig.command("rm", "own", "--yes")
      await add()
      let again = try await state()
      #expect(again == nil)
      _ = await rig.command("probe", "own")
      _ = await rig.command("edit", "own", "--address", "http://127.0.0.1:9/none")
      let moved = try await state()
      #expect(moved == nil)
    }
    try await running(isDemo: false, folder: folder) { _, client in
      let later = try await client.call(StationsByID(ids: [id])).first
      #expect(later != nil && later?.health?.state != .alive)
    }
  }

  @Test("of two who add one id at once one is refused")
  func addedTwice() async throws {
    try await running(isDemo: false) { rig, _ in
      async let first = rig.command("add", "own", "--name", "A", "--address", "http://a.example/")
      async let second = rig.command("add", "own", "--name", "B", "--address", "http://b.example/")
      let codes = [await first.code, await second.code]
      #expect(codes.count { $0 == .done } == 1, "\(codes)")
    }
  }

  @Test("one who listens often leaves places for others")
  func share() async throws {
    try await running { rig, client in
      let id = StationID("demo-harbour")!
      var open: [RPCStream<AudioPiece>.Iterator] = []
      for _ in 0..<8 {
        var pieces = try await client.stream(StationAudio(station: id, asker: "one")).makeAsyncIterator()
        _ = try await pieces.next()
        open.append(pieces)
      }
      func refusal(_ asker: String) async -> RPCError.Code? {
        do {
          var pieces = try await client.stream(StationAudio(station: id, asker: asker)).makeAsyncIterator()
          _ = try await pieces.next()
          return nil
        } catch {
          return error.code
        }
      }
      #expect(await refusal("one") == .resourceExhausted)
      #expect(await refusal("another") == nil)
      #expect(open.count == 8)
    }
  }

  @Test("a listener who takes nothing for a while misses nothing of a burst, and others hear on")
  func slowListener() async throws {
    let host = try StationHost()
    defer { host.close() }
    host.on(
      "/radio/stations.json",
      #"{"stations":[{"id":"live","name":"Live","section":"music","address":"BASE/live.mp3","#
        + #""rights":{"owner":"us","licence":"ours","use":"relay"}}]}"#, type: "application/json")
    let block = (0..<4).flatMap { _ in frames }
    host.on("/live.mp3", pushed: block, type: "audio/mpeg")
    try await ServiceRig.run(RadioService.program, flags: ["demo": "true", "demo-url": host.base]) { rig in
      let socket = try rig.environment.data.adminSocket(of: "radio")
      let client = ServiceClient(of: RadioAPI.self, at: [.address(socket)])
      while try await client.call(ListStations()).sections.isEmpty {
        try await EventLoop.time.sleep(for: .milliseconds(10))
      }
      let id = StationID("live")!
      var slow = try await client.stream(StationAudio(station: id, asker: "slow")).makeAsyncIterator()
      var kept = try #require(try await slow.next()).bytes.count
      var quick = try await client.stream(StationAudio(station: id, asker: "quick")).makeAsyncIterator()
      var heard = try #require(try await quick.next()).bytes.count
      var sent = block.count
      // Eight times what may wait: the station waits for the one, and the other has heard it all.
      while sent < 4 << 20 {
        host.push(block)
        sent += block.count
        while heard < sent, let piece = try await quick.next() { heard += piece.bytes.count }
      }
      #expect(host.listeners.count == 2 && heard == sent, "\(sent) sent, \(heard) heard")
      while kept < sent, let piece = try await slow.next() { kept += piece.bytes.count }
      #expect(kept == sent, "\(kept) of \(sent)")
      // A burst that comes before anybody could have listened is heard whole.
      host.push([UInt8](repeating: 0, count: 3 << 20))
      sent += 3 << 20
      while heard < sent, let piece = try await quick.next() { heard += piece.bytes.count }
      #expect(heard == sent)
    }
  }

  @Test("what waits for a listener is bounded, and one who takes nothing for half a minute is given up")
  func patience() async throws {
    let time = ManualTime()
    let line = AudioLine(bytesMax: 512 << 10, patience: .seconds(30), time: time)
    var givenUp = 0
    line.whenGivenUp = { givenUp += 1 }
    let piece = [UInt8](repeating: 1, count: 64 << 10)
    var pieces = 0
    while !line.valve.isShut {
      #expect(line.put(piece))
      pieces += 1
    }
    #expect(pieces == 7)
    // It takes a little, and has half a minute again.
    time.advance(by: .seconds(29))
    _ = try await line.take()
    time.advance(by: .seconds(29))
    #expect(givenUp == 0 && line.valve.isShut)
    for _ in 0..<3 { _ = try await line.take() }
    #expect(!line.valve.isShut)
    time.advance(by: .seconds(60))
    #expect(givenUp == 0)
    while !line.valve.isShut { _ = line.put(piece) }
    time.advance(by: .seconds(30))
    #expect(givenUp == 1 && !line.put(piece))
    var left = 0
    while try await line.take() != nil { left += 1 }
    #expect(left == 8)
  }

  @Test("the invented stations leave with the demo, and health is known again after a restart")
  func restart() async throws {
    let folder = try TemporaryFolder()
    // At one address for both lives: what is known of another address is nothing.
    let world = DemoServer(try DemoWorld(time: EventLoop.time), time: EventLoop.time)
    let address = try world.listen(on: .loopback())
    try await running(folder: folder, at: address) { rig, _ in
      _ = await rig.command("probe", "demo-sakura")
      let added = await rig.command("add", "own", "--name", "Own", "--address", "https://own.example/s")
      #expect(added.code == .done)
    }
    try await running(folder: folder, at: address) { rig, _ in
      #expect(await rig.command("get", "demo-sakura", "--fields", "state", "--tsv").output.contains("alive"))
    }
    try await running(isDemo: false, folder: folder) { rig, _ in
      #expect(await rig.command("list", "--fields", "id", "--tsv").output == "id\nown\n")
    }
    await world.drain()
  }

  @Test("an import tells what it changes, and lists the rows that are wrong")
  func importing() async throws {
    try await running(isDemo: false) { rig, _ in
      let path = try rig.folder.write(
        "id,name,section,address\na,A,music,http://a.example/\nb,,music,x\na2,A,music,http://a.example/\n", to: "s.csv")
      let plan = await rig.command("import", path, "--dry-run")
      #expect(plan.code == .partial && plan.errors.contains("s.csv:3: name is missing; address is x"))
      #expect(await rig.command("list").output.isEmpty)
      #expect(await rig.command("import", path).errors.contains("2 added · 0 changed · 0 unchanged · 1 refused"))
      #expect(await rig.command("import", path).errors.contains("0 added · 0 changed · 2 unchanged"))
      #expect(await rig.command("import", rig.folder.file("none")).code == .notFound)
      let lint = await rig.command("lint", "--json")
      #expect(lint.code == .degraded && lint.output.contains("shared-address"))
      #expect(await rig.command("sections", "--tsv").output.contains("music"))
      #expect(await rig.command("search", "A", "--fields", "id", "--tsv").output.contains("a2"))
      #expect(await rig.command("rm", "a", "--yes").code == .done)
      #expect(await rig.command("get", "a").code == .notFound)
      #expect(await rig.command("export", "--format", "json").output.contains(#""id":"a2""#))
    }
  }

  @Test("what a file has no place for stays as it is kept, rights above all, and an empty cell clears")
  func narrowImports() async throws {
    try await running(isDemo: false) { rig, client in
      func kept(after text: String, as name: String) async throws -> StationRecord {
        let report = await rig.command("import", try rig.folder.write(text, to: name))
        #expect(report.code == .done, "\(name): \(report.errors)")
        let entries = try await client.call(AllStations(ids: [StationID("night-fm")!]))
        return try #require(entries.first).record
      }
      // Rights that have ended are rights, and nobody tries the stream.
      let whole = """
        id,name,section,tags,language,website,address,schedule,rights_owner,rights_licence,rights_use,rights_until
        night-fm,Night FM,music,jazz|late,en,https://n.test/,http://n.test/0,https://n.test/p,N,mail,relay,2020-12-31
        """
      var expected = try await kept(after: whole, as: "whole.csv")
      #expect(expected.station.rights?.use == .relay && expected.schedule != nil && expected.station.tags.count == 2)
      let files = [
        ("id,name,address\nnight-fm,Night FM,ADDRESS\n", "narrow.csv"),
        (#"{"stationList":[{"title":"Night FM","streamURL":"ADDRESS"}]}"#, "list.json"),
        (#"<opml><body><outline text="Night FM" URL="ADDRESS"/></body></opml>"#, "list.opml"),
        ("[playlist]\nFile1=ADDRESS\nTitle1=Night FM\n", "list.pls"),
        ("#EXTM3U\n#EXTINF:-1,Night FM\nADDRESS\n", "list.m3u"),
      ]
      for (text, name) in files {
        expected.address = "http://n.test/\(name)"
        let now = try await kept(after: text.replacing("ADDRESS", with: expected.address), as: name)
        #expect(now == expected, "\(name)")
      }
      let clearing = "id,name,address,tags,schedule\nnight-fm,Night FM,http://n.test/0,,\n"
      let cleared = try await kept(after: clearing, as: "clearing.csv")
      #expect(cleared.schedule == nil && cleared.station.tags.isEmpty)
      #expect(cleared.station.rights == expected.station.rights && cleared.station.section == "music")
    }
  }
}
