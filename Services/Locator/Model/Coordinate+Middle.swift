import Contracts
import Glibc
import RPC

nonisolated extension Coordinate {
  /// The point in the middle of some points, over the 180th meridian too: the direction of the sum of their vectors.
  static func middle(of points: [Coordinate]) -> Coordinate {
    var (x, y, z) = (0.0, 0.0, 0.0)
    for point in points {
      let (up, around) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
      x += cos(up) * cos(around)
      y += cos(up) * sin(around)
      z += sin(up)
    }
    let middle = try? Coordinate(
      latitude: atan2(z, (x * x + y * y).squareRoot()) * 180 / .pi, longitude: atan2(y, x) * 180 / .pi)
    return middle ?? points[0]
  }
}
