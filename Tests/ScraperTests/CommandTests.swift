import Calendars
import Clocks
import Contracts
import Demo
import EventLoops
import Fetch
import JSON
import Observability
import RPC
import RPCTransport
import Scraper
import ServiceKit
import ServiceTestKit
import Testing

/// The commands as an operator uses them, with sites of the demo world that are read as if they were real ones.
@Suite("Scraper's commands", .serialized, .timeLimit(.minutes(2)))
@MainActor
struct ScraperCommandTests {
  /// One that has a calendar: quickly read.
  private static let cinema = "bertha-dochouse"

  /// What a test has at hand.
  @MainActor
  private struct Bench {
    let rig: ServiceRig
    let world: DemoWorld
    /// `http://127.0.0.1:41234`
    let base: String
    let client: any RPCClient<ScraperAPI>
    let address: SocketAddress

    func page(_ path: String) async throws -> [UInt8] {
      let fetcher = Fetcher(addressGuard: AddressGuard(exceptions: [address]))
      defer { fetcher.close() }
      return try await fetcher.fetch(FetchRequest(base + path)).body
    }

    /// Returns when a cinema's programme has been published once.
    func published(_ cinema: String) async throws {
      for try await event in try await client.stream(ScheduleEvents(since: 0)) where event.change?.cinema.text == cinema
      {
        return
      }
    }

    /// Returns when a site is in a state.
    func state(_ state: String, of site: String) async throws {
      for try await event in try await client.stream(ScheduleEvents()) {
        let now = try await client.call(Sources(cinemas: [CinemaID(site)!]))
        if now.first?.state.rawValue == state { return }
        _ = event
      }
    }

    /// The newest step of the schedule.
    func revision() async throws -> Int64 {
      for try await event in try await client.stream(ScheduleEvents()) { return event.revision }
      throw RPCError(.internal, "the stream ended")
    }

    /// The first source that is told after a step.
    func source(after revision: Int64) async throws -> ScheduleSource {
      for try await event in try await client.stream(ScheduleEvents(since: revision)) {
        if let source = event.source { return source }
      }
      throw RPCError(.internal, "the stream ended")
    }

    /// The rows of a command's answer.
    func rows(_ words: String...) async throws -> [JSONValue] {
      let answer = try await document(words)
      return answer["data"]?.array ?? answer.array ?? []
    }

    /// A command's answer about one thing.
    func json(_ words: String...) async throws -> JSONValue { try await document(words) }

    private func document(_ words: [String]) async throws -> JSONValue {
      let result = await rig.command(words + ["--json"])
      return try #require(try? JSONValue(parsing: result.output), "\(words): \(result.errors)")
    }

    /// Visits a site now, as soon as nobody else does: what an operator said is followed by a visit of its own.
    func run(_ site: String) async throws -> (code: ExitCode, outcome: String, problem: String, removed: Int?) {
      while true {
        let result = await rig.command("run", site, "--json")
        let answer = try #require(try? JSONValue(parsing: result.output), "\(result.errors)")
        let row = answer["data"]?[0] ?? answer[0]
        let outcome = row?["outcome"]?.string ?? ""
        guard outcome == "refused" else {
          return (result.code, outcome, row?["problem"]?.string ?? "", row?["removed"]?.int)
        }
        await Task.yield()
      }
    }
  }

  private func running(_ body: (Bench) async throws -> Void) async throws {
    let time = HandClock(Timestamp("2026-11-22T12:00:00+00:00")!.instant)
    let world = try DemoWorld(time: time)
    let server = DemoServer(world, time: EventLoop.time)
    let address = try server.listen(on: .loopback())
    try await ServiceRig.run(ScraperService.program, flags: ["private-hosts": "\(address)"], time: time) { rig in
      let socket = try rig.environment.data.adminSocket(of: "scraper")
      let client = ServiceClient(of: ScraperAPI.self, at: [.address(socket)])
      try await body(Bench(rig: rig, world: world, base: "http://\(address)", client: client, address: address))
    }
    await server.drain()
  }

  /// The way of the README: a page is saved and looked at, a rule proposed, checked, tried, added, enabled and run.
  @Test("from a page that nobody configured to a programme that is served")
  func walk() async throws {
    try await running { bench in
      let (rig, folder) = (bench.rig, bench.rig.folder)
      let url = "\(bench.base)/sites/rio/whats-on"
      let html = String(decoding: try await bench.page("/sites/rio/whats-on"), as: UTF8.self)
      let page = try folder.write(html, to: "page.html")
      let at = ["--at", "2026-11-22T12:00:00Z"]

      let extracted = await rig.command(["extract", page, "--url", url, "--zone", "Europe/London", "--json"] + at)
      let found = try JSONValue(parsing: extracted.output)["screenings"]?.array ?? []
      #expect(extracted.code == .done && found.count > 10, "\(extracted.errors)")
      #expect(found.first?["starts_at"]?.string?.hasPrefix("2026-1") == true)

      let proposed = await rig.command(
        ["rule", "new", page, "--url", url, "--site", "mine", "--cinema", "my-cinema", "--zone", "Europe/London"] + at)
      #expect(proposed.code == .done, "\(proposed.errors)")
      // The same from the address itself, which is a machine of our own.
      let away = at + ["--zone", "Europe/London", "--private-host", "\(bench.address)"]
      let fetched = await rig.command(["extract", url, "--json"] + away)
      #expect(try JSONValue(parsing: fetched.output)["screenings"]?.array == found, "\(fetched.errors)")
      let stranger = await rig.command(["extract", url])
      #expect(stranger.code == .failed, "nobody else's private machines are asked")
      #expect(!extracted.errors.contains("in UTC") && stranger.errors.contains("are taken to be in UTC"))
      #expect(stranger.errors.contains("--private-host \(bench.address)"), "\(stranger.errors)")
      let again = await rig.command(["rule", "new", url, "--site", "mine", "--cinema", "my-cinema"] + away)
      #expect(again.output == proposed.output, "\(again.errors)")

      let file = try folder.write("// what was proposed\n" + proposed.output, to: "mine.jsonc")
      let checked = await rig.command("rule", "check", file)
      #expect(checked.code == .done && checked.output.contains("mine: rule"), "\(checked.output)")
      #expect(await rig.command("rule", "fmt", file).output == proposed.output, "what is proposed has the form already")
      let tried = await rig.command(["rule", "test", file, page] + at)
      #expect(tried.code == .done && tried.errors.contains("✔"), "\(tried.errors)")

      // Without rules of its zone a site could not even be listed, so it is not taken.
      let misspelt = try folder.write(
        proposed.output.replacing("Europe/London", with: "Europe/Londn"), to: "zone.jsonc")
      let unruly = await rig.command("rule", "check", misspelt)
      #expect(unruly.code == .degraded && unruly.output.contains("Europe/Londn"), "\(unruly.output)")
      let untaken = await rig.command("site", "add", misspelt)
      #expect(untaken.code != .done && untaken.errors.contains("Europe/Londn"), "\(untaken.errors)")

      let added = await rig.command("site", "add", file, "--json")
      #expect(added.code == .done, "\(added.errors)")
      let refused = await rig.command("run", "mine")
      #expect(refused.code != .done && refused.errors.contains("disabled"))
      #expect(try await bench.json("site", "enable", "mine")["enabled"]?.bool == true)
      // What is mended and added again goes on.
      #expect(await rig.command("site", "add", file).code == .done)
      #expect(try await bench.json("site", "get", "mine")["enabled"]?.bool == true)
      #expect(await rig.command("run", "my-cinema").errors.contains("no site my-cinema; did you mean mine?"))
      let run = try await bench.run("mine")
      #expect(run.code == .done && ["published", "same"].contains(run.outcome), "\(run)")
      try await bench.published("my-cinema")

      let days = try await bench.client.call(CinemaDays(cinemas: [CinemaID("my-cinema")!], days: 14))
      #expect(days.first?.days.contains { $0.status == .open } == true)
      let shown = days.first?.days.reduce(0) { $0 + $1.showtimes } ?? 0
      let known = try #require(bench.world.cinema("rio"))
      let listed = bench.world.days(of: known).flatMap(\.shows).count
      #expect(shown == listed, "the page has \(listed) showings")
    }
  }

  @Test("where no rule is needed a site file without one is proposed; where nothing can be, what to try is told")
  func proposals() async throws {
    try await running { bench in
      let (rig, folder) = (bench.rig, bench.rig.folder)
      let rest = ["--url", "https://a.example/now", "--zone", "Europe/London", "--at", "2026-11-22T12:00:00Z"]
      let told = try folder.write(
        """
        <script type="application/ld+json">{ "@context": "https://schema.org", "@type": "ScreeningEvent",
        "name": "Monster", "startDate": "2026-12-01T19:30:00+00:00",
        "location": { "@type": "MovieTheater", "name": "Rio" } }</script>
        """, to: "told.html")
      let needless = await rig.command(["rule", "new", told] + rest)
      #expect(needless.code == .done && needless.errors.contains("by json-ld"), "\(needless.errors)")
      let file = try folder.write(needless.output, to: "told.jsonc")
      #expect(await rig.command("rule", "check", file).output.contains("new-site: structured"))

      let empty = try folder.write(
        #"<p>Hello</p><a href="webcal://a.example/all.ics">all</a><a href="/more.ics?x=1">more</a>"#, to: "empty.html")
      let none = await rig.command(["rule", "new", empty] + rest)
      #expect(none.code == .notFound && none.output.isEmpty)
      #expect(none.errors.contains("leads to a feed: https://a.example/more.ics?x=1"), "\(none.errors)")
      #expect(
        none.errors.contains("try: odi-scraper rule new 'https://a.example/")
          || none.errors.contains(
            "try: odi-scraper rule new https://a.example/all.ics --zone Europe/London"),
        "\(none.errors)")
      let times = try folder.write("<p>Nothing 19:30</p>", to: "times.html")
      let dead = await rig.command(["rule", "new", times] + rest)
      #expect(dead.code == .notFound && dead.errors.contains("--explain"), "\(dead.errors)")
      let explained = await rig.command(["extract", times, "--explain"] + rest)
      #expect(explained.errors.contains("html refused at"), "\(explained.errors)")
    }
  }

  @Test("the doctor names sites that are broken or held back, with the command to look further; ids are completed")
  func sitesCheck() async throws {
    try await running { bench in
      try await add(Self.cinema, bench)
      let words = ["doctor", "--json"]
      func sites() async throws -> JSONValue? {
        let said = await bench.rig.command(words)
        return try JSONValue(parsing: said.output)["data"]?.array?.first { $0["check"]?.string == "sites" }
      }
      #expect(try await sites()?["verdict"]?.string == "ok")
      bench.world.knobs.turn(.empty, at: Self.cinema)
      #expect(try await bench.run(Self.cinema).outcome == "broken")
      let broken = try await sites()
      #expect(broken?["verdict"]?.string == "problem" && broken?["finding"]?.string == "broken: \(Self.cinema)")
      #expect(broken?["remedy"]?.string == "odi-scraper explain \(Self.cinema)")
      #expect(await bench.rig.command("quarantine", Self.cinema).code == .done)
      #expect(try await sites()?["finding"]?.string == "held back: \(Self.cinema)")
    }
  }

  /// A site with a calendar, published once.
  private func add(_ id: String, _ bench: Bench, enabled: Bool = true) async throws {
    let directory = try JSONValue(parsing: String(decoding: try await bench.page("/directory.json"), as: UTF8.self))
    let known = try #require(directory["cinemas"]?.array?.first { $0["id"]?.string == id })
    let file = try bench.rig.folder.write(
      """
      { "site": "\(id)", "cinema": "\(id)", "zone": "Europe/London", "adapter": "ics",
        "start": \(String(decoding: (known["start"] ?? []).json, as: UTF8.self)), "enabled": \(enabled) }
      """, to: "\(id).jsonc")
    let added = await bench.rig.command("site", "add", file)
    #expect(added.code == .done, "\(added.errors)")
    if enabled { try await bench.published(id) }
  }

  @Test("an operator sees what a visit found, the pages themselves, and what two visits found differently")
  func looking() async throws {
    try await running { bench in
      try await add(Self.cinema, bench)
      let rig = bench.rig
      #expect(try await bench.json("site", "get", Self.cinema)["state"]?.string == "ok")
      #expect(await rig.command("explain", Self.cinema).code == .done)
      #expect(try await bench.rows("visits", Self.cinema).first?["outcome"]?.string == "published")
      #expect(try await bench.rows("test", Self.cinema).count > 5)
      #expect(await rig.command("robots", "\(bench.base)/sites/\(Self.cinema)/").code == .done)
      let dead = await rig.command("robots", "http://127.0.0.1:9/")
      #expect(dead.code == .failed && dead.errors.contains("robots.txt of http://127.0.0.1:9 cannot"), "\(dead.errors)")
      let nobody = await rig.command("site", "get", "nobody")
      #expect(nobody.code == .notFound && nobody.errors.contains("try: odi-scraper site list"), "\(nobody.errors)")
      let none = rig.folder.file("none")
      for words in [["site", "add", none], ["rule", "fmt", none], ["rule", "new", none], ["extract", none]] {
        let missing = await rig.command(words)
        #expect(missing.code == .notFound && missing.errors.contains("cannot read \(none)"), "\(words): \(missing)")
      }
      let broken = await rig.command("extract", try rig.folder.write("[{\"a\": ", to: "broken.json"), "--json")
      #expect(broken.code == .failed && broken.errors.contains("is no JSON"), "\(broken)")
      #expect(broken.output.contains("\"screenings\":[]"))

      let snapshot = try #require(try await bench.rows("snapshot", "list", Self.cinema).first?["snapshot"]?.string)
      let shown = await rig.command("snapshot", "show", String(snapshot.prefix(10)))
      #expect(shown.code == .done && shown.output.contains("BEGIN:VCALENDAR"))
      let file = rig.folder.file("page.out")
      #expect(await rig.command("snapshot", "export", snapshot, file).code == .done)
      #expect(try SiteFolder.contents(of: file) == Array(shown.output.utf8))
      #expect(await rig.command("snapshot", "export", snapshot, file).code == .failed, "nothing is written over")
      #expect(await rig.command("snapshot", "show", "zz").errors.contains("names no snapshot"))
      #expect(await rig.command("snapshot", "prune", "--dry-run").errors.contains("0 pages could go"))
      let hours = await rig.command("snapshot", "prune", "--keep", "23h", "--yes")
      #expect(hours.code == .usage && hours.errors.contains("whole days"), "\(hours.errors)")

      _ = try bench.world.change(.cancel, at: Self.cinema)
      #expect(try await bench.run(Self.cinema).removed == 1)
      #expect(try await bench.rows("diff", Self.cinema).contains { $0["change"]?.string == "−" })
      #expect(await rig.command("run", Self.cinema, "--offline", "--dry-run").code == .done)
    }
  }

  @Test("what scripts read of its answers is there, by its name and of its kind")
  func golden() async throws {
    try await running { bench in
      try await add(Self.cinema, bench)
      _ = try bench.world.change(.cancel, at: Self.cinema)
      #expect(try await bench.run(Self.cinema).removed == 1)
      #expect(await bench.rig.command("host", "pause", "www.cinema.example").code == .done)
      let calendar = try bench.rig.folder.write(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20261122T193000Z\r\n"
          + "DTEND:20261122T213000Z\r\nSUMMARY:Tokyo Story\r\nLOCATION:Screen 1\r\nURL:https://a.example/1\r\n"
          + "END:VEVENT\r\nEND:VCALENDAR\r\n", to: "one.ics")
      let broken = try await bench.rig.broken(
        "scraper",
        [
          ("status", ["status"]), ("site-list", ["site", "list"]), ("site-get", ["site", "get", Self.cinema]),
          ("visits", ["visits", Self.cinema]), ("diff", ["diff", Self.cinema]), ("test", ["test", Self.cinema]),
          ("explain", ["explain", Self.cinema]), ("run", ["run", Self.cinema, "--offline", "--dry-run"]),
          ("snapshot-list", ["snapshot", "list", Self.cinema]), ("host-list", ["host", "list"]),
          ("unmatched", ["unmatched"]), ("robots", ["robots", "\(bench.base)/sites/\(Self.cinema)/"]),
          ("extract", ["extract", calendar, "--zone", "Europe/London"]),
        ])
      #expect(broken == [])
    }
  }

  @Test("an operator holds a site back, lets it go on, and believes what looks wrong")
  func judging() async throws {
    try await running { bench in
      try await add(Self.cinema, bench)
      let rig = bench.rig
      #expect(try await bench.json("quarantine", Self.cinema)["quarantined"]?.bool == true)
      #expect(try await bench.run(Self.cinema).outcome == "quarantined")
      let approved = try await bench.json("approve", Self.cinema)
      #expect(approved["next"]?.string?.contains("12:00") == true, "it is looked at now: \(approved)")
      #expect(approved["quarantined"]?.bool == false && approved["problem"]?.isNull == true, "\(approved)")
      try await bench.state("ok", of: Self.cinema)

      bench.world.knobs.turn(.empty, at: Self.cinema)
      let emptied = try await bench.run(Self.cinema)
      #expect(emptied.code == .failed && emptied.outcome == "broken", "\(emptied)")
      let explained = await rig.command("explain", Self.cinema, "--json")
      #expect(explained.code == .degraded && explained.output.contains("odi-scraper approve \(Self.cinema)"))
      #expect(explained.output.contains("icalendar finds 0 (was "), "\(explained.output)")
      #expect(await rig.command("approve", Self.cinema).code == .done)
      try await bench.state("ok", of: Self.cinema)
      #expect(try await bench.json("site", "get", Self.cinema)["showtimes"]?.int == 0, "it was believed")

      #expect(await rig.command("host", "pause", "127.0.0.1").code == .done)
      #expect(try await bench.run(Self.cinema).problem.contains("operator"))
      #expect(await rig.command("host", "resume", "127.0.0.1").code == .done)
      #expect(try await bench.rows("host", "list").isEmpty)
      #expect(await rig.command("host", "pause", "www.cinema.co.kr").code == .done)
      #expect(try await bench.rows("host", "list").map { $0["host"]?.string } == ["cinema.co.kr"])
      #expect(await rig.command("host", "pause", "no host").errors.contains("no host"))
      #expect(await rig.command("host", "resume", "https://cinema.co.kr/a").code == .done)
      #expect(try await bench.rows("host", "list").isEmpty)

      // Whoever watches hears what an operator did.
      for (deed, state) in [("quarantine", "quarantined"), ("approve", nil), ("disable", "disabled")] {
        let before = try await bench.revision()
        let words = deed == "disable" ? ["site", deed, Self.cinema] : [deed, Self.cinema]
        #expect(await rig.command(words).code == .done)
        let source = try await bench.source(after: before)
        #expect(source.id == Self.cinema && (state == nil || source.state.rawValue == state), "\(deed): \(source)")
        if deed == "approve" { try await bench.state("ok", of: Self.cinema) }
      }
      #expect(await rig.command("run", "--all").output.isEmpty)
      #expect(await rig.command("run", "nobody").errors.contains("there is no site nobody"))
    }
  }

  @Test("what people know of films holds from then on, in every showing")
  func teaching() async throws {
    try await running { bench in
      try await add(Self.cinema, bench)
      let cinema = try #require(CinemaID(Self.cinema))
      let found = try await bench.client.call(FindShowtimes(cinemas: [cinema], limit: 500))
      let ids = Set(found.showtimes.compactMap(\.film)).sorted()
      let (kept, lost) = (try #require(ids.first), try #require(ids.last))
      let merged = await bench.rig.command("merge", kept.text, lost.text, "--yes", "--json")
      #expect(merged.code == .done, "\(merged.errors)")
      let after = try await bench.client.call(FilmsByID(ids: [kept, lost]))
      #expect(after.count == 2 && after[0].film.id == after[1].film.id, "both ids lead to one film")
      let shown = try await bench.client.call(FindShowtimes(cinemas: [cinema], limit: 500)).showtimes
      #expect(Set(shown.compactMap(\.film)).count == ids.count - 1)

      let title = try #require(shown.first { $0.film != after[0].film.id }?.title)
      let matched = try await bench.json("match", title, after[0].film.id.text)
      #expect(matched["showtimes"]?.int ?? 0 > 0)
      let taught = try await bench.client.call(FindShowtimes(cinemas: [cinema], limit: 500)).showtimes
      #expect(taught.filter { $0.title == title }.allSatisfy { $0.film == after[0].film.id })
      #expect(await bench.rig.command("match", title, "film_nobody").code == .notFound)
      #expect(await bench.rig.command("unmatched", "--json").code == .done)
    }
  }

  @Test("who adds or enables a site hears that nobody knows its cinema, and the doctor lists it; what was added can go")
  func unknownCinema() async throws {
    try await running { bench in
      let rig = bench.rig
      try await add(Self.cinema, bench)
      let unasked = await rig.command("site", "enable", Self.cinema)
      #expect(unasked.code == .done && unasked.errors.contains("odi-locator does not answer"), "\(unasked.errors)")
      let alone = await rig.command("doctor", "--tsv", "--fields", "check,finding,verdict")
      #expect(alone.output.contains("cinemas\todi-locator does not run"), "\(alone.output)")

      let router = RPCRouter(service: "locator")
      var known: [Cinema] = []
      router.on(CinemasByID.self) { (_: CinemasByID, _: borrowing CallContext) in known }
      let locator = RPCServer(router)
      try locator.listen(on: rig.environment.data.adminSocket(of: "locator"))
      let enabled = await rig.command("site", "enable", Self.cinema)
      #expect(enabled.code == .done && enabled.errors.contains("no cinema \(Self.cinema) is in the directory"))
      let found = await rig.command("doctor", "--tsv", "--fields", "check,finding,verdict")
      #expect(found.output.contains("cinemas\tnot in the directory: \(Self.cinema)\twarning"), "\(found.output)")
      known = [
        Cinema(
          id: CinemaID(Self.cinema)!, name: "Moss", country: "DE", region: "berlin",
          position: try Coordinate(latitude: 52.5, longitude: 13.4), zone: ZoneName("Europe/Berlin")!)
      ]
      let moved = await rig.command("site", "enable", Self.cinema)
      #expect(moved.code == .done && moved.errors.contains("the directory shows \(Self.cinema) in Europe/Berlin"))
      let elsewhere = await rig.command("doctor", "--tsv", "--fields", "check,finding,verdict")
      #expect(elsewhere.output.contains("another zone than the directory's: \(Self.cinema) in "), "\(elsewhere.output)")

      #expect(await rig.command("site", "rm", Self.cinema).code == .usage, "nobody is there who could be asked")
      let shown = try await bench.client.call(CinemaDays(cinemas: [CinemaID(Self.cinema)!], days: 14))
      #expect(shown.first?.days.contains { $0.showtimes > 0 } == true)
      let last = try await bench.client.call(
        CinemaDays(cinemas: [CinemaID(Self.cinema)!], from: CivilDate.last, days: 14))
      #expect(last.first?.days.map(\.date) == [.last], "after the last day there is none")
      let removed = await rig.command("site", "rm", Self.cinema, "--yes")
      #expect(removed.code == .done, "\(removed.errors)")
      #expect(await rig.command("site", "get", Self.cinema).code == .notFound)
      let gone = try await bench.client.call(CinemaDays(cinemas: [CinemaID(Self.cinema)!], days: 14))
      #expect(!gone.contains { $0.days.contains { $0.showtimes > 0 } })
      let shipped = try await bench.rows("site", "list").first { $0["origin"]?.string == "shipped" }
      let kept = await rig.command("site", "rm", shipped?["site"]?.string ?? "", "--yes")
      #expect(kept.code == .conflict && kept.errors.contains("comes with the program"), "\(kept.errors)")
      await locator.drain()
    }
  }

  @Test("a folder of site files is read again when the service is told to, and a broken file takes nothing away")
  func files() async throws {
    try await running { bench in
      try await add(Self.cinema, bench)
      let rig = bench.rig
      let start = try #require(try await bench.json("site", "get", Self.cinema)["file"]?["start"])
      @MainActor func write(_ text: String) throws { _ = try rig.folder.write(text, to: "sites/rio.jsonc") }
      let head = #""site": "files", "cinema": "files", "zone": "Europe/London", "adapter": "ics""#
      try write("{ \(head), \"enabled\": true, \"start\": \(String(decoding: start.json, as: UTF8.self)) }")
      rig.environment.reload(rig.environment.configuration)
      try await bench.published("files")
      #expect(await rig.command("site", "disable", "files").errors.contains("the file of files says"))

      try write("{ this is no file")
      rig.environment.reload(rig.environment.configuration)
      while !rig.log.lines.contains(where: { $0.contains("a site file is wrong") }) {
        try await EventLoop.time.sleep(for: .milliseconds(2))
      }
      #expect(try await bench.json("site", "get", "files")["state"]?.string == "ok")
      let doctor = await rig.command("doctor", "--tsv", "--fields", "check,finding,verdict")
      #expect(doctor.output.contains("rio.jsonc: ") && doctor.output.contains("problem"), "\(doctor.output)")
    }
  }

  @Test("a watcher gets what it missed once and in order; one from another life of the log begins anew")
  func watching() async throws {
    try await running { bench in
      try await add(Self.cinema, bench)
      _ = try bench.world.change(.cancel, at: Self.cinema)
      _ = try await bench.run(Self.cinema)
      func first(_ since: Int64?) async throws -> ScheduleEvent {
        for try await event in try await bench.client.stream(ScheduleEvents(since: since)) { return event }
        throw RPCError(.internal, "the stream ended")
      }
      let now = try await first(nil).revision
      #expect(now > 2)
      for since in [0, now - 2] {
        var seen: [Int64] = []
        for try await event in try await bench.client.stream(ScheduleEvents(since: since)) {
          if event.change != nil || event.source != nil { seen.append(event.revision) }
          if event.revision >= now { break }
        }
        #expect(seen == Array((since + 1)...now))
      }
      let future = try await first(now + 100)
      #expect(future.isReset == true && future.revision == now)
      #expect(try await first(-1).isReset == true)
    }
  }

  @Test("what is asked for beyond the limits is refused with a sentence")
  func limits() async throws {
    try await running { bench in
      func refusal<Request: RPCRequest>(_ request: Request) async -> String where Request.Service == ScraperAPI {
        do throws(RPCError) {
          _ = try await bench.client.call(request)
          return "answered"
        } catch { return error.message }
      }
      let many = (0...100).map { CinemaID("c\($0)")! }
      #expect(await refusal(CinemaDays(cinemas: many, days: 1)) == "101 cinemas; give at most 100")
      #expect(await refusal(CinemaDays(cinemas: [], days: 61)) == "days is 61; ask for 1...60")
      #expect(await refusal(FindShowtimes(limit: 0)) == "limit is 0; ask for 1...500")
      #expect(await refusal(FindShowtimes(after: "nonsense", limit: 1)).contains("begin without one"))
      let nobody = try await bench.client.call(CinemaDays(cinemas: [CinemaID("nobody")!], days: 1))
      #expect(nobody.first?.days.isEmpty == true && nobody.first?.source == nil)
    }
  }
}
