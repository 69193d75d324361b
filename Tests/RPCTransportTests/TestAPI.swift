import Clocks
import Observability
import RPC

/// A service whose requests do whatever a test of the transport needs.
enum TestAPI: RPCService { static let name = "test" }

struct Echo: RPCRequest, Equatable {
  typealias Service = TestAPI
  static let method: MethodID = 0x7F01
  static let safety: Safety = .read
  var text: String
  typealias Response = String
}

/// The same, by a handler that waits in between.
struct SlowEcho: RPCRequest {
  typealias Service = TestAPI
  typealias Response = String
  static let method: MethodID = 0x7F02
  static let safety: Safety = .read
  var text: String
  var milliseconds: Int
}

struct Refuse: RPCRequest {
  typealias Service = TestAPI
  typealias Response = String
  static let method: MethodID = 0x7F03
  static let safety: Safety = .read
  var code: UInt8
  var message: String
}

struct Blob: RPCRequest {
  typealias Service = TestAPI
  typealias Response = [UInt8]
  static let method: MethodID = 0x7F04
  static let safety: Safety = .read
  var bytes: [UInt8]
  var answer: Int
}

struct Count: RPCStreamRequest {
  typealias Service = TestAPI
  static let method: MethodID = 0x7F05
  var upTo: Int
  /// Bytes that each element carries besides its number.
  var weight: Int
  var failsAtEnd = false
  struct Element: Codable, Sendable, Equatable {
    var number: Int
    var load: String
  }
}

/// A stream that goes on until the server shuts down, and then ends in good order.
struct Ticks: RPCStreamRequest {
  typealias Service = TestAPI
  typealias Element = Int
  static let method: MethodID = 0x7F0A
}

struct WhoAmI: RPCRequest {
  typealias Service = TestAPI
  static let method: MethodID = 0x7F06
  static let safety: Safety = .read
  struct Response: Codable, Sendable, Equatable {
    var milliseconds: Int64
    var priority: UInt8
    var attempt: UInt8
    var trace: String?
    var colour: String?
    var key: String?
  }
}

struct Write: RPCRequest {
  typealias Service = TestAPI
  typealias Response = Int
  static let method: MethodID = 0x7F07
  static let safety: Safety = .keyed
  var value: Int
}

/// A read that may be shared: how many times it was answered.
struct Board: RPCRequest {
  typealias Service = TestAPI
  typealias Response = Int
  static let method: MethodID = 0x7F08
  static let safety: Safety = .read
  static let fresh: Duration = .seconds(60)
  static let freshness: Freshness? = Freshness(fresh: fresh, stale: .seconds(3_600))
}

struct SlowBoard: RPCRequest {
  typealias Service = TestAPI
  typealias Response = Int
  static let method: MethodID = 0x7F09
  static let safety: Safety = .read
  static let freshness: Freshness? = Freshness.none
  var milliseconds: Int
}

/// Answered at once, or never.
struct MayHang: RPCRequest {
  typealias Service = TestAPI
  typealias Response = String
  static let method: MethodID = 0x7F0B
  static let safety: Safety = .read
  var text: String
}

struct Nobody: RPCRequest {
  typealias Service = TestAPI
  typealias Response = String
  static let method: MethodID = 0x7FFF
  static let safety: Safety = .read
}

/// The service's own side, and what it saw.
@MainActor
final class TestService {
  let router = RPCRouter(service: "test")
  let time: any TimeSource
  private(set) var cancellations = 0
  private(set) var sent = 0
  private(set) var writes: [Int] = []
  private(set) var calls = 0
  private(set) var boards = 0
  var failuresBeforeSuccess = 0
  var isHung = false
  /// What a call that may hang takes where it does not.
  var takes = Duration.zero

  struct Secretive: Error { let password = "hunter2" }

  init(time: any TimeSource) {
    self.time = time
    router.on(Echo.self) { [unowned self] (request: Echo, _: borrowing CallContext) in
      calls += 1
      return request.text
    }
    router.on(SlowEcho.self) { [unowned self] (request: SlowEcho, _: CallContext) async throws in
      calls += 1
      do {
        try await self.time.sleep(for: .milliseconds(request.milliseconds))
      } catch {
        cancellations += 1
        throw error
      }
      return request.text
    }
    router.on(MayHang.self) { [unowned self] (request: MayHang, _: CallContext) async throws in
      calls += 1
      guard isHung || takes > .zero else { return request.text }
      do {
        try await self.time.sleep(for: isHung ? .seconds(3_600) : takes)
      } catch {
        cancellations += 1
        throw error
      }
      return request.text
    }
    router.on(Refuse.self) { [unowned self] (request: Refuse, _: borrowing CallContext) in
      calls += 1
      if failuresBeforeSuccess > 0 {
        failuresBeforeSuccess -= 1
        throw RPCError(.unavailable, "not yet", executed: .no)
      }
      guard request.code != 0 else { return "fine" }
      guard let code = RPCError.Code(rawValue: request.code) else { throw Secretive() }
      throw RPCError(code, request.message)
    }
    router.on(Blob.self) { (request: Blob, _: borrowing CallContext) in
      Array(repeating: request.bytes.first ?? 0, count: request.answer)
    }
    router.on(Count.self) { [unowned self] (request: Count, _: CallContext, writer: StreamWriter<Count.Element>) in
      let load = String(repeating: "x", count: request.weight)
      do {
        for number in 0..<request.upTo {
          try await writer.send(.init(number: number, load: load))
          sent += 1
        }
      } catch {
        cancellations += 1
        throw error
      }
      if request.failsAtEnd { throw RPCError(.failedPrecondition, "that was all") }
    }
    router.on(Ticks.self) { [unowned self] (_: Ticks, _: CallContext, writer: StreamWriter<Int>) in
      while !writer.isShuttingDown {
        try await writer.send(sent)
        sent += 1
        try await self.time.sleep(for: .milliseconds(1))
      }
    }
    router.on(WhoAmI.self) { [unowned self] (_: WhoAmI, context: borrowing CallContext) in
      WhoAmI.Response(
        milliseconds: (context.deadline - self.time.now).wholeMilliseconds, priority: context.priority.rawValue,
        attempt: context.attempt, trace: context.trace?.traceparent, colour: context.metadata["colour"],
        key: context.key?.description)
    }
    router.on(Board.self) { [unowned self] (_: Board, _: borrowing CallContext) in
      boards += 1
      return boards
    }
    router.on(SlowBoard.self) { [unowned self] (request: SlowBoard, _: CallContext) async throws in
      boards += 1
      do {
        try await self.time.sleep(for: .milliseconds(request.milliseconds))
      } catch {
        cancellations += 1
        throw error
      }
      return boards
    }
    router.on(Write.self) { [unowned self] (request: Write, _: borrowing CallContext) in
      writes.append(request.value)
      return writes.count
    }
  }
}
