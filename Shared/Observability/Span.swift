package import Clocks
import Synchronization

/// A piece of work that is being timed: a call served, a call made, a page fetched.
///
/// Begun by ``Traces`` or as the child of another, ended once. The one that was begun without a local parent decides,
/// when it ends, whether the whole trace is kept. Safe to use from any thread.
package final class Span: Sendable {
  /// The span in which the current task works. Log lines name it, and calls to other services carry it on.
  @TaskLocal package static var current: Span?

  package enum Kind: UInt8, Sendable { case local, server, client }

  package let context: TraceContext
  private let traces: Traces
  /// Of a child: where it is told when it ends.
  private let trace: OpenTrace?
  private let parent: SpanID?
  private let name: String
  private let kind: Kind
  private let start: Instant
  private let state = Mutex(State())

  private struct State {
    var notes: [LogRecord.Fact] = []
    var isOver = false
    /// Of the root: what its children tell, once it has any.
    var children: OpenTrace?
  }

  init(
    _ name: String, _ kind: Kind, context: TraceContext, parent: SpanID?, traces: Traces, trace: OpenTrace?,
    start: Instant
  ) {
    self.name = name
    self.kind = kind
    self.context = context
    self.parent = parent
    self.traces = traces
    self.trace = trace
    self.start = start
  }

  /// Begins work that is part of this.
  package func child(_ name: String, _ kind: Kind = .local, at start: Instant) -> Span {
    let context = TraceContext(traceID: context.traceID, spanID: traces.nextSpanID(), isSampled: context.isSampled)
    return Span(
      name, kind, context: context, parent: self.context.spanID, traces: traces, trace: trace ?? children,
      start: start)
  }

  private var children: OpenTrace {
    state.withLock { state in
      let known = state.children ?? OpenTrace()
      state.children = known
      return known
    }
  }

  /// Adds facts to what will be shown of this span.
  package func note(_ facts: Facts) {
    let facts = LogRecord.facts(facts, limits: traces.limits.notes)
    state.withLock { state in
      guard state.notes.count + facts.count <= traces.limits.notes.facts else { return }
      state.notes.append(contentsOf: facts)
    }
  }

  /// Ends it. `error` says what went wrong, if something did. Ending twice counts once.
  package func end(at end: Instant, error: String? = nil) {
    let last: State? = state.withLock { state in
      guard !state.isOver else { return nil }
      state.isOver = true
      return state
    }
    guard let last else { return }
    if let trace {
      trace.add(finished(at: end, error, last.notes), limit: traces.limits.spansPerTrace)
    } else {
      let spans = last.children?.sofar ?? OpenTrace.Spans()
      // Most traces are forgotten here, so nothing is made for them.
      guard traces.keeps(context, took: end - start, failed: error != nil || spans.hasFailed) else { return }
      traces.keep(spans, root: finished(at: end, error, last.notes), context: context)
    }
  }

  private func finished(at end: Instant, _ error: String?, _ notes: [LogRecord.Fact]) -> FinishedSpan {
    FinishedSpan(
      id: context.spanID, parent: parent, name: name, kind: kind, start: start, duration: end - start, error: error,
      notes: notes)
  }
}

/// What is remembered of a span that has ended.
package struct FinishedSpan: Sendable {
  package var id: SpanID
  package var parent: SpanID?
  package var name: String
  package var kind: Span.Kind
  package var start: Instant
  package var duration: Duration
  package var error: String?
  package var notes: [LogRecord.Fact]

  var approximateBytes: Int {
    notes.reduce(MemoryLayout<Self>.size + name.utf8.count + (error?.utf8.count ?? 0)) { sum, note in
      guard case .string(let text) = note.value else { return sum + 64 }
      return sum + 64 + text.utf8.count
    }
  }
}

/// The finished spans of a trace whose root is still open.
final class OpenTrace: Sendable {
  struct Spans: Sendable {
    var finished: [FinishedSpan] = []
    var dropped = 0

    var hasFailed: Bool { finished.contains { $0.error != nil } }
  }

  private let spans = Mutex(Spans())

  var sofar: Spans { spans.withLock { $0 } }

  /// The first ones are kept: they are nearest to where a trace went wrong.
  func add(_ span: FinishedSpan, limit: Int) {
    spans.withLock { spans in
      if spans.finished.count < limit {
        spans.finished.append(span)
      } else {
        spans.dropped += 1
      }
    }
  }
}
