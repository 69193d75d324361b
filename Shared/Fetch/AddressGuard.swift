package import EventLoops

/// Decides which addresses a fetch may connect to: public ones, on the ports of the web.
///
/// It is asked about each address that a name resolves to, and again about each socket before it connects, so a name
/// that changes its answer gains nothing. What is refused are the special-purpose ranges of IANA's two registries and
/// every form in which an IPv6 address carries an IPv4 one of them.
nonisolated package struct AddressGuard: Sendable {
  package var ports: Set<UInt16>
  /// Addresses that are allowed though the rules refuse them: the demo world's, and no other.
  package var exceptions: Set<SocketAddress>
  private var isOff = false

  package init(ports: Set<UInt16> = [80, 443], exceptions: Set<SocketAddress> = []) {
    self.ports = ports
    self.exceptions = exceptions
  }

  /// For an upstream whose address an operator set: they mean it, on this machine too.
  package static func ofOperators(_ base: String) -> AddressGuard {
    guard let url = try? FetchURL(parsing: base), case .address(let address) = url.host else { return AddressGuard() }
    return AddressGuard(exceptions: [.ip(address, port: url.port)])
  }

  /// Lets everything through. For tests, which show with it that the guard is what stopped them.
  package static var off: AddressGuard {
    var off = AddressGuard()
    off.isOff = true
    return off
  }

  /// Why a connection is refused, or nil if it is allowed.
  package func refusal(of address: IPAddress, port: UInt16) -> AddressRefusal? {
    if isOff || exceptions.contains(.ip(address, port: port)) { return nil }
    if let range = Self.specialRange(of: address) { return AddressRefusal(address: address, port: port, reason: range) }
    guard ports.contains(port) else {
      return AddressRefusal(address: address, port: port, reason: "port \(port) is not one of the web's")
    }
    return nil
  }

  /// The name of the special-purpose range that an address lies in, or nil if it is public.
  package static func specialRange(of address: IPAddress) -> String? {
    if let v4 = address.v4 { return specialRange(v4: v4) }
    let (high, low) = (address.high, address.low)
    if high == 0, low >> 32 == 0xFFFF { return specialRange(v4: UInt32(truncatingIfNeeded: low)) }
    // NAT64 leads to the IPv4 address in its last four bytes.
    if high == 0x0064_FF9B_0000_0000, low >> 32 == 0 {
      return specialRange(v4: UInt32(truncatingIfNeeded: low)).map { $0 + " behind NAT64" }
    }
    for range in v6Ranges where high & range.mask == range.prefix {
      guard range.lowMask == 0 || low & range.lowMask == range.low else { continue }
      return range.name
    }
    guard high >> 61 == 1 else { return "not in use" }
    // ISATAP: an interface id that carries an IPv4 address.
    if low >> 32 & 0xFDFF_FFFF == 0x0000_5EFE {
      return specialRange(v4: UInt32(truncatingIfNeeded: low)).map { $0 + " behind ISATAP" }
    }
    return nil
  }

  private static func specialRange(v4 address: UInt32) -> String? {
    v4Ranges.first { address >> (32 - $0.length) == $0.prefix >> (32 - $0.length) }?.name
  }

  private static let v4Ranges: [(prefix: UInt32, length: UInt32, name: String)] = [
    (0x0000_0000, 8, "this network"),
    (0x0A00_0000, 8, "private"),
    (0x6440_0000, 10, "shared by a carrier's customers"),
    (0x7F00_0000, 8, "this machine"),
    (0xA9FE_0000, 16, "link-local, where clouds keep their metadata"),
    (0xAC10_0000, 12, "private"),
    (0xC000_0000, 24, "for protocols"),
    (0xC000_0200, 24, "for documentation"),
    (0xC01F_C400, 24, "for reverse lookups of private addresses"),
    (0xC034_C100, 24, "for multicast relays"),
    (0xC058_6300, 24, "for 6to4 relays"),
    (0xC0A8_0000, 16, "private"),
    (0xC0AF_3000, 24, "for reverse lookups of private addresses"),
    (0xC612_0000, 15, "for benchmarks"),
    (0xC633_6400, 24, "for documentation"),
    (0xCB00_7100, 24, "for documentation"),
    (0xA83F_8110, 32, "a cloud's metadata"),
    (0xE000_0000, 4, "multicast"),
    (0xF000_0000, 4, "reserved"),
  ]

  private static let v6Ranges: [(prefix: UInt64, mask: UInt64, low: UInt64, lowMask: UInt64, name: String)] = [
    (0, .max, 0, .max, "unspecified"),
    (0, .max, 1, .max, "this machine"),
    (0, .max, 0, 0xFFFF_FFFF_0000_0000, "an IPv4 address in an old form"),
    (0x0064_FF9B_0001_0000, 0xFFFF_FFFF_FFFF_0000, 0, 0, "a local NAT64"),
    (0x0100_0000_0000_0000, 0xFFFF_FFFF_FFFF_0000, 0, 0, "discarded"),
    (0x2001_0000_0000_0000, 0xFFFF_FE00_0000_0000, 0, 0, "for protocols and Teredo"),
    (0x2001_0DB8_0000_0000, 0xFFFF_FFFF_0000_0000, 0, 0, "for documentation"),
    (0x2002_0000_0000_0000, 0xFFFF_0000_0000_0000, 0, 0, "6to4"),
    (0x2620_004F_8000_0000, 0xFFFF_FFFF_FFFF_0000, 0, 0, "for reverse lookups of private addresses"),
    (0x3FFF_0000_0000_0000, 0xFFFF_F000_0000_0000, 0, 0, "for documentation"),
    (0x5F00_0000_0000_0000, 0xFFFF_0000_0000_0000, 0, 0, "for segment routing"),
    (0xFC00_0000_0000_0000, 0xFE00_0000_0000_0000, 0, 0, "private"),
    (0xFE80_0000_0000_0000, 0xFFC0_0000_0000_0000, 0, 0, "link-local"),
    (0xFEC0_0000_0000_0000, 0xFFC0_0000_0000_0000, 0, 0, "site-local"),
    (0xFF00_0000_0000_0000, 0xFF00_0000_0000_0000, 0, 0, "multicast"),
  ]
}

/// An address that a fetch may not connect to, and why.
nonisolated package struct AddressRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  package var address: IPAddress
  package var port: UInt16
  package var reason: String

  package var description: String { "\(SocketAddress.ip(address, port: port)) is not connected to: \(reason)" }
}
