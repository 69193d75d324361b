import Extraction
import Testing

/// What fields of records say by where they stand and by what stands beside them.
@Suite struct DataFieldTests {
  private static let noon = "2026-11-20T12:00:00Z"

  private func lines(_ text: String, zone: String = "Europe/London") throws -> [String] {
    try reading(text, zone: zone, at: Self.noon, type: "application/json").lines
  }

  @Test(
    "a time inside the film of a showing is the film's",
    arguments: [
      #""released":{"timestamp":1760000000}"#, #""premiere":{"date":"2026-12-13T20:00:00Z"}"#,
      #""premiere":{"start":"2026-12-13T20:00:00Z"}"#, #""updated":{"timestamp":1760000000}"#,
      #""sync":{"time":"2026-12-13T20:00:00Z"}"#, #""start":"2026-12-13T20:00:00Z""#,
    ])
  func timesOfTheFilm(_ member: String) throws {
    let text =
      #"{"shows":[{"start":"2026-11-27T17:30:00","movie":{"title":"Silt",\#(member)},"screen":"1"},"#
      + #"{"beginning":{"timestamp":1795896000},"movie":{"title":"Marram",\#(member)},"screen":"2"}]}"#
    #expect(try lines(text) == ["2026-11-27T17:30:00Z Silt", "2026-11-28T20:00:00Z Marram"])
  }

  @Test("what has a title is shown at its premiere, and a film's list of showings is told")
  func premieres() throws {
    #expect(
      try lines(#"{"premiere":{"title":"Silt","start":"2026-11-27T19:30:00","screen":"Screen 1","url":"/1"}}"#)
        == ["2026-11-27T19:30:00Z Silt"])
    #expect(
      try lines(
        #"{"film":{"title":"Silt","released":{"at":"2026-11-01T00:00:00Z"},"#
          + #""shows":[{"start":"2026-11-27T19:30:00"},{"start":"2026-11-28T19:30:00"}]}}"#)
        == ["2026-11-27T19:30:00Z Silt", "2026-11-28T19:30:00Z Silt"])
  }

  @Test(
    "showings stand in a map under what a film is called elsewhere",
    arguments: [
      #""shows":[{"slug":"silt","title":"Silt"},{"slug":"marram","title":"Marram"}]"#,
      #""films":[{"id":"silt","title":"Silt"},{"id":"marram","slug":"marram","title":"Marram"}]"#,
      #""movies":{"silt":{"title":"Silt"},"marram":{"title":"Marram"}}"#,
      #""movies":{"silt":{"title":"Silt"}},"events":{"marram":{"name":"Marram"}}"#,
    ])
  func mapsByName(_ films: String) throws {
    let plain =
      #""showtimes":{"silt":[{"start":"2026-11-27T18:15:00"}],"marram":[{"start":"2026-11-28T21:00:00"}]}"#
    let daily =
      #""showtimes":{"silt":{"2026-11-27":[{"time":"2026-11-27 18:15:00"}]},"#
      + #""marram":{"2026-11-28":[{"time":"2026-11-28 21:00:00"}]}}"#
    for showings in [plain, daily] {
      #expect(
        try lines("{\(films),\(showings)}") == ["2026-11-27T18:15:00Z Silt", "2026-11-28T21:00:00Z Marram"])
    }
  }

  @Test("a map whose names are mostly called nothing, or are houses', gives no titles")
  func mapsOfOthers() throws {
    let showings = #""times":{"north":[{"start":"2026-11-27T18:15:00"}],"south":[{"start":"2026-11-28T21:00:00"}],"#
    #expect(
      try lines(
        #"{"pages":[{"slug":"north","title":"News"}],\#(showings)"east":[{"start":"2026-11-28T21:00:00"}]}}"#) == [])
    #expect(
      try lines(
        #"{"genres":[{"id":"north","name":"Art house"},{"id":"south","name":"Kids"}],"#
          + showings.dropLast() + "}}") == [])
    #expect(
      try lines(
        #"{"cinemas":[{"id":"north","name":"Moss"},{"id":"south","name":"Fen"}],"#
          + showings.dropLast() + "}}") == [])
  }

  @Test("a day may stand behind the film's number, whose title is in a list of one")
  func dayBehindNumber() throws {
    #expect(
      try lines(
        #"{"movies":{"12":[{"name":"Silt"}],"14":[{"name":"Marram"}]},"screens":{"12-2026-11-27":"#
          + #"[{"name":"Screen 1","time":[{"start_time_hour":"18","start_time_minute":"15"}]}],"14-2026-11-28":"#
          + #"[{"name":"Screen 2","time":[{"start_time_hour":"9","start_time_minute":"50"}]}]}}"#)
        == ["2026-11-27T18:15:00Z Silt", "2026-11-28T09:50:00Z Marram"])
  }

  @Test("a list of films that is called otherwise is found by the films' codes")
  func filmsByCode() throws {
    #expect(
      try lines(
        #"{"Header":{"Items":[{"MovieCode":"21","MovieNameKR":"Silt","PlayTime":137},{"MovieCode":"22","#
          + #""MovieNameKR":"Marram"}]},"PlaySeqs":{"Items":[{"MovieCode":"22","PlayDt":"2026-11-27","#
          + #""StartTime":"18:15"},{"MovieCode":"21","PlayDt":"2026-11-28","StartTime":"21:00"}]}}"#)
        == ["2026-11-27T18:15:00Z Marram", "2026-11-28T21:00:00Z Silt"])
  }

  @Test("of a title in several languages the page's is told, then the place's, then the first")
  func languages() throws {
    func films(_ title: String, _ head: String = "") -> String {
      #"{\#(head)"films":[{"title":{\#(title)},"screenings":[{"date":"2026-11-27","time":"18:00"}]}]}"#
    }
    let both = #""_type":"localeString","en":"The Shore","no":"Stranden""#
    #expect(try lines(films(both), zone: "Europe/Oslo") == ["2026-11-27T18:00:00+01:00 Stranden"])
    #expect(
      try lines(films(both, #""locale":"en-GB","#), zone: "Europe/Oslo") == ["2026-11-27T18:00:00+01:00 The Shore"])
    let three = #""de":"Der Strand","fr":"La plage","it":"La spiaggia""#
    #expect(try lines(films(three), zone: "Europe/Paris") == ["2026-11-27T18:00:00+01:00 La plage"])
    #expect(try lines(films(three), zone: "Asia/Seoul") == ["2026-11-27T18:00:00+09:00 Der Strand"])
    let list = #"{"films":[{"title":[{"lang":"en","value":"The Shore"},{"lang":"it","value":"La spiaggia"}],"#
    #expect(
      try lines(list + #""screenings":[{"date":"2026-11-27","time":"18:00"}]}]}"#, zone: "Europe/Rome")
        == ["2026-11-27T18:00:00+01:00 La spiaggia"])
    #expect(
      try lines(films(#""en-GB":"The Shore","fr-FR":"La plage""#), zone: "Europe/Paris")
        == ["2026-11-27T18:00:00+01:00 La plage"])
  }

  @Test("after midnight, a day beside the clock is the calendar's in twelve hours as in twenty-four")
  func afterMidnight() throws {
    #expect(
      try lines(
        #"{"films":[{"title":"Silt","shows":[{"showDate":"29-11-2026","time":"12:20 AM"},"#
          + #"{"showDate":"29-11-2026","time":"01:30 PM"},{"showDate":"30-11-2026","time":"00:20"}]}]}"#)
        == ["2026-11-29T00:20:00Z Silt", "2026-11-29T13:30:00Z Silt", "2026-11-30T00:20:00Z Silt"])
    #expect(
      try lines(#"{"films":[{"title":"Silt","date":"2026-11-29","times":["9:30 PM","12:20 AM"]}]}"#)
        == ["2026-11-29T21:30:00Z Silt", "2026-11-30T00:20:00Z Silt"])
  }

  @Test("a short description that is called as the start is, is a title")
  func descriptions() throws {
    func rows(_ text: String) -> String {
      #"{"d":[{"PerformanceId":1,"PerformanceDescription":"\#(text)","PerformanceDate":"/Date(1795807800000)/","#
        + #""PerformanceEndDate":"/Date(1795815000000)/"}]}"#
    }
    #expect(try lines(rows("Silt (35mm)")) == ["2026-11-27T19:30:00Z Silt (35mm)"])
    #expect(try lines(rows("A bar opens. Nobody comes.")) == [])
  }

  @Test(
    "values with their types are plain values",
    arguments: [
      #"{"documents":[{"name":"projects/x/databases/(default)/documents/shows/a","fields":{"title":{"stringValue":"#
        + #""Silt"},"hall":{"stringValue":"Hall 1"},"startAt":{"timestampValue":"2026-11-27T19:30:00Z"},"tags":"#
        + #"{"arrayValue":{"values":[{"stringValue":"Q&A"}]}},"place":{"mapValue":{"fields":{"name":{"stringValue":"#
        + #""Moss"}}}}},"createTime":"2026-11-01T10:00:00Z","updateTime":"2026-11-02T10:00:00Z"}]}"#,
      #"{"Items":[{"title":{"S":"Silt"},"hall":{"S":"Hall 1"},"startAt":{"S":"2026-11-27T19:30:00Z"},"minutes":"#
        + #"{"N":"104"},"tags":{"L":[{"S":"Q&A"}]},"place":{"M":{"name":{"S":"Moss"}}},"soldOut":{"BOOL":false}}]}"#,
      #"{"results":[{"object":"page","id":"1","created_time":"2026-11-01T10:00:00Z","properties":{"Date":{"id":"a","#
        + #""type":"date","date":{"start":"2026-11-27T19:30:00.000Z","end":null}},"Hall":{"id":"b","type":"select","#
        + #""select":{"id":"x","name":"Hall 1"}},"Name":{"id":"t","type":"title","title":[{"type":"text","text":"#
        + #"{"content":"Silt"},"plain_text":"Silt"}]}}}]}"#,
      #"[{"title":"Silt","hall":"Hall 1","startAt":{"$date":{"$numberLong":"1795807800000"}}}]"#,
    ])
  func typedValues(_ text: String) throws {
    #expect(try lines(text) == ["2026-11-27T19:30:00Z Silt"])
  }

  @Test("the one whole date beside a clock is its day, unless it is another's")
  func loneDates() throws {
    func films(_ date: String) -> String {
      #"{"films":[{"title":"Silt","shows":[{\#(date),"time":"14:30","screen":"Screen 1"}]}]}"#
    }
    #expect(try lines(films(#""date_f":"2026-11-27""#)) == ["2026-11-27T14:30:00Z Silt"])
    #expect(try lines(films(#""dt_x":"2026-11-27","dt_y":"2026-11-28""#)) == [])
    #expect(try lines(films(#""opening_date":"2026-11-27""#)) == [])
  }

  @Test("months and days of one digit, numbers for names, and houses among what a film holds")
  func looseFields() throws {
    #expect(
      try lines(
        #"{"shows":[{"title":"Silt","dttmShowStart":"2026-12-1T11:15:00"},{"title":"Peat","dttmShowStart":"2026-12-9T9:30"}]}"#
      )
        == ["2026-12-01T11:15:00Z Silt", "2026-12-09T09:30:00Z Peat"])
    #expect(try lines(#"{"shows":[{"title":"Silt","dttmShowStart":"2026[Europe"}]}"#) == [])
    #expect(
      try lines(
        #"{"films":{"HO1":{"title":"Silt"},"HO2":{"title":"Peat"}},"sessions":["#
          + #"{"title":"003-400834","startTime":"2026-11-27T18:00:00Z","filmId":"HO1","screenName":"1"},"#
          + #"{"title":"IMAX","startTime":"2026-11-28T18:00:00Z","filmId":"HO2","screenName":"1"}]}"#)
        == ["2026-11-27T18:00:00Z Silt", "2026-11-28T18:00:00Z Peat"])
    let houses = try reading(
      #"{"film":{"title":"Silt","programme":{"31":{"title":"Moss Nimas","city":"Moss","sessions":{"2026-11-27":"#
        + #"{"date":"2026-11-27","hours":["15:00"]}}},"34":{"title":"Teatro Campo","city":"Larch","sessions":"#
        + #"{"2026-11-28":{"date":"2026-11-28","hours":["21:30"]}}}}}}"#,
      zone: "Europe/London", at: Self.noon, type: "application/json")
    #expect(houses.lines == ["2026-11-27T15:00:00Z Silt", "2026-11-28T21:30:00Z Silt"])
    #expect(houses.screenings.map(\.venue) == ["Moss Nimas", "Teatro Campo"])
  }
}
