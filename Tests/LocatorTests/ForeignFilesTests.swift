import Calendars
import Contracts
import Drafts
import Locator
import Testing

/// Lists of cinemas as cities, maps and sites publish them.
@Suite("Lists of cinemas by others")
struct ForeignFilesTests {
  private let zones = ZoneDirectory()

  private func read(
    _ text: String, _ country: String = "GB", named name: String = "list"
  ) throws -> (cinemas: [Cinema], problems: [DraftProblems]) {
    let bytes = Array(text.utf8)
    var reading = try DirectoryFormat(of: bytes, named: name).read(bytes, named: name)
    reading.settle(among: [:])
    for index in reading.drafts.indices {
      if reading.drafts[index][.country] == nil { reading.drafts[index][.country] = country }
      if reading.drafts[index][.region] == nil { reading.drafts[index][.region] = "here" }
    }
    return reading.checked(zones: zones)
  }

  @Test("columns are found by what they are called in other languages, and ids are made of names")
  func columns() throws {
    let british = try read(
      "Cinema,Street Address,Town,Postcode,Latitude,Longitude,Number of Screens\nOrpheum,2 Mill Lane,Hull,HU1,53.7,-0.3,4\n"
    )
    #expect(british.cinemas.map(\.id.text) == ["orpheum"] && british.cinemas[0].city == "Hull")
    #expect(british.cinemas[0].address == "2 Mill Lane" && british.cinemas[0].screens == 4)
    let french = try read(
      "\u{FEFF}Nom;Adresse;Commune;Écrans;Latitude;Longitude\r\nLe Rêve;8 quai Bas;Tours;2;47,39;0,68\r\n", "FR")
    #expect(french.cinemas.map(\.id.text) == ["le-reve"] && french.cinemas[0].position.latitude == 47.39)
    let korean = try read("극장명,도로명주소,위도,경도,상영관수\n강변극장,남산길 3,37.5,127.0,2\n", "KR")
    #expect(korean.cinemas.map(\.name) == ["강변극장"] && korean.cinemas[0].address == "남산길 3")
    let japanese = try read("施設名,住所,緯度,経度\n川座,港区1,35.6,139.7\n", "JP")
    #expect(japanese.cinemas.map(\.name) == ["川座"])
    let again = try read("施設名,住所,緯度,経度\n山座,港区2,35.7,139.8\n川座,港区1,35.6,139.7\n", "JP")
    #expect(again.cinemas[1].id == japanese.cinemas[0].id, "whatever stands before it")
  }

  @Test(
    "a point is found in one cell, in degrees with letters, and with commas",
    arguments: [
      "name,geo_point_2d\nRex,\"53.5, -1.25\"\n", "name;coordonnées GPS\nRex;53.5, -1.25\n",
      "name|Lat/Long\nRex|53.5,-1.25\n", "WKT,name\nPOINT (-1.25 53.5),Rex\n",
      "name,latitude,longitude\nRex,53.5° N,1.25° W\n", "name,lat,lon\nRex,53°30'00\"\"N,\"1°15'0\"\"W\"\n",
      "name,lat,lon\nRex,\"53,5\",\"-1,25\"\n", "name,gps_lat,gps_lon\nRex,53.5,-1.25\n",
      "name,coord_x,coord_y\nRex,-1.25,53.5\n", "name;gps\nRex;53,5 -1,25\n", "name;gps\nRex;53,5, -1,25\n",
      "name,gps_quality,gps_point\nRex,3,\"53.5 -1.25\"\n",
    ])
  func points(text: String) throws {
    let (cinemas, problems) = try read(text)
    #expect(cinemas.map(\.position.latitude) == [53.5] && cinemas.map(\.position.longitude) == [-1.25], "\(problems)")
  }

  @Test("half a point is told as what it is")
  func halfPoints() throws {
    let (cinemas, problems) = try read("name,geo_point_2d\nRex,48.39\nRio,\"48.39, -4.48\"\n")
    #expect(cinemas.map(\.name) == ["Rio"])
    #expect(
      problems.map(\.line) == ["list:2: geo_point_2d is 48.39; write two numbers such as 37.5663, 126.9779"])
  }

  @Test("countries are read by their names")
  func countries() throws {
    let rows = ["South Korea", "대한민국", "UK", "nl"].enumerated().map { "c\($0),C,\($1),Here,37.5,127" }
    let (cinemas, _) = try read("id,name,country,region,lat,lon\n" + rows.joined(separator: "\n"))
    #expect(cinemas.map(\.country) == ["KR", "KR", "GB", "NL"])
  }

  @Test(
    "plain lists of objects and single features are read",
    arguments: [
      #"[{"title":"Rex","address":"1 Row","lat":"53.5","lng":-1.25}]"#,
      #"{"total":1,"theaters":[{"name":"Rex","address":"1 Row","location":{"latitude":53.5,"longitude":-1.25}}]}"#,
      #"{"response":{"header":{"code":"00"},"body":{"items":{"item":[{"title":"Rex","addr1":"1 Row","mapx":"-1.25","mapy":"53.5"}]}}}}"#,
      #"{"data":[{"name":"Rex","address":"1 Row","coordinates":[-1.25,53.5]}]}"#,
      #"{"type":"Feature","properties":{"NAME":"Rex","ADDRESS":"1 Row"},"geometry":{"type":"Point","coordinates":[-1.25,53.5]}}"#,
      #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null,"properties":{"nom":"Rex","adresse":"1 Row","latitude":53.5,"longitude":-1.25}}]}"#,
    ])
  func objects(text: String) throws {
    let (cinemas, problems) = try read(text)
    #expect(cinemas.map(\.id.text) == ["rex"] && cinemas.first?.address == "1 Row", "\(problems)")
    #expect(cinemas.first?.position.latitude == 53.5 && cinemas.first?.position.longitude == -1.25)
  }

  @Test("features that stand one a line are read together")
  func lines() throws {
    let line = #"{"type":"Feature","properties":{"name":"Rex"},"geometry":{"type":"Point","coordinates":[-1.25,53.5]}}"#
    let (cinemas, _) = try read("\(line)\n\(line.replacing("Rex", with: "Ritz").replacing("53.5", with: "54.5"))\n")
    #expect(cinemas.map(\.name) == ["Rex", "Ritz"])
  }

  @Test("a line that was cut short is told by its number, and the others are read")
  func cutLines() throws {
    let line = #"{"type":"Feature","properties":{"name":"Rex"},"geometry":{"type":"Point","coordinates":[-1.25,53.5]}}"#
    let other = line.replacing("Rex", with: "Ritz")
    for text in ["\(line)\n{\"type\":\"Fea\n\(other)\n", "\u{1E}\(line)\n\u{1E}{\"type\":\"Fea\n\u{1E}\(other)\n"] {
      let (cinemas, problems) = try read(text)
      #expect(cinemas.map(\.name) == ["Rex", "Ritz"])
      #expect(problems.map(\.line) == ["list:2: this line is no JSON object"])
    }
    let (cinemas, problems) = try read("\(line)\n{\"type\":\"Fea\n")
    #expect(cinemas.map(\.name) == ["Rex"] && problems.map(\.place) == ["list:2"])
    let places = #"{"name":"Rex","lat":53.5,"lon":-1.25}"# + "\n" + #"{"name":"Ritz","lat":53.5,"lon":-1.3}"#
    #expect(try read(places).cinemas.map(\.name) == ["Rex", "Ritz"])
    #expect(throws: UnreadableFile.self) { try read("{\"type\":\n\(line),\n{\n") }
  }

  @Test("OpenStreetMap's places of the past are closed cinemas, and its other tags are read")
  func openStreetMap() throws {
    let (cinemas, problems) = try read(
      #"""
      {"elements":[
        {"type":"node","id":1,"lat":53.1,"lon":-1.1,"tags":{"abandoned:amenity":"cinema","name":"Regal"}},
        {"type":"way","id":"2","center":{"lat":53.2,"lon":-1.2},"tags":{"amenity":"cinema","brand":"Omni","cinema:screens":"6"}},
        {"type":"node","id":3,"lat":53.3,"lon":-1.3,"tags":{"amenity":"cinema","name:en":"Star","alt_name":"S;Star House"}}]}
      """#)
    #expect(cinemas.map(\.id.text) == ["regal", "omni", "star"] && problems.isEmpty, "\(problems)")
    #expect(cinemas.map(\.isActive) == [false, true, true] && cinemas[1].screens == 6)
    #expect(cinemas[2].aliases == ["S", "Star House"])
  }

  @Test("a table of Overpass keeps its numbers, and an answer that failed says why")
  func overpass() throws {
    let table = "@id\t@type\tname\t@lat\t@lon\n7\tnode\tStar\t53.1\t-1.1\n8\tway\tStar\t54.1\t-1.1\n"
    #expect(try read(table).cinemas.map(\.id.text) == ["star", "star-way-8"])
    let error = #expect(throws: UnreadableFile.self) {
      try read(#"{"elements":[],"remark":"runtime error: Query ran out of memory"}"#)
    }
    #expect(error?.description.contains("ran out of memory") == true)
  }

  @Test("a table in what was usual in Korea before is read")
  func encodings() throws {
    // 극장
    let bytes =
      Array("id,name,country,region,lat,lon\na,".utf8) + [0xB1, 0xD8, 0xC0, 0xE5] + Array(",KR,Seoul,37.5,127\n".utf8)
    let reading = try DirectoryFormat(of: bytes, named: "a.csv").read(bytes, named: "a.csv")
    #expect(try reading.cinemas(zones: zones).map(\.name) == ["극장"])
  }
}
