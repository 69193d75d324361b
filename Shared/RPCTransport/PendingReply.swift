import RPC
import Wire

/// Somebody who waits on a client's slot, without the type of the answer.
class PendingReply {
  init() {}

  /// An answer or an element, decoded where it lies.
  func arrived(_ payload: UnsafeRawBufferPointer, _ decoder: WireDecoder, _ tables: ReceivedTables) {}
  func finished(_ result: Result<Void, RPCError>) {}
}

final class PendingCall<Response: Decodable & Sendable>: PendingReply {
  private let continuation: UnsafeContinuation<Result<Response, RPCError>, Never>

  init(_ continuation: UnsafeContinuation<Result<Response, RPCError>, Never>) { self.continuation = continuation }

  override func arrived(_ payload: UnsafeRawBufferPointer, _ decoder: WireDecoder, _ tables: ReceivedTables) {
    do throws(WireError) {
      continuation.resume(returning: .success(try decoder.decode(Response.self, from: payload, tables: tables)))
    } catch {
      continuation.resume(
        returning: .failure(RPCError(.internal, "the answer is no \(Response.self): \(error)", executed: .yes)))
    }
  }

  override func finished(_ result: Result<Void, RPCError>) {
    switch result {
    case .failure(let error): continuation.resume(returning: .failure(error))
    case .success:
      continuation.resume(returning: .failure(RPCError(.internal, "the server ended the call without an answer")))
    }
  }
}

final class PendingStream<Element: Decodable & Sendable>: PendingReply {
  private let buffer: StreamBuffer<Element>

  init(_ buffer: StreamBuffer<Element>) { self.buffer = buffer }

  override func arrived(_ payload: UnsafeRawBufferPointer, _ decoder: WireDecoder, _ tables: ReceivedTables) {
    do throws(WireError) {
      buffer.push(try decoder.decode(Element.self, from: payload, tables: tables), weight: payload.count)
    } catch {
      buffer.finish(.failure(RPCError(.internal, "an element is no \(Element.self): \(error)")))
    }
  }

  override func finished(_ result: Result<Void, RPCError>) { buffer.finish(result) }
}
