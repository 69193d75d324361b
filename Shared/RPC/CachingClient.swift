package import Clocks
import Wire

/// An answer, and how old it is.
package struct Aged<Value: Sendable>: Sendable {
  package var value: Value
  /// Since the service gave it, as this process knows.
  package var age: Duration
  /// Older than its contract calls fresh: a new one is being fetched.
  package var isStale: Bool

  package init(_ value: Value, age: Duration = .zero, isStale: Bool = false) {
    self.value = value
    self.age = age
    self.isStale = isStale
  }
}

/// A client that asks once where many ask the same, and keeps answers for as long as their contract says.
///
/// Reads whose contract declares a `freshness` are shared; everything else goes straight through. A stale answer is served
/// while a new one is fetched behind it, and while the service cannot be reached. The work of a read is cancelled when the
/// last who waits for it leaves; its caller's `key` and `supersede` stay with the caller.
@MainActor
package final class CachingClient<Service: RPCService>: RPCClient {
  private let base: any RPCClient<Service>
  private let time: any TimeSource
  private var reads: CachedReads<ReadKey, any Sendable, Reader>
  private var works: [Flight: Task<Void, Never>] = [:]

  private typealias Reads = CachedReads<ReadKey, any Sendable, Reader>

  package init(_ base: any RPCClient<Service>, time: any TimeSource, limits: CachingLimits = CachingLimits()) {
    self.base = base
    self.time = time
    var bounds = Reads.Limits()
    bounds.entriesMax = limits.entriesMax
    bounds.bytesMax = limits.bytesMax
    reads = CachedReads(bounds)
  }

  /// Answers kept, and what they weigh.
  package var kept: (entries: Int, bytes: Int) { (reads.count, reads.bytes) }

  package func call<Request: RPCRequest>(
    _ request: Request, _ options: CallOptions
  ) async throws(RPCError) -> Request.Response where Request.Service == Service {
    guard Request.freshness != nil else { return try await base.call(request, options) }
    return try await read(request, options).value
  }

  package func stream<Request: RPCStreamRequest>(
    _ request: Request, _ options: CallOptions
  ) async throws(RPCError) -> RPCStream<Request.Element> where Request.Service == Service {
    try await base.stream(request, options)
  }

  /// The answer with its age.
  package func read<Request: RPCRequest>(
    _ request: Request, _ options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Aged<Request.Response> where Request.Service == Service {
    guard let freshness = Request.freshness, Request.safety == .read else {
      return Aged(try await base.call(request, options))
    }
    let key = try ReadKey(request)
    let deadline = options.context(now: time.now, safety: .read).deadline
    let reader = Reader()
    switch reads.read(key, freshness, waiter: reader, deadline: deadline, now: time.now) {
    case .fresh(let value, let age):
      return Aged(value as! Request.Response, age: age)
    case .stale(let value, let age, let refresh):
      if let refresh { fly(refresh, request, freshness, options) }
      return Aged(value as! Request.Response, age: age, isStale: true)
    case .start(let ticket):
      fly(ticket.flight, request, freshness, options)
      return try await wait(reader, ticket, until: deadline)
    case .join(let ticket):
      // Should the work run out of time before this caller does, it is done again: see `overdue`.
      return try await wait(reader, ticket, until: deadline)
    case .resting(let pause):
      throw RPCError(
        .unavailable, "\(Service.name) failed just now; ask again later", executed: .no, retryAfter: pause)
    case .alone:
      return Aged(try await base.call(request, options))
    }
  }

  /// Something was written: the next to ask gets an answer that knows of it.
  package func invalidate<Request: RPCRequest>(_ request: Request) throws(RPCError) where Request.Service == Service {
    reads.invalidate(try ReadKey(request))
  }

  /// Anything may have been written.
  package func invalidateAll() { reads.invalidateAll() }

  // MARK: The work

  private func fly<Request: RPCRequest>(
    _ flight: Flight, _ request: Request, _ freshness: Freshness, _ options: CallOptions
  ) where Request.Service == Service {
    guard let deadline = reads.deadline(of: flight) else { return }
    var shared = CallOptions(timeout: deadline - time.now, priority: options.priority, mayRetry: options.mayRetry)
    shared.metadata = options.metadata
    // Outside the call that happened to be first: its end is not the end of the others.
    works[flight] = Task { @MainActor [base] in
      let result: Result<Request.Response, RPCError>
      do throws(RPCError) {
        result = .success(try await Self.detached(base, request, shared))
      } catch {
        result = .failure(error)
      }
      self.landed(flight, request, freshness, options, result)
    }
  }

  private static func detached<Request: RPCRequest>(
    _ base: any RPCClient<Service>, _ request: Request, _ options: CallOptions
  ) async throws(RPCError) -> Request.Response where Request.Service == Service {
    let result: Result<Request.Response, RPCError> = await CallContext.outsideCurrentCall {
      do throws(RPCError) {
        return .success(try await base.call(request, options))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func landed<Request: RPCRequest>(
    _ flight: Flight, _ request: Request, _ freshness: Freshness, _ options: CallOptions,
    _ result: Result<Request.Response, RPCError>
  ) where Request.Service == Service {
    works[flight] = nil
    switch result {
    case .success(let value):
      // What it weighs is what it takes on the wire.
      let weight = (try? Wire.encode(value).count) ?? .max
      for reader in reads.landed(flight, value, bytes: weight, freshness, now: time.now) {
        reader.end(.success(value))
      }
    case .failure(let error) where error.code == .deadlineExceeded:
      let overdue = reads.overdue(flight, now: time.now)
      for reader in overdue.expired { reader.end(.failure(error)) }
      if overdue.flyAgain { fly(flight, request, freshness, options) }
    case .failure(let error):
      for reader in reads.failed(flight, freshness, now: time.now) { reader.end(.failure(error)) }
    }
  }

  // MARK: Waiting

  private func wait<Value: Sendable>(
    _ reader: Reader, _ ticket: FlightTicket, until deadline: Instant
  ) async throws(RPCError) -> Aged<Value> {
    let timer = time.after(deadline - time.now) {
      self.leave(reader, ticket, RPCError(.deadlineExceeded, "\(Service.name) did not answer in time"))
    }
    let result = await withTaskCancellationHandler {
      await withUnsafeContinuation { reader.begin($0) }
    } onCancel: {
      Task { @MainActor in self.leave(reader, ticket, RPCError(.cancelled, "cancelled")) }
    }
    timer.cancel()
    return Aged(try result.get() as! Value)
  }

  private func leave(_ reader: Reader, _ ticket: FlightTicket, _ error: RPCError) {
    guard !reader.isOver else { return }
    if case .cancel(let flight) = reads.leave(ticket) { works.removeValue(forKey: flight)?.cancel() }
    reader.end(.failure(error))
  }
}

/// What a `CachingClient` may keep.
package struct CachingLimits: Sendable {
  /// Different reads.
  package var entriesMax = 10_000
  /// What their answers take on the wire, and a little each.
  package var bytesMax = 64 << 20

  package init() {}
}

/// A read, as its bytes: whatever it asks, equal reads are equal.
private struct ReadKey: Hashable {
  let method: MethodID
  let bytes: [UInt8]

  init<Request: RPCRequest>(_ request: Request) throws(RPCError) {
    method = Request.method
    do throws(WireError) {
      bytes = try Wire.encode(request)
    } catch {
      throw RPCError(.invalidArgument, "\(Request.self) cannot be encoded: \(error)", executed: .no)
    }
  }
}

/// Somebody who waits for a flight.
@MainActor
private final class Reader {
  typealias Answer = Result<any Sendable, RPCError>

  private var continuation: UnsafeContinuation<Answer, Never>?
  private var answer: Answer?

  nonisolated init() {}

  var isOver: Bool { answer != nil }

  func begin(_ continuation: UnsafeContinuation<Answer, Never>) {
    if let answer { return continuation.resume(returning: answer) }
    self.continuation = continuation
  }

  func end(_ answer: Answer) {
    guard self.answer == nil else { return }
    self.answer = answer
    continuation?.resume(returning: answer)
    continuation = nil
  }
}
