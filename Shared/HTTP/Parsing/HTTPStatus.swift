/// A status code, with the reason phrase of RFC 9110.
nonisolated package struct HTTPStatus: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let `continue` = HTTPStatus(rawValue: 100)
  package static let ok = HTTPStatus(rawValue: 200)
  package static let created = HTTPStatus(rawValue: 201)
  package static let accepted = HTTPStatus(rawValue: 202)
  package static let noContent = HTTPStatus(rawValue: 204)
  package static let found = HTTPStatus(rawValue: 302)
  package static let seeOther = HTTPStatus(rawValue: 303)
  package static let notModified = HTTPStatus(rawValue: 304)
  package static let permanentRedirect = HTTPStatus(rawValue: 308)
  package static let badRequest = HTTPStatus(rawValue: 400)
  package static let unauthorized = HTTPStatus(rawValue: 401)
  package static let forbidden = HTTPStatus(rawValue: 403)
  package static let notFound = HTTPStatus(rawValue: 404)
  package static let methodNotAllowed = HTTPStatus(rawValue: 405)
  package static let notAcceptable = HTTPStatus(rawValue: 406)
  package static let requestTimeout = HTTPStatus(rawValue: 408)
  package static let conflict = HTTPStatus(rawValue: 409)
  package static let gone = HTTPStatus(rawValue: 410)
  package static let preconditionFailed = HTTPStatus(rawValue: 412)
  package static let contentTooLarge = HTTPStatus(rawValue: 413)
  package static let uriTooLong = HTTPStatus(rawValue: 414)
  package static let unsupportedMediaType = HTTPStatus(rawValue: 415)
  package static let expectationFailed = HTTPStatus(rawValue: 417)
  package static let unprocessableContent = HTTPStatus(rawValue: 422)
  package static let tooManyRequests = HTTPStatus(rawValue: 429)
  package static let requestHeaderFieldsTooLarge = HTTPStatus(rawValue: 431)
  package static let internalServerError = HTTPStatus(rawValue: 500)
  package static let notImplemented = HTTPStatus(rawValue: 501)
  package static let badGateway = HTTPStatus(rawValue: 502)
  package static let serviceUnavailable = HTTPStatus(rawValue: 503)
  package static let gatewayTimeout = HTTPStatus(rawValue: 504)
  package static let httpVersionNotSupported = HTTPStatus(rawValue: 505)

  /// Whether an answer with this status never has a body, whatever the request.
  package var isBodiless: Bool { self == .noContent || self == .notModified || rawValue < 200 }

  package var reason: StaticString {
    switch rawValue {
    case 100: "Continue"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    default: "Other"
    }
  }
}
