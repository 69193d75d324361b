package import Clocks
package import EventLoops

extension Fetcher {
  /// Asks the site of `url` for its robots.txt, and tells from where the answer came, or why none did. Throws only when
  /// it is cancelled.
  package func robots(
    of url: FetchURL
  ) async throws(FetchError) -> (answer: RobotsRecord.Answer, address: IPAddress?, problem: FetchError?) {
    do throws(FetchError) {
      let file: FetchURL
      do throws(FetchURLError) { file = try url.resolving("/robots.txt") } catch { throw .invalidURL(error) }
      var request = FetchRequest(file)
      request.allowsDowngrade = true
      let response = try await fetch(request)
      let body = Array(response.body.prefix(RobotsTxt.bytesMax + 1))
      let freshFor = response.headers["cache-control"].flatMap(RobotsRecord.maxAge)
      return (.response(status: response.status, body: body, freshFor: freshFor), response.address, nil)
    } catch {
      switch error {
      case .cancelled: throw error
      case .tooManyRedirects: return (.tooManyRedirects, nil, error)
      default: return (.unreachable, nil, error)
      }
    }
  }
}

/// A site's robots.txt as far as we know it: what it said, when, and since when it cannot be had.
nonisolated package struct RobotsRecord: Sendable, Hashable {
  /// After this long it is asked for again (RFC 9309, 2.4), or sooner if the site says so in `Cache-Control`,
  package static let freshnessMax = Duration.seconds(24 * 3_600)
  /// but not more often than this: a file that names no age to speak of is not read anew for each page.
  package static let freshnessMin = Duration.seconds(60)
  /// While it cannot be had it is asked for again as often as this, and what it last said holds.
  package static let retryInterval = Duration.seconds(3_600)
  /// While nothing is known that holds, so that nothing of the site may be read.
  package static let unknownRetryInterval = Duration.seconds(120)
  /// What it last said holds no longer than this; after that everything is refused.
  package static let staleMax = Duration.seconds(30 * 24 * 3_600)

  package private(set) var rules = RobotsTxt.refusingAll
  package private(set) var readAt: WallTime?
  package private(set) var triedAt: WallTime?
  /// How long the file is good for, as its site says.
  private var freshness = Self.freshnessMax

  package init() {}

  /// The `max-age` of a `Cache-Control` field (RFC 9111, 5.2.2.1).
  package static func maxAge(_ field: String) -> Duration? {
    for part in field.split(separator: ",") {
      let words = part.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" && $0 != "\t" } }
      guard words.count == 2, words[0].lowercased() == "max-age", let seconds = UInt32(words[1]) else { continue }
      return .seconds(Int64(seconds))
    }
    return nil
  }

  /// How asking for the file ended.
  package enum Answer: Sendable {
    /// The status and body of the last answer, after at most five redirects, and how long its site says it is good for.
    case response(status: Int, body: [UInt8], freshFor: Duration? = nil)
    /// More redirects than that: as if there were no file.
    case tooManyRedirects
    case unreachable
  }

  /// - Returns: whether these are the rules from now on; an answer that says nothing leaves those of before.
  @discardableResult
  package mutating func learn(_ answer: Answer, at now: WallTime) -> Bool {
    triedAt = now
    switch answer {
    case .response(200...299, let body, _): (rules, readAt) = (RobotsTxt(parsing: body), now)
    // A site that says “too many requests” has not said that it has no file.
    case .response(429, _, _), .unreachable: return false
    case .response(300...499, _, _), .tooManyRedirects: (rules, readAt) = (.allowingAll, now)
    case .response: return false
    }
    freshness = Self.freshnessMax
    if case .response(_, _, let freshFor?) = answer {
      freshness = min(max(freshFor, Self.freshnessMin), Self.freshnessMax)
    }
    return true
  }

  /// The rules that hold now.
  package func rules(at now: WallTime) -> RobotsTxt { isKnown(at: now) ? rules : .refusingAll }

  /// Whether the file could be had, and lately enough; if not, everything is refused.
  package func isKnown(at now: WallTime) -> Bool {
    guard let readAt else { return false }
    return now - readAt <= Self.staleMax
  }

  /// When the file is asked for again that could be had; nil if it never was.
  package var dueAt: WallTime? { readAt.map { $0 + freshness } }

  /// When the file is asked for again that could not be had.
  package func retryAt(_ now: WallTime) -> WallTime { (triedAt ?? now) + retryPause(now) }

  /// A site whose file changes often is asked again as often when it could not be had.
  private func retryPause(_ now: WallTime) -> Duration {
    isKnown(at: now) ? max(Self.unknownRetryInterval, min(Self.retryInterval, freshness)) : Self.unknownRetryInterval
  }

  /// Whether the file should be asked for before the next page.
  package func isDue(at now: WallTime) -> Bool {
    guard let triedAt else { return true }
    if let readAt, now - readAt < freshness { return false }
    if readAt == triedAt { return now - triedAt >= freshness }
    return now - triedAt >= retryPause(now)
  }
}

extension WallTime {
  nonisolated fileprivate static func + (time: WallTime, wait: Duration) -> WallTime {
    WallTime(milliseconds: time.milliseconds + wait.wholeMilliseconds)
  }

  /// Never negative: an operator may have set the clock back.
  nonisolated fileprivate static func - (later: WallTime, earlier: WallTime) -> Duration {
    .milliseconds(max(0, later.milliseconds.subtractingReportingOverflow(earlier.milliseconds).partialValue))
  }
}
