package import EventLoops

/// A process that was started for a service.
package protocol RunningProcess: AnyObject {
  var id: Int32 { get }
  func send(_ signal: Signal)
  func wait() async -> ChildProcess.Exit
}

extension ChildProcess: RunningProcess {}

/// How processes are started and asked: those of the operating system, or others in tests.
package struct ProcessHost {
  /// Starts the service; `output` gets what it writes, and an empty buffer at its end.
  package var start:
    @MainActor (_ plan: ServicePlan, _ output: @escaping (UnsafeRawBufferPointer) -> Void) throws -> any RunningProcess
  package var isReady: @MainActor (ServicePlan) async -> ReadyAnswer

  package init(
    start: @escaping @MainActor (ServicePlan, @escaping (UnsafeRawBufferPointer) -> Void) throws -> any RunningProcess,
    isReady: @escaping @MainActor (ServicePlan) async -> ReadyAnswer
  ) {
    self.start = start
    self.isReady = isReady
  }

  package static let ofSystem = ProcessHost(
    start: { plan, output in
      // A session of its own: Ctrl-C is for the supervisor, which ends the services in their order.
      try ChildProcess(
        plan.executable, plan.arguments, environment: plan.environment, output: .discard, errors: .pipe(output),
        ownSession: true)
    },
    isReady: { await ReadinessProbe.ask($0.operations) })
}
