import Clocks
import EventLoops
import Observability
import RPC
import RPCTransport
import TestKit
import Testing

/// What callers rely on holds over every transport.
@Suite("Calls over every transport")
@MainActor
struct ConformanceTests {
  @Test("an empty text comes back empty, a long one whole", arguments: Transport.allCases)
  func unary(transport: Transport) async throws {
    let rig = try await Rig(transport)
    #expect(try await rig.client.call(Echo(text: "")) == "")
    let text = String(repeating: "어디 ", count: 1_000)
    #expect(try await rig.client.call(Echo(text: text)) == text)
    #expect(try await rig.client.call(SlowEcho(text: "slow", milliseconds: 2)) == "slow")
    await rig.close()
  }

  @Test("a message of a megabyte goes both ways", arguments: Transport.allCases)
  func large(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let answer = try await rig.client.call(
      Blob(bytes: Array(repeating: 7, count: 1 << 20), answer: 1 << 20), within: .seconds(60))
    #expect(answer.count == 1 << 20 && answer.allSatisfy { $0 == 7 })
    await rig.close()
  }

  @Test("large and small answers at once all arrive", arguments: Transport.overBytes)
  func interleaving(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let large = Task { @MainActor in
      (try? await rig.client.call(Blob(bytes: [1], answer: 1 << 20), within: .seconds(60)))?.count
    }
    let small = Task { @MainActor in
      try? await rig.client.call(SlowEcho(text: "small", milliseconds: 1), within: .seconds(60))
    }
    #expect(await small.value == "small")
    #expect(await large.value == 1 << 20)
    await rig.close()
  }

  @Test("context travels: deadline, priority, trace, metadata, key", arguments: Transport.allCases)
  func context(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let key = IdempotencyKey("6f9619ff-8b86-d011-b42d-00c04fc964ff")!
    let options = CallOptions(timeout: .seconds(300), priority: .prefetch, key: key, metadata: ["colour": "blue"])
    var current = CallContext(deadline: .distantFuture)
    current.trace = TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
    let seen = try await CallContext.$current.withValue(current) { try await rig.client.call(WhoAmI(), options) }
    #expect((200_000...300_000).contains(seen.milliseconds))
    #expect(seen.priority == CallPriority.prefetch.rawValue && seen.attempt == 1)
    #expect(seen.trace == "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
    #expect(seen.colour == "blue" && seen.key == key.description)
    await rig.close()
  }

  @Test("a call inside a call has no more time than is left, less a margin", arguments: Transport.allCases)
  func deadlinePropagates(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let outer = CallContext(deadline: rig.time.now + .seconds(300))
    let seen = try await CallContext.$current.withValue(outer) {
      try await rig.client.call(WhoAmI(), within: .seconds(900))
    }
    #expect((1...299_995).contains(seen.milliseconds))
    let free = try await CallContext.$current.withValue(outer) {
      try await CallContext.outsideCurrentCall { try await rig.client.call(WhoAmI(), within: .seconds(900)) }
    }
    #expect(free.milliseconds > 300_000)
    await rig.close()
  }

  @Test(
    "a call that takes too long ends with its deadline, and the handler is cancelled", arguments: Transport.allCases)
  func timeout(transport: Transport) async throws {
    let rig = try await Rig(transport)
    _ = try await rig.client.call(Echo(text: "warm"))
    let failure = await error { () throws(RPCError) in
      try await rig.client.call(SlowEcho(text: "", milliseconds: 3_600_000), within: .milliseconds(40))
    }
    #expect(failure?.code == .deadlineExceeded)
    #expect(await rig.until { rig.service.cancellations == 1 })
    await rig.close()
  }

  @Test("a deadline that has passed is refused before anything is sent", arguments: Transport.allCases)
  func pastDeadline(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let failure = await error { () throws(RPCError) in try await rig.client.call(Echo(text: ""), within: .zero) }
    #expect(failure?.code == .deadlineExceeded && failure?.executed == .no)
    #expect(rig.service.calls == 0)
    await rig.close()
  }

  @Test("cancelling the caller cancels the handler", arguments: Transport.allCases)
  func cancelAfterBegin(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let task = Task { @MainActor in
      try await rig.client.call(SlowEcho(text: "", milliseconds: 3_600_000), within: .seconds(60))
    }
    #expect(await rig.until { rig.service.calls == 1 })
    task.cancel()
    let outcome = await task.result
    #expect(throws: RPCError.self) { try outcome.get() }
    #expect(await rig.until { rig.service.cancellations == 1 })
    #expect(try await rig.client.call(Echo(text: "still here")) == "still here")
    await rig.close()
  }

  @Test("every code arrives with its sentence", arguments: Transport.allCases)
  func codes(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let sentences = ["", "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n", "영화 상영정보가 없습니다"]
    for code in RPCError.Code.allCases {
      for sentence in sentences {
        let failure = await error { () throws(RPCError) in
          try await rig.client.call(
            Refuse(code: code.rawValue, message: sentence), CallOptions(mayRetry: false))
        }
        #expect(failure?.code == code && failure?.message == sentence && failure?.origin == "test")
      }
    }
    await rig.close()
  }

  @Test("an error's sentence is cut to what may be told", arguments: Transport.overBytes)
  func longSentence(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let failure = await error { () throws(RPCError) in
      try await rig.client.call(
        Refuse(code: RPCError.Code.notFound.rawValue, message: String(repeating: "가", count: 1_000)),
        CallOptions(mayRetry: false))
    }
    #expect(failure?.code == .notFound && failure?.message == String(repeating: "가", count: 1_024 / 3))
    await rig.close()
  }

  @Test("a server that tells more in an error than may be told is not listened to", arguments: Transport.overBytes)
  func tooLongSentence(transport: Transport) async throws {
    var link = LinkLimits()
    link.errorBytes = 10
    let rig = try await Rig(transport, link: link)
    for (sentence, code) in [("0123456789", RPCError.Code.notFound), ("0123456789a", .unavailable)] {
      let failure = await error { () throws(RPCError) in
        try await rig.client.call(
          Refuse(code: RPCError.Code.notFound.rawValue, message: sentence), CallOptions(mayRetry: false))
      }
      #expect(failure?.code == code, "\(String(describing: failure))")
    }
    await rig.close()
  }

  @Test("what a handler throws that is not meant for callers does not reach them", arguments: Transport.allCases)
  func secrets(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let failure = await error { () throws(RPCError) in try await rig.client.call(Refuse(code: 200, message: "")) }
    #expect(failure?.code == .internal && failure?.cause == nil)
    #expect(failure.map { !"\($0)".contains("hunter2") } == true)
    await rig.close()
  }

  @Test("a request that the server does not know is unimplemented, and was not executed", arguments: Transport.allCases)
  func unimplemented(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let failure = await error { () throws(RPCError) in try await rig.client.call(Nobody()) }
    #expect(failure?.code == .unimplemented && failure?.executed == .no)
    await rig.close()
  }

  @Test("a write without an idempotency key is refused, with one it is made", arguments: Transport.allCases)
  func keyed(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let failure = await error { () throws(RPCError) in try await rig.client.call(Write(value: 1)) }
    #expect(failure?.code == .invalidArgument && rig.service.writes.isEmpty)
    let key = IdempotencyKey(bits: 77)
    #expect(try await rig.client.call(Write(value: 2), CallOptions(key: key)) == 1)
    #expect(rig.service.writes == [2])
    await rig.close()
  }

  @Test("a thousand elements arrive in order, then the end", arguments: Transport.allCases)
  func streaming(transport: Transport) async throws {
    let rig = try await Rig(transport)
    var numbers: [Int] = []
    for try await element in try await rig.client.stream(Count(upTo: 1_000, weight: 10)) {
      numbers.append(element.number)
    }
    #expect(numbers == Array(0..<1_000))
    await rig.close()
  }

  @Test("an error after the last element arrives after the last element", arguments: Transport.allCases)
  func streamError(transport: Transport) async throws {
    let rig = try await Rig(transport)
    var numbers: [Int] = []
    var failure: RPCError?
    do throws(RPCError) {
      let stream = try await rig.client.stream(Count(upTo: 5, weight: 20_000, failsAtEnd: true))
      var iterator = stream.makeAsyncIterator()
      while let element = try await iterator.next() { numbers.append(element.number) }
    } catch {
      failure = error
    }
    #expect(numbers == [0, 1, 2, 3, 4] && failure?.code == .failedPrecondition)
    await rig.close()
  }

  @Test("a reader that does not read holds the writer up, and loses nothing", arguments: Transport.allCases)
  func streamBackpressure(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let stream = try await rig.client.stream(Count(upTo: 1_200, weight: 1_000))
    var iterator = stream.makeAsyncIterator()
    #expect(try await iterator.next()?.number == 0)
    for _ in 0..<300 { await withUnsafeContinuation { next in EventLoop.atEndOfTurn { next.resume() } } }
    // A window of 256 KiB, and what was read from it.
    #expect(rig.service.sent < 600)
    var count = 1
    while try await iterator.next() != nil { count += 1 }
    #expect(count == 1_200)
    await rig.close()
  }

  @Test("a reader that leaves early ends the handler", arguments: Transport.allCases)
  func streamAbandoned(transport: Transport) async throws {
    let rig = try await Rig(transport)
    do {
      let stream = try await rig.client.stream(Count(upTo: 1_000_000, weight: 1_000))
      var iterator = stream.makeAsyncIterator()
      #expect(try await iterator.next()?.number == 0)
    }
    #expect(await rig.until { rig.service.cancellations == 1 })
    #expect(try await rig.client.call(Echo(text: "still here")) == "still here")
    await rig.close()
  }

  @Test("two thousand calls, two hundred at once, each get their own answer", arguments: Transport.allCases)
  func soak(transport: Transport) async throws {
    let rig = try await Rig(transport)
    for round in 0..<10 {
      let tasks = (0..<200).map { number in
        Task { @MainActor in
          let text = "\(round)/\(number)"
          let answer =
            number % 2 == 0
            ? try await rig.client.call(Echo(text: text), within: .seconds(60))
            : try await rig.client.call(SlowEcho(text: text, milliseconds: number % 3), within: .seconds(60))
          return answer == text
        }
      }
      for task in tasks { #expect(try await task.value) }
    }
    await rig.close()
  }

  @Test(
    "a failure that is safe to repeat is repeated, and no more often than three times", arguments: Transport.overBytes)
  func retries(transport: Transport) async throws {
    let rig = try await Rig(transport)
    rig.service.failuresBeforeSuccess = 2
    #expect(try await rig.client.call(Refuse(code: 0, message: "")) == "fine")
    #expect(rig.service.calls == 3)
    rig.service.failuresBeforeSuccess = 100
    let failure = await error { () throws(RPCError) in try await rig.client.call(Refuse(code: 0, message: "")) }
    #expect(failure?.code == .unavailable)
    #expect(rig.service.calls == 6)
    await rig.close()
  }

  @Test("an inner hop does not repeat: only where the call was born is it tried again", arguments: Transport.allCases)
  func innerHop(transport: Transport) async throws {
    let rig = try await Rig(transport)
    rig.service.failuresBeforeSuccess = 100
    let outer = CallContext(deadline: rig.time.now + .seconds(60))
    _ = await CallContext.$current.withValue(outer) {
      await error { () throws(RPCError) in try await rig.client.call(Refuse(code: 0, message: "")) }
    }
    #expect(rig.service.calls == 1)
    await rig.close()
  }

  @Test(
    "a newer request of a pane cancels the older one, and an older one that comes late is refused",
    arguments: Transport.allCases)
  func supersede(transport: Transport) async throws {
    let rig = try await Rig(transport)
    func ask(_ sequence: UInt64, _ milliseconds: Int) async -> Result<String, RPCError> {
      let mark = SupersedeMark(session: 9, slot: 1, sequence: sequence)
      do throws(RPCError) {
        return .success(
          try await rig.client.call(
            SlowEcho(text: "\(sequence)", milliseconds: milliseconds),
            CallOptions(timeout: .seconds(60), supersede: mark)))
      } catch {
        return .failure(error)
      }
    }
    let older = Task { await ask(1, 3_600_000) }
    #expect(await rig.until { rig.service.calls == 1 })
    let newer = await ask(2, 1)
    #expect((try? newer.get()) == "2")
    guard case .failure(let error) = await older.value else {
      return #expect(Bool(false), "the older one was answered")
    }
    #expect(error.code == .superseded)
    #expect(await rig.until { rig.service.cancellations == 1 })
    guard case .failure(let late) = await ask(1, 1) else { return #expect(Bool(false), "a late one was answered") }
    #expect(late.code == .superseded && rig.service.calls == 2)
    await rig.close()
  }

  @Test(
    "a message over the limit is refused with a sentence, and the connection lives on", arguments: Transport.overBytes)
  func oversize(transport: Transport) async throws {
    let rig = try await Rig(transport)
    for (request, code) in [
      (Blob(bytes: Array(repeating: 1, count: 5 << 20), answer: 1), RPCError.Code.invalidArgument),
      (Blob(bytes: [1], answer: 5 << 20), .internal),
    ] {
      let failure = await error { () throws(RPCError) in try await rig.client.call(request, within: .seconds(60)) }
      #expect(failure?.code == code, "\(String(describing: failure))")
    }
    #expect(try await rig.client.call(Echo(text: "still here")) == "still here")
    await rig.close()
  }

  @Test("a server that drains lets calls end, takes no new ones, and then closes", arguments: Transport.overBytes)
  func drain(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let running = Task { @MainActor in
      try await rig.client.call(SlowEcho(text: "to the end", milliseconds: 30), within: .seconds(60))
    }
    #expect(await rig.until { rig.service.calls == 1 })
    let drained = Task { await rig.server?.drain() }
    #expect(try await running.value == "to the end")
    await drained.value
    #expect(rig.server?.runningCount == 0)
    #expect(await rig.until { rig.server?.connectionCount == 0 })
    let failure = await error { () throws(RPCError) in
      try await rig.client.call(Echo(text: ""), within: .milliseconds(50))
    }
    #expect(failure?.executed == .no)
    await rig.close()
  }

  @Test(
    "a stream's writer sees that its server shuts down, and ends the stream in good order",
    arguments: Transport.overBytes)
  func drainWithStream(transport: Transport) async throws {
    var limits = ServerLimits()
    limits.drain = .seconds(3_600)
    let rig = try await Rig(transport, limits: limits)
    let reading = Task { @MainActor in
      var ticks: [Int] = []
      for try await tick in try await rig.client.stream(Ticks(), CallOptions(timeout: .seconds(600))) {
        ticks.append(tick)
      }
      return ticks
    }
    #expect(await rig.until { rig.service.sent > 2 })
    await rig.server?.drain()
    let ticks = try await reading.value
    #expect(ticks == Array(0..<rig.service.sent))
    await rig.close()
  }

  @Test("a call that does not end holds a server that drains no longer than the limit")
  func drainDeadline() async throws {
    var limits = ServerLimits()
    limits.drain = .seconds(5)
    let rig = try await Rig(.simulated, limits: limits)
    let endless = Task { @MainActor in
      await error { () throws(RPCError) in
        try await rig.client.call(
          SlowEcho(text: "", milliseconds: 3_600_000), CallOptions(timeout: .seconds(600), mayRetry: false))
      }
    }
    #expect(await rig.until { rig.service.calls == 1 })
    let began = rig.time.now
    await rig.server?.drain()
    let took = rig.time.now - began
    #expect(took >= .seconds(5) && took < .milliseconds(5_100), "\(took)")
    let failure = await endless.value
    #expect(failure?.code == .unavailable && failure?.executed == .maybe)
    #expect(await rig.until { rig.service.cancellations == 1 && rig.server?.connectionCount == 0 })
    await rig.close()
  }

  @Test(
    "an answer of megabytes that is on its way when its server drains arrives whole",
    arguments: [.memory, .unix, .tcp] as [Transport])
  func drainWithLargeAnswer(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let text = String(repeating: "x", count: 3 << 20)
    let running = Task { @MainActor in
      try await rig.client.call(
        SlowEcho(text: text, milliseconds: 30), CallOptions(timeout: .seconds(60), mayRetry: false))
    }
    #expect(await rig.until { rig.service.calls == 1 })
    let drained = Task { await rig.server?.drain() }
    let answer = try await running.value
    #expect(answer == text)
    await drained.value
    #expect(await rig.until { rig.server?.connectionCount == 0 })
    await rig.close()
  }

  @Test("an administrator's fault makes calls fail, and ends", arguments: [Transport.memory, .tcp])
  func faults(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let admin = rig.adminClient()
    _ = try await admin.call(InjectFault(rule: FaultRule(method: "Echo", percent: 100, code: 14, seconds: 60)))
    let failure = await error { () throws(RPCError) in
      try await rig.client.call(Echo(text: ""), CallOptions(mayRetry: false))
    }
    #expect(failure?.code == .unavailable)
    _ = try await admin.call(InjectFault(rule: nil))
    #expect(try await rig.client.call(Echo(text: "well again")) == "well again")
    await rig.close()
  }

  @Test("a call that is held up gives its place back when its caller leaves", arguments: [Transport.memory])
  func heldUp(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let admin = rig.adminClient()
    _ = try await admin.call(
      InjectFault(rule: FaultRule(method: "Echo", percent: 100, delayMilliseconds: 60_000, seconds: 60)))
    let failure = await error { () throws(RPCError) in
      try await rig.client.call(Echo(text: ""), CallOptions(timeout: .milliseconds(20), mayRetry: false))
    }
    #expect(failure?.code == .deadlineExceeded)
    #expect(await rig.until { rig.server?.load.admitted == 0 })
    await rig.close()
  }

  @Test("a server describes itself out of its contracts", arguments: [Transport.memory])
  func describe(transport: Transport) async throws {
    let rig = try await Rig(transport)
    let admin = rig.adminClient()
    #expect(try await admin.call(Ping()).service == "test")
    let methods = try await admin.call(DescribeService())
    let slow = try #require(methods.first { $0.name == "SlowEcho" })
    #expect(slow.id == SlowEcho.method && slow.safety == "read")
    #expect(slow.request.map(\.name) == ["text", "milliseconds"])
    let who = try #require(methods.first { $0.name == "WhoAmI" })
    #expect(who.response.first { $0.name == "colour" }?.isOptional == true)
    _ = try await rig.client.call(Echo(text: "counted"))
    let status = try await admin.call(ServerStatus())
    #expect(status.methods.first { $0.name == "Echo" }?.succeeded == 1)
    await rig.close()
  }
}

extension Rig {
  /// A client of the same server's administrative side.
  func adminClient() -> InProcessClient<AdminAPI> {
    InProcessClient(of: AdminAPI.self, service.router, time: time)
  }
}
