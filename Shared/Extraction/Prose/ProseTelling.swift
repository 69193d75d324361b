import Calendars
import Clocks

/// What the sentences of one paragraph tell, one behind the other.
struct ProseTelling {
  let clock: PageClock
  let period: ClosedRange<CivilDate>?
  /// The film that the headline names: what a sentence tells of "the film" before any is named.
  private var headline: String?
  /// The film that was named last, if it was one alone.
  private var subject: String?
  private(set) var told: [(name: String, start: FoundTime)] = []
  private(set) var unread: [String] = []

  init(clock: PageClock, period: ClosedRange<CivilDate>?, headline: String?) {
    (self.clock, self.period, self.headline) = (clock, period, headline)
  }

  mutating func take(_ sentence: ProseText.Sentence) {
    if let name = sentence.name {
      (subject, headline) = (name, nil)
      tell(starts(of: sentence.words), name)
      return
    }
    if sentence.names.isEmpty {
      if let subject {
        tell(starts(of: sentence.words), subject)
      } else if let headline, ProseWords.speakOfFilms(sentence.words) {
        tell(starts(of: sentence.words), headline)
      }
      return
    }
    headline = nil
    subject = nil
    let parts = sentence.words.unicodeScalars.split(
      separator: ProseText.hole, omittingEmptySubsequences: false
    ).map { starts(of: String(Substring($0))) }
    guard parts.contains(where: { !$0.isEmpty }) else { return }
    // »Silt« am Freitag um 20 Uhr, »Marram« am Samstag um 18 Uhr; or the other way round.
    if parts[0].isEmpty, parts.dropFirst().allSatisfy({ !$0.isEmpty }) {
      for (name, starts) in zip(sentence.names, parts.dropFirst()) { tell(starts, name) }
    } else if parts[parts.count - 1].isEmpty, parts.dropLast().allSatisfy({ !$0.isEmpty }) {
      for (name, starts) in zip(sentence.names, parts) { tell(starts, name) }
    } else {
      unread.append(sentence.words.replacing(String(ProseText.hole), with: "…").trimmedText)
    }
  }

  private mutating func tell(_ starts: [FoundTime], _ name: String) {
    for start in starts where !told.contains(where: { $0.start == start && $0.name.foldedKey == name.foldedKey }) {
      told.append((name, start))
    }
  }

  /// Nothing if the text contradicts itself anywhere.
  private func starts(of words: String) -> [FoundTime] {
    guard words.utf8.contains(where: isDigitByte), !ProseWords.tellOtherTime(words),
      let line = PrintedLine(
        words.replacing(String(ProseText.hole), with: "…"), clock: clock, expecting: .listing)
    else { return [] }
    guard line.alarms.isEmpty else { return startsInPeriod(line) }
    return line.showings.compactMap { showing -> FoundTime? in
      guard !showing.notes.contains(.mayBeDuration) else { return nil }
      let day = showing.time.date
      // A weekday is the next one, unless the headline tells other days.
      if let period, !period.contains(day), showing.notes.contains(.inferredFromWeekday) { return nil }
      guard abs(day - clock.captured) <= Self.daysMax else { return nil }
      // Nobody shows films at seven in the morning.
      let isEvening =
        showing.notes.contains(.hourWithoutMeridiem) && Self.unlikelyHours.contains(showing.time.time.hour)
      return clock.found(
        isEvening ? WallTime(milliseconds: showing.startsAt.milliseconds + Self.halfDay) : showing.startsAt)
    }
  }

  /// "petak, subotu i nedelju od 17 časova" in the programme "od 08.02 do 11.02.2024".
  private func startsInPeriod(_ line: PrintedLine) -> [FoundTime] {
    guard let period, period.upperBound - period.lowerBound < Self.weekDays,
      line.alarms.allSatisfy({ $0.kind == .weekdaysWithoutDates }), line.days.isEmpty
    else { return [] }
    let days = (0...(period.upperBound - period.lowerBound)).map { period.lowerBound + $0 }
    var starts: [FoundTime] = []
    for (weekdays, times) in line.timesOfWeekdays {
      for day in days where weekdays.contains(day.weekday) {
        starts += times.map { clock.found(ServiceTime(day, $0.start).civil) }
      }
    }
    return starts
  }

  private static let daysMax = 200
  private static let unlikelyHours = 1...8
  private static let weekDays = 7
  /// In milliseconds.
  private static let halfDay: Int64 = 43_200_000
}
