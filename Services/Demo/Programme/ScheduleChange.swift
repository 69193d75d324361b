package import Calendars
import Clocks

/// Something that happened to a published programme: what makes a programme's readers look up.
nonisolated package struct ScheduleChange: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case cancel, add, move
    case sellOut = "sell-out"
  }

  package let cinema: String
  package let date: CivilDate
  package let kind: Kind
  /// The number of the show that it happened to.
  package let show: Int
  package let title: String
  /// When the show begins now, and when it began before it was moved.
  package let start: DisplayTime
  package let was: DisplayTime?
  /// The film's code, and the screen, of a show that was added.
  let film: String
  let screen: Int
}

/// What was changed in the demo's programmes since the process began.
nonisolated struct ScheduleChanges {
  private var changes: [ScheduleChange] = []

  /// More than anybody makes by hand, and few enough to look through for every page.
  static let max = 500

  var isFull: Bool { changes.count >= Self.max }

  mutating func append(_ change: ScheduleChange) { changes.append(change) }

  mutating func removeAll(of cinema: String?) {
    changes.removeAll { cinema == nil || $0.cinema == cinema }
  }

  func applied(to day: ProgrammeDay, of cinema: DemoCinema) -> ProgrammeDay {
    var day = day
    for change in changes where change.cinema == cinema.id && change.date == day.date {
      if change.kind == .add {
        guard let film = FilmCatalogue.film(change.film) else { continue }
        let seats = cinema.habits.screens[change.screen]
        day.shows.append(
          Show(
            number: change.show, film: film, screen: change.screen, start: change.start, seats: seats,
            seatsLeft: seats, marks: []))
      } else if let index = day.shows.firstIndex(where: { $0.number == change.show }) {
        switch change.kind {
        case .cancel: day.shows[index].state = .cancelled
        case .sellOut: day.shows[index].seatsLeft = 0
        case .move:
          day.shows[index].state = .moved(from: change.was ?? day.shows[index].start)
          day.shows[index].start = change.start
        case .add: break
        }
      }
    }
    day.shows.sort { ($0.start, $0.number) < ($1.start, $1.number) }
    return day
  }
}

/// Why a programme could not be changed: a sentence that says what to do.
nonisolated package struct ChangeError: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}

nonisolated extension ScheduleChange {
  /// Chooses what to change: the first show that has not begun and that the change would make a difference to.
  static func choose(
    _ kind: Kind, at cinema: DemoCinema, among days: [ProgrammeDay], now: WallTime
  ) throws(ChangeError) -> ScheduleChange {
    for day in days where !day.isClosed {
      let coming = day.shows.filter {
        $0.state != .cancelled && cinema.zone.instant(of: ServiceTime(day.date, $0.start)) > now
      }
      if kind == .add {
        if let change = added(to: day, of: cinema, after: now) { return change }
        continue
      }
      guard let show = coming.first(where: { kind != .sellOut || !$0.isSoldOut }) else { continue }
      var (start, was) = (show.start, DisplayTime?.none)
      if kind == .move {
        was = start
        start = DisplayTime(minutes: start.minutes + moveMinutes) ?? start
      }
      return ScheduleChange(
        cinema: cinema.id, date: day.date, kind: kind, show: show.number, title: show.title(at: cinema), start: start,
        was: was, film: show.film.code, screen: show.screen)
    }
    throw ChangeError(description: "\(cinema.id) has no coming show to \(kind.rawValue); odi-demo list shows who has")
  }

  private static let moveMinutes = 30

  /// One more show of the day's first film: an hour from now or at 10:00, whichever is later, but not after 25:00.
  private static func added(to day: ProgrammeDay, of cinema: DemoCinema, after now: WallTime) -> ScheduleChange? {
    guard let film = day.shows.first?.film, let last = day.shows.map(\.number).max() else { return nil }
    let clock = ServiceDay.standard.time(of: now, in: cinema.zone)
    let soonest = clock.date == day.date ? (clock.time.minutes + 60 + 9) / 10 * 10 : 0
    let (opens, closes) = (10 * 60, 25 * 60)
    let minutes = max(soonest, opens)
    guard clock.date <= day.date, minutes <= closes, let start = DisplayTime(minutes: minutes) else { return nil }
    return ScheduleChange(
      cinema: cinema.id, date: day.date, kind: .add, show: last + 1, title: cinema.title(of: film), start: start,
      was: nil, film: film.code, screen: cinema.habits.screens.count - 1)
  }
}
