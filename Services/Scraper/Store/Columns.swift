import Calendars
import Contracts
package import Storage
import Wire

nonisolated extension CivilDate: Storable {
  package var stored: StoredValue { .text(description) }

  package init?(stored: StoredValue) {
    guard case .text(let text) = stored else { return nil }
    self.init(text)
  }
}

nonisolated extension ID: Storable {
  package var stored: StoredValue { .text(text) }

  package init?(stored: StoredValue) {
    guard case .text(let text) = stored else { return nil }
    self.init(text)
  }
}

nonisolated extension String {
  /// A day's status as it is stored; one that a later build wrote keeps its name.
  var asDayStatus: DayStatus { .named(self) }
}

/// A contract's value in one column, with the names of its fields: it is read by builds that know other fields.
nonisolated enum WireColumn {
  static func bytes(_ value: some Encodable) throws -> [UInt8] { try Wire.encode(value) }

  static func value<Value: Decodable>(_ bytes: [UInt8], as type: Value.Type = Value.self) throws -> Value {
    try Wire.decode(type, from: bytes)
  }
}
