import Clocks
import Crypto
import JSON
import RPC
import Wire

/// `call METHOD JSON`: any request of the service, typed by a person and answered in JSON.
struct CallCommand {
  let access: ServiceAccess

  private static let name = Parameter<String>.argument("METHOD", "as `describe` lists it: NearestCinemas")
  private static let request = Parameter<String?>.optionalArgument("JSON", "the request's fields; without it none")
  private static let limit = Parameter<Int>.option(
    "limit", short: "n", "of a stream, so many elements", default: 10, in: 1...CallMethod.limitMax)
  private static let key = Parameter<String?>.optionalOption("key", "the idempotency key; without it a new one")
  private static let patience = Parameter<Duration>.option(
    "timeout", "how long to wait", default: .seconds(5), in: .milliseconds(1) ... .seconds(600))

  var command: Command {
    let service = access.service
    return Command(
      "call", "send the service any of its requests",
      discussion: """
        A stream's elements are a line each. What is answered is printed whole, secrets among it: a calendar feed's new \
        key, for one.
        """,
      examples: [
        .init("odi-\(service) call Ping", "without fields"), .init("odi-\(service) describe", "what there is"),
      ],
      takes: [Self.name, Self.request, Self.limit, Self.key, Self.patience] + access.parameters
    ) { call, output in
      let methods = try await access.ask(DescribeService(), call, output)
      guard let method = methods.first(where: { $0.name == call[Self.name] }) else {
        let near = suggestion(for: call[Self.name], among: methods.map(\.name))
        throw CommandError(
          .notFound, "odi-\(service) does not answer \(call[Self.name])", why: near.map { "did you mean \($0)?" },
          try: "odi-\(service) describe")
      }
      let question = CallMethod(
        name: method.name, payload: try payload(call[Self.request] ?? "{}", method), limit: call[Self.limit])
      let answer = try await send(question, call, output)
      for bytes in answer.answers {
        var json = JSONWriter()
        json.value(JSONValue(try value(bytes)))
        output.write(String(decoding: json.bytes, as: UTF8.self) + "\n")
      }
      return .done
    }
  }

  private func send(
    _ question: CallMethod, _ call: Invocation, _ output: Output
  ) async throws(CommandError) -> CallMethod.Response {
    let client = try access.client(of: AdminAPI.self, call, output)
    do throws(RPCError) {
      let options = CallOptions(timeout: call[Self.patience], key: try key(call[Self.key]), mayRetry: false)
      return try await client.call(question, options)
    } catch {
      throw access.explain(error, try access.address(call, output))
    }
  }

  private func key(_ text: String?) throws(RPCError) -> IdempotencyKey {
    guard let text else {
      var random = SecureRandom()
      return .random(using: &random)
    }
    guard let key = IdempotencyKey(text) else {
      throw RPCError(.invalidArgument, "\(text) is no idempotency key; give a UUID", executed: .no)
    }
    return key
  }

  private func payload(_ text: String, _ method: MethodDescription) throws(CommandError) -> [UInt8] {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: text)
    } catch {
      throw CommandError(.usage, "the request is no JSON", why: "\(error)", try: "quote it: '{\"limit\":3}'")
    }
    guard case .object(let fields) = json else { throw CommandError(.usage, "the request is no JSON object") }
    let known = Set(method.request.map { $0.name.prefix { $0 != "." } })
    for name in fields.names where !known.contains(name[...]) {
      let near = suggestion(for: name, among: known.map(String.init))
      throw CommandError(
        .usage, "\(method.name) has no field \(name)", why: near.map { "did you mean \($0)?" },
        try: "odi-\(access.service) describe \(method.name)")
    }
    do throws(WireError) {
      return try Wire.encode(WireValue(json))
    } catch {
      throw CommandError(.usage, "the request cannot be encoded", why: "\(error)")
    }
  }

  private func value(_ bytes: [UInt8]) throws(CommandError) -> WireValue {
    do throws(WireError) {
      return try WireValue(reading: bytes)
    } catch {
      throw CommandError(.failed, "the answer cannot be read", why: "\(error)")
    }
  }
}

extension WireValue {
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

extension JSONValue {
  fileprivate init(_ value: WireValue) {
    self =
      switch value {
      case .null: .null
      case .bool(let value): .bool(value)
      case .int(let value): .int(value)
      case .uint(let value): .double(Double(value))
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
