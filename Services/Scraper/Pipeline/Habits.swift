package import Calendars
package import Contracts

/// What a site's programme usually is like, learnt from what was published of it lately; and what of a reading falls so
/// far outside that somebody should look before it is believed.
nonisolated package struct Habits: Hashable, Sendable {
  /// By weekday, the most showings that one day had.
  private var most: [Weekday: Int] = [:]
  private var mostOfAll = 0
  private var titles: Set<String> = []
  private var screens: Set<String> = []
  /// Of all showings of one week, the largest share that one film had: a house of one screen may show one a week.
  private var topShare = 1.0
  /// Of days that are over: those to come may have no more than what is sold early.
  private var days = 0
  private var showings = 0
  /// How many showings each day had that was published: what is said of it is said again.
  private var fullness: [CivilDate: Int] = [:]

  /// Enough to call something usual.
  private static let daysMin = 7
  private static let showingsMin = 20
  /// Lately: as long as showings are kept, five weeks.
  private static let lookBack = 35
  /// A festival shows three times as many as any day before it; a page read twice over, or its archive, more.
  private static let growthMax = 3
  /// On days of two showings six are no news.
  private static let growthFree = 12
  /// From so many on a share says something.
  private static let sharedMin = 12
  /// Above what is usual, and above this, one title over everything is a label.
  private static let topShareMax = 0.8
  private static let topShareRise = 0.3
  /// Of the titles on days that were published before, so many must be known still.
  private static let knownMin = 0.2

  package init() {}

  /// - Parameter published: all that is stored of the site, by day.
  package init(_ published: [CivilDate: [Showtime]], today: CivilDate) {
    var weeks: [Int: [String: Int]] = [:]
    for (date, showtimes) in published where date >= today - Self.lookBack {
      let kept = showtimes.filter { $0.state == .scheduled }
      guard !kept.isEmpty else { continue }
      fullness[date] = kept.count
      let week = (date - (today - Self.lookBack)) / 7
      for showtime in kept {
        let title = PrintedName.folded(showtime.title)
        titles.insert(title)
        weeks[week, default: [:]][title, default: 0] += 1
        if let screen = showtime.screen { screens.insert(PrintedName.folded(screen)) }
      }
      guard date < today else { continue }
      days += 1
      showings += kept.count
      most[date.weekday] = max(most[date.weekday] ?? 0, kept.count)
      mostOfAll = max(mostOfAll, kept.count)
    }
    let shares = weeks.values.compactMap { counts in
      let all = counts.values.reduce(0, +)
      return all < Self.sharedMin ? nil : counts.values.max().map { Double($0) / Double(all) }
    }
    topShare = shares.max() ?? 1
  }

  private var areKnown: Bool { days >= Self.daysMin && showings >= Self.showingsMin }

  /// What is odd about a reading, in a sentence; nil if nothing is, or too little is known.
  package func oddity(of reading: SourceReading) -> String? {
    guard areKnown else { return nil }
    return crowdedDay(of: reading) ?? label(of: reading) ?? strangers(of: reading) ?? newRooms(of: reading)
  }

  private func crowdedDay(of reading: SourceReading) -> String? {
    for (date, day) in reading.days.sorted(by: { $0.key < $1.key }) {
      let usual = max(most[date.weekday] ?? 0, mostOfAll / 2)
      if day.listings.count > max(usual * Self.growthMax, usual + Self.growthFree) {
        return "\(date) has \(day.listings.count) showings; such a day has had \(usual) at most lately"
      }
    }
    return nil
  }

  private func label(of reading: SourceReading) -> String? {
    let listings = reading.days.values.flatMap(\.listings)
    guard listings.count >= Self.sharedMin else { return nil }
    let counts = Dictionary(grouping: listings, by: { PrintedName.folded($0.title) }).mapValues(\.count)
    guard let top = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), !titles.contains(top.key) else {
      return nil
    }
    let share = Double(top.value) / Double(listings.count)
    guard share > max(Self.topShareMax, topShare + Self.topShareRise) else { return nil }
    let title = listings.first { PrintedName.folded($0.title) == top.key }?.title ?? ""
    return "\(top.value) of \(listings.count) showings are called “\(title.prefix(60))”; the most that one film"
      + " has had of a week lately is \(Int(topShare * 100)) %"
  }

  /// Of days that were published already, and not in small part, hardly a title is known: the titles come from somewhere
  /// else now.
  private func strangers(of reading: SourceReading) -> String? {
    let listings = reading.days.filter { (fullness[$0.key] ?? 0) * 2 >= max(1, $0.value.listings.count) }.values
      .flatMap(\.listings)
    guard listings.count >= Self.sharedMin else { return nil }
    let known = listings.count { titles.contains(PrintedName.folded($0.title)) }
    guard Double(known) < Self.knownMin * Double(listings.count) else { return nil }
    return "of \(listings.count) showings on days that were published before only \(known) have a title that was"
      + " published lately"
  }

  private func newRooms(of reading: SourceReading) -> String? {
    let found = reading.days.values.flatMap(\.listings).compactMap(\.screen).map(PrintedName.folded)
    guard !screens.isEmpty, found.count >= Self.sharedMin, screens.isDisjoint(with: found) else { return nil }
    return "none of its screens was ever published: \(Set(found).sorted().prefix(3).joined(separator: ", "))"
  }
}
