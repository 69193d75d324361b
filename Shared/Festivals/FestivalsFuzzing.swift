import Calendars
import Clocks
import Contracts
import JSON

/// What a fuzzer calls: every reader over any bytes. What was read is written and reads back the same.
package enum FestivalsFuzzing {
  package static func run(_ bytes: [UInt8]) {
    var options = ReadingOptions(zones: zones)
    options.name = "Fuzz"
    options.zone = .utc
    for format in FestivalFormat.known {
      guard let programme = try? FestivalProgramme.read([bytes], as: format, options: options) else { continue }
      check(programme, options)
    }
    options.mapping = mapping
    if let programme = try? FestivalProgramme.read([bytes], as: .json, options: options) { check(programme, options) }
    _ = try? FloorMap.clean(bytes, of: festival)
  }

  private static let zones = ZoneDirectory()
  private static let mapping = try? ColumnMapping(
    [
      "columns": ["title": "t", "start": "s", "day": "d", "rooms": "r", "duration": "l"],
      "date": ["year": 2026, "month": 5],
    ])
  private static let festival = Festival(
    id: FestivalID("f")!, name: "F", zone: .utc, startsOn: .first, endsOn: .last,
    rooms: [FestivalRoom(id: RoomID("a")!, name: "A")])

  private static func check(_ programme: FestivalProgramme, _ options: ReadingOptions) {
    for day in programme.festival.days.prefix(4) {
      let grid = GridLayout.grid(of: programme, on: day.date)
      precondition(grid.cells.allSatisfy { $0.firstRow < $0.endRow && $0.endRow <= grid.rows && $0.lane < $0.lanes })
    }
    _ = programme.findings
    for format in FestivalFormat.known {
      guard let bytes = try? programme.written(as: format, zone: .utc, now: WallTime(milliseconds: 0)) else { continue }
      do throws(ProgrammeError) {
        let back = try FestivalProgramme.read([bytes], as: format, options: options)
        // A calendar's own names may hold what calendars cannot; those of sessions without any are made of them.
        let lost = starts(of: programme, named: format != .ics)
          .symmetricDifference(starts(of: back, named: format != .ics)).sorted()
        precondition(lost.isEmpty, "\(format.rawValue) reads back another programme: \(lost)")
      } catch {
        preconditionFailure("what was written as \(format.rawValue) is not read back: \(error)")
      }
    }
  }

  /// What every format has a place for, to the second.
  private static func starts(of programme: FestivalProgramme, named: Bool) -> Set<String> {
    Set(programme.sessions.map { "\(named ? $0.id.text : "") \($0.startsAt.milliseconds / 1_000)" })
  }
}
