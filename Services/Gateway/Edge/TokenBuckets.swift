package import Clocks
import HTTP
import RPC

/// How often each of many may ask: a bucket of tokens for each, filled at a steady rate.
nonisolated package struct TokenBuckets<Key: Hashable & Sendable> {
  package struct Rate: Hashable, Sendable {
    /// Requests a second, for ever. 0: no limit.
    package var perSecond: Double
    /// Requests at once, after a rest.
    package var burst: Double

    package init(perSecond: Double, burst: Double) {
      self.perSecond = perSecond
      self.burst = burst
    }
  }

  /// What is left to one of them.
  package struct Standing: Hashable, Sendable {
    package var isAllowed: Bool
    package var left: Int
    /// Until the bucket is full again; if refused, until there is a token.
    package var wait: Duration
  }

  private struct Bucket: Sendable {
    var tokens: Double
    var at: Instant
  }

  /// Whose bucket is full need not be remembered; these have asked within seconds. About 100 bytes each.
  private static var keysMax: Int { 50_000 }

  package var rate: Rate
  private var buckets = RecencyMap<Key, Bucket>(atMost: Self.keysMax)

  package init(_ rate: Rate) { self.rate = rate }

  package var count: Int { buckets.count }

  package mutating func take(_ key: Key, now: Instant) -> Standing {
    guard rate.perSecond > 0 else { return Standing(isAllowed: true, left: .max, wait: .zero) }
    let rate = rate
    if let standing = buckets.update(key, { Self.take(&$0, rate, now: now) }) { return standing }
    var bucket = Bucket(tokens: rate.burst, at: now)
    let standing = Self.take(&bucket, rate, now: now)
    buckets.set(key, to: bucket)
    return standing
  }

  /// Looks without taking.
  func standing(of key: Key, now: Instant) -> Standing {
    guard rate.perSecond > 0 else { return Standing(isAllowed: true, left: .max, wait: .zero) }
    let tokens = buckets[key].map { Self.filled($0, rate, now: now) } ?? rate.burst
    return Standing(isAllowed: tokens >= 1, left: Int(tokens), wait: .seconds((rate.burst - tokens) / rate.perSecond))
  }

  private static func filled(_ bucket: Bucket, _ rate: Rate, now: Instant) -> Double {
    min(rate.burst, bucket.tokens + (now - bucket.at).inSeconds * rate.perSecond)
  }

  private static func take(_ bucket: inout Bucket, _ rate: Rate, now: Instant) -> Standing {
    let tokens = filled(bucket, rate, now: now)
    bucket.at = now
    guard tokens >= 1 else {
      bucket.tokens = tokens
      return Standing(isAllowed: false, left: 0, wait: .seconds((1 - tokens) / rate.perSecond))
    }
    bucket.tokens = tokens - 1
    return Standing(
      isAllowed: true, left: Int(bucket.tokens), wait: .seconds((rate.burst - bucket.tokens) / rate.perSecond))
  }
}

extension TokenBuckets.Standing {
  /// The fields of draft-ietf-httpapi-ratelimit-headers that tell of it.
  nonisolated func fields(_ name: String, _ rate: TokenBuckets.Rate) -> [HTTPField] {
    guard rate.perSecond > 0 else { return [] }
    let window = max(1, Int((rate.burst / rate.perSecond).rounded(.up)))
    let seconds = max(0, Int(wait.inSeconds.rounded(.up)))
    return [
      HTTPField("RateLimit-Policy", "\"\(name)\";q=\(Int(rate.burst));w=\(window)"),
      HTTPField("RateLimit", "\"\(name)\";r=\(left);t=\(seconds)"),
    ]
  }

  nonisolated var refusal: Problem {
    Problem(.rateLimited, "wait as long as Retry-After says", fields: Problem.retry(wait))
  }
}
