package import Clocks
package import Crypto
package import EventLoops
package import Observability
package import RPC

/// How connections are opened: over sockets, or in a simulation.
package protocol Network: AnyObject {
  func connect(to address: SocketAddress) async throws(SocketError) -> any ByteStream
  func addresses(of host: String, port: UInt16) async throws(SocketError) -> [SocketAddress]
}

/// The operating system's network.
package final class SocketNetwork: Network {
  private let limits: StreamLimits

  package init() {
    var limits = StreamLimits()
    limits.queueHighWater = 256 << 10
    limits.queueLowWater = 64 << 10
    self.limits = limits
  }

  package func connect(to address: SocketAddress) async throws(SocketError) -> any ByteStream {
    try await Connector.connect(to: address, limits: limits)
  }

  package func addresses(of host: String, port: UInt16) async throws(SocketError) -> [SocketAddress] {
    try await Resolver.addresses(of: host, port: port)
  }
}

/// Where a service is to be found.
package enum ServiceTarget: Hashable, Sendable {
  case address(SocketAddress)
  /// Asked for again and again: what it names today may be elsewhere tomorrow.
  case host(String, port: UInt16)
}

/// The client of one service, whoever and however many serve it: finds them, stays connected, spreads calls over them
/// and repeats what is safe to repeat.
package final class ServiceClient<Service: RPCService>: RPCClient {
  let pool: EndpointPool
  private let policy: RetryPolicy
  private var budget = RetryBudget()

  package init(
    of _: Service.Type = Service.self, at targets: [ServiceTarget], secret: Secret? = nil, as name: String = "",
    limits: LinkLimits = LinkLimits(), policy: RetryPolicy = RetryPolicy(), network: any Network = SocketNetwork(),
    time: any TimeSource = EventLoop.time, random: any RandomNumberGenerator = SecureRandom(), log: Log = .silent
  ) {
    self.policy = policy
    pool = EndpointPool(
      service: Service.name, targets: targets, secret: secret, name: name, limits: limits, network: network, time: time,
      random: random, log: log)
  }

  package func call<Request: RPCRequest>(
    _ request: Request, _ options: CallOptions
  ) async throws(RPCError) -> Request.Response where Request.Service == Service {
    let context = options.context(now: pool.time.now, safety: Request.safety)
    budget.deposit(now: pool.time.now)
    return try await attempt(request, context, mayRetry: options.mayRetry)
  }

  /// Tries until there is an answer, or nothing is to be hoped for.
  @inline(__always)
  private func attempt<Request: RPCRequest>(
    _ request: Request, _ context: CallContext, mayRetry: Bool, mayHaveRun before: Bool = false
  ) async throws(RPCError) -> Request.Response {
    var (context, mayHaveRun) = (context, before)
    while true {
      let answer = PendingCall<Request.Response>()
      var failure: RPCError?
      do throws(RPCError) {
        let place = if let place = try pool.placeNow(context) { place } else { try await pool.place(context) }
        do throws(RPCError) {
          let stream = try place.connection.begin(request, Request.method, context, answer)
          failure = await place.connection.settled(stream, answer)
        } catch {
          failure = error
        }
        pool.leave(place, failure)
      } catch {
        failure = error
      }
      guard var failure else { return answer.take() }
      // That the last attempt was not executed says nothing of the earlier ones.
      if failure.executed != .no { mayHaveRun = true } else if mayHaveRun { failure.executed = .maybe }
      guard let delay = delay(after: failure, of: context, Request.safety, mayRetry: mayRetry) else { throw failure }
      try await pause(delay)
      context.attempt &+= 1
    }
  }

  package func begin<Request: RPCRequest>(
    _ request: Request, _ options: CallOptions,
    _ ended: @escaping @MainActor (Result<Request.Response, RPCError>) -> Void
  ) -> (any CallUnderWay)? where Request.Service == Service {
    let context = options.context(now: pool.time.now, safety: Request.safety)
    // What cannot be asked now goes the other way, which waits, or says what is wrong.
    guard let place = try? pool.placeNow(context) else { return nil }
    let call = DirectCall(request, context, mayRetry: options.mayRetry, of: self, at: place, ended)
    do throws(RPCError) {
      call.stream = try place.connection.begin(request, Request.method, context, call)
    } catch {
      pool.leave(place, error)
      return nil
    }
    budget.deposit(now: pool.time.now)
    return call
  }

  /// Ends a call without a task whose first attempt failed, or tries again: that has a task.
  @inline(never)
  func goOn<Request: RPCRequest>(
    _ call: DirectCall<Request>, after failure: RPCError,
    _ ended: @escaping @MainActor (Result<Request.Response, RPCError>) -> Void
  ) where Request.Service == Service {
    guard let delay = delay(after: failure, of: call.context, Request.safety, mayRetry: call.mayRetry) else {
      return ended(.failure(failure))
    }
    var context = call.context
    context.attempt &+= 1
    call.further = Task { @MainActor [request = call.request, mayRetry = call.mayRetry, context] in
      let result: Result<Request.Response, RPCError>
      do throws(RPCError) {
        try await pause(delay)
        result = .success(
          try await attempt(request, context, mayRetry: mayRetry, mayHaveRun: failure.executed != .no))
      } catch {
        result = .failure(error)
      }
      ended(result)
    }
  }

  /// A stream that broke is its reader's to resume: only the reader knows from where.
  package func stream<Request: RPCStreamRequest>(
    _ request: Request, _ options: CallOptions
  ) async throws(RPCError) -> RPCStream<Request.Element> where Request.Service == Service {
    let context = options.context(now: pool.time.now, safety: nil)
    // The stream may last for ever; finding somebody to ask may not.
    var finding = context
    finding.deadline = min(context.deadline, pool.time.now + CallOptions.timeoutDefault)
    let place = try await pool.place(finding)
    do throws(RPCError) {
      let stream = try place.connection.stream(request, context)
      pool.leave(place, nil)
      return stream
    } catch {
      pool.leave(place, error)
      throw error
    }
  }

  /// How long to wait before the next attempt; nil if the last one's failure is the call's.
  @inline(never)
  private func delay(
    after error: RPCError, of context: CallContext, _ safety: Safety, mayRetry: Bool
  ) -> Duration? {
    let now = pool.time.now
    let call = RetryPolicy.Call(
      attempt: Int(context.attempt), isRepeatable: safety != .keyed || context.key != nil,
      timeLeft: context.deadline - now, isOutermost: mayRetry && context.hop == 0)
    guard
      case .retry(let delay) = policy.decide(
        call, after: error.failure, budget: &budget, now: now, using: &pool.random)
    else { return nil }
    return delay
  }

  // Not inlined, as other functions that wait and seldom do: their state would be part of every call's.
  @inline(never)
  private func pause(_ delay: Duration) async throws(RPCError) {
    do {
      try await pool.time.sleep(for: delay)
    } catch {
      throw RPCError(.cancelled, "cancelled")
    }
  }

  /// How many endpoints are connected now.
  package var connectedCount: Int { pool.connectedCount }

  /// What its connections have in hand: calls, and bytes of elements that were not granted again or not even read.
  package var load: ClientLoad { pool.load }

  package func close() { pool.close() }
}

nonisolated package struct ClientLoad: Hashable, Sendable {
  package var calls = 0
  package var waiting = 0
  package var creditUsed = 0
  package var creditHeld = 0
}
