import EventLoops
package import Observability
import ServiceKit

/// Where all lines of a suite come together: kept in a file, and shown.
package final class SuiteLog {
  /// How lines are shown to whoever started the suite.
  nonisolated package enum Style: Sendable { case text(colour: Bool), json, hidden }

  private let file: LogFile?
  private let style: Style
  private let sink: any LogSink
  /// The lowest level that is shown; the file gets everything.
  private let shown: Log.Level
  /// What each service said last of its troubles, for whoever asks why it does not start.
  private var lastWords: [String: [String]] = [:]
  private static let lastWordsMax = 6

  package init(file: LogFile?, style: Style, shown: Log.Level, sink: any LogSink = StandardErrorSink()) {
    self.file = file
    self.style = style
    self.shown = shown
    self.sink = sink
  }

  /// A line that is JSON already.
  package func take(_ line: LogLine) {
    file?.write(line.json)
    if line.level >= .warning {
      let words = line.words
      lastWords[line.service] = (lastWords[line.service, default: []] + [words]).suffix(Self.lastWordsMax)
    }
    guard line.level >= shown else { return }
    switch style {
    case .text(let colour): show(Array(line.text(colour: colour).utf8))
    case .json: show(line.json)
    case .hidden: break
    }
  }

  /// What a service says that is no line of a log.
  nonisolated static let output: StaticString = "output"

  package func lastWords(of service: String) -> [String] { lastWords[service] ?? [] }

  private func show(_ line: [UInt8]) { (line + [UInt8(ascii: "\n")]).withUnsafeBytes { sink.write($0) } }

  /// What to hand to a service's process: its lines come here, and what is no line of a log is made one.
  package func output(of member: SuiteMember) -> (UnsafeRawBufferPointer) -> Void {
    let words = log(as: member.rawValue, repeatsFreely: true)
    var splitter = LineSplitter()
    func take(_ line: [UInt8]) {
      if let line = LogLine(line) {
        self.take(line)
      } else {
        words.warning(Self.output, ["text": .string(String(decoding: line, as: UTF8.self))])
      }
    }
    return { bytes in
      if bytes.isEmpty { splitter.finish(take) } else { splitter.take(bytes, take) }
    }
  }

  /// A log whose lines come here.
  ///
  /// - Parameter repeatsFreely: for what others say, of which nothing is to be left out.
  package func log(as service: String, level: Log.Level = .info, repeatsFreely: Bool = false) -> Log {
    var limits = LogLimits()
    if repeatsFreely {
      limits.repeatsPerSecond = .max
      limits.valueBytes = LineSplitter.bytesMax
    }
    return Log(
      to: Entrance(log: self), as: .json, level: level, limits: limits, clock: WallClock.microseconds,
      facts: ["service": .string(service)])
  }

  /// The supervisor logs on its one thread only.
  nonisolated private struct Entrance: LogSink {
    let log: SuiteLog

    func write(_ bytes: UnsafeRawBufferPointer) {
      let line = LogLine(bytes.dropLast { $0 == UInt8(ascii: "\n") })
      MainActor.assumeIsolated { if let line { log.take(line) } }
    }
  }
}

nonisolated extension UnsafeRawBufferPointer {
  fileprivate func dropLast(while isDropped: (UInt8) -> Bool) -> [UInt8] {
    Array(self[..<((lastIndex { !isDropped($0) } ?? -1) + 1)])
  }
}
