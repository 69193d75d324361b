/// Elements and attributes in markup that need not be XML: they are searched for, in any case, and nothing else is looked at.
enum LooseMarkup {
  /// A relative address from where the list says that its addresses begin.
  static func address(_ address: String, from base: String?) -> String {
    guard let base, let scheme = base.firstRange(of: "://"), address.firstRange(of: "://") == nil,
      !address.hasPrefix("//")
    else { return address }
    if address.hasPrefix("/") {
      return base[..<scheme.upperBound] + base[scheme.upperBound...].prefix { $0 != "/" } + address
    }
    guard let end = base[scheme.upperBound...].lastIndex(of: "/") else { return "\(base)/\(address)" }
    return base[...end] + address
  }

  /// The value of an attribute, in whatever quotes, or in none.
  static func attribute(_ attribute: StaticString, in tag: ArraySlice<UInt8>) -> String? {
    guard let name = tag.range(ofIgnoringCase: attribute) else { return nil }
    var rest = tag[name.upperBound...].drop(while: \.isBlank)
    guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
    rest = rest.drop(while: \.isBlank)
    guard let quote = rest.first else { return nil }
    let value: ArraySlice<UInt8>
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      value = rest.dropFirst().prefix { $0 != quote }
    } else {
      let word = rest.prefix { !$0.isBlank && $0 != UInt8(ascii: ">") }
      let closes = word.last == UInt8(ascii: "/") && rest[word.endIndex...].first == UInt8(ascii: ">")
      value = closes ? word.dropLast() : word
    }
    return replacingReferences(in: value)[...].asAddress
  }

  static func withoutComments(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var kept: [UInt8] = []
    var rest = bytes
    while let open = rest.range(ofIgnoringCase: "<!--") {
      kept += rest[..<open.lowerBound]
      guard let close = rest[open.upperBound...].range(ofIgnoringCase: "-->") else { return kept }
      rest = rest[close.upperBound...]
    }
    return kept + rest
  }

  /// What stands in an element, with its references replaced.
  static func content(
    of open: StaticString, _ close: StaticString, in bytes: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8>? {
    guard let start = bytes.openTag(open),
      let end = bytes[start.upperBound...].range(ofIgnoringCase: close)
    else { return nil }
    let inner = bytes[start.upperBound..<end.lowerBound].trimmed
    if inner.beginsIgnoringCase("<![CDATA["), let last = inner.range(ofIgnoringCase: "]]>") {
      return inner[(inner.startIndex + 9)..<max(inner.startIndex + 9, last.lowerBound)]
    }
    return replacingReferences(in: inner)[...]
  }

  static func replacingReferences(in bytes: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    var rest = bytes
    while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
      text += rest[..<ampersand]
      rest = rest[ampersand...]
      guard let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")),
        let scalar = scalar(named: rest[(rest.startIndex + 1)..<end])
      else {
        text.append(rest.removeFirst())
        continue
      }
      text += Array(String(scalar).utf8)
      rest = rest[(end + 1)...]
    }
    return text + rest
  }

  private static func scalar(named name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    switch String(decoding: name, as: UTF8.self) {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case let text where text.hasPrefix("#x"): return UInt32(text.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    case let text where text.hasPrefix("#"): return UInt32(text.dropFirst()).flatMap(Unicode.Scalar.init)
    default: return nil
    }
  }
}

extension ArraySlice<UInt8> {
  /// Where an element begins, with its attributes: `<track>` and `<track xml:id="a">` of `<track`, and no `<trackList>`.
  ///
  /// - Parameter longer: another element that will do; its name begins with the first one's.
  func openTag(_ name: StaticString, or longer: StaticString? = nil) -> Range<Int>? {
    var rest = self
    while let start = rest.range(ofIgnoringCase: name) {
      let isLonger = longer.map { rest[start.lowerBound...].beginsIgnoringCase($0) } ?? false
      rest = rest[(start.lowerBound + (isLonger ? longer ?? name : name).utf8CodeUnitCount)...]
      guard let next = rest.first, next == UInt8(ascii: ">") || next.isBlank else { continue }
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
      return start.lowerBound..<(end + 1)
    }
    return nil
  }
}
