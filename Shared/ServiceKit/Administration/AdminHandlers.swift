import Clocks
import Observability
import RPC

/// Answers the administrators' requests from what the environment knows.
struct AdminHandlers {
  let environment: ServiceEnvironment
  private let levels = LevelForAWhile()

  init(environment: ServiceEnvironment) { self.environment = environment }

  private enum Limits {
    /// What fits in one message with room to spare, whatever the lines hold.
    static let lines = 500
    static let traces = 200
    /// How often what was recorded is sent on: often enough that little waits, seldom enough to send many at once.
    static let recordingPause: Duration = .milliseconds(100)
  }

  func register(on router: RPCRouter) {
    router.on(ReadLog.self) { (request: ReadLog, _: borrowing CallContext) in try log(request) }
    router.on(ReadTraces.self) { (request: ReadTraces, _: borrowing CallContext) in try traces(request) }
    router.on(ReadMetrics.self) { (request: ReadMetrics, _: borrowing CallContext) in metrics(request) }
    router.on(SetLogLevel.self) { (request: SetLogLevel, _: borrowing CallContext) in try setLevel(request) }
    router.on(CallMethod.self) { [unowned router] (request: CallMethod, context: CallContext) async throws in
      guard let method = router.methods.first(where: { $0.name == request.name }) else {
        throw RPCError(.unimplemented, "\(router.serviceName) has no request \(request.name)", executed: .no)
      }
      let limit = min(max(request.limit, 1), CallMethod.limitMax)
      return CallMethod.Response(
        answers: try await method.answer(selfContained: request.payload, context, limit: limit))
    }
    router.on(RecordCalls.self) { [unowned router] (request: RecordCalls, context: CallContext, writer) async throws in
      try await record(request, router, context, writer)
    }
    router.on(ReadJobs.self) { (_: ReadJobs, _: borrowing CallContext) in environment.jobs.reports }
    router.on(CancelJob.self) { (request: CancelJob, context: borrowing CallContext) in
      guard let job = environment.jobs.cancel(request.id) else {
        throw RPCError(.notFound, "there is no job \(request.id); the last twenty that ended are known")
      }
      environment.log.warning("job cancelled", ["job": .string(job.name), "by": .string("\(context.peer)")])
      return job
    }
    router.on(ReloadSettings.self) { (_: ReloadSettings, context: borrowing CallContext) in
      environment.log.info("reload asked for", ["by": .string("\(context.peer)")])
      return ReloadSettings.Response(problems: environment.reread())
    }
    router.on(ReadSettings.self) { (_: ReadSettings, _: borrowing CallContext) in
      environment.settingsInForce.map(SettingReport.init)
    }
    router.on(DrainService.self) { (_: DrainService, context: borrowing CallContext) in
      environment.log.warning("drain asked for", ["by": .string("\(context.peer)")])
      // After the answer has left.
      environment.time.after(.zero) { environment.stop() }
      return DrainService.Response()
    }
  }

  private func record(
    _ request: RecordCalls, _ router: RPCRouter, _ context: CallContext, _ writer: StreamWriter<RecordedCalls>
  ) async throws {
    guard (1...RecordCalls.secondsMax).contains(request.seconds) else {
      throw RPCError(
        .invalidArgument, "a recording takes 1...\(RecordCalls.secondsMax) seconds, not \(request.seconds)")
    }
    guard router.observer == nil else {
      throw RPCError(.failedPrecondition, "calls are recorded already; end that with jobs cancel, or wait for its end")
    }
    let recorder = CallRecorder()
    router.observer = recorder
    defer { router.observer = nil }
    environment.log.warning(
      "calls are recorded", ["seconds": .int(request.seconds), "by": .string("\(context.peer)")])
    try await environment.jobs.run("record") { journal in
      let start = environment.time.now
      var isOver: Bool {
        environment.time.now - start >= .seconds(request.seconds) || writer.isShuttingDown
      }
      // The reader learns from the first that it has begun.
      try await writer.send(recorder.take())
      repeat {
        try await environment.time.sleep(for: Limits.recordingPause)
        // Calls come while others are sent: a busy service would never see the end.
        while recorder.hasCalls, !isOver { try await writer.send(recorder.take()) }
        journal.tell(done: Int((environment.time.now - start).inSeconds), of: request.seconds)
      } while !isOver
      router.observer = nil
      repeat { try await writer.send(recorder.take()) } while recorder.hasCalls
    }
  }

  private func log(_ request: ReadLog) throws -> ReadLog.Response {
    let level = try request.level.map(Self.level) ?? .debug
    let limit = min(max(request.limit, 1), Limits.lines)
    let records = environment.log.recent(after: request.after, atLeast: level, limit: limit)
    return ReadLog.Response(
      lines: records.map { record in
        LoggedLine(
          serial: record.serial, level: "\(record.level)", text: record.rendered(as: .text(colour: false)),
          json: record.rendered(as: .json))
      })
  }

  private func traces(_ request: ReadTraces) throws -> [TraceReport] {
    guard let text = request.id else {
      return environment.traces.recent(limit: min(max(request.limit, 1), Limits.traces)).map { report($0, spans: []) }
    }
    guard let id = TraceID(text) else { throw RPCError(.invalidArgument, "a trace's id has 32 hexadecimal digits") }
    return environment.traces.find(id).map { report($0, spans: $0.spans) }
  }

  private func report(_ trace: FinishedTrace, spans: [FinishedSpan]) -> TraceReport {
    TraceReport(
      id: trace.id.description, name: trace.root.name, microseconds: trace.root.duration.wholeMicroseconds,
      failed: trace.failed, dropped: trace.dropped,
      spans: spans.map { span in
        SpanReport(
          id: span.id.description, parent: span.parent?.description, name: span.name,
          startMicroseconds: (span.start - trace.root.start).wholeMicroseconds,
          microseconds: span.duration.wholeMicroseconds, error: span.error, notes: span.notes.map(\.text))
      })
  }

  private func metrics(_ request: ReadMetrics) -> [MetricReading] {
    environment.metrics.samples().compactMap { sample in
      let labels = sample.labels.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
      if let wanted = request.containing, !"\(sample.name){\(labels)}".contains(wanted) { return nil }
      var reading = MetricReading(name: sample.name, labels: labels)
      switch sample.value {
      case .count(let count): reading.value = Double(count)
      case .seconds(let seconds): reading.value = seconds
      case .level(let level): reading.value = level
      case .distribution(let distribution):
        reading.count = distribution.count
        reading.p50Microseconds = distribution.quantile(0.5)?.wholeMicroseconds
        reading.p99Microseconds = distribution.quantile(0.99)?.wholeMicroseconds
      }
      return reading
    }
  }

  private func setLevel(_ request: SetLogLevel) throws -> SetLogLevel.Response {
    let level = try Self.level(request.level)
    if let seconds = request.seconds, !(1...SetLogLevel.secondsMax).contains(seconds) {
      throw RPCError(.invalidArgument, "a log level holds for \(seconds) s; ask for 1...\(SetLogLevel.secondsMax)")
    }
    let before = environment.log.level
    levels.set(level, for: request.seconds.map { .seconds($0) }, of: environment.log, time: environment.time)
    environment.log.info("log level changed", ["from": .string("\(before)"), "to": .string("\(level)")])
    return SetLogLevel.Response(before: "\(before)")
  }

  private static func level(_ name: String) throws -> Log.Level {
    guard let level = Log.Level(name) else {
      throw RPCError(.invalidArgument, "'\(name)' is no log level; ask for \(Log.Level.wanted)")
    }
    return level
  }
}

/// A log level that is in force for a while, and the one after it.
private final class LevelForAWhile {
  private var after: Log.Level?
  private var timer: (any Scheduled)?

  /// Another while begins anew and ends with the level of before the first; without one, the new level stays.
  func set(_ level: Log.Level, for duration: Duration?, of log: Log, time: any TimeSource) {
    timer?.cancel()
    timer = nil
    let lasting = after ?? log.level
    after = nil
    log.level = level
    guard let duration else { return }
    after = lasting
    timer = time.after(duration) { [self] in
      log.level = lasting
      after = nil
      timer = nil
    }
  }
}

nonisolated extension Duration {
  fileprivate var wholeMicroseconds: Int { Int(saturatedNanoseconds / 1_000) }
}

nonisolated extension LogRecord.Fact {
  fileprivate var text: String {
    switch value {
    case .string(let text): "\(name)=\(text)"
    case .int(let number): "\(name)=\(number)"
    case .double(let number): "\(name)=\(number)"
    case .bool(let flag): "\(name)=\(flag)"
    case .duration(let duration): "\(name)=\(duration.spoken)"
    }
  }
}
