package import Clocks
package import Crypto
package import EventLoops
package import RPC
import Wire

/// One connection to a server, and the calls that wait on it.
package final class ClientConnection: LinkOwner {
  private var link: FrameLink!
  private var slots: [Slot] = []
  private var free: [UInt16] = []
  private var streamsMax = 0
  private var credit = FlowCredit.Receiver(window: FlowCredit.connectionWindow)
  private var sweepDue = Instant.distantFuture
  /// Holds the connection, until it is closed: a weak reference would make every retain of it slow.
  private var sweepTimer: (any Scheduled)?
  private var state = State.opening
  private var opening: [UnsafeContinuation<Result<Void, RPCError>, Never>] = []
  /// Calls that wait for their answer.
  package private(set) var inFlight = 0
  /// Bytes of elements that were not granted again, and those of them that nobody has read.
  package var creditUsed: Int { credit.used }
  package var creditHeld: Int { credit.held }
  /// Told once the connection takes no further calls: it drains, or is gone.
  package var whenUnusable: (@MainActor (RPCError) -> Void)?

  private enum State {
    case opening
    case open
    /// The server takes no new calls; those under way go on.
    case draining
    case closed(RPCError)
  }

  private struct Slot {
    /// Never zero, because stream 0 is the connection itself.
    var generation: UInt16 = 1
    var pending: PendingReply?
    var deadline = Instant.distantFuture
    var credit: FlowCredit.Receiver?
    /// Whether it has one answer, and not a stream of them.
    var isQuestion = false

    /// Empties it. A late answer to an earlier call on the slot does not find it.
    mutating func clear() {
      pending = nil
      credit = nil
      deadline = .distantFuture
      generation = generation == .max ? 1 : generation + 1
    }
  }

  /// Begins the handshake on a stream that is connected.
  package init(
    _ stream: any ByteStream, service: String = "", build: String = "", secret: Secret? = nil,
    limits: LinkLimits = LinkLimits(), time: any TimeSource = EventLoop.time,
    random: any RandomNumberGenerator = SecureRandom()
  ) {
    var random = random
    // Neither side asks for a proof where the kernel vouches for the other.
    let secret = stream.peerUser == nil ? secret : nil
    let nonce = (0..<(Hello.nonceBytes / 8)).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
    let hello = Hello(limits: limits, wantsProof: secret != nil, nonce: nonce, service: service, build: build)
    let handshake = Handshake(role: .client, hello: hello, secret: secret, limits: limits)
    link = FrameLink(stream, owner: self, handshake: handshake, limits: limits, time: time)
    link.begin(saying: handshake.opening)
  }

  package var isUsable: Bool { if case .open = state { true } else { false } }
  package var peer: LinkPeer? { link.peer }
  var isBusy: Bool { inFlight > 0 }

  /// Waits for the end of the handshake.
  package func opened() async throws(RPCError) {
    let result = await withUnsafeContinuation { continuation in
      switch state {
      case .opening: opening.append(continuation)
      case .open, .draining: continuation.resume(returning: .success(()))
      case .closed(let error): continuation.resume(returning: .failure(error))
      }
    }
    try result.get()
  }

  func opened(_ peer: LinkPeer) {
    state = .open
    streamsMax = peer.streams
    for waiter in opening { waiter.resume(returning: .success(())) }
    opening = []
  }

  package func close() { link.close(.done) }

  // MARK: Calls

  package func call<Request: RPCRequest>(
    _ request: Request, _ context: CallContext
  ) async throws(RPCError) -> Request.Response {
    let answer = PendingCall(for: Request.Response.self)
    if let failure = await settled(try begin(request, Request.method, context, answer), answer) { throw failure }
    return answer.take(as: Request.Response.self)
  }

  /// Waits for the end of a call that was begun; its failure if it failed.
  func settled(_ stream: UInt32, _ answer: PendingAnswer) async -> RPCError? {
    await withTaskCancellationHandler {
      if Task.isCancelled { cancel(stream) }
      await answer.settled()
    } onCancel: {
      cancelSoon(stream)
    }
    return answer.failure
  }

  package func stream<Request: RPCStreamRequest>(
    _ request: Request, _ context: CallContext
  ) throws(RPCError) -> RPCStream<Request.Element> {
    let stream = try begin(request, Request.method, context, nil)
    slots[Int(stream & 0xFFFF)].credit = FlowCredit.Receiver(window: FlowCredit.streamWindow)
    let buffer = StreamBuffer<Request.Element>(
      consumed: { [self] weight in consumed(weight, on: stream) },
      abandoned: { [self] in cancel(stream) })
    slots[Int(stream & 0xFFFF)].pending = PendingStream(buffer)
    return RPCStream(buffer)
  }

  /// Takes a slot and sends the request. Answers are not read before this turn is over, so the waiter is in place.
  func begin(
    _ request: some Encodable, _ method: MethodID, _ context: borrowing CallContext, _ pending: PendingReply?
  ) throws(RPCError) -> UInt32 {
    switch state {
    case .open: break
    case .closed(let error): throw error
    case .opening: throw RPCError(.unavailable, "the connection is not open yet", executed: .no)
    case .draining: throw RPCError(.unavailable, "the server is shutting down", executed: .no)
    }
    let now = link.time.now
    guard context.deadline > now else {
      throw RPCError(.deadlineExceeded, "the time was up before the call was sent", executed: .no)
    }
    let message: WireMessage
    do throws(WireError) {
      message = try link.encoder.encode(request)
    } catch {
      throw RPCError(.invalidArgument, "the request cannot be encoded: \(error)", executed: .no)
    }
    guard let slot = takeSlot() else {
      throw RPCError(
        .resourceExhausted, "\(streamsMax) calls are under way on this connection", executed: .no)
    }
    let stream = UInt32(slots[slot].generation) << 16 | UInt32(slot)
    slots[slot].deadline = context.deadline
    slots[slot].pending = pending
    inFlight += 1
    slots[slot].isQuestion = pending != nil
    if pending != nil { EventLoop.attention.questions += 1 }
    do throws(RPCError) {
      try link.sendRequest(stream, RequestHead(method, context, now: now), message)
    } catch {
      release(slot)
      throw error
    }
    watch(context.deadline)
    return stream
  }

  private func takeSlot() -> Int? {
    if let slot = free.popLast() { return Int(slot) }
    guard slots.count < streamsMax else { return nil }
    slots.append(Slot())
    return slots.count - 1
  }

  private func release(_ slot: Int) {
    if slots[slot].isQuestion { EventLoop.attention.questions -= 1 }
    slots[slot].clear()
    free.append(UInt16(slot))
    inFlight -= 1
    if inFlight == 0, case .draining = state { link.close(.done) }
  }

  @inline(__always)
  private func slot(of stream: UInt32) -> Int? {
    let slot = Int(stream & 0xFFFF)
    guard slot < slots.count, slots[slot].generation == UInt16(truncatingIfNeeded: stream >> 16) else { return nil }
    return slot
  }

  // MARK: Answers

  func received(_ message: LinkMessage) throws(ProtocolViolation) {
    guard let slot = slot(of: message.stream), let pending = slots[slot].pending else {
      // Its caller left; the credit for it is given back all the same.
      if message.kind == .item { try restoreCredit(message.body.count) }
      return
    }
    switch message.kind {
    case .response:
      release(slot)
      pending.arrived(message.body, link.decoder, link.received)
    case .item:
      guard slots[slot].credit != nil else { throw ProtocolViolation("an item came for a call with one answer") }
      let weight = min(message.body.count, FlowCredit.streamWindow)
      try violating { () throws(FlowCredit.Violation) in
        try credit.received(weight)
        try slots[slot].credit!.received(weight)
      }
      pending.arrived(message.body, link.decoder, link.received)
    case .error:
      let error = try ErrorBody(message.body, limits: link.limits).error
      release(slot)
      pending.finished(.failure(error))
    default: throw ProtocolViolation("a server sent a \(message.kind) frame")
    }
  }

  func aborted(_ stream: UInt32, ofKind kind: FrameKind, bytes: Int) throws(ProtocolViolation) {
    if kind == .item, bytes > 0 { try restoreCredit(bytes) }
  }

  /// Gives back the credit of an item that nobody reads.
  private func restoreCredit(_ bytes: Int) throws(ProtocolViolation) {
    let weight = min(bytes, FlowCredit.streamWindow)
    try violating { () throws(FlowCredit.Violation) in try credit.received(weight) }
    if let grant = credit.consumed(weight) { link.sendCredit(0, grant) }
  }

  private func consumed(_ weight: Int, on stream: UInt32) {
    if case .closed = state { return }
    let weight = min(weight, FlowCredit.streamWindow)
    if let grant = credit.consumed(weight) { link.sendCredit(0, grant) }
    if let slot = slot(of: stream), let grant = slots[slot].credit?.consumed(weight) { link.sendCredit(stream, grant) }
  }

  func ended(_ stream: UInt32) { settle(stream, .success(())) }

  func refused(_ stream: UInt32, ofKind kind: FrameKind, _ why: String) {
    settle(stream, .failure(RPCError(.resourceExhausted, why, executed: .yes)))
    link.sendEmpty(.cancel, stream)
  }

  private func settle(_ stream: UInt32, _ result: Result<Void, RPCError>) {
    guard let slot = slot(of: stream), let pending = slots[slot].pending else { return }
    release(slot)
    pending.finished(result)
  }

  // MARK: Leaving early

  nonisolated private func cancelSoon(_ stream: UInt32) {
    // Cancelled on the loop, as nearly always, it takes effect at once.
    if EventLoop.isCurrent {
      MainActor.assumeIsolated { cancel(stream) }
    } else {
      Task { @MainActor in cancel(stream) }
    }
  }

  func cancel(_ stream: UInt32) {
    leave(stream, RPCError(.cancelled, "cancelled"))
  }

  private func leave(_ stream: UInt32, _ error: RPCError) {
    guard let slot = slot(of: stream), slots[slot].pending != nil else { return }
    link.forget(stream)
    link.sendEmpty(.cancel, stream)
    settle(stream, .failure(error))
  }

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
    for slot in slots.indices where slots[slot].pending != nil {
      if slots[slot].deadline <= now {
        let service = link.peer?.service ?? "the server"
        leave(
          UInt32(slots[slot].generation) << 16 | UInt32(slot),
          RPCError(.deadlineExceeded, "\(service) did not answer in time"))
      } else {
        next = min(next, slots[slot].deadline)
      }
    }
    if next < .distantFuture { watch(next) }
  }

  // MARK: The other side's ends

  func cancelled(_ stream: UInt32) {}
  func credited(_ stream: UInt32, _ bytes: Int) throws(ProtocolViolation) {
    throw ProtocolViolation("a server granted credit to a client that streams nothing")
  }

  func draining() {
    guard case .open = state else { return }
    state = .draining
    tellUnusable(RPCError(.unavailable, "the server is shutting down", executed: .no))
    if inFlight == 0 { link.close(.done) }
  }

  func closed(_ reason: StreamEnd, refusal: String?) {
    // It holds the connection, also when it is over.
    sweepTimer?.cancel()
    sweepTimer = nil
    let code: RPCError.Code = refusal == nil ? .unavailable : .unauthenticated
    let why = refusal ?? "the connection ended: \(reason)"
    state = .closed(RPCError(code, why, executed: .no))
    for waiter in opening { waiter.resume(returning: .failure(RPCError(code, why, executed: .no))) }
    opening = []
    // Whether the server ran what was sent, nobody knows.
    let lost = RPCError(code, why, executed: .maybe)
    for slot in slots.indices where slots[slot].pending != nil {
      settle(UInt32(slots[slot].generation) << 16 | UInt32(slot), .failure(lost))
    }
    tellUnusable(RPCError(code, why, executed: .no))
  }

  private func tellUnusable(_ error: RPCError) {
    let tell = whenUnusable
    whenUnusable = nil
    tell?(error)
  }
}
