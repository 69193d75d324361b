package import Clocks
package import Contracts
package import RPC

/// The services behind a gateway, in this process and from memory: a small invented world on a given clock.
///
/// Each can be told to be down, slow or to wait for the test, and counts the calls that it saw cancelled.
@MainActor
package final class FakeWorld {
  package let locator: FakeLocator
  package let scraper: FakeScraper
  package let bookmarks: FakeBookmarks
  package let films: FakeFilms
  package let dining: FakeDining
  package let festivals: FakeTimetable
  package var timetable: any RPCClient<TimetableAPI> { festivals.client }
  package let radio: FakeRadio

  /// Of all of them, to be served over sockets.
  package var routers: [RPCRouter] {
    [
      locator.router, scraper.router, bookmarks.router, films.router, dining.router, festivals.router, radio.router,
    ]
  }

  package init(time: any TimeSource) {
    locator = FakeLocator(time: time)
    scraper = FakeScraper(cinemas: locator.ids, time: time)
    bookmarks = FakeBookmarks(time: time)
    films = FakeFilms(showing: scraper.films, time: time)
    dining = FakeDining(time: time)
    festivals = FakeTimetable(time: time)
    radio = FakeRadio(time: time)
  }
}

/// How a fake behaves towards its callers.
@MainActor
package final class FakeManners {
  /// What every call fails with.
  package var failure: RPCError?
  /// What calls of one name fail with.
  package var failures: [String: RPCError] = [:]
  /// Names of requests that wait until `open`.
  package var held: Set<String> = []
  /// The requests that came, by name, in their order.
  package private(set) var seen: [String] = []
  /// The marks that they carried.
  package private(set) var marks: [SupersedeMark?] = []
  package private(set) var keys: [IdempotencyKey?] = []
  package private(set) var deadlines: [Instant] = []
  package private(set) var cancelled: [String] = []
  /// Calls that wait.
  package var waiting: Int { gates.count }

  private var gates: [Gate] = []
  private var listeners: [CheckedContinuation<Void, Never>] = []

  @MainActor
  private final class Gate {
    var continuation: CheckedContinuation<Void, Never>?
    func open() {
      continuation?.resume()
      continuation = nil
    }
  }

  package init() {}

  func pass(_ name: String, _ context: CallContext) async throws {
    seen.append(name)
    marks.append(context.supersede)
    keys.append(context.key)
    deadlines.append(context.deadline)
    tell()
    if held.contains(name) { await hold() }
    if Task.isCancelled {
      cancelled.append(name)
      tell()
      throw CancellationError()
    }
    if let failure = failures[name] ?? failure { throw failure }
  }

  private func hold() async {
    let gate = Gate()
    gates.append(gate)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { return continuation.resume() }
        gate.continuation = continuation
        tell()
      }
    } onCancel: {
      Task { @MainActor in gate.open() }
    }
    gates.removeAll { $0 === gate }
  }

  /// Lets all go on that wait.
  package func open() {
    let gates = gates
    for gate in gates { gate.open() }
  }

  /// Waits until this holds; it is looked at whenever a call comes, waits or is cancelled.
  package func until(_ holds: () -> Bool) async {
    while !holds() {
      await withCheckedContinuation { listeners.append($0) }
    }
  }

  private func tell() {
    let woken = listeners
    listeners = []
    for listener in woken { listener.resume() }
  }
}

extension RPCRouter {
  /// A handler behind a fake's manners.
  func on<Request: RPCRequest>(
    _ type: Request.Type, _ manners: FakeManners, _ answer: @escaping @MainActor (Request) throws -> Request.Response
  ) {
    on(type) { (request: Request, context: CallContext) async throws -> Request.Response in
      try await manners.pass("\(type)", context)
      return try answer(request)
    }
  }
}
