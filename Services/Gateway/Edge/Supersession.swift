import Clocks
import HTTP
import RPC

/// The newest choice wins: of a pane of a page only the latest question is answered, older ones end at once, here and in
/// the services that work for them.
package final class Supersession {
  private var table = SupersedeTable<SupersedeMark.Pane, UInt64>()
  private var running: [UInt64: Turn] = [:]
  private var serial: UInt64 = 0
  private var lastSequence: UInt64 = 0
  private let time: any TimeSource
  /// How many questions were ended by newer ones.
  package private(set) var ended = 0

  /// A question being answered.
  private final class Turn {
    var task: Task<Answer, any Error>?
    var isSuperseded = false
  }

  init(time: any TimeSource) { self.time = time }

  /// Which pane asks, from the request's fields; nil if it does not say.
  func mark(of request: HTTPRequest) throws -> SupersedeMark? {
    guard request.head.has("x-odi-slot") || request.head.has("x-odi-session") else { return nil }
    guard let session = request["x-odi-session"], let slot = request["x-odi-slot"],
      (1...Self.nameBytesMax).contains(session.utf8.count), (1...Self.nameBytesMax).contains(slot.utf8.count)
    else {
      throw Problem(.validation, "send X-Odi-Session and X-Odi-Slot together, each of 1 to \(Self.nameBytesMax) bytes")
    }
    var sequence = nextSequence()
    if let text = request["x-odi-sequence"] {
      guard let number = UInt64(text) else {
        throw Problem(.validation, "X-Odi-Sequence must be a whole number that grows with each request")
      }
      sequence = number
    }
    return SupersedeMark(
      session: Self.hash(session), slot: UInt32(truncatingIfNeeded: Self.hash(slot)), sequence: sequence)
  }

  /// As long as a UUID, and some more.
  private static let nameBytesMax = 64

  /// Numbers by arrival. They begin with the time, so that those of a restarted gateway are greater than the old ones,
  /// which the services remember.
  private func nextSequence() -> UInt64 {
    lastSequence = max(lastSequence + 1, UInt64(max(time.wall.milliseconds, 0)) << 8)
    return lastSequence
  }

  /// FNV-1a. Who guesses another's session could only end that one's reads.
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Notes that a pane asked something that is answered at once. One that something newer overtook is refused all the same.
  func pass(_ mark: SupersedeMark) throws {
    serial += 1
    guard
      case .run(let cancelling) = table.arrive(
        mark.pane, sequence: mark.sequence, call: serial, isRead: true, now: time.now)
    else {
      ended += 1
      throw Problem.superseded
    }
    for older in cancelling { end(older) }
    table.finish(mark.pane, call: serial, now: time.now)
  }

  /// Answers for a pane, unless something newer is asked meanwhile.
  @inline(never)
  func run(_ mark: SupersedeMark, _ body: @escaping @MainActor () async throws -> Answer) async throws -> Answer {
    serial += 1
    let number = serial
    switch table.arrive(mark.pane, sequence: mark.sequence, call: number, isRead: true, now: time.now) {
    case .superseded, .notARead:
      ended += 1
      throw Problem.superseded
    case .run(let cancelling):
      for older in cancelling { end(older) }
    }
    let turn = Turn()
    running[number] = turn
    defer {
      running[number] = nil
      table.finish(mark.pane, call: number, now: time.now)
    }
    // A task of its own, so that it can be cancelled while the request's task goes on to say so.
    let task = Task.immediate { @MainActor in try await body() }
    turn.task = task
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    if turn.isSuperseded { throw Problem.superseded }
    return try result.get()
  }

  private func end(_ number: UInt64) {
    guard let turn = running[number], !turn.isSuperseded else { return }
    turn.isSuperseded = true
    ended += 1
    turn.task?.cancel()
  }
}
