package import RPC
import Wire

/// Every source and how it is.
package struct Sources: RPCRequest, Hashable, WireLayout {
  package typealias Service = ScraperAPI
  package typealias Response = [ScheduleSource]
  package static let method: MethodID = 0x0209
  package static let safety: Safety = .read

  package static let cinemasMax = 1_000

  /// At most ``cinemasMax``; nil: all.
  package var cinemas: [CinemaID]?

  package init(cinemas: [CinemaID]? = nil) {
    self.cinemas = cinemas
  }
}
