import Synchronization

/// Encoder states that are not in use, warm. States are never freed, so that a container someone kept points at one.
enum EncoderPool {
  private struct Free: @unchecked Sendable {
    // Safety: a state in here belongs to no coder, and is only touched by the one that takes it out.
    var states: [EncoderRef] = []
  }

  private static let free = Mutex(Free())

  static func take() -> EncoderRef {
    free.withLock { free -> Handed in Handed(state: free.states.popLast()) }.state ?? .make()
  }

  static func giveBack(_ state: EncoderRef) {
    let handed = Handed(state: state)
    free.withLock { free in free.states.append(handed.state!) }
  }

  private struct Handed: @unchecked Sendable {
    // Safety: on its way between a coder and the pool, which are never both using it.
    let state: EncoderRef?
  }
}

/// Decoder states that are not in use, warm.
enum DecoderPool {
  private struct Free: @unchecked Sendable {
    // Safety: as in `EncoderPool`.
    var states: [DecoderRef] = []
  }

  private static let free = Mutex(Free())

  static func take() -> DecoderRef {
    free.withLock { free -> Handed in Handed(state: free.states.popLast()) }.state ?? .make()
  }

  static func giveBack(_ state: DecoderRef) {
    let handed = Handed(state: state)
    free.withLock { free in free.states.append(handed.state!) }
  }

  private struct Handed: @unchecked Sendable {
    // Safety: as in `EncoderPool`.
    let state: DecoderRef?
  }
}
