/// One method on one path: what it takes, and who answers.
nonisolated package final class HTTPRoute {
  package let method: HTTPMethod
  /// As it was registered, with its parameters' names: `/v1/cinemas/{id}/days`. Fit for metrics' labels.
  package let pattern: String
  /// The query parameters that it knows. Any other is refused.
  package let query: [QueryParameter]
  /// Whether unknown names are refused before the handler. If not, its `QueryReader` notes them with all else that is
  /// wrong, and the handler must call `finish()`.
  let checksQuery: Bool
  /// A sentence for lists of routes and for the API's description.
  package let summary: String
  /// The longest body that it takes.
  package let bodyLimit: Int
  /// The names of the path's parameters, in their order.
  package let parameters: [String]
  /// Its place among its router's routes, for tables that hold something for each.
  package let number: Int
  /// Throws what is wrong with a request whose body has not come: then it need not.
  let admit: HTTPAdmission?
  let handler: HTTPHandler

  init(
    method: HTTPMethod, pattern: String, query: [QueryParameter], checksQuery: Bool, summary: String, bodyLimit: Int,
    parameters: [String], number: Int, admit: HTTPAdmission?, handler: HTTPHandler
  ) {
    self.method = method
    self.pattern = pattern
    self.query = query
    self.checksQuery = checksQuery
    self.summary = summary
    self.bodyLimit = bodyLimit
    self.parameters = parameters
    self.number = number
    self.admit = admit
    self.handler = handler
  }
}

/// Looks at the head of a request that has a body.
package typealias HTTPAdmission = @MainActor (HTTPRequest) throws -> Void

/// Who answers: a function that does so at once, or one that sees to it that the reply is answered, now or later.
nonisolated enum HTTPHandler {
  case immediate(@MainActor (HTTPRequest) throws -> HTTPResponse)
  case replying(@MainActor (HTTPReply) -> Void)
}

/// A query parameter that a route knows.
nonisolated package struct QueryParameter: Sendable, Hashable, ExpressibleByStringLiteral {
  package let name: String
  /// A sentence for the API's description.
  package let summary: String
  /// What its value may be, where that is a closed list.
  package let words: [String]

  package init(_ name: String, _ summary: String = "", words: [String] = []) {
    self.name = name
    self.summary = summary
    self.words = words
  }

  package init(stringLiteral name: String) { self.init(name) }
}

/// A type that a segment of a path can be read as. A segment that cannot names nothing: 404.
nonisolated package protocol PathParameter {
  init?(pathSegment: String)
}

extension String: PathParameter {
  nonisolated package init?(pathSegment: String) { self = pathSegment }
}

extension Int: PathParameter {
  /// Digits only, without a sign or leading zeros, so that a thing has one address.
  nonisolated package init?(pathSegment: String) {
    guard let value = Int(pathSegment), String(value) == pathSegment, value >= 0 else { return nil }
    self = value
  }
}
