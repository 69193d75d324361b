import Contracts

extension ProgrammeDraft {
  /// Takes the ids away that a file gives to several people: programs write 0 where they know none.
  mutating func dropSharedIDs(of sessions: inout [FestivalSession]) {
    var names: [String: Set<String>] = [:]
    for speaker in sessions.lazy.flatMap(\.speakers) {
      if let id = speaker.id { names[id, default: []].insert(speaker.name) }
    }
    let shared = names.filter { $0.value.count > 1 }
    guard !shared.isEmpty else { return }
    for (id, people) in shared.sorted(by: { $0.key < $1.key }) {
      let some = people.sorted().prefix(Self.peopleTold).joined(separator: ", ")
      note("the id \(id) is that of \(people.count) people (\(some)), and so nobody's")
    }
    for place in sessions.indices {
      for speaker in sessions[place].speakers.indices where sessions[place].speakers[speaker].id != nil {
        if shared[sessions[place].speakers[speaker].id!] != nil { sessions[place].speakers[speaker].id = nil }
      }
    }
  }

  /// Of one id, in a note.
  private static var peopleTold: Int { 3 }
}
