package import JSON

nonisolated extension JSONValue {
  /// JSON with `//` and `/* */` comments and commas before a closing bracket: what people write by hand.
  ///
  /// What is taken out is replaced by blanks, so that an error's line and column are those of the file.
  package init(parsingCommented text: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
    var bytes = text
    var index = 0
    var comma: Int?
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        comma = nil
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
          index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index += 1
      case UInt8(ascii: "/") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "/"):
        while index < bytes.count, bytes[index] != 0x0A {
          bytes[index] = 0x20
          index += 1
        }
      case UInt8(ascii: "/") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "*"):
        var last: UInt8 = 0
        var length = 0
        while index < bytes.count {
          let byte = bytes[index]
          if byte != 0x0A { bytes[index] = 0x20 }
          index += 1
          length += 1
          if length > 3, last == UInt8(ascii: "*"), byte == UInt8(ascii: "/") { break }
          last = byte
        }
      case UInt8(ascii: ","):
        comma = index
        index += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if let comma { bytes[comma] = 0x20 }
        comma = nil
        index += 1
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      default:
        comma = nil
        index += 1
      }
    }
    try self.init(parsing: bytes, limits: limits)
  }
}
