import EventLoops
import JSON
import RPC

/// `record` and `replay`: what a service answers today, and whether another version answers the same.
struct RecordingCommands {
  let access: ServiceAccess

  var all: [Command] { [record, replay] }

  // MARK: record

  private static let out = Parameter<String?>.optionalOption("out", "the file to make", completion: .files)
  private static let seconds = Parameter<Int>.option(
    "seconds", "for how long", default: 60, in: 1...RecordCalls.secondsMax)

  private var record: Command {
    let service = access.service
    return Command(
      "record", "write down the reads that the service answers, to replay them later",
      discussion: """
        The file is its owner's alone: it holds what people asked for. Never in it: what changes something, what \
        administrators ask, calls whose contract says that a secret is in them, idempotency keys and other metadata.
        """,
      examples: [.init("odi-\(service) record --out before.jsonl --seconds 30", "half a minute of its life")],
      takes: [Self.out, Self.seconds] + access.parameters
    ) { call, output in
      guard let path = call[Self.out] else {
        throw CommandError(.usage, "record needs a file", try: "odi-\(service) record --out calls.jsonl")
      }
      let client = try access.client(of: AdminAPI.self, call, output)
      do {
        try await write(try await client.stream(RecordCalls(seconds: call[Self.seconds])), to: path, output)
      } catch let error as RPCError {
        throw access.explain(error, try access.address(call, output))
      }
      return .done
    }
  }

  private func write(_ stream: RPCStream<RecordedCalls>, to path: String, _ output: Output) async throws {
    var iterator = stream.makeAsyncIterator()
    // The first batch says that it has begun: no file is made for a recording that was refused.
    guard var batch = try await iterator.next() else { return }
    let file = try PrivateFile(new: path)
    try file.append(Recording.header(of: access.service))
    output.note("recording to \(path)")
    var count = 0
    while true {
      for call in batch.calls { try file.append(try Recording.line(call)) }
      count += batch.calls.count
      guard let next = try await iterator.next() else { break }
      batch = next
    }
    output.note(
      "\(count) calls written, \(batch.dropped) too many or too large, \(batch.withheld) with secrets left out")
  }

  // MARK: replay

  private static let file = Parameter<String>.argument("FILE", "what `record` wrote", completion: .files)
  private static let against = Parameter<SocketAddress?>.optionalOption(
    "against", "the administrators' socket of another one, unix:/path; without it the running service")
  private static let ignored = Parameter<[String]>.options("ignore", "a field that may differ: its name, or a path")
  private static let shown = Parameter<Int>.option("show", "so many differences", default: 20, in: 1...1_000)
  private static let patience = Parameter<Duration>.option(
    "timeout", "how long to wait for each answer", default: .seconds(5), in: .milliseconds(1) ... .seconds(600))

  private var replay: Command {
    let service = access.service
    return Command(
      "replay", "ask again what was recorded, and show the answers that differ",
      discussion: "Exit code 8 tells that some differ. Calls go one after another, in the order of the recording.",
      examples: [
        .init(
          "odi-\(service) replay before.jsonl --against unix:/tmp/new/run/\(service).sock", "does the new one agree?"),
        .init("odi-\(service) replay before.jsonl --ignore age", "where every answer tells its age"),
      ],
      takes: [Self.file, Self.against, Self.ignored, Self.shown, Self.patience] + access.parameters
    ) { call, output in
      let recorded = try Recording.read(call[Self.file], of: service)
      let address = try call[Self.against] ?? access.address(call, output)
      let client = access.client(of: AdminAPI.self, at: address)
      try await refuseChanges(in: recorded, client, at: address)
      let ignored = Set(call[Self.ignored])
      var differences: [[Report.Cell]] = []
      var differing = 0
      for (index, one) in recorded.enumerated() {
        let now = try await answer(to: one, client, within: call[Self.patience], at: address)
        let found = one.outcome.differences(from: now, ignoring: ignored)
        if !found.isEmpty { differing += 1 }
        for difference in found where differences.count < call[Self.shown] {
          differences.append([
            .number(index + 1), "\(one.method)", "\(difference.path)", .text(difference.before),
            .text(difference.now),
          ])
        }
      }
      let columns = [
        Report.Column("call", alignment: .right), Report.Column("method"), Report.Column("field"),
        Report.Column("recorded", shrinks: true), Report.Column("now", shrinks: true),
      ]
      try output.write(Report(columns, rows: differences))
      output.note("\(recorded.count) calls, \(differing) answered otherwise")
      return differing == 0 ? .done : .partial
    }
  }

  /// A file from elsewhere may name what it likes, and another version may have made a read into something else.
  private func refuseChanges(
    in recorded: [Recording.Call], _ client: any RPCClient<AdminAPI>, at address: SocketAddress
  ) async throws(CommandError) {
    let methods: [MethodDescription]
    do throws(RPCError) {
      methods = try await client.call(DescribeService())
    } catch {
      throw access.explain(error, address)
    }
    let harmless = Set(
      methods.filter { $0.safety == "\(Safety.read)" && !MethodID($0.id).isForAdministrators }.map(\.name))
    let known = Set(methods.map(\.name))
    for (index, call) in recorded.enumerated() where known.contains(call.method) && !harmless.contains(call.method) {
      throw CommandError(
        .usage, "call \(index + 1) of the recording, \(call.method), is no read that anybody may ask",
        why: "replaying it could change something", try: "make the recording again with odi-\(access.service) record")
    }
  }

  private func answer(
    to call: Recording.Call, _ client: any RPCClient<AdminAPI>, within patience: Duration, at address: SocketAddress
  ) async throws(CommandError) -> Recording.Outcome {
    let request = try call.request.wire
    do throws(RPCError) {
      let bytes = try await client.read(call.method, request, within: patience)
      do throws(CommandError) {
        return .answer(try JSONValue(answer: bytes).asWritten)
      } catch {
        throw RPCError(.dataLoss, error.what)
      }
    } catch {
      // That nobody is there is no answer.
      guard error.code != .unavailable else { throw access.explain(error, address) }
      return .failure(code: "\(error.code)", message: error.message)
    }
  }
}

nonisolated extension JSONValue {
  /// As a recording has it: a number that is whole is one there, whatever its type was.
  fileprivate var asWritten: JSONValue { (try? JSONValue(parsing: json)) ?? self }
}
