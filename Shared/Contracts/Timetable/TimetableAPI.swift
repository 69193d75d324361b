import RPC

/// Festivals: their days, rooms and sessions, floors and tickets.
package enum TimetableAPI: RPCService {
  package static let name = "timetable"
}
