package import Calendars
package import RPC
import Wire

/// A festival as a file that other programs read.
package struct ExportFestival: RPCRequest, Hashable, WireLayout {
  package typealias Service = TimetableAPI
  package typealias Response = FestivalFile
  package static let method: MethodID = 0x0606
  package static let safety: Safety = .read

  package var festival: FestivalID
  package var format: FestivalFormat
  /// Only the sessions of this day. Nil: all; where no message holds them, days have to be asked for one by one.
  package var day: CivilDate?

  package init(festival: FestivalID, format: FestivalFormat, day: CivilDate? = nil) {
    self.festival = festival
    self.format = format
    self.day = day
  }
}

package struct FestivalFile: Codable, Hashable, Sendable, WireLayout {
  package var bytes: [UInt8]
  package var revision: Int64

  package init(bytes: [UInt8], revision: Int64) {
    self.bytes = bytes
    self.revision = revision
  }
}

/// The formats in which programmes travel.
package enum FestivalFormat: GrowingEnum {
  /// `schedule.xml`, of pentabarf, frab and pretalx
  case xml
  /// `schedule.json`, of the same
  case json
  /// The answers of octav, both in one object
  case octav
  /// iCalendar
  case ics
  /// A table with a column for each field
  case csv
  case unknown(String)

  package static let known: [FestivalFormat] = [.xml, .json, .octav, .ics, .csv]

  package var rawValue: String {
    switch self {
    case .xml: "xml"
    case .json: "json"
    case .octav: "octav"
    case .ics: "ics"
    case .csv: "csv"
    case .unknown(let name): name
    }
  }
}
