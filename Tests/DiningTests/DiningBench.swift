import Calendars
import Clocks
import Contracts
import Dining
import EventLoops
import Foundation
import JSON
import Observability
import RPC
import RPCTransport
import ServiceKit
import ServiceTestKit
import TestKit
import Testing

/// The whole service with its database, asked over its unix socket, and beside it a stand-in for the guide.
@MainActor
protocol DiningBench {}

extension DiningBench {
  static var key: String { "0123456789abcdef" }

  func running(
    _ flags: [String: String] = [:], folder: TemporaryFolder? = nil, time: any TimeSource = EventLoop.time,
    _ body: (ServiceRig, any RPCClient<DiningAPI>) async throws -> Void
  ) async throws {
    try await ServiceRig.run(DiningService.program, flags: flags, folder: folder, time: time) { rig in
      let address = try rig.environment.data.adminSocket(of: "dining")
      try await body(rig, ServiceClient(of: DiningAPI.self, at: [.address(address)]))
    }
  }

  /// Settings that lead to the stand-in, with a key in a file that nobody else can read.
  func flags(_ guide: GuideStandIn, _ folder: TemporaryFolder, daily: Int = 100) throws -> [String: String] {
    let path = try folder.write(Self.key + "\n", to: "hotpepper.key")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    return ["hotpepper-key-file": path, "hotpepper-url": guide.url, "hotpepper-daily": "\(daily)"]
  }

  func shinjuku(_ change: (inout FindRestaurants) -> Void = { _ in }) throws -> FindRestaurants {
    var request = FindRestaurants(
      origin: try Coordinate(latitude: 35.6903, longitude: 139.7003), metresMax: 500, order: .distance, limit: 20)
    change(&request)
    return request
  }
}
