package import EventLoops

/// Where a request comes from, for limits and logs.
nonisolated package struct ClientAddress: Hashable, Sendable {
  /// Nil on a unix socket.
  package let address: IPAddress?
  /// Whether the last stretch that we know of was encrypted.
  package let isSecure: Bool

  /// A proxy's word is taken only if it is one of ours; of a chain of them, the last that is none of ours counts.
  package init(peer: SocketAddress, forwarded: String?, scheme: String?, proxies: Set<IPAddress>) {
    guard !proxies.isEmpty, let direct = peer.ip?.unmapped, proxies.contains(direct) else {
      address = peer.ip?.unmapped
      isSecure = false
      return
    }
    var found = direct
    for part in (forwarded ?? "").split(separator: ",").reversed() {
      guard let hop = Self.hop(part.drop { $0 == " " }.prefix { $0 != " " }) else { break }
      found = hop
      if !proxies.contains(hop) { break }
    }
    address = found
    isSecure = scheme?.lowercased() == "https"
  }

  /// An address as proxies write it: alone, with a port, in brackets, or an IPv4 one as IPv6.
  private static func hop(_ text: Substring) -> IPAddress? {
    let inner: Substring
    if text.first == "[" {
      guard let end = text.lastIndex(of: "]") else { return nil }
      inner = text[..<end].dropFirst()
    } else if let colon = text.firstIndex(of: ":"), text[..<colon].contains(".") {
      inner = text[..<colon]
    } else {
      inner = text
    }
    return IPAddress(inner)?.unmapped
  }

  /// What is counted as one client: an IPv4 address, or the /64 that an IPv6 site gets.
  package var network: IPAddress? {
    guard let address, !address.isV4 else { return address }
    return IPAddress(v6: address.high, 0)
  }
}

nonisolated extension IPAddress {
  /// The IPv4 address that a socket of both kinds writes as `::ffff:a.b.c.d`.
  fileprivate var unmapped: IPAddress {
    guard !isV4, high == 0, low >> 32 == 0xFFFF else { return self }
    return IPAddress(v4: UInt32(truncatingIfNeeded: low))
  }
}
