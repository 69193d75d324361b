extension WallTime {
  /// The first or the last of times where it would be beyond: durations come from settings and requests.
  package func adding(_ duration: Duration) -> WallTime {
    let (sum, isOver) = milliseconds.addingReportingOverflow(duration.wholeMilliseconds)
    return WallTime(milliseconds: isOver ? (duration < .zero ? .min : .max) : sum)
  }

  package static func - (time: WallTime, duration: Duration) -> WallTime { time.adding(.zero - duration) }
}
