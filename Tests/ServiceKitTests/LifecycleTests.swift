import Clocks
import Observability
import ServiceKit
import Testing

@MainActor
private final class Diary {
  var lines: [String] = []
}

/// Writes into the diary what is asked of it; each step can wait for the test or fail.
@MainActor
private final class Part: ServicePart {
  nonisolated let name: String
  private let diary: Diary
  var failsToStart = false
  var holdsStart = false
  var holdsDrain = false
  var holdsStop = false
  private var held: [CheckedContinuation<Void, Never>] = []

  init(_ name: String, _ diary: Diary) {
    self.name = name
    self.diary = diary
  }

  struct Refusal: Error {}

  func start() async throws {
    diary.lines.append("start \(name)")
    if holdsStart { await hold() }
    if failsToStart { throw Refusal() }
  }

  func drain() async {
    diary.lines.append("drain \(name)")
    if holdsDrain { await hold() }
    diary.lines.append("drained \(name)")
  }

  func stop() async {
    diary.lines.append("stop \(name)")
    if holdsStop { await hold() }
  }

  func letGo() {
    for continuation in held { continuation.resume() }
    held = []
  }

  private func hold() async { await withCheckedContinuation { held.append($0) } }
}

@Suite("Service lifecycle")
@MainActor
struct LifecycleTests {
  private let diary = Diary()
  private let time = ManualTime()
  private let readiness = Readiness()
  private let sink = RecordingSink()

  private func runner(_ parts: [Part], limits: LifecycleLimits = LifecycleLimits()) -> ServiceRunner {
    let log = Log(to: sink, as: .text(colour: false), clock: { 0 })
    return ServiceRunner(parts: parts, limits: limits, readiness: readiness, time: time, log: log)
  }

  private func parts(_ names: String...) -> [Part] { names.map { Part($0, diary) } }

  private func until(_ condition: () -> Bool) async {
    for _ in 0..<1_000 where !condition() { await Task.yield() }
    #expect(condition())
  }

  @Test("parts start in order and stop in reverse, after ready has been taken back")
  func goodLife() async {
    let runner = runner(parts("db", "rpc", "http"))
    let life = Task { await runner.run() }
    await until { readiness.state == .ready }
    runner.stop(.terminated)
    #expect(readiness.state == .draining)
    #expect(diary.lines == ["start db", "start rpc", "start http"])
    time.advance(by: .milliseconds(999))
    #expect(diary.lines.count == 3)
    time.advance(by: .milliseconds(1))
    #expect(await life.value == .done)
    #expect(
      Set(diary.lines[3..<9]).count == 6, "each part drains before any stops")
    #expect(diary.lines.suffix(3) == ["stop http", "stop rpc", "stop db"])
    #expect(time.pending == 0)
  }

  @Test("a part that does not start ends those before it, in reverse")
  func failingStart() async {
    let parts = parts("db", "rpc", "http", "never")
    parts[2].failsToStart = true
    #expect(await runner(parts).run() == .failed)
    #expect(diary.lines == ["start db", "start rpc", "start http", "stop rpc", "stop db"])
    #expect(readiness.state == .draining)
    #expect(sink.lines.contains { $0.contains("part did not start part=http") })
  }

  @Test("the first part's failure ends it at once, and a service without parts is ready")
  func corners() async {
    let first = parts("db")
    first[0].failsToStart = true
    #expect(await runner(first).run() == .failed)
    let empty = runner([])
    let life = Task { await empty.run() }
    await until { readiness.state == .ready }
    empty.stop()
    time.advance(by: .seconds(1))
    #expect(await life.value == .done)
  }

  @Test("calls that do not end are cut off at the bound")
  func drainBound() async {
    let parts = parts("db", "rpc")
    parts[1].holdsDrain = true
    let runner = runner(parts)
    let life = Task { await runner.run() }
    await until { readiness.state == .ready }
    runner.stop()
    time.advance(by: .seconds(1))
    await until { diary.lines.contains("drain rpc") }
    time.advance(by: .seconds(10))
    #expect(await life.value == .done)
    #expect(diary.lines.suffix(2) == ["stop rpc", "stop db"])
    #expect(sink.lines.contains { $0.contains("cut off") })
    parts[1].letGo()
  }

  @Test("a part that does not stop is left behind, and that is a failure")
  func stopBound() async {
    let parts = parts("db", "rpc")
    parts[1].holdsStop = true
    let runner = runner(parts)
    let life = Task { await runner.run() }
    await until { readiness.state == .ready }
    runner.stop()
    time.advance(by: .seconds(1))
    await until { diary.lines.contains("stop rpc") }
    time.advance(by: .seconds(5))
    #expect(await life.value == .failed)
    #expect(diary.lines.last == "stop db")
    parts[1].letGo()
  }

  @Test("the second signal ends it now, with its code")
  func impatience() async {
    let parts = parts("db")
    parts[0].holdsDrain = true
    let runner = runner(parts)
    let life = Task { await runner.run() }
    await until { readiness.state == .ready }
    runner.stop(.terminated)
    runner.stop(.interrupted)
    #expect(await life.value == .interrupted)
    #expect(!diary.lines.contains("stop db"))
    #expect(time.pending == 0)
  }

  @Test("a signal while starting lets the part finish its start and then ends in reverse")
  func signalWhileStarting() async {
    let parts = parts("db", "rpc", "http")
    parts[1].holdsStart = true
    let runner = runner(parts)
    let life = Task { await runner.run() }
    await until { diary.lines.contains("start rpc") }
    runner.stop()
    parts[1].letGo()
    #expect(await life.value == .done)
    #expect(diary.lines == ["start db", "start rpc", "stop rpc", "stop db"])
  }

  @Test("a part that dies while running ends the service in good order, as a failure")
  func dyingPart() async {
    let parts = parts("db", "rpc")
    let runner = runner(parts)
    let life = Task { await runner.run() }
    await until { readiness.state == .ready }
    runner.fail(parts[0], Part.Refusal())
    #expect(await life.value == .failed)
    #expect(diary.lines.suffix(2) == ["stop rpc", "stop db"])
  }

  @Test("readiness tells each condition, and one that is excluded is not asked")
  func readinessText() {
    readiness.add(Readiness.Condition("db") { nil })
    readiness.add(Readiness.Condition("disk") { "2 % left\nforged" })
    #expect(readiness.answer().text == "[-]lifecycle starting\n[+]db ok\n[-]disk 2 % left\\nforged\n")
    readiness.state = .ready
    #expect(!readiness.answer().isReady)
    let answer = readiness.answer(excluding: ["disk"])
    #expect(answer.isReady && answer.text == "[+]lifecycle ok\n[+]db ok\n")
  }
}
