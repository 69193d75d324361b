import Clocks
import Contracts
import Drafts
import EventLoops
import Foundation
import JSON
import Locator
import RPC
import RPCTransport
import ServiceKit
import ServiceTestKit
import TestKit
import Testing

/// The whole service, with its database, asked over its unix socket.
@Suite("Locator")
@MainActor
struct LocatorServiceTests {
  private func running(
    demo: Bool = true, folder: TemporaryFolder? = nil,
    _ body: (ServiceRig, any RPCClient<LocatorAPI>) async throws -> Void
  ) async throws {
    let flags = demo ? ["demo": "true"] : [:]
    try await ServiceRig.run(LocatorService.program, flags: flags, folder: folder) { rig in
      let address = try rig.environment.data.adminSocket(of: "locator")
      try await body(rig, ServiceClient(of: LocatorAPI.self, at: [.address(address)]))
    }
  }

  @Test("an empty directory begins with the known cinemas where that was asked for, and only then")
  func demo() async throws {
    try await running { rig, _ in
      #expect(await rig.command("list", "--all", "--tsv").output.split(separator: "\n").count == 54)
    }
    try await running(demo: false) { rig, _ in
      #expect(await rig.command("list").output.isEmpty)
      #expect(await rig.command("seed", "--json").output == #"{"added":53}"# + "\n")
      #expect(await rig.command("seed", "--json").output == #"{"added":0}"# + "\n")
    }
  }

  @Test("answers its contracts")
  func contracts() async throws {
    try await running { _, client in
      let here = try Coordinate(latitude: 37.5663, longitude: 126.9779)
      let near = try await client.call(NearestCinemas(origin: here, limit: 3))
      #expect(near.map(\.cinema.id.text) == ["cinecube", "emu", "momo"])
      let places = try await client.call(NearestPlaces(origin: here, limit: 3))
      #expect(places.cinemas == near.map(\.cinema) && places.metres == near.map(\.metres))
      let again = try await client.call(NearestPlaces(origin: here, limit: 3, known: places.directory))
      #expect(again.places == places.places && again.directory == places.directory && again.cinemas == nil)
      let byID = try await client.call(CinemasByID(ids: [near[1].cinema.id, CinemaID("nobody")!, near[0].cinema.id]))
      #expect(byID.map(\.id.text) == ["emu", "cinecube"])
      let found = try await client.call(FindCinemas(text: "ㅆㄴㅋ", limit: 5))
      #expect(found.first?.cinema.id.text == "cinecube")
      #expect(try await client.call(Regions()).contains { $0.id == "seoul" && $0.cinemas == 10 })
    }
  }

  @Test("limits and boxes that make no sense are refused with a sentence")
  func refused() async throws {
    try await running { _, client in
      let here = try Coordinate(latitude: 37.5, longitude: 127)
      let south = try Coordinate(latitude: 37, longitude: 126)
      func refusal<Request: RPCRequest>(_ request: Request) async -> String where Request.Service == LocatorAPI {
        do throws(RPCError) {
          _ = try await client.call(request)
          return "answered"
        } catch {
          return error.code == .invalidArgument ? error.message : "\(error.code)"
        }
      }
      #expect(await refusal(NearestCinemas(origin: here, limit: 0)) == "limit is 0; ask for 1...1001")
      #expect(await refusal(NearestCinemas(origin: here, limit: 1_002)) == "limit is 1002; ask for 1...1001")
      #expect(await refusal(NearestCinemas(origin: here, limit: 1, metresMax: -1)).contains("give 0 or more"))
      #expect(await refusal(NearestCinemas(origin: here, limit: 1, metresMax: .nan)).contains("give 0 or more"))
      #expect(await refusal(NearestPlaces(origin: here, limit: 0)) == "limit is 0; ask for 1...100")
      #expect(await refusal(NearestPlaces(origin: here, limit: 1, metresMax: .nan)).contains("give 0 or more"))
      #expect(await refusal(CinemasInBox(southWest: here, northEast: south, limit: 9)).contains("swap the two"))
      #expect(await refusal(ListCinemas(limit: 1_001)) == "limit is 1001; ask for 1...1000")
      let many = Array(repeating: CinemaID("a")!, count: 1_001)
      #expect(await refusal(CinemasByID(ids: many)).contains("at most 1000"))
    }
  }

  @Test("after a change the directory has another name, and its cinemas are told again")
  func renamed() async throws {
    try await running { rig, client in
      let here = try Coordinate(latitude: 37.5663, longitude: 126.9779)
      let before = try await client.call(NearestPlaces(origin: here, limit: 2))
      _ = await rig.command("edit", before.cinemas?[0].id.text ?? "", "--screens", "7")
      let after = try await client.call(NearestPlaces(origin: here, limit: 2, known: before.directory))
      #expect(after.directory != before.directory)
      #expect(after.cinemas?[0].screens == 7 && after.cinemas?[1] == before.cinemas?[1])
    }
  }

  @Test("a reader of changes gets what happened since its revision, then what happens")
  func changes() async throws {
    try await running { rig, client in
      _ = await rig.command("edit", "emu", "--screens", "2")
      let stream = try await client.stream(DirectoryChanges(since: 53))
      var changes = stream.makeAsyncIterator()
      let start = try await changes.next()
      #expect(start?.revision == 53 && start?.cinema == nil && start?.removed == nil)
      let first = try await changes.next()
      #expect(first?.revision == 54 && first?.cinema?.screens == 2)
      _ = await rig.command("rm", "emu", "--yes")
      let second = try await changes.next()
      #expect(second?.revision == 55 && second?.removed?.text == "emu")
    }
  }

  @Test("one that was removed is remembered with what stands for it, however often that was replaced since")
  func former() async throws {
    try await running { rig, client in
      func former(_ ids: String...) async throws -> [FormerCinema] {
        try await client.call(FormerCinemas(ids: ids.map { CinemaID($0)! }))
      }
      let none = try await former("emu", "nobody")
      #expect(none.isEmpty)
      for wrong in ["nobody", "emu"] {
        let refused = await rig.command("rm", "emu", "--replaced-by", wrong, "--yes")
        #expect(refused.code != .done && refused.errors.contains("name another cinema"), "\(refused.errors)")
      }
      #expect(await rig.command("rm", "emu", "--replaced-by", "rio", "--yes").code == .done)
      #expect(try await former("emu").map(\.replacedBy?.text) == ["rio"])
      #expect(await rig.command("rm", "rio", "--replaced-by", "ica", "--yes").code == .done)
      #expect(await rig.command("rm", "barbican", "--yes").code == .done)
      #expect(try await former("emu", "rio", "barbican", "ica").map(\.replacedBy?.text) == ["ica", "ica", nil])
      #expect(await rig.command("history", "emu", "--json").output.contains("replaced_by"))
      // What leads nowhere is not told.
      #expect(await rig.command("rm", "ica", "--yes").code == .done)
      #expect(try await former("emu").map(\.replacedBy) == [nil])
    }
  }

  @Test("a reader of changes that knows nothing gets every cinema once, in the order of its last change")
  func allChanges() async throws {
    try await running { rig, client in
      _ = await rig.command("edit", "emu", "--screens", "2")
      var changes = try await client.stream(DirectoryChanges(since: 0)).makeAsyncIterator()
      #expect(try await changes.next()?.revision == 0)
      var seen: [DirectoryChange] = []
      while seen.count < 53, let change = try await changes.next() { seen.append(change) }
      #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.revision < $1.revision })
      #expect(Set(seen.compactMap { $0.cinema?.id }).count == 53)
      #expect(seen.last?.cinema?.id.text == "emu" && seen.last?.revision == 54)
    }
  }

  @Test("a reader of changes that knows a revision of another life learns where this one is")
  func resetChanges() async throws {
    try await running { _, client in
      let stream = try await client.stream(DirectoryChanges(since: 1_000_000))
      var changes = stream.makeAsyncIterator()
      #expect(try await changes.next()?.revision == 53)
    }
  }

  @Test("an import that stops half way is served all the same")
  func halfImport() async throws {
    try await running { _, client in
      let stream = try await client.stream(DirectoryChanges())
      var changes = stream.makeAsyncIterator()
      _ = try await changes.next()
      let edits = try await client.call(PutCinemas(cinemas: [try cinema("rex")], editor: "x", hasMore: true))
      #expect(edits.map(\.kind) == [.added])
      #expect(try await changes.next()?.cinema?.id.text == "rex")
      #expect(try await client.call(CinemasByID(ids: [CinemaID("rex")!])).count == 1)
    }
  }

  @Test("only an administrator may change the directory, and a call by TCP is none")
  func administrators() async throws {
    try await running { rig, _ in
      let server = try #require(rig.parts.compactMap { $0 as? CallServer }.first)
      let address = try #require(server.address)
      let client = ServiceClient(of: LocatorAPI.self, at: [.address(address)])
      await #expect { @MainActor in
        try await client.call(PutCinemas(cinemas: [], editor: "x"))
      } throws: { error in (error as? RPCError)?.code == .permissionDenied }
      #expect(try await client.call(Regions()).count > 3)
    }
  }

  @Test("everything is there again after a restart")
  func restart() async throws {
    let folder = try TemporaryFolder()
    try await running(folder: folder) { rig, _ in
      #expect(await rig.command("edit", "emu", "--aliases", "Emu|에무", "--day-ends", "06:00").code == .done)
      #expect(await rig.command("rm", "rio", "--yes").code == .done)
    }
    try await running(folder: folder) { rig, _ in
      let emu = try JSONValue(parsing: await rig.command("get", "emu", "--json").output)
      #expect(emu["aliases"]?.array?.count == 2 && emu["day_ends"] == "06:00")
      #expect(await rig.command("get", "rio").code == .notFound)
      #expect(await rig.command("search", "에무").output.contains("emu"))
      #expect(await rig.command("history", "-n", "1", "--tsv").output.contains("rio\tremoved"))
    }
  }
}

@Suite("Locator's commands")
@MainActor
struct LocatorCommandTests {
  private func running(demo: Bool = true, _ body: (ServiceRig) async throws -> Void) async throws {
    try await ServiceRig.run(LocatorService.program, flags: demo ? ["demo": "true"] : [:], body)
  }

  private let file = """
    id,name,country,region,lat,lon
    emu,Emu,KR,Seoul,37.5699,126.9689
    new,새 극장,KR,Seoul,37.55,127.01
    broken,X,KR,Seoul,127.01,37.55
    """

  @Test("near tells the way as people walk it")
  func near() async throws {
    try await running { rig in
      let near = await rig.command("near", "37.5663,126.9779", "-n", "1", "--json")
      let first = try JSONValue(parsing: near.output)["data"]?[0]
      #expect(first?["id"] == "cinecube" && first?["distance_m"] == 624 && first?["walk_min"] == 8)
      #expect(first?["bearing"] == "NW")
      #expect(await rig.command("near", "95,127").code == .usage)
      let swapped = await rig.command("near", "126.9779,37.5663")
      #expect(swapped.code == .usage)
      #expect(swapped.errors.contains("probably swapped: 37.5663,126.9779"), "\(swapped.errors)")
      #expect(!(await rig.command("near", "200,300").errors.contains("swapped")))
      let mistyped = await rig.command("get", "emuu")
      #expect(mistyped.code == .notFound && mistyped.errors.contains("did you mean emu?"), "\(mistyped.errors)")
      for words in [["list", "--region", "nowhere"], ["search", ""], ["history", "nobody"]] {
        let nothing = await rig.command(words)
        #expect(nothing.code == .done && nothing.output.isEmpty && nothing.errors == "nothing found\n", "\(words)")
      }
      #expect(await rig.command("near", "37.5663,126.9779", "--max", "10").output.isEmpty)
      let cut = await rig.command("near", "37.5663,126.9779", "--max", "500000", "-n", "2")
      #expect(cut.errors.contains("there are more within that distance"))
      let walked = await rig.command("near", "37.5663,126.9779", "--walk", "8", "-n", "50", "--fields", "id", "--tsv")
      #expect(walked.output == "id\ncinecube\n", "624 m are 8 minutes: \(walked.output)")
      #expect(await rig.command("near", "37.5663,126.9779", "--walk", "7").output.isEmpty)
      let whole = await rig.command("near", "37.5663,126.9779", "--max", "500000", "-n", "1000")
      #expect(whole.code == .done && !whole.errors.contains("there are more"))
    }
  }

  @Test("what scripts read of its answers is there, by its name and of its kind")
  func golden() async throws {
    try await running { rig in
      let broken = try await rig.broken(
        "locator",
        [
          ("status", ["status"]), ("list", ["list"]), ("get", ["get", "emu"]), ("near", ["near", "37.57,126.97"]),
          ("search", ["search", "cine"]), ("regions", ["regions"]), ("history", ["history", "emu"]),
          ("index", ["index", "stats"]), ("config", ["config", "show"]), ("db", ["db", "info"]),
          ("ping", ["ping"]), ("version", ["version"]),
        ])
      #expect(broken == [])
    }
  }

  @Test("a place is found by the names that the directory has, with the service and without it")
  func geocode() async throws {
    try await running { rig in
      let district = await rig.command("geocode", "종로구", "-n", "1", "--json")
      let place = try JSONValue(parsing: district.output)["data"]?[0]
      #expect(place?["kind"] == "address" && place?["name"] == "종로구", "\(district.output) \(district.errors)")
      let (latitude, longitude) = (place?["lat"]?.double ?? 0, place?["lon"]?.double ?? 0)
      #expect((37.56...37.6).contains(latitude) && (126.95...127.02).contains(longitude), "\(district.output)")
      let region = await rig.command("geocode", "서울", "-n", "1", "--json")
      let seoul = try JSONValue(parsing: region.output)["data"]?[0]
      #expect(seoul?["kind"] == "region" && seoul?["name"] == "서울" && seoul?["cinemas"]?.int ?? 0 > 5)
      #expect(await rig.command("geocode", "qqqzzz").code == .notFound)
      // A district that several cities have is as many places.
      let shared = await rig.command("geocode", "중구", "-n", "100", "--json")
      let districts = (try JSONValue(parsing: shared.output)["data"]?.array ?? [])
        .filter { $0["kind"] == "address" && $0["name"] == "중구" }
      let regions = districts.compactMap { $0["region"]?.string }
      #expect(regions.count == districts.count && Set(regions).count == regions.count, "\(shared.output)")
      #expect(regions.count > 1, "\(shared.output)")
    }
    let rig = try ServiceRig(LocatorService.program)
    let alone = await rig.command("geocode", "씨네큐브", "-n", "1", "--fields", "kind,name", "--tsv")
    #expect(alone.output == "kind\tname\ncinema\t씨네큐브광화문\n", "\(alone.output) \(alone.errors)")
    #expect(alone.errors.contains("does not run"))
  }

  @Test("what nobody has edited for long is listed, the longest left alone first")
  func stale() async throws {
    try await running { rig in
      let all = await rig.command("list", "--all", "--fields", "id", "--tsv").output.split(separator: "\n").count
      #expect(await rig.command("list", "--stale", "1d", "--fields", "id", "--tsv").output == "id\n")
      let none = await rig.command("list", "--stale", "0s", "--all", "--json")
      let rows = try JSONValue(parsing: none.output)["data"]?.array ?? []
      #expect(rows.count == all - 1 && rows.allSatisfy { $0["edited_at"]?.string != nil }, "\(none.errors)")
      #expect(await rig.command("edit", "emu", "--screens", "3").code == .done)
      let seoul = await rig.command("list", "--stale", "0s", "--region", "seoul", "--json")
      let after = try JSONValue(parsing: seoul.output)
      #expect(after["data"]?.array?.last?["id"] == "emu")
      #expect(await rig.command("list", "--stale", "9223372036854775807ms", "--tsv").code == .done)
    }
  }

  @Test("of a thousand that nobody has edited for long all are told, and of more that there are more")
  func manyStale() async throws {
    try await running(demo: false) { rig in
      @MainActor func add(_ numbers: Range<Int>) async throws {
        let rows = numbers.map { "many-\($0),Many \($0),KR,Seoul,37.55,127.01" }
        let path = try rig.folder.write(
          (["id,name,country,region,lat,lon"] + rows).joined(separator: "\n"), to: "many.csv")
        #expect(await rig.command("import", path).code == .done)
      }
      @MainActor func told() async -> (count: Int, isCut: Bool) {
        let told = await rig.command("list", "--stale", "0s", "--fields", "id", "--tsv")
        return (told.output.split(separator: "\n").count - 1, told.errors.contains("longest left alone"))
      }
      try await add(0..<1_000)
      #expect(await told() == (1_000, false))
      try await add(1_000..<1_001)
      #expect(await told() == (1_000, true))
    }
  }

  @Test("an import first tells what it would change, then changes it, and lists the rows that are wrong")
  func importing() async throws {
    try await running { rig in
      let path = try rig.folder.write(file, to: "cinemas.csv")
      let plan = await rig.command("import", path, "--dry-run", "--json")
      #expect(plan.code == .partial)
      let edits = try JSONValue(parsing: plan.output)["data"]
      #expect(
        edits?[0]?["kind"] == "changed" && edits?[1]?["kind"] == "added" && edits?[1]?["revision"]?.isNull == true)
      #expect(await rig.command("get", "new").code == .notFound)
      let real = await rig.command("import", path)
      #expect(real.code == .partial)
      #expect(real.errors.contains("cinemas.csv:4: lat is 127.01 and lon is 37.55; they are probably swapped"))
      #expect(real.errors.contains("1 added · 1 changed · 0 unchanged · 1 refused"))
      #expect(await rig.command("get", "new", "--fields", "name", "--tsv").output == "name\n새 극장\n")
      #expect(await rig.command("import", path).errors.contains("0 added · 0 changed · 2 unchanged"))
      #expect(await rig.command("import", rig.folder.file("nothing.csv")).code == .notFound)
    }
  }

  @Test("a file of many thousand rows is imported in parts, and tells how far it is")
  func largeImport() async throws {
    try await running { rig in
      let rows = (0..<12_000).map { "hall-\($0),Hall \($0),KR,Seoul,\(37.4 + Double($0) * 0.000_01),127.01" }
      let text = "id,name,country,region,lat,lon\n" + rows.joined(separator: "\n") + "\nlost,X,KR,Seoul,999,1\n"
      let path = try rig.folder.write(text, to: "large.csv")
      let real = await rig.command("import", path, "--progress=json", "--fields", "kind", "--json")
      #expect(real.code == .partial)
      #expect(real.errors.contains("12000 added · 0 changed · 0 unchanged · 1 refused"), "\(real.errors.suffix(300))")
      // First of what is kept is asked, then it is stored.
      #expect(real.errors.contains(#"{"unit":"ids","done":12001,"total":12001,"#))
      #expect(real.errors.contains(#"{"unit":"cinemas","done":12001,"total":12001,"#))
      // What is served is made anew meanwhile.
      #expect(await rig.command("index", "rebuild").code == .done)
      #expect(await rig.command("get", "hall-11999", "--fields", "name", "--tsv").output == "name\nHall 11999\n")
    }
  }

  @Test("what was exported changes nothing when it is imported")
  func roundTrip() async throws {
    try await running { rig in
      for format in ["csv", "geojson"] {
        let exported = await rig.command("export", "--format", format)
        let path = try rig.folder.write(exported.output, to: "all.\(format)")
        let back = await rig.command("import", path)
        #expect(back.code == .done && back.errors.contains("0 added · 0 changed · 53 unchanged"), "\(back.errors)")
      }
    }
  }

  @Test("a thousand rows and more go in batches")
  func batches() async throws {
    try await running { rig in
      let rows = (0..<1_200).map { "n\($0),N\($0),KR,Seoul,\(37.0 + Double($0) / 10_000),127" }
      let path = try rig.folder.write("id,name,country,region,lat,lon\n" + rows.joined(separator: "\n"), to: "x.csv")
      #expect(await rig.command("import", path, "-q").code == .done)
      let stats = try JSONValue(parsing: await rig.command("index", "stats", "--json").output)
      #expect(stats["cinemas"] == 1_253)
      #expect(await rig.command("list", "--tsv", "--fields", "id").output.split(separator: "\n").count == 1_253)
      #expect(await rig.command("index", "rebuild").code == .done)
    }
  }

  @Test("of two who add one id at once one is refused")
  func addedTwice() async throws {
    try await running { rig in
      let fields = ["--country", "KR", "--region", "Seoul", "--lat", "37.5", "--lon", "127"]
      async let first = rig.command(["add", "rex", "--name", "A"] + fields)
      async let second = rig.command(["add", "rex", "--name", "B"] + fields)
      let codes = [await first.code, await second.code]
      #expect(codes.count { $0 == .done } == 1 && codes.contains(.conflict), "\(codes)")
    }
  }

  @Test("add, edit and rm keep the history of what was there")
  func editing() async throws {
    try await running { rig in
      let fields = ["--name", "Rex", "--country", "KR", "--region", "Seoul", "--lat", "37.5", "--lon", "127"]
      #expect(await rig.command(["add", "rex"] + fields).code == .done)
      #expect(await rig.command(["add", "rex"] + fields).code == .conflict)
      #expect(await rig.command("edit", "rex", "--city", "Seoul", "--dry-run").errors.contains("nothing was stored"))
      #expect(await rig.command("edit", "rex", "--screens", "3", "--website", "https://rex.example").code == .done)
      #expect(await rig.command("edit", "rex", "--website", "").code == .done)
      #expect(await rig.command("edit", "rex", "--screens", "3").errors == "nothing changed\n")
      let wrong = await rig.command("edit", "rex", "--lat", "95")
      #expect(wrong.code == .usage && wrong.errors.contains("latitude is 95.0; give one of -90...90"))
      #expect(await rig.command("rm", "rex").code == .usage)
      #expect(await rig.command("rm", "rex", "--yes").code == .done)
      let history = try JSONValue(parsing: await rig.command("history", "rex", "--json").output)["data"]
      #expect(history?.array?.map { $0["kind"]?.string } == ["removed", "changed", "changed", "added"])
      #expect(history?[1]?["fields"]?[0]?["before"] == "https://rex.example")
      #expect(history?[1]?["fields"]?[0]?["after"]?.isNull == true)
    }
  }

  @Test("lint judges the directory and a file, and a file without a running service")
  func lint() async throws {
    try await running { rig in
      #expect(await rig.command("lint").code == .done)
      _ = await rig.command("edit", "emu", "--lat", "35.1")
      let lint = await rig.command("lint", "--tsv")
      #expect(lint.code == .degraded && lint.output.contains("outside-region\temu"))
    }
    let idle = try ServiceRig(LocatorService.program)
    let path = try idle.folder.write(file, to: "cinemas.csv")
    let offline = await idle.command("lint", path, "--tsv")
    #expect(offline.code == .degraded)
    #expect(
      offline.output.contains("unreadable\tcinemas.csv:4") && offline.output.contains("missing-zone\tcinemas.csv:2"))
    #expect(await idle.command("lint").code == .unreachable)
  }
}

/// The built binary as a process of its own.
@Suite("odi-locator")
struct LocatorBinaryTests {
  @Test("starts, answers over its socket, keeps its data with nobody else's, and ends on SIGTERM")
  func life() async throws {
    let binary = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "odi-locator").path
    try #require(FileManager.default.isExecutableFile(atPath: binary), "build odi-locator first")
    let folder = try TemporaryFolder()
    let script = """
      export ODI_DATA='\(folder.path)' LANG=C.UTF-8
      '\(binary)' serve --demo true --listen 127.0.0.1:0 --operations-listen 127.0.0.1:0 2>log & pid=$!
      for i in $(seq 200); do '\(binary)' ping -q 2>/dev/null && break; sleep 0.05; done
      '\(binary)' near 37.5663,126.9779 -n 1 --fields id --tsv
      stat -c %a locator.sqlite run
      kill -TERM $pid; wait $pid; echo "ended $?"
      '\(binary)' near 37.5663,126.9779 2>/dev/null; echo "then $?"
      """
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = URL(filePath: folder.path)
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(output == "id\ncinecube\n600\n700\nended 0\nthen 5\n")
  }
}
