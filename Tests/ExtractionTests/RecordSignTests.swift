import Extraction
import Testing

/// What stands in records beside a start: sales, doors, ids, and numbers that may be times.
@Suite("Signs in records")
struct RecordSignTests {
  @Test("when tickets are sold is no start, however deep it stands")
  func presale() throws {
    let found = try reading(
      #"""
      {"films": [{"title": "Silt", "showtimes": [{"id": "1", "date": "2026-11-21", "time": "12:00 PM",
        "dateTimeET": "2026-11-21T12:00:00-05:00", "venue": "Tully Hall", "saleStartDateET": "2026-08-26T00:00:00-04:00",
        "presaleSchedule": {"presaleType": "x", "saleDates": [
          {"datetime": "2026-11-15T11:30:00-05:00", "tier": "Partner", "display": "November 15 – Partner"},
          {"datetime": "2026-11-16T11:30:00-05:00", "tier": "Patron", "display": "November 16 – Patron"}]}}]}]}
      """#, zone: "America/New_York", at: "2026-11-01T09:00:00-05:00", type: "application/json")
    #expect(found.lines == ["2026-11-21T12:00:00-05:00 Silt"])
  }

  @Test("performances in a list of their own are joined to films by the code that both have")
  func codes() throws {
    let found = try reading(
      """
      <?xml version='1.0'?><Feed Date="20/11/2026" Time="17:01:00"><Films>
      <Film><FilmTitle>Silt</FilmTitle><Img_title>none</Img_title><Code>255</Code><LocalFilmCode>1</LocalFilmCode></Film>
      <Film><FilmTitle>Low Tide</FilmTitle><Img_title>none</Img_title><Code>256</Code><LocalFilmCode>2</LocalFilmCode></Film>
      </Films><Performances>
      <Performance><PerformDate>2026-11-29</PerformDate><StartTime>19:00:00</StartTime><DoorsOpen>00:00:00</DoorsOpen>
      <FilmCode>255</FilmCode><Screen>Main Theatre - Denby</Screen><Notes>None</Notes><Code>1112</Code></Performance>
      <Performance><PerformDate>2026-11-30</PerformDate><StartTime>21:15:00</StartTime><DoorsOpen>00:00:00</DoorsOpen>
      <FilmCode>256</FilmCode><Screen>Main Theatre - Denby</Screen><Notes>None</Notes><Code>1113</Code></Performance>
      </Performances></Feed>
      """, zone: "America/New_York", at: "2026-11-20T17:01:00-05:00", type: "application/xml")
    #expect(found.lines == ["2026-11-29T19:00:00-05:00 Silt", "2026-11-30T21:15:00-05:00 Low Tide"])
  }

  @Test("ten digits are a day and a clock where that is near, and seconds where those are")
  func digits() throws {
    func feed(_ first: String, _ second: String) -> String {
      """
      <?xml version="1.0"?><kinoprogramm><filmliste><film><film_id>77</film_id><titel>Schlick</titel><vorstellungen>
      <vorstellung><zeit>\(first)</zeit><saal>1</saal></vorstellung><vorstellung><zeit>\(second)</zeit><saal>1</saal>
      </vorstellung></vorstellungen></film></filmliste></kinoprogramm>
      """
    }
    let near = try reading(feed("2611211900", "2611222015"), zone: "Europe/Berlin", type: "application/xml")
    #expect(near.lines == ["2026-11-21T19:00:00+01:00 Schlick", "2026-11-22T20:15:00+01:00 Schlick"])
    let far = try reading(feed("4118000000", "4118086400"), zone: "Europe/Berlin", type: "application/xml")
    #expect(far.lines == [])
  }

  @Test("a clock that is marked as UTC gives way to the one that its record prints")
  func falseUTC() throws {
    let found = try reading(
      #"{"screenings": [{"title": "Silt", "start": "2026-11-21T19:30:00Z", "time": "19:30", "screen": "1"}]}"#,
      zone: "America/New_York", type: "application/json")
    #expect(found.lines == ["2026-11-21T19:30:00-05:00 Silt"])
    let true_ = try reading(
      #"{"screenings": [{"title": "Silt", "start": "2026-11-21T19:30:00Z", "time": "14:30", "screen": "1"}]}"#,
      zone: "America/New_York", type: "application/json")
    #expect(true_.lines == ["2026-11-21T14:30:00-05:00 Silt"])
  }

  @Test("data that calls nothing a start says what looks like one")
  func unnamed() throws {
    let found = try reading(
      #"{"rows": [{"label": "Silt", "providerMark": "2026-11-21 19:30"}, {"label": "Low", "providerMark": "2026-11-22 20:00"}]}"#,
      zone: "Europe/London", type: "application/json")
    #expect(found.lines == [])
    #expect(found.unread.first?.what == "providerMark: 2026-11-21 19:30 and 1 more")
  }

  @Test("a name that ends with its own start is called what stands before it")
  func namedByStart() throws {
    let found = try reading(
      #"""
      <title>Silt</title><script type="application/ld+json">[{"@type": "ScreeningEvent",
      "name": "Silt - Sat, Nov 21 at 9PM", "startDate": "2026-11-21T21:00:00-05:00"}, {"@type": "ScreeningEvent",
      "name": "Summer - Nov 22", "startDate": "2026-11-23T21:00:00-05:00"}]</script>
      """#, zone: "America/New_York")
    #expect(found.screenings.map(\.title) == ["Silt", "Summer - Nov 22"])
  }

  @Test(
    "from what age on is an attribute of a title, in every country",
    arguments: [
      "Silt (12A)", "Silt [15]", "Silt (FSK 12)", "Silt PG-13", "Silt (M/12)", "Silt [K-12]", "Silt (VM14)",
      "Silt FSK 16",
      "Silt (+16)", "Silt (12세이상관람가)", "Silt (輔12級)", "Silt (ab 6 Jahren)",
    ])
  func certificates(title: String) {
    let printed = PrintedTitle(title)
    #expect(printed.film == "Silt")
    #expect(printed.certificate != nil)
  }

  @Test("numbers that are a name's stay", arguments: ["K-19", "Ocean's 11", "Sam 7", "District 9", "T2", "12 Monkeys"])
  func names(title: String) { #expect(PrintedTitle(title).film == title) }
}
