package import Contracts
import Drafts
import JSON
import ServiceKit

nonisolated extension ID: ArgumentValue {
  package static var wanted: String { form }
  package static var valueName: String { "ID" }
  package init?(argument: String) { self.init(argument) }
  package var argument: String { text }
}

/// `37.5663,126.9779`
nonisolated extension Coordinate: SettingValue {
  package static var wanted: String { "LAT,LON in degrees, such as 37.5663,126.9779" }
  package static var valueName: String { "LAT,LON" }
  package init?(argument: String) {
    guard let (latitude, longitude) = Self.numbers(argument),
      let position = try? Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    self = position
  }
  package static func remark(on argument: String) -> String? {
    guard let (first, second) = numbers(argument),
      let position = try? Coordinate(latitude: second, longitude: first)
    else { return nil }
    return "they are probably swapped: \(position.argument)"
  }
  private static func numbers(_ argument: String) -> (Double, Double)? {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0.trimmed) }
    guard parts.count == 2, let first = parts[0], let second = parts[1] else { return nil }
    return (first, second)
  }
  package var argument: String { "\(latitude),\(longitude)" }
}
