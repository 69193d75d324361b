import Calendars
import Clocks
import Compression
import HTTP

/// Makes an answer of a document, as well or as badly as the knobs say.
struct MisbehavingAnswer {
  let active: Set<Misbehaviour>
  let knobs: Knobs
  let time: any TimeSource
  /// What the server's own waiting is measured with.
  let serverTime: any TimeSource

  private enum Limits {
    /// More than any reader's patience, and it ends.
    static let silence: Duration = .seconds(60)
    static let slowPieces = 20
    static let slowTotal: Duration = .seconds(10)
    static let garbageBytes = 64 << 10
    static let bombBytes = 64 << 20
    static let hugeBlock = 64 << 10
    static let hugeBlocks = 384
    static let dripBytes = 120
    static let headerFields = 100_000
    static let retrySeconds = 30
    static let retryLater: Int64 = 120_000
  }

  var style: SiteStyle {
    SiteStyle(
      isRedesigned: active.contains(.redesign), isEmpty: active.contains(.empty), isHostile: active.contains(.hostile))
  }

  /// What is answered before anybody looks at the page.
  func refusal(at path: String) async throws -> HTTPResponse? {
    if active.isEmpty { return nil }
    if active.contains(.hang) {
      try await time.sleep(for: Limits.silence)
      return .text("demo: nothing was answered for a minute\n", .gatewayTimeout)
    }
    if active.contains(.flaky), knobs.failsThisTime() { return .text("demo: not this time\n", .serviceUnavailable) }
    if active.contains(.tooMany) {
      return .text("demo: too many requests\n", .tooManyRequests).with("Retry-After", "\(Limits.retrySeconds)")
    }
    if active.contains(.unavailable) {
      let later = WallTime(milliseconds: time.wall.milliseconds + Limits.retryLater)
      return .text("demo: back soon\n", .serviceUnavailable).with("Retry-After", later.httpDate)
    }
    if active.contains(.failing) { return .text("demo: failed\n", .internalServerError) }
    if active.contains(.notFound) { return .text("demo: not here\n", .notFound) }
    if active.contains(.redirectLoop) { return .redirect(.found, to: path) }
    if active.contains(.redirectPrivate) { return .redirect(.found, to: "http://10.0.0.1/latest/meta-data/") }
    if active.contains(.redirectFile) { return .redirect(.found, to: "file:///etc/passwd") }
    if active.contains(.reset) {
      var response = HTTPResponse(.ok, .html)
      response.body = .stream(BrokenBody())
      return response
    }
    if active.contains(.blank) { return HTTPResponse(.ok, .html) }
    if active.contains(.garbage) { return HTTPResponse(.ok, .html, Self.garbage) }
    if active.contains(.gzipBomb) { return HTTPResponse(.ok, .html, Self.bomb).with("Content-Encoding", "gzip") }
    if active.contains(.huge) { return huge }
    if active.contains(.endless) { return endless }
    if active.contains(.headerFlood) { return Self.flood }
    return nil
  }

  /// The document in its encoding, sent as the knobs say.
  func response(_ document: DemoDocument) -> HTTPResponse {
    let (bytes, type) = encoded(document)
    if active.contains(.slow) {
      let size = max(1, (bytes.count + Limits.slowPieces - 1) / Limits.slowPieces)
      let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
      let interval = Limits.slowTotal / Limits.slowPieces
      return paced(PacedBody(pieces, every: interval, time: time), type, announced: bytes.count)
    }
    if active.contains(.drip) {
      let drops = bytes.prefix(Limits.dripBytes).map { [$0] }
      return paced(PacedBody(drops, every: .seconds(1), time: time), type, announced: bytes.count)
    }
    let half = Array(bytes.prefix(bytes.count / 2))
    if active.contains(.stall) {
      let body = PacedBody([half], every: .zero, thenSilent: Limits.silence, time: time)
      return paced(body, type, announced: bytes.count)
    }
    if active.contains(.truncate) {
      return paced(PacedBody([half], every: .zero, time: time), type, announced: bytes.count)
    }
    if active.contains(.wrongLength) {
      return paced(PacedBody([bytes], every: .zero, time: time), type, announced: bytes.count - bytes.count / 4)
    }
    return HTTPResponse(.ok, type, bytes)
  }

  private func paced(_ body: PacedBody, _ type: MediaType, announced: Int) -> HTTPResponse {
    var response = HTTPResponse(.ok, type).with("Content-Length", "\(announced)")
    response.body = .stream(body)
    return response
  }

  // MARK: Encodings

  private func encoded(_ document: DemoDocument) -> ([UInt8], MediaType) {
    let converter = Self.converters.first { active.contains($0.misbehaviour) }?.converter
    let text = document.text.replacing(DemoDocument.charsetMark, with: converter?.label ?? "utf-8")
    guard let converter else {
      let bytes = active.contains(.byteOrderMark) ? [0xEF, 0xBB, 0xBF] + Array(text.utf8) : Array(text.utf8)
      guard !active.isDisjoint(with: [.byteOrderMark, .wrongCharset]) else { return (bytes, document.kind.type) }
      return (bytes, MediaType("\(document.kind.bareType); charset=euc-kr", isCompressible: true))
    }
    let bytes = converter.bytes(of: text, escape: document.kind.escape)
    return (bytes, MediaType(document.kind.bareType, isCompressible: true))
  }

  private static let converters: [(misbehaviour: Misbehaviour, converter: TextConverter)] = [
    (.eucKR, .eucKR), (.shiftJIS, .shiftJIS), (.eucJP, .eucJP), (.latin1, .latin1),
  ]

  // MARK: What is no document

  private static let garbage: [UInt8] = {
    var random = SeededRandom(seed: 1)
    return (0..<Limits.garbageBytes / 8).flatMap { _ in
      withUnsafeBytes(of: random.next()) { Array($0) }
    }
  }()

  private static let bomb: [UInt8] = {
    var bytes: [UInt8] = []
    var compressor = Compressor(.gzip, level: .smallest)
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    for _ in 0..<Limits.bombBytes / zeros.count { compressor.append(zeros, to: &bytes) }
    compressor.finish(to: &bytes)
    return bytes
  }()

  private static let block: [UInt8] = {
    let line = Array("<p class=\"odi-demo\">demo</p>\n".utf8)
    return Array(repeating: line, count: Limits.hugeBlock / line.count).flatMap(\.self)
  }()

  private var huge: HTTPResponse {
    var response = HTTPResponse(.ok, .html).with("Content-Length", "\(Self.block.count * Limits.hugeBlocks)")
    response.body = .stream(HugeBody(Self.block, times: Limits.hugeBlocks, time: serverTime))
    return response
  }

  /// It says no length, and ends when its reader leaves or the server's patience does.
  private var endless: HTTPResponse {
    var response = HTTPResponse(.ok, .html)
    response.body = .stream(HugeBody(Self.block, times: .max, time: serverTime))
    return response
  }

  private static let flood: HTTPResponse = {
    var response = HTTPResponse(.ok, .html, Array("<p>demo</p>\n".utf8))
    response.fields = (0..<Limits.headerFields).map { HTTPField("X-Odi-Demo-\($0)", "demo") }
    return response
  }()
}

nonisolated extension DemoDocument.Kind {
  var type: MediaType {
    switch self {
    case .page: .html
    case .json: .json
    case .calendar: .calendar
    case .picture: .svg
    case .plain: .plain
    }
  }

  /// Without a charset, for documents that are not in UTF-8.
  fileprivate var bareType: String { String(type.text.prefix { $0 != ";" }) }

  /// How a character is written that the encoding does not have.
  fileprivate func escape(_ scalar: Unicode.Scalar) -> String {
    switch self {
    case .page, .picture: "&#\(scalar.value);"
    case .json:
      String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    case .calendar, .plain: "?"
    }
  }
}
