import FoundationEssentials
import Wire

/// Encodes a value into a reused buffer, decodes it into a fresh one: our tiers, and Foundation's JSON as their peer.
enum CodecBench {
  static let usage = "run [--seconds S] | once --case CANDIDATE/PAYLOAD.encode|decode [--iterations N]"

  /// One operation on one payload by one codec.
  struct Case {
    let candidate: String
    let name: String
    let bytes: Int
    let run: (_ times: Int) throws -> Void
  }

  static func run(_ arguments: Arguments) throws {
    var arguments = arguments
    switch arguments.takeVerb() {
    case "run":
      let seconds: Double = try arguments.value("seconds", default: 0.1)
      for each in try cases() {
        let time = try nanoseconds(of: each, for: seconds)
        emit(
          #"{"candidate": "\#(each.candidate)", "case": "\#(each.name)", "ns": \#(time), "bytes": \#(each.bytes)}"#)
      }
    case "once":
      let wanted: String = try arguments.value("case")
      guard let found = try cases().first(where: { "\($0.candidate)/\($0.name)" == wanted }) else {
        throw Arguments.Wrong(reason: "no case \(wanted)")
      }
      try found.run(try arguments.value("iterations", default: 1))
    case let verb: throw Arguments.Wrong(reason: "codec does not know \"\(verb)\": \(usage)")
    }
  }

  private static func cases() throws -> [Case] {
    try all(of: Request.sample, "request") + all(of: Reply.sample, "reply") + all(of: Schedule.sample, "schedule")
      + all(of: Blob.sample, "blob") + all(of: Doubles.sample, "doubles")
  }

  private static func all<Value: Codable & Equatable & Sendable>(of value: Value, _ name: String) throws -> [Case] {
    let cases =
      try wire(value, name, candidate: "odi", usesLayouts: false)
      + wire(value, name, candidate: "odi-layout", usesLayouts: true) + foundation(value, name)
    guard WireLayouts.isWritten(Value.self) == true, WireLayouts.isRead(Value.self) == true else {
      throw Arguments.Wrong(reason: "\(name) is marked and not used from memory: \(WireLayouts.refusals)")
    }
    return cases
  }

  /// As a connection does it: one encoder, one decoder, the names known to both ends.
  private static func wire<Value: Codable & Equatable & Sendable>(
    _ value: Value, _ name: String, candidate: String, usesLayouts: Bool
  ) throws -> [Case] {
    let encoder = WireEncoder(usesLayouts: usesLayouts)
    let decoder = WireDecoder(usesLayouts: usesLayouts)
    let tables = ReceivedTables()
    let message = try encoder.encode(value)
    var sent = SentTables()
    try tables.learn(sent.missing(of: message.tables))
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: message.bytes.count, alignment: 1)  // for the process
    bytes.copyMemory(from: message.bytes)
    let input = UnsafeRawBufferPointer(bytes)
    guard try decoder.decode(Value.self, from: input, tables: tables) == value else {
      throw Arguments.Wrong(reason: "Wire changed \(name)")
    }
    return [
      Case(candidate: candidate, name: "\(name).encode", bytes: input.count) { times in
        for _ in 0..<times { sink &+= try encoder.encode(value).bytes.count }
      },
      Case(candidate: candidate, name: "\(name).decode", bytes: input.count) { times in
        for _ in 0..<times {
          withExtendedLifetime(try decoder.decode(Value.self, from: input, tables: tables)) { sink &+= 1 }
        }
      },
    ]
  }

  private static func foundation<Value: Codable & Equatable & Sendable>(_ value: Value, _ name: String) throws -> [Case]
  {
    let encoder = JSONEncoder()
    let decoder = JSONDecoder()
    let bytes = try encoder.encode(value)
    guard try decoder.decode(Value.self, from: bytes) == value else {
      throw Arguments.Wrong(reason: "JSON changed \(name)")
    }
    return [
      Case(candidate: "foundation-json", name: "\(name).encode", bytes: bytes.count) { times in
        for _ in 0..<times { sink &+= try encoder.encode(value).count }
      },
      Case(candidate: "foundation-json", name: "\(name).decode", bytes: bytes.count) { times in
        for _ in 0..<times { withExtendedLifetime(try decoder.decode(Value.self, from: bytes)) { sink &+= 1 } }
      },
    ]
  }

  /// Keeps the optimiser from leaving out what nobody looks at.
  static var sink = 0

  /// The median of batches of some two milliseconds.
  private static func nanoseconds(of each: Case, for seconds: Double) throws -> Double {
    func timed(_ times: Int) throws -> UInt64 {
      let start = Benchmarks.nanoseconds()
      try each.run(times)
      return Benchmarks.nanoseconds() - start
    }
    var batch = 1
    repeat { batch *= 2 } while try timed(batch) < 2_000_000
    var batches: [Double] = []
    let end = Benchmarks.nanoseconds() + UInt64(seconds * 1e9)
    while batches.count < 5 || Benchmarks.nanoseconds() < end {
      batches.append(Double(try timed(batch)) / Double(batch))
    }
    return batches.sorted()[batches.count / 2]
  }
}
