import Calendars
import Clocks
import Contracts
import EventLoops
import RPC
import RPCTransport
import Scraper
import ServiceKit
import ServiceTestKit
import Testing

/// Who no longer wants an answer ends the work for it, down to the socket on which a site was being read.
@Suite("Ending a visit", .serialized, .timeLimit(.minutes(5)))
@MainActor
struct CancellationTests {
  /// A running scraper, asked over its socket, with sites that never end their answers.
  private func running(
    holdsRobots: Bool = false, _ body: (HeldSite, any RPCClient<ScraperAPI>) async throws -> Void
  ) async throws {
    let held = try HeldSite(holdsRobots: holdsRobots)
    try await ServiceRig.run(ScraperService.program, flags: ["private-hosts": "\(held.address)"]) { rig in
      let socket = try rig.environment.data.adminSocket(of: "scraper")
      let client = ServiceClient(of: ScraperAPI.self, at: [.address(socket)])
      for site in ["one", "two"] {
        let document = """
          { "site": "\(site)", "cinema": "\(site)", "zone": "Europe/London", "adapter": "structured",
            "start": ["\(held.url)/\(site)"], "enabled": false }
          """
        _ = try await client.call(AddSite(document: document))
      }
      try await body(held, client)
      client.close()
    }
    held.close()
  }

  private func run(_ site: String) -> RunSites {
    RunSites(sites: [site], isTrial: false, isForced: true, isOffline: false)
  }

  /// Begins to run a site, and returns when its page is being read.
  private func begin(
    _ site: String, _ held: HeldSite, _ client: any RPCClient<ScraperAPI>
  ) async throws -> Task<RPCError?, Never> {
    let request = run(site)
    let task = Task { @MainActor () -> RPCError? in
      do {
        for try await _ in try await client.stream(request) {}
        return nil
      } catch {
        return error as? RPCError ?? RPCError(.unknown, "\(error)")
      }
    }
    await held.asked(for: "/\(site)")
    #expect(held.isOpen("/\(site)"))
    return task
  }

  @Test("a run that is cancelled closes the connection to the site, and the site can be run again")
  func cancelled() async throws {
    try await running { held, client in
      let task = try await begin("one", held, client)
      task.cancel()
      await held.left(from: "/one")
      #expect(await task.value?.code == .cancelled)
      #expect(try await client.call(ListVisits(site: "one", limit: 1)).isEmpty, "nobody is blamed for it")
      // Its lease is given back as soon as the visit has wound up; until then a run is refused at once.
      while !held.isOpen("/one") {
        let again = Running(run("one"), client)
        while !held.isOpen("/one"), !again.isOver { await Task.yield() }
        again.task?.cancel()
      }
      await held.left(from: "/one")
    }
  }

  /// A run that somebody looks at now and then.
  @MainActor
  private final class Running {
    private(set) var isOver = false
    private(set) var task: Task<Void, Never>?

    init(_ request: RunSites, _ client: any RPCClient<ScraperAPI>) {
      task = Task { @MainActor in
        do { for try await _ in try await client.stream(request) {} } catch {}
        isOver = true
      }
    }
  }

  @Test("a run whose caller is gone closes the connection to the site")
  func callerGone() async throws {
    try await running { held, client in
      let task = try await begin("one", held, client)
      (client as? ServiceClient<ScraperAPI>)?.close()
      await held.left(from: "/one")
      #expect(await task.value != nil)
    }
  }

  @Test("a question that needs a page closes its connection when its pane asks something newer")
  func reading() async throws {
    try await running(holdsRobots: true) { held, client in
      let mark = SupersedeMark(session: 7, slot: 1, sequence: 1)
      let question = RobotsVerdict(url: "\(held.url)/one")
      let older = Task { @MainActor () -> RPCError? in
        do throws(RPCError) {
          _ = try await client.call(question, CallOptions(supersede: mark))
          return nil
        } catch {
          return error
        }
      }
      await held.asked(for: "/robots.txt")
      #expect(held.isOpen("/robots.txt"))
      let newer = SupersedeMark(session: 7, slot: 1, sequence: 2)
      _ = try await client.call(ListVisits(site: "one", limit: 1), CallOptions(supersede: newer))
      await held.left(from: "/robots.txt")
      #expect(await older.value?.code == .superseded)
    }
  }
}
