package import Clocks
import Contracts
package import HTTP
import RPC

/// Answers that serve more than one who asks: fresh ones at once, older ones when a service is away.
///
/// An answer is void as soon as something that it is made of changes, and in any case after `fresh`. It is then kept for
/// `stale`, in case that nobody can make a new one; switched off, all are kept for that case only. Coordinates with more
/// than three decimals are of nobody else, so an answer for them is only kept for that case: then one for a point within
/// 110 m is better than none.
package final class AnswerCache {
  nonisolated package struct Limits: Sendable {
    package var entries = 4_000
    var bytes = 16 << 20
    /// What begins and ends by the clock, as "open today" does, is at most this old.
    var fresh: Duration = .seconds(30)
    /// A day: then even a programme is of no more use.
    var stale: Duration = .seconds(86_400)
    /// An answer that is nobody else's takes no place that was taken within this time: thousands of such in a second would
    /// drive out each other, and everything else.
    var settled: Duration = .seconds(10)
  }

  nonisolated package struct Counters: Hashable, Sendable {
    package var hits = 0
    package var misses = 0
    package var stale = 0
    /// Changes that were heard of.
    var voided = 0
  }

  private struct Entry {
    var response: HTTPResponse
    var exactly: String
    var sources: Set<Ingredient>
    /// The change after which it was begun to be made.
    var since: Int
    var bytes: Int
    var storedAt: Instant
    var storedWall: WallTime
  }

  /// An answer larger than this part of all is not kept.
  private static let largestShare = 16

  package private(set) var counters = Counters()
  private(set) var bytes = 0
  var isOn: Bool
  let limits: Limits
  private var entries = RecencyMap<String, Entry>()
  /// Changes so far, and the last of each ingredient and of all.
  private(set) var changes = 0
  private var lastChange: [Ingredient: Int] = [:]
  private var lastChangeOfAll = 0
  /// Until then all places are taken by what is younger than `Limits.settled`.
  private var settledUntil = Instant(nanoseconds: 0)
  private let time: any TimeSource

  package init(isOn: Bool, limits: Limits = Limits(), time: any TimeSource) {
    self.isOn = isOn
    self.limits = limits
    self.time = time
  }

  var count: Int { entries.count }

  package func fresh(_ key: AnswerKey) -> HTTPResponse? {
    guard isOn else { return nil }
    guard let entry = entries[key.rounded], entry.exactly == key.exact, isCurrent(entry),
      time.now - entry.storedAt < limits.fresh
    else {
      counters.misses += 1
      return nil
    }
    counters.hits += 1
    _ = entries.use(key.rounded)
    return entry.response
  }

  /// Nothing that it is made of has changed since it was begun.
  private func isCurrent(_ entry: Entry) -> Bool {
    entry.since >= lastChangeOfAll && entry.sources.allSatisfy { entry.since >= lastChange[$0] ?? 0 }
  }

  /// The last good answer, and when it was made.
  func lastGood(_ key: AnswerKey) -> (response: HTTPResponse, asOf: WallTime)? {
    guard let entry = entries[key.rounded], time.now - entry.storedAt < limits.stale else { return nil }
    counters.stale += 1
    return (entry.response, entry.storedWall)
  }

  /// Whether a copy is worth being made: none is kept, or one that is no longer given while there is a better one.
  func wants(_ key: AnswerKey) -> Bool {
    guard let entry = entries[key.rounded] else { return true }
    return time.now - entry.storedAt >= limits.fresh || !isCurrent(entry)
  }

  /// Whether an answer to a question that nobody else asks is worth being kept now.
  func takesOwn() -> Bool {
    let now = time.now
    guard now >= settledUntil else { return false }
    // Full is where the largest that is kept would have no room.
    let isFull = entries.count >= limits.entries || bytes >= limits.bytes - limits.bytes / Self.largestShare
    guard isFull, let eldest = entries.eldest else { return true }
    settledUntil = eldest.value.storedAt + limits.settled
    return now >= settledUntil
  }

  /// - Parameter since: `changes`, before the answer was begun to be made: what changed meanwhile may not be in it.
  package func keep(_ answer: HTTPResponse, madeOf sources: Set<Ingredient>, for key: AnswerKey, since: Int) {
    guard case .bytes(let body) = answer.body, body.count <= limits.bytes / Self.largestShare else { return }
    // Pictures lie where they come from; some hundred of them would drive out every other answer.
    guard ![MediaType.jpeg, .png, .webp].contains(answer.type) else { return }
    let size = body.count + key.rounded.utf8.count * 2 + 256
    var response = answer
    // A copy that is as large as what is in it: the storage is lent, goes on to the next answer, and may have room for much
    // more. `Array(body)` would be the same storage.
    response.body = .bytes(body.withUnsafeBufferPointer { Array($0) })
    let entry = Entry(
      response: response, exactly: key.exact, sources: sources, since: since, bytes: size,
      storedAt: time.now, storedWall: time.wall)
    bytes += size
    if let former = entries.set(key.rounded, to: entry) { bytes -= former.bytes }
    while entries.count > limits.entries || bytes > limits.bytes, let eldest = entries.removeEldest() {
      bytes -= eldest.bytes
    }
  }

  /// Something changed: what was made of it is no longer fresh.
  func void(_ source: Ingredient) {
    // One for each that ever changed; those of what is kept are no more than this.
    guard lastChange.count < limits.entries || lastChange[source] != nil else { return voidAll() }
    changes += 1
    lastChange[source] = changes
    counters.voided += 1
  }

  /// Anything may have changed.
  func voidAll() {
    changes += 1
    lastChangeOfAll = changes
    lastChange = [:]
    counters.voided += 1
  }

  /// Drops everything whose key begins with `prefix`; all of it without one. Returns how many.
  @discardableResult
  func purge(_ prefix: String? = nil) -> Int {
    var dropped = 0
    while let key = entries.oldest(among: entries.count, where: { prefix.map($0.exactly.hasPrefix) ?? true }) {
      remove(key)
      dropped += 1
    }
    return dropped
  }

  private func remove(_ key: String) {
    guard let entry = entries.remove(key) else { return }
    bytes -= entry.bytes
  }
}

/// What was asked, in one form however it was written: the path, the language, the parameters by name.
nonisolated package struct AnswerKey: Hashable, Sendable {
  package let exact: String
  /// With coordinates of three decimals, which is about 110 m.
  package let rounded: String
  /// Whether somebody else will ask exactly this.
  package let isShared: Bool

  package init(path: String, language: Language?, query: [(name: String, value: String)]) {
    let isSorted = zip(query, query.dropFirst()).allSatisfy { ($0.name, $0.value) <= ($1.name, $1.value) }
    let sorted = isSorted ? query : query.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    let near = sorted.map { Self.places.contains($0.name) ? (name: $0.name, value: Self.rounded($0.value)) : $0 }
    exact = Self.text(path, language, sorted)
    isShared = !Self.isOwn(sorted)
    rounded = isShared ? exact : Self.text(path, language, near)
  }

  /// Each name and value with its length before it: whatever characters are in them, no two questions read alike.
  private static func text(
    _ path: String, _ language: Language?, _ query: [(name: String, value: String)]
  ) -> String {
    var text = ""
    text.reserveCapacity(path.utf8.count + 3 + query.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 6 })
    for piece in [path, " ", language?.rawValue ?? "-"] { text += piece }
    for (name, value) in query {
      for piece in ["&", String(name.utf8.count), name, "=", String(value.utf8.count), " ", value] { text += piece }
    }
    return text
  }

  private static let places = ["lat", "lon", "near"]

  /// Whether a question names a point so exactly that nobody else will ask it.
  static func isOwn(_ query: [(name: String, value: String)]) -> Bool {
    query.contains { places.contains($0.name) && isExact($0.value) }
  }

  private static func isExact(_ text: String) -> Bool {
    var decimals: Int?
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: ","): decimals = nil
      case UInt8(ascii: ".") where decimals == nil: decimals = 0
      default: decimals? += 1
      }
      if decimals ?? 0 > 3 { return true }
    }
    return false
  }

  /// Each number with at most three decimals, about 110 m; cut off, because that needs no arithmetic.
  private static func rounded(_ text: String) -> String {
    let utf8 = text.utf8
    // With an exponent the digits say nothing of where it is: such a point stands for no other.
    guard !utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return text }
    return String(unsafeUninitializedCapacity: utf8.count) { kept in
      var end = 0
      var decimals: Int?
      for byte in utf8 {
        switch byte {
        case UInt8(ascii: ","): decimals = nil
        case UInt8(ascii: ".") where decimals == nil: decimals = 0
        default: decimals? += 1
        }
        guard decimals ?? 0 <= 3 else { continue }
        kept.initializeElement(at: end, to: byte)
        end += 1
      }
      return end
    }
  }
}

nonisolated extension HTTPResponse {
  /// A kept answer that says of itself that it is old.
  func markedStale(asOf text: String) -> HTTPResponse {
    var response = self
    response.fields.removeAll { $0.name == "Cache-Control" }
    response.fields += [HTTPField("Cache-Control", "no-store"), HTTPField("X-Odi-Stale-As-Of", text)]
    response.tag = .none
    guard case .bytes(let body) = body, body.first == UInt8(ascii: "{"), body.count > 2 else { return response }
    // Where an answer speaks of its staleness itself, it does so first.
    let own = ["{\"stale\":false,", "{\"stale\":true,"].first { body.starts(with: $0.utf8) } ?? "{"
    response.body = .bytes(
      Array("{\"stale\":true,\"stale_as_of\":\"\(text)\",".utf8) + body.dropFirst(own.utf8.count))
    return response
  }
}
