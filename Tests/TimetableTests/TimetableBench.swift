import Calendars
import Clocks
import Contracts
import EventLoops
import Foundation
import RPC
import RPCTransport
import ServiceKit
import ServiceTestKit
import TestKit
import Timetable

/// The whole service, with its database, asked over its unix socket.
@MainActor
protocol TimetableBench {
  var time: ManualTime { get }
}

extension TimetableBench {
  /// The built program stands beside the tests'.
  static var program: String {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(
      path: "odi-timetable"
    )
    .path
  }

  /// Noon in Seoul.
  static var noon: ManualTime { ManualTime(wall: Timestamp("2026-11-22T12:00:00+09:00")!.instant) }

  func running(
    demo: Bool = true, folder: TemporaryFolder? = nil,
    _ body: (ServiceRig, any RPCClient<TimetableAPI>) async throws -> Void
  ) async throws {
    var flags = ["picture-reader": Self.program]
    if demo { flags["demo"] = "true" }
    try await ServiceRig.run(TimetableService.program, flags: flags, folder: folder, time: time) { rig in
      let address = try rig.environment.data.adminSocket(of: "timetable")
      try await body(rig, ServiceClient(of: TimetableAPI.self, at: [.address(address)]))
    }
  }

  var demo: FestivalID { FestivalID("odi-demo-fest")! }

  var table: String {
    """
    id,title,start,end,rooms,track,speakers
    a,First,2026-12-04T10:00:00+09:00,2026-12-04T11:00:00+09:00,1관|2관,Main,Ada|Bo
    b,Second,2026-12-04T12:00:00+09:00,2026-12-04T13:00:00+09:00,1관,Main,
    """
  }
}
