import Calendars
import Clocks
import Contracts
import Demo
import Scraper
import Testing

@Suite("Demo world", .serialized)
@MainActor
struct DemoWorldTests {
  /// One of each format.
  private static let cinemas = ["cinecube", "ica", "rio", "bertha-dochouse"]

  @Test("every format's programme is what the world shows, to the minute")
  func fills() async throws {
    let bench = try await DemoBench(Self.cinemas)
    for cinema in Self.cinemas {
      let report = try await bench.visit(cinema)
      #expect(report.record.outcome == "published", "\(cinema): \(report.record.problem ?? "")")
      let known = try #require(bench.world.cinema(cinema))
      let shown = bench.world.days(of: known).flatMap { day in
        day.shows.map { "\(day.date) \($0.start)" }
      }
      let read = bench.showtimes(cinema).map { "\($0.serviceDate) \($0.displayTime)" }
      #expect(read.sorted() == shown.sorted(), "\(cinema)")
    }
    await bench.close()
  }

  @Test("a visit of some days publishes those, and the whole window stays due", arguments: ["cinecube", "rio"])
  func span(cinema: String) async throws {
    let bench = try await DemoBench([cinema])
    let first = CivilDate("2026-11-24")!
    let report = try await bench.harvester.visitNow(
      "demo-\(cinema)", scope: .window, span: first...(first + 1), isTrial: false)
    let known = try #require(bench.world.cinema(cinema))
    let shown = bench.world.days(of: known).filter { first...(first + 1) ~= $0.date }.flatMap(\.shows).count
    #expect(report?.record.outcome == "published" && report?.record.showtimes == shown)
    #expect(Set(bench.showtimes(cinema).map(\.serviceDate)).isSubset(of: [first, first + 1]))
    let kept = try await bench.store.sites().first { $0.site.id == "demo-\(cinema)" }
    #expect(kept != nil && kept?.status.wholeAt == nil)
    await bench.close()
  }

  @Test("a visit of some days leaves the others as they are, and the past alone", arguments: ["cinecube", "rio"])
  func spanOfMany(cinema: String) async throws {
    let bench = try await DemoBench([cinema])
    _ = try await bench.visit(cinema)
    let today = CivilDate("2026-11-22")!
    let (before, days) = (bench.showtimes(cinema), bench.dates(cinema))
    #expect(days.count > 5)
    // What was missing once is held for two hours, and gone the second time.
    for _ in 0..<2 {
      let report = try await bench.harvester.visitNow(
        "demo-\(cinema)", scope: .window, span: (today - 2)...(today + 2), isTrial: false)
      #expect(report?.record.outcome == "same", "\(report?.record.problem ?? "")")
      #expect(bench.showtimes(cinema).map(\.id) == before.map(\.id))
      #expect(bench.dates(cinema) == days)
      bench.clock.wall = bench.clock.wall.adding(.seconds(3 * 3_600))
    }
    await #expect(throws: ReadingError.self, "a programme that nobody read is not said to be of now") {
      try await bench.harvester.visitNow(
        "demo-\(cinema)", scope: .window, span: (today - 3)...(today - 1), isTrial: false)
    }
    await bench.close()
  }

  @Test("a film is one film, whether its title is printed in Korean, Japanese or English", arguments: [false, true])
  func oneFilm(isReversed: Bool) async throws {
    let cinemas = ["ica", "close-up", "barbican", "rio", "laika", "cinecube"]
    let bench = try await DemoBench(cinemas)
    for cinema in isReversed ? cinemas.reversed() : cinemas { _ = try await bench.visit(cinema) }
    // What was taken for two by the first who printed it is one when it is read again.
    for cinema in cinemas { _ = try await bench.visit(cinema) }
    var found: [String: Set<FilmID>] = [:]
    var names: [String: Set<String>] = [:]
    for cinema in cinemas {
      let known = try #require(bench.world.cinema(cinema))
      let read = Dictionary(grouping: bench.showtimes(cinema)) { "\($0.serviceDate) \($0.displayTime) \($0.title)" }
      for day in bench.world.days(of: known) {
        for show in day.shows {
          for showtime in read["\(day.date) \(show.start) \(show.title(at: known))"] ?? [] {
            found[show.film.english, default: []].insert(try #require(showtime.film))
            names[show.film.english, default: []].insert(showtime.title)
          }
        }
      }
    }
    #expect(found.count > 10 && names.values.contains { $0.count > 2 }, "\(names)")
    let index = bench.schedule.index.films
    let twice = found.filter { Set($0.value.map { index[$0]?.id ?? $0 }).count > 1 }
    #expect(twice.isEmpty, "\(twice.mapValues { $0.map { index[$0]?.title } })")
    await bench.close()
  }

  @Test("pages that did not change are not sent again, and are no news")
  func conditional() async throws {
    let bench = try await DemoBench(["cinecube"])
    _ = try await bench.visit("cinecube")
    let again = try await bench.visit("cinecube")
    #expect(again.record.outcome == "same")
    #expect(Set(again.record.pages.map(\.outcome)) == [.unchanged])
    await bench.close()
  }

  @Test(
    "what happens to a show is told by its name", arguments: [Demo.ScheduleChange.Kind.cancel, .move, .sellOut, .add])
  func changes(kind: Demo.ScheduleChange.Kind) async throws {
    let bench = try await DemoBench(["cinecube"])
    _ = try await bench.visit("cinecube")
    let before = bench.schedule.index.revision
    _ = try bench.world.change(kind, at: "cinecube")
    let report = try await bench.visit("cinecube")
    #expect(bench.schedule.index.revision > before)
    let events = report.outcome?.events.compactMap(\.change) ?? []
    let kinds = events.flatMap(\.changed).map(\.kind)
    switch kind {
    case .cancel: #expect(kinds.contains(.cancelled))
    case .move: #expect(kinds.contains(.moved))
    case .sellOut: #expect(kinds.contains(.soldOut))
    case .add: #expect(events.flatMap(\.added).count == 1)
    }
    await bench.close()
  }

  @Test("a replay of the stored pages finds what the visit found")
  func replay() async throws {
    for cinema in Self.cinemas {
      let bench = try await DemoBench([cinema])
      _ = try await bench.visit(cinema)
      let live = bench.showtimes(cinema)
      let report = try await bench.harvester.replay("demo-\(cinema)", isTrial: false)
      #expect(report?.record.outcome == "same", "\(cinema): \(report?.record.problem ?? "")")
      #expect(bench.showtimes(cinema).map(\.id) == live.map(\.id))
      await bench.close()
    }
  }

  @Test("around New Year the dates are the cinema's")
  func newYear() async throws {
    let bench = try await DemoBench(Self.cinemas, at: "2026-12-31T12:00:00+00:00")
    for cinema in Self.cinemas {
      _ = try await bench.visit(cinema)
      let years = Set(bench.showtimes(cinema).map(\.serviceDate.year))
      #expect(years == [2026, 2027], "\(cinema)")
      #expect(bench.showtimes(cinema).allSatisfy { $0.serviceDate >= CivilDate("2026-12-31")! })
    }
    await bench.close()
  }

  /// What a site may do, and what is said of it then. In each case the old programme stays, with its age.
  @Test(
    "a site that misbehaves is told, its old programme stays, and nobody else is affected",
    arguments: [
      (Misbehaviour.redesign, SourceState.broken), (.empty, .broken), (.notFound, .stale), (.tooMany, .stale),
      (.failing, .stale), (.unavailable, .stale), (.truncate, .stale), (.reset, .stale), (.stall, .stale),
      (.slow, .stale), (.hang, .stale), (.garbage, .broken), (.blank, .broken), (.gzipBomb, .stale), (.huge, .stale),
      (.redirectLoop, .stale), (.redirectPrivate, .stale), (.redirectFile, .stale), (.wrongLength, .broken),
      (.drip, .stale), (.endless, .stale), (.headerFlood, .stale),
    ])
  func zoo(misbehaviour: Misbehaviour, state: SourceState) async throws {
    let bench = try await DemoBench(["cinecube", "momo"])
    _ = try await bench.visit("cinecube")
    _ = try await bench.visit("momo")
    let before = bench.showtimes("cinecube")
    let asOf = bench.source("cinecube")?.asOf
    bench.world.knobs.turn(misbehaviour, at: "cinecube")
    bench.clock.wall = bench.clock.wall.adding(.seconds(3_600))
    let report = try await bench.visit("cinecube", isHasty: [.slow, .stall, .hang, .drip].contains(misbehaviour))
    let source = try #require(bench.source("cinecube"))
    #expect(
      source.state == state || (misbehaviour == .wrongLength && source.state == .stale),
      "\(report.record.problem ?? "")")
    #expect(source.problem?.isEmpty == false)
    #expect(source.asOf == asOf)
    #expect(bench.showtimes("cinecube") == before)
    let other = try await bench.visit("momo")
    #expect(other.record.outcome == "same")
    #expect(bench.source("momo")?.state == .ok)
    bench.world.knobs.end()
    let mended = try await bench.visit("cinecube")
    #expect(mended.record.outcome == "same" || mended.record.outcome == "published", "\(mended.record.problem ?? "")")
    #expect(bench.source("cinecube")?.state == .ok)
    await bench.close()
  }

  @Test(
    "another encoding, named only by the page, is the same programme",
    arguments: [
      (Misbehaviour.eucKR, "momo"), (.shiftJIS, "ica"), (.eucJP, "ica"), (.latin1, "ica"), (.byteOrderMark, "ica"),
      (.byteOrderMark, "momo"),
    ])
  func encodings(misbehaviour: Misbehaviour, cinema: String) async throws {
    let bench = try await DemoBench([cinema])
    _ = try await bench.visit(cinema)
    let before = bench.showtimes(cinema)
    bench.world.knobs.turn(misbehaviour, at: cinema)
    let report = try await bench.visit(cinema)
    #expect(report.record.outcome == "same", "\(report.record.problem ?? "")")
    #expect(bench.showtimes(cinema).map(\.title) == before.map(\.title))
    await bench.close()
  }

  @Test("a page whose header names a wrong encoding changes no title that was published", arguments: ["ica", "momo"])
  func wrongCharset(cinema: String) async throws {
    let bench = try await DemoBench([cinema])
    _ = try await bench.visit(cinema)
    let before = bench.showtimes(cinema)
    bench.world.knobs.turn(.wrongCharset, at: cinema)
    let report = try await bench.visit(cinema)
    #expect(bench.showtimes(cinema).map(\.title) == before.map(\.title), "\(report.record)")
    await bench.close()
  }

  @Test("a robots.txt that is not there, or forbids where nobody reads on, forbids nothing")
  func openRobots() async throws {
    for misbehaviour in [Misbehaviour.robotsMissing, .robotsHuge] {
      let bench = try await DemoBench(["cinecube"])
      bench.world.knobs.turn(misbehaviour, at: "cinecube")
      #expect(try await bench.visit("cinecube").record.outcome == "published", "\(misbehaviour)")
      await bench.close()
    }
  }

  @Test(
    "what robots.txt does not allow is not fetched",
    arguments: [Misbehaviour.robotsDeny, .robotsError, .robotsRedirect])
  func robots(misbehaviour: Misbehaviour) async throws {
    let bench = try await DemoBench(["cinecube"])
    bench.world.knobs.turn(misbehaviour, at: "cinecube")
    let report = try await bench.visit("cinecube")
    #expect(report.record.outcome == "failed")
    #expect(report.record.pages.allSatisfy { $0.snapshot == nil })
    #expect(bench.source("cinecube")?.problem?.contains("robots.txt") == true)
    await bench.close()
  }

  @Test(
    "a robots.txt that forbids from now on is noticed within a minute, and the good programme is served on",
    arguments: [Misbehaviour.robotsDeny, .robotsRedirect])
  func laterRobots(misbehaviour: Misbehaviour) async throws {
    let bench = try await DemoBench(["cinecube"])
    _ = try await bench.visit("cinecube")
    let before = bench.showtimes("cinecube")
    bench.world.knobs.turn(misbehaviour, at: "cinecube")
    bench.clock.wall = bench.clock.wall.adding(.seconds(60))
    #expect(try await bench.visit("cinecube").record.outcome == "failed")
    #expect(bench.source("cinecube")?.problem?.contains("robots.txt") == true)
    #expect(bench.showtimes("cinecube") == before && !before.isEmpty)
    bench.world.knobs.end("cinecube")
    bench.clock.wall = bench.clock.wall.adding(.seconds(60))
    #expect(try await bench.visit("cinecube").record.outcome == "same")
    await bench.close()
  }
}
