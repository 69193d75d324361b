import Calendars
import Clocks
import Contracts
import RPC
import TextSearch

/// The festivals' names, indexed, so that a search asks nobody while somebody types.
final class FestivalShelf {
  private let timetable: any RPCClient<TimetableAPI>
  private let time: any TimeSource
  private var kept: Kept?
  /// How often the timetable has changed: what was asked before that is not kept.
  private var changes = 0

  private struct Kept {
    var festivals: [FestivalName]
    var index: TextIndex
    var until: Instant
  }

  /// The timetable's changes end it sooner.
  static let memory: Duration = .seconds(60)
  /// As many as the timetable tells at once: those that end last.
  static let festivalsMax = 200

  init(timetable: any RPCClient<TimetableAPI>, time: any TimeSource) {
    self.timetable = timetable
    self.time = time
  }

  /// The festivals with all words of a text in their names, best first.
  func find(_ text: String, limit: Int, _ options: CallOptions) async throws(RPCError) -> [FestivalHit] {
    let kept = try await current(options)
    return kept.index.search(text, limit: limit).map { hit in
      FestivalHit(
        festival: kept.festivals[hit.document], score: hit.score, matched: hit.text,
        highlights: hit.ranges.flatMap { [$0.lowerBound, $0.upperBound] })
    }
  }

  private func current(_ options: CallOptions) async throws(RPCError) -> Kept {
    if let kept, kept.until > time.now { return kept }
    let asked = changes
    let festivals = try await timetable.call(ListFestivals(limit: Self.festivalsMax), options)
      .map { FestivalName($0) }
    let fresh = Kept(
      festivals: festivals, index: TextIndex(festivals.map { [$0.name, $0.subtitle].compactMap { $0 } }),
      until: time.now + Self.memory)
    if asked == changes { kept = fresh }
    return fresh
  }

  /// The timetable changed.
  func forgetAll() {
    changes += 1
    kept = nil
  }
}

/// A festival that was found.
nonisolated struct FestivalHit {
  var festival: FestivalName
  var score: Double
  /// Which of its names matched.
  var matched: String
  /// Where in `matched`: pairs of a first and a last-plus-one UTF-8 offset.
  var highlights: [Int]
}

/// A festival, as far as a list of many things names it.
nonisolated struct FestivalName: Shaped, Equatable {
  var id: FestivalID
  var name: String
  var subtitle: String?
  var city: String?
  var startsOn: CivilDate
  var endsOn: CivilDate
  var isDemo: Bool

  init(_ festival: Festival) {
    id = festival.id
    name = festival.name
    subtitle = festival.subtitle
    city = festival.city
    startsOn = festival.startsOn
    endsOn = festival.endsOn
    isDemo = festival.isDemo
  }

  static let shape = Shape<FestivalName>(
    "FestivalName", "A festival, as far as a list of many things names it.",
    [
      .required("id", "Its slug.") { $0.id },
      .required("name", "In the language of the place.") { $0.name },
      .optional("subtitle", "A second name.") { $0.subtitle },
      .optional("city", "In which city.") { $0.city },
      .required("starts_on", "Its first day.") { $0.startsOn },
      .required("ends_on", "Its last day.") { $0.endsOn },
      .mark("demo", "Invented, to try the software with.") { $0.isDemo },
    ])
}
