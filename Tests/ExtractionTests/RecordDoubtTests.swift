import Calendars
import Clocks
import Extraction
import Testing

/// Fields of data that say something else than a title, a start, a room, whatever they are called.
@Suite("Doubts about fields of data")
struct RecordDoubtTests {
  private func read(_ json: String, url: String? = nil) throws -> Extraction {
    try reading(json, zone: "Europe/Berlin", at: "2026-01-31T12:00:00Z", url: url, type: "application/json")
  }

  private func showing(_ fields: String, title: String = "Silt") -> String {
    #"{"title":"\#(title)","start":"2026-02-05T20:00:00+01:00"\#(fields.isEmpty ? "" : "," + fields)}"#
  }

  @Test(
    "what a showing of a film calls besides is not what is shown",
    arguments: [
      #""facilityName":"Osher House""#, #""guestName":"Ana Berg""#, #""versionName":"Dolby""#,
      #""features":["vf","3d"]"#,
    ])
  func names(field: String) throws {
    let found = try read(
      #"{"films":[{"title":"Silt","performances":[{"start":"2026-02-05T20:00:00+01:00",\#(field)}]}]}"#)
    #expect(found.lines == ["2026-02-05T20:00:00+01:00 Silt"])
  }

  @Test("a showing that is called by its number is its film's")
  func numbered() throws {
    let found = try read(
      #"{"screenings":[\#(showing(#""film":{"title":"Marram"}"#, title: "Vorstellung 11"))]}"#)
    #expect(found.lines == ["2026-02-05T20:00:00+01:00 Marram"])
  }

  @Test(
    "what is not to be shown is told as that, and not as a screening",
    arguments: [
      #""status":{"code":"cancelled"}"#, #""status":"draft""#, #""isDraft":true"#, #""deleted":true"#,
      #""isHidden":true"#,
      #""published":false"#, #""scheduleTbd":true"#, #""dateTBD":true"#, #""private":true"#, #""isPrivateHire":true"#,
    ])
  func withheld(field: String) throws {
    let found = try read(#"{"screenings":[\#(showing(field, title: "Marram")),\#(showing(""))]}"#)
    #expect(found.lines == ["2026-02-05T20:00:00+01:00 Silt"])
    #expect(found.unread.contains { $0.what.hasPrefix("Marram") })
    let shown = try read(
      #"{"screenings":[\#(showing(#""published":true,"isDraft":false,"private":false,"status":{"code":"ok"}"#))]}"#)
    #expect(shown.lines == ["2026-02-05T20:00:00+01:00 Silt"])
  }

  @Test(
    "another time than the start is none",
    arguments: [
      #""revision_timestamp":"2026-01-12T09:11:00+00:00","field_date":{"value":"2026-02-05T20:00:00+01:00"}"#,
      #""cutOffDateTimeEpoch":"1770318900","showDateTime":"202602052000""#,
      #""time":"20:00","timeMs":1770318000000"#,
    ])
  func otherTimes(fields: String) throws {
    let found = try read(
      #"{"films":[{"title":"Silt","showtimes":[{\#(fields)}]}]}"#, url: "https://moss.example/day/2026-02-04")
    #expect(found.lines == ["2026-02-05T20:00:00+01:00 Silt"])
  }

  @Test("a day alone takes no timed row of its list along, and the next timing not the others")
  func lists() throws {
    let days = try read(#"{"screenings":[{"title":"Marram","start":"2026-02-09"},\#(showing(""))]}"#)
    #expect(days.lines == ["2026-02-05T20:00:00+01:00 Silt"])
    let timing = { (day: String) in #"{"begin":"2026-02-\#(day)T20:00:00+01:00"}"# }
    let next = try read(
      #"{"events":[{"title":{"fr":"Silt"},"timings":[\#(timing("05")),\#(timing("07"))],"nextTiming":\#(timing("05"))}]}"#
    )
    #expect(next.lines == ["2026-02-05T20:00:00+01:00 Silt", "2026-02-07T20:00:00+01:00 Silt"])
    let closed = try read(
      #"{"screenings":[{"title":"Geschlossen","start":"2026-02-09","end":"2026-02-09","url":"/x"}]}"#)
    #expect(closed.lines == [])
  }

  @Test(
    "clocks are read where they stand: as a name, alone beside others, as a sheet writes them",
    arguments: [
      #"{"title":"Silt","days":[{"date":"2026-02-05","showtimes":[{"name":"20:00","id":1}]}]}"#,
      #"{"films":[{"title":"Silt","showTimes":{"2026-02-05":{"E":"20:00"}}}]}"#,
      #"{"table":{"cols":[{"label":"Datum"},{"label":"Uhrzeit"},{"label":"Film"}],"rows":[{"c":[{"v":"Date(2026,1,5)"},"#
        + #"{"v":"Date(1899,11,30,20,0,0)","f":"20:00"},{"v":"Silt"}]}]}}"#,
    ])
  func clocks(json: String) throws {
    #expect(try read(json).lines == ["2026-02-05T20:00:00+01:00 Silt"])
  }

  @Test("the first and the last of several are told where the others are not")
  func instances() throws {
    let event = #""firstInstanceDateTime":"2026-02-05T20:00:00","lastInstanceDateTime":"2026-02-08T11:00:00""#
    let ends = try read(#"[{"name":"Silt","duration":101,"instanceDates":"5 February-8 February",\#(event)}]"#)
    #expect(ends.lines == ["2026-02-05T20:00:00+01:00 Silt", "2026-02-08T11:00:00+01:00 Silt"])
    let all = try read(
      #"[{"name":"Silt","duration":101,\#(event),"instances":[{"start":"2026-02-06T20:00:00"},{"start":"2026-02-07T20:00:00"}]}]"#
    )
    #expect(all.lines == ["2026-02-06T20:00:00+01:00 Silt", "2026-02-07T20:00:00+01:00 Silt"])
  }

  @Test(
    "where it is shown has its name, also in a part of the record, and no code in its place; buying online is no screening online"
  )
  func places() throws {
    for (fields, screen) in [
      (#""hall_id":5,"hall_name":"Salle 5""#, "Salle 5"), (#""SCREEN_CD":"001","SCREEN_NM":"1관""#, "1관"),
      (#""screenNumber":"7""#, "7"), (#""TheatreAuditorium":"sali 6""#, "sali 6"), (#""screenId":3"#, "3"),
    ] {
      #expect(try read(#"{"screenings":[\#(showing(fields))]}"#).screenings.first?.screen == screen, "\(fields)")
    }
    let more = try read(
      #"{"screenings":[\#(showing(#""extendedProps":{"location":"Lichtburg"},"onlineSale":true"#))]}"#)
    #expect(more.screenings.first?.venue == "Lichtburg" && more.screenings.first?.attributes == [])
    let site = try read(#"{"films":[{"title":"Silt","shows":[\#(showing(""))]}],"Site":"moss"}"#)
    #expect(site.screenings.first?.venue == nil)
    let link = try read(#"{"screenings":[\#(showing(#""link":"https://moss.example/?a=1&amp;b=2""#))]}"#)
    #expect(link.screenings.first?.url == "https://moss.example/?a=1&b=2")
  }

  @Test("the film of a title that ends with its own start is what stands before it")
  func startInTitle() throws {
    for tail in [" (Thursday Feb. 5th @8pm)", " - Thu, Feb 5 at 8PM", " | Feb 5"] {
      let found = try read(#"{"screenings":[\#(showing("", title: "Silt" + tail))]}"#)
      #expect(found.screenings.map(\.filmTitle) == ["Silt"], "\(tail)")
      #expect(found.screenings.map(\.title) == ["Silt" + tail], "as it is printed")
    }
    let other = try read(#"{"screenings":[\#(showing("", title: "Silt (Friday Feb. 6th @8pm)"))]}"#)
    #expect(other.screenings.map(\.filmTitle) == ["Silt (Friday Feb. 6th @8pm)"])
  }

  @Test("how often something is repeated is no start of its own")
  func recurrence() throws {
    let found = try read(
      #"{"events":[{"name":"Silt","event_date":"2026-02-05T00:00:00.000Z","start_time":"20:00","#
        + #""recurrence":{"type":"Every","start_date":"2026-02-05T00:00:00.000Z","end_date":null}}]}"#)
    #expect(found.lines == ["2026-02-05T20:00:00+01:00 Silt"])
  }

  @Test("a clock that is marked as UTC is believed where a day's programme comes of it, and else the digits are")
  func falseUTC() throws {
    func programme(
      _ clocks: [String], seconds: Bool = false, zone: String = "America/Los_Angeles"
    ) throws -> Extraction {
      let starts = try clocks.map { clock in
        let text = "2026-02-05T\(clock):00Z"
        return seconds ? "\(try #require(Timestamp(text)).instant.milliseconds / 1_000)" : "\"\(text)\""
      }
      return try reading(
        #"{"films":[{"title":"Silt","screenings":[\#(starts.map { #"{"startTime":\#($0)}"# }.joined(separator: ","))]}]}"#,
        zone: zone, at: "2026-01-31T12:00:00Z", type: "application/json")
    }
    let marked = ["2026-02-05T13:00:00-08:00 Silt", "2026-02-05T16:15:00-08:00 Silt", "2026-02-05T19:30:00-08:00 Silt"]
    for seconds in [false, true] {
      let found = try programme(["13:00", "16:15", "19:30"], seconds: seconds)
      #expect(found.lines == marked)
      #expect(found.screenings.allSatisfy { $0.confidence < 0.9 }, "it is inferred")
    }
    let seoul = try programme(["10:30", "14:00", "18:00", "20:30"], zone: "Asia/Seoul")
    #expect(
      seoul.screenings.map { String($0.start.description.dropFirst(11).prefix(5)) } == [
        "10:30", "14:00", "18:00", "20:30",
      ])
    // An evening with a show behind midnight.
    let evening = try programme(["09:30", "11:00", "13:00", "16:40"], zone: "Asia/Seoul")
    #expect(
      evening.screenings.map { String($0.start.description.dropFirst(11).prefix(5)) } == [
        "18:30", "20:00", "22:00", "01:40",
      ])
    // Two starts say too little, and what an evening of theirs comes to is meant so.
    #expect(try programme(["13:00", "19:30"]).lines[0] == "2026-02-05T05:00:00-08:00 Silt")
    #expect(
      try programme(["18:00", "21:00", "23:30"]).lines == [
        "2026-02-05T10:00:00-08:00 Silt", "2026-02-05T13:00:00-08:00 Silt", "2026-02-05T15:30:00-08:00 Silt",
      ])
  }
}
