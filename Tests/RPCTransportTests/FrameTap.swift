import EventLoops

/// A stream that writes down which frames its owner sends, in their order.
@MainActor
final class FrameTap: ByteStream {
  struct Sent: Equatable {
    var kind: UInt8
    var stream: UInt32
  }

  private(set) var sent: [Sent] = []
  private let base: any ByteStream
  private var unread: [UInt8] = []

  init(_ base: any ByteStream) { self.base = base }

  func count(ofKind kind: UInt8) -> Int { sent.count { $0.kind == kind } }

  var handler: (any ByteStreamHandler)? {
    get { base.handler }
    set { base.handler = newValue }
  }
  var peer: SocketAddress { base.peer }
  var queuedBytes: Int { base.queuedBytes }
  var isOverHighWater: Bool { base.isOverHighWater }
  func sendEarly() { base.sendEarly() }
  func yieldToJobs() { base.yieldToJobs() }
  func pauseReading() { base.pauseReading() }
  func resumeReading() { base.resumeReading() }
  func finish() { base.finish() }
  func close(_ reason: StreamEnd) { base.close(reason) }

  func write(_ bytes: UnsafeRawBufferPointer) {
    base.write(bytes)
    unread += bytes
    while unread.count >= 10 {
      let size = 4 + unread[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
      guard unread.count >= size else { return }
      sent.append(Sent(kind: unread[4], stream: unread[6..<10].reversed().reduce(0) { $0 << 8 | UInt32($1) }))
      unread.removeFirst(size)
    }
  }
}
