import Clocks
import Contracts
import RPC

/// Sessions that wait for the rest of their festival, by the name of their import.
///
/// They lie in memory: after a restart, or when they are given up, the next part is refused and the import begins again.
@MainActor
final class SessionUploads {
  private struct Upload {
    var name: String
    var sessions: [FestivalSession]
    var lastPart: Instant
  }

  private enum Limits {
    /// Whoever stopped half way will not come back for the oldest.
    static let uploads = 4
    /// Parts of one import come within seconds of each other.
    static let patience: Duration = .seconds(600)
  }

  private let time: any TimeSource
  /// The one whose last part came longest ago first.
  private var waiting: [Upload] = []
  private var cleaning: (any Scheduled)?

  init(time: any TimeSource) { self.time = time }

  /// What came before under a name, and this part behind it. A part that is sent twice is there once.
  func whole(_ name: String, _ part: [FestivalSession], after count: Int) throws(RPCError) -> [FestivalSession] {
    let kept = waiting.first { $0.name == name }?.sessions ?? []
    guard count >= 0, count <= kept.count else {
      throw RPCError(
        .failedPrecondition,
        "\(kept.count) of the \(count) sessions before these are here, so nothing was stored; import the file again",
        executed: .no)
    }
    return kept.prefix(count) + part
  }

  func keep(_ sessions: [FestivalSession], as name: String) {
    forget(name)
    if waiting.count >= Limits.uploads { waiting.removeFirst() }
    waiting.append(Upload(name: name, sessions: sessions, lastPart: time.now))
    cleanLater()
  }

  func forget(_ name: String) { waiting.removeAll { $0.name == name } }

  private func cleanLater() {
    guard cleaning == nil, let oldest = waiting.first else { return }
    cleaning = time.after(oldest.lastPart + Limits.patience - time.now) { [weak self] in self?.clean() }
  }

  private func clean() {
    cleaning = nil
    waiting.removeAll { $0.lastPart + Limits.patience <= time.now }
    cleanLater()
  }
}
