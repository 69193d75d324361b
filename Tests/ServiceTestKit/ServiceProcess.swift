package import EventLoops
import Foundation
package import RPC
package import RPCTransport

/// A service as a process of its own, reached over its unix socket: what a test kills, as a crash would.
@MainActor
package final class ServiceProcess<API: RPCService> {
  package let process: ChildProcess
  private let address: SocketAddress
  private var connected: ServiceClient<API>?
  private var log = ""
  private var ready: UnsafeContinuation<Bool, Never>?

  /// `program` lies beside the tests.
  package init(_ program: String, flags: [String] = [], in folder: TemporaryFolder) throws {
    let test = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = URL(filePath: test).deletingLastPathComponent().appending(path: program).path
    var lines: (String) -> Void = { _ in }
    process = try ChildProcess(
      path,
      [
        "serve", "--data", folder.path, "--listen", "unix:\(folder.path)/calls.sock", "--operations-listen",
        "127.0.0.1:0",
      ] + flags,
      environment: ["ODI_SUPERVISOR": "\(getpid())", "HOME": folder.path, "ODI_LOG_FORMAT": "json"],
      output: .discard, errors: .pipe { lines(String(decoding: $0, as: UTF8.self)) })
    address = .unix(path: "\(folder.path)/calls.sock")
    lines = { [weak self] in self?.hear($0) }
  }

  private func hear(_ text: String) {
    log += text
    guard log.contains("\"taking calls\"") || text.isEmpty else { return }
    ready?.resume(returning: !text.isEmpty)
    ready = nil
  }

  /// Made when the service is there: before, it would find the socket of the service's last life.
  package var client: ServiceClient<API> {
    let client = connected ?? ServiceClient(at: [.address(address)], as: "test")
    connected = client
    return client
  }

  /// Returns when it takes calls.
  package func started() async throws {
    guard !log.contains("\"taking calls\"") else { return }
    let isReady = await withUnsafeContinuation { ready = $0 }
    if !isReady { throw Ended(log: log) }
  }

  /// The service ended before it took calls.
  package struct Ended: Error {
    package let log: String
  }

  package func kill() async {
    process.send(.kill)
    _ = await process.wait()
    connected?.close()
  }
}
