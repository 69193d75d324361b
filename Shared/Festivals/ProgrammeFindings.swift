import Clocks
package import Contracts

/// Something that is probably wrong with a programme.
package struct ProgrammeFinding: Codable, Hashable, Sendable {
  package enum Severity: String, Codable, CaseIterable, Sendable { case problem, warning }

  package var severity: Severity
  /// A word for each kind: `room-overlap`.
  package var rule: String
  package var sessions: [SessionID]
  package var room: RoomID?
  package var text: String
}

extension ProgrammeFinding {
  /// That a film of so many minutes does not fit; nil where it does, or where nobody says when its session ends.
  package init?(of session: FestivalSession, lasting runtime: Int) {
    guard let end = session.endsAt, case let minutes = session.startsAt.seconds(until: end) / 60,
      Int64(runtime) > minutes
    else { return nil }
    self.init(
      severity: .problem, rule: "film-too-long", sessions: [session.id],
      text: "\(session.title) has \(minutes) minutes, and the film lasts \(runtime)")
  }
}

extension FestivalProgramme {
  /// A hall is left, aired and filled again in no less.
  private static let turnRoundMinutes: Int64 = 10
  /// Nobody reads more, and where everything is at the same time, pairs are the square of the sessions.
  package static let findingsMax = 1_000

  /// What cannot be, and what will be tight. Cancelled sessions are in nobody's way.
  ///
  /// Beyond ``findingsMax`` it stops, and the last one says so.
  package var findings: [ProgrammeFinding] {
    let running = sessions.filter { !$0.isCancelled }
    var findings: [ProgrammeFinding] = []
    for room in festival.rooms where !Self.isFull(findings) {
      addPairs(in: room, of: running.filter { $0.rooms.contains(room.id) }, to: &findings)
    }
    addPairsOfSpeakers(of: running, to: &findings)
    for session in running {
      guard !Self.isFull(findings) else { break }
      addOwn(of: session, to: &findings)
    }
    guard Self.isFull(findings) else { return findings }
    findings.removeSubrange(Self.findingsMax...)
    findings.append(
      .init(
        severity: .problem, rule: "too-many", sessions: [],
        text: "there are more than \(Self.findingsMax) findings; mend these and check again"))
    return findings
  }

  /// Whether there is one more than are told.
  private static func isFull(_ findings: [ProgrammeFinding]) -> Bool { findings.count > findingsMax }

  private func addOwn(of session: FestivalSession, to findings: inout [ProgrammeFinding]) {
    if session.endsAt == nil {
      findings.append(
        .init(
          severity: .warning, rule: "no-end", sessions: [session.id],
          text: "\(session.title) does not say when it ends"))
    }
    if session.rooms.isEmpty {
      findings.append(
        .init(severity: .warning, rule: "no-room", sessions: [session.id], text: "\(session.title) has no room"))
    }
    if let runtime = session.runtimeMinutes, let finding = ProgrammeFinding(of: session, lasting: runtime) {
      findings.append(finding)
    }
  }

  private func addPairs(
    in room: FestivalRoom, of sessions: [FestivalSession], to findings: inout [ProgrammeFinding]
  ) {
    let sorted = sessions.sorted { $0.startsAt < $1.startsAt }
    for (place, session) in sorted.enumerated() {
      // Of two that begin at once in one room one is wrong, whenever they end.
      let end = session.endsAt ?? session.startsAt
      for later in sorted[(place + 1)...] {
        guard !Self.isFull(findings) else { return }
        if session.endsAt == nil, later.startsAt > session.startsAt { break }
        let pause = end.seconds(until: later.startsAt) / 60
        guard pause < Self.turnRoundMinutes else { break }
        let ids = [session.id, later.id]
        if later.startsAt < end || session.endsAt == nil {
          findings.append(
            .init(
              severity: .problem, rule: "room-overlap", sessions: ids, room: room.id,
              text: "\(session.title) and \(later.title) are both in \(room.name)"))
        } else {
          findings.append(
            .init(
              severity: .warning, rule: "turn-round", sessions: ids, room: room.id,
              text: "\(pause) minutes in \(room.name) between \(session.title) and \(later.title)"))
        }
      }
    }
  }

  private func addPairsOfSpeakers(of sessions: [FestivalSession], to findings: inout [ProgrammeFinding]) {
    var bySpeaker: [Person: [FestivalSession]] = [:]
    for session in sessions {
      for speaker in Set(session.speakers.map(Person.init)) { bySpeaker[speaker, default: []].append(session) }
    }
    for (speaker, all) in bySpeaker.sorted(by: { $0.key < $1.key }) where all.count > 1 {
      let left = Self.findingsMax + 1 - findings.count
      guard left > 0 else { return }
      for conflict in SessionConflict.all(among: all, limit: left) {
        findings.append(
          .init(
            severity: .problem, rule: "speaker-twice", sessions: [conflict.first, conflict.second],
            text: "\(speaker.name) is in two sessions for \(conflict.minutes) minutes"))
      }
    }
  }
}

/// Who somebody is: two are one where id and name agree, as ids are written by hand too.
private struct Person: Hashable, Comparable {
  let id: String
  let name: String

  init(_ speaker: FestivalSpeaker) { (id, name) = (speaker.id ?? "", speaker.name) }

  static func < (left: Person, right: Person) -> Bool { (left.id, left.name) < (right.id, right.name) }
}

extension SessionConflict {
  /// More than anybody sorts out by hand; all pairs of a large agenda would be a hundred thousand.
  package static let conflictsMax = 1_000

  /// The pairs that run at the same time, the earlier one first: the first `limit` of them.
  package static func all(among sessions: [FestivalSession], limit: Int = Self.conflictsMax) -> [SessionConflict] {
    let sorted = sessions.filter { !$0.isCancelled }.sorted { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }
    var conflicts: [SessionConflict] = []
    for (place, session) in sorted.enumerated() {
      for later in sorted[(place + 1)...] {
        guard later.startsAt < session.shownEnd else { break }
        guard conflicts.count < limit else { return conflicts }
        let seconds = later.startsAt.seconds(until: min(session.shownEnd, later.shownEnd))
        conflicts.append(.init(first: session.id, second: later.id, minutes: Int((seconds + 59) / 60)))
      }
    }
    return conflicts
  }
}
