/// Markup being written. Texts and values are escaped; only literals of our own go in as they are.
nonisolated struct HTMLWriter {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int = 16_384) { bytes.reserveCapacity(capacity) }

  /// An attribute. One without a value is left out; so is a false one.
  struct Attribute {
    fileprivate let name: StaticString
    fileprivate let value: String?

    init(_ name: StaticString, _ value: String?) {
      self.name = name
      self.value = value
    }

    static func flag(_ name: StaticString, _ isSet: Bool = true) -> Attribute { Attribute(name, isSet ? "" : nil) }

    /// An address that somebody else wrote: followed only if it leads to the web or stays here.
    static func link(_ name: StaticString, _ address: String?) -> Attribute {
      Attribute(name, address.map(HTMLWriter.safe))
    }
  }

  /// `name` may have classes: `li.film`.
  mutating func element(
    _ name: StaticString, _ attributes: Attribute..., body: (inout HTMLWriter) -> Void = { _ in }
  ) {
    element(name, "", attributes, body: body)
  }

  /// The same with further classes, which may be empty.
  mutating func element(
    _ name: StaticString, _ classes: String, _ attributes: [Attribute], body: (inout HTMLWriter) -> Void = { _ in }
  ) {
    let parts = "\(name)".split(separator: ".")
    let tag = parts[0]
    bytes.append(UInt8(ascii: "<"))
    bytes += tag.utf8
    let all = parts.dropFirst().joined(separator: " ") + (classes.isEmpty || parts.count == 1 ? "" : " ") + classes
    if !all.isEmpty { attribute("class", all) }
    for item in attributes { if let value = item.value { attribute(item.name, value) } }
    bytes.append(UInt8(ascii: ">"))
    if Self.isVoid(tag) { return }
    body(&self)
    bytes += "</".utf8
    bytes += tag.utf8
    bytes.append(UInt8(ascii: ">"))
  }

  private mutating func attribute(_ name: StaticString, _ value: String) {
    bytes.append(UInt8(ascii: " "))
    name.withUTF8Buffer { bytes += $0 }
    bytes += "=\"".utf8
    text(value)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Text of whatever origin.
  mutating func text(_ text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      case UInt8(ascii: "\""): bytes += "&quot;".utf8
      case UInt8(ascii: "'"): bytes += "&#39;".utf8
      // A browser would replace it; nothing that people read has one.
      case 0: continue
      default: bytes.append(byte)
      }
    }
  }

  /// Markup that was written by another writer, or stands in a file of ours.
  mutating func markup(_ bytes: some Sequence<UInt8>) { self.bytes += bytes }

  private static func isVoid(_ tag: Substring) -> Bool {
    ["img", "meta", "link", "input", "br"].contains { $0.utf8.elementsEqual(tag.utf8) }
  }

  /// The same rule as the script's `safeURL`.
  static func safe(_ address: String) -> String {
    let bytes = Array(address.utf8)
    guard let first = bytes.first else { return "#" }
    if first == UInt8(ascii: "#") || first == UInt8(ascii: "?") { return address }
    if first == UInt8(ascii: "/") {
      return bytes.count > 1 && (bytes[1] == UInt8(ascii: "/") || bytes[1] == UInt8(ascii: "\\")) ? "#" : address
    }
    for scheme in ["https://", "http://", "webcal://"] where address.utf8.count > scheme.utf8.count {
      let head = bytes.prefix(scheme.utf8.count).map { (65...90).contains($0) ? $0 + 32 : $0 }
      // A blank or a control character inside would be read differently by different readers.
      if head.elementsEqual(scheme.utf8), bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) { return address }
    }
    return "#"
  }
}
