package import Contracts
package import JSON

/// The first screen: cinemas near a point with as much of their programme as was asked for.
nonisolated package struct NearbyPage: JSONWritable {
  private(set) var list: ListPage<CinemaPage>

  /// - Parameter coverage: the distance that was asked for, if any.
  package init(
    _ near: [NearbyCinema], coverage: Int?, calendars: [CinemaCalendar]? = nil, programmes: [DayProgramme]? = nil,
    wanted: Set<NearbyCoordinator.Part> = [], view: Viewpoint? = nil
  ) {
    var pages = near.map { CinemaPage($0.cinema, metres: $0.metres) }
    if let view, !wanted.isEmpty {
      let days = Dictionary(calendars?.map { ($0.cinema, $0) } ?? []) { first, _ in first }
      let films = Dictionary(programmes?.map { ($0.cinema, $0) } ?? []) { first, _ in first }
      for index in pages.indices {
        let cinema = pages[index].cinema
        pages[index].add(days[cinema.id], films[cinema.id], view)
      }
    }
    var missing: [String] = []
    if wanted.contains(.days), calendars == nil { missing.append("days") }
    if wanted.contains(.showtimes), programmes == nil { missing.append("showtimes") }
    list = ListPage(
      pages, hint: Self.hint(near.isEmpty, coverage), missing: missing, isDemo: pages.contains { $0.isDemo })
  }

  /// The cinemas alone.
  static func plain(_ near: [KeptNeighbour], coverage: Int?) -> NearestPage {
    NearestPage(near: near, hint: hint(near.isEmpty, coverage))
  }

  /// Tells of each film whether the user wants to see it.
  mutating func mark(_ saved: Set<FilmID>) {
    for index in list.items.indices { list.items[index].programme?.mark(saved) }
  }

  private static func hint(_ isEmpty: Bool, _ coverage: Int?) -> String? {
    guard isEmpty else { return nil }
    return coverage.map { "no cinema within \($0) m; ask without max_m for the nearest" } ?? "no cinema is known yet"
  }

  package func write(to json: inout JSONWriter) { list.write(to: &json) }
}

nonisolated extension CinemaPage {
  /// Adds what plays there.
  mutating func add(_ calendar: CinemaCalendar?, _ programme: DayProgramme?, _ view: Viewpoint) {
    let zone = view.rules(cinema.zone)
    days = calendar?.days.map(DayItem.init)
    self.programme = programme.map { ProgrammeItem($0, in: cinema.zone, view) }
    if calendar != nil || programme != nil {
      freshness = FreshnessItem(programme?.source ?? calendar?.source, in: zone)
    }
  }
}
