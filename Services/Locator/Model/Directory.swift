package import Contracts
import Spatial
import TextSearch

/// All cinemas at one revision, with the indexes that answer questions about them. It never changes: a change of the
/// directory makes another one.
///
/// Closed cinemas are found by their ids and in lists that ask for them, and nowhere else.
nonisolated package final class Directory: Sendable {
  package let revision: Int64
  /// In order of id.
  package let cinemas: [Cinema]
  package let regions: [Region]
  /// Places in `cinemas` of those that have not closed; the indexes below count these.
  private let active: [Int32]
  private let globe: GlobeIndex
  private let map: BoxIndex
  private let names: TextIndex

  package static let empty = Directory([], revision: 0)

  package init(_ cinemas: [Cinema], revision: Int64) {
    self.revision = revision
    self.cinemas = cinemas.sorted { $0.id < $1.id }
    active = self.cinemas.indices.filter { [cinemas = self.cinemas] in cinemas[$0].isActive }.map { Int32($0) }
    let open = active.map { [cinemas = self.cinemas] in cinemas[Int($0)] }
    let points = open.map { (latitude: $0.position.latitude, longitude: $0.position.longitude) }
    globe = GlobeIndex(points)
    map = BoxIndex(points)
    names = TextIndex(open.map(\.searchedTexts))
    regions = Region.all(of: open)
  }

  // MARK: Questions

  package subscript(id: CinemaID) -> Cinema? {
    let place = firstPlace { $0 >= id }
    return place < cinemas.count && cinemas[place].id == id ? cinemas[place] : nil
  }

  package func nearest(to origin: Coordinate, limit: Int, metresMax: Double? = nil) -> [NearbyCinema] {
    let found = globe.nearest(
      limit, latitude: origin.latitude, longitude: origin.longitude, metresMax: metresMax ?? .infinity)
    return found.map { NearbyCinema(cinema: cinemas[Int(active[$0.point])], metres: $0.metres) }
  }

  /// The same, as places in `cinemas`.
  func places(nearest origin: Coordinate, limit: Int, metresMax: Double?) -> (places: [Int], metres: [Double]) {
    let found = globe.nearest(
      limit, latitude: origin.latitude, longitude: origin.longitude, metresMax: metresMax ?? .infinity)
    return (found.map { Int(active[$0.point]) }, found.map(\.metres))
  }

  package func cinemas(from southWest: Coordinate, to northEast: Coordinate, limit: Int) -> [Cinema] {
    let box = MapBox(
      south: southWest.latitude, west: southWest.longitude, north: northEast.latitude, east: northEast.longitude)
    return map.points(in: box, limit: limit).map { cinemas[Int(active[$0])] }
  }

  package func cinemas(named text: String, limit: Int, origin: Coordinate? = nil) -> [CinemaHit] {
    let hits = names.search(text, limit: limit) { left, right in
      guard let origin else { return left < right }
      let distances = (metres(from: origin, to: left), metres(from: origin, to: right))
      return distances.0 == distances.1 ? left < right : distances.0 < distances.1
    }
    return hits.map { hit in
      CinemaHit(
        cinema: cinemas[Int(active[hit.document])], score: hit.score, matched: hit.text,
        highlights: hit.ranges.flatMap { [$0.lowerBound, $0.upperBound] })
    }
  }

  package func page(_ request: ListCinemas) -> CinemaPage {
    var page: [Cinema] = []
    let region = request.region.map(KnownRegion.slug)
    let start = request.after.map { after in firstPlace { $0 > after } } ?? 0
    for cinema in cinemas[start...] {
      guard cinema.isActive || request.includesInactive == true, region.map({ $0 == cinema.region }) ?? true,
        request.country.map({ $0 == cinema.country }) ?? true
      else { continue }
      if page.count == request.limit { return CinemaPage(cinemas: page, hasMore: true, revision: revision) }
      page.append(cinema)
    }
    return CinemaPage(cinemas: page, hasMore: false, revision: revision)
  }

  // MARK: Itself

  package var statistics: DirectoryStatistics {
    DirectoryStatistics(
      revision: revision, cinemas: cinemas.count, active: active.count, regions: regions.count,
      treeDepth: globe.depth, names: names.textCount)
  }

  /// The first place whose id fulfils a condition that all ids behind it fulfil too.
  private func firstPlace(where condition: (CinemaID) -> Bool) -> Int {
    var (low, high) = (0, cinemas.count)
    while low < high {
      let middle = (low + high) / 2
      if condition(cinemas[middle].id) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func metres(from origin: Coordinate, to place: Int) -> Double {
    origin.metres(to: cinemas[Int(active[place])].position)
  }
}

/// How large a directory and its indexes are.
nonisolated package struct DirectoryStatistics: Codable, Hashable, Sendable {
  package var revision: Int64
  package var cinemas: Int
  package var active: Int
  package var regions: Int
  /// How often the tree of points halves them.
  package var treeDepth: Int
  /// Names that can be searched.
  package var names: Int
}

nonisolated extension Cinema {
  /// Its names, then where it is: `london prince` finds Prince Charles.
  fileprivate var searchedTexts: [String] {
    [name] + [nameEnglish].compactMap { $0 } + (aliases ?? []) + [city, KnownRegion.of(region)?.name].compactMap { $0 }
  }
}

nonisolated extension Region {
  /// The regions of these cinemas, by country and id.
  fileprivate static func all(of cinemas: [Cinema]) -> [Region] {
    Dictionary(grouping: cinemas) { RegionKey(country: $0.country, id: $0.region) }
      .sorted { $0.key < $1.key }
      .map { key, members in
        let known = KnownRegion.of(key.id)
        return Region(
          id: key.id, name: known?.name ?? key.id.asTitle, nameEnglish: known?.nameEnglish, country: key.country,
          cinemas: members.count, center: Coordinate.middle(of: members.map(\.position)))
      }
  }

  private struct RegionKey: Hashable, Comparable {
    let country: String
    let id: String

    static func < (left: RegionKey, right: RegionKey) -> Bool {
      left.country == right.country ? left.id < right.id : left.country < right.country
    }
  }
}

nonisolated extension String {
  /// `north-holland` as `North Holland`.
  fileprivate var asTitle: String {
    split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }
}
