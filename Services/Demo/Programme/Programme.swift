import Calendars
import Clocks

/// The invented programme of one cinema: the same for the same seed, cinema and date, on any machine and at any time.
nonisolated struct Programme {
  let cinema: DemoCinema
  let seed: UInt64

  /// How many days are published, today among them.
  static let daysAhead = 14
  /// Of a cinema that is late with its programme.
  private static let daysOfFirstWeek = 7

  /// One date, as published on `today`; nil if the date is not among the published ones.
  func day(_ date: CivilDate, today: CivilDate) -> ProgrammeDay? {
    guard (0..<Self.daysAhead).contains(date - today) else { return nil }
    switch cinema.habits.publishes {
    case .nothing: return nil
    case .closed: return ProgrammeDay(date: date, isClosed: true, shows: [])
    case .firstWeek where date - today >= Self.daysOfFirstWeek:
      return ProgrammeDay(date: date, isClosed: false, shows: [])
    case .everything, .firstWeek:
      if isClosed(on: date) { return ProgrammeDay(date: date, isClosed: true, shows: []) }
      return ProgrammeDay(date: date, isClosed: false, shows: shows(on: date))
    }
  }

  private func isClosed(on date: CivilDate) -> Bool {
    if cinema.habits.closedOn.contains(date.weekday) { return true }
    // Now and then a day that nobody could have guessed. Not where a first look at the demo falls.
    guard !["cinecube", "emu"].contains(cinema.id) else { return false }
    var random = self.random("closed", date.daysSince1970)
    return Int.random(in: 0..<40, using: &random) == 0
  }

  // MARK: A day

  private func shows(on date: CivilDate) -> [Show] {
    var random = self.random("shows", date.daysSince1970)
    let films = lineUp(of: date)
    let isLate = cinema.habits.lateOn.contains(date.weekday)
    var slots: [(film: DemoFilm, screen: Int, start: Int)] = []
    for screen in cinema.habits.screens.indices {
      var start = firstStart(of: date) + Int.random(in: 0...6, using: &random) * 10
      var turn = screen * 2 + Int.random(in: 0..<films.count, using: &random)
      let lastStart = 22 * 60
      while start <= lastStart {
        var film = films[turn % films.count]
        // The same film at the same time on two screens would look like one show told twice.
        if slots.contains(where: { $0.start == start && $0.film == film }) {
          turn += 1
          film = films[turn % films.count]
        }
        turn += 1
        // Somebody has to sweep before the late show.
        if isLate, screen == 0, start + film.minutes > lateStart - 10 { break }
        slots.append((film, screen, start))
        start = roundedUp(start + film.minutes + 15)
      }
      if isLate, screen == 0 { slots.append((films[turn % films.count], screen, lateStart)) }
    }
    slots.sort { ($0.start, $0.screen) < ($1.start, $1.screen) }
    return dressed(slots, on: date, &random)
  }

  private var lateStart: Int { 24 * 60 + 30 }

  private func firstStart(of date: CivilDate) -> Int {
    let isWeekend = [.saturday, .sunday].contains(date.weekday)
    return cinema.country == "KR" || isWeekend ? 10 * 60 : 12 * 60
  }

  private func roundedUp(_ minutes: Int) -> Int { (minutes + 4) / 5 * 5 }

  /// A week's films: it begins on Thursday, when cinemas change their programme.
  private func lineUp(of date: CivilDate) -> [DemoFilm] {
    var random = self.random("week", date.daysSince1970 / 7)
    let films = FilmCatalogue.films.shuffled(using: &random).filter { FilmCatalogue.isRunning($0, on: date) }
    return Array(films.prefix(4 + cinema.habits.screens.count))
  }

  /// Numbers, seats and marks. A day with four shows has one that is sold out and one with few seats left.
  private func dressed(
    _ slots: [(film: DemoFilm, screen: Int, start: Int)], on date: CivilDate, _ random: inout SeededRandom
  ) -> [Show] {
    let soldOut = Int.random(in: 0..<max(slots.count, 1), using: &random)
    let few = (soldOut + 1 + Int.random(in: 0..<max(slots.count - 1, 1), using: &random)) % max(slots.count, 1)
    let talk = talk(among: slots.map(\.start), on: date, &random)
    return slots.enumerated().compactMap { index, slot in
      guard let start = DisplayTime(minutes: slot.start) else { return nil }
      let seats = cinema.habits.screens[slot.screen]
      var left = Int.random(in: max(6, seats / 5)...max(6, seats), using: &random)
      if slots.count >= 4 {
        if index == soldOut { left = 0 } else if index == few { left = Int.random(in: 1...5, using: &random) }
      }
      return Show(
        number: index + 1, film: slot.film, screen: slot.screen, start: start, seats: seats, seatsLeft: left,
        marks: marks(of: slot.film, hasTalk: index == talk))
    }
  }

  /// The show after which somebody answers questions: one in the evening.
  private func talk(among starts: [Int], on date: CivilDate, _ random: inout SeededRandom) -> Int? {
    let often = cinema.habits.talksOften && date.daysSince1970.isMultiple(of: 3)
    guard often || Int.random(in: 0..<9, using: &random) == 0 else { return nil }
    let evening = 17 * 60..<22 * 60
    return starts.lastIndex { evening.contains($0) }
  }

  /// The same print all week long.
  private func marks(of film: DemoFilm, hasTalk: Bool) -> [Show.Mark] {
    var marks: [Show.Mark] = hasTalk ? [.talk] : []
    switch Hash.of(cinema.id + film.code) % 10 {
    case 0, 1: marks.append(film.year < 1980 ? .restored : .subtitled)
    case 2: marks.append(film.year < 1980 ? .film35 : .restored)
    case 3: if film.language != "en" { marks.append(.englishSubtitles) }
    default: break
    }
    return marks
  }

  /// A generator of its own for each use, so that none depends on what another drew.
  private func random(_ use: String, _ number: Int) -> SeededRandom {
    var source = SeededRandom(seed: Hash.of("\(seed) \(cinema.id) \(use) \(number)"))
    return source.split()
  }
}
