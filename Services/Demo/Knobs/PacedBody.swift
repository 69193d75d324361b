import Clocks
import HTTP

/// A body that comes in pieces, and perhaps not as far as was announced.
final class PacedBody: HTTPStreamBody {
  private var pieces: ArraySlice<[UInt8]>
  private let interval: Duration
  /// How long the connection stays open after the last piece.
  private let silence: Duration
  private let time: any TimeSource
  private var output: (any HTTPOutput)?
  private var timer: (any Scheduled)?

  init(_ pieces: [[UInt8]], every interval: Duration, thenSilent silence: Duration = .zero, time: any TimeSource) {
    self.pieces = pieces[...]
    self.interval = interval
    self.silence = silence
    self.time = time
  }

  func began(_ output: any HTTPOutput) {
    self.output = output
    step()
  }

  private func step() {
    guard let output else { return }
    if let piece = pieces.popFirst() { output.write(piece) }
    if !pieces.isEmpty {
      wait(interval) { $0.step() }
    } else if silence > .zero {
      wait(silence) { $0.draining() }
    } else {
      draining()
    }
  }

  private func wait(_ delay: Duration, _ next: @escaping (PacedBody) -> Void) {
    timer = time.after(delay) { [weak self] in self.map(next) }
  }

  /// Says nothing more.
  func draining() {
    timer?.cancel()
    output?.finish()
  }

  func ended() {
    timer?.cancel()
    output = nil
  }
}

/// A body much longer than anybody wants, sent as fast as it is taken.
final class HugeBody: HTTPStreamBody {
  private let block: [UInt8]
  private var left: Int
  private let time: any TimeSource
  private var output: (any HTTPOutput)?
  private var timer: (any Scheduled)?

  /// Less than what makes a stream give its reader up.
  private static let queueMax = 1 << 20
  private static let pause: Duration = .milliseconds(2)

  /// - Parameter time: the loop's, since it is the reader who is waited for.
  init(_ block: [UInt8], times count: Int, time: any TimeSource) {
    self.block = block
    left = count
    self.time = time
  }

  func began(_ output: any HTTPOutput) {
    self.output = output
    step()
  }

  private func step() {
    guard let output else { return }
    while left > 0, output.queuedBytes < Self.queueMax {
      output.write(block)
      left -= 1
    }
    if left == 0 { return draining() }
    timer = time.after(Self.pause) { [weak self] in self?.step() }
  }

  func draining() {
    timer?.cancel()
    output?.finish()
  }

  func ended() {
    timer?.cancel()
    output = nil
  }
}

/// No body and no head: the connection breaks before either leaves.
final class BrokenBody: HTTPStreamBody {
  func began(_ output: any HTTPOutput) { output.reset() }

  func draining() {}

  func ended() {}
}
