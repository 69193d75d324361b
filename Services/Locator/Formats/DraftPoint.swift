/// Where a file puts a cinema, before anybody has looked whether there is such a place.
nonisolated struct DraftPoint: Hashable, Sendable {
  var latitude: Double
  var longitude: Double

  init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The middle of the box around some points; nil of none.
  init?(middleOf points: [DraftPoint]) {
    guard let first = points.first else { return nil }
    guard points.count > 1 else {
      self = first
      return
    }
    latitude = Self.middle(points.map(\.latitude))
    longitude = Self.middle(points.map(\.longitude))
  }

  /// With seven digits, as OpenStreetMap has them: a centimetre.
  private static func middle(_ numbers: [Double]) -> Double {
    let sum = (numbers.min() ?? 0) + (numbers.max() ?? 0)
    return (sum / 2 * 10_000_000).rounded() / 10_000_000
  }
}

nonisolated extension CinemaDraft {
  mutating func stand(at point: DraftPoint) {
    (self[.latitude], self[.longitude]) = ("\(point.latitude)", "\(point.longitude)")
  }
}
