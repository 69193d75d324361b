import Contracts
import JSON
import Locator
import ServiceKit
import ServiceTestKit
import Testing

/// Files as other programs write them, through the command and the service.
@Suite("Locator's import")
@MainActor
struct LocatorImportTests {
  private func running(_ body: (ServiceRig) async throws -> Void) async throws {
    try await ServiceRig.run(LocatorService.program, flags: ["demo": "true"], body)
  }

  private func field(_ name: String, of id: String, _ rig: ServiceRig) async throws -> JSONValue? {
    let found = await rig.command("get", id, "--json")
    guard found.code == .done else { return nil }
    return try JSONValue(parsing: found.output)[name]
  }

  private func node(_ number: Int, _ name: String, _ latitude: Double, _ longitude: Double) -> String {
    """
    {"type": "node", "id": \(number), "lat": \(latitude), "lon": \(longitude),
     "tags": {"amenity": "cinema", "name": "\(name)"}}
    """
  }

  private func overpass(_ elements: [String]) -> String { #"{"elements": [\#(elements.joined(separator: ","))]}"# }

  private let britain = ["--country", "GB", "--region", "england"]

  @Test("cinemas of one name in two towns stay two, and are the same ones when they are imported again in any order")
  func namesakes() async throws {
    try await running { rig in
      let (leeds, manchester) = (node(11, "Odeon", 53.8, -1.55), node(22, "Odeon", 53.48, -2.24))
      let file = try rig.folder.write(overpass([leeds, manchester]), to: "odeons.json")
      let plan = await rig.command(["import", file, "--dry-run"] + britain)
      #expect(plan.errors.contains("2 added · 0 changed · 0 unchanged · 0 refused"), "\(plan.errors)")
      let real = await rig.command(["import", file] + britain)
      #expect(real.code == .done && real.errors.contains("2 added · 0 changed"), "\(real.errors)")
      #expect(try await field("lat", of: "odeon", rig) == 53.8)
      #expect(try await field("lat", of: "odeon-node-22", rig) == 53.48)
      for elements in [[leeds, manchester], [manchester, leeds], [manchester]] {
        let again = try rig.folder.write(overpass(elements), to: "again.json")
        let report = await rig.command(["import", again] + britain)
        #expect(report.errors.contains("0 added · 0 changed · \(elements.count) unchanged"), "\(report.errors)")
      }
    }
  }

  @Test("a cinema that is mapped twice at one place is taken once, and told")
  func mappedTwice() async throws {
    try await running { rig in
      let (mark, house) = (node(11, "Odeon", 53.8, -1.55), node(12, "Odeon", 53.8001, -1.55))
      let file = try rig.folder.write(overpass([mark, house]), to: "odeons.json")
      for outcome in ["1 added", "1 unchanged"] {
        let report = await rig.command(["import", file] + britain)
        #expect(report.errors.contains(outcome) && report.errors.contains("the id odeon stands at"), "\(report.errors)")
      }
      #expect(try await field("lat", of: "odeon-node-12", rig) == nil)
    }
  }

  @Test("a cinema far away does not become the one that has its name, and one that is near does")
  func nameTaken() async throws {
    try await running { rig in
      let before = await rig.command("get", "emu", "--json").output
      let tokyo = try rig.folder.write(overpass([node(7, "EMU", 35.66, 139.7)]), to: "tokyo.json")
      let report = await rig.command("import", tokyo, "--country", "JP", "--region", "tokyo")
      #expect(report.errors.contains("1 added · 0 changed"), "\(report.errors)")
      #expect(await rig.command("get", "emu", "--json").output == before)
      #expect(try await field("country", of: "emu-node-7", rig) == "JP")

      let seoul = try rig.folder.write(overpass([node(8, "EMU", 37.5699, 126.969)]), to: "seoul.json")
      let address = try await field("address", of: "emu", rig)
      #expect(await rig.command("import", seoul).errors.contains("0 added · 1 changed"))
      // What OpenStreetMap does not say stays.
      #expect(try await field("address", of: "emu", rig) == address)
      #expect(address?.string != nil)
      #expect(try await field("region", of: "emu", rig) == "seoul")
    }
  }

  @Test("an id that is there twice in a file is refused by its line, in a dry run too")
  func repeated() async throws {
    try await running { rig in
      let path = try rig.folder.write(
        """
        id,name,country,region,lat,lon
        rex,Rex,KR,Seoul,37.55,127.01
        rex,Rex Busan,KR,Busan,35.1,129.04
        """, to: "twice.csv")
      let plan = await rig.command("import", path, "--dry-run")
      let real = await rig.command("import", path)
      for report in [plan, real] {
        #expect(report.code == .partial && report.errors.contains("1 added · 0 changed · 0 unchanged · 1 refused"))
        #expect(report.errors.contains("twice.csv:3: the id rex stands at twice.csv:2 already"), "\(report.errors)")
      }
      #expect(try await field("name", of: "rex", rig) == "Rex")
    }
  }

  @Test("an id that is kept kilometres away is refused, and taken with a warning if that is said")
  func moved() async throws {
    try await running { rig in
      let path = try rig.folder.write(
        "id,name,country,region,lat,lon\nemu,EMU,JP,Tokyo,35.66,139.7\n", to: "moved.csv")
      for options in [[], ["--dry-run"]] {
        let report = await rig.command(["import", path] + options)
        #expect(report.code == .partial && report.errors.contains("moved.csv:2: emu is kept"), "\(report.errors)")
        #expect(report.errors.contains("km from here") && report.errors.contains("--moved"))
        #expect(report.errors.contains("0 added · 0 changed · 0 unchanged · 1 refused"))
      }
      let moved = await rig.command("import", path, "--moved")
      #expect(moved.code == .done && moved.errors.contains("0 added · 1 changed"), "\(moved.errors)")
      #expect(moved.errors.contains("warning: moved.csv:2: emu is kept"))
    }
  }

  @Test("columns that a file lacks keep what there is, and an empty cell clears it")
  func narrow() async throws {
    try await running { rig in
      _ = await rig.command("edit", "emu", "--city", "Seoul", "--active", "0", "--screens", "2")
      let path = try rig.folder.write("id,name,lat,lon\nemu,Emu,37.5699,126.9689\n", to: "narrow.csv")
      let report = await rig.command("import", path)
      #expect(report.code == .done && report.errors.contains("0 added · 1 changed"), "\(report.errors)")
      #expect(try await field("name", of: "emu", rig) == "Emu")
      #expect(try await field("city", of: "emu", rig) == "Seoul")
      #expect(try await field("active", of: "emu", rig) == false)
      #expect(try await field("screens", of: "emu", rig) == 2)
      let clearing = try rig.folder.write("id,name,lat,lon,city\nemu,Emu,37.5699,126.9689,\n", to: "clearing.csv")
      #expect(await rig.command("import", clearing).code == .done)
      #expect(try await field("city", of: "emu", rig)?.isNull == true)
      #expect(try await field("screens", of: "emu", rig) == 2)
    }
  }

  @Test("what can be understood of OpenStreetMap's answers is taken")
  func openStreetMap() async throws {
    try await running { rig in
      let way = """
        {"type": "way", "id": 5, "bounds": {"minlat": 51.5, "minlon": -0.2, "maxlat": 51.6, "maxlon": -0.1},
         "tags": {"amenity": "cinema", "name": "Vue", "website": "www.myvue.com", "screen": "3.0"}}
        """
      let outline = """
        {"type": "way", "id": 6, "geometry": [{"lat": 52.0, "lon": -1.0}, null, {"lat": 52.2, "lon": -1.2}],
         "tags": {"amenity": "cinema", "name": "Rio Grande", "contact:instagram": "instagram.com/rio"}}
        """
      let path = try rig.folder.write("\u{feff}" + overpass([way, outline]), to: "ways.json")
      let report = await rig.command(["import", path] + britain)
      #expect(report.code == .done && report.errors.contains("2 added"), "\(report.errors)")
      #expect(try await field("website", of: "vue", rig) == "https://www.myvue.com")
      #expect(try await field("screens", of: "vue", rig) == 3)
      #expect(try await field("lat", of: "vue", rig) == 51.55)
      #expect(try await field("lon", of: "rio-grande", rig) == -1.1)
      #expect(try await field("instagram", of: "rio-grande", rig) == "https://instagram.com/rio")
    }
  }

  @Test("an outline is told by its nodes, as overpass-turbo's own questions get it")
  func outlines() async throws {
    try await running { rig in
      let elements = [
        #"{"type": "way", "id": 6, "nodes": [1, 2, 3, 1], "tags": {"amenity": "cinema", "name": "Vue"}}"#,
        #"{"type": "relation", "id": 7, "members": [{"type": "way", "ref": 8, "role": "outer"}], "#
          + #""tags": {"amenity": "cinema", "name": "Rio Grande"}}"#,
        #"{"type": "way", "id": 8, "nodes": [2, 3]}"#,
        #"{"type": "way", "id": 9, "nodes": [77], "tags": {"amenity": "cinema", "name": "Nowhere"}}"#,
        #"{"type": "node", "id": 1, "lat": 51.5, "lon": -0.2}"#,
        #"{"type": "node", "id": 2, "lat": 51.6, "lon": -0.1}"#,
        #"{"type": "node", "id": 3, "lat": 51.5, "lon": -0.3}"#,
      ]
      let path = try rig.folder.write(overpass(elements), to: "outlines.json")
      let report = await rig.command(["import", path] + britain)
      #expect(report.code == .partial && report.errors.contains("2 added"), "\(report.errors)")
      #expect(report.errors.contains("way/9: lat is missing"))
      #expect(try await field("lat", of: "vue", rig) == 51.55)
      #expect(try await field("lon", of: "vue", rig) == -0.2)
      #expect(try await field("lon", of: "rio-grande", rig) == -0.2)
    }
  }

  @Test("a spreadsheet's cell with several lines is one line")
  func lines() async throws {
    try await running { rig in
      let table = "id,name,lat,lon,address\nvue,Vue,51.5,-0.2,\"1 High Street\r\n London\n\tW3\"\n"
      let path = try rig.folder.write(table, to: "lines.csv")
      let report = await rig.command(["import", path] + britain)
      #expect(report.code == .done, "\(report.errors)")
      #expect(try await field("address", of: "vue", rig) == "1 High Street London W3")
    }
  }

  @Test("GeoJSON as overpass-turbo and map programs write it is taken")
  func geoJSON() async throws {
    try await running { rig in
      let text = """
        {"type": "FeatureCollection", "features": [
          {"type": "Feature", "id": "node/55", "geometry": {"type": "Point", "coordinates": [-1.55, 53.8]},
           "properties": {"@id": "node/55", "amenity": "cinema", "name": "Hyde Park", "addr:city": "Leeds"}},
          {"type": "Feature", "id": "way/56", "geometry": {"type": "Polygon", "coordinates":
             [[[-1.6, 53.8], [-1.5, 53.8], [-1.5, 53.9], [-1.6, 53.9], [-1.6, 53.8]]]},
           "properties": {"@id": "way/56", "amenity": "cinema", "name": "Cottage Road"}},
          {"type": "Feature", "id": "node/57", "geometry": {"type": "Point", "coordinates": [-1.5, 53.8]},
           "properties": {"@id": "node/57", "amenity": "cafe", "name": "Café"}},
          {"type": "Feature", "geometry": {"type": "MultiPolygon", "coordinates":
             [[[[0.0, 50.0], [0.2, 50.0], [0.2, 50.2], [0.0, 50.0]]]]},
           "properties": {"id": "duke", "name": "Duke's", "screens": 3.0}},
          {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-1.5, 53.7]}, "properties":
             {"full_id": "n58", "osm_id": "58", "osm_type": "node", "amenity": "cafe;cinema", "name": "Kino Kaff"}},
          {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-1.5, 53.7]}, "properties":
             {"full_id": "n59", "osm_id": "59", "osm_type": "node", "amenity": "bar", "name": "Bar"}}]}
        """
      let path = try rig.folder.write("\u{feff}" + text, to: "leeds.geojson")
      let report = await rig.command(["import", path] + britain)
      #expect(report.code == .done && report.errors.contains("4 added"), "\(report.errors)")
      #expect(try await field("city", of: "hyde-park", rig) == "Leeds")
      #expect(try await field("lat", of: "kino-kaff", rig) == 53.7)
      #expect(try await field("lat", of: "cottage-road", rig) == 53.85)
      #expect(try await field("lon", of: "duke", rig) == 0.1)
      #expect(try await field("screens", of: "duke", rig) == 3)
    }
  }

  @Test("columns that nobody knows are told and left out, unless one was meant that is known")
  func unknownColumns() async throws {
    try await running { rig in
      let path = try rig.folder.write(
        "id,name,country,region,lat,lon,Remarks of ours\nrex,Rex,KR,Seoul,37.55,127.01,old\n", to: "x.csv")
      let report = await rig.command("import", path)
      #expect(report.code == .done && report.errors.contains("1 added"), "\(report.errors)")
      #expect(report.errors.contains("x.csv: not taken: the column remarks_of_ours"), "\(report.errors)")
      let meant = try rig.folder.write("id,name,lat,lon,adress\nrex,Rex,37.55,127.01,x\n", to: "y.csv")
      let refused = await rig.command("import", meant)
      #expect(refused.code == .failed && refused.errors.contains("did you mean address?"), "\(refused.errors)")
    }
  }

  @Test("numbers have a decimal comma where fields are parted by semicolons")
  func decimalComma() async throws {
    try await running { rig in
      let path = try rig.folder.write(
        "id;name;country;region;lat;lon\nrex;Rex;KR;Seoul;37,55;127,01\n", to: "semicolons.csv")
      let report = await rig.command("import", path)
      #expect(report.code == .done && report.errors.contains("1 added"), "\(report.errors)")
      #expect(try await field("lat", of: "rex", rig) == 37.55)
    }
  }

  @Test("tables as other people keep them are read: their words for columns, countries by name, points in one column")
  func otherTables() async throws {
    try await running { rig in
      for (name, text) in [
        ("a.csv", "Name;Breitengrad;Längengrad;Ort;Land\nMoos Kino;52,53;13,415;Berlin;Deutschland\n"),
        (
          "b.csv",
          "cinema_name,location,town,country,street,address\nMoos Kino,\"52.53, 13.415\",Berlin,Germany,Moosweg,Hof 2\n"
        ),
        ("c.csv", "name,wkt,city,country\nMoos Kino,POINT(13.415 52.53),Berlin,DE\n"),
        ("d.csv", "name,lat,lon,city,country\nMoos Kino,52°31'48\"\"N,13°24'54\"\"E,Berlin,DE\n"),
        ("e.json", #"[{"Name": "Moos Kino", "latitude": 52.53, "lng": "13.415", "city": "Berlin", "country": "DE"}]"#),
        (
          "f.geojson",
          #"{"type": "FeatureCollection", "features": [{"geometry": {"type": "Point", "coordinates": [13.415, 52.53]},"#
            + #""properties": {"Name": "Moos Kino", "City": "Berlin", "Country": "DE"}}]}"#
        ),
      ] {
        let report = await rig.command("import", try rig.folder.write(text, to: name), "--json")
        #expect(report.code == .done, "\(name): \(report.errors)")
        #expect(try await field("lat", of: "moos-kino", rig) == 52.53, "\(name)")
        #expect(try await field("lon", of: "moos-kino", rig) == 13.415, "\(name)")
        #expect(try await field("region", of: "moos-kino", rig) == "berlin", "\(name)")
      }
      // The second house of a name is told apart by its city, in whatever order they come.
      let two = "name,lat,lon,city,country\nMoos Kino,53.55,10,Hamburg,DE\nMoos Kino,52.53,13.415,Berlin,DE\n"
      let report = await rig.command("import", try rig.folder.write(two, to: "two.csv"))
      #expect(report.errors.contains("1 added · 0 changed · 1 unchanged"), "\(report.errors)")
      #expect(try await field("lat", of: "moos-kino-hamburg", rig) == 53.55)
    }
  }
}
