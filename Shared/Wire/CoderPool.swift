import Synchronization

/// Encoder states that are not in use, warm. States are never freed, so that a container someone kept points at one.
enum EncoderPool {
  private static let free = Mutex<[Bool: [Handed]]>([:])

  static func take(usesLayouts: Bool) -> EncoderRef {
    free.withLock { $0[usesLayouts]?.popLast() }?.state ?? .make(usesLayouts: usesLayouts)
  }

  static func giveBack(_ state: EncoderRef) {
    let handed = Handed(state: state)
    free.withLock { $0[handed.state.pointee.usesLayouts, default: []].append(handed) }
  }

  private struct Handed: @unchecked Sendable {
    // Safety: it is on its way between a coder and the pool, which never both use it.
    let state: EncoderRef
  }
}

/// Decoder states that are not in use, warm.
enum DecoderPool {
  private static let free = Mutex<[Bool: [Handed]]>([:])

  static func take(usesLayouts: Bool) -> DecoderRef {
    free.withLock { $0[usesLayouts]?.popLast() }?.state ?? .make(usesLayouts: usesLayouts)
  }

  static func giveBack(_ state: DecoderRef) {
    let handed = Handed(state: state)
    free.withLock { $0[handed.state.pointee.usesLayouts, default: []].append(handed) }
  }

  private struct Handed: @unchecked Sendable {
    // Safety: as in `EncoderPool`.
    let state: DecoderRef
  }
}
