import Contracts
import RPC
package import ServiceKit
import ServiceStorage
import Storage

/// Festivals and their timetables as a service: who it is, and how it is put together.
package enum TimetableService {
  nonisolated static let demo = Setting<Bool>.value(
    "demo", "keep an invented festival whose days are around today", default: false)
  nonisolated static let pictureReader = Setting<String?>.optional(
    "picture-reader", "the program that reads pictures of QR codes; this one, if not said")

  package static var program: ServiceProgram {
    ServiceProgram(
      "timetable", "festivals: their days, rooms, sessions and tickets",
      discussion: """
        Keeps festivals in DIR/timetable.sqlite and answers from memory. Reads and writes the files in which programmes travel: \
        schedule.xml and schedule.json of frab and pretalx, octav, iCalendar, CSV.
        """,
      examples: [
        .init("odi-timetable festival import schedule.xml --dry-run", "what a file says, and what is left out"),
        .init("odi-timetable show jiff-26 --day 2026-05-02", "a day as a grid in the terminal"),
        .init("odi-timetable check jiff-26", "overlaps, turn-rounds, films longer than their slot"),
      ],
      build: .ofSuite(libraries: [Database.library]), port: 7_106, settings: [demo, pictureReader], checks: [.storage],
      commands: TimetableCommands().all + [DatabaseCommands(TimetableStore.declaration).command]
    ) { environment in
      let database = ServiceDatabase(TimetableStore.declaration, in: environment)
      let store = TimetableStore(database)
      let timetable = LiveTimetable(store, in: environment)
      let router = RPCRouter(service: TimetableAPI.name)
      let pictures = PictureDesk(
        program: environment.configuration[pictureReader], folder: environment.data.path, time: environment.time,
        log: environment.log)
      TimetableHandlers(timetable: timetable, store: store, pictures: pictures, time: environment.time)
        .register(on: router)
      AdministratorHandlers(timetable: timetable, store: store, time: environment.time).register(on: router)
      database.answerAdministrators(on: router)
      var parts: [any ServicePart] = [database, timetable]
      if environment.configuration[demo] { parts.append(DemoFestivalKeeper(timetable, store, in: environment)) }
      return parts + [CallServer(router, in: environment)]
    }
  }
}
