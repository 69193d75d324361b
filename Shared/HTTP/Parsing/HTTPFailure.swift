/// Why a request is refused before any handler sees it. The connection closes after the answer, because what follows
/// in it can no longer be trusted to begin where we think it does.
nonisolated package enum HTTPFailure: Error, Hashable, Sendable, CaseIterable {
  case badLineEnd
  case badRequestLine
  case badTarget
  case targetTooLong
  case unknownMethod
  case badVersion
  case unsupportedVersion
  case headerTooLong
  case tooManyFields
  case badFieldName
  case foldedField
  case badHost
  case badContentLength
  case twoLengths
  case codingInOldVersion
  case badCodings
  case unknownCoding
  case unknownExpectation
  case bodyTooLong
  case badChunk
  case badTrailer
  case tooSlow

  package var status: HTTPStatus {
    switch self {
    case .targetTooLong: .uriTooLong
    case .headerTooLong, .tooManyFields: .requestHeaderFieldsTooLarge
    case .unknownMethod, .unknownCoding: .notImplemented
    case .unsupportedVersion: .httpVersionNotSupported
    case .unknownExpectation: .expectationFailed
    case .bodyTooLong: .contentTooLarge
    case .tooSlow: .requestTimeout
    case .badLineEnd, .badRequestLine, .badTarget, .badVersion, .badFieldName, .foldedField, .badHost,
      .badContentLength, .twoLengths, .codingInOldVersion, .badCodings, .badChunk, .badTrailer:
      .badRequest
    }
  }

  /// What the client's author should change.
  package var detail: String {
    switch self {
    case .badLineEnd: "lines end with CR LF, and no other control character is allowed in the header"
    case .badRequestLine: "the request line is METHOD, one space, target, one space, HTTP/1.1"
    case .badTarget: "the target must be a path that begins with /, in UTF-8, with other characters percent-encoded"
    case .targetTooLong: "the target is too long"
    case .unknownMethod: "this method is not supported anywhere on this server"
    case .badVersion: "the version must be HTTP/1.1 or HTTP/1.0"
    case .unsupportedVersion: "this server speaks HTTP/1.1"
    case .headerTooLong: "the header is too long"
    case .tooManyFields: "the header has too many fields"
    case .badFieldName: "a header line is a name of letters, digits and dashes, a colon at once, and a value"
    case .foldedField: "a header line must not begin with a blank"
    case .badHost: "there must be one Host field, the same as the target's host if that has one"
    case .badContentLength: "Content-Length must be one decimal number"
    case .twoLengths: "send Content-Length or Transfer-Encoding, and only one of it"
    case .codingInOldVersion: "HTTP/1.0 has no Transfer-Encoding"
    case .badCodings: "chunked must be the last transfer coding and occur once"
    case .unknownCoding: "the only transfer coding supported is chunked"
    case .unknownExpectation: "the only expectation supported is 100-continue"
    case .bodyTooLong: "the body is too long"
    case .badChunk: "the chunked body is malformed"
    case .badTrailer: "a trailer field is malformed or not allowed there"
    case .tooSlow: "the request did not arrive in time"
    }
  }
}
