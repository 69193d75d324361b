import Clocks
import EventLoops
import RPC
import RPCTransport
import ServiceKit
import ServiceTestKit
import TestKit
import Testing

private enum BellAPI: RPCService {
  static let name = "bell"
}

private struct Strike: RPCRequest {
  typealias Service = BellAPI
  static let method: MethodID = 0x7d01
  static let safety: Safety = .read
  var times: Int

  struct Response: Codable {
    var sounds: [String]
    var pitch: Double
    var serial: Int
  }
}

private struct Unlock: RPCRequest {
  typealias Service = BellAPI
  typealias Response = String
  static let method: MethodID = 0x7d02
  static let safety: Safety = .read
  static let isConfidential = true
  var key: String
}

private struct Tune: RPCRequest {
  typealias Service = BellAPI
  typealias Response = Int
  static let method: MethodID = 0x7d03
  static let safety: Safety = .keyed
  var note: String
}

/// A bell tower, and what its bells sound like.
@MainActor
private final class Tower {
  var sound = "dong"
  private var serial = 0

  var program: ServiceProgram {
    ServiceProgram("bell", "rings", build: BuildInfo(version: "1"), port: 7_198) { [self] environment in
      let router = RPCRouter(service: "bell")
      router.on(Strike.self) { [self] (request: Strike, _: borrowing CallContext) in
        guard request.times < 100 else { throw RPCError(.outOfRange, "a hundred strokes are too many") }
        serial += 1
        return Strike.Response(
          sounds: Array(repeating: sound, count: request.times), pitch: 440, serial: serial)
      }
      router.on(Unlock.self) { (request: Unlock, _: CallContext) async throws in "opened by \(request.key)" }
      router.on(Tune.self) { (request: Tune, _: borrowing CallContext) in request.note.utf8.count }
      return [CallServer(router, in: environment)]
    }
  }
}

@Suite("Commands about the traffic of a service")
@MainActor
struct TrafficCommandTests {
  private let tower = Tower()
  private let time = ManualTime()

  /// A recording that has begun: its file is there. One that ends before has failed.
  private func begin(
    recordingTo name: String, seconds: Int, _ rig: ServiceRig
  ) async throws -> Task<Screen.Result, Never> {
    var hasEnded = false
    let command = Task { @MainActor in
      defer { hasEnded = true }
      return await rig.command("record", "--out", rig.folder.file(name), "--seconds", "\(seconds)")
    }
    while !rig.folder.has(name), !hasEnded { await turn() }
    if hasEnded {
      let result = await command.value
      try #require(rig.folder.has(name), "\(result.errors)")
    }
    return command
  }

  /// Records what `traffic` asks.
  private func recording(
    of rig: ServiceRig, _ traffic: @escaping (any RPCClient<BellAPI>) async throws -> Void
  ) async throws -> (Screen.Result, text: String) {
    let command = try await begin(recordingTo: "calls.jsonl", seconds: 1, rig)
    try await traffic(try rig.client())
    time.advance(by: .seconds(1))
    return (await command.value, try rig.folder.read("calls.jsonl"))
  }

  @Test("a recording holds the reads and their answers, and no secret and nothing that changes something")
  func record() async throws {
    try await ServiceRig.run(tower.program, flags: ["listen": "127.0.0.1:0"], time: time) { rig in
      let (result, text) = try await recording(of: rig) { client in
        _ = try await client.call(Strike(times: 1))
        _ = try? await client.call(Strike(times: 200))
        _ = try await client.call(Unlock(key: "v1.k.u_me.99.s3cr3t"))
        let key = IdempotencyKey("7d5d2c4e-8f0a-4b52-9a53-0f8f7f7b1f10")
        _ = try await client.call(Tune(note: "c"), CallOptions(key: key))
      }
      #expect(result.code == .done, "\(result.errors)")
      #expect(
        text == """
          {"odi_recording":1,"service":"bell"}
          {"method":"Strike","request":{"times":1},"answer":{"sounds":["dong"],"pitch":440,"serial":1}}
          {"method":"Strike","request":{"times":200},"error":{"code":"outOfRange","message":"a hundred strokes are too many"}}

          """)
      #expect(result.errors.contains("2 calls written, 0 too many or too large, 1 with secrets left out"))
      let again = await rig.command("record", "--out", rig.folder.file("calls.jsonl"))
      #expect(again.code == .failed && again.errors.contains("cannot make"), "an older file stays as it is")
    }
  }

  @Test("one recording runs at a time, and it is a job that can be ended")
  func onlyOne() async throws {
    try await ServiceRig.run(tower.program, flags: ["listen": "127.0.0.1:0"], time: time) { rig in
      let first = try await begin(recordingTo: "a", seconds: 3_600, rig)
      let second = await rig.command("record", "--out", rig.folder.file("b"))
      #expect(second.code == .conflict && !rig.folder.has("b"), "\(second.errors)")
      let list = await rig.command("jobs", "list", "--tsv", "--fields", "id,job,state")
      #expect(list.output == "id\tjob\tstate\n1\trecord\trunning\n", "\(list.errors)")
      #expect(await rig.command("jobs", "cancel", "1").code == .done)
      _ = await first.value
      let after = await rig.command("jobs", "list", "--tsv", "--fields", "job,state")
      #expect(after.output == "job\tstate\nrecord\tcancelled\n")
      #expect(await rig.command("jobs", "cancel", "7").code == .notFound)
      let third = try await begin(recordingTo: "b", seconds: 1, rig)
      time.advance(by: .seconds(1))
      #expect(await third.value.code == .done, "the place is free again")
    }
  }

  @Test("a replay is silent about equal answers, and shows where others differ")
  func replay() async throws {
    try await ServiceRig.run(tower.program, flags: ["listen": "127.0.0.1:0"], time: time) { rig in
      _ = try await recording(of: rig) { client in
        _ = try await client.call(Strike(times: 1))
        _ = try? await client.call(Strike(times: 200))
      }
      let file = rig.folder.file("calls.jsonl")
      let same = await rig.command("replay", file, "--ignore", "serial")
      #expect(same.code == .done && same.output.isEmpty, "\(same.output)\(same.errors)")
      #expect(same.errors == "2 calls, 0 answered otherwise\n")
      tower.sound = "ding"
      let other = await rig.command("replay", file, "--ignore", "serial", "--tsv")
      #expect(other.code == .partial)
      #expect(
        other.output == "call\tmethod\tfield\trecorded\tnow\n1\tStrike\tsounds[0]\t\"dong\"\t\"ding\"\n",
        "\(other.output)")
      let forged = try rig.folder.write(
        """
        {"odi_recording":1,"service":"bell"}
        {"method":"Tune","request":{"note":"c"},"answer":1}

        """, to: "forged.jsonl")
      let refused = await rig.command("replay", forged)
      #expect(refused.code == .usage && refused.errors.contains("Tune"), "what changes something is not asked again")
      let against = await rig.command("replay", file, "--against", "unix:/nowhere/bell.sock")
      #expect(against.code == .unreachable)
    }
  }

  @Test("what is no recording, or another service's, is refused before anything is asked")
  func wrongFiles() async throws {
    let rig = try ServiceRig(tower.program)
    let file = try rig.folder.write("{\"odi_recording\":1,\"service\":\"locator\"}\n", to: "a.jsonl")
    let other = await rig.command("replay", file)
    #expect(other.code == .usage && other.errors.contains("is a recording of odi-locator"), "\(other.errors)")
    let text = await rig.command("replay", try rig.folder.write("hello\n", to: "b.jsonl"))
    #expect(text.code == .usage && text.errors.contains("line 1"))
    let short = "{\"odi_recording\":1,\"service\":\"bell\"}\n{\"method\":\"Strike\"}\n"
    let call = await rig.command("replay", try rig.folder.write(short, to: "c.jsonl"))
    #expect(call.code == .usage && call.errors.contains("line 2"))
    #expect(await rig.command("replay", "/nowhere.jsonl").code == .notFound)
  }

  @Test("a fault holds for its method until it is cleared")
  func faults() async throws {
    try await ServiceRig.run(tower.program, flags: ["listen": "127.0.0.1:0"], time: time) { rig in
      let set = await rig.command("fault", "set", "Strike", "--fail", "unavailable", "--for", "5m")
      #expect(set.code == .done, "\(set.errors)")
      let client = try rig.client()
      await #expect(throws: RPCError.self) {
        try await client.call(Strike(times: 1), CallOptions(mayRetry: false))
      }
      let untouched = try await client.call(Unlock(key: "a"))
      #expect(untouched == "opened by a")
      let list = await rig.command("fault", "list", "--tsv", "--fields", "method,percent,fail")
      #expect(list.output == "method\tpercent\tfail\nStrike\t100\tunavailable\n")
      #expect(await rig.command("fault", "clear").errors == "1 faults ended\n")
      let again = try await client.call(Strike(times: 1))
      #expect(again.sounds == ["dong"])
      #expect(await rig.command("fault", "list", "--tsv", "--fields", "method").output == "method\n")
    }
  }

  @Test("a fault without an effect, of an unknown method or with an unknown code is refused")
  func wrongFaults() async throws {
    try await ServiceRig.run(tower.program, flags: ["listen": "127.0.0.1:0"], time: time) { rig in
      #expect(await rig.command("fault", "set").code == .usage)
      let method = await rig.command("fault", "set", "Strick", "--delay", "1s")
      #expect(method.code == .notFound && method.errors.contains("did you mean Strike?"))
      let code = await rig.command("fault", "set", "--fail", "unavailible")
      #expect(code.code == .usage && code.errors.contains("unavailable"))
      #expect(await rig.command("fault", "set", "--delay", "1s", "--for", "1h").code == .usage)
    }
  }

  @Test("bench asks a read as often as it is told, and nothing that changes something")
  func bench() async throws {
    try await ServiceRig.run(tower.program, flags: ["listen": "127.0.0.1:0"], time: time) { rig in
      let answer = await rig.command(
        "bench", "Strike", #"{"times":2}"#, "--calls", "50", "--at-once", "4", "--for", "60s", "--tsv", "--fields",
        "answered,failed")
      #expect(answer.code == .done, "\(answer.errors)")
      #expect(answer.output == "answered\tfailed\n50\t0\n")
      let next = try await rig.client().call(Strike(times: 1))
      #expect(next.serial == 51)
      let all = await rig.command("bench", "Strike", #"{"times":2}"#, "--calls", "3", "--json")
      for name in ["per_second", "p50", "p90", "p99", "p99.9", "max"] { #expect(all.output.contains("\"\(name)\":")) }
      let quick = await rig.command("bench", "--quick", "--tsv", "--fields", "method,failed")
      #expect(quick.output == "method\tfailed\nServerStatus\t0\n", "\(quick.errors)")
      #expect(await rig.command("bench", "Tune", #"{"note":"c"}"#).code == .usage)
      let failing = await rig.command("bench", "Strike", #"{"times":200}"#, "--calls", "20")
      #expect(failing.code == .usage && failing.errors.contains("a hundred strokes"), "\(failing.errors)")
    }
  }
}

extension ServiceRig {
  /// As another service calls it.
  fileprivate func client() throws -> any RPCClient<BellAPI> {
    let server = try #require(parts.compactMap { $0 as? CallServer }.first)
    return ServiceClient(of: BellAPI.self, at: [.address(try #require(server.address))])
  }
}

@MainActor
private func turn() async {
  await withUnsafeContinuation { continuation in EventLoop.atEndOfTurn { continuation.resume() } }
}
