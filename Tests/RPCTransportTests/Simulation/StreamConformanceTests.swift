import EventLoops
import Testing

/// What code above streams relies on holds for every kind of them.
@Suite("Streams of every kind")
@MainActor
struct StreamConformanceTests {
  @Test("bytes arrive whole and in order, both ways", arguments: StreamKind.allCases)
  func echo(kind: StreamKind) async throws {
    let pair = try await ProbedPair(kind)
    pair.server.echoes = true
    let sent = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    pair.client.write(sent)
    #expect(await pair.until { pair.client.received.count >= sent.count })
    #expect(pair.server.received == sent)
    #expect(pair.client.received == sent)
    pair.client.close()
    #expect(await pair.until { !pair.server.closings.isEmpty })
  }

  @Test("what is written in one turn can arrive in one read", arguments: [StreamKind.memory, .tcp, .unix])
  func coalescing(kind: StreamKind) async throws {
    let pair = try await ProbedPair(kind)
    for _ in 0..<100 { pair.client.write([1, 2, 3]) }
    #expect(await pair.until { pair.server.received.count >= 300 })
    #expect(pair.server.reads == 1)
    pair.client.close()
  }

  @Test("closing tells both ends once, last, and never from inside a call", arguments: StreamKind.allCases)
  func closing(kind: StreamKind) async throws {
    let pair = try await ProbedPair(kind)
    pair.client.write([1])
    #expect(await pair.until { pair.server.received.count == 1 })
    pair.client.close(.violation("test"))
    pair.client.close(.done)
    pair.client.write([2])
    #expect(pair.client.closings.isEmpty)
    #expect(await pair.until { !pair.client.closings.isEmpty && !pair.server.closings.isEmpty })
    await pair.settle()
    #expect(pair.client.closings == [.violation("test")])
    #expect(pair.server.closings == [.endedByPeer])
    #expect(pair.server.received == [1])
    for probe in [pair.client, pair.server] {
      #expect(!probe.wasToldInsideCall && !probe.wasToldAfterClosing)
      #expect(probe.stream.handler == nil, "a closed stream lets its handler go")
    }
  }

  @Test("what was written just before closing arrives", arguments: StreamKind.allCases)
  func lastWord(kind: StreamKind) async throws {
    let pair = try await ProbedPair(kind)
    pair.client.write([1, 2, 3])
    pair.client.close()
    #expect(await pair.until { !pair.server.closings.isEmpty })
    #expect(pair.server.received == [1, 2, 3])
  }

  @Test("half-closing sends what is queued, and the answer still arrives", arguments: StreamKind.allCases)
  func halfClose(kind: StreamKind) async throws {
    let pair = try await ProbedPair(kind)
    pair.server.staysHalfOpen = true
    pair.client.write([1])
    pair.client.finish()
    pair.client.write([9])
    #expect(await pair.until { pair.server.ends == 1 })
    pair.server.write([2, 3])
    pair.server.finish()
    #expect(await pair.until { !pair.client.closings.isEmpty })
    #expect(pair.server.received == [1], "nothing follows the end")
    #expect(pair.client.received == [2, 3])
    #expect(pair.client.closings == [.endedByPeer])
    pair.server.close()
    #expect(await pair.until { !pair.server.closings.isEmpty })
  }

  @Test("a paused reader slows the writer and loses nothing", arguments: StreamKind.allCases)
  func pausedReader(kind: StreamKind) async throws {
    var limits = StreamLimits()
    limits.queueHighWater = 64 << 10
    limits.queueLowWater = 16 << 10
    let pair = try await ProbedPair(kind, limits: limits)
    pair.server.stream.pauseReading()
    let chunk = [UInt8](repeating: 7, count: 32 << 10)
    var written = 0
    while !pair.client.stream.isOverHighWater, written < 64 << 20 {
      pair.client.write(chunk)
      written += chunk.count
      if written % (8 * chunk.count) == 0 { await pair.settle() }
    }
    #expect(pair.client.stream.isOverHighWater)
    #expect(pair.server.received.isEmpty)
    let drainsBefore = pair.client.drains
    pair.server.resumeReading()
    #expect(await pair.until { pair.server.received.count >= written })
    #expect(pair.server.received.count == written)
    #expect(await pair.until { pair.client.drains == drainsBefore + 1 })
    #expect(!pair.client.stream.isOverHighWater && pair.client.stream.queuedBytes == 0)
    #expect(!pair.server.wasToldInsideCall)
    pair.client.close()
  }

  @Test("the end waits for a paused reader", arguments: StreamKind.allCases, [[1, 2], []] as [[UInt8]])
  func pausedEnd(kind: StreamKind, bytes: [UInt8]) async throws {
    let pair = try await ProbedPair(kind)
    pair.server.stream.pauseReading()
    pair.client.write(bytes)
    pair.client.close()
    await pair.settle()
    #expect(pair.server.received.isEmpty && pair.server.closings.isEmpty)
    pair.server.resumeReading()
    #expect(await pair.until { !pair.server.closings.isEmpty })
    #expect(pair.server.received == bytes)
    #expect(pair.server.closings == [.endedByPeer])
  }

  @Test("a queue beyond its limit closes the stream", arguments: StreamKind.allCases)
  func overflow(kind: StreamKind) async throws {
    var limits = StreamLimits()
    limits.queueMax = 100 << 10
    let pair = try await ProbedPair(kind, limits: limits)
    pair.client.write([UInt8](repeating: 0, count: 200 << 10))
    #expect(await pair.until { !pair.client.closings.isEmpty })
    #expect(pair.client.closings == [.tooSlow])
    #expect(await pair.until { !pair.server.closings.isEmpty })
  }

  @Test("writing to an end that was closed breaks the stream", arguments: StreamKind.allCases)
  func writeToClosed(kind: StreamKind) async throws {
    let pair = try await ProbedPair(kind)
    pair.client.staysHalfOpen = true
    pair.server.close()
    #expect(await pair.until { pair.client.ends == 1 })
    #expect(pair.client.closings.isEmpty)
    // A socket's first write is what provokes the reset, its second may be what meets it.
    for _ in 0..<3 {
      pair.client.write([1])
      await pair.settle()
    }
    #expect(await pair.until { !pair.client.closings.isEmpty })
    guard case .broken = pair.client.closings.first else {
      Issue.record("\(pair.client.closings)")
      return
    }
  }

  @Test("a reader may pause or close while it is being read to", arguments: StreamKind.allCases)
  func reentrancy(kind: StreamKind) async throws {
    let pair = try await ProbedPair(kind)
    pair.server.onReceive = { [unowned server = pair.server] in
      if server.reads == 1 { server.stream.pauseReading() } else { server.stream.close(.done) }
    }
    pair.client.write([UInt8](repeating: 1, count: 300_000))
    #expect(await pair.until { pair.server.reads == 1 })
    await pair.settle()
    #expect(pair.server.reads == 1)
    pair.server.stream.resumeReading()
    #expect(await pair.until { !pair.server.closings.isEmpty })
    #expect(pair.server.reads == 2)
    #expect(await pair.until { !pair.client.closings.isEmpty })
  }
}
