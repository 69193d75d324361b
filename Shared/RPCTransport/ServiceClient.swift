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
  package init() {}

  package func connect(to address: SocketAddress) async throws(SocketError) -> any ByteStream {
    try await Connector.connect(to: address, limits: .ofCalls)
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
  /// Nil: nobody reads metrics, and nothing is counted.
  let tally: ClientTally?
  private let policy: RetryPolicy
  private var budget = RetryBudget()

  package init(
    of _: Service.Type = Service.self, at targets: [ServiceTarget], secret: Secret? = nil, as name: String = "",
    limits: LinkLimits = LinkLimits(), policy: RetryPolicy = RetryPolicy(), network: any Network = SocketNetwork(),
    time: any TimeSource = EventLoop.time, random: any RandomNumberGenerator = SecureRandom(), log: Log = .silent,
    metrics: Metrics? = nil
  ) {
    self.policy = policy
    let pool = EndpointPool(
      service: Service.name, targets: targets, secret: secret, name: name, limits: limits, network: network, time: time,
      random: random, log: log)
    self.pool = pool
    tally = metrics.map { ClientTally(of: Service.name, in: $0) { [unowned pool] in pool.load } }
  }

  package func call<Request: RPCRequest>(
    _ request: Request, _ options: CallOptions
  ) async throws(RPCError) -> Request.Response where Request.Service == Service {
    let began = pool.time.now
    let context = options.context(now: began, safety: Request.safety)
    budget.deposit(now: began)
    let answer = PendingCall(for: Request.Response.self)
    if let lost = await attempt(request, context, mayRetry: options.mayRetry, answer) {
      return try await goOn(request, context, since: began, mayRetry: options.mayRetry, after: lost)
    }
    count(Request.self, since: began, nil)
    return answer.take(as: Request.Response.self)
  }

  /// Asks once. Nil if there is an answer.
  @inline(__always)
  private func attempt<Request: RPCRequest>(
    _ request: Request, _ context: CallContext, mayRetry: Bool, _ answer: PendingCall,
    after tried: [BalancedPick] = []
  ) async -> LostAttempt? {
    do throws(RPCError) {
      var place =
        if let place = try pool.placeNow(context, after: tried) { place } else { try await pool.place(context) }
      var failure: RPCError?
      do throws(RPCError) {
        let stream = try place.connection.begin(
          request, Request.method, bounded(context, Request.safety, mayRetry: mayRetry, at: &place), answer)
        failure = await place.connection.settled(stream, answer)
      } catch {
        failure = error
      }
      pool.leave(place, failure)
      guard let failure else { return nil }
      return LostAttempt(failure: failure, place: place)
    } catch {
      return LostAttempt(failure: error)
    }
  }

  /// The context of an attempt, which ends early if another endpoint could answer in what is left then.
  @inline(__always)
  private func bounded(
    _ context: CallContext, _ safety: Safety, mayRetry: Bool, at place: inout EndpointPool.Place
  ) -> CallContext {
    guard pool.hasFurther(than: place, attempt: Int(context.attempt)) else { return context }
    let now = pool.time.now
    // Each that is cut short may want one of the budget.
    guard budget.available(now: now) > pool.cutShort else { return context }
    var attempt = context
    attempt.deadline =
      now + policy.timeForAttempt(described(context, safety, mayRetry: mayRetry, now), budget: &budget, now: now)
    if attempt.deadline < context.deadline { pool.cutShort(&place) }
    return attempt
  }

  /// Ends a call whose first attempt failed, or tries again.
  @inline(never)
  private func goOn<Request: RPCRequest>(
    _ request: Request, _ context: CallContext, since began: Instant, mayRetry: Bool, after lost: LostAttempt
  ) async throws(RPCError) -> Request.Response {
    do throws(RPCError) {
      let delay = try delay(after: lost.failure, of: Request.self, context, mayRetry: mayRetry)
      let answer = try await again(request, context, mayRetry: mayRetry, after: lost, in: delay)
      count(Request.self, since: began, nil)
      return answer
    } catch {
      count(Request.self, since: began, error.code)
      throw error
    }
  }

  /// Tries until there is an answer, or nothing is to be hoped for.
  @inline(never)
  private func again<Request: RPCRequest>(
    _ request: Request, _ context: CallContext, mayRetry: Bool, after lost: LostAttempt, in delay: Duration
  ) async throws(RPCError) -> Request.Response {
    var (context, lost, delay) = (context, lost, delay)
    var mayHaveRun = lost.failure.executed != .no
    var tried: [BalancedPick] = []
    while true {
      try await pause(delay)
      context.attempt &+= 1
      if let place = lost.place { tried.append(place.pick) }
      let answer = PendingCall(for: Request.Response.self)
      guard var next = await attempt(request, context, mayRetry: mayRetry, answer, after: tried) else {
        return answer.take(as: Request.Response.self)
      }
      // That the last attempt was not executed says nothing of the earlier ones.
      if next.failure.executed != .no { mayHaveRun = true } else if mayHaveRun { next.failure.executed = .maybe }
      delay = try self.delay(after: next.failure, of: Request.self, context, mayRetry: mayRetry)
      lost = next
    }
  }

  package func begin<Request: RPCRequest>(
    _ request: Request, _ options: CallOptions,
    _ ended: @escaping @MainActor (Result<Request.Response, RPCError>) -> Void
  ) -> (any CallUnderWay)? where Request.Service == Service {
    let began = pool.time.now
    let context = options.context(now: began, safety: Request.safety)
    // What cannot be asked now goes the other way, which waits, or says what is wrong.
    guard var place = try? pool.placeNow(context) else { return nil }
    let bounded = bounded(context, Request.safety, mayRetry: options.mayRetry, at: &place)
    let call = DirectCall(request, context, since: began, mayRetry: options.mayRetry, of: self, at: place, ended)
    do throws(RPCError) {
      call.stream = try place.connection.begin(request, Request.method, bounded, call)
    } catch {
      pool.leave(place, error)
      return nil
    }
    budget.deposit(now: began)
    return call
  }

  /// Ends a call without a task whose first attempt failed, or tries again: that has a task.
  @inline(never)
  func goOn<Request: RPCRequest>(
    _ call: DirectCall<Request>, after failure: RPCError,
    _ ended: @escaping @MainActor (Result<Request.Response, RPCError>) -> Void
  ) where Request.Service == Service {
    let began = call.began
    let delay: Duration
    do throws(RPCError) {
      delay = try self.delay(after: failure, of: Request.self, call.context, mayRetry: call.mayRetry)
    } catch {
      count(Request.self, since: began, error.code)
      return ended(.failure(error))
    }
    let lost = LostAttempt(failure: failure, place: call.place)
    call.further = Task { @MainActor [request = call.request, context = call.context, mayRetry = call.mayRetry] in
      let result: Result<Request.Response, RPCError>
      do throws(RPCError) {
        result = .success(try await again(request, context, mayRetry: mayRetry, after: lost, in: delay))
        count(Request.self, since: began, nil)
      } catch {
        result = .failure(error)
        count(Request.self, since: began, error.code)
      }
      ended(result)
    }
  }

  /// Counts a call that is over, with the code it failed with.
  @inline(__always)
  func count<Request: RPCRequest>(_: Request.Type, since began: Instant, _ failure: RPCError.Code?) {
    tally?.ended(Request.method, failure, after: pool.time.now - began, name: "\(Request.self)")
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

  /// How long to wait before the next attempt. Throws the last one's failure if it is the call's.
  @inline(never)
  private func delay<Request: RPCRequest>(
    after error: RPCError, of _: Request.Type, _ context: CallContext, mayRetry: Bool
  ) throws(RPCError) -> Duration {
    let now = pool.time.now
    let call = described(context, Request.safety, mayRetry: mayRetry, now)
    switch policy.decide(call, after: error.failure, budget: &budget, now: now, using: &pool.random) {
    case .giveUp: throw error
    case .retry(let delay):
      tally?.repeats(Request.method, after: error.code, name: "\(Request.self)")
      return delay
    }
  }

  /// A call as the policy sees it.
  private func described(
    _ context: CallContext, _ safety: Safety, mayRetry: Bool, _ now: Instant
  ) -> RetryPolicy.Call {
    RetryPolicy.Call(
      attempt: Int(context.attempt), isRepeatable: safety != .keyed || context.key != nil,
      timeLeft: context.deadline - now, isOutermost: mayRetry && context.hop == 0)
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

/// An attempt that failed: why, and at whom if anybody was asked. Outside of the client, which is generic: its type would
/// be looked up in each call.
private struct LostAttempt {
  var failure: RPCError
  var place: EndpointPool.Place?
}

nonisolated package struct ClientLoad: Hashable, Sendable {
  package var calls = 0
  package var waiting = 0
  package var creditUsed = 0
  package var creditHeld = 0
}
