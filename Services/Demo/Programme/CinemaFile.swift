import Atlas
import CSV
import Calendars

/// Reads the known cinemas from a file of the atlas.
nonisolated enum CinemaFile {
  static func cinemas(of atlas: Atlas, zones: ZoneDirectory) throws -> [DemoCinema] {
    var cinemas: [DemoCinema] = []
    var table = try CSVTable(atlas.bytes)
    while let row = try table.next() { cinemas.append(try cinema(row, zones)) }
    return cinemas
  }

  private static func cinema(_ row: CSVRow, _ zones: ZoneDirectory) throws -> DemoCinema {
    let id = try row.required("id")
    guard let latitude = try row.double("lat"), let longitude = try row.double("lon"),
      let zone = ZoneName(try row.required("time_zone"))
    else { throw CSVError(line: row.line, "\(id) needs lat, lon and a time_zone like Asia/Seoul") }
    var platform: PlatformCode?
    if let brand = row["dtryx_brand"], let code = row["dtryx_cinema"] {
      platform = PlatformCode(brand: brand, cinema: code)
    }
    let isActive = try row.bool("active") ?? true
    return DemoCinema(
      id: id, name: try row.required("name"), englishName: try row.required("name_en"),
      country: try row.required("country"), city: try row.required("city"), address: try row.required("address"),
      latitude: latitude, longitude: longitude, zone: try zones.rules(for: zone), platform: platform,
      isActive: isActive, format: platform == nil ? format(of: id) : .dtryx,
      habits: CinemaHabits.of(id, isActive: isActive))
  }

  /// Cinemas off the platform publish in all the ways there are; which, is settled by their id for good.
  private static func format(of id: String) -> SiteFormat { formats[id] ?? .jsonLD }

  private static let formats: [String: SiteFormat] = [
    "close-up": .microdata, "barbican": .microdata, "arzner": .microdata, "kiln": .microdata, "phoenix": .microdata,
    "chiswick-cinema": .microdata, "actone": .microdata,
    "rio": .table, "genesis": .table, "lexi": .table, "garden-cinema": .table, "coldharbour-blue": .table,
    "peckhamplex": .table,
    "arthouse-crouch-end": .ics, "bertha-dochouse": .ics, "regent-street": .ics, "throwley-yard": .ics,
    "cine-lumiere": .ics, "cine-real": .ics,
  ]
}
