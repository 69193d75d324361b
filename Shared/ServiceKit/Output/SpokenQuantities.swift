/// Quantities as people say them.
nonisolated extension Duration {
  /// `850 µs`, `1.2 ms`, `3.4 s`, `12 min`, `3 h`, `5 d`.
  package var spoken: String {
    let seconds = self / .seconds(1)
    switch abs(seconds) {
    case 0: return "0 s"
    case ..<0.001: return "\((seconds * 1_000_000).fixed(0)) µs"
    case ..<1: return "\((seconds * 1_000).fixed(abs(seconds) < 0.1 ? 1 : 0)) ms"
    case ..<60: return "\(seconds.fixed(1)) s"
    case ..<3_600: return "\((seconds / 60).fixed(0)) min"
    case ..<172_800: return "\((seconds / 3_600).fixed(0)) h"
    default: return "\((seconds / 86_400).fixed(0)) d"
    }
  }

  /// `1:05` or `2:03:04`, for what is left of something.
  package var countdown: String {
    let seconds = Swift.max(0, Int((self / .seconds(1)).rounded()))
    let tail = String(seconds % 60).leftPadded(to: 2)
    guard seconds >= 3_600 else { return "\(seconds / 60):\(tail)" }
    return "\(seconds / 3_600):\(String(seconds / 60 % 60).leftPadded(to: 2)):\(tail)"
  }
}

nonisolated extension Int {
  /// `812 B`, `1.2 kB`, `48 MB`: powers of a thousand, as disks are sold.
  package var spokenBytes: String {
    var value = Double(self)
    for unit in ["B", "kB", "MB", "GB"] {
      if abs(value) < 999.5 { return "\(value.fixed(unit == "B" || abs(value) >= 9.95 ? 0 : 1)) \(unit)" }
      value /= 1_000
    }
    return "\(value.fixed(1)) TB"
  }
}

nonisolated extension Double {
  /// So many digits after the point, rounded half away from zero.
  package func fixed(_ digits: Int) -> String {
    guard isFinite, magnitude < 1e15 else { return "\(self)" }
    let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int64((magnitude * Double(scale)).rounded(.toNearestOrAwayFromZero))
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return sign + String(scaled) }
    let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: Int64(scale))
    return sign + "\(whole).\(String(fraction).leftPadded(to: digits))"
  }
}

nonisolated extension String {
  fileprivate func leftPadded(to count: Int) -> String {
    String(repeating: "0", count: Swift.max(0, count - utf8.count)) + self
  }
}
