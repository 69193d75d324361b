/// What a request asks for is within its contract's limits, or it is refused before anything is done.
extension RPCError {
  package static func check(
    _ number: Int, _ name: String = "limit", in allowed: ClosedRange<Int>
  ) throws(RPCError) {
    guard !allowed.contains(number) else { return }
    throw RPCError(
      .invalidArgument, "\(name) is \(number); ask for \(allowed.lowerBound)...\(allowed.upperBound)", executed: .no)
  }

  /// Nil is a list that was not given.
  package static func check(count: Int?, of things: String, atMost most: Int) throws(RPCError) {
    guard let count, count > most else { return }
    throw RPCError(.invalidArgument, "\(count) \(things); give at most \(most)", executed: .no)
  }
}
