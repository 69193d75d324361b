/// Puts printed times on the long day of a venue, 00:00 to 29:59, one after the other as they are listed.
struct PrintedTimePlacer {
  let serviceDay: ServiceDay
  /// Some time of the listing can only be of a 24-hour clock.
  let isSurely24Hour: Bool
  private var previous: DisplayTime?
  private var previousPart: PartOfDay?

  init(serviceDay: ServiceDay, isSurely24Hour: Bool) {
    self.serviceDay = serviceDay
    self.isSurely24Hour = isSurely24Hour
  }

  struct Placed {
    var time: DisplayTime
    var notes: Set<PrintedNote>
  }

  struct Refusal: Error { var kind: PrintedAlarm.Kind }

  /// The start of a showing.
  mutating func start(_ partial: PartialTime, isPartInferred: Bool) throws(Refusal) -> Placed {
    var placed = try place(partial)
    if isPartInferred { placed.notes.insert(.inferredMeridiem) }
    if let previous, placed.time < previous, !placed.notes.contains(.inferredServiceDay) {
      // Time goes back: after midnight, if that is how it can be.
      if previous.hour >= 18, placed.time.hour < 6, partial.part == nil, let late = placed.time.nextDay {
        placed.time = late
        placed.notes.insert(.inferredServiceDay)
      } else {
        placed.notes.insert(.outOfOrder)
      }
    }
    previous = placed.time
    if let part = partial.part, part == .am || part == .pm { previousPart = part }
    return placed
  }

  /// Minutes from a start to its end.
  func length(
    from start: DisplayTime, to partial: PartialTime
  ) throws(Refusal) -> (minutes: Int, notes: Set<PrintedNote>) {
    var notes: Set<PrintedNote> = []
    var minutes: Int
    do throws(Refusal) {
      let clock = try self.clock(partial)
      minutes = clock.minutes
      notes.formUnion(clock.notes)
    } catch {
      // A night that ends the morning after is past every display time.
      guard partial.isNextDay else { throw error }
      minutes = partial.hour * 60 + partial.minute + DisplayTime.day
    }
    if partial.part == nil, previousPart == .pm, partial.canBeTwelveHour, minutes < 720, start.minutes < minutes + 720 {
      minutes += 720
      notes.insert(.inferredMeridiem)
    }
    if minutes <= start.minutes {
      minutes += DisplayTime.day
      notes.insert(.endIsNextDay)
    }
    let length = minutes - start.minutes
    guard length > 0, length <= PrintedTimePlacer.lengthMax else {
      throw Refusal(kind: length <= 0 ? .backwards : .tooLong)
    }
    return (length, notes)
  }

  /// Doors, last order: near the start or the end, by the same clock.
  func beside(_ partial: PartialTime, _ start: DisplayTime) throws(Refusal) -> DisplayTime {
    let clock = try self.clock(partial)
    var minutes = clock.minutes
    if partial.part == nil, previousPart == .pm, partial.canBeTwelveHour, minutes < 720 { minutes += 720 }
    if start.isAfterMidnight, minutes < 360 { minutes += DisplayTime.day }
    guard let time = DisplayTime(minutes: minutes) else { throw Refusal(kind: .beyondServiceDay) }
    return time
  }

  /// An all-nighter, or a restaurant's day.
  private static let lengthMax = 18 * 60

  private func place(_ partial: PartialTime) throws(Refusal) -> Placed {
    var (minutes, notes) = try clock(partial)
    let saysItsDay = partial.isNextDay || partial.hour >= 24 || partial.part == .night || partial.part == .lateNight
    // "오후 1:30, 4:00": the afternoon goes on.
    if partial.part == nil, !partial.isNextDay, let previous, previousPart != nil, partial.canBeTwelveHour {
      let hour = minutes % 720
      if let later = [hour, hour + 720].first(where: { $0 > previous.minutes }) {
        minutes = later
        notes.insert(.inferredMeridiem)
      }
    }
    guard let time = DisplayTime(minutes: minutes) else { throw Refusal(kind: .beyondServiceDay) }
    // A first night that begins a minute after midnight begins with its own day, as no film by chance does.
    let isFirstMinute = minutes == 1 && !partial.mayBeDuration
    if !saysItsDay, !isFirstMinute, let late = serviceDay.placing(time) {
      notes.insert(.inferredServiceDay)
      if partial.mayBeDuration { notes.insert(.mayBeDuration) }
      return Placed(time: late, notes: notes)
    }
    if partial.mayBeDuration { notes.insert(.mayBeDuration) }
    if partial.part == nil, !partial.isNextDay, !notes.contains(.inferredMeridiem), !isSurely24Hour, !partial.isPadded,
      (1...9).contains(partial.hour)
    {
      notes.insert(.hourWithoutMeridiem)
    }
    return Placed(time: time, notes: notes)
  }

  /// Minutes since the midnight that begins the date; parts of the day applied, the small hours not yet moved.
  private func clock(_ partial: PartialTime) throws(Refusal) -> (minutes: Int, notes: Set<PrintedNote>) {
    guard let hour = PrintedTimePlacer.hour(partial.hour, partial.part) else {
      throw Refusal(kind: .contradictoryMeridiem)
    }
    var minutes = hour * 60 + partial.minute
    if partial.isNextDay, minutes < DisplayTime.day { minutes += DisplayTime.day }
    guard minutes < DisplayTime.end else { throw Refusal(kind: .beyondServiceDay) }
    return (minutes, [])
  }

  /// Nil if the part of the day cannot have such an hour.
  private static func hour(_ hour: Int, _ part: PartOfDay?) -> Int? {
    switch part {
    case nil, .nextDay: hour
    case .am: hour == 12 ? 0 : hour < 12 ? hour : nil
    case .pm: hour < 12 ? hour + 12 : hour < 24 ? hour : nil
    case .noonish: (1...6).contains(hour) ? hour + 12 : (10...18).contains(hour) ? hour : nil
    case .evening: (4...11).contains(hour) ? hour + 12 : (16...24).contains(hour) ? hour : nil
    case .night:
      switch hour {
      case 0...5: hour + 24
      case 6...11: hour + 12
      case 12: 24
      case 18...29: hour
      default: nil
      }
    case .dawn: hour <= 7 ? hour : hour == 12 ? 0 : (24...29).contains(hour) ? hour : nil
    case .lateNight:
      switch hour {
      case 0...6: hour + 24
      case 7...11: hour + 12
      case 12: 24
      case 19...29: hour
      default: nil
      }
    }
  }
}
