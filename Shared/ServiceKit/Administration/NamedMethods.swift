import Crypto
import JSON
import RPC
import Wire

/// Requests by their names, for commands that do not know their types: typed as JSON, sent as Wire.
extension ServiceAccess {
  func method(named name: String, _ call: Invocation, _ output: Output) async throws(CommandError) -> MethodDescription
  {
    let methods = try await ask(DescribeService(), call, output)
    guard let method = methods.first(where: { $0.name == name }) else {
      let near = suggestion(for: name, among: methods.map(\.name))
      throw CommandError(
        .notFound, "odi-\(service) does not answer \(name)", why: near.map { "did you mean \($0)?" },
        try: "odi-\(service) describe")
    }
    return method
  }
}

extension MethodDescription {
  /// A request out of JSON. A field that the method does not have is a slip, and is told.
  func payload(_ text: String, at service: String) throws(CommandError) -> [UInt8] {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: text)
    } catch {
      throw CommandError(.usage, "the request is no JSON", why: "\(error)", try: "quote it: '{\"limit\":3}'")
    }
    guard case .object(let fields) = json else { throw CommandError(.usage, "the request is no JSON object") }
    let known = Set(request.map { $0.name.prefix { $0 != "." } })
    for field in fields.names where !known.contains(field[...]) {
      let near = suggestion(for: field, among: known.map(String.init))
      throw CommandError(
        .usage, "\(name) has no field \(field)", why: near.map { "did you mean \($0)?" },
        try: "odi-\(service) describe \(name)")
    }
    return try json.wire
  }
}

extension RPCClient<AdminAPI> {
  /// The one answer to a read of a known name, as bytes; the same failures as the read itself.
  func read(_ name: String, _ payload: [UInt8], within timeout: Duration) async throws(RPCError) -> [UInt8] {
    var random = SecureRandom()
    let options = CallOptions(timeout: timeout, key: .random(using: &random), mayRetry: false)
    let answers = try await call(CallMethod(name: name, payload: payload, limit: 1), options).answers
    guard let answer = answers.first else { throw RPCError(.internal, "\(name) was answered with nothing") }
    return answer
  }
}

nonisolated extension JSONValue {
  /// As the value of a request, in the self-contained form.
  var wire: [UInt8] {
    get throws(CommandError) {
      do throws(WireError) {
        return try Wire.encode(WireValue(self))
      } catch {
        throw CommandError(.usage, "the request cannot be encoded", why: "\(error)")
      }
    }
  }

  /// An answer in the self-contained form.
  init(answer bytes: [UInt8]) throws(CommandError) {
    do throws(WireError) {
      self.init(try WireValue(reading: bytes))
    } catch {
      throw CommandError(.failed, "the answer cannot be read", why: "\(error)")
    }
  }

  private init(_ value: WireValue) {
    self =
      switch value {
      case .null: .null
      case .bool(let value): .bool(value)
      case .int(let value): .int(value)
      case .uint(let value): Int64(exactly: value).map { .int($0) } ?? .double(Double(value))
      case .double(let value): .double(value)
      case .float(let value): .double(Double(value))
      case .string(let value): .string(value)
      case .bytes(let bytes): .array(bytes.map { .int(Int64($0)) })
      case .list(let values): .array(values.map { JSONValue($0) })
      case .map(let pairs):
        .object(JSONObject(pairs.map { (JSONValue.name(of: $0.key), JSONValue($0.value)) }))
      case .record(let fields): .object(JSONObject(fields.map { ($0.name, JSONValue($0.value)) }))
      }
  }

  private static func name(of key: WireValue) -> String {
    if case .string(let text) = key { text } else { "\(key)" }
  }
}

nonisolated extension WireValue {
  fileprivate init(_ json: JSONValue) {
    self =
      switch json {
      case .null: .null
      case .bool(let value): .bool(value)
      case .int(let value): .int(value)
      case .double(let value): .double(value)
      case .string(let value): .string(value)
      case .array(let values): .list(values.map { WireValue($0) })
      case .object(let object):
        // An absent field is nil on the wire; a record has no other way to say null.
        .record(object.filter { $0.value != .null }.map { Field($0.name, WireValue($0.value)) })
      }
  }
}
