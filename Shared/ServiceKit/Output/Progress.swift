package import Clocks
import JSON

/// How a long command tells how far it is.
nonisolated package enum ProgressStyle: String, CaseIterable, ArgumentValue {
  /// A bar on a terminal, a line now and then elsewhere.
  case auto
  /// A JSON object a line, for programs that show it in their own way.
  case json
  case none
}

/// How far a long command is: a bar that is redrawn on a terminal, a line now and then elsewhere.
package final class Progress {
  private let output: Output
  private let time: any TimeSource
  private let unit: String
  private let total: Int?
  private let start: Instant
  private var done = 0
  private var warnings = 0
  private var shown: Instant?
  private var drawnWidth = 0

  private static let redraw: Duration = .milliseconds(100)
  /// A log that is read later needs to know that it went on, not how.
  private static let retell: Duration = .seconds(10)
  /// A program that shows it wants it soon, and not a thousand times a second.
  private static let report: Duration = .milliseconds(500)

  /// - Parameter unit: what is counted, in the plural: `sites`.
  package init(_ unit: String, total: Int?, to output: Output, time: any TimeSource) {
    self.unit = unit
    self.total = total
    self.output = output
    self.time = time
    start = time.now
  }

  package func advance(by count: Int = 1) {
    done += count
    show(isLast: false)
  }

  package func warn(_ message: String) {
    warnings += 1
    clear()
    // A program that shows the progress gets the warning with it, however short ago it was told something.
    if style == .json { return tell(isLast: false, warning: message) }
    output.note(message)
    shown = nil
    show(isLast: false)
  }

  /// Draws it for the last time and leaves it standing.
  package func finish() {
    show(isLast: true)
    if drawnWidth > 0 { output.terminal.writeError("\n") }
    drawnWidth = 0
  }

  private var style: ProgressStyle { output.isQuiet ? .none : output.progress }

  private func show(isLast: Bool) {
    switch style {
    case .none: return
    case .json: return tell(isLast: isLast)
    case .auto: break
    }
    let isTerminal = output.terminal.errorIsTerminal
    let pause = isTerminal ? Self.redraw : Self.retell
    if !isLast, let shown, time.now - shown < pause { return }
    // Elsewhere than on a terminal, a beginning is not worth a line.
    if !isLast, !isTerminal, shown == nil, time.now - start < pause { return }
    shown = time.now
    let line = ProgressLine(
      done: done, total: total, unit: unit, elapsed: time.now - start, warnings: warnings, width: output.terminal.width)
    if isTerminal { draw(line.bar) } else { output.note(line.words) }
  }

  private func tell(isLast: Bool, warning: String? = nil) {
    if !isLast, warning == nil, let shown, time.now - shown < Self.report { return }
    shown = time.now
    let line = ProgressLine(
      done: done, total: total, unit: unit, elapsed: time.now - start, warnings: warnings, width: 0)
    output.terminal.writeError(String(decoding: line.json(isLast: isLast, warning: warning), as: UTF8.self) + "\n")
  }

  private func draw(_ text: String) {
    let width = text.displayWidth
    output.terminal.writeError("\r" + text + String(repeating: " ", count: max(0, drawnWidth - width)))
    drawnWidth = width
  }

  private func clear() {
    guard drawnWidth > 0 else { return }
    output.terminal.writeError("\r" + String(repeating: " ", count: drawnWidth) + "\r")
    drawnWidth = 0
  }
}

/// `[#####·····] 12/23 sites  4.1/s  eta 0:41  warn 1`
nonisolated struct ProgressLine {
  var done: Int
  var total: Int?
  var unit: String
  var elapsed: Duration
  var warnings: Int
  var width: Int

  private static let barWidth = 22

  var bar: String {
    guard let total, total > 0, width > Self.barWidth + words.displayWidth + 3 else {
      return words.truncated(to: width)
    }
    let filled = Self.barWidth * min(max(done, 0), total) / total
    return "[" + String(repeating: "#", count: filled) + String(repeating: "·", count: Self.barWidth - filled) + "] "
      + words
  }

  /// Items in a second, once that can be said.
  private var rate: Double? {
    let seconds = elapsed / .seconds(1)
    return seconds > 0 && done > 0 ? Double(done) / seconds : nil
  }

  func json(isLast: Bool, warning: String?) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("unit", unit)
      json.field("done", done)
      json.field("total", ifPresent: total)
      json.field("per_second", ifPresent: rate.map { ($0 * 10).rounded() / 10 })
      if let total, let rate, done < total { json.field("eta_s", Int((Double(total - done) / rate).rounded(.up))) }
      json.field("warnings", warnings)
      json.field("warning", ifPresent: warning)
      json.field("elapsed_ms", Int(elapsed.wholeMilliseconds))
      json.field("finished", isLast)
    }
    return json.bytes
  }

  var words: String {
    var words = [total.map { "\(done)/\($0) \(unit)" } ?? "\(done) \(unit)"]
    if let rate {
      words.append("\(rate.fixed(1))/s")
      if let total, done < total { words.append("eta \(Duration.seconds(Double(total - done) / rate).countdown)") }
    }
    if warnings > 0 { words.append("warn \(warnings)") }
    return words.joined(separator: "  ")
  }
}
