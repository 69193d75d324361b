import EventLoops
import Glibc

/// Our side of the benchmarks. The driver starts it beside the peers, which take the same verbs and print the same lines.
@main
struct OdiBench {
  static let verbs: [(name: String, what: String, run: @MainActor (Arguments) throws -> Void)] = [
    ("codec", CodecBench.usage, CodecBench.run),
    ("rpc-server", RPCBench.serverUsage, RPCBench.serve),
    ("rpc-client", RPCBench.clientUsage, RPCBench.call),
    ("nearest-client", LocatorClientBench.usage, LocatorClientBench.run),
    ("http-server", HTTPBench.usage, HTTPBench.serve),
    ("fetch", FetchBench.usage, FetchBench.run),
    ("extract", ExtractBench.usage, ExtractBench.run),
    ("storage", StorageBench.usage, StorageBench.run),
    ("nearest", NearestBench.usage, NearestBench.run),
    ("recommend", RecommendBench.usage, RecommendBench.run),
    ("timetable", TimetableBench.usage, TimetableBench.run),
  ]

  static func main() {
    do {
      var arguments = try Arguments(CommandLine.arguments.dropFirst())
      let verb = arguments.takeVerb()
      guard let found = verbs.first(where: { $0.name == verb }) else {
        throw Arguments.Wrong(
          reason: "odi-bench " + verbs.map { "\($0.name) \($0.what)" }.joined(separator: "\n          "))
      }
      try found.run(arguments)
    } catch {
      emit("odi-bench: \(error)", to: STDERR_FILENO)
      exit(1)
    }
  }
}

/// Runs `body` on the loop, and ends the process with it.
func runOnLoop(_ body: @escaping @MainActor @Sendable () async throws -> Void) -> Never {
  EventLoop.run {
    do {
      try await body()
      return 0
    } catch {
      emit("odi-bench: \(error)", to: STDERR_FILENO)
      return 1
    }
  }
}

/// A line at once: the driver waits for it at the other end of a pipe.
nonisolated func emit(_ line: String, to descriptor: Int32 = STDOUT_FILENO) {
  var line = line + "\n"
  line.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
}

/// Words and `--name value` pairs.
struct Arguments {
  struct Wrong: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
  }

  private var words: [String] = []
  private var values: [String: String] = [:]

  init(_ arguments: some Sequence<String>) throws {
    var name: String?
    for argument in arguments {
      if let open = name {
        values[open] = argument
        name = nil
      } else if argument.hasPrefix("--") {
        name = String(argument.dropFirst(2))
      } else {
        words.append(argument)
      }
    }
    if let name { throw Wrong(reason: "--\(name) needs a value") }
  }

  mutating func takeVerb() -> String { words.isEmpty ? "" : words.removeFirst() }

  func value<Value: LosslessStringConvertible>(_ name: String, default fallback: Value? = nil) throws -> Value {
    guard let text = values[name] else {
      guard let fallback else { throw Wrong(reason: "--\(name) is missing") }
      return fallback
    }
    guard let value = Value(text) else { throw Wrong(reason: "--\(name) \(text) is not of its kind") }
    return value
  }
}
