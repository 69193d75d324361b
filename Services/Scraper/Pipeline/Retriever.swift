package import Clocks
package import EventLoops
package import Fetch
package import RPC

/// Why a page did not come, in words for the site's keeper.
nonisolated package struct RetrievalError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, Sendable {
    /// robots.txt does not allow it.
    case denied
    /// The host asked to be left alone, or an operator did.
    case paused
    /// It answered, and not with a page.
    case status
    /// It did not answer, or not fully.
    case failed
    case cancelled
  }

  package var kind: Kind
  package var description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

/// Where a visit gets its pages from: the network, or what is stored of an earlier visit.
@MainActor
package protocol PageRetriever: AnyObject, Sendable {
  func page(_ request: PageRequest) async throws(RetrievalError) -> RetrievedPage
}

/// A page and how it came.
nonisolated package struct RetrievedPage: Sendable {
  package var page: Page
  package var outcome: VisitRecord.PageOutcome
  package var snapshot: SnapshotID

  package init(page: Page, outcome: VisitRecord.PageOutcome, snapshot: SnapshotID) {
    self.page = page
    self.outcome = outcome
    self.snapshot = snapshot
  }
}

/// Who says when a site may be asked: one for all visits, also those of other scrapers.
@MainActor
package protocol HostTurns: AnyObject, Sendable {
  /// Returns when `url` may be fetched now, and counts the request.
  func turn(for url: FetchURL) async throws(RetrievalError)
  /// Learns from how a request ended.
  func finish(_ url: FetchURL, _ outcome: HostBudget.Outcome, address: IPAddress?)
}

extension HostBook: HostTurns {}

/// Where pages are kept.
@MainActor
package protocol PageStore: Sendable {
  func page(_ url: String) async throws -> ScraperStore.KnownPage?
  func snapshot(_ id: SnapshotID) async throws -> [UInt8]?
  func keep(
    _ page: Page, at url: String, validators: FetchRequest.Validators?
  ) async throws -> (snapshot: SnapshotID, isSame: Bool)
}

extension ScraperStore: PageStore {}

/// Fetches pages politely: after robots.txt and the host's budget, with what is known of them, and a few tries.
@MainActor
package final class Retriever: PageRetriever {
  package struct Limits: Sendable {
    package var attempts = 4
    /// Before the second try and each further one.
    package var backoff = Backoff(first: .seconds(2), cap: .seconds(8))
    package var redirects = 5
    package var fetch = FetchRequest.Limits()

    package init() {}
  }

  private let fetcher: () -> Fetcher
  private let hosts: any HostTurns
  private let store: any PageStore
  private let limits: Limits
  private let time: any TimeSource
  private var random: any RandomNumberGenerator

  package init(
    _ fetcher: @escaping () -> Fetcher, hosts: any HostTurns, store: any PageStore, limits: Limits = Limits(),
    time: any TimeSource, random: any RandomNumberGenerator
  ) {
    self.fetcher = fetcher
    self.hosts = hosts
    self.store = store
    self.limits = limits
    self.time = time
    self.random = random
  }

  package func page(_ request: PageRequest) async throws(RetrievalError) -> RetrievedPage {
    for attempt in 1...limits.attempts {
      switch try await attemptOnce(request) {
      case .page(let page): return page
      case .failed(let error, let mayRetry):
        guard mayRetry, attempt < limits.attempts else { throw error }
        let pause = limits.backoff.delay(repetition: attempt, using: &random)
        do { try await time.sleep(for: pause) } catch { throw RetrievalError(.cancelled, "cancelled") }
      }
    }
    throw RetrievalError(.failed, "no attempt was made")
  }

  private enum Attempt {
    case page(RetrievedPage)
    case failed(RetrievalError, mayRetry: Bool)
  }

  /// One request and the redirects behind it, each of which is asked about anew.
  private func attemptOnce(_ request: PageRequest) async throws(RetrievalError) -> Attempt {
    var url: FetchURL
    do throws(FetchURLError) { url = try FetchURL(parsing: request.url) } catch {
      throw RetrievalError(.failed, "\(request.url) is no address: \(error)")
    }
    let stored = await knownPage(request.url)
    for _ in 0...limits.redirects {
      // “Not modified” is said of one address: another would mean another page.
      let known = stored.flatMap { $0.finalURL == url.description ? $0 : nil }
      try await hosts.turn(for: url)
      let began = time.now
      let response: FetchResponse
      do throws(FetchError) {
        response = try await fetcher().fetch(fetchRequest(url, request, known))
      } catch {
        if case .cancelled = error { throw RetrievalError(.cancelled, "cancelled") }
        hosts.finish(url, .failed, address: nil)
        return .failed(RetrievalError(.failed, "\(error)"), mayRetry: error.isTransient)
      }
      let throttled = response.status == 429 || response.status == 503
      let wait = response.headers["retry-after"].flatMap { RetryAfter.wait($0, now: time.wall) }
      hosts.finish(
        url, throttled ? .throttled(retryAfter: wait) : .answered(after: time.now - began), address: response.address)
      if let next = try redirect(response) {
        url = next
        continue
      }
      return try await answer(response, request, known)
    }
    throw RetrievalError(.failed, "the site leads on more than \(limits.redirects) times")
  }

  private func redirect(_ response: FetchResponse) throws(RetrievalError) -> FetchURL? {
    do throws(FetchError) { return try response.redirect() } catch { throw RetrievalError(.failed, "\(error)") }
  }

  private func fetchRequest(
    _ url: FetchURL, _ request: PageRequest, _ known: ScraperStore.KnownPage?
  ) -> FetchRequest {
    var fetch = FetchRequest(url)
    fetch.headers = request.headers.map { ($0.name, $0.value) }
    fetch.validators = known?.validators
    fetch.followsRedirects = false
    fetch.limits = limits.fetch
    return fetch
  }

  /// That it cannot be read is our trouble, and none of the site's.
  private func stored(_ snapshot: SnapshotID) async throws(RetrievalError) -> [UInt8]? {
    do {
      return try await store.snapshot(snapshot)
    } catch {
      throw RetrievalError(.failed, "the page that is kept cannot be read: \(error)")
    }
  }

  private func knownPage(_ url: String) async -> ScraperStore.KnownPage? {
    guard let known = try? await store.page(url), !known.validators.isEmpty else { return nil }
    return known
  }

  private func answer(
    _ response: FetchResponse, _ request: PageRequest, _ known: ScraperStore.KnownPage?
  ) async throws(RetrievalError) -> Attempt {
    if response.isNotModified {
      guard let known, let body = try await stored(known.snapshot) else {
        return .failed(RetrievalError(.status, "304 for a page that we do not have"), mayRetry: false)
      }
      let page = Page(
        role: request.role, url: known.finalURL, contentType: known.contentType, fetchedAt: time.wall, body: body)
      return .page(RetrievedPage(page: page, outcome: .unchanged, snapshot: known.snapshot))
    }
    guard response.isSuccess else {
      let error = RetrievalError(.status, "the site answers \(response.status)")
      return .failed(error, mayRetry: response.status >= 500 || response.status == 429)
    }
    let page = Page(
      role: request.role, url: response.url.description, contentType: response.headers["content-type"],
      fetchedAt: time.wall, body: response.body)
    do {
      let kept = try await store.keep(page, at: request.url, validators: response.validators)
      return .page(RetrievedPage(page: page, outcome: kept.isSame ? .same : .new, snapshot: kept.snapshot))
    } catch {
      throw RetrievalError(.failed, "the page could not be kept: \(error)")
    }
  }
}
