import Clocks
import EventLoops
import RPCTransport

/// A network whose streams do to a client's frames what no network may do.
@MainActor
final class TamperedNetwork: Network {
  private let base: any Network
  private let fault: PlantedFault
  private var random: SeededRandom

  init(_ base: any Network, _ fault: PlantedFault, seed: UInt64) {
    self.base = base
    self.fault = fault
    random = SeededRandom(seed: seed)
  }

  func connect(to address: SocketAddress) async throws(SocketError) -> any ByteStream {
    TamperedStream(try await base.connect(to: address)) { [self] kind in
      switch (fault, kind) {
      case (.repeatedRequests, 3): UInt8.random(in: 0..<4, using: &random) == 0 ? 2 : 1
      case (.lostCredit, 8): 0
      default: 1
      }
    }
  }

  func addresses(of host: String, port: UInt16) async throws(SocketError) -> [SocketAddress] {
    try await base.addresses(of: host, port: port)
  }
}

/// Sends each whole frame as often as it is told.
@MainActor
private final class TamperedStream: ByteStream {
  private let base: any ByteStream
  private let copies: (_ kind: UInt8) -> Int
  private var unsent: [UInt8] = []

  init(_ base: any ByteStream, copies: @escaping (_ kind: UInt8) -> Int) {
    self.base = base
    self.copies = copies
  }

  var handler: (any ByteStreamHandler)? {
    get { base.handler }
    set { base.handler = newValue }
  }
  var peer: SocketAddress { base.peer }
  var queuedBytes: Int { base.queuedBytes }
  var isOverHighWater: Bool { base.isOverHighWater }
  func pauseReading() { base.pauseReading() }
  func resumeReading() { base.resumeReading() }
  func finish() { base.finish() }
  func close(_ reason: StreamEnd) { base.close(reason) }

  func write(_ bytes: UnsafeRawBufferPointer) {
    unsent += bytes
    while unsent.count >= 10 {
      let size = 4 + (0..<4).reduce(0) { $0 | Int(unsent[$1]) << (8 * $1) }
      guard unsent.count >= size else { return }
      let frame = Array(unsent[..<size])
      unsent.removeFirst(size)
      for _ in 0..<copies(frame[4]) { base.write(frame) }
    }
  }
}
