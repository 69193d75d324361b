import Contracts
import RPC

extension RPCClient where Service == LocatorAPI {
  /// The nearest to a point, and why they are not all within the distance that was asked for; nil if they are, or if only
  /// some were wanted.
  func cinemas(
    around origin: Coordinate, limit: Int = NearestCinemas.limitMax, metresMax: Double? = nil, _ options: CallOptions
  ) async throws(RPCError) -> (near: [NearbyCinema], cut: String?) {
    let found = try await call(NearestCinemas(origin: origin, limit: limit + 1, metresMax: metresMax), options)
    guard found.count > NearestCinemas.limitMax else { return (Array(found.prefix(limit)), nil) }
    return (
      Array(found.prefix(limit)), "only the nearest \(limit) cinemas were looked at; give a smaller radius_m"
    )
  }

  /// Those inside a box, and whether there are more.
  func cinemas(in box: Box, _ options: CallOptions) async throws(RPCError) -> (cinemas: [Cinema], isCut: Bool) {
    let found = try await call(
      CinemasInBox(southWest: box.southWest, northEast: box.northEast, limit: CinemasInBox.askedMax), options)
    return (Array(found.prefix(CinemasInBox.limitMax)), found.count > CinemasInBox.limitMax)
  }
}
