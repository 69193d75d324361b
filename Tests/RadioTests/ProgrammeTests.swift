import Calendars
import Clocks
import Contracts
import EventLoops
import Fetch
import Radio
import TestKit
import Testing

/// Programmes of stations, as calendars that others write.
@Suite("Programmes of stations")
@MainActor
struct ProgrammeTests {
  /// 2026-11-22 12:30 UTC.
  nonisolated private static let now = Timestamp("2026-11-22T12:30:00Z")!.instant

  private func feed(_ events: String...) -> [UInt8] {
    Array("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(events.joined())END:VCALENDAR\r\n".utf8)
  }

  private func event(_ title: String, _ start: String, _ end: String? = nil, more: String = "") -> String {
    let end = end.map { "DTEND\($0)\r\n" } ?? ""
    return "BEGIN:VEVENT\r\nUID:\(title)@x\r\nDTSTART\(start)\r\n\(end)\(more)SUMMARY:\(title)\r\nEND:VEVENT\r\n"
  }

  private func current(_ feed: [UInt8]) -> ProgrammeGuide.Broadcast? {
    ProgrammeGuide.broadcasts(in: feed, around: Self.now, zones: ZoneDirectory())
      .flatMap { ProgrammeGuide.current(in: $0, at: Self.now) }
  }

  @Test("what is on is what began last and is not over: also of a series, and in the station's own zone")
  func now() {
    let day = event("Day", ":20261122T060000Z", ":20261122T180000Z")
    let noon = event("Noon", ":20261122T120000Z", ":20261122T130000Z")
    #expect(current(feed(day, noon))?.title == "Noon")
    #expect(current(feed(day, event("Early", ":20261122T120000Z", ":20261122T122000Z")))?.title == "Day")
    // Every evening since January at nine in Seoul, which is noon in UTC.
    let series = event(
      "Nine", ";TZID=Asia/Seoul:20260101T210000", ";TZID=Asia/Seoul:20260101T220000", more: "RRULE:FREQ=DAILY\r\n")
    let found = current(feed(series))
    #expect(found?.title == "Nine" && found?.endsAt == Timestamp("2026-11-22T13:00:00Z")!.instant)
  }

  @Test("one without an end lasts until the next; whole days and what was cancelled are not on")
  func ends() {
    let open = event("Open", ":20261122T120000Z")
    let next = event("Next", ":20261122T124500Z", ":20261122T133000Z")
    #expect(current(feed(open, next))?.endsAt == Timestamp("2026-11-22T12:45:00Z")!.instant)
    #expect(current(feed(open)) == nil)
    #expect(current(feed(event("Feast", ";VALUE=DATE:20261122", ";VALUE=DATE:20261123"))) == nil)
    let off = event("Off", ":20261122T120000Z", ":20261122T130000Z", more: "STATUS:CANCELLED\r\n")
    #expect(current(feed(off)) == nil)
    #expect(ProgrammeGuide.broadcasts(in: Array("<html>".utf8), around: Self.now, zones: ZoneDirectory()) == nil)
  }

  @Test("a programme is asked for once an hour however many ask, and believed while its server is away")
  func keeping() async throws {
    let time = ManualTime()
    let host = try StationHost()
    var fetched = 0
    let long = feed(event("Long", utc(time.wall, 0), utc(time.wall, 20)))
    host.on("/p.ics", String(decoding: long, as: UTF8.self), type: "text/calendar")
    let guide = ProgrammeGuide(time: time) { request throws(FetchError) in
      fetched += 1
      return try await host.fetcher.fetch(request)
    }
    let record = StationRecord(
      station: Station(id: StationID("a")!, name: "A", section: "film"), address: "\(host.base)/a.mp3",
      schedule: "\(host.base)/p.ics")
    async let one = guide.broadcast(of: record)
    async let two = guide.broadcast(of: record)
    let both = [await one?.title, await two?.title]
    #expect(both == ["Long", "Long"] && fetched == 1)
    time.advance(by: .seconds(3_000))
    #expect(await guide.broadcast(of: record)?.title == "Long")
    #expect(fetched == 1)
    host.on("/p.ics", "gone", status: "503 Away")
    time.advance(by: .seconds(700))
    #expect(await guide.broadcast(of: record)?.title == "Long")
    #expect(fetched == 2)
    // It is tried again after five minutes, and what is on ends by the clock.
    time.advance(by: .seconds(20 * 3_600))
    #expect(await guide.broadcast(of: record) == nil)
    #expect(fetched == 3)
    #expect(await guide.broadcast(of: StationRecord(station: record.station, address: record.address)) == nil)
    host.close()
  }

  /// `:20261122T120000Z`, some hours from an instant.
  private func utc(_ time: WallTime, _ hours: Int64) -> String {
    let at = WallTime(milliseconds: time.milliseconds + hours * 3_600_000)
    let text = "\(Timestamp(at))".prefix { $0 != "." && $0 != "Z" && $0 != "+" }
    return ":" + text.filter { $0 != "-" && $0 != ":" } + "Z"
  }
}
