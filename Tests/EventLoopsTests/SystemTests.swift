import Clocks
import EventLoops
import Glibc
import Testing

@Suite("Addresses")
struct AddressTests {
  @Test(
    "strict forms are read and printed in their shortest form",
    arguments: [
      ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("::", "::"), ("1::", "1::"),
      ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
      ("::ffff:10.0.0.1", "::ffff:a00:1"), ("fe80::1", "fe80::1"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
    ])
  func reads(text: String, printed: String) {
    #expect(IPAddress(text)?.description == printed)
  }

  @Test(
    "loose forms are refused",
    arguments: [
      "", "127.1", "0x7f.0.0.1", "010.0.0.1", "256.0.0.1", "1.2.3", "1.2.3.4.5", ":::", ":1", "1:", "1::2::3",
      "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "::1.2.3", "g::", "1.2.3.4 ", "::1%lo",
    ])
  func refuses(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test("an address says what is wrong with it")
  func addresses() throws {
    #expect(try SocketAddress(parsing: "[::1]:80").description == "[::1]:80")
    #expect(try SocketAddress(parsing: "127.0.0.1:7101").port == 7101)
    #expect(try SocketAddress(parsing: "unix:/run/odi.sock") == .unix(path: "/run/odi.sock"))
    for text in [
      "", "localhost", "127.0.0.1:70000", "localhost:80", "unix:", "unix:/" + String(repeating: "x", count: 107),
    ] {
      #expect(throws: SocketError.self, "\(text)") { try SocketAddress(parsing: text) }
    }
  }
}

@Suite("The loop's clock")
@MainActor
struct LoopTimeTests {
  @Test("time in which something else kept the thread is known, and waiting is none of it")
  func inattention() async throws {
    let time = EventLoop.time
    let clock = ContinuousClock()
    let before = (inattention: time.inattention, idle: EventLoop.idle, clock: clock.now)
    while clock.now - before.clock < .milliseconds(200) {}
    try await time.sleep(for: .milliseconds(300))
    let kept = time.inattention - before.inattention
    #expect(kept >= .milliseconds(200))
    // Other tests keep the thread too. Turns count from 50 ms on, and then also what they did before this test began.
    let busy = clock.now - before.clock - (EventLoop.idle - before.idle)
    #expect(kept <= busy + .milliseconds(50))
  }

  @Test("a timer that is set late in a long turn waits as long as was said")
  func lateInTurn() async throws {
    let clock = ContinuousClock()
    try await EventLoop.time.sleep(for: .zero)
    let began = clock.now
    while clock.now - began < .milliseconds(300) {}
    let set = clock.now
    try await EventLoop.time.sleep(for: .milliseconds(200))
    #expect(clock.now - set >= .milliseconds(200))
  }

  @Test("timers fire in order of their time, cancelled ones never")
  func order() async throws {
    var fired: [Int] = []
    let time = EventLoop.time
    await withCheckedContinuation { continuation in
      time.after(.milliseconds(6)) {
        fired.append(3)
        continuation.resume()
      }
      time.after(.milliseconds(4)) { fired.append(2) }
      time.after(.milliseconds(3)) { fired.append(9) }.cancel()
      time.after(.milliseconds(2)) { fired.append(1) }
    }
    #expect(fired == [1, 2, 3])
  }

  @Test("a hundred thousand cancelled deadlines leave the living ones in order")
  func manyCancelled() async {
    let time = EventLoop.time
    var fired: [Int] = []
    for _ in 0..<100_000 { time.after(.seconds(3_600)) { fired.append(-1) }.cancel() }
    await withCheckedContinuation { continuation in
      for number in (0..<50).reversed() {
        time.after(.microseconds(100 * number)) {
          fired.append(number)
          if fired.count == 50 { continuation.resume() }
        }
      }
    }
    #expect(fired == Array(0..<50))
  }

  @Test("a sleep that is cancelled ends at once")
  func cancelledSleep() async {
    let task = Task { try await EventLoop.time.sleep(for: .seconds(3_600)) }
    await Task.yield()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("a manual clock fires what comes due on the way")
  func manual() {
    let time = ManualTime()
    var fired: [String] = []
    _ = time.after(.seconds(2)) { fired.append("second") }
    _ = time.after(.seconds(1)) {
      fired.append("first")
      _ = time.after(.milliseconds(500)) { fired.append("between") }
    }
    time.after(.seconds(1)) { fired.append("never") }.cancel()
    let start = time.wall
    time.advance(by: .seconds(3))
    #expect(fired == ["first", "between", "second"])
    #expect(time.wall.milliseconds - start.milliseconds == 3_000)
    #expect(time.pending == 0)
  }

  @Test("an instant saturates instead of wrapping")
  func saturation() {
    #expect(Instant(nanoseconds: .max - 5) + .seconds(10) == .distantFuture)
    #expect(Instant(nanoseconds: 5) - .seconds(10) == Instant(nanoseconds: 0))
    #expect(Instant(nanoseconds: 5) - Instant(nanoseconds: 7) == .nanoseconds(-2))
  }
}

@Suite("The operating system's side")
@MainActor
struct SystemTests {
  @Test("a child's output and its exit arrive")
  func child() async throws {
    var output: [UInt8] = []
    var ended = false
    let child = try ChildProcess(
      "/bin/sh", ["-c", "echo $WORD; exit 3"], environment: ["WORD": "어디"],
      output: .pipe { bytes in
        output += bytes
        ended = bytes.isEmpty
      })
    #expect(await child.wait() == .code(3))
    while !ended { await Turn.next() }
    #expect(String(decoding: output, as: UTF8.self) == "어디\n")
  }

  @Test("a child that is told to stop says by which signal it ended")
  func killed() async throws {
    let child = try ChildProcess("/bin/sleep", ["60"], output: .discard, errors: .discard)
    child.send(.terminate)
    #expect(await child.wait() == .signal(15))
  }

  @Test("a child can have a session of its own, and write to a file of ours")
  func ownSession() async throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    // The sixth field of its status is its session.
    let child = try ChildProcess(
      "/bin/sh", ["-c", "cut -d' ' -f6 /proc/$$/stat"], output: .file(ends[1]), ownSession: true)
    #expect(await child.wait() == .code(0))
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(ends[0], &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) == "\(child.id)\n")
  }

  @Test("who asks for a signal at a parent's end learns that it has gone already")
  func parentGone() {
    #expect(Signals.send(.terminate, whenParentEnds: getppid()))
    #expect(!Signals.send(.terminate, whenParentEnds: getpid()))
  }

  @Test("a program that does not exist is an error, not a child")
  func noProgram() {
    #expect(throws: SocketError.self) { try ChildProcess("/nonexistent/program", []) }
  }

  @Test("a signal is heard on the loop until it is no longer listened for")
  func signals() async {
    await withCheckedContinuation { continuation in
      var watch: SignalWatch?
      watch = Signals.on(.user2) { signal in
        #expect(signal == .user2 && EventLoop.isCurrent)
        watch?.stop()
        continuation.resume()
      }
      kill(getpid(), SIGUSR2)
    }
  }

  @Test("a name resolves, a numeric one without asking, and nonsense is refused with a sentence")
  func resolver() async throws {
    let local = try await Resolver.addresses(of: "localhost", port: 80)
    #expect(local.contains { $0.isLocal })
    #expect(try await Resolver.addresses(of: "10.1.2.3", port: 9) == [.ip(IPAddress("10.1.2.3")!, port: 9)])
    await #expect(throws: SocketError.self) { try await Resolver.addresses(of: "", port: 80) }
    await #expect(throws: SocketError.self) { try await Resolver.addresses(of: "no-such-name.invalid", port: 80) }
  }
}

@Suite("Timers and sockets")
@MainActor
struct FairnessTests {
  @Test("a task that sleeps for nothing again and again does not keep the loop from what comes in")
  func zeroSleeps() async throws {
    let child = try ChildProcess("/bin/true", [])
    var isOver = false
    let waiting = Task { @MainActor in
      _ = await child.wait()
      isOver = true
    }
    // Each sleep is a turn of the loop; without turns for others this never ends.
    var naps = 0
    while !isOver, naps < 100_000 {
      try await EventLoop.time.sleep(for: .zero)
      naps += 1
    }
    #expect(isOver)
    await waiting.value
  }
}
