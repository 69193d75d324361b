package import Clocks

/// Which sites misbehave at present, and how.
package final class Knobs {
  /// One that is turned.
  nonisolated package struct Turned: Hashable, Sendable {
    /// Nil for all cinemas.
    package let cinema: String?
    package let misbehaviour: Misbehaviour
    /// When it ends by itself.
    package let until: Instant
  }

  /// So that a forgotten one ends.
  nonisolated package static let longest: Duration = .seconds(24 * 3_600)

  private let time: any TimeSource
  private var turned: [Turned] = []
  /// When one was last turned.
  private(set) var changedAt: WallTime?
  private var flakyCount = 0

  init(time: any TimeSource) { self.time = time }

  /// - Parameter cinema: nil for all of them, those off the list too: posters, films.
  package func turn(
    _ misbehaviour: Misbehaviour, at cinema: String? = nil, for period: Duration = Knobs.longest
  ) {
    end(cinema, misbehaviour)
    let until = time.now + min(period, Self.longest)
    turned.append(Turned(cinema: cinema, misbehaviour: misbehaviour, until: until))
  }

  /// Ends one, or all of a cinema's; of all cinemas if none is named.
  package func end(_ cinema: String? = nil, _ misbehaviour: Misbehaviour? = nil) {
    turned.removeAll { knob in
      let isMeant = cinema == nil && misbehaviour == nil || knob.cinema == cinema
      return isMeant && (misbehaviour == nil || knob.misbehaviour == misbehaviour)
    }
    changedAt = time.wall
  }

  /// All that hold now.
  package var active: [Turned] {
    let now = time.now
    return turned.filter { $0.until > now }
  }

  func active(for cinema: String?) -> Set<Misbehaviour> {
    if turned.isEmpty { return [] }
    return Set(active.filter { $0.cinema == nil || $0.cinema == cinema }.map(\.misbehaviour))
  }

  /// Whether a flaky site fails this time: the first, the third, the fifth.
  func failsThisTime() -> Bool {
    flakyCount &+= 1
    return flakyCount % 2 == 1
  }
}
