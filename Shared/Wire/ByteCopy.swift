extension UnsafeMutableRawPointer {
  /// Copies bytes that do not overlap, a kilobyte at a time.
  ///
  /// From some four kilobytes on glibc leaves a copy to the processor's own `rep movsb`, which on current AMD servers
  /// takes thirty times as long when the two addresses lie badly: 40 us for 64 KiB instead of 1.5.
  @inline(__always)
  func copyBytes(from source: UnsafeRawPointer, count: Int) {
    if count <= 1024 {
      copyMemory(from: source, byteCount: count)
    } else {
      copyManyBytes(from: source, count: count)
    }
  }

  @inline(never)
  private func copyManyBytes(from source: UnsafeRawPointer, count: Int) {
    for offset in stride(from: 0, to: count, by: 1024) {
      (self + offset).copyMemory(from: source + offset, byteCount: Swift.min(1024, count - offset))
    }
  }
}
