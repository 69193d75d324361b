import Clocks
import Contracts

/// What most users saved, asked of the store once and kept for a moment: to answer, the store reads every item.
final class Popularity {
  private struct Question: Hashable {
    let kind: ItemKind
    let since: WallTime?
  }

  private struct Entry {
    let asked: Instant
    let answer: Task<[SavedCount], any Error>
  }

  /// How old an answer may be.
  private static let life = Duration.seconds(10)
  /// Questions remembered at once; they are few, as times are rounded.
  private static let questionsMax = 32
  /// So that “the last seven days” is the same question for a while.
  private static let roundingMilliseconds: Int64 = 60_000

  private let limits: BookmarkLimits
  private let time: any TimeSource
  private var entries: [Question: Entry] = [:]

  init(limits: BookmarkLimits, time: any TimeSource) {
    self.limits = limits
    self.time = time
  }

  func mostSaved(_ request: MostSaved, from store: any BookmarkStore) async throws -> [SavedCount] {
    let now = time.now
    let since = request.since.map {
      WallTime(milliseconds: $0.milliseconds - $0.milliseconds % Self.roundingMilliseconds)
    }
    let question = Question(kind: request.kind, since: since)
    entries = entries.filter { $0.value.asked + Self.life > now }
    let answer = entries[question]?.answer ?? ask(question, store, now)
    do {
      return Array(try await answer.value.prefix(request.limit))
    } catch {
      entries[question] = nil
      throw error
    }
  }

  /// The question belongs to everybody who waits for its answer, so it is no child of the first who asked.
  private func ask(_ question: Question, _ store: any BookmarkStore, _ now: Instant) -> Task<[SavedCount], any Error> {
    let (limits, wall) = (limits, time.wall)
    let answer = Task {
      try await store.mostSaved(
        question.kind, since: question.since, usersMin: limits.popularityUsers, limit: limits.popularThings,
        StoreCall(at: wall))
    }
    if entries.count < Self.questionsMax { entries[question] = Entry(asked: now, answer: answer) }
    return answer
  }
}
