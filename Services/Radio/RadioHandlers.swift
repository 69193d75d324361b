import Clocks
import Contracts
import RPC

/// Answers the radio's contracts. Stations that nobody has allowed us to show are as if they were not there.
struct RadioHandlers {
  let stations: LiveStations
  let shelf: StreamShelf
  let titles: TitleBook
  let programmes: ProgrammeGuide
  let relay: Relay
  let time: any TimeSource

  private enum Limits {
    static let textBytes = 400
  }

  func register(on router: RPCRouter) {
    router.on(ListStations.self) { (request: ListStations, _: borrowing CallContext) in
      if let text = request.text, text.utf8.count > Limits.textBytes {
        throw RPCError(
          .invalidArgument, "the text has \(text.utf8.count) bytes; at most \(Limits.textBytes) are searched")
      }
      var sections = stations.current.list(request, at: time.wall)
      for index in sections.indices {
        sections[index].stations = sections[index].stations.map { stations.withHealth($0) }
      }
      return StationList(sections: sections, revision: stations.current.revision)
    }
    router.on(StationsByID.self) { (request: StationsByID, _: borrowing CallContext) in
      try RPCError.check(count: request.ids.count, of: "ids", atMost: StationsByID.idsMax)
      return request.ids.compactMap { stations.open($0).map { stations.withHealth($0.record.station) } }
    }
    router.on(ResolveStation.self) { (request: ResolveStation, _: CallContext) in try await resolve(request.station) }
    router.on(NowPlaying.self) { (request: NowPlaying, _: CallContext) in
      try await nowPlaying(request.station)
    }
    router.on(StationAudio.self) { (request: StationAudio, _: CallContext, writer: StreamWriter<AudioPiece>) in
      let (record, use) = try playable(request.station)
      guard use == .relay else {
        throw RPCError(.permissionDenied, "the rights of \(record.station.name) do not allow to pass its sound on")
      }
      let (stream, _) = try await stream(of: record)
      guard stream.kind == .progressive else {
        throw RPCError(.permissionDenied, "\(record.station.name) comes in pieces that players fetch themselves")
      }
      do {
        try await relay.pass(stream, to: writer, for: request.asker) { stations.open(record.station.id)?.use == .relay }
      } catch let error as RPCError where error.code == .unavailable {
        // Its address may have died since it was found.
        shelf.forget(record.station.id)
        var told = error
        told.message = Self.silence(of: record)
        told.cause = error
        throw told
      }
    }
  }

  private func nowPlaying(_ id: StationID) async throws -> NowPlaying.Response {
    let record = try playable(id).record
    let broadcast = await programmes.broadcast(of: record)
    let title = await titles.title(of: record)
    return broadcast.map { Self.during($0, title) } ?? title
  }

  private static func during(
    _ broadcast: ProgrammeGuide.Broadcast, _ title: NowPlaying.Response
  ) -> NowPlaying.Response {
    var title = title
    (title.programme, title.endsAt) = (broadcast.title, broadcast.endsAt)
    title.expiresAt = min(title.expiresAt, broadcast.endsAt)
    return title
  }

  private func resolve(_ id: StationID) async throws -> ResolvedStream {
    let (record, use) = try playable(id)
    let (stream, expiresAt) = try await stream(of: record)
    return ResolvedStream(
      station: id, url: stream.url, mediaType: stream.mediaType, kind: stream.kind, codec: stream.codec,
      kilobits: stream.kilobits, expiresAt: expiresAt, isRelayed: use == .relay && stream.kind == .progressive,
      isDemo: record.station.isDemo)
  }

  private func stream(of record: StationRecord) async throws -> (Resolution.Found, expiresAt: WallTime) {
    let (resolution, expiresAt) = await shelf.resolution(of: record)
    guard let stream = resolution.stream else {
      throw RPCError(
        .unavailable, Self.silence(of: record), executed: .no, retryAfter: StreamShelf.Limits.failed)
    }
    return (stream, expiresAt)
  }

  /// Addresses are operators' business; the public learns that it is silent, and no more.
  private static func silence(of record: StationRecord) -> String { "\(record.station.name) cannot be heard just now" }

  private func playable(_ id: StationID) throws(RPCError) -> (record: StationRecord, use: StationUse) {
    guard let (record, use) = stations.open(id) else { throw RPCError(.notFound, "no station has the id \(id)") }
    guard use != .link else {
      let place = record.station.website.map { ": \($0)" } ?? "; it has no website"
      throw RPCError(.permissionDenied, "\(record.station.name) may only be linked to\(place)")
    }
    return (record, use)
  }
}
