package import Calendars
package import RPC
import Wire

/// The festivals, those that end last first; with a point, the nearest first.
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
  /// So many are left out.
  package var offset: Int?
  /// From here the nearest first; those that do not say where they are last.
  package var near: Coordinate?

  package init(
    activeOn: CivilDate? = nil, ids: [FestivalID]? = nil, limit: Int, offset: Int? = nil, near: Coordinate? = nil
  ) {
    self.activeOn = activeOn
    self.ids = ids
    self.limit = limit
    self.offset = offset
    self.near = near
  }
}
