package import Clocks

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

  private func show(isLast: Bool) {
    guard !output.isQuiet else { return }
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

  var words: String {
    var words = [total.map { "\(done)/\($0) \(unit)" } ?? "\(done) \(unit)"]
    let seconds = elapsed / .seconds(1)
    if seconds > 0, done > 0 {
      let rate = Double(done) / seconds
      words.append("\(rate.fixed(1))/s")
      if let total, done < total { words.append("eta \(Duration.seconds(Double(total - done) / rate).countdown)") }
    }
    if warnings > 0 { words.append("warn \(warnings)") }
    return words.joined(separator: "  ")
  }
}
