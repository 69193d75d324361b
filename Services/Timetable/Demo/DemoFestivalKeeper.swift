import Calendars
import Clocks
import Contracts
import Festivals
import Observability
import ServiceKit

/// Keeps the invented festival around today: puts it there at the start, and moves it when a day has gone.
@MainActor
final class DemoFestivalKeeper: ServicePart {
  nonisolated let name = "demo festival"
  private let timetable: LiveTimetable
  private let store: TimetableStore
  private let time: any TimeSource
  private let log: Log
  private var work: Task<Void, Never>?

  /// Half an hour after midnight nobody minds that it is still yesterday's.
  private static let rhythm: Duration = .seconds(1_800)

  init(_ timetable: LiveTimetable, _ store: TimetableStore, in environment: ServiceEnvironment) {
    self.timetable = timetable
    self.store = store
    time = environment.time
    log = environment.log
  }

  func start() async throws {
    try await keep()
    work = Task { [time, log] in
      while (try? await time.sleep(for: Self.rhythm)) != nil {
        do {
          try await keep()
        } catch {
          log.warning("the demo festival was not moved", ["error": "\(error)"])
        }
      }
    }
  }

  func drain() async { work?.cancel() }

  private func keep() async throws {
    let zone = try timetable.zones.rules(for: DemoFestival.zone)
    let today = ServiceDay.standard.date(of: time.wall, in: zone)
    let kept = timetable.all[DemoFestival.id]
    // What somebody tries out on it stays until the day is over.
    guard kept?.festival.days.dropFirst().first?.date != today else { return }
    let programme = DemoFestival.programme(around: today, in: zone)
    _ = try await store.put(programme, by: "odi-timetable demo", at: time.wall)
    for (floor, svg) in DemoFestival.floors where kept?.floors[floor.id] == nil {
      let clean = try FloorMap.clean(Array(svg.utf8), of: programme.festival)
      try await store.put(clean.svg, as: floor, of: DemoFestival.id, by: "odi-timetable demo", at: time.wall)
    }
    try await timetable.reload(DemoFestival.id)
  }
}
