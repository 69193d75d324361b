import Calendars
package import Clocks
package import Contracts
package import RPC

/// A directory of six invented cinemas.
@MainActor
package final class FakeLocator {
  package let manners = FakeManners()
  package let router = RPCRouter(service: "locator")
  package var cinemas: [Cinema]
  /// Those that were taken out.
  package var former: [FormerCinema] = []
  package var revision: Int64 = 1
  private let time: any TimeSource
  private var followers: [StreamWriter<DirectoryChange>] = []

  var ids: [CinemaID] { cinemas.map(\.id) }

  package var client: any RPCClient<LocatorAPI> { InProcessClient(of: LocatorAPI.self, router, time: time) }

  package init(time: any TimeSource) {
    self.time = time
    cinemas = Self.invented
    router.on(NearestCinemas.self, manners) { [self] request in
      nearest(request.origin, limit: request.limit, metresMax: request.metresMax)
    }
    router.on(NearestPlaces.self, manners) { [self] request in
      let found = nearest(try request.origin, limit: request.limit, metresMax: request.metresMax)
      let name = Int(revision)
      return PlacesNearby(
        directory: name, places: found.compactMap { near in cinemas.firstIndex { $0.id == near.cinema.id } },
        metres: found.map(\.metres), cinemas: request.known == name ? nil : found.map(\.cinema))
    }
    router.on(CinemasInBox.self, manners) { [self] request in
      let (low, high) = (request.southWest, request.northEast)
      return Array(
        cinemas.filter { cinema in
          let point = cinema.position
          return cinema.isActive && point.latitude >= low.latitude && point.latitude <= high.latitude
            && (low.longitude <= high.longitude
              ? point.longitude >= low.longitude && point.longitude <= high.longitude
              : point.longitude >= low.longitude || point.longitude <= high.longitude)
        }.prefix(request.limit))
    }
    router.on(CinemasByID.self, manners) { [self] request in
      request.ids.compactMap { id in cinemas.first { $0.id == id } }
    }
    router.on(FormerCinemas.self, manners) { [self] request in
      request.ids.compactMap { id in former.first { $0.id == id } }
    }
    router.on(ListCinemas.self, manners) { [self] request in
      let all = cinemas.sorted { $0.id < $1.id }.filter { cinema in
        (cinema.isActive || request.includesInactive == true) && (request.region.map { $0 == cinema.region } ?? true)
          && (request.after.map { cinema.id > $0 } ?? true)
      }
      return CinemaPage(
        cinemas: Array(all.prefix(request.limit)), hasMore: all.count > request.limit, revision: revision)
    }
    router.on(FindCinemas.self, manners) { [self] request in
      let text = request.text.lowercased()
      return cinemas.compactMap { cinema in
        for name in [cinema.name, cinema.nameEnglish ?? ""] {
          guard let range = name.lowercased().firstRange(of: text) else { continue }
          let start = name.lowercased().utf8.distance(from: name.lowercased().startIndex, to: range.lowerBound)
          return CinemaHit(cinema: cinema, score: 1, matched: name, highlights: [start, start + text.utf8.count])
        }
        guard let city = cinema.city, city.lowercased().hasPrefix(text) else { return nil }
        return CinemaHit(cinema: cinema, score: 1, matched: city, highlights: [0, text.utf8.count])
      }
    }
    router.on(Regions.self, manners) { [self] _ in
      Dictionary(grouping: cinemas.filter(\.isActive)) { $0.region }.sorted { $0.key < $1.key }.map { region, members in
        Contracts.Region(
          id: region, name: region, country: members[0].country, cinemas: members.count, center: members[0].position)
      }
    }
    router.on(DirectoryChanges.self) {
      [self] (request: DirectoryChanges, context: CallContext, writer: StreamWriter<DirectoryChange>) in
      try await manners.pass("DirectoryChanges", context)
      try await writer.send(DirectoryChange(revision: revision))
      followers.append(writer)
      try await time.sleep(for: .seconds(86_400))
    }
  }

  /// Tells whoever follows the directory that a cinema is now this; what is asked for tells of `cinemas`.
  package func announce(_ cinema: Cinema) async {
    revision += 1
    for follower in followers { try? await follower.send(DirectoryChange(revision: revision, cinema: cinema)) }
  }

  private func nearest(_ origin: Coordinate, limit: Int, metresMax: Double?) -> [NearbyCinema] {
    Array(
      cinemas.filter(\.isActive).map { NearbyCinema(cinema: $0, metres: origin.metres(to: $0.position)) }
        .filter { $0.metres <= metresMax ?? .infinity }
        .sorted { ($0.metres, $0.cinema.id) < ($1.metres, $1.cinema.id) }.prefix(limit))
  }

  private static let invented: [Cinema] = [
    cinema("lantern", "등불극장", "Lantern Cinema", "KR", "seoul", 37.5663, 126.9779, "Asia/Seoul"),
    cinema("moonlight", "달빛시네마", "Moonlight", "KR", "seoul", 37.5721, 126.969, "Asia/Seoul"),
    cinema("harbour", "항구영화관", "Harbour House", "KR", "busan", 35.1151, 129.0422, "Asia/Seoul"),
    cinema("paperboat", "The Paper Boat", nil, "GB", "london", 51.5136, -0.1315, "Europe/London"),
    cinema("owl", "The Owl Picturehouse", nil, "GB", "london", 51.4613, -0.1156, "Europe/London"),
    cinema("shut", "닫은극장", "Shut Cinema", "KR", "seoul", 37.55, 126.99, "Asia/Seoul", isActive: false),
  ]

  private static func cinema(
    _ id: String, _ name: String, _ english: String?, _ country: String, _ region: String, _ latitude: Double,
    _ longitude: Double, _ zone: String, isActive: Bool = true
  ) -> Cinema {
    guard let id = CinemaID(id), let point = try? Coordinate(latitude: latitude, longitude: longitude),
      let zone = ZoneName(zone)
    else { preconditionFailure("a cinema of the fake world is wrong") }
    return Cinema(
      id: id, name: name, nameEnglish: english, country: country, region: region, position: point, zone: zone,
      screens: 2, website: "https://\(id).example", isActive: isActive)
  }
}
