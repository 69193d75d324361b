import RPC

/// Which ends of turns at hosts were told already: one that is told again, as its answer got lost, is not counted again.
final class EndedTurns {
  private enum Limits {
    /// A call is repeated for ten seconds at most. So many turns end in them only where no host has to be spared.
    static let keys = 4_096
  }

  private var keys = RecencyMap<IdempotencyKey, Void>(atMost: Limits.keys)

  /// Whether this end was not told yet; from now on it was.
  func isNew(_ key: IdempotencyKey) -> Bool { keys.set(key, to: ()) == nil }
}
