import CUV
import Glibc

/// Where a socket listens or connects: an address with its port, or a path.
nonisolated package enum SocketAddress: Hashable, Sendable, CustomStringConvertible {
  case ip(IPAddress, port: UInt16)
  case unix(path: String)

  /// The longest path that fits in the kernel's structure. libuv 1.44 cuts a longer one silently.
  package static let pathBytesMax = 107

  package static func loopback(port: UInt16 = 0) -> SocketAddress { .ip(.loopback, port: port) }

  /// Reads `127.0.0.1:7101`, `[::1]:7101` or `unix:/run/odi/locator.sock`.
  package init(parsing text: String) throws(SocketError) {
    let wanted = "write host:port with a numeric host, [v6]:port or unix:/path"
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard !path.isEmpty, !path.utf8.contains(0) else { throw SocketError(.invalidAddress, "\(text): \(wanted)") }
      guard path.utf8.count <= Self.pathBytesMax else {
        throw SocketError(
          .invalidAddress, "\(path) has \(path.utf8.count) bytes and a socket's path at most \(Self.pathBytesMax)")
      }
      self = .unix(path: path)
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw SocketError(.invalidAddress, "\(text): \(wanted)")
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard let address = IPAddress(host) else { throw SocketError(.invalidAddress, "\(text): \(wanted)") }
    self = .ip(address, port: port)
  }

  package var description: String {
    switch self {
    case .ip(let address, let port): address.isV4 ? "\(address):\(port)" : "[\(address)]:\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }

  package var ip: IPAddress? {
    if case .ip(let address, _) = self { address } else { nil }
  }

  package var port: UInt16? {
    if case .ip(_, let port) = self { port } else { nil }
  }

  /// Whether only this machine can reach it.
  package var isLocal: Bool {
    switch self {
    case .ip(let address, _): address.isLoopback
    case .unix: true
    }
  }
}

// MARK: - The kernel's form

extension SocketAddress {
  /// The address in a `sockaddr`, `nil` for a path.
  nonisolated func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result? {
    guard case .ip(let address, let port) = self else { return nil }
    if let v4 = address.v4 {
      var storage = sockaddr_in()
      storage.sin_family = sa_family_t(AF_INET)
      storage.sin_port = port.bigEndian
      storage.sin_addr.s_addr = v4.bigEndian
      return withUnsafePointer(to: &storage) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
      }
    }
    var storage = sockaddr_in6()
    storage.sin6_family = sa_family_t(AF_INET6)
    storage.sin6_port = port.bigEndian
    withUnsafeMutableBytes(of: &storage.sin6_addr) {
      $0.storeBytes(of: address.high.bigEndian, as: UInt64.self)
      $0.storeBytes(of: address.low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return withUnsafePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in6>.size)) }
    }
  }

  /// Reads an IPv4 or IPv6 `sockaddr`.
  nonisolated init?(_ pointer: UnsafePointer<sockaddr>) {
    let raw = UnsafeRawPointer(pointer)
    switch Int32(pointer.pointee.sa_family) {
    case AF_INET:
      let v4 = raw.loadUnaligned(as: sockaddr_in.self)
      self = .ip(IPAddress(v4: UInt32(bigEndian: v4.sin_addr.s_addr)), port: UInt16(bigEndian: v4.sin_port))
    case AF_INET6:
      let port = UInt16(bigEndian: raw.loadUnaligned(as: sockaddr_in6.self).sin6_port)
      let offset = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr)!
      let high = UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let low = UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
      let isMapped = high == 0 && low >> 32 == 0xFFFF
      self = .ip(isMapped ? IPAddress(v4: UInt32(truncatingIfNeeded: low)) : IPAddress(v6: high, low), port: port)
    default:
      return nil
    }
  }
}
