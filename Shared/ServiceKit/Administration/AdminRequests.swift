package import RPC

/// What a service made with this kit answers to its administrators beside what every RPC server does. Numbers below
/// 0x0100 are answered on the unix socket only.

/// The lines that were logged lately.
nonisolated package struct ReadLog: RPCRequest {
  package typealias Service = AdminAPI
  package static let method: MethodID = 0x0010
  package static let safety: Safety = .read

  /// Only lines after this one.
  package var after: UInt64
  package var level: String?
  package var limit: Int

  package struct Response: Codable, Sendable {
    package var lines: [LoggedLine]
  }
}

nonisolated package struct LoggedLine: Codable, Sendable {
  package var serial: UInt64
  package var level: String
  package var text: String
  package var json: String
}

/// The traces that were kept: one, or the newest.
nonisolated package struct ReadTraces: RPCRequest {
  package typealias Service = AdminAPI
  package typealias Response = [TraceReport]
  package static let method: MethodID = 0x0011
  package static let safety: Safety = .read

  package var id: String?
  package var limit: Int
}

nonisolated package struct TraceReport: Codable, Sendable {
  package var id: String
  package var name: String
  package var microseconds: Int
  package var failed: Bool
  package var dropped: Int
  /// In order of their start. Empty in a list.
  package var spans: [SpanReport]
}

nonisolated package struct SpanReport: Codable, Sendable {
  package var id: String
  package var parent: String?
  package var name: String
  /// After the beginning of the trace.
  package var startMicroseconds: Int
  package var microseconds: Int
  package var error: String?
  package var notes: [String]
}

/// The service's numbers, now.
nonisolated package struct ReadMetrics: RPCRequest {
  package typealias Service = AdminAPI
  package typealias Response = [MetricReading]
  package static let method: MethodID = 0x0012
  package static let safety: Safety = .read

  /// Only those whose name or labels contain this.
  package var containing: String?
}

nonisolated package struct MetricReading: Codable, Sendable {
  package var name: String
  package var labels: String
  package var value: Double?
  package var count: UInt64?
  package var p50Microseconds: Int?
  package var p99Microseconds: Int?
}

/// Changes what is logged, for a while or until it ends.
nonisolated package struct SetLogLevel: RPCRequest {
  package typealias Service = AdminAPI
  package static let method: MethodID = 0x0013
  package static let safety: Safety = .idempotent

  package var level: String
  /// Then it is as before. At most a day, so that a forgotten one ends.
  package var seconds: Int?

  package struct Response: Codable, Sendable {
    package var before: String
  }

  static let secondsMax = 86_400
}

/// Ends the service in good order, as SIGTERM does.
nonisolated package struct DrainService: RPCRequest {
  package typealias Service = AdminAPI
  package static let method: MethodID = 0x0014
  package static let safety: Safety = .idempotent

  package struct Response: Codable, Sendable {}
}

/// Reads the settings and the files that they name again, as SIGHUP does.
nonisolated package struct ReloadSettings: RPCRequest {
  package typealias Service = AdminAPI
  package static let method: MethodID = 0x0019
  package static let safety: Safety = .idempotent

  package struct Response: Codable, Sendable {
    /// What is wrong with them, or with the files that they name: there the old ones hold.
    package var problems: [String]
  }
}

/// The settings that the service uses, wherever they came from.
nonisolated package struct ReadSettings: RPCRequest {
  package typealias Service = AdminAPI
  package typealias Response = [SettingReport]
  package static let method: MethodID = 0x001A
  package static let safety: Safety = .read
}

nonisolated package struct SettingReport: Codable, Sendable, Hashable {
  package var name: String
  /// As it was written; of a secret the path of its file. Nil when it has no value.
  package var value: String?
  /// `--log-level`, `ODI_LOG_LEVEL`, a file and its member, `default`.
  package var origin: String
  package var isDefault: Bool
  package var doc: String
}

/// Calls any request of the service by its name, for people: request and answers in Wire's self-contained form.
nonisolated package struct CallMethod: RPCRequest {
  package typealias Service = AdminAPI
  package static let method: MethodID = 0x0015
  /// As safe as what is called, which is not known here: so it is not sent twice.
  package static let safety: Safety = .keyed

  package var name: String
  package var payload: [UInt8]
  /// Elements of a stream.
  package var limit: Int

  package struct Response: Codable, Sendable {
    package var answers: [[UInt8]]
  }

  /// What fits in one message with room to spare.
  static let limitMax = 1_000
}

/// The reads that the service answers from now on, with their answers. One recording runs at a time, and it ends when its
/// reader leaves.
nonisolated package struct RecordCalls: RPCStreamRequest {
  package typealias Service = AdminAPI
  package typealias Element = RecordedCalls
  package static let method: MethodID = 0x0016

  package var seconds: Int

  /// Long enough for a rush hour, and a forgotten one ends.
  static let secondsMax = 3_600
}

nonisolated package struct RecordedCalls: Codable, Sendable {
  package var calls: [RecordedCall]
  /// Since the recording began: calls that came faster than they were taken away or are too large, and calls that are
  /// never written down.
  package var dropped: Int
  package var withheld: Int
}

nonisolated package struct RecordedCall: Codable, Sendable {
  package var method: String
  /// In Wire's self-contained form, as the answer.
  package var request: [UInt8]
  package var answer: [UInt8]?
  /// Of a failure: its code's number and its sentence.
  package var code: UInt8?
  package var message: String?
}

/// The long work that the service has under way, and what ended lately.
nonisolated package struct ReadJobs: RPCRequest {
  package typealias Service = AdminAPI
  package typealias Response = [JobReport]
  package static let method: MethodID = 0x0017
  package static let safety: Safety = .read
}

nonisolated package struct JobReport: Codable, Sendable, Hashable {
  package var id: Int
  package var name: String
  /// `running`, `done`, `failed` or `cancelled`.
  package var state: String
  package var microseconds: Int
  package var done: Int?
  package var total: Int?
  /// Why it failed.
  package var reason: String?
}

/// Asks a job to end. What it had done by then stays done.
nonisolated package struct CancelJob: RPCRequest {
  package typealias Service = AdminAPI
  package typealias Response = JobReport
  package static let method: MethodID = 0x0018
  package static let safety: Safety = .idempotent

  package var id: Int
}
