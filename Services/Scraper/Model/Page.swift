package import Clocks

/// A page that a site's adapter wants to see.
nonisolated package struct PageRequest: Hashable, Sendable {
  /// What it is to the adapter: `calendar`, `day:2026-11-22`, `film:012345`. One page a role.
  package var role: String
  package var url: String
  package var weight: Weight = .needed
  /// Sent along, where a platform asks for it.
  package var headers: [Header] = []

  package struct Header: Hashable, Sendable {
    package var name: String
    package var value: String
  }

  package enum Weight: Sendable {
    /// Without it there is no reading.
    case needed
    /// Without it one day is missing.
    case part
    /// Nice to have: a film's page.
    case extra
  }

  package init(_ role: String, _ url: String, _ weight: Weight = .needed, headers: [Header] = []) {
    self.role = role
    self.url = url
    self.weight = weight
    self.headers = headers
  }
}

/// A page as it came, or as it is taken out of a snapshot: what is read is these bytes, live and in replay.
nonisolated package struct Page: Hashable, Sendable {
  package var role: String
  /// After redirects.
  package var url: String
  /// The `Content-Type` as it came.
  package var contentType: String?
  package var fetchedAt: WallTime
  package var body: [UInt8]

  package init(role: String, url: String, contentType: String? = nil, fetchedAt: WallTime, body: [UInt8]) {
    self.role = role
    self.url = url
    self.contentType = contentType
    self.fetchedAt = fetchedAt
    self.body = body
  }

  /// The part of the role after the colon: `2026-11-22` of `day:2026-11-22`.
  package var subject: String? {
    guard let colon = role.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    return String(role[role.utf8.index(after: colon)...])
  }

  package func isA(_ kind: String) -> Bool { role == kind || role.utf8.starts(with: "\(kind):".utf8) }
}
