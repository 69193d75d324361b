import Clocks
import Observability
import Synchronization
import Testing

private let header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

@Suite("TraceContext")
struct TraceContextTests {
  @Test("the standard's example is read and printed unchanged")
  func roundTrip() throws {
    let context = try #require(TraceContext(traceparent: header))
    #expect(context.traceparent == header)
    #expect(context.isSampled)
    #expect(context.traceID.description == "4bf92f3577b34da6a3ce929d0e0e4736")
    #expect(context.spanID.description == "00f067aa0ba902b7")
  }

  @Test("only the sampled bit of the flags is ours")
  func flags() throws {
    #expect(try #require(TraceContext(traceparent: header.dropLast(2) + "ff")).traceparent == header)
    #expect(try #require(TraceContext(traceparent: header.dropLast(2) + "fe")).isSampled == false)
  }

  @Test("a later version may say more at the end")
  func laterVersion() throws {
    #expect(TraceContext(traceparent: "01" + header.dropFirst(2) + "-more-of-it")?.traceparent == header)
    #expect(TraceContext(traceparent: "cc" + header.dropFirst(2))?.traceparent == header)
  }

  @Test(
    "a malformed header is refused",
    arguments: [
      "", "00", "-", "00-" + String(repeating: "0", count: 32) + "-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", "ff" + header.dropFirst(2), header + "-more",
      header + "-",
      header + " ", "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", String(header.dropLast()),
      "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
      "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "0-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b-01",
      "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01", "01" + header.dropFirst(2) + "more",
    ])
  func refusals(text: String) { #expect(TraceContext(traceparent: text) == nil) }

  @Test("the binary form is the layout in the README")
  func binary() throws {
    let context = try #require(TraceContext(traceparent: header))
    var bytes = [UInt8](repeating: 0xaa, count: TraceContext.binarySize)
    bytes.withUnsafeMutableBytes { context.writeBinary(to: $0) }
    #expect(
      bytes == [
        0, 0x4b, 0xf9, 0x2f, 0x35, 0x77, 0xb3, 0x4d, 0xa6, 0xa3, 0xce, 0x92, 0x9d, 0x0e, 0x0e, 0x47, 0x36, 0x00, 0xf0,
        0x67,
        0xaa, 0x0b, 0xa9, 0x02, 0xb7, 1,
      ])
    #expect(bytes.withUnsafeBytes { TraceContext(binary: $0) } == context)
  }

  @Test("a binary form of another size, another version or with an empty id is refused")
  func binaryRefusals() throws {
    let good = [0] + [UInt8](repeating: 1, count: 25)
    func read(_ bytes: [UInt8]) -> TraceContext? { bytes.withUnsafeBytes { TraceContext(binary: $0) } }
    #expect(read(good) != nil)
    for count in 0..<26 { #expect(read(Array(good.prefix(count))) == nil) }
    #expect(read(good + [0]) == nil)
    #expect(read([1] + good.dropFirst()) == nil)
    #expect(read(good.prefix(1) + [UInt8](repeating: 0, count: 16) + good.suffix(9)) == nil)
    #expect(read(good.prefix(17) + [UInt8](repeating: 0, count: 8) + good.suffix(1)) == nil)
  }

  @Test("random headers never crash and what is accepted prints the same fields")
  func noise() {
    var random = SystemRandomNumberGenerator()
    let seed = random.next()
    var generator = SeededRandom(seed: seed)
    let alphabet = Array("0123456789abcdef-g")
    for _ in 0..<2_000 {
      var text = Array(header)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<text.count, using: &generator)
        text[place] = alphabet.randomElement(using: &generator) ?? "-"
      }
      guard let context = TraceContext(traceparent: String(text)) else { continue }
      #expect(context.traceparent.dropFirst(2).dropLast(2) == String(text)[...].dropFirst(2).prefix(51), "seed \(seed)")
    }
  }
}

@Suite("Traces")
struct TracesTests {
  private let start = Instant(nanoseconds: 1_000)

  private func traces(_ change: (inout Traces.Limits) -> Void = { _ in }) -> Traces {
    var limits = Traces.Limits()
    limits.sampleOneIn = .max
    change(&limits)
    let state = Mutex(SeededRandom(seed: 42))
    return Traces(limits: limits, random: { state.withLock { $0.next() } })
  }

  @Test("an ordinary trace is forgotten; one that failed, was slow or was asked for is kept")
  func keeping() throws {
    let traces = traces()
    traces.begin("quick", .server, at: start).end(at: start + .milliseconds(1))
    #expect(traces.recent().isEmpty)
    traces.begin("slow", .server, at: start).end(at: start + .seconds(1))
    traces.begin("failed", .server, at: start).end(at: start, error: "no such cinema")
    let remote = try #require(TraceContext(traceparent: header))
    traces.begin("asked", .server, from: remote, at: start).end(at: start)
    #expect(traces.recent().map(\.root.name) == ["asked", "failed", "slow"])
    #expect(traces.recent(limit: 1).map(\.root.name) == ["asked"])
    #expect(traces.find(remote.traceID).first?.root.parent == remote.spanID)
  }

  @Test("a failed child keeps the trace, and children stand in order of their start")
  func children() throws {
    let traces = traces()
    let root = traces.begin("page", .server, at: start)
    let second = root.child("films", .client, at: start + .milliseconds(2))
    let first = root.child("near", .client, at: start + .milliseconds(1))
    second.note(["tries": 2])
    second.end(at: start + .milliseconds(3), error: "unavailable")
    second.end(at: start + .milliseconds(9))
    first.end(at: start + .milliseconds(4))
    root.end(at: start + .milliseconds(5))
    let trace = try #require(traces.recent().first)
    #expect(trace.failed)
    #expect(trace.spans.map(\.name) == ["page", "near", "films"])
    #expect(trace.spans.map(\.parent) == [nil, root.context.spanID, root.context.spanID])
    #expect(trace.spans[2].duration == .milliseconds(1))
    #expect(trace.spans[2].notes.map(\.name) == ["tries"])
    #expect(Set(trace.spans.map(\.id)).count == 3)
    #expect(first.context.traceID == root.context.traceID)
  }

  @Test("one in so many is sampled")
  func sampling() {
    let traces = traces { $0.sampleOneIn = 4 }
    for _ in 0..<1_000 { traces.begin("x", .server, at: start).end(at: start) }
    #expect((150...350).contains(traces.recent().count))
  }

  @Test("memory is bounded in traces, spans, notes and bytes")
  func bounds() throws {
    let remote = try #require(TraceContext(traceparent: header))
    let traces = traces {
      $0.traces = 5
      $0.spansPerTrace = 3
      $0.slow = .zero
      $0.bytes = 20_000
    }
    for _ in 0..<9 {
      let root = traces.begin("root", .server, from: remote, at: start)
      for _ in 0..<10 { root.child("child", at: start).end(at: start) }
      for _ in 0..<99 { root.note(["note": .string(String(repeating: "x", count: 1_000))]) }
      root.end(at: start)
    }
    let kept = traces.recent()
    #expect((1...5).contains(kept.count))
    for trace in kept {
      #expect(trace.spans.count == 4)
      #expect(trace.dropped == 7)
      #expect(trace.spans.contains { $0.name == "root" })
      #expect(trace.spans.allSatisfy { $0.notes.count <= 16 })
    }
  }

  @Test("the current span belongs to the task")
  func current() async {
    let span = traces().begin("x", .server, at: start)
    #expect(Span.current == nil)
    await Span.$current.withValue(span) {
      await Task { #expect(Span.current === span) }.value
    }
    #expect(Span.current == nil)
  }
}
