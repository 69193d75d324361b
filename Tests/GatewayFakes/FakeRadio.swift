package import Clocks
package import Contracts
package import RPC

/// Four invented stations: one that we may pass on, one that players may open, one to link to, one that is silent.
@MainActor
package final class FakeRadio {
  package let manners = FakeManners()
  package let router = RPCRouter(service: "radio")
  private let time: any TimeSource
  /// Streams of sound that are open now.
  package private(set) var listeners = 0
  /// What every station says that it plays.
  package var playing = "Satie - Gymnopédie"
  /// What the programme of every station says is on.
  package var programme: (title: String, endsAt: WallTime)?
  /// Stations that fell silent.
  package var silent: Set<StationID> = []
  package var stations = standing
  private var whenLeft: [CheckedContinuation<Void, Never>] = []

  package var client: any RPCClient<RadioAPI> { InProcessClient(of: RadioAPI.self, router, time: time) }

  package init(time: any TimeSource) {
    self.time = time
    router.on(ListStations.self, manners) { [self] request in
      let stations = stations.filter { station in
        (request.section.map { $0 == station.section } ?? true)
          && (request.text.map { station.name.lowercased().contains($0.lowercased()) } ?? true)
      }
      let sections = ["film", "music"].compactMap { section -> StationSection? in
        let members = stations.filter { $0.section == section }
        return members.isEmpty ? nil : StationSection(id: section, name: section, stations: members)
      }
      return StationList(sections: sections, revision: 1)
    }
    router.on(StationsByID.self, manners) { [self] request in
      request.ids.compactMap { id in stations.first { $0.id == id } }.map { station in
        var station = station
        if silent.contains(station.id) { station.health?.state = .down }
        return station
      }
    }
    router.on(ResolveStation.self, manners) { request in
      let station = try Self.station(request.station)
      return ResolvedStream(
        station: station.id, url: "http://stream.example/\(station.id)", mediaType: "audio/mpeg", kind: .progressive,
        codec: "mp3", kilobits: 128, expiresAt: WallTime(milliseconds: time.wall.milliseconds + 600_000),
        isRelayed: station.rights?.use == .relay, isDemo: station.isDemo)
    }
    router.on(NowPlaying.self, manners) { [self] request in
      let station = try Self.station(request.station)
      var title = StationTitle(
        station: station.id, text: playing, artist: "Satie", title: String(playing.dropFirst(8)), asOf: time.wall,
        expiresAt: time.wall)
      (title.programme, title.endsAt) = (programme?.title, programme?.endsAt)
      return title
    }
    router.on(StationAudio.self) {
      [self] (request: StationAudio, context: CallContext, writer: StreamWriter<AudioPiece>) in
      try await manners.pass("StationAudio", context)
      let station = try Self.station(request.station)
      guard station.rights?.use == .relay else { throw RPCError(.permissionDenied, "it may not be passed on") }
      listeners += 1
      defer { left() }
      try await writer.send(AudioPiece(bytes: Array("RIFF".utf8), mediaType: "audio/wav"))
      try await writer.send(AudioPiece(bytes: Array("sound".utf8)))
      try await time.sleep(for: .seconds(86_400))
    }
  }

  private func left() {
    listeners -= 1
    let woken = whenLeft
    whenLeft = []
    for waiter in woken { waiter.resume() }
  }

  /// Waits until nobody listens any more.
  package func silence() async {
    while listeners > 0 { await withCheckedContinuation { whenLeft.append($0) } }
  }

  private static func station(_ id: StationID) throws(RPCError) -> Station {
    guard let station = standing.first(where: { $0.id == id }) else {
      throw RPCError(.notFound, "no station has the id \(id)")
    }
    if station.rights?.use == .link { throw RPCError(.permissionDenied, "it may only be linked to") }
    if station.health?.state == .down { throw RPCError(.unavailable, "it cannot be heard", retryAfter: .seconds(20)) }
    return station
  }

  private static let standing = [
    station("lantern", "등불 라디오", "film", .relay, .alive), station("reel", "Reel FM", "film", .play, .alive),
    station("paper", "Paper Radio", "music", .link, nil), station("ghost", "Ghost Radio", "music", .play, .down),
  ]

  private static func station(
    _ id: String, _ name: String, _ section: String, _ use: StationUse, _ state: StreamState?
  ) -> Station {
    guard let id = StationID(id) else { preconditionFailure("a station of the fake world is wrong") }
    let health = state.map {
      StationHealth(state: $0, checkedAt: WallTime(milliseconds: 1_790_000_000_000), codec: "mp3", kilobits: 128)
    }
    return Station(
      id: id, name: name, nameEnglish: "\(id)", section: section, tags: ["film"], language: "ko",
      website: "https://\(id).example", rights: StationRights(owner: "X", licence: "CC0-1.0", proof: "p", use: use),
      health: health, isDemo: true)
  }
}
