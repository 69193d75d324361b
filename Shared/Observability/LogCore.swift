import Synchronization

/// What all the loggers of one process share: the level, the sink, the memory of recent lines.
final class LogCore: Sendable {
  let limits: LogLimits
  private let sink: any LogSink
  private let format: LogFormat
  private let clock: @Sendable () -> Int64
  private let threshold: Atomic<UInt8>
  private let state: Mutex<State>

  private struct State {
    var line: [UInt8] = []
    var serial: UInt64 = 0
    var repeats: RepeatLimit
    var recent: BoundedRing<LogRecord>
  }

  init(
    sink: any LogSink, format: LogFormat, level: Log.Level, limits: LogLimits, clock: @escaping @Sendable () -> Int64
  ) {
    self.limits = limits
    self.sink = sink
    self.format = format
    self.clock = clock
    threshold = Atomic(level.rawValue)
    state = Mutex(
      State(
        repeats: RepeatLimit(perSecond: limits.repeatsPerSecond),
        recent: BoundedRing(countMax: limits.recentLines, bytesMax: limits.recentBytes)))
  }

  var level: Log.Level {
    get { Log.Level(rawValue: threshold.load(ordering: .relaxed)) ?? .info }
    set { threshold.store(newValue.rawValue, ordering: .relaxed) }
  }

  func writes(_ level: Log.Level) -> Bool { threshold.load(ordering: .relaxed) <= level.rawValue }

  func write(_ level: Log.Level, _ message: StaticString, _ context: [LogRecord.Fact], _ facts: [LogRecord.Fact]) {
    let time = clock()
    let span = Span.current?.context
    state.withLock { state in
      guard let heldBack = state.repeats.admit(message, at: time) else { return }
      var facts = LogRecord.merge(context, facts)
      if heldBack > 0 { facts.append(LogRecord.Fact(name: "suppressed", value: .int(heldBack))) }
      emit(LogRecord(serial: 0, time: time, level: level, message: message, span: span, facts: facts), &state)
    }
  }

  func tellSuppressed() {
    let time = clock()
    state.withLock { state in
      for (message, count) in state.repeats.settle(at: time) {
        let facts = [
          LogRecord.Fact(name: "message", value: .string("\(message)")),
          LogRecord.Fact(name: "suppressed", value: .int(count)),
        ]
        let told: StaticString = "repeated lines were suppressed"
        emit(LogRecord(serial: 0, time: time, level: .warning, message: told, span: nil, facts: facts), &state)
      }
    }
  }

  func recent(after serial: UInt64, atLeast level: Log.Level, limit: Int) -> [LogRecord] {
    state.withLock { state in
      let matching = state.recent.elements.filter { $0.serial > serial && $0.level >= level }
      return limit < matching.count ? Array(matching.suffix(limit)) : matching
    }
  }

  // The sink is called inside the lock: that is what keeps the lines whole and in order.
  private func emit(_ record: LogRecord, _ state: inout State) {
    var record = record
    state.serial += 1
    record.serial = state.serial
    state.line.removeAll(keepingCapacity: true)
    record.render(as: format, into: &state.line)
    state.line.append(UInt8(ascii: "\n"))
    state.line.withUnsafeBytes(sink.write)
    state.recent.append(record, bytes: record.approximateBytes)
  }
}

/// Lets a message through so many times a second and counts the rest.
///
/// Messages are constants of the program, so the table cannot outgrow the source code.
struct RepeatLimit {
  private struct Window {
    var message: StaticString
    var start: Int64
    var count = 0
    var heldBack = 0
  }

  private static let length: Int64 = 1_000_000
  private let perSecond: Int
  private var windows: [UInt: Window] = [:]

  init(perSecond: Int) { self.perSecond = perSecond }

  /// How many were held back before this one, or nil to hold this one back too.
  mutating func admit(_ message: StaticString, at time: Int64) -> Int? {
    let key = message.hasPointerRepresentation ? UInt(bitPattern: message.utf8Start) : UInt(message.unicodeScalar.value)
    var window = windows[key] ?? Window(message: message, start: time)
    var told = 0
    // A clock set back begins a new window too, or it would stay shut until the clock caught up.
    if time >= window.start + Self.length || time < window.start {
      told = window.heldBack
      window = Window(message: message, start: time)
    }
    window.count += 1
    let passes = window.count <= perSecond
    if !passes { window.heldBack += 1 }
    windows[key] = window
    return passes ? told : nil
  }

  /// The counts of closed windows which no later line has told, and forgets them.
  mutating func settle(at time: Int64) -> [(message: StaticString, count: Int)] {
    let closed = windows.filter { time >= $0.value.start + Self.length || time < $0.value.start }
    for key in closed.keys { windows[key] = nil }
    return closed.values.filter { $0.heldBack > 0 }.sorted { "\($0.message)" < "\($1.message)" }
      .map { ($0.message, $0.heldBack) }
  }
}
