package import Calendars
package import Contracts
import RPC

/// Where something is.
extension DraftCheck {
  package mutating func position(_ latitude: Field, _ longitude: Field) -> Coordinate? {
    let degrees: (latitude: Double?, longitude: Double?) = (
      degrees(latitude, "degrees such as 37.5663"), degrees(longitude, "degrees such as 126.9779")
    )
    guard let north = degrees.latitude, let east = degrees.longitude else { return nil }
    if abs(north) > 90, abs(east) <= 90, abs(north) <= 180 {
      note("\(latitude.rawValue) is \(north) and \(longitude.rawValue) is \(east); they are probably swapped")
      return nil
    }
    do throws(RPCError) {
      return try Coordinate(latitude: north, longitude: east)
    } catch {
      note(error.message)
      return nil
    }
  }

  private mutating func degrees(_ field: Field, _ form: String) -> Double? {
    guard let text = text(field, isRequired: true) else { return nil }
    guard let degrees = Degrees(text) else {
      note("\(field.rawValue) is \(text), not \(form)")
      return nil
    }
    return degrees.value
  }

  /// - Parameter otherwise: what it is where none is said, if that is known.
  package mutating func country(_ field: Field, otherwise: String? = nil) -> String? {
    if let otherwise, texts[field] == nil { return otherwise }
    guard let text = text(field, isRequired: true) else { return nil }
    guard let code = CountryName.code(of: text) else {
      note("\(field.rawValue) is \(text); write two letters such as KR")
      return nil
    }
    return code
  }

  /// - Parameter only: the one that its country has, if it has one only.
  package mutating func zone(_ field: Field, only: String?, in zones: ZoneDirectory) -> ZoneName? {
    if let only, texts[field] == nil { return ZoneName(only) }
    guard let zone: ZoneName = required(field, ZoneName.form) else { return nil }
    guard (try? zones.rules(for: zone)) != nil else {
      note("\(field.rawValue) is \(zone), which this machine does not know")
      return nil
    }
    return zone
  }
}
