/// The elements of a streaming call, as they arrive. For one reader.
package struct RPCStream<Element: Sendable>: AsyncSequence, Sendable {
  package typealias Failure = RPCError

  private let buffer: StreamBuffer<Element>

  package init(_ buffer: StreamBuffer<Element>) { self.buffer = buffer }

  package func makeAsyncIterator() -> Iterator { Iterator(lease: Lease(buffer)) }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let lease: Lease

    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(RPCError) -> Element? {
      try await lease.buffer.next()
    }

    package mutating func next() async throws(RPCError) -> Element? { try await lease.buffer.next() }
  }

  /// Ends the call when the reader is gone.
  fileprivate final class Lease: Sendable {
    let buffer: StreamBuffer<Element>

    init(_ buffer: StreamBuffer<Element>) { self.buffer = buffer }

    deinit {
      let buffer = buffer
      Task { @MainActor in buffer.abandon() }
    }
  }
}

/// What has arrived on a stream and was not read yet. The transport's credit bounds it.
@MainActor
package final class StreamBuffer<Element: Sendable> {
  private var elements: [(element: Element, weight: Int)] = []
  private var head = 0
  private var ending: Result<Void, RPCError>?
  private var reader: UnsafeContinuation<Void, Never>?
  private var consumed: (@MainActor (Int) -> Void)?
  private var abandoned: (@MainActor () -> Void)?

  /// `consumed` hears the weight of each element that is read; `abandoned` is told once if the reader leaves early.
  package init(
    consumed: @escaping @MainActor (Int) -> Void, abandoned: @escaping @MainActor () -> Void
  ) {
    self.consumed = consumed
    self.abandoned = abandoned
  }

  package var waiting: Int { elements.count - head }

  package func push(_ element: Element, weight: Int) {
    guard ending == nil else { return }
    elements.append((element, weight))
    wake()
  }

  package func finish(_ result: Result<Void, RPCError>) {
    guard ending == nil else { return }
    ending = result
    abandoned = nil
    wake()
  }

  func abandon() {
    let tell = abandoned
    abandoned = nil
    // What was never read counts as read, or the connection's credit for it would be gone.
    for (_, weight) in elements[head...] { consumed?(weight) }
    consumed = nil
    if ending == nil { ending = .failure(RPCError(.cancelled, "the reader left")) }
    elements = []
    head = 0
    tell?()
    wake()
  }

  private func wake() {
    reader?.resume()
    reader = nil
  }

  func next() async throws(RPCError) -> Element? {
    while true {
      if head < elements.count {
        let (element, weight) = elements[head]
        head += 1
        if head == elements.count || head > 1_024 {
          elements.removeFirst(head)
          head = 0
        }
        consumed?(weight)
        return element
      }
      if let ending {
        try ending.get()
        return nil
      }
      guard reader == nil else { throw RPCError(.failedPrecondition, "a stream has one reader; two are reading") }
      await withTaskCancellationHandler {
        await withUnsafeContinuation { continuation in
          if Task.isCancelled { continuation.resume() } else { reader = continuation }
        }
      } onCancel: {
        Task { @MainActor in self.wake() }
      }
      if Task.isCancelled {
        abandon()
        throw RPCError(.cancelled, "cancelled")
      }
    }
  }
}

/// The server's end of a streaming call.
@MainActor
package struct StreamWriter<Element: Sendable> {
  private let sendElement: @MainActor (Element) async throws(RPCError) -> Void
  private let shutdown: @MainActor () -> Bool

  package init(
    isShuttingDown: @escaping @MainActor () -> Bool,
    send: @escaping @MainActor (Element) async throws(RPCError) -> Void
  ) {
    sendElement = send
    shutdown = isShuttingDown
  }

  /// Sends one element as soon as the reader has room for it. Throws when the reader is gone.
  package func send(_ element: Element) async throws(RPCError) { try await sendElement(element) }

  /// Whether this server is on its way out: a stream that can be resumed elsewhere should end now.
  package var isShuttingDown: Bool { shutdown() }
}
