package import RPC

/// Asks whether an address may be fetched, and waits for its host's next turn: several scrapers are one to a site.
package struct TakeHostTurn: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = HostTurn
  package static let method: MethodID = 0x0223
  /// A turn that nobody uses costs the next one a pause.
  package static let safety: Safety = .idempotent

  package var url: String

  package init(url: String) {
    self.url = url
  }
}

/// That the request may be made now, or why not.
package struct HostTurn: Codable, Hashable, Sendable {
  /// `denied` by robots.txt, `paused` by the host or an operator, `failed`; nil: go ahead.
  package var refusal: String?
  package var problem: String?

  package init(refusal: String? = nil, problem: String? = nil) {
    self.refusal = refusal
    self.problem = problem
  }
}

/// Tells how a request ended for which a turn was taken.
package struct EndHostTurn: RPCRequest, Hashable {
  package typealias Service = ScraperAPI
  package typealias Response = HostTurn
  package static let method: MethodID = 0x0224
  /// Failures and refusals are counted, and decide how long the host is left alone.
  package static let safety: Safety = .keyed

  package var url: String
  /// How long the answer took; nil if none came.
  package var milliseconds: Int?
  /// The answer was 429 or 503.
  package var isThrottled: Bool?
  /// What its `Retry-After` asked for.
  package var retrySeconds: Int?
  /// Where the host was found.
  package var address: String?

  package init(
    url: String, milliseconds: Int? = nil, isThrottled: Bool? = nil, retrySeconds: Int? = nil, address: String? = nil
  ) {
    self.url = url
    self.milliseconds = milliseconds
    self.isThrottled = isThrottled
    self.retrySeconds = retrySeconds
    self.address = address
  }
}
