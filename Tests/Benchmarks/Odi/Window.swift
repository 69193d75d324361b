import Glibc

/// Nanoseconds of the monotonic clock: what is measured here needs no more of a clock.
nonisolated func nanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

nonisolated func cpuMicroseconds() -> Double {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6
    + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
}

/// The measured part of a closed loop, after its warm-up. The same as `bench.h` does for the peers: every call counts,
/// and one slot of each connection is timed, which with one call outstanding is every call.
struct Window {
  private enum Phase { case warmingUp, measuring, over }

  private let opens: UInt64
  private let closes: UInt64
  private var phase = Phase.warmingUp
  private var opened = (at: UInt64(0), total: 0, cpu: 0.0)
  private var ended = (at: UInt64(0), total: 0, cpu: 0.0)
  private var samples: [UInt32] = []
  private(set) var total = 0

  init(warmup: Double, seconds: Double) {
    opens = nanoseconds() + UInt64(warmup * 1e9)
    closes = opens + UInt64(seconds * 1e9)
    samples.reserveCapacity(1 << 20)
  }

  mutating func count(_ calls: Int = 1) { total += calls }

  /// Call when a timed slot's reply to what was sent at `sent` arrived. True once the window is over.
  mutating func sample(sentAt sent: UInt64, now: UInt64) -> Bool {
    switch phase {
    case .warmingUp where now >= opens:
      opened = (now, total, cpuMicroseconds())
      phase = .measuring
    case .measuring:
      if samples.count < 1 << 20 { samples.append(UInt32(truncatingIfNeeded: now - sent)) }
      guard now >= closes else { break }
      ended = (now, total, cpuMicroseconds())
      phase = .over
    default: break
    }
    return phase == .over
  }

  /// `text` is the sum of all bytes of all strings of one reply, the same for every candidate.
  mutating func print(text: UInt64 = 0) {
    samples.sort()
    let p50 = samples.isEmpty ? 0 : Double(samples[samples.count / 2]) / 1e3
    let p99 = samples.isEmpty ? 0 : Double(samples[samples.count - 1 - samples.count / 100]) / 1e3
    emit(
      """
      {"ops": \(ended.total - opened.total), "total": \(total), "seconds": \(Double(ended.at - opened.at) / 1e9), \
      "p50_us": \(p50), "p99_us": \(p99), "cpu_us": \(ended.cpu - opened.cpu), "text": \(text)}
      """)
  }
}
