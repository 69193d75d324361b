import Bookmarks
import Clocks
import Contracts
import RPC

/// What one client did, as the client knows it: the changes that were acknowledged, and the one of which it never heard.
///
/// Every change is one that must take effect, so the user's revision counts them.
struct WriteHistory {
  enum Change: Hashable {
    case save(String, note: String)
    case remove(String)
  }

  var user: UserID?
  private(set) var acknowledged = 0
  private(set) var pending: Change?
  private var keys: Int
  private var saved: [String: String] = [:]
  private var names = 0
  private var random: SeededRandom
  private let noteBytes: Int

  /// - Parameter client: a number of its own, so that its keys are.
  init(client: Int, seed: UInt64, noteBytes: Int = 20) {
    keys = client * 1_000_000
    random = SeededRandom(seed: seed &* 31 &+ UInt64(client))
    self.noteBytes = noteBytes
  }

  /// The key of the change that is pending.
  var key: IdempotencyKey { .number(keys) }

  mutating func next() -> Change {
    keys += 1
    let change: Change
    if Int.random(in: 0..<4, using: &random) == 0, let id = saved.keys.min() {
      change = .remove(id)
    } else {
      names += 1
      change = .save("film_\(names)", note: "\(names)" + String(repeating: "n", count: noteBytes))
    }
    pending = change
    return change
  }

  mutating func acknowledge() {
    guard let change = pending else { return }
    pending = nil
    acknowledged += 1
    Self.apply(change, to: &saved)
  }

  private static func apply(_ change: Change, to saved: inout [String: String]) {
    switch change {
    case .save(let id, let note): saved[id] = note
    case .remove(let id): saved[id] = nil
    }
  }

  enum Verdict: Hashable {
    /// Exactly what was acknowledged, or that and the pending change.
    case whole(withPending: Bool)
    /// Acknowledged changes are missing; so many.
    case lost(Int)
    /// Neither: something twice, or in part.
    case wrong(String)
  }

  /// Compares with what is there now.
  func judge(revision: Int64, items: [SavedItem]) -> Verdict {
    let found = Dictionary(items.map { ($0.id, $0.note ?? "") }, uniquingKeysWith: { $1 })
    let applied = Int(revision)
    if applied < acknowledged { return .lost(acknowledged - applied) }
    var expected = saved
    if applied == acknowledged + 1, let pending {
      Self.apply(pending, to: &expected)
    } else if applied != acknowledged {
      return .wrong("revision \(revision) after \(acknowledged) acknowledged changes")
    }
    guard found == expected, items.count == found.count else {
      return .wrong("\(items.count) items where \(expected.count) are expected, at revision \(revision)")
    }
    return .whole(withPending: applied > acknowledged)
  }
}
