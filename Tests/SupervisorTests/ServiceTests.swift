import Clocks
import EventLoops
import Observability
import ServiceKit
import Supervisor
import Testing

/// A process that ends when the test says so.
@MainActor
private final class FakeProcess: RunningProcess {
  nonisolated let id: Int32
  private(set) var signals: [Signal] = []
  private var exit: ChildProcess.Exit?
  private var waiter: UnsafeContinuation<ChildProcess.Exit, Never>?
  var endsWhenTold = true

  init(id: Int32) { self.id = id }

  func send(_ signal: Signal) {
    signals.append(signal)
    if signal == .kill { end(.signal(9)) } else if endsWhenTold, signal == .terminate { end(.code(0)) }
  }

  func end(_ exit: ChildProcess.Exit) {
    self.exit = exit
    waiter?.resume(returning: exit)
    waiter = nil
  }

  func wait() async -> ChildProcess.Exit {
    if let exit { return exit }
    return await withUnsafeContinuation { waiter = $0 }
  }
}

/// Starts fake processes, and remembers them.
@MainActor
private final class FakeHost {
  var processes: [FakeProcess] = []
  /// Starts that fail before one succeeds.
  var failures = 0
  private(set) var failed = 0
  /// How often it was asked whether one is ready.
  private(set) var asked = 0
  var answer = ReadyAnswer.ready
  /// Of those that do not give that one.
  var answers: [SuiteMember: ReadyAnswer] = [:]

  var host: ProcessHost {
    ProcessHost(
      start: { [self] _, _ in
        if failures > 0 {
          failures -= 1
          failed += 1
          throw SocketError(.unreachable, "cannot start it: no such file or directory")
        }
        processes.append(FakeProcess(id: Int32(processes.count + 1)))
        return processes.last!
      },
      isReady: { [self] plan in
        asked += 1
        return answers[plan.member] ?? answer
      })
  }
}

@Suite("A supervised service")
@MainActor
struct SupervisedServiceTests {
  private let time = ManualTime()
  private let fakes = FakeHost()
  private let sink = RecordingSink()

  private func service(_ member: SuiteMember = .locator) -> SupervisedService {
    let log = Log(to: sink, as: .json, level: .debug, clock: { 0 })
    let plan = ServicePlan(
      member: member, executable: "/nowhere", address: "127.0.0.1:1", operations: .loopback(port: 1))
    return SupervisedService(plan, host: fakes.host, time: time, log: log) { _ in }
  }

  /// Lets what is ready happen, until it is so; virtual time stands still.
  private func until(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<1_000 where !condition() {
      await withUnsafeContinuation { continuation in EventLoop.atEndOfTurn { continuation.resume() } }
    }
    return condition()
  }

  @Test("is started again after each end: at once, then after pauses that double up to ten seconds")
  func restarts() async {
    let service = service()
    service.start()
    var pauses: [Duration] = []
    for life in 1...9 {
      #expect(await until { service.state == .ready && fakes.processes.count == life })
      fakes.processes.last!.end(.signal(9))
      let before = time.now
      #expect(await until { fakes.processes.count > life || service.state == .resting })
      while fakes.processes.count == life {
        guard let due = time.nextDue else { break }
        time.advance(by: due - time.now)
        _ = await until { fakes.processes.count > life }
      }
      pauses.append(time.now - before)
    }
    #expect(
      pauses == [.zero] + [200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000].map { .milliseconds($0) })
    #expect(service.restarts == 9)
    await service.stop()
  }

  @Test("that lived half a minute is started again at once")
  func steady() {
    var policy = RestartPolicy()
    #expect(policy.rest(afterLivingFor: .seconds(1)) == .zero)
    #expect(policy.rest(afterLivingFor: .seconds(1)) == .milliseconds(200))
    #expect(policy.rest(afterLivingFor: .seconds(30)) == .zero)
    for _ in 0..<200 { #expect(policy.rest(afterLivingFor: .zero) <= .seconds(10)) }
  }

  @Test("that cannot be started for a while is started when it can be, after the same pauses")
  func cannotBeStarted() async {
    let service = service()
    service.start()
    #expect(await until { service.state == .ready })
    fakes.failures = 3
    fakes.processes[0].end(.signal(9))
    for (failed, pause) in zip(1..., [Duration.milliseconds(200), .milliseconds(400), .milliseconds(800)]) {
      #expect(await until { fakes.failed == failed && time.nextDue == time.now + pause })
      #expect(service.state == .resting && service.problem == "cannot start it: no such file or directory")
      time.advance(by: pause)
    }
    #expect(await until { service.state == .ready })
    #expect(fakes.failed == 3 && fakes.processes.count == 2 && service.problem == nil)
    await service.stop()
  }

  @Test("that cannot be started three times before it was ready is given up, and is started again when somebody asks")
  func restartOfFailed() async {
    fakes.failures = 3
    let service = service()
    service.start()
    #expect(await until { fakes.failed == 2 && time.nextDue != nil })
    time.advance(by: .seconds(10))
    #expect(await until { service.state == .failed })
    #expect(fakes.failed == 3 && fakes.processes.isEmpty)
    service.restart()
    #expect(await until { service.state == .ready })
    await service.stop()
    #expect(service.state == .stopped)
  }

  @Test("that rests is started at once when somebody asks")
  func restartOfResting() async {
    let service = service()
    service.start()
    for life in 1...2 {
      #expect(await until { service.state == .ready && fakes.processes.count == life })
      fakes.processes.last!.end(.signal(9))
    }
    #expect(await until { service.state == .resting })
    service.restart()
    #expect(await until { service.state == .ready && fakes.processes.count == 3 })
    await service.stop()
  }

  @Test("whose settings are wrong is not started again, and says why")
  func usageError() async {
    fakes.answer = .silent
    let service = service()
    service.start()
    #expect(await until { fakes.processes.count == 1 })
    fakes.processes[0].end(.code(2))
    #expect(await until { service.state == .failed })
    #expect(service.problem == "exited with 2 before it was ready")
    #expect(fakes.processes.count == 1)
  }

  @Test("that ends three times before it was ready is given up")
  func neverReady() async {
    fakes.answer = .notReady("db is being opened")
    let service = service()
    service.start()
    for life in 1...3 {
      #expect(await until { fakes.processes.count == life && service.problem == "db is being opened" })
      fakes.processes.last!.end(.signal(11))
      #expect(await until { service.state != .starting || fakes.processes.count > life })
      if service.state == .resting { time.advance(by: .seconds(10)) }
    }
    #expect(await until { service.state == .failed })
    #expect(fakes.processes.count == 3)
  }

  @Test("that has once been ready is never given up")
  func neverGivenUp() async {
    let service = service()
    service.start()
    for life in 1...5 {
      #expect(await until { service.state == .ready && fakes.processes.count == life })
      fakes.processes.last!.end(.code(2))
      #expect(await until { service.state == .resting || fakes.processes.count > life })
      time.advance(by: .seconds(10))
    }
    #expect(await until { service.state == .ready })
    await service.stop()
    #expect(service.state == .stopped)
  }

  @Test("that is no longer ready is shown so, and is left alone")
  func notReady() async {
    let service = service()
    service.start()
    #expect(await until { service.state == .ready })
    fakes.answer = .notReady("disk is full")
    time.advance(by: .seconds(2))
    #expect(await until { service.state == .notReady })
    #expect(service.problem == "disk is full" && service.restarts == 0)
    fakes.answer = .ready
    time.advance(by: .seconds(2))
    #expect(await until { service.state == .ready && service.problem == nil })
    await service.stop()
  }

  @Test("that does not end when told is killed after half a minute")
  func deaf() async {
    let service = service()
    service.start()
    #expect(await until { service.state == .ready })
    let process = fakes.processes[0]
    process.endsWhenTold = false
    let stopping = Task { await service.stop() }
    #expect(await until { process.signals == [.terminate] })
    time.advance(by: .seconds(29))
    #expect(process.signals == [.terminate])
    time.advance(by: .seconds(1))
    await stopping.value
    #expect(process.signals == [.terminate, .kill] && service.state == .stopped)
  }

  @Test("that is to start again and does not end is killed after half a minute; that is no end by itself")
  func restartOfDeaf() async {
    let service = service()
    service.start()
    #expect(await until { service.state == .ready })
    let process = fakes.processes[0]
    process.endsWhenTold = false
    service.restart()
    service.restart()
    // A second one would end it at once, in the middle of its calls.
    #expect(await until { process.signals == [.terminate] } && service.state == .stopping)
    time.advance(by: SupervisedService.stopPatience - .seconds(1))
    #expect(process.signals.last == .terminate && service.state == .stopping)
    time.advance(by: .seconds(1))
    #expect(await until { fakes.processes.count == 2 && service.state == .ready })
    #expect(process.signals.last == .kill && service.restarts == 0)
    time.advance(by: SupervisedService.stopPatience)
    #expect(fakes.processes[1].signals.isEmpty, "the bound is of the one that was ended")
    await service.stop()
  }

  @Test("that is not ready for long is asked twice a second")
  func rarelyAsked() async {
    fakes.answer = .notReady("no disk")
    let service = service()
    service.start()
    #expect(await until { fakes.asked == 1 && time.nextDue == time.now + .milliseconds(20) })
    time.advance(by: .seconds(10))
    #expect(await until { fakes.asked == 2 && time.nextDue == time.now + .milliseconds(500) })
    await service.stop()
  }

  @Test("that rests is stopped without another start")
  func stopWhileResting() async {
    let service = service()
    service.start()
    for life in 1...2 {
      #expect(await until { service.state == .ready && fakes.processes.count == life })
      fakes.processes.last!.end(.signal(9))
    }
    #expect(await until { service.state == .resting })
    await service.stop()
    time.advance(by: .seconds(60))
    #expect(fakes.processes.count == 2 && service.state == .stopped)
  }

  @Test("the gateway is started when those that it asks are ready")
  func gatewayLast() async {
    fakes.answers[.films] = .notReady("the catalogue is being made")
    let supervisor = Supervisor([SuiteMember.locator, .films, .gateway].map { service($0) }, time: time)
    supervisor.start()
    #expect(await until { supervisor[.locator]?.state == .ready && supervisor[.films]?.problem != nil })
    #expect(fakes.processes.count == 2 && supervisor[.gateway]?.state == .waiting)
    fakes.answers = [:]
    time.advance(by: .seconds(1))
    #expect(await until { supervisor.isReady } && fakes.processes.count == 3)
    time.advance(by: Supervisor.patienceWithOthers)
    #expect(supervisor.isReady && fakes.processes.count == 3)
    await supervisor.stop()
  }

  @Test("the gateway is started without one that takes too long, and not when all are ended")
  func gatewayAlone() async {
    fakes.answers[.films] = .silent
    let (impatient, ending) = (
      Supervisor([service(.films), service(.gateway)], time: time),
      Supervisor([service(.films), service(.gateway)], time: time)
    )
    impatient.start()
    ending.start()
    await ending.stop()
    #expect(await until { impatient[.films]?.state == .starting && impatient[.gateway]?.state == .waiting })
    time.advance(by: Supervisor.patienceWithOthers)
    #expect(await until { impatient[.gateway]?.state == .ready })
    #expect(ending[.gateway]?.state == .stopped && ending[.gateway]?.process == nil)
    await impatient.stop()
  }

  @Test("services are ended one after the other, the last started first")
  func order() async {
    let members: [SuiteMember] = [.locator, .scraper, .gateway]
    let supervisor = Supervisor(members.map { service($0) }, time: time)
    supervisor.start()
    #expect(await until { supervisor.isReady })
    for process in fakes.processes { process.endsWhenTold = false }
    let stopping = Task { await supervisor.stop() }
    for process in fakes.processes.reversed() {
      #expect(await until { process.signals == [.terminate] })
      #expect(fakes.processes.filter { $0.id < process.id }.allSatisfy { $0.signals.isEmpty })
      process.end(.code(0))
    }
    await stopping.value
    #expect(supervisor.services.allSatisfy { $0.state == .stopped })
  }

  @Test(
    "an answer of /readyz is understood",
    arguments: [
      ("HTTP/1.1 200 OK\r\n\r\n[+]lifecycle ok\n", ReadyAnswer.ready),
      (
        "HTTP/1.1 503 Service Unavailable\r\nX: y\r\n\r\n[+]a ok\n[-]db is being opened\n[-]disk full\n",
        .notReady("db is being opened; disk full")
      ),
      ("HTTP/1.1 404 Not Found\r\n\r\n", .notReady("/readyz answers 404")), ("", .silent), ("SSH-2.0-x", .silent),
    ])
  func answers(text: String, answer: ReadyAnswer) {
    #expect(ReadyAnswer(answer: Array(text.utf8)) == answer)
  }
}
