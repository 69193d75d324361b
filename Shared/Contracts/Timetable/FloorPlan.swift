package import RPC
import Wire

/// The map of a floor: a drawing in which rooms are links.
package struct FloorPlan: RPCRequest, Hashable, WireLayout {
  package typealias Service = TimetableAPI
  package typealias Response = FloorDrawing
  package static let method: MethodID = 0x0605
  package static let safety: Safety = .read

  package var festival: FestivalID
  package var floor: FloorID

  package init(festival: FestivalID, floor: FloorID) {
    self.festival = festival
    self.floor = floor
  }
}

package struct FloorDrawing: Codable, Hashable, Sendable, WireLayout {
  /// SVG with nothing in it that acts or that is fetched from elsewhere.
  package var svg: String
  package var revision: Int64

  package init(svg: String, revision: Int64) {
    self.svg = svg
    self.revision = revision
  }
}
