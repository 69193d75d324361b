import Clocks
import RPC

/// A service whose requests leave traces that can be counted.
enum LedgerAPI: RPCService { static let name = "ledger" }

/// Answers with what it was sent, after a while.
struct Look: RPCRequest {
  typealias Service = LedgerAPI
  typealias Response = [UInt8]
  static let method: MethodID = 0x7E01
  static let safety: Safety = .read
  var bytes: [UInt8]
  var milliseconds: Int
}

/// The same by a handler that answers at once.
struct Glance: RPCRequest {
  typealias Service = LedgerAPI
  typealias Response = Int
  static let method: MethodID = 0x7E02
  static let safety: Safety = .read
  var number: Int
}

/// Writes a number once for each idempotency key, however often it comes.
struct Deposit: RPCRequest {
  typealias Service = LedgerAPI
  typealias Response = Int
  static let method: MethodID = 0x7E03
  static let safety: Safety = .keyed
  var number: Int
  var milliseconds: Int
}

/// Writes a number each time it comes: the caller must not send it twice, nor the transport deliver it twice.
struct Stamp: RPCRequest {
  typealias Service = LedgerAPI
  typealias Response = Int
  static let method: MethodID = 0x7E04
  static let safety: Safety = .keyed
  var number: Int
}

struct Feed: RPCStreamRequest {
  typealias Service = LedgerAPI
  typealias Element = [UInt8]
  static let method: MethodID = 0x7E05
  var count: Int
  var weight: Int
  var failsAtEnd: Bool
}

/// What the service has written. It outlives its servers, as a database does.
@MainActor
final class Ledger {
  /// How often each number was written.
  private(set) var written: [Int: Int] = [:]
  private var keys: Set<String> = []
  private let time: any TimeSource
  private let fault: PlantedFault?

  init(time: any TimeSource, fault: PlantedFault?) {
    self.time = time
    self.fault = fault
  }

  func router() -> RPCRouter {
    let router = RPCRouter(service: LedgerAPI.name)
    router.on(Look.self) { [self] (request: Look, _: CallContext) async throws in
      try await wait(request.milliseconds)
      return request.bytes
    }
    router.on(Glance.self) { (request: Glance, _: borrowing CallContext) in request.number }
    router.on(Deposit.self) { [self] (request: Deposit, context: CallContext) async throws in
      // Half before it is written, half between the writing and the answer.
      try await wait(request.milliseconds / 2)
      write(request.number, once: fault == .forgottenKeys ? nil : context.key)
      try await wait(request.milliseconds / 2)
      return request.number
    }
    router.on(Stamp.self) { [self] (request: Stamp, _: borrowing CallContext) in
      write(request.number, once: nil)
      return request.number
    }
    router.on(Feed.self) { (request: Feed, _: CallContext, writer: StreamWriter<[UInt8]>) async throws in
      for number in 0..<request.count {
        try await writer.send([UInt8(number)] + Array(repeating: 0, count: request.weight))
      }
      if request.failsAtEnd { throw RPCError(.failedPrecondition, "that was all") }
    }
    return router
  }

  private func write(_ number: Int, once key: IdempotencyKey?) {
    if let key, !keys.insert("\(key)").inserted { return }
    written[number, default: 0] += 1
  }

  private func wait(_ milliseconds: Int) async throws {
    guard milliseconds > 0 else { return }
    if fault == .deafHandlers, milliseconds > 30 {
      // Never ends, whoever leaves.
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    try await time.sleep(for: .milliseconds(milliseconds))
  }
}

/// Something that is wrong on purpose, so that the simulation is seen to notice it.
enum PlantedFault: String, CaseIterable, Sendable {
  /// The network delivers one request in four twice.
  case repeatedRequests
  /// The network loses what the reader grants.
  case lostCredit
  /// The service does not look whether it knows a key.
  case forgottenKeys
  /// Handlers do not hear that nobody waits any more.
  case deafHandlers

  /// What is said of it.
  var promise: String {
    switch self {
    case .repeatedRequests, .forgottenKeys: "was written 2 times"
    case .lostCredit: "whose stream had credit, time and a good network"
    case .deafHandlers: "left at the end"
    }
  }
}
