import Clocks
import Contracts

/// Circles in which the guide knows no restaurant at all: whatever is asked about a place inside of one, there is none.
nonisolated struct EmptyAreas {
  private var areas: [(circle: GuideCircle, at: WallTime)] = []

  /// Looked through for each question that is not kept; the oldest gives way.
  private static let countMax = 500

  mutating func add(_ circle: GuideCircle, at time: WallTime) {
    if areas.count >= Self.countMax { areas.removeFirst() }
    areas.append((circle, time))
  }

  /// When the guide said since some time that there is nothing in all of a circle.
  func covering(_ circle: GuideCircle, since: WallTime) -> WallTime? {
    areas.last { $0.at > since && $0.circle.holds(circle) }?.at
  }
}

/// What a question to the guide is about: a point as it is told to it, and how far around.
nonisolated struct GuideCircle: Hashable, Sendable {
  let centre: Coordinate
  let metres: Int

  func holds(_ other: GuideCircle) -> Bool { centre.metres(to: other.centre) + Double(other.metres) <= Double(metres) }
}
