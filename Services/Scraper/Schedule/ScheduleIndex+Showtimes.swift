package import Clocks
package import Contracts

/// Flat lists of showings, a page at a time.
nonisolated extension ScheduleIndex {
  package struct Page: Sendable {
    package var showtimes: [Showtime] = []
    package var next: String?
  }

  package func find(_ request: FindShowtimes, now: WallTime) throws(CursorError) -> Page {
    let filter = ShowtimeFilter(request, now: now, films: films)
    let after = try request.after.map { text throws(CursorError) in try ShowtimeCursor(text, of: request) }
    let byCinema = request.order == .cinemas
    var found: [ShowtimeCursor.Key] = []
    var places: [Showtime] = []
    for (rank, cinema) in (request.cinemas ?? cinemas.keys.sorted()).enumerated() {
      guard let schedule = cinemas[cinema] else { continue }
      for day in schedule.days.values where filter.mayHold(day) {
        for showtime in day.showtimes where filter.admits(showtime) {
          let key = ShowtimeCursor.Key(
            rank: byCinema ? rank : 0, startsAt: showtime.startsAt, id: showtime.id, place: places.count)
          if let after, key <= after.key { continue }
          found.append(key)
          places.append(showtime)
        }
      }
    }
    found.sort()
    var page = Page(showtimes: found.prefix(request.limit).map { places[$0.place] })
    if found.count > request.limit, let last = page.showtimes.indices.last {
      page.next = ShowtimeCursor(key: found[last]).text(of: request)
    }
    return page
  }
}

/// Which showings are wanted.
nonisolated struct ShowtimeFilter {
  private let request: FindShowtimes
  private let from: WallTime?
  private let films: Set<FilmID>?
  private let attributes: Set<String>

  init(_ request: FindShowtimes, now: WallTime, films: FilmIndex) {
    self.request = request
    from = request.from ?? (request.date == nil ? now : nil)
    self.films = request.films.map { Set($0.map(films.current)) }
    attributes = Set(request.attributes ?? [])
  }

  /// Whether the day needs a look: its showings stand by start.
  func mayHold(_ day: ScheduleDay) -> Bool {
    if let date = request.date, day.date != date { return false }
    if let from, let last = day.showtimes.last, last.startsAt < from { return false }
    if let to = request.to, let first = day.showtimes.first, first.startsAt >= to { return false }
    return true
  }

  func admits(_ showtime: Showtime) -> Bool {
    if showtime.state != .scheduled, request.includesCancelled != true { return false }
    if let from, showtime.startsAt < from { return false }
    if let to = request.to, showtime.startsAt >= to { return false }
    if let films { guard let film = showtime.film, films.contains(film) else { return false } }
    // One whose end nobody knows cannot be promised to be over.
    if let latest = request.endsBefore { guard let end = showtime.endsAt, end <= latest else { return false } }
    if let least = request.startAfter, showtime.displayTime < least { return false }
    if let most = request.startBefore, showtime.displayTime >= most { return false }
    if request.hidesSoldOut == true, showtime.seats?.state == .soldOut { return false }
    guard attributes.isEmpty || attributes.isSubset(of: showtime.attributes) else { return false }
    return request.choices?.allSatisfy { $0.admits(showtime.attributes) } ?? true
  }
}
