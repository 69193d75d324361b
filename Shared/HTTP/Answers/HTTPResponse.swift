package import JSON

/// A field of an answer.
nonisolated package struct HTTPField: Hashable, Sendable {
  package let name: String
  package let value: String
  /// Whether it can be sent without becoming something else: a name of token characters, a value without controls.
  let isSafe: Bool

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
    isSafe = Self.isSafe(name, value)
  }

  private static func isSafe(_ name: String, _ value: String) -> Bool {
    var (name, value) = (name, value)
    return !name.isEmpty && name.withUTF8 { $0.allSatisfy { ASCII.token.contains($0) } }
      && value.withUTF8 { ASCII.firstControl(in: UnsafeRawBufferPointer($0)) == $0.count }
  }
}

/// What is answered. The server adds what every answer has: length, date, connection, safety.
nonisolated package struct HTTPResponse {
  package var status: HTTPStatus
  package var fields: [HTTPField] = []
  package var type: MediaType?
  package var body: Body
  /// How the answer is recognised when the client has it already.
  package var tag = Tag.none

  package enum Body {
    case none
    case bytes([UInt8])
    /// Made before, and shared by many answers.
    case content(StaticContent)
    /// Comes bit by bit, until one side closes.
    case stream(any HTTPStreamBody)
  }

  package enum Tag {
    case none
    /// An `ETag` made from the body's bytes.
    case ofBody
    /// An `ETag` that the handler knows, without its quotes: a revision, a hash.
    case given(String)

    /// For a handler that knows numbers which are others whenever the bytes are.
    package static func of(_ numbers: [UInt64]) -> Tag { .given(EntityTag.of(numbers)) }
  }

  package init(_ status: HTTPStatus, _ type: MediaType? = nil, _ body: [UInt8] = []) {
    self.status = status
    self.type = type
    self.body = body.isEmpty ? .none : .bytes(body)
  }

  package init(_ content: StaticContent) {
    status = .ok
    type = content.type
    body = .content(content)
  }

  // MARK: Usual answers

  package static func json(_ bytes: [UInt8], _ status: HTTPStatus = .ok) -> HTTPResponse {
    HTTPResponse(status, .json, bytes)
  }

  /// Writes an object as the body.
  package static func json(
    _ status: HTTPStatus = .ok, capacity: Int = 512, _ body: (inout JSONWriter) throws -> Void
  ) rethrows -> HTTPResponse {
    var json = JSONWriter(capacity: capacity)
    try json.object(body)
    return HTTPResponse(status, .json, json.bytes)
  }

  package static func text(_ text: String, _ status: HTTPStatus = .ok) -> HTTPResponse {
    HTTPResponse(status, .plain, Array(text.utf8))
  }

  package static func html(_ text: String, _ status: HTTPStatus = .ok) -> HTTPResponse {
    HTTPResponse(status, .html, Array(text.utf8))
  }

  package static var noContent: HTTPResponse { HTTPResponse(.noContent) }

  /// Sends the client elsewhere, by a path of our own or a whole URL.
  package static func redirect(_ status: HTTPStatus = .seeOther, to location: String) -> HTTPResponse {
    HTTPResponse(status).with("Location", location)
  }

  // MARK: Changing

  /// The answer with a field more.
  package func with(_ name: String, _ value: String) -> HTTPResponse {
    var response = self
    response.fields.append(HTTPField(name, value))
    return response
  }

  /// The answer with what caches may do with it.
  package func cached(_ control: CacheControl, tag: Tag = .ofBody) -> HTTPResponse {
    var response = with("Cache-Control", control.rawValue)
    response.tag = tag
    return response
  }

  /// The value of a field, by its name in any case.
  package subscript(name: String) -> String? {
    let wanted = name.lowercased()
    return fields.first { $0.name.lowercased() == wanted }?.value
  }
}

/// What caches may do with an answer.
nonisolated package struct CacheControl: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// A minute, then stale while a newer one is fetched, or for a day if that fails.
  package static let minute = CacheControl(
    rawValue: "public, max-age=60, stale-while-revalidate=300, stale-if-error=86400")
  package static let day = CacheControl(rawValue: "public, max-age=86400")
  /// For an address that changes when the content does.
  package static let forever = CacheControl(rawValue: "public, max-age=31536000, immutable")
  /// Ask each time whether it is still the same.
  package static let revalidate = CacheControl(rawValue: "no-cache")
  /// For what is of one user.
  package static let never = CacheControl(rawValue: "private, no-store")
}

/// A body that comes bit by bit. It hears what becomes of its connection.
@MainActor
package protocol HTTPStreamBody: AnyObject {
  /// The answer's head has been written; from now on `output` takes bytes.
  func began(_ output: any HTTPOutput)
  /// The server drains: say what is left to say and finish.
  func draining()
  /// The connection is gone, for whatever reason. Once, and the last.
  func ended()
}

/// Where a streamed body goes.
@MainActor
package protocol HTTPOutput: AnyObject {
  func write(_ bytes: UnsafeRawBufferPointer)
  /// Bytes written that the client's side has not taken.
  var queuedBytes: Int { get }
  /// Ends the body, and with it the connection.
  func finish()
  /// Breaks the connection off, so that the client does not take what it has for the whole.
  func reset()
}

extension HTTPOutput {
  package func write(_ bytes: [UInt8]) { bytes.withUnsafeBytes { write($0) } }
}
