package import Clocks
package import RPC

/// Hosts that are left alone for a while.
package struct ListHosts: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = [HostReport]
  package static let method: MethodID = 0x024a
  package static let safety: Safety = .read

  package init() {}
}

/// A host that is left alone.
package struct HostReport: Codable, Hashable, Sendable {
  package var host: String
  package var until: WallTime
  /// How often it said 429 or 503 in a row.
  package var throttles: Int
  package var isByOperator: Bool

  package init(host: String, until: WallTime, throttles: Int, isByOperator: Bool) {
    self.host = host
    self.until = until
    self.throttles = throttles
    self.isByOperator = isByOperator
  }
}

/// Leaves a host alone, or ends an operator's pause.
package struct PauseHost: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = [HostReport]
  package static let method: MethodID = 0x024b
  package static let safety: Safety = .idempotent

  package var host: String
  /// Nil: the pause ends.
  package var seconds: Int?

  package init(host: String, seconds: Int? = nil) {
    self.host = host
    self.seconds = seconds
  }
}

/// What a site's robots.txt says to us about an address. It is asked for if it is not known.
package struct RobotsVerdict: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = RobotsReport
  package static let method: MethodID = 0x024c
  package static let safety: Safety = .read

  package var url: String

  package init(url: String) {
    self.url = url
  }
}

/// Whether an address may be fetched.
package struct RobotsReport: Codable, Hashable, Sendable {
  package var isAllowed: Bool
  /// The rule that decides, as it stands there; nil if none does.
  package var rule: String?
  /// Its line, counted from 1.
  package var line: Int?
  package var crawlDelaySeconds: Double?
  /// When the file was read; nil if it cannot be had.
  package var readAt: WallTime?
  package var keptUntil: WallTime?
  /// Why nothing is known of the site's rules: then nothing may be fetched.
  package var problem: String?

  package init(
    isAllowed: Bool, rule: String? = nil, line: Int? = nil, crawlDelaySeconds: Double? = nil, readAt: WallTime? = nil,
    keptUntil: WallTime? = nil, problem: String? = nil
  ) {
    self.isAllowed = isAllowed
    self.rule = rule
    self.line = line
    self.crawlDelaySeconds = crawlDelaySeconds
    self.readAt = readAt
    self.keptUntil = keptUntil
    self.problem = problem
  }
}
