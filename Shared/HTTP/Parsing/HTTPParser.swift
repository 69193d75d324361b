/// Reads HTTP/1.1 requests (RFC 9112) out of bytes, strictly, and knows nothing of sockets.
///
///     while true {
///       switch parser.next(&input) {
///       case .needMore: return            // all input is taken
///       case .head: …                     // parser.head is whole; parser.bodyLimit may be set now
///       case .proceed: …                  // the client waits for "100 Continue"
///       case .body(let piece): …          // part of the input, valid as long as that
///       case .end: …                      // the request is whole; the next call begins another
///       case .failure(let failure): …     // answer and close; every later call says the same
///       }
///     }
///
/// However the input is cut, the same requests come out.
nonisolated package struct HTTPParser {
  package enum Action {
    case needMore
    case head
    case proceed
    case body(UnsafeRawBufferPointer)
    case end
    case failure(HTTPFailure)
  }

  /// The request that is being read, or was read last.
  package private(set) var head = HTTPHead()
  /// The longest body taken, from the end of this head to the end of this request.
  package var bodyLimit: Int

  private let limits: SharedLimits
  private var state = State.requestLine
  private var framing = Framing.none
  private var waitsForContinue = false
  private var host: HTTPHead.Place?
  private var saysClose = false
  private var saysKeepAlive = false
  /// Whether `head` still shows the request before.
  private var headIsSpent = false
  /// Where in `head.bytes` the line begins that is being read.
  private var lineStart = 0
  private var sawCR = false
  private var sawEmptyLine = false
  /// What of the header, or of the trailers, has been read, with the lines' ends.
  private var sectionBytes = 0
  private var trailerFields = 0
  private var extensionBytes = 0
  private var bodyBytes = 0

  private enum State {
    case requestLine
    case fields
    case bodyBegin
    case fixed(left: Int)
    case chunkSize
    case chunk(left: Int)
    case chunkEnd
    case trailers
    case whole
    case failed(HTTPFailure)
  }

  private enum Framing {
    case none
    case length(Int)
    case chunked
  }

  package init(limits: HTTPLimits = HTTPLimits()) { self.init(sharing: SharedLimits(limits)) }

  init(sharing limits: SharedLimits) {
    self.limits = limits
    bodyLimit = limits.value.bodyBytes
  }

  /// Whether nothing of a request has been seen since the last one's end.
  package var isBetweenRequests: Bool {
    if case .requestLine = state { (headIsSpent || head.bytes.isEmpty) && !sawCR && !sawEmptyLine } else { false }
  }

  /// Whether the head says that a body follows it.
  var expectsBody: Bool {
    switch framing {
    case .none, .length(0): false
    case .length, .chunked: true
    }
  }

  /// How much storage the head has, for whoever keeps parsers.
  var headCapacity: Int { head.bytes.capacity }

  /// Whether the header of the request is still being read.
  package var isInHead: Bool {
    switch state {
    case .requestLine, .fields: true
    default: false
    }
  }

  package mutating func next(_ input: inout UnsafeRawBufferPointer) -> Action {
    do throws(HTTPFailure) {
      while true {
        switch state {
        case .requestLine:
          if headIsSpent {
            guard !input.isEmpty else { return .needMore }
            head.clear()
            headIsSpent = false
          }
          guard try takeLine(&input, max: requestLineMax, else: .targetTooLong) else { return .needMore }
          try readRequestLine()
        case .fields:
          guard try takeLine(&input, max: sectionLeft, else: .headerTooLong) else { return .needMore }
          if try readField() { continue }
          try finishHeader()
          state = .bodyBegin
          return .head
        case .bodyBegin:
          try beginBody()
          if waitsForContinue {
            waitsForContinue = false
            // Who has begun to send does not wait.
            if input.isEmpty { return .proceed }
          }
        case .fixed(let left):
          guard let piece = take(upTo: left, of: &input) else { return .needMore }
          state = left == piece.count ? .whole : .fixed(left: left - piece.count)
          return .body(piece)
        case .chunkSize:
          guard try takeLine(&input, max: chunkLineMax, else: .badChunk) else { return .needMore }
          try readChunkSize()
        case .chunk(let left):
          guard let piece = take(upTo: left, of: &input) else { return .needMore }
          state = left == piece.count ? .chunkEnd : .chunk(left: left - piece.count)
          return .body(piece)
        case .chunkEnd:
          guard try takeLine(&input, max: 0, else: .badChunk) else { return .needMore }
          dropLine()
          state = .chunkSize
        case .trailers:
          guard try takeLine(&input, max: sectionLeft, else: .headerTooLong) else { return .needMore }
          try readTrailer()
        case .whole:
          begin()
          return .end
        case .failed(let failure):
          return .failure(failure)
        }
      }
    } catch {
      state = .failed(error)
      return .failure(error)
    }
  }

  /// Makes ready for the next request. `head` stays as it is until the first byte of that.
  private mutating func begin() {
    state = .requestLine
    headIsSpent = true
    framing = .none
    waitsForContinue = false
    host = nil
    saysClose = false
    saysKeepAlive = false
    lineStart = 0
    sawCR = false
    sawEmptyLine = false
    sectionBytes = 0
    trailerFields = 0
    extensionBytes = 0
    bodyBytes = 0
    bodyLimit = limits.value.bodyBytes
  }

  // MARK: Lines

  /// Moves bytes up to CR LF to `head.bytes`; `false` if the input ended before. No other control character may occur.
  private mutating func takeLine(
    _ input: inout UnsafeRawBufferPointer, max: Int, else tooLong: HTTPFailure
  ) throws(HTTPFailure) -> Bool {
    if sawCR {
      guard let next = input.first else { return false }
      guard next == ASCII.lf else { throw .badLineEnd }
      input = UnsafeRawBufferPointer(rebasing: input.dropFirst())
      sawCR = false
      return true
    }
    let end = ASCII.firstControl(in: input)
    guard head.bytes.count - lineStart + end <= max else { throw tooLongLine(tooLong, input) }
    head.bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: input[..<end]))
    guard end < input.count else {
      input = UnsafeRawBufferPointer(start: nil, count: 0)
      return false
    }
    guard input[end] == ASCII.cr else { throw .badLineEnd }
    guard end + 1 < input.count else {
      sawCR = true
      input = UnsafeRawBufferPointer(start: nil, count: 0)
      return false
    }
    guard input[end + 1] == ASCII.lf else { throw .badLineEnd }
    input = UnsafeRawBufferPointer(rebasing: input[(end + 2)...])
    return true
  }

  /// A request line that grows without a blank near its begin is no request line of any length.
  private func tooLongLine(_ failure: HTTPFailure, _ input: UnsafeRawBufferPointer) -> HTTPFailure {
    guard case .requestLine = state else { return failure }
    let begin = head.bytes.prefix(Self.methodBytesMax + 1) + input.prefix(Self.methodBytesMax + 1)
    return begin.prefix(Self.methodBytesMax + 1).contains(ASCII.space) ? failure : .badRequestLine
  }

  private mutating func dropLine() { head.bytes.removeLast(head.bytes.count - lineStart) }

  /// Longer than any registered method.
  private static let methodBytesMax = 24
  private var requestLineMax: Int { Self.methodBytesMax + limits.value.targetBytes + " HTTP/1.1 ".utf8.count }
  /// Sixteen digits say more than any memory holds.
  private static let chunkDigitsMax = 16
  private var chunkLineMax: Int { Self.chunkDigitsMax + limits.value.chunkExtensionBytes - extensionBytes }
  private var sectionLeft: Int { limits.value.headerBytes - sectionBytes - 2 }

  private func take(upTo count: Int, of input: inout UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard !input.isEmpty else { return nil }
    let piece = UnsafeRawBufferPointer(rebasing: input.prefix(count))
    input = UnsafeRawBufferPointer(rebasing: input.dropFirst(piece.count))
    return piece
  }

  // MARK: The request line

  private mutating func readRequestLine() throws(HTTPFailure) {
    let end = head.bytes.count
    if end == 0 {
      // RFC 9112 2.2: some clients send an empty line after a body. One is no harm.
      guard !sawEmptyLine else { throw .badRequestLine }
      sawEmptyLine = true
      return
    }
    var methodEnd = 0
    while methodEnd < end, ASCII.token.contains(head.bytes[methodEnd]) { methodEnd += 1 }
    var targetEnd = end - 1
    while targetEnd > methodEnd, head.bytes[targetEnd] != ASCII.space { targetEnd -= 1 }
    guard methodEnd > 0, targetEnd > methodEnd + 1, head.bytes[methodEnd] == ASCII.space else { throw .badRequestLine }
    head.minorVersion = try Self.minorVersion(head.bytes, targetEnd + 1..<end)
    var target = methodEnd + 1..<targetEnd
    guard target.count <= limits.value.targetBytes else { throw .targetTooLong }
    guard let method = HTTPMethod(head.bytes, 0..<methodEnd) else { throw .unknownMethod }
    head.method = method
    if !RequestTarget.isGood(head.bytes, target) {
      guard let encoded = RequestTarget.encodingLetters(head.bytes, target) else { throw .badTarget }
      guard encoded.count <= limits.value.targetBytes else { throw .targetTooLong }
      head.bytes.replaceSubrange(target, with: encoded)
      target = target.lowerBound..<target.lowerBound + encoded.count
    }
    try readTarget(target)
    lineStart = head.bytes.count
    state = .fields
  }

  /// Reads `HTTP/1.1`, where only the digits may differ.
  private static func minorVersion(_ bytes: [UInt8], _ range: Range<Int>) throws(HTTPFailure) -> UInt8 {
    let pattern: StaticString = "HTTP/0.0"
    guard range.count == pattern.utf8CodeUnitCount else { throw .badVersion }
    for index in 0..<range.count {
      let (byte, wanted) = (bytes[range.lowerBound + index], pattern.utf8Start[index])
      guard wanted == UInt8(ascii: "0") ? ASCII.isDigit(byte) : byte == wanted else { throw .badVersion }
    }
    guard bytes[range.lowerBound + 5] == UInt8(ascii: "1") else { throw .unsupportedVersion }
    // A higher minor version is answered as the one we speak (RFC 9110 2.5).
    return bytes[range.upperBound - 1] == UInt8(ascii: "0") ? 0 : 1
  }

  private mutating func readTarget(_ target: Range<Int>) throws(HTTPFailure) {
    var start = target.lowerBound
    switch head.bytes[start] {
    case UInt8(ascii: "/"):
      break
    case UInt8(ascii: "*"):
      guard head.method == .options, target.count == 1 else { throw .badTarget }
      head.path = HTTPHead.Place(target)
      return
    default:
      guard let scheme = RequestTarget.schemeBytes(head.bytes, target) else { throw .badTarget }
      let begin = start + scheme
      start = begin
      while start < target.upperBound, head.bytes[start] != UInt8(ascii: "/"), head.bytes[start] != UInt8(ascii: "?") {
        start += 1
      }
      head.authority = HTTPHead.Place(begin..<start)
    }
    var end = start
    while end < target.upperBound, head.bytes[end] != UInt8(ascii: "?") { end += 1 }
    head.path = HTTPHead.Place(start..<end)
    if end < target.upperBound { head.query = HTTPHead.Place(end + 1..<target.upperBound) }
  }

  // MARK: The header

  /// Reads the line as a field; `false` if it is the empty line that ends the header.
  private mutating func readField() throws(HTTPFailure) -> Bool {
    let line = lineStart..<head.bytes.count
    sectionBytes += line.count + 2
    guard !line.isEmpty else { return false }
    guard head.fields.count < limits.value.headerFields else { throw .tooManyFields }
    let field = try Self.field(head.bytes, line)
    head.fields.append(field)
    try readMeaning(field.name.range, field.value)
    lineStart = line.upperBound
    return true
  }

  private static func field(_ bytes: [UInt8], _ line: Range<Int>) throws(HTTPFailure) -> HTTPHead.Field {
    var colon = line.lowerBound
    while colon < line.upperBound, ASCII.token.contains(bytes[colon]) { colon += 1 }
    guard colon < line.upperBound, bytes[colon] == UInt8(ascii: ":"), colon > line.lowerBound else {
      throw ASCII.isBlank(bytes[line.lowerBound]) ? .foldedField : .badFieldName
    }
    return HTTPHead.Field(
      name: HTTPHead.Place(line.lowerBound..<colon),
      value: HTTPHead.Place(ASCII.trimmed(bytes, colon + 1..<line.upperBound)))
  }

  /// Takes note of the fields that decide where the request ends and what becomes of the connection.
  private mutating func readMeaning(_ name: Range<Int>, _ place: HTTPHead.Place) throws(HTTPFailure) {
    let value = place.range
    switch name.count {
    case 4 where ASCII.matches(head.bytes, name, "host"):
      guard host == nil, Self.isHost(head.bytes, value) else { throw .badHost }
      host = place
    case 6 where ASCII.matches(head.bytes, name, "expect"):
      guard ASCII.matches(head.bytes, value, "100-continue") else { throw .unknownExpectation }
      waitsForContinue = head.minorVersion == 1
    case 10 where ASCII.matches(head.bytes, name, "connection"):
      for element in Self.elements(head.bytes, value) {
        if ASCII.matches(head.bytes, element, "close") { saysClose = true }
        if ASCII.matches(head.bytes, element, "keep-alive") { saysKeepAlive = true }
      }
    case 14 where ASCII.matches(head.bytes, name, "content-length"):
      guard case .none = framing else { throw .twoLengths }
      framing = .length(try Self.contentLength(head.bytes[value]))
    case 17 where ASCII.matches(head.bytes, name, "transfer-encoding"):
      guard case .none = framing else { throw .twoLengths }
      guard head.minorVersion == 1 else { throw .codingInOldVersion }
      try Self.checkCodings(head.bytes, value)
      framing = .chunked
    default:
      break
    }
  }

  private static func isHost(_ bytes: [UInt8], _ value: Range<Int>) -> Bool {
    var index = value.lowerBound
    if index < value.upperBound, bytes[index] == UInt8(ascii: "[") {
      guard let end = bytes[value].firstIndex(of: UInt8(ascii: "]")), end > index + 2 else { return false }
      let inside = bytes[(index + 1)..<end]
      guard inside.allSatisfy({ ASCII.hex($0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }),
        inside.contains(UInt8(ascii: ":"))
      else { return false }
      index = end + 1
    } else {
      while index < value.upperBound, ASCII.host.contains(bytes[index]) { index += 1 }
      guard index > value.lowerBound else { return false }
    }
    guard index < value.upperBound else { return true }
    let port = bytes[(index + 1)..<value.upperBound]
    return bytes[index] == UInt8(ascii: ":") && port.count <= 5 && port.allSatisfy(ASCII.isDigit)
      && port.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 65_535
  }

  private static func contentLength(_ value: ArraySlice<UInt8>) throws(HTTPFailure) -> Int {
    // Eighteen digits fit any Int64; no body is that long.
    guard (1...18).contains(value.count), value.allSatisfy(ASCII.isDigit) else { throw .badContentLength }
    return value.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func checkCodings(_ bytes: [UInt8], _ value: Range<Int>) throws(HTTPFailure) {
    if ASCII.matches(bytes, value, "chunked") { return }
    let isChunked = elements(bytes, value).map { ASCII.matches(bytes, $0, "chunked") }
    // Either where the body ends is known, but it is in a coding that we do not undo, or it is not known at all.
    let isUnknown = isChunked == [false] || isChunked.count > 1 && isChunked.firstIndex(of: true) == isChunked.count - 1
    throw isUnknown ? .unknownCoding : .badCodings
  }

  /// The elements of a comma-separated list, empty ones left out.
  private static func elements(_ bytes: [UInt8], _ value: Range<Int>) -> [Range<Int>] {
    bytes[value].split(separator: UInt8(ascii: ","))
      .map { ASCII.trimmed(bytes, $0.startIndex..<$0.endIndex) }
      .filter { !$0.isEmpty }
  }

  /// Judges what only the whole header can tell.
  private mutating func finishHeader() throws(HTTPFailure) {
    guard host != nil || head.minorVersion == 0 else { throw .badHost }
    if let authority = head.authority, let host {
      // Who routes by one and who routes by the other must not disagree.
      let (one, other) = (head.bytes[authority.range], head.bytes[host.range])
      guard one.elementsEqual(other, by: { ASCII.lowercased($0) == ASCII.lowercased($1) }) else { throw .badHost }
    }
    head.keepsAlive = !saysClose && (head.minorVersion == 1 || saysKeepAlive)
    lineStart = head.bytes.count
    sectionBytes = 0
  }

  // MARK: The body

  private mutating func beginBody() throws(HTTPFailure) {
    switch framing {
    case .none, .length(0):
      waitsForContinue = false
      state = .whole
    case .length(let length):
      guard length <= bodyLimit else { throw .bodyTooLong }
      state = .fixed(left: length)
    case .chunked:
      state = .chunkSize
    }
  }

  /// Reads `1a2;name=value`: the next chunk's size and extensions, which mean nothing to us.
  private mutating func readChunkSize() throws(HTTPFailure) {
    let end = head.bytes.count
    var index = lineStart
    var size = 0
    while index < end, index - lineStart < Self.chunkDigitsMax, let digit = ASCII.hex(head.bytes[index]) {
      guard size >> 59 == 0 else { throw .badChunk }
      size = size << 4 | Int(digit)
      index += 1
    }
    guard index > lineStart else { throw .badChunk }
    extensionBytes += end - index
    guard extensionBytes <= limits.value.chunkExtensionBytes, Self.areExtensions(head.bytes[index...]) else {
      throw .badChunk
    }
    dropLine()
    if size == 0 {
      state = .trailers
    } else {
      guard size <= bodyLimit - bodyBytes else { throw .bodyTooLong }
      bodyBytes += size
      state = .chunk(left: size)
    }
  }

  /// Whether the text is `*( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )`.
  private static func areExtensions(_ text: ArraySlice<UInt8>) -> Bool {
    var rest = text
    func skipBlanks() { rest = rest.drop(while: ASCII.isBlank) }
    func skipToken() -> Bool {
      let count = rest.count
      rest = rest.drop { ASCII.token.contains($0) }
      return rest.count < count
    }
    func skipQuoted() -> Bool {
      rest = rest.dropFirst()
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "\"") { return true }
        if byte == UInt8(ascii: "\\"), rest.popFirst() == nil { return false }
      }
      return false
    }
    while !rest.isEmpty {
      skipBlanks()
      guard rest.popFirst() == UInt8(ascii: ";") else { return false }
      skipBlanks()
      guard skipToken() else { return false }
      let end = rest
      skipBlanks()
      guard rest.first == UInt8(ascii: "=") else {
        rest = end
        continue
      }
      rest = rest.dropFirst()
      skipBlanks()
      guard rest.first == UInt8(ascii: "\"") ? skipQuoted() : skipToken() else { return false }
    }
    return true
  }

  /// Reads a field after the last chunk, to see that it is one, and drops it: nobody asked for any.
  private mutating func readTrailer() throws(HTTPFailure) {
    let line = lineStart..<head.bytes.count
    guard !line.isEmpty else {
      state = .whole
      return
    }
    sectionBytes += line.count + 2
    trailerFields += 1
    guard trailerFields <= limits.value.headerFields else { throw .tooManyFields }
    let name = try Self.field(head.bytes, line).name.range
    for forbidden in ["content-length", "transfer-encoding", "host", "connection"] as [StaticString] {
      if ASCII.matches(head.bytes, name, forbidden) { throw .badTrailer }
    }
    dropLine()
  }
}
