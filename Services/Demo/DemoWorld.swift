package import Atlas
package import Calendars
package import Clocks

/// Everything that the demo shows: the known cinemas, each with an invented programme that depends on its date alone,
/// what was changed in it, and how its sites misbehave.
///
///     let world = try DemoWorld(time: time)
///     let server = DemoServer(world, time: EventLoop.time)
///     let address = try server.listen(on: .loopback())
package final class DemoWorld {
  package let cinemas: [DemoCinema]
  package let knobs: Knobs
  let time: any TimeSource
  private let seed: UInt64
  private let byID: [String: DemoCinema]
  private var changes = ScheduleChanges()
  /// When a cinema's programme was last changed by hand; under `nil`, everybody's.
  private var changedAt: [String?: WallTime] = [:]

  /// - Parameters:
  ///   - time: what “today” and “now” are, and what slow answers are slow by.
  ///   - seed: another seed is another world.
  package init(
    time: any TimeSource, atlas: [Atlas] = Atlas.all, zones: ZoneDirectory = ZoneDirectory(), seed: UInt64 = 1
  ) throws {
    self.time = time
    self.seed = seed
    knobs = Knobs(time: time)
    cinemas = try atlas.flatMap { try CinemaFile.cinemas(of: $0, zones: zones) }
    byID = Dictionary(cinemas.map { ($0.id, $0) }) { first, _ in first }
  }

  package func cinema(_ id: String) -> DemoCinema? { byID[id] }

  func cinema(on platform: PlatformCode) -> DemoCinema? { cinemas.first { $0.platform == platform } }

  // MARK: Programmes

  /// The service date that a cinema is in: until five in the morning it is still yesterday's.
  package func today(at cinema: DemoCinema) -> CivilDate {
    ServiceDay.standard.date(of: time.wall, in: cinema.zone)
  }

  /// What is published for a date; nil if nothing is.
  package func day(_ date: CivilDate, at cinema: DemoCinema) -> ProgrammeDay? {
    let programme = Programme(cinema: cinema, seed: seed)
    return programme.day(date, today: today(at: cinema)).map { changes.applied(to: $0, of: cinema) }
  }

  /// All days that are published, today first.
  package func days(of cinema: DemoCinema) -> [ProgrammeDay] {
    let today = today(at: cinema)
    return (0..<Programme.daysAhead).compactMap { day(today + $0, at: cinema) }
  }

  /// When what a cinema publishes was last different: at the beginning of its day, or when somebody changed it.
  func modified(_ cinema: DemoCinema) -> WallTime {
    let dawn = ServiceDay.standard.instants(of: today(at: cinema), in: cinema.zone).lowerBound
    return [dawn, changedAt[cinema.id], changedAt[nil], knobs.changedAt].compactMap(\.self).max() ?? dawn
  }

  // MARK: Changes

  /// Changes the first coming show of a cinema, or of one of its days, for which it makes a difference.
  @discardableResult
  package func change(
    _ kind: ScheduleChange.Kind, at id: String, on date: CivilDate? = nil
  ) throws(ChangeError) -> ScheduleChange {
    guard let cinema = cinema(id) else {
      throw ChangeError(description: "there is no cinema \(id); odi-demo list shows them")
    }
    guard !changes.isFull else {
      throw ChangeError(description: "\(ScheduleChanges.max) changes were made already; odi-demo behave undoes them")
    }
    let days = date.map { date in [day(date, at: cinema)].compactMap(\.self) } ?? days(of: cinema)
    let change = try ScheduleChange.choose(kind, at: cinema, among: days, now: time.wall)
    changes.append(change)
    changedAt[id] = time.wall
    return change
  }

  /// Undoes the changes and ends the misbehaviour of one cinema, or of all.
  package func behave(_ id: String? = nil) {
    changes.removeAll(of: id)
    changedAt[id] = time.wall
    knobs.end(id)
  }
}
