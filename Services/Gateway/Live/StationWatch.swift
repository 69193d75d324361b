import Clocks
import Contracts
import RPC

/// Looks now and then at the stations that readers of events listen to or have among their favourites, and tells what
/// changed. The radio service reads a stream's titles only while somebody asks for them, so it is asked, and no feed is
/// followed; however many listen, a station is asked for once.
final class StationWatch {
  nonisolated enum Limits {
    /// The radio service reads a title anew as often.
    static let every: Duration = .seconds(15)
    /// Reading a title is a connection to its station.
    static let titles = 64
    /// Of the contract.
    static let stations = 1_000
    /// Asked at once.
    static let together = 8
    /// Users whose favourites are asked for with one look; the others have their turn with the next.
    static let users = 64
    /// A station may take long to tell what it plays.
    static let patience: Duration = .seconds(12)
  }

  /// What makes a title another than the one before.
  private struct Told: Equatable {
    var text: String?
    var programme: String?
    var endsAt: WallTime?
  }

  private let hub: LiveHub
  private let radio: any RPCClient<RadioAPI>
  private let time: any TimeSource
  /// What was told last of those that somebody listens to.
  private var titles: [StationID: Told] = [:]
  private var isDown: [StationID: Bool] = [:]
  private var watching: Task<Void, Never>?

  init(_ hub: LiveHub, radio: any RPCClient<RadioAPI>, time: any TimeSource) {
    self.hub = hub
    self.radio = radio
    self.time = time
  }

  func start() {
    guard watching == nil else { return }
    watching = Task { [weak self, time] in
      while !Task.isCancelled, (try? await time.sleep(for: Limits.every)) != nil { await self?.look() }
    }
  }

  func stop() {
    watching?.cancel()
    watching = nil
  }

  private func look() async {
    hub.askForFavourites(atMost: Limits.users)
    let (heard, liked) = hub.stations
    let all = heard.union(liked)
    titles = titles.filter { heard.contains($0.key) }
    isDown = isDown.filter { all.contains($0.key) }
    guard !all.isEmpty else { return }
    // Those that are heard first, if there are more than can be asked for.
    let wanted = heard.sorted() + liked.subtracting(heard).sorted()
    let options = CallOptions(timeout: Limits.patience)
    let found = await outcome { () throws(RPCError) in
      try await radio.call(StationsByID(ids: Array(wanted.prefix(Limits.stations))), options)
    }
    // While the service is away nothing is known, and nothing told.
    guard let stations = try? found.get(), !Task.isCancelled else { return }
    for station in stations {
      guard let health = station.health else { continue }
      let was = isDown.updateValue(health.state == .down, forKey: station.id)
      if health.state == .down, was == false { hub.announce(.down(station.id, health), of: station.id) }
    }
    await tellTitles(of: stations.filter { heard.contains($0.id) && $0.health?.state != .down }.map(\.id), options)
  }

  private func tellTitles(of stations: [StationID], _ options: CallOptions) async {
    var rest = stations.prefix(Limits.titles)
    while !rest.isEmpty, !Task.isCancelled {
      let batch = rest.prefix(Limits.together)
      rest = rest.dropFirst(batch.count)
      let found = await withTaskGroup(of: StationTitle?.self) { lanes in
        for station in batch {
          lanes.addTask { [radio] in
            // One that may only be linked to tells nothing.
            try? await radio.call(NowPlaying(station: station), options)
          }
        }
        var found: [StationTitle] = []
        for await title in lanes { if let title { found.append(title) } }
        return found
      }
      for title in found {
        guard title.text != nil || title.programme != nil else { continue }
        let told = Told(text: title.text, programme: title.programme, endsAt: title.endsAt)
        guard titles.updateValue(told, forKey: title.station) != told else { continue }
        hub.announce(.nowPlaying(title), of: title.station)
      }
    }
  }
}
