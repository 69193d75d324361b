import Clocks
package import Contracts

/// Something that is probably wrong with a programme.
package struct ProgrammeFinding: Codable, Hashable, Sendable {
  package enum Severity: String, Codable, Sendable { case problem, warning }

  package var severity: Severity
  /// A word for each kind: `room-overlap`.
  package var rule: String
  package var sessions: [SessionID]
  package var room: RoomID?
  package var text: String
}

extension FestivalProgramme {
  /// A hall is left, aired and filled again in no less.
  private static let turnRoundMinutes: Int64 = 10

  /// What cannot be, and what will be tight. Cancelled sessions are in nobody's way.
  package var findings: [ProgrammeFinding] {
    let names = Dictionary(festival.rooms.map { ($0.id, $0.name) }) { first, _ in first }
    let running = sessions.filter { !$0.isCancelled }
    var findings: [ProgrammeFinding] = []
    for room in festival.rooms {
      let here = running.filter { $0.rooms.contains(room.id) }
      findings += inRoom(here, room.id, names[room.id] ?? room.id.text)
    }
    findings += ofSpeakers(running)
    for session in running {
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
      if let runtime = session.runtimeMinutes, let end = session.endsAt {
        let minutes = session.startsAt.seconds(until: end) / 60
        if Int64(runtime) > minutes {
          findings.append(
            .init(
              severity: .problem, rule: "film-too-long", sessions: [session.id],
              text: "\(session.title) has \(minutes) minutes, and the film lasts \(runtime)"))
        }
      }
    }
    return findings
  }

  private func inRoom(_ sessions: [FestivalSession], _ room: RoomID, _ name: String) -> [ProgrammeFinding] {
    var findings: [ProgrammeFinding] = []
    let sorted = sessions.sorted { $0.startsAt < $1.startsAt }
    for (place, session) in sorted.enumerated() {
      guard let end = session.endsAt else { continue }
      for later in sorted[(place + 1)...] {
        let pause = end.seconds(until: later.startsAt) / 60
        guard pause < Self.turnRoundMinutes else { break }
        let ids = [session.id, later.id]
        if later.startsAt < end {
          findings.append(
            .init(
              severity: .problem, rule: "room-overlap", sessions: ids, room: room,
              text: "\(session.title) and \(later.title) are both in \(name)"))
        } else {
          findings.append(
            .init(
              severity: .warning, rule: "turn-round", sessions: ids, room: room,
              text: "\(pause) minutes in \(name) between \(session.title) and \(later.title)"))
        }
      }
    }
    return findings
  }

  private func ofSpeakers(_ sessions: [FestivalSession]) -> [ProgrammeFinding] {
    var bySpeaker: [String: [FestivalSession]] = [:]
    for session in sessions {
      for speaker in Set(session.speakers.map { $0.id ?? $0.name }) { bySpeaker[speaker, default: []].append(session) }
    }
    var findings: [ProgrammeFinding] = []
    for (speaker, all) in bySpeaker.sorted(by: { $0.key < $1.key }) where all.count > 1 {
      let name = all[0].speakers.first { ($0.id ?? $0.name) == speaker }?.name ?? speaker
      for conflict in SessionConflict.all(among: all) {
        findings.append(
          .init(
            severity: .problem, rule: "speaker-twice", sessions: [conflict.first, conflict.second],
            text: "\(name) is in two sessions for \(conflict.minutes) minutes"))
      }
    }
    return findings
  }
}

extension SessionConflict {
  /// Each pair that runs at the same time, the earlier one first.
  package static func all(among sessions: [FestivalSession]) -> [SessionConflict] {
    let sorted = sessions.filter { !$0.isCancelled }.sorted { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }
    var conflicts: [SessionConflict] = []
    for (place, session) in sorted.enumerated() {
      for later in sorted[(place + 1)...] {
        guard later.startsAt < session.shownEnd else { break }
        let seconds = later.startsAt.seconds(until: min(session.shownEnd, later.shownEnd))
        conflicts.append(.init(first: session.id, second: later.id, minutes: Int((seconds + 59) / 60)))
      }
    }
    return conflicts
  }
}
