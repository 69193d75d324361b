import CCurl

/// Keeps what one hop brings, and counts all of it: body, headers, and what came over the wire.
///
/// libcurl hands it lines and pieces from inside calls that we make. A method that returns something other than what
/// libcurl expects makes it stop, and `failure` then says why.
// Safety: used by one transfer at a time, on the loop's thread. Not the main actor's, because a page comes in a dozen
// calls and each would ask which thread it is on: 10,000 instructions a page of 150,000.
nonisolated final class AnswerCollector: @unchecked Sendable {
  private(set) var body: [UInt8] = []
  /// The lines of the last status.
  private(set) var headers: [UInt8] = []
  private(set) var headerBytes = 0
  private(set) var failure: FetchError?
  /// The transfer was ended because enough has come.
  private(set) var isEnough = false
  private var headerLines = 0
  private let easy: UnsafeMutableRawPointer
  private var limits = FetchRequest.Limits()
  private var use = FetchRequest.BodyUse.whole
  private var valve: FetchValve?

  init(_ easy: UnsafeMutableRawPointer) { self.easy = easy }

  static func of(_ context: UnsafeMutableRawPointer?) -> AnswerCollector {
    Unmanaged<AnswerCollector>.fromOpaque(context!).takeUnretainedValue()
  }

  func begin(_ limits: FetchRequest.Limits, _ use: FetchRequest.BodyUse, _ valve: FetchValve?) {
    self.limits = limits
    self.use = use
    self.valve = valve
    isEnough = false
    (body, headers) = ([], [])
    (headerBytes, headerLines) = (0, 0)
    failure = nil
  }

  /// Hands out what was kept.
  func take() -> (headers: [UInt8], body: [UInt8]) {
    defer {
      (headers, body) = ([], [])
      // Whoever took the pieces may hold much.
      use = .whole
      valve = nil
    }
    return (headers, body)
  }

  func fail(_ error: FetchError?) { failure = error }

  /// A piece of the body, decompressed.
  func receivedBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    switch use {
    case .pieces(let receive) where isSuccess: return pass(bytes, to: receive)
    case .beginning where isSuccess && body.count + bytes.count >= limits.bodyBytes:
      body.append(contentsOf: bytes.prefix(limits.bodyBytes - body.count))
      isEnough = true
      return 0
    case .whole, .beginning, .pieces: break
    }
    guard body.count + bytes.count <= limits.bodyBytes else {
      return refuse(.bodyTooLarge(limit: limits.bodyBytes))
    }
    if body.isEmpty {
      // The answer's own word for its length saves copies, but is not believed beyond the next megabyte.
      let told = Int(ccurl_size(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T))
      body.reserveCapacity(min(max(told, bytes.count), limits.bodyBytes, 1 << 20))
    }
    body.append(contentsOf: bytes)
    return bytes.count
  }

  private var isSuccess: Bool { (200...299).contains(ccurl_number(easy, CURLINFO_RESPONSE_CODE)) }

  private func pass(_ bytes: UnsafeBufferPointer<UInt8>, to receive: @MainActor (FetchPiece) -> Bool) -> Int {
    // libcurl keeps this piece and brings it again.
    if let valve, MainActor.assumeIsolated({ valve.isShut }) { return ccurl_pause() }
    let status = ccurl_number(easy, CURLINFO_RESPONSE_CODE)
    let piece = FetchPiece(status: status, headers: FetchHeaders(headers), bytes: Array(bytes))
    if MainActor.assumeIsolated({ receive(piece) }) { return bytes.count }
    isEnough = true
    return 0
  }

  /// One line after another: of a 100 before the answer, of the answer, of what follows its body.
  func receivedHeader(_ line: UnsafeBufferPointer<UInt8>) -> Int {
    headerBytes += line.count
    headerLines += 1
    guard headerBytes <= limits.headerBytes, headerLines <= limits.headerLines else {
      return refuse(.headersTooLarge(limit: limits.headerBytes))
    }
    let isStatus =
      line.count >= 5 && line[0] == 0x48 && line[1] == 0x54 && line[2] == 0x54 && line[3] == 0x50 && line[4] == 0x2F
    if isStatus { headers.removeAll(keepingCapacity: true) } else { headers.append(contentsOf: line) }
    return line.count
  }

  /// Also told of bytes that come to nothing, such as the endless header of a gzip stream.
  func progressed(_ downloaded: Int) -> Int32 {
    guard downloaded + headerBytes > limits.wireBytes else { return 0 }
    return Int32(refuse(.wireTooLarge(limit: limits.wireBytes)) + 1)
  }

  /// Remembers why, and returns what makes libcurl stop.
  private func refuse(_ error: FetchError) -> Int {
    failure = failure ?? error
    return 0
  }
}
