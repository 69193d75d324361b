import Clocks
import Observability
import Synchronization
import Testing

/// 2026-11-20T05:02:31.123456Z
private let someTime: Int64 = 1_795_150_951_123_456

private final class HandClock: Sendable {
  let time = Mutex(someTime)
  func advance(seconds: Int64) { time.withLock { $0 += seconds * 1_000_000 } }
  var read: @Sendable () -> Int64 { { self.time.withLock { $0 } } }
}

@Suite("Log")
struct LogTests {
  private let sink = RecordingSink()
  private let clock = HandClock()

  private func log(
    _ format: LogFormat = .json, level: Log.Level = .info, limits: LogLimits = LogLimits(), facts: Facts = [:]
  ) -> Log {
    Log(to: sink, as: format, level: level, limits: limits, clock: clock.read, facts: facts)
  }

  @Test("a JSON line has the time, the level, the message and the facts in order")
  func json() {
    log(facts: ["service": "locator"]).info(
      "call finished",
      ["method": "near", "rows": 3, "share": 0.5, "hit": true, "took": .duration(.microseconds(1250))])
    #expect(
      sink.lines == [
        #"{"ts":"2026-11-20T05:02:31.123456Z","level":"info","msg":"call finished","service":"locator","#
          + #""method":"near","rows":3,"share":0.5,"hit":true,"took_ms":1.250}"#
      ])
  }

  @Test("a text line reads from left to right")
  func text() {
    log(.text(colour: false)).warning("cannot connect", ["to": "unix:/run/x", "why": "no such file", "empty": ""])
    #expect(
      sink.lines == [
        #"2026-11-20T05:02:31.123Z WARN  cannot connect to=unix:/run/x why="no such file" empty="""#
      ])
  }

  @Test("colour stands around the level and changes no text")
  func colour() {
    log(.text(colour: true)).error("failed", ["at": 1])
    #expect(sink.lines == ["2026-11-20T05:02:31.123Z \u{1b}[1;31mERROR\u{1b}[0m failed \u{1b}[2mat=\u{1b}[0m1"])
  }

  @Test(
    "a value cannot forge a line, a colour or a direction", arguments: [LogFormat.json, .text(colour: false)])
  func injection(format: LogFormat) {
    var hostile = "a\u{1b}[2J\r\n{\"level\":\"error\"}\u{2028}\u{202e}\u{85}\u{9b}31m\u{0}\u{7f}\"\\"
    for value in UInt32(0)..<0x20 { hostile.unicodeScalars.append(Unicode.Scalar(value).unsafelyUnwrapped) }
    log(format).info("seen", ["value": .string(hostile), "na\nme": 1])
    #expect(sink.lines.count == 1)
    let unsafe = sink.lines[0].unicodeScalars.filter { $0.isUnsafeInLine }
    #expect(unsafe.isEmpty)
    if case .json = format {
      #expect(sink.lines[0].contains(#""value":"a\u001b[2J\r\n{\"level\":\"error\"}\u2028\u202e\u0085\u009b31m\u0000"#))
    }
  }

  @Test("Korean and Japanese text passes as it is")
  func cjk() {
    log(.text(colour: false)).info("found", ["name": "에무시네마", "city": "東京"])
    #expect(sink.lines[0].hasSuffix("name=에무시네마 city=東京"))
  }

  @Test("a line below the level is not written and its facts are not made")
  func level() {
    var made = 0
    func count() -> LogValue {
      made += 1
      return 1
    }
    let log = log(level: .warning)
    log.info("quiet", ["made": count()])
    Log.silent.error("quiet", ["made": count()])
    #expect(made == 0)
    #expect(sink.lines.isEmpty)
    log.level = .debug
    log.with(["child": true]).debug("loud", ["made": count()])
    #expect(made == 1)
    #expect(sink.lines.count == 1)
    #expect(log.writes(.debug) && !Log.silent.writes(.error))
  }

  @Test("an inner fact replaces an outer one of the same name, and none can replace the line's own members")
  func names() {
    log(facts: ["site": "outer", "kept": 1]).with(["site": "inner"]).info("x", ["msg": "mine", "level": "mine"])
    #expect(sink.lines[0].hasSuffix(#""msg":"x","kept":1,"site":"inner","fact.msg":"mine","fact.level":"mine"}"#))
  }

  @Test("a long value is cut between characters and many facts are cut to the limit")
  func cuts() {
    var limits = LogLimits()
    limits.valueBytes = 10
    limits.facts = 2
    log(limits: limits).info("x", ["long": .string(String(repeating: "한", count: 9)), "b": 1, "c": 2])
    #expect(sink.lines[0].hasSuffix(#""long":"한한한…","b":1}"#))
  }

  @Test("numbers that JSON cannot hold are strings")
  func notANumber() {
    log().info("x", ["a": .double(.nan), "b": .double(.infinity), "c": .int(Int64.min), "d": .duration(.seconds(-1))])
    #expect(sink.lines[0].hasSuffix(#""a":"nan","b":"inf","c":-9223372036854775808,"d_ms":-1000.000}"#))
  }

  @Test("a repeated line is held back, counted and told in the next second")
  func repeats() {
    var limits = LogLimits()
    limits.repeatsPerSecond = 2
    let log = log(limits: limits)
    func fail() { log.error("disk full") }
    for _ in 0..<5 { fail() }
    log.info("other")
    #expect(sink.lines.count == 3)
    log.tellSuppressed()
    #expect(sink.lines.count == 3)
    clock.advance(seconds: 1)
    fail()
    #expect(sink.lines.last?.hasSuffix(#""msg":"disk full","suppressed":3}"#) == true)
  }

  @Test("held back lines are told even when the line never comes again, once")
  func suppressedAtTheEnd() {
    var limits = LogLimits()
    limits.repeatsPerSecond = 1
    let log = log(limits: limits)
    for _ in 0..<4 { log.error("disk full") }
    clock.advance(seconds: 2)
    log.tellSuppressed()
    log.tellSuppressed()
    #expect(sink.lines.count == 2)
    #expect(sink.lines.last?.hasSuffix(#""message":"disk full","suppressed":3}"#) == true)
  }

  @Test("a clock that is set back does not silence a line")
  func clockSetBack() {
    var limits = LogLimits()
    limits.repeatsPerSecond = 1
    let log = log(limits: limits)
    func say() { log.info("here") }
    say()
    clock.advance(seconds: -3_600)
    say()
    #expect(sink.lines.count == 2)
  }

  @Test("recent lines are remembered within their limits and can be followed")
  func recent() throws {
    var limits = LogLimits()
    limits.recentLines = 3
    let log = log(limits: limits)
    for number in 1...5 { log.info("line", ["n": .int(number)]) }
    log.error("last")
    #expect(log.recent().map(\.serial) == [4, 5, 6])
    #expect(log.recent(limit: 1).map(\.serial) == [6])
    #expect(log.recent(atLeast: .error).count == 1)
    #expect(log.recent(after: 5).map(\.serial) == [6])
    #expect(log.recent(after: 6).isEmpty)
    #expect(try #require(log.recent().first).rendered(as: .text(colour: false)).hasSuffix("INFO  line n=4"))
  }

  @Test("recent lines are bounded in bytes too")
  func recentBytes() {
    var limits = LogLimits()
    limits.recentBytes = 10_000
    let log = log(limits: limits)
    for _ in 0..<20 { log.info("line", ["text": .string(String(repeating: "x", count: 2_000))]) }
    #expect((3...4).contains(log.recent().count))
  }

  @Test("a line said inside a span names it")
  func span() throws {
    let traces = Traces(random: { 7 })
    let span = traces.begin("near", .server, at: .distantFuture)
    Span.$current.withValue(span) { log().info("inside") }
    log().info("outside")
    #expect(sink.lines[0].hasSuffix(#""trace_id":"00000000000000070000000000000007","span_id":"0000000000000007"}"#))
    #expect(!sink.lines[1].contains("trace_id"))
  }

  @Test(
    "the calendar is right at its odd corners",
    arguments: [
      (Int64(0), "1970-01-01T00:00:00.000000Z"), (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
      (-1, "1969-12-31T23:59:59.999999Z"), (4_107_542_399_000_000, "2100-02-28T23:59:59.000000Z"),
      (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"), (1_798_761_599_999_999, "2026-12-31T23:59:59.999999Z"),
    ])
  func calendar(time: Int64, text: String) {
    clock.time.withLock { $0 = time }
    log().info("x")
    #expect(sink.lines[0].hasPrefix("{\"ts\":\"\(text)\""))
  }

  @Test("levels have names that can be read back")
  func levelNames() {
    for level in Log.Level.allCases { #expect(Log.Level("\(level)") == level) }
    #expect(Log.Level("loud") == nil)
  }
}
