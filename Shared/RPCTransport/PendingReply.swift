import RPC
import Wire

/// Somebody who waits on a client's slot, without the type of the answer.
class PendingReply {
  init() {}
  nonisolated deinit {}

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

  nonisolated deinit {}

  /// Waits until there is an answer or a failure.
  @inline(__always)
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
    case .success: settle(.withoutAnswer)
    }
  }
}

extension RPCError {
  static var withoutAnswer: RPCError { RPCError(.internal, "the server ended the call without an answer") }

  static func unreadable(_ type: Any.Type, _ error: WireError) -> RPCError {
    RPCError(.internal, "the answer is no \(type): \(error)", executed: .yes)
  }
}

/// Knows its answer's type as a value, and is not generic: the class itself would have to be looked up for each call.
final class PendingCall: PendingAnswer {
  // Safety: of both. A type never changes, and whoever frees the object is the last to know the memory.
  nonisolated(unsafe) private let answer: any Decodable.Type
  /// The answer, if there is one.
  nonisolated(unsafe) private var response: UnsafeMutableRawPointer?

  init(for answer: any Decodable.Type) { self.answer = answer }

  nonisolated deinit {
    guard let response else { return }
    func free<Response>(_: Response.Type) {
      let memory = response.assumingMemoryBound(to: Response.self)
      memory.deinitialize(count: 1)
      memory.deallocate()
    }
    free(answer)
  }

  override func arrived(_ payload: UnsafeRawBufferPointer, _ decoder: WireDecoder, _ tables: ReceivedTables) {
    decode(answer, payload, decoder, tables)
  }

  private func decode<Response: Decodable>(
    _: Response.Type, _ payload: UnsafeRawBufferPointer, _ decoder: WireDecoder, _ tables: ReceivedTables
  ) {
    do throws(WireError) {
      let value = try decoder.decode(Response.self, from: payload, tables: tables)
      let memory = AnswerBlocks.take(for: Response.self)
      memory.initialize(to: value)
      response = UnsafeMutableRawPointer(memory)
      settle(nil)
    } catch {
      settle(.unreadable(Response.self, error))
    }
  }

  /// The answer, once it is settled without a failure. The type is the one that it was made for.
  func take<Response>(as _: Response.Type) -> Response {
    let memory = response!.assumingMemoryBound(to: Response.self)
    response = nil
    defer { AnswerBlocks.giveBack(memory) }
    return memory.move()
  }
}

/// Memory for answers between their arrival and their caller's next step: a few blocks that go round.
private enum AnswerBlocks {
  /// Most answers are a struct of a few words, whatever hangs on them.
  private static let bytes = 128
  /// As many as arrive in one turn on a busy client.
  private static let countMax = 256
  private static var free: [UnsafeMutableRawPointer] = []

  static func take<Answer>(for _: Answer.Type) -> UnsafeMutablePointer<Answer> {
    guard fits(Answer.self) else { return .allocate(capacity: 1) }
    let block = free.popLast() ?? .allocate(byteCount: bytes, alignment: 16)
    return block.assumingMemoryBound(to: Answer.self)
  }

  static func giveBack<Answer>(_ block: UnsafeMutablePointer<Answer>) {
    if fits(Answer.self), free.count < countMax {
      free.append(UnsafeMutableRawPointer(block))
    } else {
      block.deallocate()
    }
  }

  private static func fits<Answer>(_: Answer.Type) -> Bool {
    MemoryLayout<Answer>.size <= bytes && MemoryLayout<Answer>.alignment <= 16
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
