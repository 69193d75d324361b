package import EventLoops

/// Where a request comes from, for limits and logs.
nonisolated package struct ClientAddress: Hashable, Sendable {
  /// Nil on a unix socket.
  package let address: IPAddress?
  /// Whether the last stretch that we know of was encrypted.
  package let isSecure: Bool

  /// A proxy's word is taken only if it is one of ours; of a chain of them, the last that is none of ours counts.
  package init(peer: SocketAddress, forwarded: String?, scheme: String?, proxies: Set<IPAddress>) {
    guard !proxies.isEmpty, let direct = peer.ip, proxies.contains(direct) else {
      address = peer.ip
      isSecure = false
      return
    }
    var found = direct
    for part in (forwarded ?? "").split(separator: ",").reversed() {
      let text = part.drop { $0 == " " }.prefix { $0 != " " }
      guard let hop = IPAddress(text) else { break }
      found = hop
      if !proxies.contains(hop) { break }
    }
    address = found
    isSecure = scheme?.lowercased() == "https"
  }

  /// What is counted as one client: an IPv4 address, or the /64 that an IPv6 site gets.
  var network: IPAddress? {
    guard let address, !address.isV4 else { return address }
    return IPAddress(v6: address.high, 0)
  }
}
