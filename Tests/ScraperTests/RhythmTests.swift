import Calendars
import Clocks
import Contracts
import JSON
import Scraper
import Testing

@Suite("Rhythm of visits")
struct RhythmTests {
  private static let retry: Duration = .seconds(300)
  private let seoul = SyntheticPlatform.seoul

  private func at(_ text: String) -> WallTime { Timestamp(text)!.instant }

  /// A site that was read well, the whole of it at `whole`.
  private func well(whole: String) -> SiteStatus {
    var status = SiteStatus(dueAt: at(whole))
    status.state = .ok
    status.wholeAt = at(whole)
    return status
  }

  private func failing(_ failures: Int) -> SiteStatus {
    var status = well(whole: "2026-11-22T06:00:00+09:00")
    status.state = .stale
    status.failures = failures
    return status
  }

  /// When it is due, for a thousand throws of the dice.
  private func dues(
    after now: String, _ status: SiteStatus, _ rhythm: VisitRhythm = VisitRhythm(), zone: TimeZoneRules? = nil
  ) -> [WallTime] {
    (0..<1_000).map { seed in
      var random = SeededRandom(seed: UInt64(seed))
      return rhythm.next(after: at(now), status, zone: zone ?? seoul, retry: Self.retry, using: &random)
    }
  }

  private func expect(
    _ dues: [WallTime], from first: String, to last: String, _ location: SourceLocation = #_sourceLocation
  ) {
    let (first, last) = (at(first), at(last))
    #expect(dues.allSatisfy { first <= $0 && $0 <= last }, sourceLocation: location)
    // They are spread over all of it, so that sites which were read together drift apart.
    let (low, high) = (dues.min()!, dues.max()!)
    #expect(low.since(first) < last.since(first) * 0.05 + .milliseconds(1), sourceLocation: location)
    #expect(last.since(high) < last.since(first) * 0.05 + .milliseconds(1), sourceLocation: location)
  }

  @Test("today's page comes after an hour, a tenth earlier or later")
  func today() {
    let status = well(whole: "2026-11-22T12:00:00+09:00")
    expect(
      dues(after: "2026-11-22T12:00:00+09:00", status), from: "2026-11-22T12:54:00+09:00",
      to: "2026-11-22T13:06:00+09:00")
  }

  @Test("the whole window comes after six hours, and on Thursdays and Fridays after three")
  func changeDays() {
    var rhythm = VisitRhythm()
    rhythm.todayEvery = .seconds(7 * 86_400)
    for (day, from, to) in [
      (19, "11:42", "12:18"), (20, "11:42", "12:18"), (18, "14:24", "15:36"), (21, "14:24", "15:36"),
    ] {
      let now = "2026-11-\(day)T09:00:00+09:00"
      expect(
        dues(after: now, well(whole: now), rhythm), from: "2026-11-\(day)T\(from):00+09:00",
        to: "2026-11-\(day)T\(to):00+09:00")
    }
    // Half past midnight still is Thursday's service day.
    #expect(
      rhythm.scope(
        at: at("2026-11-20T00:30:00+09:00"), well(whole: "2026-11-19T21:45:00+09:00"), zone: seoul) == .window)
    #expect(
      rhythm.scope(
        at: at("2026-11-19T00:30:00+09:00"), well(whole: "2026-11-18T21:45:00+09:00"), zone: seoul) == .today)
  }

  @Test("at night no visit falls: not today's, not the whole window's, not a second try")
  func night() {
    let (first, last) = ("2026-11-23T08:00:00+09:00", "2026-11-23T08:30:00+09:00")
    for now in ["2026-11-22T21:50:00+09:00", "2026-11-23T02:00:00+09:00"] {
      expect(dues(after: now, well(whole: now)), from: first, to: last)
      for failures in [4, 5] {
        expect(dues(after: now, failing(failures)), from: first, to: last)
      }
    }
    // The whole window is long due.
    expect(
      dues(after: "2026-11-23T02:00:00+09:00", well(whole: "2026-11-22T08:30:00+09:00")), from: first, to: last)
    // Who asks at nine in the evening still comes at ten minutes past nine, as it is open then.
    #expect(dues(after: "2026-11-22T21:00:00+09:00", failing(1)).allSatisfy { $0 < at("2026-11-22T21:06:00+09:00") })
  }

  @Test("failures are tried again after five minutes, doubling up to the site's rhythm")
  func backoff() {
    let now = at("2026-11-23T10:00:00+09:00")
    for (failures, minutes) in [(1, 5.0), (2, 10), (3, 20), (6, 160), (7, 320), (8, 360), (200, 360)] {
      let pauses = dues(after: "2026-11-23T10:00:00+09:00", failing(failures)).map { $0.since(now) }
      let due = Duration.seconds(minutes * 60)
      #expect(pauses.allSatisfy { due * 0.9 <= $0 && $0 <= due * 1.1 }, "\(failures)")
    }
  }

  @Test("the morning is the clock's on the wall, also when the clocks change in the night")
  func clockChange() throws {
    let london = try ZoneDirectory().rules(for: ZoneName("Europe/London")!)
    for (evening, first, last) in [
      ("2026-03-28T21:55:00+00:00", "2026-03-29T08:00:00+01:00", "2026-03-29T08:30:00+01:00"),
      ("2026-10-24T21:55:00+01:00", "2026-10-25T08:00:00+00:00", "2026-10-25T08:30:00+00:00"),
    ] {
      expect(dues(after: evening, well(whole: evening), zone: london), from: first, to: last)
    }
  }

  @Test("a site file says the hours, and all of them means no night")
  func hours() throws {
    func site(_ hours: String) throws -> Site {
      try Site(
        parsing: [
          "site": "emu", "cinema": "emu", "zone": "Asia/Seoul", "adapter": "structured",
          "start": ["https://emu.example/"], "schedule": ["hours": .string(hours)],
        ])
    }
    let awake = try site("0-24").rhythm
    let now = "2026-11-23T02:00:00+09:00"
    expect(
      dues(after: now, well(whole: now), awake), from: "2026-11-23T02:54:00+09:00", to: "2026-11-23T03:06:00+09:00")
    #expect(try site("10-23").rhythm.wakingHours == 10..<23)
    for wrong in ["22-6", "8", "8-25", "-1-4", "8-8", "eight-ten", "8-22-23"] {
      #expect(throws: JSONIssues.self) { try site(wrong) }
    }
  }
}
