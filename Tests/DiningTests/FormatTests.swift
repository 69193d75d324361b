import Calendars
import Clocks
import Contracts
import Dining
import Drafts
import Testing

@Suite("Files of restaurants")
struct FormatTests {
  private let zones = ZoneDirectory()

  private var file: String {
    """
    id,name,country,lat,lon,open,close,budget,capacity,wifi,credit_card,special,url
    rest_a,"Noodles, slow",GB,51.5,-0.12,Mon-Fri 11am-10pm,Sundays,£11-17,34,yes,c1=VISA,S1=View@C1=Scene,https://a.example
    rest_b,조용한 집,KR,37.5,127,11:00~20:00,월요일,"9,000~12,000원",,없음 ：근처에 있음,,,
    """
  }

  @Test("what is exported is imported as what it was", arguments: RestaurantFormat.allCases)
  func roundTrip(format: RestaurantFormat) throws {
    let (places, problems) = try RestaurantTable.read(Array(file.utf8), named: "a.csv").checked(zones: zones)
    let restaurants = places.map(\.restaurant)
    #expect(problems.isEmpty && restaurants.count == 2)
    let text = format == .csv ? RestaurantTable.write(restaurants) : RestaurantJSON.write(restaurants)
    let bytes = Array(text.utf8)
    #expect(RestaurantFormat(of: bytes) == format)
    // Programs of Windows put a mark before it.
    let marked = Array("\u{FEFF}".utf8) + bytes
    #expect(RestaurantFormat(of: marked) == format)
    #expect(try format.read(marked, named: "a").drafts.count == restaurants.count)
    let again = try format.read(bytes, named: "b").checked(zones: zones)
    #expect(again.problems.isEmpty && again.places.map(\.restaurant) == restaurants)
  }

  @Test("of what a guide told nothing becomes an operator's, who may keep things for ever")
  func toldByGuide() throws {
    let places = try RestaurantTable.read(Array(file.utf8), named: "a.csv").checked(zones: zones).places
    var place = try #require(places.first).restaurant
    let narrow = Array("id,name,country,lat,lon\nrest_a,Noodles,GB,51.5,-0.12\n".utf8)
    for isTold in [false, true] {
      place.asOf = isTold ? WallTime(milliseconds: 0) : nil
      var reading = try RestaurantTable.read(narrow, named: "b.csv")
      reading.complete(from: [place.id: place])
      let new = try #require(reading.checked(zones: zones).places.first).restaurant
      #expect(new.name == "Noodles" && (new.openText == nil) == isTold)
    }
  }

  @Test("rows that are wrong are told with their line, all that is wrong at once; the others are read")
  func wrongRows() throws {
    let text = file + "\nrest c,,GB,127,37,,,,x,,,,ftp://x\n"
    let (places, problems) = try RestaurantTable.read(Array(text.utf8), named: "a.csv").checked(zones: zones)
    #expect(places.count == 2 && problems.count == 1)
    let line = try #require(problems.first?.line)
    for part in ["a.csv:4", "id is rest c", "name is missing", "swapped", "capacity is x", "begin it with https://"] {
      #expect(line.contains(part), "\(line)")
    }
  }

  @Test("of two rows with one id the second is told with its line and the first's")
  func twins() throws {
    let text = file + "\n" + (file.split(separator: "\n").last.map(String.init) ?? "")
    let (places, _) = try RestaurantTable.read(Array(text.utf8), named: "a.csv").checked(zones: zones)
    let (unique, problems) = DraftReading.unique(places)
    #expect(unique.count == places.count - 1 && problems.count == 1)
    let line = try #require(problems.first?.line)
    #expect(line.hasPrefix("a.csv:4:") && line.contains("is the id of a.csv:3, too"), "\(line)")
  }

  @Test("an unknown column is refused with the one that was meant")
  func unknownColumn() {
    let error = #expect(throws: UnreadableFile.self) {
      try RestaurantTable.read(Array("id,name,lat,lon,budjet\n".utf8), named: "a.csv")
    }
    #expect(error?.description.contains("did you mean budget?") == true)
  }

  @Test("JSON of something else is refused as a whole, in one sentence that says what it has instead")
  func somethingElse() {
    func refusal(_ text: String) -> String? {
      let error = #expect(throws: UnreadableFile.self) {
        try RestaurantFormat.json.read(Array(text.utf8), named: "a.json")
      }
      return error?.description
    }
    let error = refusal(#"{"results":{"api_version":"1.30","error":[{"code":3000,"message":"small_area is wrong"}]}}"#)
    #expect(
      error
        == "a.json: it is an error that the guide answered, and no list: it refuses the question: small_area is wrong")
    let films = (0..<400).map { #"{"id": "\#($0)", "title": "Tea", "date": "2026-11-23"}"# }.joined(separator: ",")
    #expect(
      refusal("[\(films)]")
        == "a.json: none of its 400 rows has id, name, lat, lon, as each restaurant does; the first has date, id, title"
    )
    #expect(refusal("[1, 2]")?.hasSuffix("the first has no members") == true)
    let typing = (0..<3).map { #"{"id": "r\#($0)", "name": "Tea", "lat": 1, "lon": 2, "budjet": "x"}"# }
    let told = refusal("{\"data\": [\(typing.joined(separator: ","))]}")
    #expect(told?.hasPrefix("a.json: none of its 3 rows can be read; the first: a.json:1") == true)
    #expect(told?.contains("unknown member budjet; did you mean budget?") == true)
  }

  @Test(
    "an answer of the guide is read with one shop in the list's place, with numbers as texts, inside of a call, and alone",
    arguments: [
      #"{"results":{"results_available":"1","shop":SHOP}}"#, #"{"results":{"shop":[SHOP]}}"#, #"{"shop":[SHOP]}"#,
      "[SHOP]", #"callback({"results":{"shop":[SHOP]}});"#,
    ])
  func guideShapes(text: String) throws {
    let shop = #"""
      {"id":"J1","name":"港","lat":"35.6","lng":"139.7","capacity":"1,248席","party_capacity":"","genre":{"code":"G001",
       "name":"居酒屋"},"budget":"","urls":{"pc":"https://a.example/"},"photo":[],"card":1,"credit_card":[]}
      """#
    let bytes = Array(text.replacing("SHOP", with: shop).utf8)
    let (places, problems) = try RestaurantFormat(of: bytes).read(bytes, named: "a").checked(zones: zones)
    let place = try #require(places.first?.restaurant, "\(problems)")
    #expect(place.id.text == "rest_J1" && place.genre?.name == "居酒屋" && place.url == "https://a.example/")
    #expect(place.capacity == 1_248 && place.partyCapacity == nil && place.budget == nil)
    #expect(place.features.first { $0.feature == .card }?.state == .yes)
  }

  @Test("an answer that says that it knows none is an empty list, with and without the list")
  func none() throws {
    for text in [#"{"results":{"results_available":0,"shop":[]}}"#, #"{"results":{"results_available":"0"}}"#] {
      let reading = try RestaurantFormat.json.read(Array(text.utf8), named: "a")
      #expect(reading.drafts.isEmpty && reading.problems.isEmpty)
      #expect(try HotPepperAnswer(status: 200, body: Array(text.utf8)).drafts.isEmpty)
    }
  }

  @Test("a table in what was usual in Korea before is read")
  func encodings() throws {
    // 극장
    let bytes =
      Array("id,name,country,lat,lon\nrest_a,".utf8) + [0xB1, 0xD8, 0xC0, 0xE5] + Array(",KR,37.5,127\n".utf8)
    let places = try RestaurantFormat(of: bytes).read(bytes, named: "a").checked(zones: zones).places
    #expect(places.map(\.restaurant.name) == ["극장"])
  }

  @Test("a row that is no restaurant is told, and the others are read; an empty list is one")
  func someRows() throws {
    let text = #"[{"id": "rest_a", "name": "Tea", "country": "KR", "latitude": 37.5, "lng": 127}, {"id": "x"}, 3]"#
    let (places, problems) = try RestaurantFormat.json.read(Array(text.utf8), named: "a").checked(zones: zones)
    #expect(places.map(\.restaurant.id.text) == ["rest_a"] && problems.count == 2)
    let none = try RestaurantFormat.json.read(Array("[]".utf8), named: "a")
    #expect(none.drafts.isEmpty && none.problems.isEmpty)
  }

  @Test("lint finds a restaurant that is there twice, and hours that cannot be read")
  func lint() throws {
    let text =
      "id,name,country,lat,lon,open\nrest_a,Tea,KR,37.5,127,11:00~20:00\nrest_b,tea,KR,37.5003,127,문의\nrest_c,Sea,KR,35.7,139.7,10:00~12:00\n"
    let places = try RestaurantTable.read(Array(text.utf8), named: "a").checked(zones: zones).places
    let rules = RestaurantLint.findings(in: places).map { "\($0.place) \($0.rule)" }
    #expect(rules == ["a:3 near-duplicate", "a:3 unread-hours", "a:4 outside-country"])
  }

  @Test("the demo's restaurants are many, marked, near their cinemas, and all of their hours are understood")
  func demo() {
    let places = DemoRestaurants.all(zones: zones)
    #expect(places.count > 200 && places.allSatisfy { $0.source == .demo && !$0.name.contains("demo") })
    #expect(places.allSatisfy { $0.country != "KR" || $0.nameEnglish != nil }, "every Korean one can be read elsewhere")
    #expect(
      places.allSatisfy { $0.hours.confidence == .parsed },
      "\(places.filter { $0.hours.confidence != .parsed }.compactMap(\.openText).first ?? "")")
    #expect(
      places.allSatisfy {
        $0.budget?.least != nil && !$0.features.contains { $0.state == .unknown && $0.feature != .charter }
      })
    #expect(RestaurantLint.findings(in: places.map { .init($0.id.text, $0) }).isEmpty)
    #expect(DemoRestaurants.all(zones: zones) == places)
  }
}
