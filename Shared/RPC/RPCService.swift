/// A service's API as a type: what its clients are typed by, so that a flow which holds an `RPCClient<LocatorAPI>` can
/// send nothing else.
package protocol RPCService: Sendable {
  /// As operators write it: `locator`.
  static var name: String { get }
}

/// Which request a frame carries. Chosen once, never reused: the high byte is the service, the low one the request.
package typealias MethodID = UInt16

extension MethodID {
  /// As it stands in the sources and in the contracts' table: `0x0108`.
  package var spoken: String {
    let digits = String(self, radix: 16)
    return "0x" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }

  /// Whether only an administrator may ask it: what every service has (0x00…), and 40 to 7F of each service's own.
  package var isForAdministrators: Bool { self < 0x0100 || (0x40...0x7f).contains(self & 0xff) }
}

/// Whether a request may be sent twice.
package enum Safety: UInt8, Sendable, Codable, CaseIterable {
  /// Changes nothing.
  case read
  /// Changes something, and twice is the same as once.
  case idempotent
  /// Changes something once for each idempotency key, which the caller must give.
  case keyed
}

/// One API: a request and what it is answered with.
package protocol RPCRequest: Codable, Sendable {
  associatedtype Service: RPCService
  associatedtype Response: Codable & Sendable
  static var method: MethodID { get }
  static var safety: Safety { get }
  /// How long an answer may be shared between callers; none without a declaration.
  static var freshness: Freshness? { get }
  /// Whether a secret is in it or in its answer: a key, a code, a ticket. Such calls are never written down.
  static var isConfidential: Bool { get }
}

extension RPCRequest {
  package static var freshness: Freshness? { nil }
  package static var isConfidential: Bool { false }
}

/// One API that answers with many elements over time.
package protocol RPCStreamRequest: Codable, Sendable {
  associatedtype Service: RPCService
  associatedtype Element: Codable & Sendable
  static var method: MethodID { get }
}
