import Clocks
import Glibc
import RPC
import ServiceKit

/// Answers what administrators ask of the supervisor.
struct SupervisorHandlers {
  let supervisor: Supervisor
  let plan: SuitePlan
  let time: any TimeSource

  func register(on router: RPCRouter) {
    router.on(ListServices.self) { (_: ListServices, _: borrowing CallContext) in report() }
    router.on(RestartService.self) { (request: RestartService, _: borrowing CallContext) in
      guard let service = SuiteMember(rawValue: request.name).flatMap({ supervisor[$0] }) else {
        throw RPCError(.notFound, "no service '\(request.name)' runs; odi ps lists those that do")
      }
      guard !supervisor.isStopping else {
        throw RPCError(.failedPrecondition, "the suite is ending; \(request.name) is \(service.state.rawValue)")
      }
      service.restart()
      return RestartService.Response()
    }
  }

  func report() -> ListServices.Response {
    ListServices.Response(
      pid: getpid(), page: plan.page, isDemo: plan.isDemo, isStopping: supervisor.isStopping,
      uptimeMilliseconds: (time.now - supervisor.startedAt).wholeMilliseconds,
      services: supervisor.services.map { service in
        ServiceReport(
          name: service.plan.member.rawValue, state: service.state, pid: service.process?.id,
          uptimeMilliseconds: service.startedAt.map { (time.now - $0).wholeMilliseconds },
          residentBytes: service.process.flatMap { residentBytes(of: $0.id) }, restarts: service.restarts,
          startMilliseconds: service.startTook?.wholeMilliseconds, problem: service.problem,
          address: service.plan.address)
      })
  }

  /// The second number of `/proc/…/statm` is what is in memory, in pages.
  private func residentBytes(of process: Int32) -> Int? {
    guard let bytes = try? contents(ofFile: "/proc/\(process)/statm", bytesMax: 4_096) else { return nil }
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    return fields.dropFirst().first.flatMap { Int($0) }.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
  }
}
