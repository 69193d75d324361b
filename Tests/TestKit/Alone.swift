package import EventLoops
import Glibc

/// Runs one test in a process of its own, for what would disturb the others: limits, signals, clocks, crashes.
package enum Alone {
  /// Whether this process was started for one test.
  package static var isAlone: Bool { getenv("ODI_TEST_ALONE") != nil }

  /// Starts this test binary again for the tests whose name contains `filter`, and tells how it ended.
  @MainActor
  package static func run(_ filter: String) async throws -> ChildProcess.Exit {
    let (environment, arguments) = (ownEnvironment(), Array(CommandLine.arguments.dropFirst()))
    let library = arguments.contains("--testing-library") ? [] : ["--testing-library", "swift-testing"]
    var kept: [String] = []
    var skip = false
    for argument in arguments {
      if skip {
        skip = false
      } else if argument == "--filter" || argument == "--skip" {
        skip = true
      } else {
        kept.append(argument)
      }
    }
    let child = try ChildProcess(
      "/proc/self/exe", library + kept + ["--filter", filter],
      environment: environment.merging(["ODI_TEST_ALONE": "1"]) { $1 }, output: .discard, errors: .inherit)
    return await child.wait()
  }

  private static func ownEnvironment() -> [String: String] {
    var result: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let pair = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2 { result[String(pair[0])] = String(pair[1]) }
      next += 1
    }
    return result
  }
}
