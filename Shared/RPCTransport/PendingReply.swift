import RPC
import Wire

/// Somebody who waits on a client's slot, without the type of the answer.
class PendingReply {
  init() {}

  /// An answer or an element, decoded where it lies.
  func arrived(_ payload: UnsafeRawBufferPointer, _ decoder: WireDecoder, _ tables: ReceivedTables) {}
  func finished(_ result: Result<Void, RPCError>) {}
}

/// A caller that waits for one answer. Waiting knows nothing of the answer's type, which is only touched where it is
/// decoded and where it is taken: generic code that suspends looks its types up again at each step.
class PendingAnswer: PendingReply {
  private var waiter: UnsafeContinuation<Void, Never>?
  private(set) var failure: RPCError?
  private var isOver = false

  /// Waits until there is an answer or a failure.
  final func settled() async {
    await withUnsafeContinuation { continuation in
      if isOver { continuation.resume() } else { waiter = continuation }
    }
  }

  final func settle(_ failure: RPCError?) {
    guard !isOver else { return }
    isOver = true
    self.failure = failure
    waiter?.resume()
    waiter = nil
  }

  override final func finished(_ result: Result<Void, RPCError>) {
    switch result {
    case .failure(let error): settle(error)
    case .success: settle(RPCError(.internal, "the server ended the call without an answer"))
    }
  }
}

final class PendingCall<Response: Decodable & Sendable>: PendingAnswer {
  private var response: Response?

  override func arrived(_ payload: UnsafeRawBufferPointer, _ decoder: WireDecoder, _ tables: ReceivedTables) {
    do throws(WireError) {
      response = try decoder.decode(Response.self, from: payload, tables: tables)
      settle(nil)
    } catch {
      settle(RPCError(.internal, "the answer is no \(Response.self): \(error)", executed: .yes))
    }
  }

  /// The answer, once it is settled without a failure.
  func take() -> Response { response.take()! }
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
