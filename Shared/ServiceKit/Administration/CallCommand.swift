import Crypto
import JSON
import RPC

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
      let method = try await access.method(named: call[Self.name], call, output)
      let question = CallMethod(
        name: method.name, payload: try method.payload(call[Self.request] ?? "{}", at: service),
        limit: call[Self.limit])
      let answer = try await send(question, call, output)
      for bytes in answer.answers {
        output.write(String(decoding: try JSONValue(answer: bytes).json, as: UTF8.self) + "\n")
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
}
