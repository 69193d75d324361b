import Clocks
import EventLoops

/// Remembers for a minute which addresses a name has, and asks once however many want to know.
final class AddressBook {
  typealias Resolve = @MainActor (_ host: String, _ port: UInt16) async throws(SocketError) -> [SocketAddress]

  /// As long as libcurl and browsers keep an answer. The addresses are checked again on each use.
  static let freshness = Duration.seconds(60)
  /// Names remembered. A run over all sites asks a few hundred.
  static let namesMax = 10_000

  private struct Entry {
    var addresses: [IPAddress]
    var learnedAt: Instant
  }

  private let time: any TimeSource
  private let resolve: Resolve
  private var entries: [String: Entry] = [:]
  private var lookups: [String: [(Result<[IPAddress], SocketError>) -> Void]] = [:]

  init(time: any TimeSource, resolve: @escaping Resolve) {
    self.time = time
    self.resolve = resolve
  }

  /// The addresses of a name if they are known.
  func known(_ host: String) -> [IPAddress]? {
    guard let entry = entries[host], time.now - entry.learnedAt < Self.freshness else { return nil }
    return entry.addresses
  }

  /// Calls `body` with the addresses of a name once they are known.
  func find(_ host: String, port: UInt16, _ body: @escaping (Result<[IPAddress], SocketError>) -> Void) {
    lookups[host, default: []].append(body)
    guard lookups[host]?.count == 1 else { return }
    // The lookup serves whoever waits for it, so none of them is its parent.
    Task {
      let result: Result<[IPAddress], SocketError>
      do throws(SocketError) {
        let addresses = try await resolve(host, port).compactMap(\.ip)
        entries[host] = Entry(addresses: addresses, learnedAt: time.now)
        if entries.count > Self.namesMax { forgetOldest() }
        result = .success(addresses)
      } catch {
        result = .failure(error)
      }
      for body in lookups.removeValue(forKey: host) ?? [] { body(result) }
    }
  }

  private func forgetOldest() {
    for (host, _) in entries.sorted(by: { $0.value.learnedAt < $1.value.learnedAt }).prefix(Self.namesMax / 10) {
      entries[host] = nil
    }
  }
}

/// A value that somebody waits for and that is given once; later ones are dropped.
final class OneShot<Value: Sendable>: Sendable {
  private var value: Value?
  private var waiter: UnsafeContinuation<Value, Never>?
  private(set) var isFinished = false

  nonisolated init() {}

  func finish(_ value: Value) {
    guard !isFinished else { return }
    isFinished = true
    if let waiter {
      self.waiter = nil
      waiter.resume(returning: value)
    } else {
      self.value = value
    }
  }

  func wait() async -> Value {
    if let value { return value }
    return await withUnsafeContinuation { waiter = $0 }
  }
}
