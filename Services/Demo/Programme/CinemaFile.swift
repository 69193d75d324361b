import Atlas
import Calendars

/// Reads the known cinemas from a file of the atlas.
nonisolated enum CinemaFile {
  static func cinemas(of atlas: Atlas, zones: ZoneDirectory) throws -> [DemoCinema] {
    let lines = atlas.text.split(separator: "\n").map { fields(of: $0) }
    guard let header = lines.first else { throw CinemaFileError(file: atlas.name, line: 1, "it is empty") }
    return try lines.dropFirst().enumerated().map { index, fields in
      guard fields.count == header.count else {
        throw CinemaFileError(file: atlas.name, line: index + 2, "it has \(fields.count) fields, not \(header.count)")
      }
      let row = Dictionary(uniqueKeysWithValues: zip(header, fields))
      do {
        return try cinema(row, zones)
      } catch {
        throw CinemaFileError(file: atlas.name, line: index + 2, "\(error)")
      }
    }
  }

  private static func cinema(_ row: [String: String], _ zones: ZoneDirectory) throws -> DemoCinema {
    func text(_ column: String) throws -> String {
      guard let value = row[column], !value.isEmpty else { throw MissingColumn(name: column) }
      return value
    }
    let id = try text("id")
    guard let latitude = Double(try text("lat")), let longitude = Double(try text("lon")) else {
      throw MissingColumn(name: "lat and lon")
    }
    guard let zone = ZoneName(try text("time_zone")) else { throw MissingColumn(name: "time_zone") }
    let (brand, code) = (row["dtryx_brand"] ?? "", row["dtryx_cinema"] ?? "")
    let platform = brand.isEmpty || code.isEmpty ? nil : PlatformCode(brand: brand, cinema: code)
    let isActive = row["active"] != "0"
    return DemoCinema(
      id: id, name: try text("name"), englishName: try text("name_en"), country: try text("country"),
      city: try text("city"), address: try text("address"), latitude: latitude, longitude: longitude,
      zone: try zones.rules(for: zone), platform: platform, isActive: isActive,
      format: platform == nil ? format(of: id) : .dtryx, habits: CinemaHabits.of(id, isActive: isActive))
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

  private struct MissingColumn: Error, CustomStringConvertible {
    let name: String
    var description: String { "\(name) is missing" }
  }

  /// The fields of a line; quotes may hold commas, a doubled quote is one.
  private static func fields(of line: Substring) -> [String] {
    var fields: [[UInt8]] = [[]]
    var isQuoted = false
    var bytes = line.utf8.makeIterator()
    var next = bytes.next()
    while let byte = next {
      next = bytes.next()
      switch byte {
      case UInt8(ascii: "\"") where isQuoted && next == UInt8(ascii: "\""):
        fields[fields.count - 1].append(byte)
        next = bytes.next()
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted: fields.append([])
      case UInt8(ascii: "\r"): break
      default: fields[fields.count - 1].append(byte)
      }
    }
    return fields.map { String(decoding: $0, as: UTF8.self) }
  }
}

/// A line of the atlas that is none. The atlas is compiled in, so this is found by its tests.
nonisolated struct CinemaFileError: Error, CustomStringConvertible {
  let description: String

  init(file: String, line: Int, _ reason: String) { description = "\(file), line \(line): \(reason)" }
}
