import Calendars
import Clocks
import Contracts
import Scraper
import Testing

@Suite("Publication")
@MainActor
struct PublicationTests {
  private typealias Row = SyntheticPlatform.Row

  @Test("a new day is added whole, and the same day again is no news")
  func addedThenSame() async throws {
    let test = try await TestStore()
    let rows: [Row] = [
      .init(title: "괴물", start: "19:30"), .init(title: "밤", start: "24:30", code: "000124", sequence: "2"),
    ]
    let first = try await test.publish("2026-11-22T12:00:00+09:00", [("2026-11-22", rows)])
    #expect(first.verdict == .published)
    #expect(first.added == 2)
    #expect(first.events.compactMap(\.change).map(\.added.count) == [2])
    let second = try await test.publish("2026-11-22T13:00:00+09:00", [("2026-11-22", rows)])
    #expect(second.verdict == .same)
    #expect(second.events.isEmpty)
    #expect(second.days.map(\.asOf) == [Timestamp("2026-11-22T13:00:00+09:00")!.instant])
  }

  @Test("a film is listed once at a cinema, with its first day")
  func listed() async throws {
    let test = try await TestStore()
    func listed(_ time: String, _ days: [(String, [Row])]) async throws -> [String] {
      try await test.publish(time, days).events.compactMap(\.change).flatMap { change in
        change.listed.map { _ in change.date.description }
      }
    }
    let (film, other) = (
      Row(title: "괴물", start: "19:30"), Row(title: "밤", start: "21:00", code: "000124", sequence: "2")
    )
    let first = try await listed("2026-11-22T12:00:00+09:00", [("2026-11-23", [film]), ("2026-11-24", [film])])
    #expect(first == ["2026-11-23"])
    let next = try await listed(
      "2026-11-22T13:00:00+09:00", [("2026-11-24", [film, other]), ("2026-11-25", [film])])
    #expect(next == ["2026-11-24"])
  }

  @Test("a showing that the source moves keeps its id, within its day and to another")
  func moved() async throws {
    let test = try await TestStore()
    let other = Row(title: "밤", start: "21:00", code: "000124", sequence: "2")
    let before = try await test.publish(
      "2026-11-22T12:00:00+09:00", [("2026-11-22", [.init(title: "괴물", start: "19:30"), other])])
    let after = try await test.publish(
      "2026-11-22T13:00:00+09:00", [("2026-11-22", [.init(title: "괴물", start: "20:00"), other])])
    #expect(after.changed == 1)
    #expect(Set(after.days[0].showtimes.map(\.id)) == Set(before.days[0].showtimes.map(\.id)))
    let change = try #require(after.events.first?.change?.changed.first)
    #expect(change.kind == .moved)
    #expect(change.before == "2026-11-22 19:30")
    #expect(change.after == "2026-11-22 20:00")
  }

  @Test("what vanishes is cancelled, told as removed and as cancelled, and gone after two days")
  func cancelled() async throws {
    let test = try await TestStore()
    let stays = Row(title: "밤", start: "21:00", code: "000124", sequence: "2")
    _ = try await test.publish(
      "2026-11-22T12:00:00+09:00", [("2026-11-24", [.init(title: "괴물", start: "19:30"), stays])])
    let gone = try await test.publish("2026-11-22T13:00:00+09:00", [("2026-11-24", [stays])])
    let change = try #require(gone.events.compactMap(\.change).first)
    #expect(change.removed.count == 1)
    #expect(change.changed.map(\.kind) == [.cancelled])
    #expect(gone.days[0].showtimes.count { $0.state == .cancelled } == 1)
    let later = try await test.publish("2026-11-24T12:00:00+09:00", [("2026-11-24", [stays])])
    #expect(later.days[0].showtimes.count { $0.state == .cancelled } == 1)
    let afterwards = try await test.publish("2026-11-24T13:00:01+09:00", [("2026-11-24", [stays])])
    #expect(afterwards.days[0].showtimes.count { $0.state == .cancelled } == 0)
  }

  @Test("no row where rows were expected deletes nothing: the source is broken and the old programme stays")
  func zeroRows() async throws {
    let test = try await TestStore()
    _ = try await test.publish("2026-11-22T12:00:00+09:00", [("2026-11-22", [.init(title: "괴물", start: "19:30")])])
    for hour in [13, 16, 17] {
      let empty = try await test.publish("2026-11-22T\(hour):00:00+09:00", [("2026-11-22", [])])
      #expect(empty.verdict == .broken)
      #expect(empty.status.state == .broken)
      #expect(empty.problem?.contains("expected ≥1 showing") == true)
      #expect(empty.status.asOf == Timestamp("2026-11-22T12:00:00+09:00")!.instant)
      #expect(empty.days.isEmpty)
    }
    let stored = try await test.store.schedule(of: [test.site.id], from: CivilDate("2026-11-01")!)
    #expect(stored.showtimes[test.site.id]?.map(\.state) == [.scheduled])
  }

  @Test("a day whose showings are all gone is believed at the second look, two hours later")
  func secondLook() async throws {
    let test = try await TestStore()
    let row = Row(title: "괴물", start: "19:30")
    let full: [(String, [Row])] = [("2026-11-22", [row]), ("2026-11-23", [row])]
    let half: [(String, [Row])] = [("2026-11-22", [row]), ("2026-11-23", [])]
    _ = try await test.publish("2026-11-22T12:00:00+09:00", full)
    let first = try await test.publish("2026-11-22T13:00:00+09:00", half)
    #expect(first.verdict == .partial)
    #expect(first.problem?.contains("2026-11-23 had 1 showings and now none") == true)
    #expect(first.removed == 0)
    let soon = try await test.publish("2026-11-22T14:59:00+09:00", half)
    #expect(soon.removed == 0)
    let second = try await test.publish("2026-11-22T15:00:00+09:00", half)
    #expect(second.removed == 1)
    #expect(second.problem == nil)
  }

  @Test("a day that comes back in between starts the wait anew")
  func comesBack() async throws {
    let test = try await TestStore()
    let row = Row(title: "괴물", start: "19:30")
    let full: [(String, [Row])] = [("2026-11-22", [row]), ("2026-11-23", [row])]
    let half: [(String, [Row])] = [("2026-11-22", [row]), ("2026-11-23", [])]
    _ = try await test.publish("2026-11-22T12:00:00+09:00", full)
    _ = try await test.publish("2026-11-22T13:00:00+09:00", half)
    _ = try await test.publish("2026-11-22T14:00:00+09:00", full)
    #expect(try await test.publish("2026-11-22T15:30:00+09:00", half).removed == 0)
  }

  @Test("a fall by more than was expected is refused, until an operator approves")
  func drop() async throws {
    let test = try await TestStore()
    let many = (1...10).map { Row(title: "괴물", start: "\(10 + $0):00", sequence: "\($0)") }
    _ = try await test.publish("2026-11-22T08:00:00+09:00", [("2026-11-22", many)])
    let few = try await test.publish("2026-11-22T09:00:00+09:00", [("2026-11-22", Array(many.prefix(3)))])
    #expect(few.verdict == .broken)
    #expect(few.problem?.contains("of 10 showings to come only 3 are left") == true)
    _ = try await test.store.judge(
      test.site.id, isApproved: true, isQuarantined: false, dueAt: WallTime(milliseconds: 0))
    let approved = try await test.publish("2026-11-22T09:30:00+09:00", [("2026-11-22", Array(many.prefix(3)))])
    #expect(approved.removed == 7)
    #expect(approved.status.isApproved == false)
  }

  /// Days of four showings, two films on one screen, from the 22nd on.
  private func learnt(days count: Int = 14) async throws -> TestStore {
    let test = try await TestStore(SyntheticPlatform.site(windowDays: 14))
    let days: [(String, [Row])] = (0..<count).map { offset in
      (
        (CivilDate("2026-11-22")! + offset).description,
        ["11:00", "14:00", "17:00", "20:00"].enumerated().map {
          Row(title: $0 % 2 == 0 ? "괴물" : "밤", start: $1, code: "00\($0 % 2)", sequence: "\(offset)\($0)")
        }
      )
    }
    _ = try await test.publish("2026-11-22T08:00:00+09:00", days)
    return test
  }

  @Test("a day with far more showings than such a day ever had is no programme change")
  func crowded() async throws {
    let test = try await learnt()
    let many = (0..<48).map { Row(title: "괴물", start: "\(10 + $0 / 4):\($0 % 4 * 15 + 10)", sequence: "9\($0)") }
    let outcome = try await test.publish("2026-11-30T09:00:00+09:00", [("2026-12-05", many)])
    #expect(outcome.verdict == .broken)
    #expect(outcome.problem == "2026-12-05 has 48 showings; such a day has had 4 at most lately")
  }

  @Test("one title that nobody knows over everything is a label, not a film")
  func label() async throws {
    let test = try await learnt()
    let days: [(String, [Row])] = (8..<14).map { offset in
      (
        (CivilDate("2026-11-22")! + offset).description,
        ["11:00", "14:00", "17:00", "20:00"].enumerated().map {
          Row(title: "예매하기", start: $1, code: "009", sequence: "\(offset)\($0)")
        }
      )
    }
    let outcome = try await test.publish("2026-11-30T09:00:00+09:00", days)
    #expect(outcome.verdict == .broken)
    #expect(outcome.problem?.contains("24 of 24 showings are called “예매하기”") == true)
    let stored = try await test.store.schedule(of: [test.site.id], from: CivilDate("2026-11-01")!)
    #expect(stored.showtimes[test.site.id]?.count { $0.title == "예매하기" } == 0)
  }

  @Test("days that were published and now show only unknown titles wait for somebody to look")
  func strangers() async throws {
    let test = try await learnt()
    let days: [(String, [Row])] = (8..<14).map { offset in
      (
        (CivilDate("2026-11-22")! + offset).description,
        ["11:00", "14:00", "17:00", "20:00"].enumerated().map {
          Row(title: "상영 \(offset)\($0)", start: $1, code: "1\(offset)\($0)", sequence: "\(offset)\($0)")
        }
      )
    }
    let outcome = try await test.publish("2026-11-30T09:00:00+09:00", days)
    #expect(outcome.verdict == .broken)
    #expect(outcome.problem?.contains("only 0 have a title that was published lately") == true)
    _ = try await test.store.judge(
      test.site.id, isApproved: true, isQuarantined: false, dueAt: WallTime(milliseconds: 0))
    #expect(try await test.publish("2026-11-30T09:30:00+09:00", days).verdict == .published)
  }

  @Test("a new week with other films is no news to be held back")
  func newWeek() async throws {
    let test = try await learnt(days: 8)
    let days: [(String, [Row])] = (8..<15).map { offset in
      (
        (CivilDate("2026-11-22")! + offset).description,
        ["10:00", "12:30", "15:00", "18:00", "20:30"].enumerated().map {
          Row(title: "새 영화 \($0)", start: $1, code: "2\($0)", sequence: "\(offset)\($0)")
        }
      )
    }
    #expect(try await test.publish("2026-11-29T09:00:00+09:00", days).verdict != .broken)
  }

  @Test("a house that shows one film a week shows another one the next week")
  func oneFilm() async throws {
    let test = try await TestStore(SyntheticPlatform.site(windowDays: 14))
    for week in 0..<5 {
      let first = CivilDate("2026-11-22")! + 7 * week
      let days: [(String, [Row])] = (0..<7).map { day in
        (
          (first + day).description,
          ["14:00", "19:30"].enumerated().map {
            Row(title: "영화 \(week)", start: $1, code: "30\(week)", sequence: "\(week)\(day)\($0)")
          }
        )
      }
      let outcome = try await test.publish("\(first)T09:00:00+09:00", days)
      #expect(outcome.verdict == .published, "week \(week): \(outcome.problem ?? "")")
    }
  }

  @Test("what is sold early says nothing of how full its days will be")
  func presales() async throws {
    let test = try await TestStore(SyntheticPlatform.site(windowDays: 14))
    func days(_ count: Int) -> [(String, [Row])] {
      (0..<8).map { day in
        (
          (CivilDate("2026-11-22")! + day).description,
          (0..<count).map {
            Row(
              title: "영화 \($0)", start: "\(10 + $0 / 2):\($0 % 2 == 0 ? "00" : "30")", code: "4\(10 + $0)",
              sequence: "\(day)\(10 + $0)")
          }
        )
      }
    }
    _ = try await test.publish("2026-11-22T08:00:00+09:00", days(3))
    let full = try await test.publish("2026-11-22T09:00:00+09:00", days(24))
    #expect(full.verdict == .published, "\(full.problem ?? "")")
  }

  @Test("a site that is held back publishes nothing")
  func quarantine() async throws {
    let test = try await TestStore()
    _ = try await test.store.judge(
      test.site.id, isApproved: false, isQuarantined: true, dueAt: WallTime(milliseconds: 0))
    let outcome = try await test.publish(
      "2026-11-22T12:00:00+09:00", [("2026-11-22", [.init(title: "A", start: "19:30")])])
    #expect(outcome.verdict == .quarantined)
    #expect(outcome.days.isEmpty)
  }

  @Test("a trial tells all and leaves nothing, as does a publication that fails at its end")
  func trial() async throws {
    let test = try await TestStore()
    let row = Row(title: "괴물", start: "19:30")
    _ = try await test.publish("2026-11-22T12:00:00+09:00", [("2026-11-22", [row])])
    let before = try await test.store.database.verifiedCounts
    let trial = try await test.publish(
      "2026-11-22T13:00:00+09:00",
      [("2026-11-22", [row, .init(title: "밤", start: "21:00", code: "9", sequence: "2")])],
      isTrial: true)
    #expect(trial.added == 1)
    #expect(try await test.store.database.verifiedCounts == before)
    let next = try await test.publish(
      "2026-11-22T14:00:00+09:00", [("2026-11-22", [row, .init(title: "밤", start: "21:00", code: "9", sequence: "2")])])
    #expect(next.events.map(\.revision) == [before["revision"]! + 1])
  }
}
