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
