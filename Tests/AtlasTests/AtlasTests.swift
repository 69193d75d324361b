import Atlas
import CSV
import Calendars
import Testing

@Suite("Atlas")
struct AtlasTests {
  private struct Row {
    let file: String
    let line: Int
    let fields: [String: String]
    subscript(column: String) -> String { fields[column] ?? "" }
    var point: (latitude: Double, longitude: Double)? {
      guard let latitude = Double(self["lat"]), let longitude = Double(self["lon"]) else { return nil }
      return (latitude, longitude)
    }
  }

  private static let columns = [
    "id", "name", "name_en", "country", "region", "city", "address", "lat", "lon", "time_zone", "website", "instagram",
    "map_url", "dtryx_brand", "dtryx_cinema", "active",
  ]

  private static func rows(of atlas: Atlas) throws -> [Row] {
    var table = try CSVTable(atlas.bytes)
    try #require(table.columns == columns)
    var rows: [Row] = []
    while let row = try table.next() {
      let fields = Dictionary(uniqueKeysWithValues: columns.map { ($0, row[$0] ?? "") })
      rows.append(Row(file: atlas.name, line: row.line, fields: fields))
    }
    return rows
  }

  private static func all() throws -> [Row] { try Atlas.all.flatMap(rows) }

  @Test("the files are whole: 26 cinemas of Korea, 27 of London, one closed")
  func counts() throws {
    #expect(Atlas.all.map(\.name) == ["korea.csv", "london.csv"])
    let (korea, london) = (try Self.rows(of: .korea), try Self.rows(of: .london))
    #expect(korea.count == 26 && london.count == 27)
    #expect(korea.count { $0["active"] == "1" } == 25)
    #expect(korea.filter { $0["active"] == "0" }.map { $0["id"] } == ["orfeo-hannam"])
    #expect(london.allSatisfy { $0["active"] == "1" })
    #expect(Atlas.all.allSatisfy { $0.bytes.last == 10 && !$0.bytes.contains(13) })
  }

  @Test("every row has what a directory needs")
  func complete() throws {
    for row in try Self.all() {
      for column in ["id", "name", "name_en", "country", "region", "city", "address", "lat", "lon", "time_zone"] {
        #expect(!row[column].isEmpty, "\(row.file):\(row.line) has no \(column)")
      }
      #expect(row.point != nil, "\(row.file):\(row.line)")
      #expect(row["website"].isEmpty || row["website"].hasPrefix("https://"))
      #expect(row["id"].utf8.allSatisfy { $0 == 45 || (97...122).contains($0) || (48...57).contains($0) })
      #expect(row["dtryx_brand"].isEmpty == (row["country"] != "KR") && row["dtryx_cinema"].utf8.count % 6 == 0)
      let zone = try #require(ZoneName(row["time_zone"]))
      #expect(throws: Never.self) { try ZoneDirectory().rules(for: zone) }
    }
  }

  @Test("no slug, no code pair and no link is given twice")
  func unique() throws {
    let rows = try Self.all()
    for columns in [["id"], ["dtryx_brand", "dtryx_cinema"], ["map_url"], ["instagram"], ["website"]] {
      let values = rows.map { row in columns.map { row[$0] } }.filter { !$0.contains("") }
      #expect(Set(values).count == values.count, "\(columns) repeats")
    }
  }

  /// Boxes around towns: latitude, longitude.
  private static let boxes: [String: (ClosedRange<Double>, ClosedRange<Double>)] = [
    "Seoul": (37.42...37.70, 126.76...127.19), "Incheon": (37.35...37.60, 126.55...126.80),
    "Bucheon": (37.46...37.55, 126.73...126.84), "Paju": (37.68...38.00, 126.65...127.00),
    "Gwangju": (35.05...35.26, 126.72...127.02), "Daejeon": (36.20...36.50, 127.25...127.55),
    "Daegu": (35.75...36.02, 128.40...128.75), "Busan": (35.02...35.30, 128.85...129.30),
    "Changwon": (35.10...35.40, 128.45...128.85), "Andong": (36.45...36.70, 128.55...128.95),
    "Pohang": (35.95...36.20, 129.20...129.60), "Cheonan": (36.70...36.95, 127.05...127.35),
    "Jeonju": (35.75...35.90, 127.03...127.22), "Mokpo": (34.75...34.87, 126.35...126.48),
    "London": (51.28...51.69, -0.51...0.33),
  ]

  @Test("every point lies in the town that its row names")
  func regions() throws {
    for row in try Self.all() {
      let (latitudes, longitudes) = try #require(Self.boxes[row["city"]], "\(row["id"]): no box for \(row["city"])")
      let point = try #require(row.point)
      #expect(latitudes.contains(point.latitude) && longitudes.contains(point.longitude), "\(row["id"]) is elsewhere")
    }
  }

  /// The address begins with the province or city; rows that slipped by one would not.
  private static let provinces: [String: [String]] = [
    "seoul": ["서울"], "incheon": ["인천"], "gyeonggi": ["경기"], "gwangju": ["광주"], "daejeon": ["대전"], "daegu": ["대구"],
    "busan": ["부산"], "gyeongnam": ["경상남도", "경남"], "gyeongbuk": ["경상북도", "경북"], "chungnam": ["충청남도", "충남"],
    "jeonbuk": ["전북"], "jeonnam": ["전남"],
  ]

  @Test("an address begins with the region of its row")
  func addresses() throws {
    #expect(try Self.rows(of: .london).allSatisfy { $0["region"] == "greater-london" })
    for row in try Self.rows(of: .korea) {
      let names = try #require(Self.provinces[row["region"]])
      #expect(names.contains { row["address"].hasPrefix($0) }, "\(row["id"]): \(row["address"])")
    }
  }

  @Test("no two cinemas are closer than 50 m")
  func apart() throws {
    let rows = try Self.all()
    for (index, one) in rows.enumerated() {
      for other in rows[(index + 1)...] {
        guard let here = one.point, let there = other.point else { continue }
        // A degree of latitude is 111 km, of longitude at least 60 % of that in both countries.
        let north = abs(here.latitude - there.latitude) * 111_000
        let east = abs(here.longitude - there.longitude) * 66_000
        #expect(north + east > 50, "\(one["id"]) and \(other["id"])")
      }
    }
  }
}
