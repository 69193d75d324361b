import Contracts
import RPC

/// Asks what is near, and keeps every cinema that was met: the locator then tells places and distances only, and what is
/// shown of a cinema was written before.
///
/// Nothing that is kept can be out of date, as a directory that changed has another name.
final class PlaceShelf {
  private let locator: any RPCClient<LocatorAPI>
  private var directories = RecencyMap<Int, Copy>(atMost: PlaceShelf.directoriesMax)
  /// Which directory answered last.
  private var latest: Int?
  private var latestCopy = Copy()

  /// As much of a directory as was met.
  private final class Copy {
    var cinemas: [Int: KeptCinema] = [:]
  }

  /// The one before a change, and those of locators that stand in for each other.
  private static let directoriesMax = 4
  /// All cinemas of several countries, at about 2 KB each. One that has more is begun anew.
  static let cinemasMax = 16_000

  init(locator: any RPCClient<LocatorAPI>) { self.locator = locator }

  /// The nearest first.
  func nearest(
    to origin: Coordinate, limit: Int, metresMax: Double?, _ options: CallOptions
  ) async throws(RPCError) -> [KeptNeighbour] {
    // Twice if one of them is new: a directory is known as far as it was asked for.
    for _ in 1...2 {
      let request = NearestPlaces(origin: origin, limit: limit, metresMax: metresMax, known: latest)
      if let found = neighbours(try await locator.call(request, options)) { return found }
    }
    throw RPCError(.internal, "the locator told places without their cinemas")
  }

  /// The same without a task: begins to ask, and hands over what came of it; nil in it if one of them was not met before.
  func nearest(
    to origin: Coordinate, limit: Int, metresMax: Double?, _ options: CallOptions,
    _ found: @escaping (Result<[KeptNeighbour]?, RPCError>) -> Void
  ) -> (any CallUnderWay)? {
    let request = NearestPlaces(origin: origin, limit: limit, metresMax: metresMax, known: latest)
    return locator.begin(request, options) { [self] answer in found(answer.map(neighbours)) }
  }

  /// Nil if one of them was not met before.
  private func neighbours(_ answer: PlacesNearby) -> [KeptNeighbour]? {
    let count = answer.places.count
    guard answer.metres.count == count else { return nil }
    let copy = copy(of: answer.directory)
    if let cinemas = answer.cinemas {
      guard cinemas.count == count else { return nil }
      if copy.cinemas.count + count > Self.cinemasMax { copy.cinemas = [:] }
      for index in 0..<count where copy.cinemas[answer.places[index]] == nil {
        copy.cinemas[answer.places[index]] = KeptCinema(cinemas[index])
      }
    }
    var found: [KeptNeighbour] = []
    found.reserveCapacity(count)
    for index in 0..<count {
      guard let kept = copy.cinemas[answer.places[index]] else {
        // Whoever asks next is told the cinemas too.
        latest = nil
        return nil
      }
      found.append(KeptNeighbour(kept: kept, metres: answer.metres[index]))
    }
    return found
  }

  private func copy(of directory: Int) -> Copy {
    if directory == latest { return latestCopy }
    latest = directory
    latestCopy = directories[directory] ?? Copy()
    directories.set(directory, to: latestCopy)
    return latestCopy
  }
}

/// A cinema that was met, and how far it is from a point.
nonisolated struct KeptNeighbour {
  let kept: KeptCinema
  let metres: Double

  var cinema: Cinema { kept.cinema }
  var wholeMetres: Int { Int(metres.rounded()) }
  var walkMinutes: Int { Walk.minutes(metres: metres) }
}
