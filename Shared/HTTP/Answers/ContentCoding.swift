import Compression

/// When answers are compressed.
nonisolated package struct CompressionPolicy: Sendable {
  /// Below this an answer fits in one packet anyway.
  package var bytesMin = 1_024
  /// Above this, compressing would hold the loop for more than about 10 ms.
  package var bytesMax = 512 << 10

  package init() {}
}

/// Compresses what is sent to who accepts it, with one compressor for all of a server's answers.
nonisolated final class ContentCoder {
  private let policy: CompressionPolicy
  private var compressor: Compressor?

  init(_ policy: CompressionPolicy) { self.policy = policy }

  /// The body compressed, if that makes it smaller.
  func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count / 3 + 64)
    if compressor == nil { compressor = Compressor(.gzip) }
    compressor?.append(bytes, to: &output)
    compressor?.finish(to: &output)
    return output.count < bytes.count ? output : nil
  }

  /// Whether a body of this type and size comes in two forms, so that caches must tell who gets which.
  func isWorthwhile(_ count: Int, _ type: MediaType?) -> Bool {
    count >= policy.bytesMin && count <= policy.bytesMax && type?.isCompressible == true
  }

  /// Whether `Accept-Encoding` (RFC 9110 12.5.3) takes gzip, and does not like the plain form better.
  static func acceptsGzip(_ head: HTTPHead) -> Bool {
    var gzip: Int?
    var star: Int?
    var identity: Int?
    head.eachValue(of: "accept-encoding") { value in
      for element in value.split(separator: UInt8(ascii: ",")) {
        let parts = element.split(separator: UInt8(ascii: ";"))
        guard let first = parts.first else { continue }
        let bytes = Array(first)
        let name = ASCII.trimmed(bytes, bytes.indices)
        let quality = parts.dropFirst().first.map(Self.quality) ?? 1_000
        if ASCII.matches(bytes, name, "gzip") || ASCII.matches(bytes, name, "x-gzip") { gzip = quality }
        if ASCII.matches(bytes, name, "identity") { identity = quality }
        if ASCII.matches(bytes, name, "*") { star = quality }
      }
    }
    let wanted = gzip ?? star ?? 0
    return wanted > 0 && wanted >= identity ?? 0
  }

  /// The thousandths of `q=0.5`; 0 if it cannot be read.
  private static func quality(_ parameter: ArraySlice<UInt8>) -> Int {
    let text = parameter.filter { !ASCII.isBlank($0) }
    guard text.count >= 3, text.count <= 7, text[0] | 0x20 == UInt8(ascii: "q"), text[1] == UInt8(ascii: "="),
      ASCII.isDigit(text[2])
    else { return 0 }
    var value = Int(text[2] - 0x30) * 1_000
    guard text.count > 3 else { return min(value, 1_000) }
    guard text[3] == UInt8(ascii: ".") else { return 0 }
    var scale = 100
    for digit in text[4...] {
      guard ASCII.isDigit(digit) else { return 0 }
      value += Int(digit - 0x30) * scale
      scale /= 10
    }
    return min(value, 1_000)
  }
}
