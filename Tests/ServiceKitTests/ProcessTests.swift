import Clocks
import EventLoops
import Foundation
import Observability
import ServiceKit
import Testing

@Suite("StandardErrorSink")
struct StandardErrorSinkTests {
  /// A pipe that nobody reads until the test does.
  private final class Pipe {
    let reader: Int32
    let writer: Int32
    private var readerIsOpen = true

    init() {
      var ends: [Int32] = [0, 0]
      pipe(&ends)
      (reader, writer) = (ends[0], ends[1])
    }

    func closeReader() {
      if readerIsOpen { close(reader) }
      readerIsOpen = false
    }

    deinit {
      closeReader()
      close(writer)
    }

    func drain() -> [UInt8] {
      var all: [UInt8] = []
      var ready = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
      while poll(&ready, 1, 0) == 1 {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = read(reader, &chunk, chunk.count)
        guard count > 0 else { break }
        all += chunk[..<count]
      }
      return all
    }
  }

  private func write(_ line: String, to sink: StandardErrorSink) { Array(line.utf8).withUnsafeBytes { sink.write($0) } }

  @Test("what the reader takes arrives at once, in order")
  func ordinary() {
    let pipe = Pipe()
    let sink = StandardErrorSink(file: pipe.writer)
    for number in 0..<10 { write("line \(number)\n", to: sink) }
    #expect(String(decoding: pipe.drain(), as: UTF8.self) == (0..<10).map { "line \($0)\n" }.joined())
    #expect(!sink.isWaiting)
  }

  @Test("a reader that has stopped blocks nobody, and loses whole lines that are counted")
  func stoppedReader() throws {
    let pipe = Pipe()
    let sink = StandardErrorSink(file: pipe.writer)
    let line = String(repeating: "x", count: 999) + "\n"
    for _ in 0..<3_000 { write(line, to: sink) }
    #expect(sink.isWaiting)
    var got = pipe.drain()
    while sink.isWaiting {
      sink.flush()
      got += pipe.drain()
    }
    write("last\n", to: sink)
    got += pipe.drain()
    let lines = String(decoding: got, as: UTF8.self).split(separator: "\n").map(String.init)
    let whole = lines.count { $0 == line.dropLast() }
    #expect(lines.count == whole + 2)
    #expect(lines[whole] == #"{"level":"warning","msg":"log lines were dropped","lines":\#(3_000 - whole)}"#)
    #expect(lines.last == "last")
    #expect(whole >= 1_048 && whole < 1_200)
  }

  @Test("a reader that has gone is forgotten")
  func goneReader() {
    let pipe = Pipe()
    pipe.closeReader()
    let sink = StandardErrorSink(file: pipe.writer)
    for _ in 0..<10 { write("line\n", to: sink) }
    #expect(!sink.isWaiting)
  }

  @Test("the end of a process waits for the reader, but not for ever")
  func end() {
    let pipe = Pipe()
    let sink = StandardErrorSink(file: pipe.writer)
    for _ in 0..<200 { write(String(repeating: "x", count: 999) + "\n", to: sink) }
    sink.flush(waitingAtMost: 1)
    #expect(sink.isWaiting)
  }
}

@Suite("Process metrics")
struct ProcessMetricsTests {
  @Test("are read from the kernel")
  func real() throws {
    let metrics = Metrics()
    ProcessMetrics.register(in: metrics)
    _ = metrics.exposition()
    let values = Dictionary(
      metrics.samples().map { sample -> (String, Double) in
        switch sample.value {
        case .level(let level): (sample.name, level)
        case .seconds(let seconds): (sample.name, seconds)
        case .count(let count): (sample.name, Double(count))
        case .distribution: (sample.name, -1)
        }
      }, uniquingKeysWith: { $1 })
    #expect(try #require(values["process_resident_memory_bytes"]) > 1_000_000)
    #expect(try #require(values["process_cpu_seconds_total"]) > 0)
    #expect(try #require(values["process_open_fds"]) >= 3)
    #expect(try #require(values["process_max_fds"]) >= 256)
    let start = try #require(values["process_start_time_seconds"])
    #expect(start > 1_700_000_000 && start <= Date().timeIntervalSince1970 + 2)
  }
}

@Suite("Loop metrics")
@MainActor
struct LoopMetricsTests {
  @Test("tell the time that the loop has waited, each wait once, and nothing where it does not run")
  func idle() async throws {
    let metrics = Metrics()
    LoopMetrics.register(in: metrics)
    @Sendable func told() -> Duration? {
      let sample = metrics.samples().first { $0.name == "odi_loop_idle_seconds_total" }
      guard case .seconds(let seconds)? = sample?.value else { return nil }
      return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }
    for _ in 0..<3 {
      // Nothing else runs between the two readings.
      let (waited, told) = (EventLoop.idle, told())
      #expect(told == waited)
      try await EventLoop.time.sleep(for: .milliseconds(20))
    }
    #expect(EventLoop.idle > .zero)
    let before = told()
    let elsewhere = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: told()) }
    }
    #expect(elsewhere == before)
  }
}
