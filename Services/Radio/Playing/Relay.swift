package import Clocks
import Contracts
package import Fetch
import Observability
import RPC

/// Passes stations' sound on to listeners who cannot reach it themselves: a page on https may not play what is on http,
/// and only this machine reaches the demo world.
///
/// Each listener has a connection of their own, because every kind of sound but a few has to be entered at its beginning.
final class Relay {
  nonisolated enum Limits {
    /// A connection and a buffer each.
    static let listeners = 64
    /// Of one address or user: a household's radios, and a page that is loaded again before the old one was let go.
    static let listenersPerAsker = 8
    /// What waits for a listener: half a minute of 128 kbit/s. Then the station is left to wait.
    static let waitingBytes = 512 << 10
    /// For how long: a listener that takes nothing for longer is gone, or has no network that could carry the sound.
    static let patience: Duration = .seconds(30)
    /// A sleeper's radio: then the page asks for the stream again.
    static let total: Duration = .seconds(12 * 3_600)
  }

  private let fetch: StreamResolver.Fetching
  private let time: any TimeSource
  private let listening: Gauge
  private var perAsker: [String: Int] = [:]
  private(set) var listeners = 0 {
    didSet { listening.set(listeners) }
  }

  init(metrics: Metrics, time: any TimeSource, fetch: @escaping StreamResolver.Fetching) {
    self.fetch = fetch
    self.time = time
    listening = metrics.gauge("odi_radio_listeners", "Streams that are passed on.")
  }

  /// Sends a stream's sound until it ends, the listener leaves or takes nothing for long, this service ends or it may not be
  /// passed on any more.
  func pass(
    _ stream: Resolution.Found, to writer: StreamWriter<AudioPiece>, for asker: String?, while isAllowed: () -> Bool
  ) async throws {
    if let asker, perAsker[asker, default: 0] >= Limits.listenersPerAsker {
      throw RPCError(
        .resourceExhausted, "you listen \(Limits.listenersPerAsker) times already; end one of these", executed: .no,
        retryAfter: .seconds(30))
    }
    guard listeners < Limits.listeners else {
      throw RPCError(
        .resourceExhausted, "\(Limits.listeners) are listening already; try again later", executed: .no,
        retryAfter: .seconds(30))
    }
    guard let url = try? FetchURL(parsing: stream.url) else {
      throw RPCError(.unavailable, "the stream has no address that is fetched", retryAfter: .seconds(30))
    }
    listeners += 1
    if let asker { perAsker[asker, default: 0] += 1 }
    defer {
      listeners -= 1
      if let asker {
        let left = perAsker[asker, default: 1] - 1
        perAsker[asker] = left > 0 ? left : nil
      }
    }
    let line = AudioLine(bytesMax: Limits.waitingBytes, patience: Limits.patience, time: time)
    var request = FetchRequest(url)
    request.headers = [("Accept", "*/*")]
    request.allowsDowngrade = true
    request.limits.total = Limits.total
    request.limits.wireBytes = .max / 2
    request.body = .pieces { line.put($0.bytes) }
    request.valve = line.valve
    let source = Task { [fetch, request] in
      do throws(FetchError) {
        let response = try await fetch(request)
        line.end(response.isSuccess ? nil : "the station's server answers \(response.status)")
      } catch {
        line.end("\(error)")
      }
    }
    defer { source.cancel() }
    line.whenGivenUp = { source.cancel() }
    var isFirst = true
    while let bytes = try await line.take(), !writer.isShuttingDown, isAllowed() {
      try await writer.send(AudioPiece(bytes: bytes, mediaType: isFirst ? stream.mediaType : nil))
      isFirst = false
    }
    if isFirst, let problem = line.problem {
      throw RPCError(.unavailable, "the stream does not play: \(problem)", retryAfter: .seconds(20))
    }
  }
}

/// Sound on its way from a stream to one listener. A station that sends faster than they take waits.
package final class AudioLine {
  /// Shut while as much waits as may.
  package let valve = FetchValve()
  /// Called when the listener has taken nothing for too long.
  package var whenGivenUp: (() -> Void)?
  package private(set) var waiting: [UInt8] = []
  package private(set) var problem: String?
  private let bytesMax: Int
  private let patience: Duration
  private let time: any TimeSource
  private var isOver = false
  private var reader: UnsafeContinuation<Void, Never>?
  private var givingUp: (any Scheduled)?

  /// A message between services stays small, so that others get their turn.
  package static let pieceBytes = 64 << 10

  package init(bytesMax: Int, patience: Duration, time: any TimeSource) {
    self.bytesMax = bytesMax
    self.patience = patience
    self.time = time
  }

  /// - Returns: false if the sound is over for this listener.
  package func put(_ bytes: [UInt8]) -> Bool {
    waiting += bytes
    // A piece more than this may come, never two.
    if waiting.count >= bytesMax - Self.pieceBytes, !valve.isShut {
      valve.shut()
      waitForListener()
    }
    wake()
    return !isOver
  }

  private func waitForListener() {
    givingUp?.cancel()
    givingUp = time.after(patience) { [weak self] in
      guard let self else { return }
      end("the listener took nothing for too long")
      whenGivenUp?()
    }
  }

  package func end(_ problem: String?) {
    guard !isOver else { return }
    isOver = true
    self.problem = problem
    givingUp?.cancel()
    wake()
  }

  /// What has come; nil at the end. Throws when the listener has left.
  package func take() async throws -> [UInt8]? {
    while waiting.isEmpty, !isOver {
      await withTaskCancellationHandler {
        await withUnsafeContinuation { continuation in
          if Task.isCancelled { continuation.resume() } else { reader = continuation }
        }
      } onCancel: {
        Task { @MainActor in self.wake() }
      }
      try Task.checkCancellation()
    }
    guard !waiting.isEmpty else { return nil }
    let piece = Array(waiting.prefix(Self.pieceBytes))
    waiting.removeFirst(piece.count)
    guard valve.isShut, !isOver else { return piece }
    if waiting.count < bytesMax / 2 {
      givingUp?.cancel()
      valve.open()
    } else {
      waitForListener()
    }
    return piece
  }

  private func wake() {
    let woken = reader
    reader = nil
    woken?.resume()
  }
}
