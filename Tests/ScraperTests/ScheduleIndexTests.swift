import Calendars
import Clocks
import Contracts
import Scraper
import Testing

@Suite("Schedule index")
@MainActor
struct ScheduleIndexTests {
  private let noon = Timestamp("2026-11-22T12:00:00+09:00")!.instant

  private func index(_ cinemas: [String], shows: Int = 7) -> ScheduleIndex {
    var index = ScheduleIndex()
    for (rank, name) in cinemas.enumerated() {
      let cinema = CinemaID(name)!
      index.open(cinema, zone: SyntheticPlatform.seoul)
      let date = CivilDate("2026-11-22")!
      let showtimes = (0..<shows).map { number in
        Showtime(
          id: ShowtimeID("show_\(name)_\(number)")!, cinema: cinema, film: nil, title: "T",
          startsAt: noon.adding(.seconds(3_600 * number + rank * 60)), serviceDate: date,
          displayTime: DisplayTime(hour: 12 + number, minute: 0)!, attributes: number % 2 == 0 ? ["subtitled"] : [],
          state: .scheduled, firstSeen: noon, lastSeen: noon, revision: 1)
      }
      index.publish(
        PublishedDay(
          site: name, cinema: cinema, date: date, status: .open, revision: Int64(rank + 1), asOf: noon,
          showtimes: showtimes))
    }
    return index
  }

  @Test("pages of any size hold every showing once, in order, in both orders", arguments: [1, 2, 3, 7, 100])
  func pages(size: Int) throws {
    let index = index(["a", "b", "c"])
    for order in [ShowtimeOrder.startsAt, .cinemas] {
      var request = FindShowtimes(cinemas: ["c", "a", "b"].map { CinemaID($0)! }, order: order, limit: size)
      var found: [Showtime] = []
      repeat {
        let page = try index.find(request, now: noon)
        #expect(page.showtimes.count <= size)
        found += page.showtimes
        request.after = page.next
      } while request.after != nil
      #expect(Set(found.map(\.id)).count == 21)
      #expect(found.count == 21)
      if order == .startsAt { #expect(found == found.sorted(by: Showtime.precedes)) }
      if order == .cinemas { #expect(found.map(\.cinema.text).first == "c" && found.last?.cinema.text == "b") }
    }
  }

  @Test("what changed of films is told once, in pages of any size, and no more than that", arguments: [1, 2, 100])
  func changedFilms(size: Int) throws {
    func film(_ number: Int, _ minutes: Int? = nil) -> Film {
      Film(id: FilmID("film_\(number)")!, title: "T\(number)", runtimeMinutes: minutes)
    }
    var index = FilmIndex((1...3).map { (film($0), noon) }, aliases: [FilmID("film_0")!: FilmID("film_1")!])
    var step = 0
    func news() -> [String] {
      var all: [String] = []
      while true {
        let page = index.changed(after: step, limit: size)
        #expect(page.films.count <= size)
        all += page.films.map { "\($0.asked) \($0.film.id) \($0.film.runtimeMinutes ?? 0)" }
        guard page.step != step else { return all }
        step = page.step
      }
    }
    #expect(news() == ["film_1 film_1 0", "film_2 film_2 0", "film_3 film_3 0", "film_0 film_1 0"])
    #expect(news() == [])
    for minutes in 1...200 { index.learn([film(2, minutes), film(3)], merged: [:], now: noon) }
    #expect(news() == ["film_2 film_2 200"])
    index.learn([film(4)], merged: [FilmID("film_1")!: FilmID("film_4")!], now: noon)
    #expect(news() == ["film_4 film_4 0", "film_1 film_4 0", "film_0 film_4 0"])
    // A page ends too when it has so many bytes, never before its first film.
    let short = index.changed(after: 0, limit: 100, bytes: 1)
    #expect(short.films.count == 1 && short.step < index.step)
  }

  @Test("a cursor is of no use for another question, nor if it was touched")
  func cursors() throws {
    let index = index(["a"])
    var request = FindShowtimes(cinemas: [CinemaID("a")!], limit: 2)
    let cursor = try #require(try index.find(request, now: noon).next)
    request.after = cursor
    request.limit = 5
    #expect(try index.find(request, now: noon).showtimes.count == 5)
    request.hidesSoldOut = true
    #expect(throws: CursorError.self) { try index.find(request, now: noon) }
    request.hidesSoldOut = nil
    for wrong in ["", "x", String(cursor.dropLast(20)), cursor + "AA", "AAAA" + cursor] {
      request.after = wrong
      #expect(throws: CursorError.self) { try index.find(request, now: noon) }
    }
  }

  @Test("every filter holds by itself")
  func filters() throws {
    let index = index(["a"])
    func count(_ change: (inout FindShowtimes) -> Void) throws -> Int {
      var request = FindShowtimes(limit: 100)
      change(&request)
      return try index.find(request, now: noon).showtimes.count
    }
    #expect(try count { _ in } == 7)
    #expect(try count { $0.from = noon.adding(.seconds(3_600)) } == 6)
    #expect(try count { $0.to = noon.adding(.seconds(3_600)) } == 1)
    #expect(try count { $0.startAfter = DisplayTime("14:00") } == 5)
    #expect(try count { $0.startBefore = DisplayTime("14:00") } == 2)
    #expect(try count { $0.attributes = ["subtitled"] } == 4)
    #expect(try count { $0.date = CivilDate("2026-11-23") } == 0)
    #expect(try count { $0.films = [FilmID("film_x")!] } == 0)
    // Nobody knows when they end.
    #expect(try count { $0.endsBefore = noon.adding(.seconds(86_400)) } == 0)
  }

  @Test("a day is swapped whole, and what moved to another is found there")
  func swap() throws {
    var index = index(["a"])
    var moved = try #require(index.showtime(ShowtimeID("show_a_0")!))
    let next = CivilDate("2026-11-23")!
    moved.serviceDate = next
    index.publish(
      PublishedDay(
        site: "a", cinema: CinemaID("a")!, date: next, status: .open, revision: 9, asOf: noon, showtimes: [moved]))
    index.publish(
      PublishedDay(
        site: "a", cinema: CinemaID("a")!, date: CivilDate("2026-11-22")!, status: .closed, revision: 10, asOf: noon,
        showtimes: []))
    #expect(index.showtime(moved.id)?.serviceDate == next)
    #expect(index.showtime(ShowtimeID("show_a_1")!) == nil)
    #expect(index.revision == 10)
  }
}
