import Clocks

/// Turns answers into bytes, and gathers those of one connection.
///
/// What all answers of one second share is put together once: an answer with status 200 begins with one copy of it.
nonisolated final class ResponseEncoder {
  /// What was encoded and not yet taken.
  let output = GatheredBytes(keptMax: 128 << 10)

  private let coder: ContentCoder
  private let always: [UInt8]
  private let onPages: [UInt8]
  /// `HTTP/1.1 200 OK`, the date and the fields that every answer has.
  private var okPrefix: [UInt8] = []
  /// The same without its first line.
  private var commonFields: [UInt8] = []
  private var freshUntil: Instant?

  /// Bodies above this are handed on as they are instead of being gathered.
  private static let gatheredBodyMax = 16 << 10

  init(safety: SafetyFields, compression: CompressionPolicy) {
    coder = ContentCoder(compression)
    always = Self.lines(safety.always)
    onPages = Self.lines(safety.onPages)
  }

  private static func lines(_ fields: [HTTPField]) -> [UInt8] {
    fields.reduce(into: []) { lines, field in
      precondition(field.isSafe, "\(field.name) cannot be sent in a header")
      lines += Array("\(field.name): \(field.value)\r\n".utf8)
    }
  }

  /// What the answer's head depends on besides the answer.
  struct Context {
    var isHead: Bool
    var minorVersion: UInt8
    var keepsAlive: Bool
  }

  /// Whether `refresh` is due.
  func isStale(_ now: Instant) -> Bool { freshUntil.map { now >= $0 } ?? true }

  func refresh(now: Instant, wall: WallTime) {
    freshUntil = now + .milliseconds(1_000 - (wall.milliseconds % 1_000 + 1_000) % 1_000)
    commonFields = Array("Date: \(HTTPDate.text(wall))\r\n".utf8) + always
    okPrefix = Array("HTTP/1.1 200 OK\r\n".utf8) + commonFields
  }

  /// Encodes an answer's head and, if it is small, its body. What it returns is to be sent after `output`.
  func encode(_ response: HTTPResponse, to head: HTTPHead?, _ context: Context) -> [UInt8]? {
    let form = choose(response, head, context)
    if form.status == .ok {
      output.append(okPrefix)
    } else {
      output.append("HTTP/1.1 ")
      output.append(decimal: Int(form.status.rawValue))
      output.append(" ")
      output.append(form.status.reason)
      output.append("\r\n")
      output.append(commonFields)
    }
    appendFields(response, form, context)
    guard let body = form.body, !context.isHead, !form.status.isBodiless else { return nil }
    if body.count > Self.gatheredBodyMax { return body }
    output.append(body)
    return nil
  }

  func encodeContinue() { output.append("HTTP/1.1 100 Continue\r\n\r\n") }

  func clear() { output.clear() }

  // MARK: The form of an answer

  /// Plain, compressed, or "you have it".
  private struct Form {
    var status: HTTPStatus
    var body: [UInt8]?
    var tag: String?
    var isGzip = false
    var varies = false
  }

  private func choose(_ response: HTTPResponse, _ head: HTTPHead?, _ context: Context) -> Form {
    var form = Form(status: response.status)
    switch response.body {
    case .none:
      form.body = []
    case .stream:
      break
    case .bytes(let bytes):
      form.tag = tag(of: response, bytes)
      form.varies = coder.isWorthwhile(bytes.count, response.type)
      form.body = bytes
    case .content(let content):
      form.tag = tag(of: response, content.bytes)
      form.varies = content.gzip != nil
      form.body = content.bytes
    }
    let takesGzip = form.varies && acceptsGzip(head)
    if let tag = form.tag, let head, head.method == .get || head.method == .head, response.status == .ok,
      let match = EntityTag.match(head, tag)
    {
      form.status = .notModified
      form.body = nil
      form.isGzip = match.packed && takesGzip
    } else if takesGzip {
      pack(&form, response, isSent: !context.isHead)
    }
    return form
  }

  /// Puts the compressed form in the place of the plain one, if that is smaller.
  private func pack(_ form: inout Form, _ response: HTTPResponse, isSent: Bool) {
    let packed: [UInt8]?
    switch response.body {
    case .bytes(let bytes) where isSent: packed = coder.gzip(bytes)
    case .content(let content): packed = content.gzip
    case .none, .stream, .bytes:
      // How long it would be is known only to who compresses it, which is too much work to say it to HEAD.
      form.body = nil
      return
    }
    guard let packed else { return }
    form.isGzip = true
    form.body = packed
  }

  private func acceptsGzip(_ head: HTTPHead?) -> Bool { head.map(ContentCoder.acceptsGzip) ?? false }

  private func tag(of response: HTTPResponse, _ bytes: [UInt8]) -> String? {
    switch response.tag {
    case .none: nil
    case .ofBody: EntityTag.of(bytes)
    case .given(let tag): tag
    }
  }

  private func appendFields(_ response: HTTPResponse, _ form: Form, _ context: Context) {
    if let type = response.type, form.status != .notModified {
      output.append("Content-Type: ")
      output.append(text: type.text)
      output.append("\r\n")
      if type.isPage { output.append(onPages) }
    }
    if let body = form.body, !form.status.isBodiless {
      output.append("Content-Length: ")
      output.append(decimal: body.count)
      output.append("\r\n")
    }
    if form.isGzip, form.status != .notModified { output.append("Content-Encoding: gzip\r\n") }
    if form.varies { output.append("Vary: Accept-Encoding\r\n") }
    if let tag = form.tag {
      output.append("ETag: \"")
      output.append(text: tag)
      output.append(form.isGzip ? "-gz\"\r\n" : "\"\r\n")
    }
    for field in response.fields {
      output.append(text: field.name)
      output.append(": ")
      output.append(text: field.value)
      output.append("\r\n")
    }
    if !context.keepsAlive {
      output.append("Connection: close\r\n")
    } else if context.minorVersion == 0 {
      output.append("Connection: keep-alive\r\n")
    }
    output.append("\r\n")
  }
}
