import CCurl
package import EventLoops

/// An address that may be fetched: http or https, a host that can be read in one way only, and no user name.
///
/// Parsers that read the same text differently are how requests get where they must not go, so this one refuses what
/// others would repair: `http://127.1/`, `http://0x7f.1/`, `http://2130706433/`, `http://good.example\@evil.example/`.
/// Delimiters are looked for among scalars: a combining mark behind one makes another `Character` of it, not another byte.
nonisolated package struct FetchURL: Hashable, Sendable, CustomStringConvertible {
  package enum Scheme: String, Sendable {
    case http, https

    package var defaultPort: UInt16 { self == .http ? 80 : 443 }
  }

  package enum Host: Hashable, Sendable, CustomStringConvertible {
    /// In lower case and without a dot at its end.
    case name(String)
    case address(IPAddress)

    package var description: String {
      switch self {
      case .name(let name): name
      case .address(let address): address.isV4 ? "\(address)" : "[\(address)]"
      }
    }
  }

  package let scheme: Scheme
  package let host: Host
  package let port: UInt16
  /// Path and query as they are sent: they begin with `/` and are ASCII without blanks.
  package let target: String
  /// Scheme, host and port: `https://cinema.example` or `http://[2001:db8::1]:8080`.
  package let origin: String

  package static let bytesMax = 8_192

  package init(parsing text: String) throws(FetchURLError) {
    guard text.utf8.count <= Self.bytesMax else { throw .tooLong }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .blankOrControl }
    guard let colon = text.unicodeScalars.firstIndex(of: ":") else { throw .notAbsolute }
    guard let scheme = Scheme(rawValue: text[..<colon].lowercased()) else {
      throw text[..<colon].contains("/") ? .notAbsolute : .scheme(String(text[..<colon].prefix(32)))
    }
    var rest = text[text.index(after: colon)...]
    guard rest.utf8.starts(with: "//".utf8) else { throw .notAbsolute }
    rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
    let authorityEnd = rest.unicodeScalars.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
    let authority = rest[..<authorityEnd]
    guard !authority.unicodeScalars.contains("@") else { throw .userInfo }
    guard !authority.unicodeScalars.contains("\\") else { throw .host(String(authority)) }
    self.scheme = scheme
    (host, port) = try Self.parse(authority: authority, scheme: scheme)
    target = Self.target(rest[authorityEnd...])
    origin = port == scheme.defaultPort ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
  }

  private static func parse(
    authority: Substring, scheme: Scheme
  ) throws(FetchURLError) -> (Host, UInt16) {
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]"), let address = IPAddress(authority[..<end].dropFirst()),
        !address.isV4
      else {
        throw .host(String(authority))
      }
      return (.address(address), try parse(port: authority[authority.index(after: end)...], scheme: scheme))
    }
    let nameEnd = authority.unicodeScalars.firstIndex(of: ":") ?? authority.endIndex
    let port = try parse(port: authority[nameEnd...], scheme: scheme)
    if let address = IPAddress(authority[..<nameEnd]), address.isV4 { return (.address(address), port) }
    return (.name(try name(authority[..<nameEnd])), port)
  }

  private static func parse(port text: Substring, scheme: Scheme) throws(FetchURLError) -> UInt16 {
    guard !text.isEmpty else { return scheme.defaultPort }
    let digits = text.dropFirst()
    if text == ":" { return scheme.defaultPort }
    guard text.first == ":", digits.utf8.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = UInt16(digits), port > 0
    else { throw .port(String(text.prefix(16))) }
    return port
  }

  private static func name(_ text: Substring) throws(FetchURLError) -> String {
    var name = (text.hasSuffix(".") ? text.dropLast() : text).lowercased()
    if name.utf8.contains(where: { $0 >= 0x80 }) {
      // Full-width and circled letters turn into plain ones: such a name is a disguise and not another script.
      guard let ascii = punycode(name), ascii.split(separator: ".").contains(where: { $0.hasPrefix("xn--") }) else {
        throw .host(String(text.prefix(64)))
      }
      name = ascii
    }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard !name.isEmpty, name.utf8.count <= 253, labels.allSatisfy({ (1...63).contains($0.utf8.count) }),
      name.utf8.allSatisfy(isInHostName), let last = labels.last
    else { throw .host(String(text.prefix(64))) }
    // What ends in a number is an IPv4 address to some (`127.1`, `0x7f.1`, `2130706433`) and a name to others.
    let isNumber = last.utf8.allSatisfy { (0x30...0x39).contains($0) }
    let isHexadecimal = last.hasPrefix("0x") && last.dropFirst(2).allSatisfy(\.isHexDigit)
    guard !isNumber, !isHexadecimal else { throw .numericHost(String(text.prefix(64))) }
    return name
  }

  private static func isInHostName(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
  }

  /// The name as the domain name system has it; nil if it cannot be one.
  private static func punycode(_ name: String) -> String? {
    guard name.utf8.count <= 253, !name.utf8.contains(0), let url = ccurl_punycode_url(name) else { return nil }
    defer { curl_free(url) }
    return String(String(cString: url).dropFirst("http://".utf8.count).prefix { $0 != "/" })
  }

  private static func target(_ text: Substring) -> String {
    let withoutFragment = text.utf8.prefix { $0 != UInt8(ascii: "#") }
    var bytes: [UInt8] = withoutFragment.first == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    for byte in withoutFragment {
      switch byte {
      case 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B, 0x7C, 0x7D, 0x80...:
        bytes += [UInt8(ascii: "%"), hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 15)]
      default: bytes.append(byte)
      }
    }
    let query = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    return removingDots(String(decoding: bytes[..<query], as: UTF8.self))
      + String(decoding: bytes[query...], as: UTF8.self)
  }

  /// `/a/../b` is `/b` (RFC 3986, 5.2.4), also when the dots are percent-encoded.
  private static func removingDots(_ path: String) -> String {
    guard path.utf8.contains(UInt8(ascii: ".")) || path.utf8.contains(UInt8(ascii: "%")) else { return path }
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment.lowercased() {
      case ".", "%2e": if isLast { kept.append("") }
      case "..", ".%2e", "%2e.", "%2e%2e":
        if kept.count > 1 { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return kept.joined(separator: "/")
  }

  /// What a `Location` means when it comes from here.
  package func resolving(_ location: String) throws(FetchURLError) -> FetchURL {
    // Servers put blanks and raw UTF-8 into it; the ends are trimmed and what is inside is encoded.
    var text = ""
    for scalar in location.unicodeScalars.drop(while: { $0 == " " || $0 == "\t" }) {
      text += scalar == " " ? "%20" : String(scalar)
    }
    while text.hasSuffix("%20") || text.hasSuffix("\t") { text.removeLast(text.hasSuffix("\t") ? 1 : 3) }
    if let colon = text.unicodeScalars.firstIndex(of: ":"),
      !text[..<colon].unicodeScalars.contains(where: { "/?#".unicodeScalars.contains($0) })
    {
      return try FetchURL(parsing: text)
    }
    if text.utf8.starts(with: "//".utf8) { return try FetchURL(parsing: "\(scheme):\(text)") }
    let first = text.unicodeScalars.first
    if first == "/" { return try FetchURL(parsing: origin + text) }
    let path = target.prefix { $0 != "?" }
    if first == "?" { return try FetchURL(parsing: origin + path + text) }
    if first == nil || first == "#" { return self }
    return try FetchURL(parsing: origin + path[...path.lastIndex(of: "/")!] + text)
  }

  package var description: String { origin + target }

  /// The domain that somebody registered, as far as it can be told without a list: `cinema.co.kr` of
  /// `www.cinema.co.kr`. Of an address, the address.
  package var site: String {
    guard case .name(let name) = host else { return host.description }
    let labels = name.split(separator: ".")
    guard labels.count > 2 else { return name }
    let isSecondLevel = labels.last!.utf8.count == 2 && Self.secondLevels.contains(labels[labels.count - 2])
    return labels.suffix(isSecondLevel ? 3 : 2).joined(separator: ".")
  }

  /// Under country domains, what stands for a kind of owner and not for one.
  private static let secondLevels: Set<Substring> = [
    "ac", "ad", "co", "com", "ed", "edu", "go", "gov", "gr", "lg", "ltd", "me", "mil", "ne", "net", "or", "org", "pe",
    "plc", "re", "sc", "sch",
  ]
}

nonisolated private func hexadecimalDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }

/// Why an address is not fetched.
nonisolated package enum FetchURLError: Error, Hashable, Sendable, CustomStringConvertible {
  case tooLong, blankOrControl, notAbsolute, userInfo
  case scheme(String)
  case host(String)
  case numericHost(String)
  case port(String)

  package var description: String {
    switch self {
    case .tooLong: "the address has more than \(FetchURL.bytesMax) bytes"
    case .blankOrControl: "the address has blanks or control characters in it"
    case .notAbsolute: "the address does not begin with http:// or https://"
    case .userInfo: "the address has a user name in it; take it out"
    case .scheme(let scheme): "\(scheme) is neither http nor https"
    case .host(let host): "“\(host)” is not a host's name"
    case .numericHost(let host): "“\(host)” can be read as a name and as an address; write a.b.c.d or a name"
    case .port(let port): "“\(port)” is not a port"
    }
  }
}
