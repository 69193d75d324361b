package import EventLoops
package import JSON

/// A whole request that found its route. One object, because it is handed through many hands and never changes.
nonisolated package final class HTTPRequest {
  package let head: HTTPHead
  package let body: [UInt8]
  /// Who is at the other end of the connection; a proxy's clients are behind the proxy.
  package let peer: SocketAddress
  package let route: HTTPRoute?
  /// Where the path's parameters begin and end, two numbers each.
  let captures: SIMD8<UInt16>
  /// The query's parameters in their order, decoded.
  private let parameters: [(name: String, value: String)]

  init(
    head: HTTPHead, body: [UInt8] = [], peer: SocketAddress, route: HTTPRoute? = nil,
    captures: SIMD8<UInt16> = SIMD8(repeating: 0), parameters: [(name: String, value: String)] = []
  ) {
    self.head = head
    self.body = body
    self.peer = peer
    self.route = route
    self.captures = captures
    self.parameters = parameters
  }

  package var method: HTTPMethod { head.method }

  /// The path as it was sent.
  package var path: String { head.rawPath }

  /// What varies in the path, in its order, decoded; a problem if it is not text.
  @MainActor package func pathParameters() throws -> [String] {
    guard let count = route?.parameters.count, count > 0 else { return [] }
    var captures = PathCaptures(self)
    return try (0..<count).map { _ in try captures.next(String.self) }
  }

  /// A header field's value, by its name in lower case.
  package subscript(field: StaticString) -> String? { head[field] }

  /// The query's parameters, to be taken by name and type.
  package var query: QueryReader {
    QueryReader(parameters, known: route.flatMap { $0.checksQuery ? nil : $0.query })
  }

  /// The value of a cookie. Of several with the name, the first.
  package func cookie(_ name: String) -> String? {
    for pair in head["cookie"]?.split(separator: ";") ?? [] {
      let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts[0] == name { return String(parts[1]) }
    }
    return nil
  }

  /// The body as JSON, if it says that it is and is: 415 and 422 otherwise.
  package func json(limits: JSONLimits = JSONLimits()) throws -> JSONValue {
    guard let type = head["content-type"], Self.isJSON(type) else {
      throw Problem(.unsupportedMediaType, "send the body as application/json")
    }
    do throws(JSONError) {
      return try JSONValue(parsing: body, limits: limits)
    } catch {
      throw Problem(.validation, status: .unprocessableContent, "the body is not JSON: \(error)")
    }
  }

  private static func isJSON(_ type: String) -> Bool {
    // As most say it. Others are cut by bytes: by characters that took more than to parse a small body.
    if type == "application/json" { return true }
    let name = Substring(type.utf8.prefix { $0 != UInt8(ascii: ";") }).lowercased()
    return name == "application/json" || name.hasSuffix("+json")
  }
}
