import Calendars
import Clocks
import Contracts
import Scraper
import Testing

@Suite("Schedule differences")
struct ScheduleDiffTests {
  private let now = WallTime(milliseconds: 1_795_000_000_000)

  private func showtime(_ id: Int, hour: Int, screen: String? = "1", seats: Seats? = nil) -> Showtime {
    let date = CivilDate("2026-11-22")!
    return Showtime(
      id: ShowtimeID("show_\(id)")!, cinema: CinemaID("emu")!, film: FilmID("film_\(id % 3)")!, title: "Film \(id % 3)",
      startsAt: now.adding(.seconds(3_600 * hour)), serviceDate: date,
      displayTime: DisplayTime(hour: 5 + hour % 24, minute: 0)!,
      screen: screen, seats: seats, attributes: [], state: .scheduled, firstSeen: now, lastSeen: now, revision: 0)
  }

  @Test("what a change log says, applied to the old day, gives the new one, whatever the days hold")
  func applied() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<400 {
      func day() -> [Showtime] {
        (0..<12).compactMap { id -> Showtime? in
          guard Bool.random(using: &random) else { return nil }
          let seats = Bool.random(using: &random) ? Seats(state: .soldOut) : nil
          return showtime(
            id, hour: Int.random(in: -4..<10, using: &random), screen: "\(Int.random(in: 1...2, using: &random))",
            seats: seats)
        }.sorted(by: Showtime.precedes)
      }
      let (old, new) = (day(), day())
      let diff = ScheduleDiff(old: old, new: new, now: now)
      // Who follows the log keeps ids; what an id is now it reads anew.
      var ids = Set(old.map(\.id)).subtracting(diff.removed).union(diff.added)
      // Past ones that the source no longer lists stay.
      let past = Set(old.filter { $0.startsAt <= now }.map(\.id))
      ids.subtract(past)
      #expect(ids == Set(new.map(\.id)).subtracting(past))
      let wanted = Dictionary(uniqueKeysWithValues: new.map { ($0.id, $0) })
      let told = Set(diff.changed.map(\.id)).union(diff.added)
      for showtime in old where wanted[showtime.id] != nil && !told.contains(showtime.id) {
        #expect(diff.showtimes.first { $0.id == showtime.id }?.startsAt == wanted[showtime.id]?.startsAt)
        #expect(showtime.startsAt == wanted[showtime.id]?.startsAt, "an untold change")
        #expect(showtime.seats?.state == wanted[showtime.id]?.seats?.state)
      }
      for showtime in diff.showtimes where showtime.state == .scheduled && !past.contains(showtime.id) {
        #expect(showtime.startsAt == wanted[showtime.id]?.startsAt)
      }
      #expect(diff.showtimes == diff.showtimes.sorted(by: Showtime.precedes))
      #expect(ScheduleDiff(old: diff.showtimes.filter { $0.state == .scheduled }, new: new, now: now).removed.isEmpty)
    }
  }

  @Test("a day that is read again without a change is no news")
  func same() {
    let day = [showtime(1, hour: 2), showtime(2, hour: 3)]
    #expect(ScheduleDiff(old: day, new: day, now: now).isEmpty)
  }

  @Test("seats that are counted down are no news; the last one that goes is")
  func seats() {
    let old = showtime(1, hour: 2, seats: Seats(state: .available, left: 50, total: 100))
    let fewer = showtime(1, hour: 2, seats: Seats(state: .available, left: 49, total: 100))
    let gone = showtime(1, hour: 2, seats: Seats(state: .soldOut, left: 0, total: 100))
    let counted = ScheduleDiff(old: [old], new: [fewer], now: now)
    #expect(counted.isEmpty)
    #expect(counted.isTouched)
    #expect(counted.showtimes[0].seats?.left == 49)
    #expect(ScheduleDiff(old: [old], new: [gone], now: now).changed.map(\.kind) == [.soldOut])
    #expect(ScheduleDiff(old: [gone], new: [old], now: now).changed.map(\.kind) == [.available])
  }

  @Test("what vanishes before its start is cancelled, what has begun stays, what was misread never was")
  func vanished() {
    let (past, coming) = (showtime(1, hour: -1), showtime(2, hour: 2))
    let read = ScheduleDiff(old: [past, coming], new: [], now: now)
    #expect(read.showtimes.map(\.state) == [.scheduled, .cancelled])
    #expect(read.removed == [coming.id])
    #expect(read.changed.map(\.kind) == [.cancelled])
    let corrected = ScheduleDiff(old: [past, coming], new: [], now: now, reason: .corrected)
    #expect(corrected.showtimes.map(\.id) == [past.id])
    #expect(corrected.removed == [coming.id])
  }

  @Test("a showing that comes back is told")
  func back() {
    var cancelled = showtime(1, hour: 2)
    cancelled.state = .cancelled
    let diff = ScheduleDiff(old: [cancelled], new: [showtime(1, hour: 2)], now: now)
    #expect(diff.changed.map(\.after) == ["scheduled"])
    #expect(diff.showtimes[0].state == .scheduled)
  }

  @Test("each kind of change is told by its name, and counted")
  func kinds() {
    let old = showtime(1, hour: 2, screen: "1")
    let diff = ScheduleDiff(old: [old], new: [showtime(1, hour: 3, screen: "2")], now: now)
    #expect(diff.changed.map(\.kind) == [.moved, .screen])
    #expect(diff.showtimes[0].changes == 1)
  }
}
