import Glibc

extension Coordinate {
  /// Metres along the great circle of a sphere of the earth's mean radius: within 0.6 % of the ellipsoid.
  package func metres(to other: Coordinate) -> Double {
    let latitudes = (latitude.radians, other.latitude.radians)
    let halfHeight = sin((latitudes.1 - latitudes.0) / 2)
    let halfWidth = sin((other.longitude - longitude).radians / 2)
    let haversine = halfHeight * halfHeight + cos(latitudes.0) * cos(latitudes.1) * halfWidth * halfWidth
    return 2 * Coordinate.earthRadius * asin(min(1, haversine.squareRoot()))
  }

  /// The direction in which `other` lies, 0 to 360 degrees from north over east.
  package func bearing(to other: Coordinate) -> Double {
    let latitudes = (latitude.radians, other.latitude.radians)
    let width = (other.longitude - longitude).radians
    let east = sin(width) * cos(latitudes.1)
    let north = cos(latitudes.0) * sin(latitudes.1) - sin(latitudes.0) * cos(latitudes.1) * cos(width)
    let degrees = atan2(east, north) * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }

  /// Metres, the mean radius of the International Union of Geodesy and Geophysics.
  package static let earthRadius = 6_371_008.8
}

/// How long it takes to walk.
package enum Walk {
  /// As Japanese estate agents must reckon. Stated wherever it is shown.
  package static let metresPerMinute = 80.0

  /// Whole minutes, rounded up.
  package static func minutes(metres: Double, metresPerMinute: Double = Walk.metresPerMinute) -> Int {
    guard metres.isFinite, metres > 0, metresPerMinute > 0 else { return 0 }
    return Int((metres / metresPerMinute).rounded(.up))
  }
}

extension Double {
  fileprivate var radians: Double { self * .pi / 180 }
}
