import Glibc

/// Text in the encodings that sites were once written in, by the C library's iconv.
nonisolated struct TextConverter {
  /// What pages call it, and what iconv does: the vendors' extensions, as browsers read them.
  let label: String
  private let name: String

  static let eucKR = TextConverter(label: "euc-kr", name: "CP949")
  static let shiftJIS = TextConverter(label: "shift_jis", name: "CP932")
  static let eucJP = TextConverter(label: "euc-jp", name: "EUC-JP-MS")
  /// As browsers read what calls itself so.
  static let latin1 = TextConverter(label: "iso-8859-1", name: "CP1252")

  /// A character that the encoding does not have is written as `escape` says, in ASCII.
  func bytes(of text: String, escape: (Unicode.Scalar) -> String) -> [UInt8] {
    let converter = iconv_open(name, "UTF-8")
    // Without the system's gconv files nothing can be converted: everything is escaped.
    let isOpen = converter != iconv_t(bitPattern: -1)
    defer { if isOpen { iconv_close(converter) } }
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        output.append(UInt8(scalar.value))
      } else if isOpen, let bytes = Self.convert(scalar, converter) {
        output += bytes
      } else {
        output += Array(escape(scalar).utf8)
      }
    }
    return output
  }

  private static func convert(_ scalar: Unicode.Scalar, _ converter: iconv_t?) -> [UInt8]? {
    var input = Array(String(scalar).utf8).map { CChar(bitPattern: $0) }
    // No encoding has a character of more than three bytes.
    var output = [CChar](repeating: 0, count: 8)
    let left = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output -> Int? in
        var (from, fromLeft) = (input.baseAddress, input.count)
        var (to, toLeft) = (output.baseAddress, output.count)
        return iconv(converter, &from, &fromLeft, &to, &toLeft) == 0 ? toLeft : nil
      }
    }
    return left.map { output.dropLast($0).map { UInt8(bitPattern: $0) } }
  }
}
