package import RPC
import ServiceKit
import ServiceStorage

/// What every service answers to its administrators, beside its own contracts.
package enum CommonRequests {
  package static let requests: [any RPCRequest.Type] = [
    Ping.self, DescribeService.self, ServerStatus.self, InjectFault.self, ReadFaults.self, CheckHealth.self,
    ReadLog.self, ReadTraces.self, ReadMetrics.self, SetLogLevel.self, DrainService.self, CallMethod.self,
    ReloadSettings.self, ReadSettings.self,
    ReadJobs.self, CancelJob.self,
    DescribeDatabase.self, CheckDatabase.self, VacuumDatabase.self, BackUpDatabase.self,
  ]

  package static let streams: [any RPCStreamRequest.Type] = [WatchHealth.self, RecordCalls.self]
}
