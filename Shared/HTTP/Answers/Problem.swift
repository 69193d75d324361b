package import JSON

/// An error as its reader gets it: `application/problem+json` (RFC 9457).
nonisolated package struct Problem: Error, Sendable {
  package var kind: Kind
  package var status: HTTPStatus
  /// A sentence about this occurrence: what to do about it.
  package var detail: String
  /// What is wrong with which input.
  package var errors: [Detail]
  /// Members of its own: `stale_as_of`, `replaced_by`, `trace_id`.
  package var extensions: [(name: String, value: JSONValue)]
  /// Fields of the answer: `Retry-After`, `Allow`, `WWW-Authenticate`.
  package var fields: [HTTPField]

  /// The kinds of problems, each with its slug, usual status and title. Clients act on the slug.
  package enum Kind: String, Sendable, CaseIterable {
    case validation
    case invalidCursor = "invalid-cursor"
    case unauthenticated
    case forbidden
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case timeout
    case conflict
    case superseded
    case gone
    case preconditionFailed = "precondition-failed"
    case tooLarge = "too-large"
    case unsupportedMediaType = "unsupported-media-type"
    case idempotencyMismatch = "idempotency-mismatch"
    case rateLimited = "rate-limited"
    /// All room is taken, and waiting gives none.
    case quota
    /// The request breaks HTTP's own rules.
    case malformed
    case `internal`
    case notImplemented = "not-implemented"
    case upstreamUnavailable = "upstream-unavailable"
    case upstreamQuota = "upstream-quota"
    case upstreamTimeout = "upstream-timeout"
    case overloaded

    package var status: HTTPStatus { row.status }
    package var title: String { row.title }

    private var row: (status: HTTPStatus, title: String) {
      switch self {
      case .validation: (.badRequest, "Some parameters are not valid")
      case .invalidCursor: (.badRequest, "The cursor is of another list or too old")
      case .unauthenticated: (.unauthorized, "A session is needed")
      case .forbidden: (.forbidden, "This is not yours")
      case .notFound: (.notFound, "Nothing is here")
      case .methodNotAllowed: (.methodNotAllowed, "This does not take that method")
      case .notAcceptable: (.notAcceptable, "There is no form of this that you accept")
      case .timeout: (.requestTimeout, "The request took too long to arrive")
      case .conflict: (.conflict, "Something else happened at the same time")
      case .superseded: (.conflict, "You have asked something newer")
      case .gone: (.gone, "This is no longer here")
      case .preconditionFailed: (.preconditionFailed, "It has changed since you read it")
      case .tooLarge: (.contentTooLarge, "The request is too large")
      case .unsupportedMediaType: (.unsupportedMediaType, "The body is of a type that is not taken here")
      case .idempotencyMismatch: (.unprocessableContent, "This key belongs to another request")
      case .quota: (.conflict, "There is no room for more")
      case .rateLimited: (.tooManyRequests, "Too many requests")
      case .malformed: (.badRequest, "The request is malformed")
      case .internal: (.internalServerError, "We made a mistake")
      case .notImplemented: (.notImplemented, "This is not supported")
      case .upstreamUnavailable: (.badGateway, "A source does not answer")
      case .upstreamQuota: (.serviceUnavailable, "A source's quota is used up")
      case .upstreamTimeout: (.gatewayTimeout, "The answer took too long")
      case .overloaded: (.serviceUnavailable, "Too much is going on")
      }
    }
  }

  /// One thing that is wrong with an input.
  package struct Detail: Sendable, Hashable {
    /// The query parameter, or
    package var parameter: String?
    /// the place in the body, as a JSON Pointer.
    package var pointer: String?
    package var detail: String
    package var value: String?
    package var didYouMean: String?

    package init(
      parameter: String? = nil, pointer: String? = nil, detail: String, value: String? = nil, didYouMean: String? = nil
    ) {
      self.parameter = parameter
      self.pointer = pointer
      self.detail = detail
      self.value = value
      self.didYouMean = didYouMean
    }
  }

  package init(
    _ kind: Kind, status: HTTPStatus? = nil, _ detail: String = "", errors: [Detail] = [],
    extensions: [(name: String, value: JSONValue)] = [], fields: [HTTPField] = []
  ) {
    self.kind = kind
    self.status = status ?? kind.status
    self.detail = detail.isEmpty && !errors.isEmpty ? Self.count(errors) : detail
    self.errors = errors
    self.extensions = extensions
    self.fields = fields
  }

  /// What is wrong with a body, found by a `JSONReader`: 422.
  package init(_ issues: JSONIssues) {
    self.init(
      .validation, status: .unprocessableContent,
      errors: issues.issues.map { Detail(pointer: $0.pointer, detail: $0.detail, didYouMean: $0.didYouMean) })
  }

  init(_ failure: HTTPFailure) {
    let kind: Kind =
      switch failure.status {
      case .contentTooLarge, .uriTooLong, .requestHeaderFieldsTooLarge: .tooLarge
      case .requestTimeout: .timeout
      case .notImplemented: .notImplemented
      default: .malformed
      }
    self.init(kind, status: failure.status, failure.detail)
  }

  private static func count(_ errors: [Detail]) -> String {
    errors.count == 1 ? "1 problem" : "\(errors.count) problems"
  }

  /// The answer for it. `base` is put before the slug to make the problem's type.
  package func response(base: String = "/problems/", instance: String? = nil) -> HTTPResponse {
    var json = JSONWriter()
    json.object { json in
      json.field("type", base + kind.rawValue)
      json.field("title", kind.title)
      json.field("status", Int(status.rawValue))
      if !detail.isEmpty { json.field("detail", detail) }
      json.field("instance", ifPresent: instance)
      if !errors.isEmpty {
        json.array("errors") { json in
          for error in errors { error.write(to: &json) }
        }
      }
      for (name, value) in extensions {
        json.name(name)
        json.value(value)
      }
    }
    var response = HTTPResponse(status, .problem, json.bytes)
    response.fields = fields
    response.fields.append(HTTPField("Cache-Control", "no-store"))
    return response
  }
}

extension Problem.Detail: JSONWritable {
  nonisolated package func write(to json: inout JSONWriter) {
    json.object { json in
      json.field("parameter", ifPresent: parameter)
      json.field("pointer", ifPresent: pointer)
      json.field("detail", detail)
      json.field("value", ifPresent: value)
      json.field("did_you_mean", ifPresent: didYouMean)
    }
  }
}
