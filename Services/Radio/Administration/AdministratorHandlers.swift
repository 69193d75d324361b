import Clocks
import Contracts
import Drafts
import RPC

/// Answers the radio's administrators: what changes the directory, and what tells about stations.
struct AdministratorHandlers {
  let stations: LiveStations
  let store: RadioStore
  let shelf: StreamShelf
  let prober: Prober
  let titles: TitleBook
  let time: any TimeSource

  private enum Limits {
    /// With texts as long as they may be, a page still fits in a message.
    static let page = 1...500
    static let batch = 500
    static let history = 1...1_000
    static let editorBytes = 100
    static let ids = 1_000
    /// Stations tried at once on demand: the operator waits.
    static let probesTogether = 8
  }

  func register(on router: RPCRouter) {
    router.on(AllStations.self) { (request: AllStations, _: borrowing CallContext) in try entries(request) }
    router.on(PutStations.self) { (request: PutStations, _: CallContext) in try await put(request) }
    router.on(RemoveStation.self) { (request: RemoveStation, _: CallContext) in
      guard let edit = try await store.remove(request.id, by: editor(request.editor), at: time.wall) else {
        throw RPCError(.notFound, "there is no station \(request.id)")
      }
      shelf.forget(request.id)
      try await stations.reload()
      return edit
    }
    router.on(StationHistory.self) { (request: StationHistory, _: CallContext) in
      guard Limits.history.contains(request.limit) else {
        throw RPCError(.invalidArgument, "limit is \(request.limit); ask for 1...\(Limits.history.upperBound)")
      }
      return try await store.history(of: request.station, before: request.before, limit: request.limit)
    }
    router.on(SeedStations.self) { (_: SeedStations, _: CallContext) in try await stations.seed() }
    router.on(TraceStream.self) { (request: TraceStream, _: CallContext) in try await trace(request) }
    router.on(ProbeStations.self) { (request: ProbeStations, _: CallContext, writer: StreamWriter<StationProbe>) in
      try await probe(request, writer)
    }
  }

  private func entries(_ request: AllStations) throws(RPCError) -> [StationEntry] {
    guard Limits.page.contains(request.limit), request.offset >= 0 else {
      throw RPCError(.invalidArgument, "limit is \(request.limit); ask for 1...\(Limits.page.upperBound)")
    }
    let section = request.section.map(KnownSection.slug)
    let all = try request.ids.map { ids throws(RPCError) in try records(ids) } ?? stations.current.found(request.text)
    return all.filter { section == nil || $0.station.section == section }
      .dropFirst(request.offset).prefix(request.limit).map { record in
        StationEntry(
          record: record, health: stations.health[record.id], hiddenBecause: record.hiddenBecause(at: time.wall))
      }
  }

  private func records(_ ids: [StationID]) throws(RPCError) -> [StationRecord] {
    guard ids.count <= Limits.ids else {
      throw RPCError(.invalidArgument, "\(ids.count) ids; ask for at most \(Limits.ids) at once")
    }
    var records: [StationRecord] = []
    for id in ids {
      guard let record = stations.current[id] else { throw RPCError(.notFound, "there is no station \(id)") }
      records.append(record)
    }
    return records
  }

  private func put(_ request: PutStations) async throws -> [StationEdit] {
    guard request.records.count <= Limits.batch else {
      throw RPCError(.invalidArgument, "\(request.records.count) stations; send at most \(Limits.batch) at once")
    }
    let editor = editor(request.editor)
    if request.isDryRun {
      return try await store.plan(request.records, by: editor, at: time.wall, mustBeNew: request.mustBeNew)
    }
    return try await stations.add(request.records, by: editor, mustBeNew: request.mustBeNew)
  }

  private func trace(_ request: TraceStream) async throws -> Resolution {
    if let id = request.station {
      return await shelf.resolution(of: try records([id])[0], isFresh: true).0
    }
    guard let address = request.address else {
      throw RPCError(.invalidArgument, "name a station or an address")
    }
    return await shelf.trace(address)
  }

  private func probe(_ request: ProbeStations, _ writer: StreamWriter<StationProbe>) async throws {
    let wanted = try request.ids.map { ids throws(RPCError) in try records(ids) }
    var rest = (wanted ?? stations.current.records.filter(\.isActive))[...]
    let total = rest.count
    try await writer.send(StationProbe(total: total))
    while !rest.isEmpty {
      let batch = rest.prefix(Limits.probesTogether)
      rest = rest.dropFirst(batch.count)
      let probes = await prober.probe(Array(batch))
      let titles = await titles(
        of: batch.filter { record in
          probes.contains { $0.station == record.id && $0.resolution.stream != nil }
        })
      for probe in probes {
        var found = StationProbe(
          total: total, station: probe.station, health: probe.health, resolution: probe.resolution)
        found.title = titles[probe.station]
        try await writer.send(found)
      }
      try Task.checkCancellation()
    }
  }

  /// What stations say that they play; those that mix no titles in are not waited for.
  private func titles(of records: [StationRecord]) async -> [StationID: String] {
    await withTaskGroup(of: (StationID, String?).self) { lanes in
      for record in records { lanes.addTask { (record.id, await titles.title(of: record).text) } }
      var found: [StationID: String] = [:]
      for await (id, text) in lanes { found[id] = text }
      return found
    }
  }

  private func editor(_ text: String) -> String {
    text.prefix(bytes: Limits.editorBytes)
  }
}
