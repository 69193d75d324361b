/// A structured logger: a constant message and the facts of this occurrence.
///
/// It is a value of two words, made in `main` and handed down; a child made by ``with(_:)`` carries more facts. A line
/// below the level costs one comparison: its facts are not even made. Safe to call from any thread.
package struct Log: Sendable {
  package enum Level: UInt8, Comparable, Sendable, CaseIterable {
    case debug, info, warning, error

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// Says nothing, at no cost: the default of every library type, and of tests.
  package static let silent = Log(core: nil, context: [])

  private let core: LogCore?
  private let context: [LogRecord.Fact]

  private init(core: LogCore?, context: [LogRecord.Fact]) {
    self.core = core
    self.context = context
  }

  /// A logger that writes to `sink`. `clock` gives microseconds since 1970 and may be called on any thread.
  package init(
    to sink: any LogSink, as format: LogFormat, level: Level = .info, limits: LogLimits = LogLimits(),
    clock: @escaping @Sendable () -> Int64, facts: Facts = [:]
  ) {
    core = LogCore(sink: sink, format: format, level: level, limits: limits, clock: clock)
    context = LogRecord.facts(facts, limits: limits)
  }

  package func debug(_ message: StaticString, _ facts: @autoclosure () -> Facts = [:]) { log(.debug, message, facts) }

  package func info(_ message: StaticString, _ facts: @autoclosure () -> Facts = [:]) { log(.info, message, facts) }

  package func warning(_ message: StaticString, _ facts: @autoclosure () -> Facts = [:]) {
    log(.warning, message, facts)
  }

  package func error(_ message: StaticString, _ facts: @autoclosure () -> Facts = [:]) { log(.error, message, facts) }

  /// A child whose every line carries `facts` too. A fact of the same name replaces the parent's.
  package func with(_ facts: Facts) -> Log {
    guard let core else { return self }
    return Log(core: core, context: LogRecord.merge(context, LogRecord.facts(facts, limits: core.limits)))
  }

  /// The lowest level that is written. Setting it changes every logger of the same family at once.
  package var level: Level {
    get { core?.level ?? .error }
    nonmutating set { core?.level = newValue }
  }

  package func writes(_ level: Level) -> Bool { core?.writes(level) ?? false }

  /// What was written lately, oldest first, for an administrator who arrives after the fact.
  ///
  /// - Parameter serial: only records after this one, so that a follower asks for what is new.
  package func recent(after serial: UInt64 = 0, atLeast level: Level = .debug, limit: Int = .max) -> [LogRecord] {
    core?.recent(after: serial, atLeast: level, limit: limit) ?? []
  }

  /// Tells, once, of the lines that the repeat limit held back and that no later line has told of. Call it every second.
  package func tellSuppressed() { core?.tellSuppressed() }

  private func log(_ level: Level, _ message: StaticString, _ facts: () -> Facts) {
    guard let core, core.writes(level) else { return }
    core.write(level, message, context, LogRecord.facts(facts(), limits: core.limits))
  }
}

extension Log.Level: CustomStringConvertible {
  package var description: String {
    switch self {
    case .debug: "debug"
    case .info: "info"
    case .warning: "warning"
    case .error: "error"
    }
  }

  package init?(_ name: some StringProtocol) {
    guard let level = Self.allCases.first(where: { $0.description == name }) else { return nil }
    self = level
  }
}

/// Where rendered lines go. `write` gets whole lines, is called in their order, on any thread, and must not log.
package protocol LogSink: Sendable {
  func write(_ bytes: UnsafeRawBufferPointer)
}

package enum LogFormat: Sendable {
  /// One JSON object a line, for machines.
  case json
  /// One line for people, in colour if the sink is a terminal that wants it.
  case text(colour: Bool)
}

/// The bounds of what logging may cost.
package struct LogLimits: Sendable {
  /// A value longer than this is cut: a page that failed to parse must not become a log line.
  package var valueBytes = 2_048
  /// Facts beyond this many are dropped: more is a table, not a line.
  package var facts = 32
  /// Lines with the same message in one second; the rest are counted. A failing disk must not drown its own cause.
  package var repeatsPerSecond = 100
  /// What is remembered for `logs`: enough for the last minutes of a busy service.
  package var recentLines = 2_000
  package var recentBytes = 1 << 20

  package init() {}
}
