import Calendars
import Contracts
import Drafts
import Locator
import Testing

@Suite("Cinema draft")
struct CinemaDraftTests {
  private let zones = ZoneDirectory()

  private func draft(_ changes: [CinemaField: String] = [:]) -> CinemaDraft {
    var draft = CinemaDraft("line 2")
    let whole: [CinemaField: String] = [
      .id: "emu", .name: "에무시네마", .country: "kr", .region: "서울특별시", .latitude: "37.5699", .longitude: "126.9689",
      .zone: "Asia/Seoul",
    ]
    for (field, text) in whole { draft[field] = text }
    for (field, text) in changes { draft[field] = text }
    return draft
  }

  private func problems(_ changes: [CinemaField: String]) -> [String] {
    do throws(DraftProblems) {
      _ = try draft(changes).cinema(zones: zones)
      return []
    } catch {
      return error.problems
    }
  }

  @Test("becomes a cinema when everything is as it has to be")
  func whole() throws {
    let cinema = try draft([
      .aliases: "Emu | 에무", .dayEnds: "06:00", .screens: "2", .instagram: "@emu.artspace", .active: "no",
      .nameEnglish: " Emu ", .website: "www.emu.kr/now",
    ]).cinema(zones: zones)
    #expect(cinema.country == "KR" && cinema.region == "seoul" && cinema.nameEnglish == "Emu")
    #expect(cinema.aliases == ["Emu", "에무"] && cinema.dayEnds == ClockTime(hour: 6, minute: 0) && cinema.screens == 2)
    #expect(cinema.website == "https://www.emu.kr/now")
    #expect(cinema.instagram == "https://instagram.com/emu.artspace" && !cinema.isActive)
  }

  @Test("goes through text and comes back the same")
  func roundTrip() throws {
    for cinema in knownCinemas { #expect(try CinemaDraft(cinema).cinema(zones: zones) == cinema) }
  }

  @Test("says all that is wrong at once, where it was written")
  func all() {
    #expect(
      throws: DraftProblems(
        place: "line 2", problems: ["id is missing", "name is missing", "lat is 1x, not degrees such as 37.5663"])
    ) { try draft([.id: "", .name: " ", .latitude: "1x"]).cinema(zones: zones) }
  }

  @Test(
    "refuses what makes no sense, with a sentence",
    arguments: [
      ([CinemaField.latitude: "126.9689", .longitude: "37.5699"], "probably swapped"),
      ([.latitude: "91", .longitude: "100"], "latitude is 91.0; give one of -90...90"),
      ([.latitude: "nan"], "latitude is nan"),
      ([.longitude: "181"], "longitude is 181.0"), ([.country: "Atlantis"], "write two letters"),
      ([.id: "에무"], "not an id of"), ([.zone: "Asia/Soul"], "does not know"), ([.zone: "GMT+9 "], "time_zone is"),
      ([.website: "www emu kr"], "begin it with https://"), ([.website: "javascript:alert(1)"], "https://"),
      ([.instagram: "a b"], "the name or a link"), ([.screens: "0"], "give one of 1...100"),
      ([.dayEnds: "25:00"], "day_ends"), ([.active: "maybe"], "write 1 or 0"),
      ([.name: "a\u{7}b"], "control character"),
      ([.name: String(repeating: "x", count: 501)], "at most 500"), ([.region: ""], "region is missing"),
    ])
  func refused(changes: [CinemaField: String], sentence: String) {
    let problems = problems(changes)
    #expect(problems.count == 1 && problems[0].contains(sentence), "\(problems)")
  }

  @Test("a country with one zone needs none, another does")
  func zone() {
    #expect(problems([.zone: ""]).isEmpty)
    #expect(problems([.zone: "", .country: "US"]) == ["time_zone is missing"])
  }
}

@Suite("Directory files")
struct DirectoryFileTests {
  private let zones = ZoneDirectory()

  @Test("what is exported as CSV or GeoJSON reads back the same")
  func roundTrip() throws {
    let csv = try CinemaTable.read(Array(CinemaTable.write(knownCinemas).utf8), named: "x.csv")
    #expect(try csv.cinemas(zones: zones) == knownCinemas)
    let geojson = try CinemaGeoJSON.read(Array(CinemaGeoJSON.write(knownCinemas).utf8), named: "x.geojson")
    #expect(try geojson.cinemas(zones: zones) == knownCinemas)
  }

  @Test("a row that is wrong is told with its line, and the others are read")
  func rows() throws {
    let text = """
      id,name,country,region,latitude,lng
      a,A,KR,Seoul,37.5,127
      b,B,KR,Seoul,127,37.5
      c,"C" c,KR,Seoul,37.5,127
      d,D,KR,Seoul,37.6,127.1
      """
    let (cinemas, problems) = try CinemaTable.read(Array(text.utf8), named: "x.csv").checked(zones: zones)
    #expect(cinemas.map(\.id.text) == ["a", "d"])
    #expect(Set(problems.map(\.place)) == ["x.csv:3", "x.csv:4"])
  }

  @Test("a file that is none of ours says what is missing")
  func unreadable() {
    #expect(throws: UnreadableFile("x.csv: line 1: there is no column lat; is it latt?")) {
      try CinemaTable.read(Array("id,name,latt,lon\n".utf8), named: "x.csv")
    }
    #expect(throws: UnreadableFile("x has no features; it must be a GeoJSON FeatureCollection or a list of objects")) {
      try CinemaGeoJSON.read(Array("{}".utf8), named: "x")
    }
    #expect(throws: UnreadableFile.self) { try CinemaGeoJSON.read(Array("{".utf8), named: "x") }
    #expect(throws: UnreadableFile.self) { try CinemaOpenStreetMap.read(Array("[]".utf8), named: "x") }
  }

  @Test("GeoJSON without a point is told by the number of its feature")
  func geometry() throws {
    let text = """
      {"features": [{"geometry": {"type": "Point", "coordinates": [127]}, "properties": {}},
      {"geometry": null, "properties": null},
      {"id": 7, "geometry": {"type": "Point", "coordinates": [127.0, 37.5, 12]},
       "properties": {"name": "A", "country": "KR", "region": "Seoul", "screens": 3, "is_active": false}}]}
      """
    let (cinemas, problems) = try CinemaGeoJSON.read(Array(text.utf8), named: "x").checked(zones: zones)
    #expect(problems.map(\.place) == ["x feature 1", "x feature 2"])
    #expect(cinemas.map(\.id.text) == ["7"] && cinemas[0].screens == 3 && !cinemas[0].isActive)
  }

  @Test("OpenStreetMap's nodes and ways become cinemas")
  func openStreetMap() throws {
    let text = """
      {"version": 0.6, "elements": [
        {"type": "node", "id": 1, "lat": 35.66, "lon": 139.69, "tags": {"amenity": "cinema", "name": "ユーロスペース",
          "name:en": "Eurospace Théâtre", "addr:country": "JP", "addr:province": "Tokyo", "addr:street": "円山町",
          "addr:housenumber": "1-5", "screen": "2", "website": "https://eurospace.example"}},
        {"type": "way", "id": 2, "center": {"lat": 35.7, "lon": 139.7}, "tags": {"amenity": "cinema", "name": "名画座"}},
        {"type": "node", "id": 3, "lat": 1, "lon": 2, "tags": {"amenity": "cafe"}},
        {"type": "node", "id": 4, "lat": 1, "lon": 2, "tags": {"amenity": "cinema"}}]}
      """
    var reading = try CinemaOpenStreetMap.read(Array(text.utf8), named: "x")
    #expect(reading.drafts.count == 3)
    for index in reading.drafts.indices where reading.drafts[index][.country] == nil {
      reading.drafts[index][.country] = "JP"
      reading.drafts[index][.region] = "Tokyo"
    }
    let (cinemas, problems) = reading.checked(zones: zones)
    #expect(cinemas.map(\.id.text) == ["eurospace-theatre", "osm-way-2"])
    #expect(cinemas[0].address == "円山町 1-5" && cinemas[0].zone.text == "Asia/Tokyo" && cinemas[0].screens == 2)
    #expect(problems.map(\.place) == ["x node/4"] && problems[0].problems == ["name is missing"])
  }

  @Test("a format is found from the first bytes")
  func formats() {
    #expect(DirectoryFormat(of: Array("id,name\n".utf8), named: "x") == .csv)
    #expect(DirectoryFormat(of: Array("\u{feff} {\"type\":\"FeatureCollection\"".utf8), named: "x") == .geojson)
    #expect(DirectoryFormat(of: Array("{\"version\":0.6,\"generator\":\"Overpass API\"".utf8), named: "x") == .osm)
    #expect(DirectoryFormat(of: [], named: "x") == .csv)
  }

  @Test("KML holds any name, without what has no place in XML")
  func kml() throws {
    let text = CinemaKML.write([try cinema("a", name: "<Rex> & \"Co\"\u{1}")])
    #expect(text.contains("<name>&lt;Rex&gt; &amp; \"Co\"</name>"))
    #expect(text.contains("<coordinates>126.97,37.57</coordinates>"))
  }
}
