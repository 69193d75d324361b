import Clocks
import EventLoops
import Observability
import RPC
import Wire

/// One client of a server: its calls, and their answers.
final class ServerConnection: LinkOwner, RPCReplyChannel {
  /// Its place in the order of their coming.
  let number: Int
  private let server: RPCServer
  private(set) var link: FrameLink!
  private var peer: CallPeer = .inProcess
  /// The same for the calls' contexts, which share it.
  private var callers = CallExtras(CallExtras.Fields())
  /// Calls under way, by the slot in the low half of their stream's number.
  private var calls: [ServerCall?] = []
  /// Handlers that run although their caller left.
  private var orphans: [UInt32: ServerCall] = [:]
  private(set) var running = 0
  private var credit = FlowCredit.Sender(window: FlowCredit.connectionWindow)
  private var sweepDue = Instant.distantFuture
  /// Holds the connection, until it is closed: a weak reference would make every retain of it slow.
  private var sweepTimer: (any Scheduled)?
  private var isOpen = false

  init(_ stream: any ByteStream, number: Int, server: RPCServer) {
    self.number = number
    self.server = server
    // On a unix socket the kernel says who asks; administrators need no secret there.
    let secret = stream.peerUser == nil ? server.secret : nil
    let hello = Hello(
      limits: server.limits.link, wantsProof: secret != nil, nonce: server.nonce(),
      service: server.router.serviceName, build: server.build)
    link = FrameLink(
      stream, owner: self,
      handshake: Handshake(role: .server, hello: hello, secret: secret, limits: server.limits.link),
      limits: server.limits.link, time: server.time, budget: server.held)
  }

  var encoder: WireEncoder { link.encoder }
  var isBusy: Bool { running > 0 }
  var orphanCount: Int { orphans.count }
  var creditUsed: Int { FlowCredit.connectionWindow - credit.available }
  var isShuttingDown: Bool { server.isDraining }

  /// Adds its calls under way to the numbers of each method, by the methods' indices.
  func countRunning(_ running: inout [Int]) {
    for case let call? in calls { running[call.method.index] += 1 }
  }

  func opened(_ agreed: LinkPeer) {
    isOpen = true
    peer = .remote(address: link.address.description, service: agreed.service, user: link.peerUser)
    var fields = CallExtras.Fields()
    fields.peer = peer
    callers = CallExtras(fields)
    if server.isDraining { link.sendEmpty(.drain, 0) }
  }

  // MARK: Requests

  func received(_ message: LinkMessage) throws(ProtocolViolation) {
    guard message.kind == .request else { throw ProtocolViolation("a client sent a \(message.kind) frame") }
    var payload = message.body
    let head = try RequestHead(message.body, message.flags, payload: &payload)
    let stream = message.stream
    guard stream != 0 else { throw ProtocolViolation("a call came on stream 0, which is the connection itself") }
    guard let method = server.router[head.method] else {
      return fail(stream, .unknown(head.method, to: server.router.serviceName))
    }
    server.tally.received(method, bytes: payload.count)
    let now = link.time.now
    let context = head.context(now: now, peer: callers)
    if let refusal = refusal(of: head, method, context, now) {
      server.tally.failed(method, refusal.code)
      return fail(stream, refusal)
    }
    let arrival = RPCArrival(
      stream: stream, payload: payload, tables: link.received, decoder: link.decoder, encoder: link.encoder,
      context: context)
    if method.answersAtOnce, server.faults.isEmpty {
      answer(arrival, method)
    } else {
      try begin(arrival, method, now)
    }
  }

  private func refusal(
    of head: RequestHead, _ method: RPCMethod, _ context: borrowing CallContext, _ now: Instant
  ) -> RPCError? {
    if server.isDraining {
      return RPCError(.unavailable, "\(server.router.serviceName) is shutting down; ask another", executed: .no)
    }
    if context.deadline <= now {
      return RPCError(.deadlineExceeded, "the call arrived when its time was up", executed: .no)
    }
    if head.method.isForAdministrators, !peer.isAdministrator(of: server.ownUser), !server.trustsEveryPeer {
      return RPCError(.permissionDenied, "\(method.name) is for administrators; use the service's unix socket")
    }
    if method.safety == .keyed, context.key == nil {
      return RPCError(.invalidArgument, "\(method.name) needs an idempotency key", executed: .no)
    }
    return nil
  }

  private func answer(_ arrival: RPCArrival, _ method: RPCMethod) {
    let span = sampledSpan(arrival, method)
    do throws(RPCError) {
      let message = try method.answer(arrival)
      try link.send(.response, arrival.stream, message)
      server.tally.sent(method, bytes: message.bytes.count)
      server.tally.succeeded(method)
      span?.end(at: link.time.now)
    } catch {
      server.tally.failed(method, error.code)
      server.noteFault(error, method)
      span?.end(at: link.time.now, failing: error.code)
      fail(arrival.stream, error)
    }
  }

  /// What answers at once is timed only where somebody follows the trace.
  private func sampledSpan(_ arrival: RPCArrival, _ method: RPCMethod) -> Span? {
    guard let trace = arrival.context.trace, trace.isSampled else { return nil }
    return server.traces?.begin(method.name, .server, from: trace, at: link.time.now)
  }

  private func begin(_ arrival: RPCArrival, _ method: RPCMethod, _ now: Instant) throws(ProtocolViolation) {
    let slot = Int(arrival.stream & 0xFFFF)
    guard slot < link.limits.streams else {
      throw ProtocolViolation("a call came on slot \(slot); there are \(link.limits.streams)")
    }
    while calls.count <= slot { calls.append(nil) }
    guard calls[slot] == nil else { throw ProtocolViolation("a call came on slot \(slot), which is taken") }
    let call = ServerCall(arrival.stream, method, arrival.context, arrived: now, on: self)
    if let traces = server.traces { call.beginSpan(in: traces) }
    calls[slot] = call
    running += 1
    watch(call.context.deadline)
    guard server.supersede(call, now) else { return }
    switch server.admit(call, now) {
    case .run: start(call, arrival)
    case .wait: call.waiting = Array(arrival.payload)
    case .over: break
    }
  }

  private func start(_ call: ServerCall, _ arrival: RPCArrival) {
    call.started = link.time.now
    switch server.faults.decide(call.method) {
    case .none: run(call, arrival)
    case .fail(let error): fail(call.stream, error)
    case .delay(let delay):
      call.waiting = Array(arrival.payload)
      link.time.after(delay) { [self] in
        if !call.isAbandoned { runWaiting(call) }
      }
    }
  }

  private func run(_ call: ServerCall, _ arrival: RPCArrival) {
    guard call.method.answersAtOnce else {
      guard let span = call.span else { return call.method.begin(arrival, self) }
      // With the trace's place here instead of the caller's.
      let arrival = arrival.with(call.context)
      return Span.$current.withValue(span) { call.method.begin(arrival, self) }
    }
    do throws(RPCError) {
      succeed(call.stream, try call.method.answer(arrival))
    } catch {
      fail(call.stream, error)
    }
  }

  /// Starts a call whose turn has come.
  func startWaiting(_ call: ServerCall) {
    call.started = link.time.now
    runWaiting(call)
  }

  private func runWaiting(_ call: ServerCall) {
    guard let bytes = call.waiting else { return }
    call.waiting = nil
    bytes.withUnsafeBytes { payload in
      run(
        call,
        RPCArrival(
          stream: call.stream, payload: payload, tables: link.received, decoder: link.decoder, encoder: link.encoder,
          context: call.context))
    }
  }

  // MARK: Answers

  private func call(on stream: UInt32) -> ServerCall? {
    let slot = Int(stream & 0xFFFF)
    guard slot < calls.count, let call = calls[slot], call.stream == stream else { return nil }
    return call
  }

  func runNewestTask() { EventLoop.runNewestJob() }

  func began(_ stream: UInt32, _ task: Task<Void, Never>) {
    // A handler that did not wait is over by now.
    call(on: stream)?.task = task
  }

  func succeed(_ stream: UInt32, _ message: WireMessage) {
    guard let call = end(stream, failing: nil) else { return }
    do throws(RPCError) {
      try link.send(.response, call.stream, message)
      server.tally.sent(call.method, bytes: message.bytes.count)
    } catch {
      link.sendError(stream, error)
    }
  }

  func fail(_ stream: UInt32, _ error: RPCError) {
    var error = error
    if let call = call(on: stream) ?? orphans[stream] {
      server.noteFault(error, call.method)
      if error.code == .deadlineExceeded { addHop(&error, call) }
      guard end(stream, failing: error.code) != nil else { return }
    }
    if error.origin == nil { error.origin = server.router.serviceName }
    link.sendError(stream, error)
  }

  private func addHop(_ error: inout RPCError, _ call: ServerCall) {
    let now = link.time.now
    var ledger = error.ledger ?? DeadlineLedger()
    let started = call.started ?? now
    ledger.append(.init(service: server.router.serviceName, queue: started - call.arrived, work: now - started))
    error.ledger = ledger
  }

  func finish(_ stream: UInt32) {
    guard let call = end(stream, failing: nil) else { return }
    link.sendEmpty(.end, call.stream)
  }

  /// Takes a call out. `nil` if nobody waits for its answer.
  private func end(_ stream: UInt32, failing code: RPCError.Code?) -> ServerCall? {
    guard let call = call(on: stream) else {
      if let orphan = orphans.removeValue(forKey: stream) { server.ended(orphan, failing: .cancelled) }
      return nil
    }
    calls[Int(stream & 0xFFFF)] = nil
    running -= 1
    server.ended(call, failing: code)
    return call
  }

  // MARK: Streaming answers

  func sendItem(_ stream: UInt32, _ message: WireMessage) -> Bool {
    // To a reader who left, everything can be sent: the handler learns of it when it next asks for room.
    guard let call = call(on: stream), call.credit != nil else { return true }
    // An item larger than the window goes when the window is whole.
    let size = min(message.bytes.count, FlowCredit.streamWindow)
    guard call.credit!.available >= size, credit.available >= size else { return false }
    _ = call.credit!.take(size)
    _ = credit.take(size)
    do throws(RPCError) {
      try link.send(.item, stream, message)
      server.tally.sent(call.method, bytes: message.bytes.count)
    } catch {
      putBack(size)
      fail(stream, error)
    }
    return true
  }

  /// Takes back credit that was not used. A peer that granted more than it should have cannot make it too much.
  private func putBack(_ bytes: Int) {
    credit.putBack(min(bytes, FlowCredit.connectionWindow - credit.available))
  }

  func room(_ stream: UInt32) async throws(RPCError) {
    guard !Task.isCancelled, let call = call(on: stream), !call.isAbandoned else {
      throw RPCError(.cancelled, "the reader left")
    }
    await withTaskCancellationHandler {
      await withUnsafeContinuation { waiter in
        if Task.isCancelled { waiter.resume() } else { call.roomWaiter = waiter }
      }
    } onCancel: {
      Task { @MainActor in call.wakeWriter() }
    }
    if Task.isCancelled || call.isAbandoned { throw RPCError(.cancelled, "the reader left") }
  }

  func credited(_ stream: UInt32, _ bytes: Int) throws(ProtocolViolation) {
    try violating { () throws(FlowCredit.Violation) in
      if stream == 0 {
        try credit.grant(bytes)
        for call in calls { call?.wakeWriter() }
      } else if let call = call(on: stream) {
        try call.credit?.grant(bytes)
        call.wakeWriter()
      }
    }
  }

  // MARK: Ends

  func cancelled(_ stream: UInt32) {
    guard let call = call(on: stream) else { return }
    abandon(call)
  }

  /// Frees a call's slot now; its handler may take a while to notice.
  private func abandon(_ call: ServerCall) {
    calls[Int(call.stream & 0xFFFF)] = nil
    running -= 1
    putBack(link.forget(call.stream))
    call.abandon()
    if call.waiting != nil {
      server.withdraw(call)
    } else if call.task != nil {
      orphans[call.stream] = call
    }
  }

  /// Ends a call from outside its handler, and says why.
  func stop(_ call: ServerCall, _ error: RPCError) {
    guard self.call(on: call.stream) === call else { return }
    var error = error
    if error.code == .deadlineExceeded { addHop(&error, call) }
    error.origin = server.router.serviceName
    call.endSpan(at: link.time.now, failing: error.code)
    abandon(call)
    link.sendError(call.stream, error)
  }

  func refused(_ stream: UInt32, ofKind kind: FrameKind, _ why: String) {
    link.sendError(stream, RPCError(.resourceExhausted, why, executed: .no))
  }

  /// A request that its client gave up before it was whole was never begun.
  func aborted(_ stream: UInt32, ofKind kind: FrameKind, bytes: Int) {}
  func ended(_ stream: UInt32) {}
  func draining() {}

  /// One timer for all deadlines: set to the earliest, it seldom has to move.
  private func watch(_ deadline: Instant) {
    guard deadline < sweepDue else { return }
    sweepDue = deadline
    sweepTimer?.cancel()
    sweepTimer = link.time.after(deadline - link.time.now) { [self] in sweep() }
  }

  private func sweep() {
    sweepTimer = nil
    sweepDue = .distantFuture
    let now = link.time.now
    var next = Instant.distantFuture
    for call in calls {
      guard let call else { continue }
      if call.context.deadline <= now {
        let executed: RPCError.Executed = call.waiting == nil ? .maybe : .no
        stop(call, RPCError(.deadlineExceeded, "\(call.method.name) was not done in time", executed: executed))
      } else {
        next = min(next, call.context.deadline)
      }
    }
    if next < .distantFuture { watch(next) }
  }

  func announceDrain() { if isOpen { link.sendEmpty(.drain, 0) } }

  func closed(_ reason: StreamEnd, refusal: String?) {
    sweepTimer?.cancel()
    sweepTimer = nil
    for call in calls { if let call { abandon(call) } }
    server.lost(self, reason, refusal)
  }
}
