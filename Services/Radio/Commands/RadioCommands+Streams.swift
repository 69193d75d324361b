import Clocks
import Contracts
import Directories
import RPC
import ServiceKit

/// `resolve`, `probe`, `play`.
extension RadioCommands {
  /// The whole way may take as long as the resolver lets it.
  private static let patience = StreamResolver.Limits.total + .seconds(5)

  var resolve: Command {
    let target = Parameter<String>.argument("ID|URL", "a station, or any address")
    return Command(
      "resolve", "follow an address to its stream, step by step",
      discussion:
        "Redirects, playlists, renditions: each with its status, type and time. Exit code 8 if nothing plays.",
      examples: [
        .init("odi-radio resolve kbs-1radio", "a station of the directory"),
        .init("odi-radio resolve https://radio.example/listen.pls", "any address, without adding it"),
      ], takes: [target] + radio.parameters
    ) { call, output in
      let text = call[target]
      let request = text.contains("://") ? TraceStream(address: text) : TraceStream(station: try stationID(text))
      let resolution = try await radio.ask(request, call, output, timeout: Self.patience)
      try output.write(Report(resolution: resolution))
      guard let stream = resolution.stream else {
        output.note("nothing plays: \(resolution.problem ?? "")")
        return .partial
      }
      output.note("\(stream.url)  \(stream.words)")
      return .done
    }
  }

  private func stationID(_ text: String) throws(CommandError) -> StationID {
    guard let id = StationID(text) else {
      throw CommandError(.usage, "\(text) is neither an address nor \(StationID.form)", try: "odi-radio list")
    }
    return id
  }

  var probe: Command {
    let ids = Parameter<[StationID]>.arguments("ID", "stations")
    let all = Parameter<Bool>.flag("all", "every station, allowed or not")
    return Command(
      "probe", "try stations' streams now: can they be heard, in which codec, at which rate",
      discussion: """
        The service tries the public ones by itself. Exit code 8 tells that some cannot be heard, or send silence; one \
        that cannot be heard twice in a row is called down. Silence is told of PCM, MP3 and AAC.
        """,
      examples: [
        .init("odi-radio probe --all --json | jq '.data[] | select(.state != \"alive\")'", "the dead list"),
        .init("odi-radio probe --all --json | jq '.data[] | select(.sends == \"silence\")'", "who sends nothing"),
      ],
      takes: [ids, all] + radio.parameters
    ) { call, output in
      guard call[all] != !call[ids].isEmpty else {
        throw CommandError(.usage, "name the stations, or say --all", try: "odi-radio list")
      }
      let probes = try await follow(ProbeStations(ids: call[all] ? nil : call[ids]), call, output)
      try output.write(Report(probes: probes))
      let alive = probes.count { $0.resolution?.stream != nil }
      let silent = probes.count { $0.resolution?.stream?.isSilent == true }
      output.note("\(alive) of \(probes.count) can be heard\(silent == 0 ? "" : "; \(silent) of them send silence")")
      return alive == probes.count && silent == 0 ? .done : .partial
    }
  }

  private func follow(_ request: ProbeStations, _ call: Invocation, _ output: Output) async throws -> [StationProbe] {
    let client: any RPCClient<RadioAPI> = try radio.client(call, output)
    var probes: [StationProbe] = []
    var progress: Progress?
    do {
      for try await probe in try await client.stream(request, CallOptions(mayRetry: false)) {
        let bar = progress ?? Progress("stations", total: probe.total, to: output, time: time)
        progress = bar
        guard let id = probe.station else { continue }
        probes.append(probe)
        if probe.resolution?.stream != nil {
          bar.advance()
        } else {
          bar.advance()
          bar.warn("✗ \(id)  \(probe.resolution?.problem ?? "")")
        }
      }
    } catch {
      throw radio.explain(error, try radio.address(call, output))
    }
    progress?.finish()
    return probes
  }

  var play: Command {
    let id = id
    return Command(
      "play", "tell how to listen to a station with a player of this machine; nothing is started",
      takes: [id] + radio.parameters
    ) { call, output in
      let resolution = try await radio.ask(TraceStream(station: call[id]), call, output, timeout: Self.patience)
      guard let stream = resolution.stream else {
        throw CommandError(
          .failed, "\(call[id]) cannot be heard", why: resolution.problem, try: "odi-radio resolve \(call[id])")
      }
      try output.write(
        Report(item: [
          (Report.Column("url"), "\(stream.url)"), (Report.Column("format"), "\(stream.words)"),
          (Report.Column("try"), "mpv --no-video '\(stream.url)'"),
        ]))
      return .done
    }
  }
}

nonisolated extension Resolution.Found {
  /// `hls aac 96 kbit/s`
  var words: String {
    [kind == .hls ? "hls" : nil, codec, kilobits.map { "\($0) kbit/s" }, sampleRate.map { "\($0) Hz" }]
      .compactMap { $0 }.joined(separator: " ")
  }
}
