import Glibc
import JSON
import RPC

/// A file of calls: JSON lines, the first of which says what it is.
///
/// ```text
/// {"odi_recording":1,"service":"locator"}
/// {"method":"NearestCinemas","request":{"limit":3,…},"answer":[…]}
/// {"method":"CinemaByID","request":{"id":"x"},"error":{"code":"notFound","message":"…"}}
/// ```
nonisolated enum Recording {
  enum Limits {
    /// What is read back in one piece.
    static let fileBytes = 256 << 20
    static let calls = 100_000
  }

  struct Call: Sendable {
    var method: String
    var request: JSONValue
    var outcome: Outcome
  }

  enum Outcome: Hashable, Sendable {
    case answer(JSONValue)
    case failure(code: String, message: String)
  }

  static func header(of service: String) -> JSONValue { ["odi_recording": 1, "service": .string(service)] }

  static func line(_ call: RecordedCall) throws(CommandError) -> JSONValue {
    let request = try JSONValue(answer: call.request)
    var members: [(String, JSONValue)] = [("method", .string(call.method)), ("request", request)]
    if let answer = call.answer {
      members.append(("answer", try JSONValue(answer: answer)))
    } else {
      let code = call.code.flatMap(RPCError.Code.init) ?? .unknown
      members.append(("error", ["code": .string("\(code)"), "message": .string(call.message ?? "")]))
    }
    return .object(JSONObject(members))
  }

  static func read(_ path: String, of service: String) throws(CommandError) -> [Call] {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try contents(ofFile: path, bytesMax: Limits.fileBytes)
    } catch {
      throw CommandError(error)
    }
    var calls: [Call] = []
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      guard let json = try? JSONValue(parsing: String(decoding: line, as: UTF8.self)) else {
        throw CommandError(.usage, "line \(index + 1) of \(path) is no JSON", why: "a recording has one object a line")
      }
      guard index > 0 else {
        try check(json, path, service)
        continue
      }
      guard calls.count < Limits.calls else {
        throw CommandError(.usage, "\(path) has more than \(Limits.calls) calls", try: "record for fewer --seconds")
      }
      guard let call = Call(json) else {
        throw CommandError(.usage, "line \(index + 1) of \(path) is no recorded call")
      }
      calls.append(call)
    }
    return calls
  }

  private static func check(_ header: JSONValue, _ path: String, _ service: String) throws(CommandError) {
    guard header["odi_recording"]?.int == 1, let name = header["service"]?.string else {
      throw CommandError(.usage, "\(path) is no recording", try: "odi-\(service) record --out FILE")
    }
    guard name == service else {
      throw CommandError(.usage, "\(path) is a recording of odi-\(name)", try: "odi-\(name) replay \(path)")
    }
  }
}

nonisolated extension Recording.Call {
  init?(_ json: JSONValue) {
    guard let method = json["method"]?.string, let request = json["request"] else { return nil }
    self.method = method
    self.request = request
    if let answer = json["answer"] {
      outcome = .answer(answer)
    } else if let error = json["error"], let code = error["code"]?.string {
      outcome = .failure(code: code, message: error["message"]?.string ?? "")
    } else {
      return nil
    }
  }
}

/// A new file for its owner alone, written a line at a time.
nonisolated struct PrivateFile: ~Copyable {
  private let path: String
  private let descriptor: Int32

  init(new path: String) throws(CommandError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CommandError(.failed, "cannot make \(path)", why: String(cString: strerror(errno)))
    }
  }

  deinit { close(descriptor) }

  func append(_ json: JSONValue) throws(CommandError) {
    let line = json.json + [UInt8(ascii: "\n")]
    var done = 0
    while done < line.count {
      let count = line.withUnsafeBytes { write(descriptor, $0.baseAddress! + done, line.count - done) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw CommandError(.failed, "cannot write \(path)", why: String(cString: strerror(errno)))
      }
      done += count
    }
  }
}
