import CZlib

/// The wrapping around deflate's bytes.
package enum CompressionFormat: Sendable, CaseIterable {
  /// RFC 1952: files, and HTTP's `Content-Encoding: gzip`.
  case gzip
  /// RFC 1950: HTTP's `deflate`, PNG.
  case zlib

  var windowBits: Int32 {
    switch self {
    case .gzip: Int32(CZLIB_WINDOW_BITS + CZLIB_GZIP)
    case .zlib: Int32(CZLIB_WINDOW_BITS)
    }
  }
}

/// How hard to try: from fast and larger to slow and smaller.
package struct CompressionLevel: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32

  /// `nil` outside 1...9.
  package init?(rawValue: Int32) {
    guard (1...9).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  private init(checked level: Int32) { rawValue = level }

  package static let fastest = CompressionLevel(checked: 1)
  /// What answers made per request use: most of the gain for a third of the time of `smallest`.
  package static let balanced = CompressionLevel(checked: 5)
  /// For what is compressed once and sent often.
  package static let smallest = CompressionLevel(checked: 9)
}

/// Why bytes could not be decompressed.
package enum CompressionError: Error, Hashable, CustomStringConvertible {
  /// They are not of the format, or a checksum in them is wrong.
  case corrupt(String)
  /// They end before the format's end.
  case truncated
  /// They would become more than the caller allows.
  case tooLarge(limit: Int)
  /// Something follows the format's end.
  case trailingBytes

  package var description: String {
    switch self {
    case .corrupt(let why): "not valid compressed data: \(why)"
    case .truncated: "the compressed data is cut short"
    case .tooLarge(let limit): "decompresses to more than \(limit) bytes; raise the limit or send less"
    case .trailingBytes: "bytes follow the end of the compressed data"
    }
  }
}
