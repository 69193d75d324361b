import Calendars
import Clocks
import Demo
import TestKit
import Testing

extension OneAfterAnother {
  @Suite("Demo programme")
  @MainActor
  struct ProgrammeTests {
    private let time = ManualTime(wall: ProgrammeTests.wall("2026-12-29T12:00:00Z"))

    private static func wall(_ text: String) -> WallTime { Timestamp(text)!.instant }

    @Test("another machine makes the same programme, another seed another one")
    func determinism() throws {
      let (one, two) = (try DemoWorld(time: time), try DemoWorld(time: time))
      let other = try DemoWorld(time: time, seed: 2)
      for cinema in one.cinemas { #expect(one.days(of: cinema) == two.days(of: cinema)) }
      #expect(one.cinemas.contains { one.days(of: $0) != other.days(of: $0) })
    }

    @Test("a date's programme is the same on the day before and on the day itself")
    func stability() throws {
      let world = try DemoWorld(time: time)
      let emu = try #require(world.cinema("emu"))
      let tomorrow = world.today(at: emu) + 1
      let before = world.day(tomorrow, at: emu)
      time.advance(by: .seconds(24 * 3_600))
      #expect(world.today(at: emu) == tomorrow)
      #expect(before != nil && world.day(tomorrow, at: emu) == before)
    }

    @Test("fourteen days begin with each cinema's own today, over New Year too")
    func window() throws {
      let world = try DemoWorld(time: time)
      // Noon in London is nine in the evening in Seoul, on the same date; at 16:00 it is past one, still the same day.
      for (instant, seoul, london) in [
        ("2026-12-31T12:00:00Z", "2026-12-31", "2026-12-31"), ("2026-12-31T19:59:00Z", "2026-12-31", "2026-12-31"),
        ("2026-12-31T20:00:00Z", "2027-01-01", "2026-12-31"), ("2027-01-01T05:00:00Z", "2027-01-01", "2027-01-01"),
      ] {
        time.wall = Self.wall(instant)
        for (id, date) in [("cinecube", seoul), ("barbican", london)] {
          let cinema = try #require(world.cinema(id))
          let first = try #require(CivilDate(date))
          #expect(world.today(at: cinema) == first, "\(id) at \(instant)")
          #expect(world.days(of: cinema).map(\.date) == (0..<14).map { first + $0 })
          #expect(world.day(first - 1, at: cinema) == nil && world.day(first + 14, at: cinema) == nil)
        }
      }
    }

    @Test("a week of every kind of show is there, whatever the date", arguments: [0, 1, 2, 3, 4, 5, 6, 40, 180, 400])
    func variety(daysLater: Int) throws {
      time.wall.milliseconds += Int64(daysLater) * 86_400_000
      let world = try DemoWorld(time: time)
      func shows(_ id: String, days count: Int = 7) throws -> [Show] {
        world.days(of: try #require(world.cinema(id))).prefix(count).flatMap(\.shows)
      }
      #expect(try shows("emu", days: 1).contains { $0.start == DisplayTime("24:30") })
      #expect(try shows("rio").contains { $0.start == DisplayTime("24:30") })
      #expect(try shows("cinecube", days: 1).contains(where: \.isSoldOut))
      #expect(try shows("cinecube", days: 1).contains { (1...5).contains($0.seatsLeft) })
      #expect(try shows("cinecube", days: 3).contains { $0.marks.contains(.talk) && $0.start.hour >= 17 })
      let momo = try #require(world.cinema("momo"))
      #expect(world.days(of: momo).prefix(7).contains { $0.isClosed && $0.date.weekday == .monday })
      let all = try world.cinemas.flatMap { try shows($0.id) }
      for mark in Show.Mark.allCases { #expect(all.contains { $0.marks.contains(mark) }, "\(mark)") }
      let laika = try #require(world.cinema("laika"))
      #expect(try shows("laika", days: 14).contains { $0.title(at: laika).contains($0.film.japanese ?? "none") })
    }

    @Test("on any day some films are on for the last time and some are announced", arguments: 0..<27)
    func comingAndGoing(daysLater: Int) throws {
      time.wall.milliseconds += Int64(daysLater) * 86_400_000
      let world = try DemoWorld(time: time)
      var dates: [String: ClosedRange<CivilDate>] = [:]
      for day in world.cinemas.flatMap(world.days) {
        for film in day.shows.map(\.film.code) {
          let known = dates[film] ?? day.date...day.date
          dates[film] = min(known.lowerBound, day.date)...max(known.upperBound, day.date)
        }
      }
      let today = world.today(at: try #require(world.cinema("emu")))
      #expect(dates.values.count { $0.upperBound < today + 3 } >= 3, "\(dates)")
      #expect(dates.values.count { $0.lowerBound > today + 3 } >= 3, "\(dates)")
    }

    @Test("a screen shows one film at a time, and nothing begins after the late show")
    func screens() throws {
      let world = try DemoWorld(time: time)
      for cinema in world.cinemas {
        for day in world.days(of: cinema) {
          #expect(day.shows.map(\.number) == Array(1...max(1, day.shows.count)).prefix(day.shows.count).map(\.self))
          let titles = day.shows.map { "\($0.start) \($0.film.code)" }
          #expect(Set(titles).count == titles.count, "\(cinema.id) \(day.date) shows a film twice at a time")
          for (screen, shows) in Dictionary(grouping: day.shows, by: \.screen) {
            for (one, next) in zip(shows, shows.dropFirst()) {
              #expect(
                one.start.minutes + one.film.minutes + 10 <= next.start.minutes,
                "\(cinema.id) \(day.date) screen \(screen + 1): \(one.start), \(next.start)")
            }
          }
          #expect(day.shows.allSatisfy { $0.start.minutes <= 24 * 60 + 30 && $0.seatsLeft <= $0.seats })
          #expect(!day.isClosed || day.shows.isEmpty)
        }
      }
    }

    @Test("every cinema publishes what its habits say, and the rest publish something every open day")
    func habits() throws {
      let world = try DemoWorld(time: time)
      #expect(world.cinemas.count == 53)
      for cinema in world.cinemas {
        let days = world.days(of: cinema)
        switch cinema.habits.publishes {
        case .nothing: #expect(days.isEmpty)
        case .closed: #expect(days.count == 14 && days.allSatisfy(\.isClosed))
        case .firstWeek:
          #expect(days.prefix(7).allSatisfy { $0.isClosed || !$0.shows.isEmpty })
          #expect(days.dropFirst(7).allSatisfy { !$0.isClosed && $0.shows.isEmpty } && days.count == 14)
        case .everything:
          #expect(days.count == 14 && days.allSatisfy { $0.isClosed || !$0.shows.isEmpty }, "\(cinema.id)")
          #expect(days.contains { !$0.isClosed })
        }
      }
      let silent = world.cinemas.filter { $0.habits.publishes == .nothing }.map(\.id)
      #expect(silent == ["indieplus-cheonan", "orfeo-hannam", "cine-real"])
    }

    // MARK: Changes

    @Test("a change is made to the first coming show, and to no other")
    func changes() throws {
      let world = try DemoWorld(time: time)
      let cinecube = try #require(world.cinema("cinecube"))
      // Nine in the evening: most of the day is over.
      let before = world.days(of: cinecube)
      let now = ServiceDay.standard.time(of: time.wall, in: cinecube.zone)
      for kind in ScheduleChange.Kind.allCases {
        let change = try world.change(kind, at: "cinecube")
        let day = try #require(world.day(change.date, at: cinecube))
        let show = try #require(day.shows.first { $0.number == change.show })
        #expect(ServiceTime(change.date, change.was ?? change.start) > now)
        switch kind {
        case .cancel: #expect(show.state == .cancelled)
        case .sellOut: #expect(show.isSoldOut && show.state != .cancelled)
        case .move:
          let was = try #require(change.was)
          #expect(show.state == .moved(from: was) && show.start.minutes == was.minutes + 30)
        case .add:
          #expect(show.start == change.start && day.shows.count > 0)
          #expect(before.allSatisfy { old in old.date != change.date || old.shows.count + 1 == day.shows.count })
        }
      }
      let barbican = try #require(world.cinema("barbican"))
      #expect(try DemoWorld(time: time).days(of: barbican) == world.days(of: barbican))
      world.behave("cinecube")
      #expect(world.days(of: cinecube) == before)
    }

    @Test("a change on a date is made on that date")
    func changeOnDate() throws {
      let world = try DemoWorld(time: time)
      let emu = try #require(world.cinema("emu"))
      let date = world.today(at: emu) + 5
      #expect(try world.change(.cancel, at: "emu", on: date).date == date)
      #expect(world.day(date, at: emu)?.shows.count { $0.state == .cancelled } == 1)
    }

    @Test("what cannot be changed says why")
    func refusals() throws {
      let world = try DemoWorld(time: time)
      #expect(throws: ChangeError(description: "there is no cinema atlantis; odi-demo list shows them")) {
        try world.change(.cancel, at: "atlantis")
      }
      #expect(throws: ChangeError.self) { try world.change(.move, at: "heyri") }
      #expect(throws: ChangeError.self) { try world.change(.add, at: "cine-real") }
      let emu = try #require(world.cinema("emu"))
      #expect(throws: ChangeError.self) { try world.change(.cancel, at: "emu", on: world.today(at: emu) - 1) }
      for _ in 0..<500 { try world.change(.move, at: "emu", on: world.today(at: emu) + 1) }
      #expect(throws: ChangeError.self) { try world.change(.cancel, at: "emu") }
    }
  }
}
