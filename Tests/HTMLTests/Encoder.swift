import Glibc

/// Writes text in other encodings, as test pages need it.
enum Encoder {
  static func encode(_ text: String, as name: String) -> [UInt8]? {
    let converter = iconv_open(name, "UTF-8")
    guard converter != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }
    var input = Array(text.utf8).map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: input.count * 4 + 16)
    let left = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output -> Int? in
        var (from, fromLeft) = (input.baseAddress, input.count)
        var (to, toLeft) = (output.baseAddress, output.count)
        guard iconv(converter, &from, &fromLeft, &to, &toLeft) != -1, iconv(converter, nil, nil, &to, &toLeft) != -1
        else {
          return nil
        }
        return toLeft
      }
    }
    return left.map { output.dropLast($0).map { UInt8(bitPattern: $0) } }
  }
}
