/// A part of a map, in degrees. One whose west is greater than its east crosses the 180th meridian.
package struct MapBox: Hashable, Sendable {
  package var south, west, north, east: Double

  package init(south: Double, west: Double, north: Double, east: Double) {
    self.south = south
    self.west = west
    self.north = north
    self.east = east
  }

  /// Edges are inside. The poles have every longitude, and 180° is both ends of the map.
  package func contains(latitude: Double, longitude: Double) -> Bool {
    guard (south...max(south, north)).contains(latitude), south <= north else { return false }
    if abs(latitude) == 90 { return true }
    if isWithinSides(longitude) { return true }
    return abs(longitude) == 180 && isWithinSides(-longitude)
  }

  private func isWithinSides(_ longitude: Double) -> Bool {
    west <= east ? (west...east).contains(longitude) : longitude >= west || longitude <= east
  }
}

/// Points of a map, and those of them inside a box: the points sorted by latitude, so that a box looks at its own band.
package struct BoxIndex: Sendable {
  private let latitudes: [Double]
  private let longitudes: [Double]
  private let order: [Int32]

  package init(_ points: some Collection<(latitude: Double, longitude: Double)>) {
    let points = Array(points)
    let order = points.indices.sorted { points[$0].latitude < points[$1].latitude }
    latitudes = order.map { points[$0].latitude }
    longitudes = order.map { points[$0].longitude }
    self.order = order.map { Int32($0) }
  }

  /// The first so many points inside the box, in the order of the list that the index was made of.
  package func points(in box: MapBox, limit: Int) -> [Int] {
    guard limit > 0, box.south <= box.north else { return [] }
    var found: [Int] = []
    var place = firstPlace(from: box.south)
    while place < latitudes.count, latitudes[place] <= box.north {
      if box.contains(latitude: latitudes[place], longitude: longitudes[place]) { found.append(Int(order[place])) }
      place += 1
    }
    found.sort()
    return Array(found.prefix(limit))
  }

  private func firstPlace(from south: Double) -> Int {
    var (low, high) = (0, latitudes.count)
    while low < high {
      let middle = (low + high) / 2
      if latitudes[middle] < south { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
