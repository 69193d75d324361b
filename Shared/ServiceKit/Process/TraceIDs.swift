import Crypto
import Synchronization

/// Numbers for ids of traces: spread evenly, different in every process, cheap. They are no secret and guard nothing.
nonisolated func traceIDs() -> @Sendable () -> UInt64 {
  var seeds = SecureRandom()
  let state = Mutex(seeds.next())
  return {
    let step = state.withLock { state in
      state &+= 0x9e37_79b9_7f4a_7c15
      return state
    }
    // SplitMix64: a counter, stirred.
    let half = (step ^ (step >> 30)) &* 0xbf58_476d_1ce4_e5b9
    let whole = (half ^ (half >> 27)) &* 0x94d0_49bb_1331_11eb
    return whole ^ (whole >> 31)
  }
}
