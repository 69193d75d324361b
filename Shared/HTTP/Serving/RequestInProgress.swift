import Clocks

/// A request from its first byte to its answer: its parser, its body so far, and who answers it.
///
/// A connection has one only meanwhile. They are pooled with the storage of their heads, so that an idle connection, or
/// one that streams events, is small, and a busy one allocates nothing.
final class RequestInProgress {
  var parser: HTTPParser
  var body: [UInt8] = []
  var bodyBytes = 0
  /// What of the body counts towards `HTTPLimits.heldBodyBytes`, until the request is answered.
  var heldBytes = 0
  var route: HTTPRoute?
  var captures = SIMD8<UInt16>(repeating: 0)
  /// The query's, decoded.
  var parameters: [(name: String, value: String)] = []
  /// The answer that is known from the head alone.
  var early: HTTPResponse?
  var isRouted: Bool { route != nil || early != nil }
  /// `HTTPServer.Options.admit` has been asked.
  var isAdmitted = false
  /// Where its answer goes, while that is awaited.
  var reply: HTTPReply?
  /// When the request was whole.
  var began = Instant(nanoseconds: 0)

  init(limits: SharedLimits) { parser = HTTPParser(sharing: limits) }

  func takeBody() -> [UInt8] {
    bodyBytes = 0
    guard !body.isEmpty else { return [] }
    defer { body = [] }
    return body
  }

  /// Forgets the request that was answered, for the next one on the connection.
  func wasAnswered() {
    route = nil
    parameters = []
    early = nil
    isAdmitted = false
    reply = nil
  }
}

/// Requests in progress that nobody needs at the moment.
struct RequestPool {
  private let limits: SharedLimits
  private var free: [RequestInProgress] = []

  /// Requests that are in progress at the same moment, usually.
  private static let kept = 64
  /// A head that grew larger than usual is not kept.
  private static let keptHeadBytes = 4 << 10

  init(limits: SharedLimits) { self.limits = limits }

  mutating func take() -> RequestInProgress { free.popLast() ?? RequestInProgress(limits: limits) }

  /// Takes back what stands between two requests. Anything else is not fit for another connection.
  mutating func giveBack(_ request: RequestInProgress) {
    guard free.count < Self.kept, request.parser.isBetweenRequests, request.parser.headCapacity <= Self.keptHeadBytes
    else { return }
    free.append(request)
  }
}
