import Calendars
import Clocks
import Contracts
import Scraper
import Testing

@Suite("Films")
@MainActor
struct FilmTests {
  private typealias Row = SyntheticPlatform.Row

  @Test("one film is one film however its title is printed")
  func titles() async throws {
    let test = try await TestStore()
    let outcome = try await test.publish(
      "2026-11-22T12:00:00+09:00",
      [
        (
          "2026-11-22",
          [
            .init(title: "괴물", start: "10:00", sequence: "1"), .init(title: "괴물 (GV)", start: "12:00", sequence: "2"),
          ]
        )
      ])
    let films = Set(outcome.days[0].showtimes.compactMap(\.film))
    #expect(films.count == 1)
    #expect(outcome.films.map(\.title) == ["괴물"])
  }

  @Test("two codes whose pages tell the same title and year are one film, and both ids lead to it for ever")
  func merged() async throws {
    let test = try await TestStore()
    let rows: [Row] = [
      .init(title: "괴물", start: "10:00", code: "000123", sequence: "1"),
      .init(title: "괴물", start: "12:00", code: "000999", sequence: "2"),
    ]
    let first = try await test.publish("2026-11-22T12:00:00+09:00", [("2026-11-23", rows)])
    let ids = first.days[0].showtimes.compactMap(\.film)
    #expect(Set(ids).count == 2)
    let facts = ["12세이상관람가", "2023.11.29", "드라마", "126분"]
    let second = try await test.publish(
      "2026-11-22T13:00:00+09:00", [("2026-11-23", rows)],
      films: [
        SyntheticPlatform.film("000123", title: "괴물", facts: facts),
        SyntheticPlatform.film("000999", title: "괴물", facts: facts),
      ])
    let kept = Set(second.days[0].showtimes.compactMap(\.film))
    #expect(kept.count == 1)
    #expect(second.merged.count == 1)
    let stored = try await test.store.schedule(of: [test.site.id], from: CivilDate("2026-11-22")!)
    let index = FilmIndex(stored.films, aliases: stored.aliases)
    for id in ids { #expect(index[id]?.id == kept.first) }
    #expect(index[kept.first!]?.runtimeMinutes == 126)
    // The next programme with the lost code means the film that stayed.
    let third = try await test.publish("2026-11-22T14:00:00+09:00", [("2026-11-23", rows)])
    #expect(Set(third.days[0].showtimes.compactMap(\.film)) == kept)
  }

  @Test("a film that has just come is found by the first who asks for it")
  func justCome() async throws {
    func film(_ id: String, _ title: String) throws -> Film { Film(id: try #require(FilmID(id)), title: title) }
    let search = FilmSearch()
    var films = [try film("film_ran", "Ran")]
    #expect(await search.find("Ran", limit: 10, among: { films }).map(\.film) == films)
    films.append(try film("film_kwaidan", "Kwaidan"))
    search.filmsChanged()
    #expect(await search.find("Kwaidan", limit: 10, among: { films }).map(\.film.title) == ["Kwaidan"])
    #expect(await search.find("Ugetsu", limit: 10, among: { films }).isEmpty)
  }

  @Test("films of one name and different years stay two")
  func years() async throws {
    let test = try await TestStore()
    let rows: [Row] = [
      .init(title: "괴물", start: "10:00", code: "000123", sequence: "1"),
      .init(title: "괴물", start: "12:00", code: "000124", sequence: "2"),
    ]
    let outcome = try await test.publish(
      "2026-11-22T12:00:00+09:00", [("2026-11-23", rows)],
      films: [
        SyntheticPlatform.film("000123", title: "괴물", facts: ["", "2023.11.29", "", "126분"]),
        SyntheticPlatform.film("000124", title: "괴물", facts: ["", "2006.07.27", "", "119분"]),
      ])
    #expect(Set(outcome.days[0].showtimes.compactMap(\.film)).count == 2)
    #expect(outcome.merged.isEmpty)
  }

  @Test("a film that was known by its name alone is of the year that is told next, and another year's is another film")
  func yearLearnt() async throws {
    let test = try await TestStore()
    var films: [FilmID] = []
    for (hour, year) in [nil, 1922, 2024, 1922].enumerated() {
      let visit = SyntheticPlatform.visit("2026-11-22T1\(hour):00:00+09:00", site: test.site)
      let start = Timestamp("2026-11-23T20:00:00+09:00")!.instant
      var listing = Listing(
        title: "Nosferatu", filmTitle: "Nosferatu", startsAt: start,
        serviceTime: ServiceDay.standard.time(of: start, in: visit.zone))
      listing.filmYear = year
      var reading = SourceReading()
      reading.days[listing.serviceTime.date] = DayListing(.open, [listing])
      let outcome = try await test.publish(reading, of: visit)
      films.append(try #require(outcome.days[0].showtimes.first?.film))
    }
    #expect(films[1] == films[0] && films[2] != films[0] && films[3] == films[0], "\(films)")
  }

  @Test("two names of one film become one film when a listing tells both, whatever is known of its year")
  func names() async throws {
    let test = try await TestStore()
    typealias Told = (title: String, others: [String], year: Int?)
    func films(of told: [Told], _ hour: Int) async throws -> [FilmID] {
      var found: [FilmID] = []
      for (index, told) in told.enumerated() {
        let visit = SyntheticPlatform.visit("2026-11-22T\(hour):0\(index):00+09:00", site: test.site)
        let start = Timestamp("2026-11-23T20:00:00+09:00")!.instant
        var listing = Listing(
          title: told.title, filmTitle: told.title, startsAt: start,
          serviceTime: ServiceDay.standard.time(of: start, in: visit.zone))
        listing.filmYear = told.year
        listing.otherTitles = told.others
        var reading = SourceReading()
        reading.days[listing.serviceTime.date] = DayListing(.open, [listing])
        let outcome = try await test.publish(reading, of: visit)
        // The one before is told as cancelled.
        found.append(try #require(outcome.days[0].showtimes.first { $0.title == told.title }?.film))
      }
      return found
    }
    // Known apart, then told together with the year: one.
    let two = try await films(of: [("Gwoemul", [], nil), ("The Host", [], 2006)], 10)
    #expect(two[0] != two[1])
    let one = try await films(of: [("Gwoemul", ["The Host"], 2006), ("Gwoemul", [], nil), ("The Host", [], nil)], 11)
    #expect(Set(one).count == 1)
    // Another year's film of that name is none of it.
    let other = try await films(of: [("Monster", ["Kaibutsu"], 2023), ("Thing", ["Monster"], 1982)], 12)
    #expect(other[0] != other[1])
  }

  @Test("a title that an operator taught is the film from then on, and for what is published")
  func taught() async throws {
    let test = try await TestStore()
    let rows: [Row] = [
      .init(title: "괴물", start: "10:00", code: "000123", sequence: "1"),
      .init(title: "고레에다 특별전 1", start: "12:00", code: "000777", sequence: "2"),
    ]
    let first = try await test.publish("2026-11-22T12:00:00+09:00", [("2026-11-23", rows)])
    let monster = try #require(first.days[0].showtimes[0].film)
    let lesson = try await test.store.teach(
      "고레에다 특별전 1", means: monster, at: Timestamp("2026-11-22T12:30:00+09:00")!.instant)
    #expect(lesson?.showtimes.map(\.showtime.film) == [monster])
    #expect(lesson?.events.count == 1)
    let second = try await test.publish("2026-11-22T13:00:00+09:00", [("2026-11-23", rows)])
    #expect(Set(second.days[0].showtimes.compactMap(\.film)) == [monster])
    #expect(second.verdict == .same)
  }
}
