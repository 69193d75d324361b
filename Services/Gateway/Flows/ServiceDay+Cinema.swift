import Calendars
import Contracts

nonisolated extension ServiceDay {
  /// The cinema's own.
  init(of cinema: Cinema) { self = cinema.dayEnds.flatMap { ServiceDay(endsAt: $0) } ?? .standard }
}
