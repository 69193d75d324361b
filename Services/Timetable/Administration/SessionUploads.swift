import Clocks
import Contracts
import RPC

/// Sessions that wait for the rest of their festival, by the name of their import.
///
/// They lie in memory: after a restart, or when they are given up, the next part is refused and the import begins again.
/// Of an import that is whole the answer alone is kept: it may not have arrived, and then its last part is sent again.
@MainActor
final class SessionUploads {
  private struct Upload {
    var name: String
    var sessions: [FestivalSession]
    var lastPart: Instant
  }

  /// What tells the last part of an import from any other. One that is the whole import is none: it needs nothing that
  /// came before, so it may always be stored again.
  nonisolated private struct LastPart: Hashable {
    var name: String
    var festival: FestivalID
    var before: Int
    var isDryRun: Bool

    init?(_ request: PutFestival) {
      guard let name = request.upload, let before = request.before, before > 0, !request.hasMore else { return nil }
      (self.name, festival, self.before, isDryRun) = (name, request.festival.id, before, request.isDryRun)
    }
  }

  private struct Finished {
    var part: LastPart
    var edit: ProgrammeEdit
    var end: Instant
  }

  private enum Limits {
    /// Whoever stopped half way will not come back for the oldest.
    static let uploads = 4
    /// An answer may name every session of a large festival.
    static let answers = 4
    /// Parts of one import come within seconds of each other.
    static let patience: Duration = .seconds(600)
  }

  private let time: any TimeSource
  /// The one whose last part came longest ago first.
  private var waiting: [Upload] = []
  /// The one that ended longest ago first.
  private var finished: [Finished] = []
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

  func forget(_ name: String) {
    waiting.removeAll { $0.name == name }
    finished.removeAll { $0.part.name == name }
  }

  /// What the last part of an import was answered, where this is that part once more.
  func answer(to request: PutFestival) -> ProgrammeEdit? {
    guard let part = LastPart(request) else { return nil }
    return finished.first { $0.part == part }?.edit
  }

  /// Lets go of the sessions of an import that is whole, and keeps its answer.
  /// - Returns: the answer; where the same part was under way twice, that of the one that was done first.
  func finish(_ request: PutFestival, with edit: ProgrammeEdit) -> ProgrammeEdit {
    if let earlier = answer(to: request) { return earlier }
    guard let name = request.upload else { return edit }
    forget(name)
    guard let part = LastPart(request) else { return edit }
    if finished.count >= Limits.answers { finished.removeFirst() }
    finished.append(Finished(part: part, edit: edit, end: time.now))
    cleanLater()
    return edit
  }

  private func cleanLater() {
    let oldest = [waiting.first?.lastPart, finished.first?.end].compactMap(\.self).min()
    guard cleaning == nil, let oldest else { return }
    cleaning = time.after(oldest + Limits.patience - time.now) { [weak self] in self?.clean() }
  }

  private func clean() {
    cleaning = nil
    waiting.removeAll { $0.lastPart + Limits.patience <= time.now }
    finished.removeAll { $0.end + Limits.patience <= time.now }
    cleanLater()
  }
}
