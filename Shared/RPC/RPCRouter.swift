package import Wire

/// Which handler answers which request.
@MainActor
package final class RPCRouter {
  /// By the high byte of the method, then by the low one, so that finding one is two loads.
  private var pages: [[RPCMethod?]] = Array(repeating: [], count: 256)
  package private(set) var methods: [RPCMethod] = []
  package let serviceName: String
  /// Who hears of the calls with one answer as they end; nearly always nobody.
  package var observer: (any CallObserver)? {
    didSet { for method in methods { method.observer = observer } }
  }

  package init(service: String) { serviceName = service }

  package subscript(method: MethodID) -> RPCMethod? {
    let page = pages[Int(method >> 8)]
    return page.isEmpty ? nil : page[Int(method & 0xFF)]
  }

  /// A handler that answers at once: it costs nothing beyond its own work.
  package func on<Request: RPCRequest>(
    _: Request.Type, _ handler: @escaping @MainActor (Request, borrowing CallContext) throws -> Request.Response
  ) {
    add(SyncMethod(index: methods.count, handler: handler))
  }

  /// A handler that may wait. It runs at once on the loop until it waits for something.
  package func on<Request: RPCRequest>(
    _: Request.Type, _ handler: @escaping @MainActor (Request, CallContext) async throws -> Request.Response
  ) {
    add(AsyncMethod(index: methods.count, handler: handler))
  }

  /// A handler that answers with many elements.
  package func on<Request: RPCStreamRequest>(
    _: Request.Type,
    _ handler: @escaping @MainActor (Request, CallContext, StreamWriter<Request.Element>) async throws -> Void
  ) {
    add(StreamMethod(index: methods.count, handler: handler))
  }

  private func add(_ method: RPCMethod) {
    let (page, place) = (Int(method.id >> 8), Int(method.id & 0xFF))
    if pages[page].isEmpty { pages[page] = Array(repeating: nil, count: 256) }
    precondition(pages[page][place] == nil, "two handlers for method \(method.id.spoken)")
    pages[page][place] = method
    methods.append(method)
    method.observer = observer
  }
}

/// Somebody who looks at calls as their handlers end them, with their types: a recording.
@MainActor
package protocol CallObserver: AnyObject {
  func ended<Request: RPCRequest>(_ request: Request, _ result: Result<Request.Response, RPCError>)
}

/// One request that a router answers, without its type.
@MainActor
package class RPCMethod {
  package let id: MethodID
  /// The request's type name, for people: `NearestCinemas`.
  package let name: String
  package let safety: Safety?
  /// Its place in the router's list, for tables that hold something for each method.
  package let index: Int
  package let request: any (Decodable & Sendable).Type
  package let response: any (Decodable & Sendable).Type
  fileprivate var observer: (any CallObserver)?

  fileprivate init(
    id: MethodID, safety: Safety?, index: Int, request: any (Decodable & Sendable).Type,
    response: any (Decodable & Sendable).Type
  ) {
    self.id = id
    self.safety = safety
    self.index = index
    self.request = request
    self.response = response
    name = "\(request)"
  }

  package var isStreaming: Bool { safety == nil }

  /// Whether `answer` does it all, or `begin` has to.
  package var answersAtOnce: Bool { false }

  /// Decodes, handles and encodes in one go. The message is lent by the arrival's encoder.
  package func answer(_ arrival: borrowing RPCArrival) throws(RPCError) -> WireMessage {
    preconditionFailure("\(name) does not answer at once")
  }

  /// Decodes, then runs the handler in a task of its own, which tells `channel` how it ended.
  package func begin(_ arrival: borrowing RPCArrival, _ channel: any RPCReplyChannel) {
    preconditionFailure("\(name) answers at once")
  }
}

/// A request as it came over a transport. The payload is valid only during the call that it is handed to.
@MainActor
package struct RPCArrival {
  package let stream: UInt32
  package let payload: UnsafeRawBufferPointer
  package let tables: ReceivedTables
  package let decoder: WireDecoder
  package let encoder: WireEncoder
  package let context: CallContext

  package init(
    stream: UInt32, payload: UnsafeRawBufferPointer, tables: ReceivedTables, decoder: WireDecoder,
    encoder: WireEncoder, context: CallContext
  ) {
    self.stream = stream
    self.payload = payload
    self.tables = tables
    self.decoder = decoder
    self.encoder = encoder
    self.context = context
  }

  /// The same bytes in another context.
  package func with(_ context: CallContext) -> RPCArrival {
    RPCArrival(
      stream: stream, payload: payload, tables: tables, decoder: decoder, encoder: encoder, context: context)
  }

  fileprivate func decode<Request: Decodable>(_: Request.Type) throws(RPCError) -> Request {
    do throws(WireError) {
      return try decoder.decode(Request.self, from: payload, tables: tables)
    } catch {
      throw RPCError(.invalidArgument, "the request is no \(Request.self): \(error)", executed: .no)
    }
  }
}

/// Where the answers of calls that take their time go. One for each connection.
@MainActor
package protocol RPCReplyChannel: AnyObject {
  var encoder: WireEncoder { get }
  /// Runs the task that was made last until it first waits. It is made where its closure stands: one that is handed over
  /// is wrapped for each that takes it, and every wrapping is a frame of the task.
  func runNewestTask()
  /// The call runs in `task`, for cancelling it.
  func began(_ stream: UInt32, _ task: Task<Void, Never>)
  func succeed(_ stream: UInt32, _ message: WireMessage)
  func fail(_ stream: UInt32, _ error: RPCError)
  /// Sends an element; false while there is no credit for it.
  func sendItem(_ stream: UInt32, _ message: WireMessage) -> Bool
  /// Waits until an element could be sent; throws when the reader is gone.
  func room(_ stream: UInt32) async throws(RPCError)
  func finish(_ stream: UInt32)
  var isShuttingDown: Bool { get }
}

// MARK: - The three kinds

extension WireEncoder {
  fileprivate func answer(_ value: some Encodable) throws(RPCError) -> WireMessage {
    do throws(WireError) {
      return try encode(value)
    } catch {
      throw RPCError(.internal, "the answer could not be encoded: \(error.code)", cause: error)
    }
  }
}

/// What only the in-process transport needs of a method: the handler with its types.
@MainActor
package protocol TypedMethod<Request>: AnyObject {
  associatedtype Request: RPCRequest
  func handle(_ request: Request, _ context: CallContext) async throws(RPCError) -> Request.Response
}

@MainActor
package protocol TypedStreamMethod<Request>: AnyObject {
  associatedtype Request: RPCStreamRequest
  func handle(
    _ request: Request, _ context: CallContext, _ writer: StreamWriter<Request.Element>
  ) async throws(RPCError)
}

private final class SyncMethod<Request: RPCRequest>: RPCMethod, TypedMethod {
  private let handler: @MainActor (Request, borrowing CallContext) throws -> Request.Response

  init(index: Int, handler: @escaping @MainActor (Request, borrowing CallContext) throws -> Request.Response) {
    self.handler = handler
    super.init(
      id: Request.method, safety: Request.safety, index: index, request: Request.self, response: Request.Response.self)
  }

  override var answersAtOnce: Bool { true }

  override func answer(_ arrival: borrowing RPCArrival) throws(RPCError) -> WireMessage {
    let request = try arrival.decode(Request.self)
    let response: Request.Response
    do {
      response = try handler(request, arrival.context)
    } catch {
      let error = RPCError(handler: error)
      observer?.ended(request, .failure(error))
      throw error
    }
    observer?.ended(request, .success(response))
    return try arrival.encoder.answer(response)
  }

  func handle(_ request: Request, _ context: CallContext) async throws(RPCError) -> Request.Response {
    do { return try handler(request, context) } catch { throw RPCError(handler: error) }
  }
}

private final class AsyncMethod<Request: RPCRequest>: RPCMethod, TypedMethod {
  private let handler: @MainActor (Request, CallContext) async throws -> Request.Response

  init(index: Int, handler: @escaping @MainActor (Request, CallContext) async throws -> Request.Response) {
    self.handler = handler
    super.init(
      id: Request.method, safety: Request.safety, index: index, request: Request.self, response: Request.Response.self)
  }

  override func begin(_ arrival: borrowing RPCArrival, _ channel: any RPCReplyChannel) {
    let (stream, context) = (arrival.stream, arrival.context)
    let request: Request
    do throws(RPCError) {
      request = try arrival.decode(Request.self)
    } catch {
      return channel.fail(stream, error)
    }
    let (handler, observer) = (handler, observer)
    let task = Task { @MainActor in
      let response: Request.Response
      do {
        // Bound within the task, its memory is the task's; bound around it, it would be allocated twice and copied.
        response = try await CallContext.$current.withValue(context) { try await handler(request, context) }
      } catch {
        let error = RPCError(handler: error)
        if let observer { Self.tell(observer, request, failed: error) }
        return channel.fail(stream, error)
      }
      if let observer { Self.tell(observer, request, answered: response) }
      do throws(RPCError) {
        channel.succeed(stream, try channel.encoder.answer(response))
      } catch {
        channel.fail(stream, error)
      }
    }
    channel.runNewestTask()
    channel.began(stream, task)
  }

  // By themselves: the type of a result is looked up wherever one is made, and nearly nobody observes.
  @inline(never)
  private static func tell(_ observer: any CallObserver, _ request: Request, answered response: Request.Response) {
    observer.ended(request, .success(response))
  }

  @inline(never)
  private static func tell(_ observer: any CallObserver, _ request: Request, failed error: RPCError) {
    observer.ended(request, .failure(error))
  }

  func handle(_ request: Request, _ context: CallContext) async throws(RPCError) -> Request.Response {
    do {
      return try await CallContext.$current.withValue(context) { try await handler(request, context) }
    } catch {
      throw RPCError(handler: error)
    }
  }
}

private final class StreamMethod<Request: RPCStreamRequest>: RPCMethod, TypedStreamMethod {
  typealias Handler = @MainActor (Request, CallContext, StreamWriter<Request.Element>) async throws -> Void
  private let handler: Handler

  init(index: Int, handler: @escaping Handler) {
    self.handler = handler
    super.init(id: Request.method, safety: nil, index: index, request: Request.self, response: Request.Element.self)
  }

  override func begin(_ arrival: borrowing RPCArrival, _ channel: any RPCReplyChannel) {
    let (stream, context) = (arrival.stream, arrival.context)
    let request: Request
    do throws(RPCError) {
      request = try arrival.decode(Request.self)
    } catch {
      return channel.fail(stream, error)
    }
    let handler = handler
    CallContext.$current.withValue(context) {
      let task = Task { @MainActor in
        let writer = StreamWriter<Request.Element>(
          isShuttingDown: { channel.isShuttingDown },
          send: { (element) throws(RPCError) in
            while !channel.sendItem(stream, try channel.encoder.answer(element)) { try await channel.room(stream) }
          })
        do {
          try await handler(request, context, writer)
          channel.finish(stream)
        } catch {
          channel.fail(stream, RPCError(handler: error))
        }
      }
      channel.runNewestTask()
      channel.began(stream, task)
    }
  }

  func handle(
    _ request: Request, _ context: CallContext, _ writer: StreamWriter<Request.Element>
  ) async throws(RPCError) {
    do {
      try await CallContext.$current.withValue(context) { try await handler(request, context, writer) }
    } catch {
      throw RPCError(handler: error)
    }
  }
}
