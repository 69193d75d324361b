import EventLoops
import Fetch

/// Fetches one page many times, so many transfers at once, and keeps every body.
enum FetchBench {
  static let usage = "--url URL --bytes N [--count N] [--concurrency N]"

  static func run(_ arguments: Arguments) throws {
    let load = Load(
      url: try FetchURL(parsing: try arguments.value("url")), bytes: try arguments.value("bytes"),
      count: try arguments.value("count", default: 1000))
    let concurrency: Int = try arguments.value("concurrency", default: 64)
    runOnLoop { try await load.run(concurrency) }
  }

  private final class Load {
    private let url: FetchURL
    private let bytes: Int
    private let count: Int
    private var begun = 0

    init(url: FetchURL, bytes: Int, count: Int) {
      self.url = url
      self.bytes = bytes
      self.count = count
    }

    func run(_ concurrency: Int) async throws {
      var limits = Fetcher.Limits()
      limits.transfers = concurrency
      limits.transfersPerHost = concurrency
      let fetcher = Fetcher(limits: limits, addressGuard: AddressGuard(exceptions: [.loopback(port: url.port)]))
      let (start, cpu) = (nanoseconds(), cpuMicroseconds())
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<concurrency { group.addTask { try await self.keepFetching(with: fetcher) } }
        try await group.waitForAll()
      }
      let seconds = Double(nanoseconds() - start) / 1e9
      emit(#"{"ops": \#(count), "seconds": \#(seconds), "cpu_us": \#(cpuMicroseconds() - cpu)}"#)
      fetcher.close()
    }

    private func keepFetching(with fetcher: Fetcher) async throws {
      while begun < count {
        begun += 1
        let response = try await fetcher.fetch(FetchRequest(url))
        guard response.status == 200, response.body.count == bytes else {
          throw Arguments.Wrong(reason: "\(response.status), \(response.body.count) bytes")
        }
      }
    }
  }
}
