import Extraction
import Testing

@Suite("JSON-LD")
struct JSONLDTests {
  @Test("a venue named by @id in another block is found, and a broken block costs no other")
  func references() throws {
    let found = try reading(
      """
      <script type="application/ld+json">{"@type":"MovieTheater","@id":"/#house","name":"Moss &amp; Fern Cinema"}</script>
      <script type="application/ld+json">{"@type":"ScreeningEvent","name": </script>
      <script type="application/ld+json">{"@graph":[{"@type":"ScreeningEvent","name":"The Lantern","startDate":"2026-11-24T00:30",
        "location":{"@id":"/#house"},"workPresented":{"@type":"Movie","name":"The Lantern"}}]}</script>
      """)
    #expect(found.lines == ["2026-11-24T00:30:00+09:00 The Lantern"])
    #expect(found.screenings.first?.venue == "Moss & Fern Cinema")
    #expect(found.screenings.first?.kind == .screening)
    #expect(found.trace.entries.contains { $0.outcome == .refused && $0.place == "script 2" })
  }

  @Test(
    "a schedule is followed as it says, and what is not understood of it is not repeated",
    arguments: [
      (#""endDate":"2026-12-03","repeatFrequency":"P1D""#, ["24", "25", "26", "27", "28", "29", "30", "1", "2", "3"]),
      (#""endDate":"2026-11-26""#, ["24", "25", "26"]),
      (#""endDate":"2026-12-15","repeatFrequency":"P1W""#, ["24", "1", "8", "15"]),
      (
        #""endDate":"2026-12-15","repeatFrequency":"P1W","byDay":["https://schema.org/Tuesday"]"#,
        ["24", "1", "8", "15"]
      ),
      (#""endDate":"2026-12-24","repeatFrequency":"P2W","byDay":["Tuesday","Su"]"#, ["24", "29", "8", "13", "22"]),
      (#""endDate":"2026-12-24","repeatFrequency":"P2W""#, ["24", "8", "22"]),
      (#""endDate":"2027-02-24","repeatFrequency":"P1M""#, ["24"]),
      (#""endDate":"2027-02-24","repeatFrequency":"P1M","byDay":"2TU""#, ["24"]),
      (#""endDate":"2026-12-24","byMonthDay":24"#, ["24"]),
      (#""endDate":"2026-12-24","repeatFrequency":"P1W","repeatCount":2"#, ["24", "1"]),
      (#""endDate":"2026-12-24","repeatFrequency":"P1W","exceptDate":"2026-12-01""#, ["24", "8", "15", "22"]),
      (#""endDate":"soon","repeatFrequency":"P1W""#, ["24"]),
      ("", ["24"]),
      (#""byDay":"Tuesday""#, ["24", "1", "8", "15", "22", "29", "5", "12", "19", "26", "2"]),
    ])
  func schedule(fields: String, days: [String]) throws {
    let found = try reading(
      #"<script type="application/ld+json">{"@type":"ScreeningEvent","name":"Silt","eventSchedule":{"@type":"Schedule","#
        + #""startDate":"2026-11-24","startTime":"19:00"\#(fields.isEmpty ? "" : "," + fields)}}</script>"#,
      zone: "Europe/London", at: "2026-11-24T10:00:00Z")
    #expect(found.lines.compactMap { Int($0.dropFirst(8).prefix(2)).map(String.init) } == days)
  }

  @Test("a schedule that began years ago, or ends with the calendar, is told around the day of capture")
  func longSchedule() throws {
    let found = try reading(
      #"<script type="application/ld+json">{"@type":"ScreeningEvent","name":"Silt","eventSchedule":{"@type":"Schedule","#
        + #""startDate":"2019-01-01","endDate":"9999-12-31","startTime":"19:00","repeatFrequency":"P1W"}}</script>"#,
      zone: "Europe/London", at: "2026-11-24T10:00:00Z")
    #expect((53...107).contains(found.screenings.count))
  }

  @Test("the mark of UTC is false where the page prints the clock that stands before it")
  func falseUTC() throws {
    let found = try reading(
      Self.events + "<main><article><h3>Silt</h3><p>Saturday 20 June 2026, 7:00 pm</p></article><article>"
        + "<h3>Marram</h3><p>Sunday 21 June 2026, 1:00 pm</p></article></main>",
      zone: "Europe/London", at: "2026-06-12T10:00:00Z")
    #expect(found.lines == ["2026-06-20T19:00:00+01:00 Silt", "2026-06-21T13:00:00+01:00 Marram"])
    #expect(found.screenings.first?.end?.description == "2026-06-20T21:00:00+01:00")
  }

  @Test("the mark of UTC is believed where the page prints what it says, or nothing")
  func trueUTC() throws {
    let article = "<main><article><h3>Silt</h3><p>Saturday 20 June 2026, 8:00 pm</p></article></main>"
    for body in ["", article] {
      let found = try reading(Self.events + body, zone: "Europe/London", at: "2026-06-12T10:00:00Z")
      #expect(found.lines == ["2026-06-20T20:00:00+01:00 Silt", "2026-06-21T14:00:00+01:00 Marram"])
    }
  }

  private static let events =
    #"<title>Events</title><script type="application/ld+json">[{"@type":"Event","name":"Silt","startDate":"#
    + #""2026-06-20T19:00:00+00:00","endDate":"2026-06-20T21:00:00+00:00"},{"@type":"Event","name":"Marram","#
    + #""startDate":"2026-06-21T13:00:00+00:00"}]</script>"#

  @Test("of a page's own data and its table, both are taken where the table has what the data has")
  func firstOfSeveral() throws {
    let found = try reading(
      #"<title>Silt | Moss Hall</title><script type="application/ld+json">{"@type":"Event","name":"Silt","startDate":"#
        + #""2026-12-11 19:30:00"}</script><h1>Silt</h1><table><tr><th>Date</th><th>Doors</th><th>Start</th></tr>"#
        + "<tr><td>11 Dec 2026</td><td>18:30</td><td>19:30</td></tr><tr><td>12 Dec 2026</td><td>18:30</td><td>19:30</td>"
        + "</tr><tr><td>13 Dec 2026</td><td>13:30</td><td>14:30</td></tr></table>", zone: "Europe/London")
    #expect(
      found.lines == ["2026-12-11T19:30:00Z Silt", "2026-12-12T19:30:00Z Silt", "2026-12-13T14:30:00Z Silt"],
      "\(found.lines)")
  }

  @Test("showings that only tickets name are told, and what else tickets are called is no start")
  func offers() throws {
    func event(_ name: String, _ offers: [String]) -> String {
      let told = offers.map { #"{"@type":"Offer","name":"\#($0)","url":"/t"}"# }.joined(separator: ",")
      return #"{"@type":"ScreeningEvent","name":"\#(name)","startDate":"2026-11-21T19:30:00","offers":[\#(told)]}"#
    }
    let found = try reading(
      #"<script type="application/ld+json">["# + event("Silt", ["Sat 21 Nov, 19:30", "Sun 22 Nov, 17:00"]) + ","
        + event("Peat", ["Standard £9", "Early bird until 20 Nov 12:00"]) + ","
        + event("Knots", ["Mon 14 Dec, 19:30", "Tue 15 Dec, 17:00"]) + "]</script>", zone: "Europe/London",
      at: "2026-11-20T09:00:00Z")
    #expect(
      found.lines == [
        "2026-11-21T19:30:00Z Knots", "2026-11-21T19:30:00Z Peat", "2026-11-21T19:30:00Z Silt",
        "2026-11-22T17:00:00Z Silt",
      ])
  }
}
