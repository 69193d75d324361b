import Clocks
import EventLoops

/// Whether a service should be sent work, as it says itself.
nonisolated package enum ReadyAnswer: Equatable, Sendable {
  /// It has not been asked yet, or does not answer.
  case silent
  case ready
  /// In its own words.
  case notReady(String)

  /// - Parameter bytes: the head and the body of what `/readyz` answered.
  package init(answer bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let status = text.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap({ Int($0) }) else {
      self = .silent
      return
    }
    // The conditions that are not well: `[-]db is being opened`.
    let problems = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("[-]") }.map { $0.dropFirst(3) }
    self =
      status == 200
      ? .ready : .notReady(problems.isEmpty ? "/readyz answers \(status)" : problems.joined(separator: "; "))
  }
}

/// Asks a service's `/readyz`.
enum ReadinessProbe {
  /// A service answers in a millisecond; one whose loop is busy for longer than this is not to be called ready.
  private static let patience: Duration = .seconds(2)
  /// A line for each condition fits many times.
  fileprivate static let answerBytesMax = 16 << 10

  static func ask(_ address: SocketAddress) async -> ReadyAnswer {
    guard let stream = try? await Connector.connect(to: address, timeout: patience) else { return .silent }
    let reader = AnswerReader()
    stream.handler = reader
    stream.resumeReading()
    stream.write("GET /readyz?verbose HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n\r\n")
    let bound = EventLoop.time.after(patience) { stream.close(.tooSlow) }
    let bytes = await reader.whole()
    bound.cancel()
    return ReadyAnswer(answer: bytes)
  }
}

/// Collects what the service says until it closes.
private final class AnswerReader: ByteStreamHandler {
  private var bytes: [UInt8] = []
  private var isOver = false
  private var waiter: UnsafeContinuation<[UInt8], Never>?

  func received(_ piece: UnsafeRawBufferPointer) {
    if bytes.count < ReadinessProbe.answerBytesMax { bytes += piece }
  }

  func closed(_ reason: StreamEnd) {
    isOver = true
    waiter?.resume(returning: bytes)
    waiter = nil
  }

  func whole() async -> [UInt8] {
    if isOver { return bytes }
    return await withUnsafeContinuation { waiter = $0 }
  }
}
