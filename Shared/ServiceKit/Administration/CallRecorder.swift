import RPC
import Wire

/// The reads of a running service as they are answered, until somebody takes them away.
///
/// Only reads: what changes something would change it again when it is replayed. What carries a secret, by its contract,
/// is never written down, nor what administrators ask; metadata and keys are not part of a request.
final class CallRecorder: CallObserver {
  private enum Limits {
    /// What waits to be taken away: a second of a busy service.
    static let waitingBytes = 8 << 20
    /// One call with its answer; with the other calls of its batch it fits in one message.
    static let callBytes = 1 << 20
    static let batchBytes = 1 << 20
  }

  private var calls: [RecordedCall] = []
  private var bytes = 0
  private var dropped = 0
  private var withheld = 0

  func ended<Request: RPCRequest>(_ request: Request, _ result: Result<Request.Response, RPCError>) {
    guard Request.safety == .read, !Request.method.isForAdministrators else { return }
    guard !Request.isConfidential else {
      withheld += 1
      return
    }
    guard bytes < Limits.waitingBytes, let call = Self.call(request, result), call.bytes <= Limits.callBytes else {
      dropped += 1
      return
    }
    bytes += call.bytes
    calls.append(call)
  }

  private static func call<Request: RPCRequest>(
    _ request: Request, _ result: Result<Request.Response, RPCError>
  ) -> RecordedCall? {
    do throws(WireError) {
      var call = RecordedCall(method: "\(Request.self)", request: try Wire.encode(request))
      switch result {
      case .success(let response): call.answer = try Wire.encode(response)
      case .failure(let error):
        call.code = error.code.rawValue
        call.message = error.message
      }
      return call
    } catch {
      return nil
    }
  }

  var hasCalls: Bool { !calls.isEmpty }

  /// The oldest, as many as fit in one message; the counts are those of the whole recording.
  func take() -> RecordedCalls {
    var size = 0
    let overflow = calls.firstIndex { call in
      size += call.bytes
      return size > Limits.batchBytes + Limits.callBytes
    }
    let end = overflow ?? calls.count
    let batch = Array(calls[..<end])
    calls.removeFirst(end)
    bytes -= batch.reduce(0) { $0 + $1.bytes }
    return RecordedCalls(calls: batch, dropped: dropped, withheld: withheld)
  }
}

nonisolated extension RecordedCall {
  fileprivate var bytes: Int { request.count + (answer?.count ?? 0) + (message?.utf8.count ?? 0) + method.utf8.count }
}
