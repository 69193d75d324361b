import CUV

/// The calendar's clock for whoever is not on the loop, such as a log line written by a database's thread.
nonisolated package enum WallClock {
  /// Microseconds since 1970, from any thread.
  package static func microseconds() -> Int64 {
    var time = uv_timeval64_t()
    uv_gettimeofday(&time)
    return time.tv_sec * 1_000_000 + Int64(time.tv_usec)
  }
}
