package import Contracts
import Drafts

/// Which drafts of a file are cinemas that are kept, and what the others are called.
nonisolated extension DraftReading {
  /// What is called like a kept cinema and stands within this of it is that one: two maps seldom put a house further
  /// apart, and houses of one chain are seldom nearer.
  static let sameMetres = 300.0
  /// An id that somebody wrote and that is kept further away than this is taken for another cinema's: a point that is
  /// set right moves within its quarter.
  static let movedMetres = 2_000.0

  /// All that its drafts may be kept as.
  package var possibleIDs: [CinemaID] {
    let texts = drafts.flatMap { draft in
      draft.naming.map { [$0.short, $0.long] } ?? [draft[.id]?.trimmed].compactMap(\.self)
    }
    return Set(texts).sorted().compactMap { CinemaID($0) }
  }

  /// Makes ids for drafts whose source gives none: the name, or if that is another cinema's the name and the source's
  /// number. They are the same each time that the file is read, whatever order it has by then.
  package mutating func nameDrafts(among kept: [CinemaID: Cinema] = [:]) {
    let written = Set(drafts.lazy.filter { $0.naming == nil }.compactMap { $0[.id]?.trimmed })
    let namesakes = Dictionary(grouping: drafts.indices.filter { drafts[$0].naming != nil }) {
      drafts[$0].naming?.short ?? ""
    }
    for (name, places) in namesakes {
      // Those that are kept under the longer id stay there.
      let others = places.filter { place in
        drafts[place].naming.flatMap { CinemaID($0.long) }.flatMap { kept[$0] } == nil
      }
      var bearer: Int?
      if let cinema = CinemaID(name).flatMap({ kept[$0] }) {
        bearer = nearest(of: others, to: cinema)
      } else {
        bearer = others.first
      }
      if written.contains(name) { bearer = nil }
      let home = bearer.flatMap { drafts[$0].position }
      for place in places {
        // Mappers draw a house and mark its cinema: the same place twice, which `settle` tells.
        let isTwin = others.contains(place) && isSame(drafts[place].position, as: home)
        drafts[place][.id] = place == bearer || isTwin ? name : drafts[place].naming?.long
      }
    }
  }

  private func isSame(_ position: Coordinate?, as home: Coordinate?) -> Bool {
    guard let position, let home else { return false }
    return position.metres(to: home) <= Self.sameMetres
  }

  private func nearest(of places: [Int], to cinema: Cinema) -> Int? {
    let near = places.compactMap { place in
      drafts[place].position.map { (place: place, metres: $0.metres(to: cinema.position)) }
    }
    return near.filter { $0.metres <= Self.sameMetres }.min { $0.metres < $1.metres }?.place
  }

  /// Finds the cinemas that its drafts are, and leaves what they do not say of them as it is. A draft that would take
  /// the place of another cinema becomes a problem: of one file, or kilometres away.
  ///
  /// - Parameters:
  ///   - kept: at least those of ``possibleIDs`` that there are.
  ///   - mayMove: cinemas may have moved by kilometres; that is told as a remark.
  package mutating func settle(among kept: [CinemaID: Cinema], mayMove: Bool = false) {
    nameDrafts(among: kept)
    var firstPlaces: [String: String] = [:]
    let all = drafts
    drafts = []
    for var draft in all {
      if let text = draft[.id]?.trimmed {
        if let first = firstPlaces[text] {
          problems.append(DraftProblems(place: draft.place, problems: ["the id \(text) stands at \(first) already"]))
          continue
        }
        firstPlaces[text] = draft.place
        if let cinema = CinemaID(text).flatMap({ kept[$0] }) {
          if var move = move(of: draft, from: cinema) {
            if !mayMove {
              move.problems[0] += "; give it another id, or import with --moved"
              problems.append(move)
              continue
            }
            remarks.append(move)
          }
          draft.complete(from: cinema)
        }
      }
      drafts.append(draft)
    }
  }

  /// What to tell of a written id that is kept far away.
  private func move(of draft: CinemaDraft, from cinema: Cinema) -> DraftProblems? {
    guard draft.naming == nil, let metres = draft.position?.metres(to: cinema.position), metres > Self.movedMetres
    else { return nil }
    let kilometres = Int((metres / 1_000).rounded())
    return DraftProblems(
      place: draft.place,
      problems: ["\(cinema.id) is kept \(kilometres) km from here: \(cinema.name) at \(cinema.position.shown)"])
  }
}
