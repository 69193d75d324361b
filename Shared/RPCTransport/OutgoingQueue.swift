import RPC

/// Messages that are too large for one frame, and what stands behind them on their streams. Streams take turns, a part
/// each, so that a large answer delays a small one by one part at most.
nonisolated struct OutgoingQueue {
  struct Part {
    let kind: FrameKind
    let flags: FrameFlags
    let stream: UInt32
    let bytes: ArraySlice<UInt8>
  }

  private struct Message {
    let kind: FrameKind
    let flags: FrameFlags
    let bytes: [UInt8]
    var sent = 0
  }

  private var lanes: [UInt32: [Message]] = [:]
  /// Whose turn it is, the next one first.
  private var turns: [UInt32] = []
  /// What waits.
  private(set) var bytes = 0

  var isEmpty: Bool { turns.isEmpty }

  func holds(_ stream: UInt32) -> Bool { !turns.isEmpty && lanes[stream] != nil }

  mutating func add(_ kind: FrameKind, _ flags: FrameFlags, _ stream: UInt32, _ body: [UInt8]) {
    bytes += body.count
    if lanes[stream] == nil { turns.append(stream) }
    lanes[stream, default: []].append(Message(kind: kind, flags: flags, bytes: body))
  }

  /// The next part of the stream whose turn it is.
  mutating func next(atMost size: Int) -> Part? {
    guard !turns.isEmpty else { return nil }
    let stream = turns.removeFirst()
    var lane = lanes[stream]!
    let message = lane[0]
    let end = min(message.sent + size, message.bytes.count)
    let isLast = end == message.bytes.count
    let part = Part(
      kind: message.sent == 0 ? message.kind : .more,
      flags: isLast ? (message.sent == 0 ? message.flags : []) : message.flags.union(.continues),
      stream: stream, bytes: message.bytes[message.sent..<end])
    bytes -= end - message.sent
    if isLast { lane.removeFirst() } else { lane[0].sent = end }
    lanes[stream] = lane.isEmpty ? nil : lane
    if !lane.isEmpty { turns.append(stream) }
    return part
  }

  /// Forgets a stream that nobody wants any more: whether the other side has seen the beginning of a message of it, and
  /// the credit that was taken for items and will not be given back by the other side, which never sees them whole.
  mutating func remove(_ stream: UInt32) -> (wasCut: Bool, credit: Int) {
    guard let lane = lanes.removeValue(forKey: stream) else { return (false, 0) }
    turns.removeAll { $0 == stream }
    bytes -= lane.reduce(0) { $0 + $1.bytes.count - $1.sent }
    let credit = lane.filter { $0.kind == .item }.reduce(0) { sum, item in
      sum + min(item.bytes.count, FlowCredit.streamWindow) - min(item.sent, FlowCredit.streamWindow)
    }
    return (lane[0].sent > 0, credit)
  }
}
