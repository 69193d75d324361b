package import Clocks
import Synchronization

/// The traces of one process: begins spans and remembers the traces worth looking at.
///
/// Kept are those that failed, those that were slow, those the caller asked to sample and a small share of the rest.
package final class Traces: Sendable {
  package struct Limits: Sendable {
    /// A trace slower than this is always kept.
    package var slow: Duration = .seconds(1)
    /// One in so many of the ordinary traces is kept, so that there is something to compare a slow one with.
    package var sampleOneIn: UInt64 = 100
    package var traces = 1_000
    package var bytes = 8 << 20
    /// A fan-out beyond this is told as a count.
    package var spansPerTrace = 128
    package var notes = Limits.shortNotes

    package init() {}

    private static var shortNotes: LogLimits {
      var limits = LogLimits()
      limits.valueBytes = 256
      limits.facts = 16
      return limits
    }
  }

  let limits: Limits
  private let random: @Sendable () -> UInt64
  private let recent: Mutex<BoundedRing<FinishedTrace>>

  /// - Parameter random: gives ids; a seeded one makes a test repeatable. May be called on any thread.
  package init(limits: Limits = Limits(), random: @escaping @Sendable () -> UInt64) {
    self.limits = limits
    self.random = random
    recent = Mutex(BoundedRing(countMax: limits.traces, bytesMax: limits.bytes))
  }

  /// Begins the work of this process on a trace: a new one, or a caller's, whose decision to sample holds.
  package func begin(
    _ name: String, _ kind: Span.Kind, from remote: TraceContext? = nil, at start: Instant
  ) -> Span {
    let context = TraceContext(
      traceID: remote?.traceID ?? nextTraceID(), spanID: nextSpanID(),
      isSampled: remote?.isSampled ?? (random() % max(limits.sampleOneIn, 1) == 0))
    return Span(name, kind, context: context, parent: remote?.spanID, traces: self, trace: nil, start: start)
  }

  /// Newest first.
  package func recent(limit: Int = .max) -> [FinishedTrace] {
    Array(recent.withLock { $0.elements }.reversed().prefix(limit))
  }

  /// Everything kept under this id: a process that was called twice in one trace has two parts of it.
  package func find(_ id: TraceID) -> [FinishedTrace] {
    recent.withLock { $0.elements.filter { $0.id == id } }
  }

  func nextSpanID() -> SpanID {
    // A zero is as likely as any other number and is not an id.
    while true { if let id = SpanID(random()) { return id } }
  }

  func keeps(_ context: TraceContext, took: Duration, failed: Bool) -> Bool {
    failed || context.isSampled || took >= limits.slow
  }

  func keep(_ spans: OpenTrace.Spans, root: FinishedSpan, context: TraceContext) {
    let trace = FinishedTrace(
      id: context.traceID, root: root, spans: ([root] + spans.finished).sorted { $0.start < $1.start },
      dropped: spans.dropped)
    recent.withLock { $0.append(trace, bytes: trace.approximateBytes) }
  }

  private func nextTraceID() -> TraceID {
    while true { if let id = TraceID(high: random(), low: random()) { return id } }
  }
}

/// What one process did for one trace.
package struct FinishedTrace: Sendable {
  package var id: TraceID
  package var root: FinishedSpan
  /// In order of their start.
  package var spans: [FinishedSpan]
  /// Spans beyond the limit, which were counted and not kept.
  package var dropped: Int

  package var failed: Bool { spans.contains { $0.error != nil } }

  var approximateBytes: Int { spans.reduce(128) { $0 + $1.approximateBytes } }
}
