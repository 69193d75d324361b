import CAtlas

/// A list of known cinemas, films or radio stations as a CSV file, compiled into the binary.
///
///     for file in Atlas.all { try directory.import(file.bytes, named: file.name) }
package struct Atlas: Sendable {
  /// `korea.csv`: for messages about a line of it.
  package let name: String
  /// UTF-8, a line of column names first. The README says what the columns are.
  package let bytes: [UInt8]

  private init(_ name: String, _ file: odi_atlas_file) {
    self.name = name
    bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }

  /// Independent cinemas of South Korea, most of them on one ticketing platform.
  package static let korea = Atlas("korea.csv", odi_atlas_korea())

  /// Independent cinemas of London, each with a site of its own.
  package static let london = Atlas("london.csv", odi_atlas_london())

  /// Radio stations, most of them Korean: where their streams were said to be. None of them has given us leave.
  package static let stations = Atlas("stations.csv", odi_atlas_stations())

  /// The lists of cinemas.
  package static let all = [korea, london]

  /// Films that a catalogue begins with: a century of cinema, much of it Korean and Japanese.
  package static let films = Atlas("films.csv", odi_atlas_films())

  /// How the directors of those films write their names in their own letters, and what others make of these.
  package static let people = Atlas("people.csv", odi_atlas_people())

  package var text: String { String(decoding: bytes, as: UTF8.self) }
}
