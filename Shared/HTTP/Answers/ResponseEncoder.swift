import Clocks

/// Turns answers into bytes.
///
/// What all answers of one second share is put together once: an answer with status 200 begins with one copy of it.
nonisolated struct ResponseEncoder {
  /// What was encoded and not yet taken.
  private(set) var output: [UInt8] = []

  private let coder: ContentCoder
  private let always: [UInt8]
  private let onPages: [UInt8]
  /// `HTTP/1.1 200 OK`, the date and the fields that every answer has.
  private var okPrefix: [UInt8] = []
  /// The same without its first line.
  private var commonFields: [UInt8] = []
  private var freshUntil: Instant?

  /// Bodies above this are handed on as they are instead of being gathered.
  static let gatheredBodyMax = 16 << 10
  /// What is kept for the next turn.
  private static let keptCapacity = 64 << 10

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
    var minorVersion: Int
    var keepsAlive: Bool
  }

  /// Encodes an answer's head and, if it is small, its body. What it returns is to be sent after `output`.
  mutating func encode(
    _ response: HTTPResponse, to head: HTTPHead?, _ context: Context, now: Instant, wall: () -> WallTime
  )
    -> LargeBody?
  {
    refresh(now, wall)
    let answer = negotiate(response, head)
    if answer.status == .ok {
      output += okPrefix
    } else {
      append("HTTP/1.1 ")
      append(decimal: Int(answer.status.rawValue))
      output.append(ASCII.space)
      append(answer.status.reason)
      append("\r\n")
      output += commonFields
    }
    appendFields(answer, context)
    guard let body = answer.body, !context.isHead, !answer.status.isBodiless else { return nil }
    if body.count > Self.gatheredBodyMax { return LargeBody(bytes: body) }
    output += body
    return nil
  }

  /// A body that is not worth copying.
  struct LargeBody {
    let bytes: [UInt8]
  }

  mutating func encodeContinue() { append("HTTP/1.1 100 Continue\r\n\r\n") }

  mutating func clear() {
    output.removeAll(keepingCapacity: output.capacity <= Self.keptCapacity)
  }

  // MARK: What is sent

  /// An answer whose form is chosen.
  private struct Answer {
    var status: HTTPStatus
    var type: MediaType?
    var fields: [HTTPField]
    var body: [UInt8]?
    var isStream = false
    var tag: String?
    var isGzip = false
    var varies = false
  }

  /// Chooses between the plain form, the compressed one, and "you have it".
  private func negotiate(_ response: HTTPResponse, _ head: HTTPHead?) -> Answer {
    var answer = Answer(status: response.status, type: response.type, fields: response.fields)
    let mayDiffer = head.map { $0.method == .get || $0.method == .head } == true && response.status == .ok
    switch response.body {
    case .none:
      answer.body = []
    case .stream:
      answer.isStream = true
      return answer
    case .bytes(let bytes):
      answer.body = bytes
      answer.varies = coder.varies(bytes.count, response.type)
      answer.tag = tag(of: response, bytes)
      if let head, answer.varies, ContentCoder.acceptsGzip(head), let packed = coder.gzip(bytes, response.type) {
        answer.body = packed
        answer.isGzip = true
      }
    case .content(let content):
      answer.body = content.bytes
      answer.varies = content.gzip != nil
      answer.tag = tag(of: response, content.bytes)
      if let head, let packed = content.gzip, ContentCoder.acceptsGzip(head) {
        answer.body = packed
        answer.isGzip = true
      }
    }
    if mayDiffer, let head, let tag = answer.tag, EntityTag.matches(head, tag) {
      answer.status = .notModified
      answer.body = nil
      answer.type = nil
    }
    return answer
  }

  private func tag(of response: HTTPResponse, _ bytes: [UInt8]) -> String? {
    switch response.tag {
    case .none: nil
    case .ofBody: EntityTag.of(bytes)
    case .given(let tag): tag
    }
  }

  private mutating func appendFields(_ answer: Answer, _ context: Context) {
    if let type = answer.type {
      append("Content-Type: ")
      append(type.text)
      append("\r\n")
      if type == .html { output += onPages }
    }
    if let body = answer.body, !answer.status.isBodiless {
      append("Content-Length: ")
      append(decimal: body.count)
      append("\r\n")
    }
    if answer.isGzip, answer.status != .notModified { append("Content-Encoding: gzip\r\n") }
    if answer.varies { append("Vary: Accept-Encoding\r\n") }
    if let tag = answer.tag {
      append("ETag: \"")
      append(tag)
      append(answer.isGzip ? "-gz\"\r\n" : "\"\r\n")
    }
    for field in answer.fields {
      append(field.name)
      append(": ")
      append(field.value)
      append("\r\n")
    }
    if !context.keepsAlive || answer.isStream {
      append("Connection: close\r\n")
    } else if context.minorVersion == 0 {
      append("Connection: keep-alive\r\n")
    }
    append("\r\n")
  }

  // MARK: Bytes

  private mutating func refresh(_ now: Instant, _ wall: () -> WallTime) {
    if let freshUntil, now < freshUntil { return }
    let wall = wall()
    freshUntil = now + .milliseconds(1_000 - (wall.milliseconds % 1_000 + 1_000) % 1_000)
    commonFields = Array("Date: \(HTTPDate.text(wall))\r\n".utf8) + always
    okPrefix = Array("HTTP/1.1 200 OK\r\n".utf8) + commonFields
  }

  private mutating func append(_ text: StaticString) { text.withUTF8Buffer { output.append(contentsOf: $0) } }

  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { output.append(contentsOf: $0) }
  }

  private mutating func append(decimal value: Int) {
    var digits: UInt64 = 0
    var (count, rest) = (0, value)
    repeat {
      digits = digits << 8 | UInt64(rest % 10 + 0x30)
      rest /= 10
      count += 1
    } while rest > 0 && count < 8
    if rest > 0 { append(decimal: rest) }
    for _ in 0..<count {
      output.append(UInt8(truncatingIfNeeded: digits))
      digits >>= 8
    }
  }
}
