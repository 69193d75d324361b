import CUV
import Clocks

/// A TCP or unix socket on the loop.
package final class SocketStream: ByteStream {
  package var handler: (any ByteStreamHandler)?
  package private(set) var peer: SocketAddress
  /// The user at the other end of a unix socket.
  package private(set) var peerUser: UInt32?
  // Small ones stand together: there are thousands of streams, and each loses what lies between its fields.
  package private(set) var isOverHighWater = false
  private var isDirty = false
  private var wantsFinish = false
  /// Bytes that came in and went out, for metrics and tests.
  package private(set) var bytesReceived = 0
  package private(set) var bytesSent = 0
  /// write(2)-like calls made: one a turn when all is well.
  package private(set) var writes = 0

  private let handle: UnsafeMutablePointer<uv_stream_t>
  private let limits: SharedStreamLimits
  private var output = OutputBuffer()
  /// What libuv still has to send of the buffer that it was handed, if any.
  private var pending: UnsafeMutablePointer<PendingWrite>?
  private var whenClosed: (() -> Void)?
  private var end: StreamEnd?
  private var stalledSince: Instant?
  private var reading = Reading.off

  private enum Reading { case off, on, ended }

  /// Takes a handle that was allocated for it and initialised by libuv.
  init(handle: UnsafeMutablePointer<uv_stream_t>, peer: SocketAddress, limits: SharedStreamLimits) {
    self.handle = handle
    self.peer = peer
    self.limits = limits
    // libuv holds the stream until its close callback.
    handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
  }

  /// Called once the socket is connected: sets its options and begins to read.
  func begin(whenClosed: (() -> Void)? = nil) {
    self.whenClosed = whenClosed
    var fd: uv_os_fd_t = -1
    uv_fileno(UnsafePointer(handle.asHandle), &fd)
    switch peer {
    case .ip:
      uv_tcp_nodelay(handle.asTCP, 1)
      uv_tcp_keepalive(handle.asTCP, 1, 60)
      _ = cuv_set_user_timeout(fd, UInt32(clamping: limits.values.acknowledgement.wholeMilliseconds))
    case .unix:
      let user = cuv_peer_user(fd)
      if user >= 0 { peerUser = UInt32(user) }
    }
    resumeReading()
  }

  /// The kernel's name for the other end, once it is known.
  func name(_ peer: SocketAddress) { self.peer = peer }

  // MARK: Reading

  package func pauseReading() {
    guard reading == .on else { return }
    reading = .off
    uv_read_stop(handle)
  }

  package func resumeReading() {
    guard reading == .off, end == nil else { return }
    reading = .on
    let status = uv_read_start(
      handle,
      { @Sendable _, _, buffer in
        buffer!.pointee.base = ReadBuffer.base
        buffer!.pointee.len = ReadBuffer.size
      },
      { @Sendable handle, count, _ in
        guard count != 0 else { return }
        EventLoop.onLoop((handle!, count), SocketStream.arrived)
      })
    if status != 0 { close(.broken(String(cString: uv_strerror(status)))) }
  }

  private static func arrived(_ read: (handle: UnsafeMutablePointer<uv_stream_t>, count: Int)) {
    let stream = SocketStream.of(read.handle)
    EventLoop.perform { stream.arrived(read.count) }
  }

  private func arrived(_ count: Int) {
    guard end == nil else { return }
    if count > 0 {
      bytesReceived += count
      handler?.received(UnsafeRawBufferPointer(start: ReadBuffer.base, count: count))
    } else if count == Int(UV_EOF.rawValue) {
      reading = .ended
      uv_read_stop(handle)
      if let handler { handler.ended(self) } else { close(.endedByPeer) }
    } else {
      close(.broken(String(cString: uv_strerror(Int32(count)))))
    }
  }

  // MARK: Writing

  package var queuedBytes: Int { output.count + (pending?.pointee.left ?? 0) }

  package func write(_ bytes: UnsafeRawBufferPointer) {
    guard end == nil, !wantsFinish, bytes.count > 0 else { return }
    output.append(bytes)
    markDirty()
    if queuedBytes > limits.values.queueHighWater { isOverHighWater = true }
    if queuedBytes > limits.values.queueMax { close(.tooSlow) }
  }

  private func markDirty() {
    guard !isDirty else { return }
    isDirty = true
    Self.unflushed.append(self)
  }

  package func finish() {
    guard end == nil, !wantsFinish else { return }
    wantsFinish = true
    markDirty()
  }

  private func flush() {
    isDirty = false
    guard end == nil else { return }
    // What libuv still has goes first; this joins what waits.
    guard pending == nil else { return tellWaiting() }
    if output.count > 0, !send() { return }
    shutdownIfWanted()
  }

  package func sendEarly() {
    guard end == nil, pending == nil, output.count > 0 else { return }
    _ = send()
  }

  package func yieldToJobs() { EventLoop.runSlice() }

  /// Writes what there is; false if that was not all of it.
  private func send() -> Bool {
    var buffer = output.asUV
    writes += 1
    let sent = uv_try_write(handle, &buffer, 1)
    if sent < 0, sent != UV_EAGAIN.rawValue {
      close(.broken(String(cString: uv_strerror(sent))))
      return false
    }
    bytesSent += max(Int(sent), 0)
    if Int(sent) < output.count {
      handOver(from: max(Int(sent), 0))
      return false
    }
    output.clear()
    // The writer is told in the next turn: this one has already run its jobs.
    if isOverHighWater { EventLoop.atEndOfTurn { [self] in tellIfDrained() } }
    return true
  }

  /// The kernel's buffer is full: libuv gets ours and waits for room.
  private func handOver(from offset: Int) {
    let write = UnsafeMutablePointer<PendingWrite>.allocate(capacity: 1)
    write.initialize(to: PendingWrite(buffer: output.take(), offset: offset))
    pending = write
    stalledSince = limits.stalls.time.now
    limits.stalls.watch(self)
    writes += 1
    var buffer = write.pointee.asUV
    let request = UnsafeMutableRawPointer(write).assumingMemoryBound(to: uv_write_t.self)
    let status = uv_write(request, handle, &buffer, 1) { request, status in
      let stream = SocketStream.of(request!.pointee.handle)
      EventLoop.callback { stream.handedOver(status) }
    }
    if status != 0 {
      releasePending()
      close(.broken(String(cString: uv_strerror(status))))
    } else {
      tellWaiting()
    }
  }

  /// At the end of a turn, and the handler acts in the next: none is called from inside its own call.
  private func tellWaiting() {
    EventLoop.atEndOfTurn { [self] in
      guard end == nil else { return }
      handler?.waiting(queuedBytes)
    }
  }

  private func handedOver(_ status: Int32) {
    guard let write = pending else { return }
    bytesSent += write.pointee.buffer.count - write.pointee.offset
    releasePending()
    guard end == nil else { return }
    guard status == 0 else { return close(.broken(String(cString: uv_strerror(status)))) }
    if output.count > 0 || wantsFinish { markDirty() }
    handler?.waiting(queuedBytes)
    tellIfDrained()
  }

  private func tellIfDrained() {
    guard isOverHighWater, end == nil, queuedBytes < limits.values.queueLowWater else { return }
    isOverHighWater = false
    handler?.drained()
  }

  private func releasePending() {
    pending?.pointee.buffer.free()
    pending?.deinitialize(count: 1)
    pending?.deallocate()
    pending = nil
    stalledSince = nil
    limits.stalls.forget(self)
  }

  private func shutdownIfWanted() {
    guard wantsFinish else { return }
    let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
    let status = uv_shutdown(request, handle) { request, _ in request!.deallocate() }
    if status != 0 { request.deallocate() }
  }

  /// What is left of a handed-over buffer shrinks while the peer reads; one that stands still is a stall.
  func checkStall(at now: Instant) {
    guard let pending, let since = stalledSince else { return }
    let left = uv_stream_get_write_queue_size(handle)
    if left < pending.pointee.left {
      pending.pointee.left = left
      stalledSince = now
    } else if now - since > limits.values.stall {
      close(.tooSlow)
    }
  }

  // MARK: Closing

  package func close(_ reason: StreamEnd) {
    guard end == nil else { return }
    let isBroken = if case .broken = reason { true } else { false }
    // A last word, such as why we close, still leaves if the socket takes it at once.
    if output.count > 0, pending == nil, reason != .tooSlow, !isBroken {
      var buffer = output.asUV
      bytesSent += max(Int(uv_try_write(handle, &buffer, 1)), 0)
    }
    end = reason
    output.free()
    let closed: uv_close_cb = { handle in
      let stream = SocketStream.of(UnsafeMutableRawPointer(handle!).assumingMemoryBound(to: uv_stream_t.self))
      EventLoop.callback { stream.wasClosed() }
    }
    // One that ends in good order already, or has no socket any more, cannot be reset.
    if isBroken, uv_handle_get_type(handle.asHandle) == UV_TCP, uv_tcp_close_reset(handle.asTCP, closed) == 0 { return }
    uv_close(handle.asHandle, closed)
  }

  private func wasClosed() {
    if pending != nil { releasePending() }
    UnsafeMutableRawPointer(handle).deallocate()
    let handler = handler
    self.handler = nil
    whenClosed?()
    whenClosed = nil
    handler?.closed(end ?? .done)
    Unmanaged.passUnretained(self).release()
  }

  nonisolated static func of(_ handle: UnsafeMutablePointer<uv_stream_t>) -> SocketStream {
    Unmanaged<SocketStream>.fromOpaque(handle.pointee.data).takeUnretainedValue()
  }

  // MARK: The end of a turn

  private static var unflushed: [SocketStream] = []
  static var hasUnflushed: Bool { !unflushed.isEmpty }

  static func flushAll() {
    guard hasUnflushed else { return }
    var index = 0
    while index < unflushed.count {
      unflushed[index].flush()
      index += 1
    }
    unflushed.removeAll(keepingCapacity: unflushed.count < 1_024)
  }
}

// MARK: - Parts

/// One buffer serves every read of the loop: a handler takes what it needs before it returns.
private enum ReadBuffer {
  nonisolated static let size = 64 << 10
  // Safety: written by libuv on the loop's thread only, between a read's two callbacks.
  nonisolated(unsafe) static let base = UnsafeMutablePointer<CChar>.allocate(capacity: size)
}

/// Bytes that wait for the end of the turn: one growing block, lent for as long as it holds something, so that a silent
/// connection holds none.
private struct OutputBuffer {
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0
  private(set) var count = 0

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if count + bytes.count > capacity { grow(to: count + bytes.count) }
    (base! + count).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    count += bytes.count
  }

  private mutating func grow(to needed: Int) {
    if base == nil, let spare = SpareBlocks.take() {
      (base, capacity) = spare
      if capacity >= needed { return }
    }
    let larger = max(needed, capacity * 2, 1 << 10)
    let block = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    if let base {
      block.copyMemory(from: base, byteCount: count)
      base.deallocate()
    }
    base = block
    capacity = larger
  }

  /// Empty again; the block is lent to whoever writes next.
  mutating func clear() {
    guard let block = base else { return }
    if !SpareBlocks.give(block, capacity) { block.deallocate() }
    (base, capacity, count) = (nil, 0, 0)
  }

  mutating func take() -> OutputBuffer {
    defer { self = OutputBuffer() }
    return self
  }

  mutating func free() {
    base?.deallocate()
    base = nil
    capacity = 0
    count = 0
  }

  var asUV: uv_buf_t { uv_buf_t(base: base?.assumingMemoryBound(to: CChar.self), len: count) }
}

/// Blocks between two uses. All writers of a turn find one, however many the turn has, and what is kept is bounded.
private enum SpareBlocks {
  private static let bytesMax = 2 << 20
  private static let blockBytesMax = 64 << 10
  private static var spare: [(block: UnsafeMutableRawPointer, capacity: Int)] = []
  private static var bytes = 0

  static func take() -> (UnsafeMutableRawPointer, Int)? {
    guard let (block, capacity) = spare.popLast() else { return nil }
    bytes -= capacity
    return (block, capacity)
  }

  static func give(_ block: UnsafeMutableRawPointer, _ capacity: Int) -> Bool {
    guard capacity <= blockBytesMax, bytes + capacity <= bytesMax else { return false }
    bytes += capacity
    spare.append((block, capacity))
    return true
  }
}

/// A write that libuv completes: its request and the bytes, which must stay where they are until then.
private struct PendingWrite {
  var request = uv_write_t()  // first, so that the pointer serves as libuv's
  var buffer: OutputBuffer
  let offset: Int
  var left: Int

  init(buffer: OutputBuffer, offset: Int) {
    self.buffer = buffer
    self.offset = offset
    left = buffer.count - offset
  }

  var asUV: uv_buf_t {
    let all = buffer.asUV
    return uv_buf_t(base: all.base + offset, len: all.len - offset)
  }
}

/// Looks once a second at the streams whose peers do not take what they are sent. Nobody slow, no timer.
final class StallWatch {
  static let shared = StallWatch(by: EventLoop.time)

  let time: any TimeSource
  private var watched: [ObjectIdentifier: SocketStream] = [:]
  private var isTicking = false

  init(by time: any TimeSource) { self.time = time }

  func watch(_ stream: SocketStream) {
    watched[ObjectIdentifier(stream)] = stream
    tick()
  }

  func forget(_ stream: SocketStream) { watched[ObjectIdentifier(stream)] = nil }

  private func tick() {
    guard !isTicking, !watched.isEmpty else { return }
    isTicking = true
    time.after(.seconds(1)) { [self] in
      isTicking = false
      let now = time.now
      for stream in Array(watched.values) { stream.checkStall(at: now) }
      tick()
    }
  }
}

extension UnsafeMutablePointer where Pointee == uv_stream_t {
  nonisolated var asHandle: UnsafeMutablePointer<uv_handle_t> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: uv_handle_t.self)
  }
  nonisolated var asTCP: UnsafeMutablePointer<uv_tcp_t> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: uv_tcp_t.self)
  }
  nonisolated var asPipe: UnsafeMutablePointer<uv_pipe_t> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: uv_pipe_t.self)
  }
}
