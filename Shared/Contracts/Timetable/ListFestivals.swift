package import Calendars
package import RPC
import Wire

/// The festivals, those that end last first.
package struct ListFestivals: RPCRequest, Hashable, WireLayout {
  package typealias Service = TimetableAPI
  package typealias Response = [Festival]
  package static let method: MethodID = 0x0601
  package static let safety: Safety = .read

  /// Only those that this date is a day of.
  package var activeOn: CivilDate?
  /// Only these. Ones that are not there are left out.
  package var ids: [FestivalID]?
  /// 1...200.
  package var limit: Int

  package init(activeOn: CivilDate? = nil, ids: [FestivalID]? = nil, limit: Int) {
    self.activeOn = activeOn
    self.ids = ids
    self.limit = limit
  }
}
