package import Clocks
package import EventLoops

/// How often each site may be asked: a pause between requests that grows when the site says so, or slows down.
///
/// A request counts against the site's domain and against the address behind it, so that a hundred names on one
/// machine are one site. The budget is a value without a clock: the caller asks when, waits, and tells how it went.
nonisolated package struct HostBudget: Sendable {
  package struct Limits: Sendable {
    /// Between the beginnings of two requests to one site.
    package var interval = Duration.seconds(2)
    /// The first pause after a 429 or 503; each further one doubles it.
    package var backoff = Duration.seconds(30)
    package var backoffMax = Duration.seconds(24 * 3_600)
    /// Sites remembered. The one that was asked longest ago is forgotten first.
    package var sitesMax = 10_000

    package init() {}
  }

  package enum Key: Hashable, Sendable, CustomStringConvertible {
    case site(String)
    case address(IPAddress)

    package var description: String {
      switch self {
      case .site(let site): site
      case .address(let address): "\(address)"
      }
    }
  }

  package enum Outcome: Sendable {
    /// An answer came, after this long.
    case answered(after: Duration)
    /// 429 or 503, with the wait that `Retry-After` asks for.
    case throttled(retryAfter: Duration?)
    /// No answer. The site is left alone as if it had said 503, from the third time on.
    case failed
  }

  private struct Bucket {
    var readyAt: Instant
    var crawlDelay = Duration.zero
    /// A moving average, so that a site that is slow is asked less.
    var latency = Duration.zero
    var throttles = 0
    var failures = 0
    var isPaused = false
  }

  private let limits: Limits
  private let exempt: Set<Key>
  private var buckets: [Key: Bucket] = [:]

  /// `exempt` sites have no pause: the demo world.
  package init(limits: Limits = Limits(), exempt: Set<Key> = []) {
    self.limits = limits
    self.exempt = exempt
  }

  /// What a request to `url` counts against.
  package static func keys(_ url: FetchURL, address: IPAddress?) -> [Key] {
    if case .address(let own) = url.host { return [.address(block(own))] }
    return [.site(url.site)] + (address.map { [.address(block($0))] } ?? [])
  }

  /// An IPv6 customer has a /64 at least, so its addresses count as one.
  private static func block(_ address: IPAddress) -> IPAddress {
    address.isV4 ? address : IPAddress(v6: address.high, 0)
  }

  /// When a request may begin at the earliest: now, or later.
  package func earliestStart(_ keys: [Key], now: Instant) -> Instant {
    keys.reduce(now) { latest, key in isExempt(keys) ? latest : max(latest, buckets[key]?.readyAt ?? now) }
  }

  /// Counts a request that begins now.
  package mutating func begin(_ keys: [Key], now: Instant) {
    guard !isExempt(keys) else { return }
    for key in keys {
      var bucket = buckets[key] ?? Bucket(readyAt: now)
      bucket.isPaused = false
      bucket.readyAt = max(bucket.readyAt, now + pause(bucket))
      buckets[key] = bucket
    }
    forgetOldest()
  }

  /// Learns from how a request ended.
  package mutating func finish(_ keys: [Key], _ outcome: Outcome, now: Instant) {
    guard !isExempt(keys) else { return }
    for key in keys {
      var bucket = buckets[key] ?? Bucket(readyAt: now)
      switch outcome {
      case .answered(let latency):
        bucket.latency = bucket.latency == .zero ? latency : (bucket.latency * 3 + latency) / 4
        (bucket.throttles, bucket.failures) = (0, 0)
        bucket.readyAt = max(bucket.readyAt, now + (bucket.latency > limits.interval ? bucket.latency : .zero))
      case .throttled(let retryAfter):
        bucket.throttles += 1
        hold(&bucket, for: max(retryAfter ?? .zero, backoff(bucket.throttles)), now: now)
      case .failed:
        bucket.failures += 1
        if bucket.failures >= 3 { hold(&bucket, for: backoff(bucket.failures - 2), now: now) }
      }
      buckets[key] = bucket
    }
  }

  /// The pause that the robots.txt of a site, or of an address that is asked by itself, asks for.
  package mutating func setCrawlDelay(_ delay: Duration?, of key: Key, now: Instant) {
    var bucket = buckets[key] ?? Bucket(readyAt: now)
    bucket.crawlDelay = delay ?? .zero
    buckets[key] = bucket
  }

  /// Until when the site asked to be left alone; nil if it did not, or not any longer.
  package func pauseEnd(_ keys: [Key], now: Instant) -> Instant? {
    guard !isExempt(keys) else { return nil }
    return keys.compactMap { key in buckets[key].flatMap { $0.isPaused && $0.readyAt > now ? $0.readyAt : nil } }.max()
  }

  /// Sites that asked to be left alone and for how long yet: what is kept over a restart, and shown to an operator.
  package func pauses(now: Instant) -> [(key: Key, left: Duration, throttles: Int)] {
    buckets.filter { $0.value.isPaused && $0.value.readyAt > now }
      .map { ($0.key, $0.value.readyAt - now, $0.value.throttles) }
      .sorted { ($0.left, $0.key.description) > ($1.left, $1.key.description) }
  }

  /// Takes up a pause that was kept over a restart.
  package mutating func restore(_ key: Key, left: Duration, throttles: Int, now: Instant) {
    var bucket = buckets[key] ?? Bucket(readyAt: now)
    bucket.throttles = max(bucket.throttles, throttles)
    hold(&bucket, for: left, now: now)
    buckets[key] = bucket
  }

  private func pause(_ bucket: Bucket) -> Duration { max(limits.interval, bucket.crawlDelay, bucket.latency) }

  private func hold(_ bucket: inout Bucket, for pause: Duration, now: Instant) {
    bucket.isPaused = true
    bucket.readyAt = max(bucket.readyAt, now + min(pause, limits.backoffMax))
  }

  private func backoff(_ times: Int) -> Duration { min(limits.backoff * (1 << min(times - 1, 20)), limits.backoffMax) }

  private func isExempt(_ keys: [Key]) -> Bool { keys.contains { exempt.contains($0) } }

  /// A pause that was asked for is not forgotten before others.
  private mutating func forgetOldest() {
    guard buckets.count > limits.sitesMax else { return }
    let oldest = buckets.sorted { $0.value.readyAt < $1.value.readyAt }.prefix(max(limits.sitesMax / 10, 1))
    for (key, _) in oldest { buckets[key] = nil }
  }
}
