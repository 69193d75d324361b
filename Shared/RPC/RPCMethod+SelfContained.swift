import Wire

extension RPCMethod {
  /// Answers a request whose type the caller knows only by name, both in the self-contained form: one answer, or the first
  /// `limit` elements of a stream.
  package func answer(
    selfContained request: [UInt8], _ context: CallContext, limit: Int
  ) async throws(RPCError) -> [[UInt8]] {
    if let method = self as? any TypedMethod { return [try await method.answer(selfContained: request, context)] }
    guard let method = self as? any TypedStreamMethod else {
      throw RPCError(.unimplemented, "\(name) cannot be called by name", executed: .no)
    }
    return try await method.elements(selfContained: request, context, limit: limit)
  }
}

extension TypedMethod {
  fileprivate func answer(selfContained bytes: [UInt8], _ context: CallContext) async throws(RPCError) -> [UInt8] {
    if Request.safety == .keyed, context.key == nil {
      throw RPCError(.invalidArgument, "\(Request.self) needs an idempotency key", executed: .no)
    }
    return try encoded(try await handle(try decoded(Request.self, bytes), context))
  }
}

extension TypedStreamMethod {
  fileprivate func elements(
    selfContained bytes: [UInt8], _ context: CallContext, limit: Int
  ) async throws(RPCError) -> [[UInt8]] {
    let request = try decoded(Request.self, bytes)
    let collected = Collected()
    let writer = StreamWriter<Request.Element>(isShuttingDown: { collected.elements.count >= limit }) {
      (element) throws(RPCError) in
      collected.elements.append(try encoded(element))
      guard collected.elements.count < limit else { throw RPCError(.cancelled, "that was enough") }
    }
    do throws(RPCError) {
      try await handle(request, context, writer)
    } catch {
      // What had come by then is an answer: the stream was stopped, or its time was up.
      guard !collected.elements.isEmpty, error.code == .cancelled || error.code == .deadlineExceeded else {
        throw error
      }
    }
    return collected.elements
  }
}

@MainActor
private final class Collected {
  var elements: [[UInt8]] = []
}

private func decoded<Request: Decodable>(_ type: Request.Type, _ bytes: [UInt8]) throws(RPCError) -> Request {
  do throws(WireError) {
    return try Wire.decode(type, from: bytes)
  } catch {
    throw RPCError(.invalidArgument, "this is no \(type): \(error)", executed: .no)
  }
}

private func encoded(_ value: some Encodable) throws(RPCError) -> [UInt8] {
  do throws(WireError) {
    return try Wire.encode(value)
  } catch {
    throw RPCError(.internal, "the answer could not be encoded: \(error.code)", cause: error)
  }
}
