import Clocks
import Crypto
import Observability
import RPC
import Testing

@testable import RPCTransport

/// Frames byte for byte, as README.md lays them out: whoever changes them changes what every deployed peer reads.
@Suite("The bytes of frames")
struct FrameBytesTests {
  private let limits = LinkLimits()

  private func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count), 0] + text.utf8 }

  @Test("a HELLO")
  func hello() throws {
    let nonce = [UInt8](0..<32)
    let hello = Hello(limits: limits, wantsProof: true, nonce: nonce, service: "locator", build: "1.2")
    var builder = FrameBuilder()
    hello.frame(into: &builder, limits: limits)
    let body: [UInt8] =
      Array("ODI1".utf8) + [1, 1, 0, 0, 0, 0, 0, 0, 64, 0, 0, 4, 0x10, 0x27, 0, 0, 1] + nonce + text("locator")
      + text("1.2")
    #expect(builder.bytes == [UInt8(body.count + 6), 0, 0, 0, 1, 0, 0, 0, 0, 0] + body)
    let read = try body.withUnsafeBytes { bytes in try Hello(bytes, limits: limits) }
    #expect(read == hello)
  }

  @Test("a request's head, with nothing and with everything that it may carry")
  func request() throws {
    var context = CallContext(deadline: Instant(nanoseconds: 5_000_000_000))
    (context.priority, context.attempt, context.hop) = (.write, 2, 3)
    let now = Instant(nanoseconds: 1_000_000_000)
    let plain: [UInt8] = [0x01, 0x02, 0xA0, 0x0F, 0, 0, 1, 2, 3]
    #expect(try bytes(context, now) == [UInt8(plain.count + 6), 0, 0, 0, 3, 0, 7, 0, 1, 0] + plain)
    var short: [UInt8] = []
    RequestHead(0x0201, context, now: now).withShortFrame(on: 0x0001_0007, [], extra: 0) { short = Array($0) }
    #expect(try short == bytes(context, now))

    context.trace = TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
    context.metadata = ["a": "bc"]
    context.key = IdempotencyKey(bits: 0x0102)
    context.supersede = SupersedeMark(session: 9, slot: 8, sequence: 7)
    let trace: [UInt8] = [
      0, 0x4B, 0xF9, 0x2F, 0x35, 0x77, 0xB3, 0x4D, 0xA6, 0xA3, 0xCE, 0x92, 0x9D, 0x0E, 0x0E, 0x47, 0x36, 0, 0xF0, 0x67,
      0xAA, 0x0B, 0xA9, 0x02, 0xB7, 1,
    ]
    let extras: [UInt8] =
      trace + [1] + text("a") + text("bc") + [2, 1] + [UInt8](repeating: 0, count: 14)
      + [9, 0, 0, 0, 0, 0, 0, 0] + [8, 0, 0, 0] + [7, 0, 0, 0, 0, 0, 0, 0]
    let full = plain + extras
    #expect(try bytes(context, now) == [UInt8(full.count + 6), 0, 0, 0, 3, 2 + 4 + 8 + 16, 7, 0, 1, 0] + full)
    var payload = UnsafeRawBufferPointer(start: nil, count: 0)
    let head = try full.withUnsafeBytes { bytes in
      try RequestHead(bytes, FrameFlags(rawValue: 2 + 4 + 8 + 16), payload: &payload)
    }
    let read = head.context(now: now, peer: CallExtras(.init()))
    #expect(read.deadline == context.deadline && read.key == context.key && read.supersede == context.supersede)
    #expect(read.trace == context.trace && read.metadata == context.metadata && read.priority == .write)
  }

  private func bytes(_ context: CallContext, _ now: Instant) throws -> [UInt8] {
    var builder = FrameBuilder()
    let head = RequestHead(0x0201, context, now: now)
    builder.begin(.request, head.flags, 0x0001_0007)
    try head.write(to: &builder)
    builder.finish()
    return builder.bytes
  }

  @Test("an error, with who spent the time")
  func error() throws {
    var error = RPCError(.unavailable, "no", executed: .no, retryAfter: .seconds(3))
    error.origin = "films"
    error.traceID = TraceID("4bf92f3577b34da6a3ce929d0e0e4736")
    var ledger = DeadlineLedger()
    ledger.append(.init(service: "films", queue: .microseconds(5), work: .microseconds(70_000)))
    error.ledger = ledger
    var builder = FrameBuilder()
    ErrorBody(error).frame(on: 7, into: &builder, limits: limits)
    var body: [UInt8] = [14, 0, 0xB8, 0x0B, 0, 0]
    body += withUnsafeBytes(of: UInt64(0x4BF9_2F35_77B3_4DA6).littleEndian) { Array($0) }
    body += withUnsafeBytes(of: UInt64(0xA3CE_929D_0E0E_4736).littleEndian) { Array($0) }
    body += text("films") + text("no") + [1] + text("films") + [5, 0, 0, 0, 0x70, 0x11, 1, 0]
    #expect(builder.bytes == [UInt8(body.count + 6), 0, 0, 0, 5, 0, 7, 0, 0, 0] + body)
    let read = try body.withUnsafeBytes { bytes in try ErrorBody(bytes, limits: limits).error }
    #expect(read.code == .unavailable && read.executed == .no && read.message == "no" && read.origin == "films")
    #expect(read.retryAfter == .seconds(3) && read.traceID == error.traceID && read.ledger == ledger)
  }

  @Test("a code that a later version has is read as unknown")
  func laterCode() throws {
    var body: [UInt8] = [99, 1, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 16)
    body += text("") + text("something new") + [0]
    let read = try body.withUnsafeBytes { bytes in try ErrorBody(bytes, limits: limits).error }
    #expect(read.code == .unknown && read.message == "something new" && read.executed == .maybe)
  }
}
