import HTTP

extension FrontDesk {
  /// Cross-origin reading (Fetch, 3.2): anybody's page may read what is public, only our own what is of a user.
  func share(_ request: HTTPRequest, _ response: inout HTTPResponse) {
    let head = request.head
    let isPublic = head.hasPath(beginning: "/v1/") && !Self.isOfUsers(head) || head.hasPath("/openapi.json")
    if isPublic {
      response.fields.append(Self.forAnyPage)
    } else if let origin = request["origin"], isOwn(origin, request) {
      response.fields += [HTTPField("Access-Control-Allow-Origin", origin), HTTPField("Vary", "Origin")]
    } else {
      return
    }
    if request.method == .options, request.head.has("access-control-request-method") {
      response.fields += [
        HTTPField("Access-Control-Allow-Methods", isPublic ? "GET, HEAD" : "GET, HEAD, POST, PUT, PATCH, DELETE"),
        HTTPField("Access-Control-Allow-Headers", isPublic ? Self.publicFields : Self.ownFields),
        HTTPField("Access-Control-Max-Age", "86400"),
      ]
    } else {
      response.fields.append(Self.exposed)
    }
  }

  private static let forAnyPage = HTTPField("Access-Control-Allow-Origin", "*")
  private static let publicFields =
    "Accept-Language, If-None-Match, X-Odi-Session, X-Odi-Slot, X-Odi-Sequence, traceparent"
  private static let ownFields =
    "Authorization, Content-Type, Idempotency-Key, If-Match, X-Odi-Request, " + publicFields
  private static let exposed = HTTPField(
    "Access-Control-Expose-Headers", "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Trace-Id")

  private static func isOfUsers(_ head: HTTPHead) -> Bool {
    head.hasPath("/v1/me") || head.hasPath(beginning: "/v1/me/") || head.hasPath(beginning: "/v1/sessions")
      || head.hasPath("/v1/reports")
  }

  private func isOwn(_ origin: String, _ request: HTTPRequest) -> Bool {
    if let own = manners.publicURL { return origin == own }
    guard let host = request["host"] else { return false }
    return origin == "http://\(host)" || origin == "https://\(host)"
  }
}
