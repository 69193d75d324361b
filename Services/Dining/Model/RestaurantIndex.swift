package import Calendars
import Clocks
package import Contracts
import Spatial
import TextSearch

/// All restaurants at one revision, with the indexes that answer questions about them. It never changes: a change makes
/// another one.
nonisolated package final class RestaurantIndex: Sendable {
  package let revision: Int64
  /// In order of id.
  package let restaurants: [Restaurant]
  /// Places in `restaurants` of those that have not closed for good; the indexes below count these.
  private let active: [Int32]
  private let globe: GlobeIndex
  private let texts: TextIndex
  private let zones: [ZoneName: TimeZoneRules]
  package let codes: DiningCodes

  package static let empty = RestaurantIndex([], revision: 0, zones: ZoneDirectory())

  /// Of the nearest so many all conditions are looked at: nobody walks past two thousand restaurants.
  static let nearestMax = 2_000

  /// - Parameter listed: a guide's own lists of codes, which may hold some that none of these restaurants has.
  package init(
    _ restaurants: [Restaurant], revision: Int64, zones: ZoneDirectory, listed: [GuideList: [CodedName]] = [:]
  ) {
    self.revision = revision
    self.restaurants = restaurants.sorted { $0.id < $1.id }
    active = self.restaurants.indices.filter { [all = self.restaurants] in all[$0].isActive }.map { Int32($0) }
    let open = active.map { [all = self.restaurants] in all[Int($0)] }
    globe = GlobeIndex(open.map { (latitude: $0.position.latitude, longitude: $0.position.longitude) })
    texts = TextIndex(open.map(\.searchedTexts))
    var known: [ZoneName: TimeZoneRules] = [:]
    for zone in Set(open.map(\.zone)) { known[zone] = try? zones.rules(for: zone) }
    self.zones = known
    codes = DiningCodes(of: open, listed: listed)
  }

  package subscript(id: RestaurantID) -> Restaurant? {
    var (low, high) = (0, restaurants.count)
    while low < high {
      let middle = (low + high) / 2
      if restaurants[middle].id >= id { high = middle } else { low = middle + 1 }
    }
    return low < restaurants.count && restaurants[low].id == id ? restaurants[low] : nil
  }

  // MARK: Questions

  /// A restaurant that may be an answer. `metres` is 0 where nobody asked from where.
  struct Candidate {
    let restaurant: Restaurant
    let metres: Double
    /// How well it fits the keyword.
    var rank = 0
  }

  /// Those that fit, in no particular order but the nearest first, where an origin is given.
  ///
  /// - Parameter named: those that a guide named for the same conditions.
  func matching(
    _ filter: RestaurantFilter, around origin: Coordinate?, metresMax: Double, named: Set<RestaurantID> = []
  ) -> [Candidate] {
    let test = FilterTest(filter, of: self, named: named)
    var ranks: [Int: Int]?
    if let keyword = filter.keyword {
      let hits = texts.search(keyword, limit: active.count)
      ranks = Dictionary(hits.enumerated().map { ($1.document, $0) }) { first, _ in first }
    }
    func candidate(_ place: Int, _ metres: Double) -> Candidate? {
      let restaurant = restaurants[Int(active[place])]
      guard test.fits(restaurant) else { return nil }
      guard let ranks else { return Candidate(restaurant: restaurant, metres: metres) }
      // What a guide finds by a keyword need not have it in what it tells.
      let rank = ranks[place] ?? (named.contains(restaurant.id) ? active.count : nil)
      return rank.map { Candidate(restaurant: restaurant, metres: metres, rank: $0) }
    }
    guard let origin else { return active.indices.compactMap { candidate($0, 0) } }
    return globe.nearest(
      Self.nearestMax, latitude: origin.latitude, longitude: origin.longitude, metresMax: metresMax
    ).compactMap { candidate($0.point, $0.metres) }
  }

  /// Whether it is open then; nil if it does not say.
  func isOpen(_ restaurant: Restaurant, at instant: WallTime) -> Bool? {
    switch restaurant.hours.state(
      at: instant, in: zones[restaurant.zone] ?? .utc, holidays: PublicHolidays(of: restaurant.country))
    {
    case .open: true
    case .closed: false
    case .unknown: nil
    }
  }

  /// When it is open around an instant: what began on the day before, on the day itself, and what follows without a
  /// break. Who is open from midnight to midnight every day does not close at midnight.
  func intervals(of restaurant: Restaurant, around instant: WallTime) -> [OpenInterval] {
    let (zone, holidays) = (zones[restaurant.zone] ?? .utc, PublicHolidays(of: restaurant.country))
    let date = zone.local(at: instant).date
    var joined: [OpenInterval] = []
    for next in [date - 1, date, date + 1].flatMap({ restaurant.hours.intervals(on: $0, in: zone, holidays) }) {
      // After a last order nothing is served, and who names no end is believed for some hours from the beginning.
      guard var last = joined.last, last.lastOrder == nil, last.closes == next.opens, next.closes != nil else {
        joined.append(next)
        continue
      }
      (last.closes, last.lastOrder) = (next.closes, next.lastOrder)
      last.isInferred = last.isInferred || next.isInferred
      joined[joined.count - 1] = last
    }
    return joined
  }
}

nonisolated extension Restaurant {
  /// What a keyword is looked for in.
  fileprivate var searchedTexts: [String] {
    let texts = [
      name, nameEnglish, nameKana, genre?.name, subGenre?.name, station, areas?.small?.name, areas?.middle?.name,
      address, tagline, genreCatch,
    ]
    // Guides write dots where there is nothing to say.
    return texts.compactMap(\.self).filter { !$0.isEmpty }
  }
}
